"""The only door to run folders and databases."""
