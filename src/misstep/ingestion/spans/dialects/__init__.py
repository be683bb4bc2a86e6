"""What the attributes of one span mean, one file a dialect."""
