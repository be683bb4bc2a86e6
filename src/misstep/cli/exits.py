"""The exit codes, which are a contract."""

DONE = 0
FAILED = 1
UNDECIDED = 2
USAGE = 64
INTERRUPTED = 130
