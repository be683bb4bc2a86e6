"""Simulated records: what tools keep, what may be done to it, and how they tell of it."""
