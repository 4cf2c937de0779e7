"""Generates random models with dimensions that grow in each run."""
