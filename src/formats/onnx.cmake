# ONNX: the families of operators, as elsewhere, and what has no family of WebNN.
list(TRANSFORM WEBNN_FAMILIES REPLACE "(.+)" "onnx/\\1.cpp" OUTPUT_VARIABLE onnx_export_sources)
set(onnx_import_families ${WEBNN_FAMILIES} attention control_flow loss source)
list(TRANSFORM onnx_import_families REPLACE "(.+)" "formats/onnx/\\1.cpp" OUTPUT_VARIABLE onnx_import_sources)
set_source_files_properties(onnx/model_writer.cpp PROPERTIES COMPILE_DEFINITIONS WEBNN_VERSION="${PROJECT_VERSION}")
set(onnx_sources
  onnx/export.cpp onnx/exporter.cpp onnx/model_tidying.cpp onnx/model_writer.cpp onnx/schema.cpp onnx/target.cpp onnx/widening.cpp
  ${onnx_export_sources}

  formats/onnx/external_files.cpp formats/onnx/fold.cpp formats/onnx/importer.cpp formats/onnx/message.cpp
  formats/onnx/model.cpp formats/onnx/node_context.cpp formats/onnx/save.cpp formats/onnx/tensor_bytes.cpp

  ${onnx_import_sources})
