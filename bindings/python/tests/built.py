"""Reads the build options of the package under test."""

from pathlib import Path

import webnn

PACKAGE = Path(webnn.__file__).parent
HAS_CAPNP = (PACKAGE / "webnn-service").exists()  # with it the service and .webnnb, which wheels lack
