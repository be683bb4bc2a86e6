"""Simulated files and shells: a tree in memory, and what tools and commands do to it."""
