"""synthesize: tools → scenarios."""
