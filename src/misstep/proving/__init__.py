"""proven: scenarios → those that an agent which only has to talk passes in several voices, and no idle one does."""
