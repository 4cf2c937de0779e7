// ONNX operators that have no counterpart in WebNN.
#pragma once

#include <string_view>

namespace webnn::formats::onnx {

// Returns why WebNN cannot express the operator; a general reason if it is not in the list.
std::string_view whyUnsupported(std::string_view domain, std::string_view opType);

}  // namespace webnn::formats::onnx
