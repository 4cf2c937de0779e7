// Computes forms. A form is a key that describes an input value: an imported graph can compute with all values of equal form.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "onnx/program/program.h"

namespace webnn::formats::onnx {

// Values up to this size may become constants of a graph. Their bytes are then part of the form for which the graph is imported.
inline constexpr std::size_t kMostValueBytes = std::size_t{64} << 10;

template <typename T>
void appendTo(std::string& text, const T& value) {
  text.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

// Appends the type and shape of `value` to `form`, and its bytes if `isByValue`, because the value then becomes a constant.
void appendForm(std::string& form, const Value& value, bool isByValue);

}  // namespace webnn::formats::onnx
