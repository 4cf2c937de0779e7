"""Generates random models that need a session: open sizes, sizes that depend on values, strings, sequences and control flow."""
