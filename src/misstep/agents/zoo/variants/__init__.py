"""Planted failures: small wrappers around the sound agent, each of which breaks one thing."""
