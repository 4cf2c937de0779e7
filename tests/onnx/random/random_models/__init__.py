"""Makes random ONNX models, and compares the results of libwebnn, ONNX Runtime and the reference evaluator of ONNX."""
