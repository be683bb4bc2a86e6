"""Ways to write spans into a file, one file a format; each gives Spans."""
