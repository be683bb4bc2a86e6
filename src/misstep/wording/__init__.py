"""Facts and goals ↔ sentences: what an agent's message asks, and how a person puts what they know."""
