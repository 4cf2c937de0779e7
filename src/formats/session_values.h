// Converts the inputs and outputs of sessions to and from onnx::Value, the type that programs of ONNX files compute with.
#pragma once

#include <string>

#include "onnx/program/host_node.h"
#include "webnn/session.h"

namespace webnn {

// Throws TypeError if the array has another element type than the file declares for the input. Maps also need the declared type
// of keys.
void requireType(const DeclaredInput& input, const ArrayView& array);
// Converts the input `name`. The program takes the element type from the model's declaration. The value refers to the bytes of
// the array.
formats::onnx::Value valueOf(const std::string& name, const ArrayView& array);
Array arrayOf(const formats::onnx::Value& value);

}  // namespace webnn
