"""Random and malformed ensembles of trees of ai.onnx.ml."""
