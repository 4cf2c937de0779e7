#include "onnx/schema.h"

#include <array>

namespace webnn::onnx {

namespace {

struct TypeRow {
  std::string_view name;
  unsigned bits;
  std::optional<DataType> dataType;
};

// Indexed by TensorProto.DataType.
constexpr std::array<TypeRow, 27> kTypes{{
    {"undefined", 0, {}},
    {"float", 32, DataType::float32},
    {"uint8", 8, DataType::uint8},
    {"int8", 8, DataType::int8},
    {"uint16", 16, {}},
    {"int16", 16, {}},
    {"int32", 32, DataType::int32},
    {"int64", 64, DataType::int64},
    {"string", 0, {}},
    {"bool", 8, DataType::uint8},
    {"float16", 16, DataType::float16},
    {"double", 64, {}},
    {"uint32", 32, DataType::uint32},
    {"uint64", 64, DataType::uint64},
    {"complex64", 64, {}},
    {"complex128", 128, {}},
    {"bfloat16", 16, {}},
    {"float8e4m3fn", 8, {}},
    {"float8e4m3fnuz", 8, {}},
    {"float8e5m2", 8, {}},
    {"float8e5m2fnuz", 8, {}},
    {"uint4", 4, DataType::uint4},
    {"int4", 4, DataType::int4},
    {"float4e2m1", 4, {}},
    {"float8e8m0", 8, {}},
    {"uint2", 2, {}},
    {"int2", 2, {}},
}};

const TypeRow* find(ElementType type) {
  const auto number = static_cast<std::size_t>(type);
  return number < kTypes.size() ? &kTypes[number] : nullptr;
}

}  // namespace

std::string_view name(ElementType type) {
  const TypeRow* row = find(type);
  return row ? row->name : "unknown type";
}

unsigned bitsPerElement(ElementType type) {
  const TypeRow* row = find(type);
  return row ? row->bits : 0;
}

std::optional<DataType> dataTypeOf(ElementType type) {
  const TypeRow* row = find(type);
  return row ? row->dataType : std::nullopt;
}

ElementType elementTypeOf(DataType type) {
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    const auto element = static_cast<ElementType>(i);
    if (kTypes[i].dataType == type && element != ElementType::boolean) return element;
  }
  return ElementType::undefined;  // unreachable: every type of WebNN is in the table
}

}  // namespace webnn::onnx
