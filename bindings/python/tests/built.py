"""Tells which optional parts the package under test was built with."""

from pathlib import Path

import webnn

PACKAGE = Path(webnn.__file__).parent
HAS_CAPNP = (PACKAGE / "webnn-service").exists()  # built with Cap'n Proto, which the service and .webnnb need; wheels are not
