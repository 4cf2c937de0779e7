# Readers and writers of tensors, and of files.
set(weights_sources
  base/file.cpp base/open_below.cpp base/open_file.cpp base/replace_file.cpp formats/manifest/manifest.cpp formats/npy/npy.cpp formats/open_weights.cpp
  formats/safetensors/safetensors.cpp formats/weights_table.cpp)
