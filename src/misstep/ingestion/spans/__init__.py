"""Spans of OpenTelemetry, in any dialect and file format → Traces."""
