"""Foreign trace files → Traces: one file a dialect, and a report of what was lost on the way."""
