"""Where to spend trials, and what they say: curves, effects, comparisons."""
