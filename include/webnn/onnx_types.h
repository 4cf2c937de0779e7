// Element types of ONNX models. WebNN has only some of them.
// https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
#pragma once

#include <cstdint>
#include <string_view>

namespace webnn::onnx {

// The values of onnx.proto's TensorProto.DataType. Files may contain other values.
enum class ElementType : std::int32_t {
  undefined = 0,
  float32 = 1,
  uint8 = 2,
  int8 = 3,
  uint16 = 4,
  int16 = 5,
  int32 = 6,
  int64 = 7,
  string = 8,
  boolean = 9,
  float16 = 10,
  float64 = 11,
  uint32 = 12,
  uint64 = 13,
  complex64 = 14,
  complex128 = 15,
  bfloat16 = 16,
  float8e4m3fn = 17,
  float8e4m3fnuz = 18,
  float8e5m2 = 19,
  float8e5m2fnuz = 20,
  uint4 = 21,
  int4 = 22,
  float4e2m1 = 23,
  float8e8m0 = 24,
  uint2 = 25,
  int2 = 26,
};

// Returns onnx.proto's spelling in lower case; "unknown type" for unlisted values.
std::string_view name(ElementType type);

// Returns the number of bits that an element takes in packed bytes; 0 for strings and unknown types.
unsigned bitsPerElement(ElementType type);

}  // namespace webnn::onnx
