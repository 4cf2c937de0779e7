#include "formats/session_values.h"

#include "base/checked.h"
#include "base/text.h"
#include "onnx/program/elements.h"

namespace webnn {

namespace {

std::string_view typeText(onnx::ElementType foreign, DataType dataType) {
  return foreign == onnx::ElementType::undefined ? webnn::name(dataType) : onnx::name(foreign);
}

// Converts a map, whose keys and values must be 1-D arrays of equal length.
formats::onnx::Value mapOf(const std::string& name, const ArrayView& array) {
  ArrayView values = array;
  values.keys.clear();
  formats::onnx::Value map = valueOf(name, values), keys = valueOf(name, array.keys[0]);
  if (map.dims.size() != 1 || map.dims != keys.dims)
    fail(ErrorKind::typeError, "input {} is a map with keys of shape {} and values of shape {}; both must be [n].",
         webnn::quoted(name), toString(array.keys[0].descriptor.shape), toString(array.descriptor.shape));
  map.keys = std::make_shared<const formats::onnx::Value>(std::move(keys));
  return map;
}

}  // namespace

void requireType(const DeclaredInput& input, const ArrayView& array) {
  for (const ArrayView& element : array.elements) requireType(input, element);
  if (array.isSequence || array.isNone) return;
  for (const ArrayView& keys : array.keys) {
    const auto type = keys.elementType == onnx::ElementType::undefined && keys.descriptor.dataType == DataType::int64
                          ? onnx::ElementType::int64
                          : keys.elementType;
    if (type != input.keyType)
      fail(ErrorKind::typeError, "input {}: the keys of the map are {}, not {}.", webnn::quoted(input.name),
           typeText(keys.elementType, keys.descriptor.dataType), onnx::name(input.keyType));
  }
  if (input.elementType != array.elementType ||
      (array.elementType == onnx::ElementType::undefined && input.dataType != array.descriptor.dataType)) {
    fail(ErrorKind::typeError, "input {} is {}, not {}.", webnn::quoted(input.name),
         typeText(array.elementType, array.descriptor.dataType), typeText(input.elementType, input.dataType));
  }
}

formats::onnx::Value valueOf(const std::string& name, const ArrayView& array) {
  if (!array.keys.empty()) return mapOf(name, array);
  if (array.isSequence || array.isNone) {
    formats::onnx::Value value;
    value.isNone = array.isNone;
    if (array.isNone) return value;
    formats::onnx::Sequence elements;
    for (const ArrayView& element : array.elements)
      elements.push_back(std::make_shared<const formats::onnx::Value>(valueOf(name, element)));
    value.sequence = std::make_shared<const formats::onnx::Sequence>(std::move(elements));
    return value;
  }
  const Shape& shape = array.descriptor.shape;
  formats::onnx::Value value{{}, {shape.begin(), shape.end()}, {}};
  const auto count = formats::onnx::elementCount(value.dims);
  constexpr std::size_t kMostElements = kMaxTensorBytes / 16;  // the largest type has 16 bytes, so that byte counts do not wrap
  if (count > kMostElements)
    fail(ErrorKind::typeError, "the shape {} of input {} has {} elements, more than {}.", toString(shape), webnn::quoted(name),
         count, kMostElements);
  if (array.elementType == onnx::ElementType::string) {
    if (array.strings.size() != count)
      fail(ErrorKind::typeError, "input {} has {} strings, not the {} of its shape.", webnn::quoted(name), array.strings.size(),
           count);
    value.strings = std::make_shared<const std::vector<std::string>>(array.strings.begin(), array.strings.end());
    return value;
  }
  const std::size_t expected = array.elementType != onnx::ElementType::undefined
                                   ? formats::onnx::packedBytes(array.elementType, count)
                               : count == 0 ? 0
                                            : byteLength(array.descriptor);
  if (array.bytes.size() != expected) {
    fail(ErrorKind::typeError, "input {} has {} bytes, not the {} of {} {}.", webnn::quoted(name), array.bytes.size(), expected,
         typeText(array.elementType, array.descriptor.dataType), toString(shape));
  }
  value.bytes = ExternalBytes{array.bytes, nullptr};
  return value;
}

Array arrayOf(const formats::onnx::Value& value) {
  if (value.sequence) {
    Array array;
    array.isSequence = true;
    for (const auto& element : *value.sequence) array.elements.push_back(arrayOf(*element));
    return array;
  }
  if (value.isNone) {
    Array array;
    array.isNone = true;
    return array;
  }
  const auto dataType = onnx::dataTypeOf(value.type);
  Array array{{dataType.value_or(DataType::uint8), {value.dims.begin(), value.dims.end()}}, {}};
  if (!dataType) array.elementType = value.type;
  if (value.strings) array.strings = *value.strings;
  if (value.bytes) array.bytes.assign(value.bytes->bytes.begin(), value.bytes->bytes.end());
  if (value.keys) array.keys.push_back(arrayOf(*value.keys));
  return array;
}

}  // namespace webnn
