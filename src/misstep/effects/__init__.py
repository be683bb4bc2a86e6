"""What calling a tool does to the world, as far as its name, description, schema and hints can tell."""
