"""run: scenarios → traces, trial by trial, over the cores of a machine."""
