// A library that reports to be ONNX Runtime 1.15. It must not be asked for a newer API version: the real one would
// print a message, and this one aborts.
#include <cstdint>
#include <cstdlib>

#include "backends/onnxruntime/api.h"

extern "C" const webnn::onnxruntime::ApiBase* OrtGetApiBase() {
  static const webnn::onnxruntime::ApiBase base{[](std::uint32_t) -> const void* { std::abort(); }, [] { return "1.15.1"; }};
  return &base;
}
