// Operators that WebNN has no means for.
#pragma once

#include <string_view>

namespace webnn::formats::onnx {

// Why no import of the operator is possible.
std::string_view whyUnsupported(std::string_view domain, std::string_view opType);

}  // namespace webnn::formats::onnx
