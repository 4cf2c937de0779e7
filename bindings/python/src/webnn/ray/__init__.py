"""Runs graphs on a Ray cluster: see docs/guides/ray.md. Only deployment() imports Ray (`pip install webnn[ray]`)."""

import webnn as _webnn_package  # noqa: F401  # if another thread is importing webnn, waits until webnn is complete
from webnn.ray._model import Model
from webnn.ray._predictor import Predictor
from webnn.ray._serve import deployment

__all__ = ["Model", "Predictor", "deployment"]
