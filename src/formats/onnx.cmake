# ONNX: the families of operators, as elsewhere, and what has no family of WebNN.
list(TRANSFORM WEBNN_FAMILIES REPLACE "(.+)" "onnx/\\1.cpp" OUTPUT_VARIABLE onnx_export_sources)
set(onnx_import_families
  ${WEBNN_FAMILIES}
  array
  attention
  bitwise
  control_flow
  loss
  sampling
  scatter
  selection
  slice_pad
  source
  trigonometry)
list(TRANSFORM onnx_import_families REPLACE "(.+)" "formats/onnx/\\1.cpp" OUTPUT_VARIABLE onnx_import_sources)
set_source_files_properties(onnx/model_writer.cpp PROPERTIES COMPILE_DEFINITIONS WEBNN_VERSION="${PROJECT_VERSION}")
set(onnx_sources
  onnx/composition.cpp
  onnx/export.cpp
  onnx/exporter.cpp
  onnx/model_tidying.cpp
  onnx/model_writer.cpp
  onnx/schema.cpp
  onnx/target.cpp
  onnx/widening.cpp
  ${onnx_export_sources}
  formats/onnx/attention_block.cpp
  formats/onnx/attention_contrib.cpp
  formats/onnx/attention_grouped.cpp
  formats/onnx/attention_linear.cpp
  formats/onnx/attention_rotary.cpp
  formats/onnx/compose.cpp
  formats/onnx/convolution.cpp
  formats/onnx/deform_conv.cpp
  formats/onnx/einsum.cpp
  formats/onnx/external_files.cpp
  formats/onnx/fold.cpp
  formats/onnx/formula.cpp
  formats/onnx/fused_activation.cpp
  formats/onnx/importer.cpp
  formats/onnx/matmul_nbits.cpp
  formats/onnx/message.cpp
  formats/onnx/model.cpp
  formats/onnx/node_context.cpp
  formats/onnx/quantization.cpp
  formats/onnx/quantized_operators.cpp
  formats/onnx/save.cpp
  formats/onnx/recurrent_steps.cpp
  formats/onnx/skip_normalization.cpp
  formats/onnx/tensor_bytes.cpp
  formats/onnx/window.cpp
  onnx/export.cpp onnx/exporter.cpp onnx/model_tidying.cpp onnx/model_writer.cpp onnx/schema.cpp onnx/target.cpp onnx/widening.cpp
  ${onnx_export_sources}

  formats/onnx/external_files.cpp formats/onnx/fold.cpp formats/onnx/importer.cpp formats/onnx/message.cpp
  formats/onnx/model.cpp formats/onnx/node_context.cpp formats/onnx/save.cpp formats/onnx/tensor_bytes.cpp

  ${onnx_import_sources})
