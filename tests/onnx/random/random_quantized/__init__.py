"""Generates random models with 8-bit products, and computes their results with NumPy."""
