// A library that reports to be ONNX Runtime 1.31, and returns null instead of one object. The macro WEBNN_NULL names this
// object: `base`, `version` or `api`.
#include <cstdint>
#include <string_view>

#include "backends/onnxruntime/api.h"

namespace {

constexpr bool isNull(std::string_view name) { return name == WEBNN_NULL; }

}  // namespace

extern "C" const webnn::onnxruntime::ApiBase* OrtGetApiBase() {
  static const webnn::onnxruntime::ApiBase base{[](std::uint32_t) -> const void* { return nullptr; },
                                                []() -> const char* { return isNull("version") ? nullptr : "1.31.1"; }};
  return isNull("base") ? nullptr : &base;
}
