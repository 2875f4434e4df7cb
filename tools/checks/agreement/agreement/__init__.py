"""Random schemas and instances, and the verdicts of three validators."""
