"""Tells which optional parts the package under test was built with."""

from pathlib import Path

import webnn

PACKAGE = Path(webnn.__file__).parent
HAS_CAPNP = (PACKAGE / "webnn-service").exists()  # then there are the service and .webnnb; not in wheels
