"""From labels that people gave to detectors with known error rates."""
