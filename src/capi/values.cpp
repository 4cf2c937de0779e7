#include "capi/values.h"

namespace webnn::capi {

namespace {

constexpr std::size_t kMostBytes = std::numeric_limits<std::ptrdiff_t>::max();

Shape shapeOf(const WebnnUint32List& list, std::string_view what) {
  if (list.count == WEBNN_ABSENT) fail(ErrorKind::typeError, "{} is not set.", what);
  const std::span<const std::uint32_t> items = listOf(list.count, list.items, what);
  return {items.begin(), items.end()};
}

}  // namespace

void requireNoChain(const WebnnChainedStruct* chain, std::string_view what) {
  if (chain) fail(ErrorKind::typeError, "{} has an extension (sType {}) that is not known.", what, bitsOf(chain->sType));
}

std::string textOf(WebnnStringView text, std::string_view what) {
  if (!text.data) {
    if (text.length == 0 || text.length == WEBNN_STRLEN) return {};
    fail(ErrorKind::typeError, "{} is NULL but has a length ({}).", what, text.length);
  }
  if (text.length == WEBNN_STRLEN) return text.data;
  if (text.length > kMostBytes) fail(ErrorKind::typeError, "{} has no valid length ({}).", what, text.length);
  return {text.data, text.length};
}

bool boolOf(WebnnBool value, std::string_view what) {
  if (value > 1) fail(ErrorKind::typeError, "{} ({}) is not 0 or 1.", what, value);
  return value == 1;
}

std::span<const std::byte> bytesOf(const void* data, std::size_t size, std::string_view what) {
  if (size > 0 && !data) fail(ErrorKind::typeError, "{} are NULL but have a size ({}).", what, size);
  if (size > kMostBytes) fail(ErrorKind::typeError, "{} have no valid size ({}).", what, size);
  return {static_cast<const std::byte*>(data), size};
}

std::span<std::byte> bytesOf(const WebnnBytes& bytes, std::string_view what) {
  const std::size_t size = bytesOf(bytes.data, bytes.size, what).size();
  return {static_cast<std::byte*>(bytes.data), size};
}

Number numberOf(const WebnnNumber& number, std::string_view what) {
  switch (const std::uint32_t type = bitsOf(number.type); type) {
    case WebnnNumberType_Double: return number.value.float64;
    case WebnnNumberType_Int64: return number.value.int64;
    case WebnnNumberType_Uint64: return number.value.uint64;
    case WebnnNumberType_Undefined: fail(ErrorKind::typeError, "{} is not set.", what);
    default: fail(ErrorKind::typeError, "{}: type ({}) is not a value of its enumeration.", what, type);
  }
}

DataType dataTypeOf(const WebnnOperandDataType& value, std::string_view what) {
  return enumOf<DataType>(bitsOf(value), kDataTypeCount, std::string(what) + "dataType");
}

OperandDescriptor descriptorOf(const WebnnOperandDescriptor* descriptor, std::string_view what) {
  const std::string prefix(what);
  const WebnnOperandDescriptor& given = requireStruct(descriptor, prefix + "the descriptor");
  return {dataTypeOf(given.dataType, what), shapeOf(given.shape, prefix + "shape")};
}

TensorDescriptor descriptorOf(const WebnnTensorDescriptor* descriptor, std::string_view what) {
  const std::string prefix(what);
  const WebnnTensorDescriptor& given = requireStruct(descriptor, prefix + "the descriptor");
  return {.dataType = dataTypeOf(given.dataType, what),
          .shape = shapeOf(given.shape, prefix + "shape"),
          .readable = boolOf(given.readable, prefix + "readable"),
          .writable = boolOf(given.writable, prefix + "writable")};
}

}  // namespace webnn::capi
