"""Generates random graphs with open dimensions."""
