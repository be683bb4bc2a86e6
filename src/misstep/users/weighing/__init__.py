"""A second hearing: what a message does and asks for, weighed by weights that were fitted to labelled exchanges."""
