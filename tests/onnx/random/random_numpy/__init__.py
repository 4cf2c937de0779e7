"""Random models whose expected results NumPy computes, and their check."""
