"""Facts and goals → sentences that people say; and the forms in which one value is written."""
