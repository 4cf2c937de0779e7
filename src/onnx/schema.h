// Shared by reading and writing ONNX: field numbers of onnx.proto and element types.
// https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "webnn/onnx_types.h"
#include "webnn/types.h"

namespace webnn::onnx {

// Returns the WebNN type for an ONNX type: uint8 (0 or 1) for booleans, nullopt for a type that WebNN lacks.
std::optional<DataType> dataTypeOf(ElementType type);
ElementType elementTypeOf(DataType type);

// Field numbers, with a namespace per message.
namespace field {
namespace model {
enum : std::uint32_t {
  irVersion = 1,
  producerName = 2,
  producerVersion = 3,
  domain = 4,
  modelVersion = 5,
  docString = 6,
  graph = 7,
  opsetImport = 8,
  metadataProps = 14,
  functions = 25,
};
}
namespace operatorSet {
enum : std::uint32_t { domain = 1, version = 2 };
}
namespace graph {
enum : std::uint32_t {
  node = 1,
  name = 2,
  initializer = 5,
  docString = 10,
  input = 11,
  output = 12,
  valueInfo = 13,
  sparseInitializer = 15,
};
}
namespace node {
enum : std::uint32_t { input = 1, output = 2, name = 3, opType = 4, attribute = 5, docString = 6, domain = 7, overload = 8 };
}
namespace attribute {
enum : std::uint32_t {
  name = 1,
  f = 2,
  i = 3,
  s = 4,
  t = 5,
  g = 6,
  floats = 7,
  ints = 8,
  strings = 9,
  tensors = 10,
  graphs = 11,
  type = 20,
  refAttrName = 21,
  sparseTensor = 22,
};
}
namespace valueInfo {
enum : std::uint32_t { name = 1, type = 2 };
}
namespace type {
enum : std::uint32_t { tensor = 1, sequence = 4, map = 5, sparseTensor = 8, optional = 9 };
}
namespace mapType {
enum : std::uint32_t { key = 1, value = 2 };
}
namespace tensorType {
enum : std::uint32_t { elementType = 1, shape = 2 };
}
namespace shape {
enum : std::uint32_t { dimension = 1 };
}
namespace dimension {
enum : std::uint32_t { value = 1, parameter = 2 };
}
namespace tensor {
enum : std::uint32_t {
  dims = 1,
  dataType = 2,
  segment = 3,
  floatData = 4,
  int32Data = 5,
  stringData = 6,
  int64Data = 7,
  name = 8,
  rawData = 9,
  doubleData = 10,
  uint64Data = 11,
  externalData = 13,
  dataLocation = 14,
};
}
namespace entry {
enum : std::uint32_t { key = 1, value = 2 };
}
namespace function {
enum : std::uint32_t {
  name = 1,
  input = 4,
  output = 5,
  attribute = 6,
  node = 7,
  opsetImport = 9,
  domain = 10,
  attributeProto = 11,
  overload = 13
};
}
}  // namespace field

// AttributeProto.AttributeType
enum class AttributeType : std::int32_t {
  undefined = 0,
  f = 1,
  i = 2,
  s = 3,
  tensor = 4,
  graph = 5,
  floats = 6,
  ints = 7,
  strings = 8,
  tensors = 9,
  graphs = 10
};

}  // namespace webnn::onnx
