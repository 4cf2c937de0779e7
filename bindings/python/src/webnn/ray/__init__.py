"""Graphs on a Ray cluster: see docs/ray.md. Only deployment() imports Ray (`pip install webnn[ray]`)."""

from webnn._webnn import _set_leak_warnings
from webnn.ray._model import Model
from webnn.ray._predictor import Predictor
from webnn.ray._serve import deployment

__all__ = ["Model", "Predictor", "deployment"]

_set_leak_warnings(False)  # Ray keeps what it has pickled beyond the end of the interpreter
