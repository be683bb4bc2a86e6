"""From what went wrong to where it began."""
