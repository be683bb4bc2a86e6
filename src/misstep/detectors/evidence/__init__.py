"""What several detectors read a trace for: claims, orders, constraints, outcomes."""
