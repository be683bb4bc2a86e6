"""Toolboxes, and the wrappers that stand in front of them: everything an agent calls goes through here."""
