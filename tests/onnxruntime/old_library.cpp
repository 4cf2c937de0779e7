// A library that says it is ONNX Runtime 1.15, which must not be asked for a newer API: it would print.
#include <cstdint>
#include <cstdlib>

#include "backends/onnxruntime/api.h"

extern "C" const webnn::onnxruntime::ApiBase* OrtGetApiBase() {
  static const webnn::onnxruntime::ApiBase base{[](std::uint32_t) -> const void* { std::abort(); }, [] { return "1.15.1"; }};
  return &base;
}
