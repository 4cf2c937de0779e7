"""Runs graphs on a Ray cluster: see docs/guides/ray.md. Only deployment() imports Ray (`pip install webnn[ray]`)."""

from webnn.ray._model import Model
from webnn.ray._predictor import Predictor
from webnn.ray._serve import deployment

__all__ = ["Model", "Predictor", "deployment"]
