#include "capi/values.h"

#include "ops/checks.h"

namespace webnn::capi {

namespace {

constexpr std::size_t kMostBytes = std::numeric_limits<std::ptrdiff_t>::max();

Shape shapeOf(const WebnnUint32List& list, const What& what) {
  if (list.count == WEBNN_ABSENT) fail(ErrorKind::typeError, "{} is not set.", what.text());
  const std::span<const std::uint32_t> items = listOf(list.count, list.items, what);
  return {items.begin(), items.end()};
}

}  // namespace

std::string What::text() const {
  std::string joined = method_.empty() ? std::string() : ops::messagePrefix(method_, label_);
  for (std::string_view part : parts_) joined += part;
  return joined;
}

void requireNoChain(const WebnnChainedStruct* chain, const What& what) {
  if (chain) fail(ErrorKind::typeError, "{} has an extension (sType {}) that is not known.", what.text(), bitsOf(chain->sType));
}

std::string textOf(WebnnStringView text, const What& what) {
  if (!text.data) {
    if (text.length == 0 || text.length == WEBNN_STRLEN) return {};
    fail(ErrorKind::typeError, "{} is NULL but has a length ({}).", what.text(), text.length);
  }
  if (text.length == WEBNN_STRLEN) return text.data;
  if (text.length > kMostBytes) fail(ErrorKind::typeError, "{} has no valid length ({}).", what.text(), text.length);
  return {text.data, text.length};
}

bool boolOf(WebnnBool value, const What& what) {
  if (value > 1) fail(ErrorKind::typeError, "{} ({}) is not 0 or 1.", what.text(), value);
  return value == 1;
}

std::span<const std::byte> bytesOf(const void* data, std::size_t size, const What& what) {
  if (size > 0 && !data) fail(ErrorKind::typeError, "{} are NULL but have a size ({}).", what.text(), size);
  if (size > kMostBytes) fail(ErrorKind::typeError, "{} have no valid size ({}).", what.text(), size);
  return {static_cast<const std::byte*>(data), size};
}

std::span<std::byte> bytesOf(const WebnnBytes& bytes, const What& what) {
  const std::size_t size = bytesOf(bytes.data, bytes.size, what).size();
  return {static_cast<std::byte*>(bytes.data), size};
}

Number numberOf(const WebnnNumber& number, const What& what) {
  switch (const std::uint32_t type = bitsOf(number.type); type) {
    case WebnnNumberType_Double: return number.value.float64;
    case WebnnNumberType_Int64: return number.value.int64;
    case WebnnNumberType_Uint64: return number.value.uint64;
    case WebnnNumberType_Undefined: fail(ErrorKind::typeError, "{} is not set.", what.text());
    default: fail(ErrorKind::typeError, "{}: type ({}) is not a value of its enumeration.", what.text(), type);
  }
}

DataType dataTypeOf(const WebnnOperandDataType& value, const What& what) {
  return enumOf<DataType>(bitsOf(value), kDataTypeCount, what + "dataType");
}

OperandDescriptor descriptorOf(const WebnnOperandDescriptor* descriptor, const What& what) {
  const WebnnOperandDescriptor& given = requireStruct(descriptor, what + "the descriptor");
  return {dataTypeOf(given.dataType, what), shapeOf(given.shape, what + "shape")};
}

TensorDescriptor descriptorOf(const WebnnTensorDescriptor* descriptor, const What& what) {
  const WebnnTensorDescriptor& given = requireStruct(descriptor, what + "the descriptor");
  return {.dataType = dataTypeOf(given.dataType, what),
          .shape = shapeOf(given.shape, what + "shape"),
          .readable = boolOf(given.readable, what + "readable"),
          .writable = boolOf(given.writable, what + "writable")};
}

}  // namespace webnn::capi
