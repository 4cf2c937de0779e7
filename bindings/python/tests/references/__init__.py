"""Operations in NumPy, one module per group of families."""
