"""Ways to reach the agent under test."""
