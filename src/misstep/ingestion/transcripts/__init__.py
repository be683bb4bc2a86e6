"""Records of conversations as lists of messages → Traces, one file a dialect."""
