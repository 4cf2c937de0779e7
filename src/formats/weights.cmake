# Readers and writers of tensors, and of files.
set(weights_sources)
