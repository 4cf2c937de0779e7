"""Empty: no library must be loaded first."""
