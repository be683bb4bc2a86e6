"""The nouns, the roles, the tape, the errors and the statistics that every stage shares."""
