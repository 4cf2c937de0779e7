"""Random ONNX models, and what ONNX Runtime, the reference evaluator of ONNX and libwebnn compute for them."""
