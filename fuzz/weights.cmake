# Readers of tensors: seeds are in corpus/NAME.
webnn_fuzzer(safetensors)
webnn_fuzzer(manifest)
webnn_fuzzer(npy)
