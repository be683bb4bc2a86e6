"""Toolbox → tasks: what its tools can be asked to do, found by executing them."""
