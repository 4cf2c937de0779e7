// Decodes a TensorProto's bytes: raw, in typed fields, or in another file.
#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "base/checked.h"
#include "base/progress.h"
#include "onnx/read/external_files.h"
#include "onnx/read/limits.h"
#include "onnx/read/message.h"
#include "onnx/read/model.h"

namespace webnn::formats::onnx {

namespace {

namespace field = webnn::onnx::field;

template <typename... Args>
[[noreturn]] void failAt(const TensorProto& tensor, fmt::format_string<Args...> format, Args&&... args) {
  fail(ErrorKind::dataError, "the ONNX tensor {}: {}", webnn::quoted(tensor.name),
       formatArguments(format, fmt::make_format_args(args...)));
}

// The numbers of elements, of bits per element and of bytes that a tensor's type and shape require.
struct Extent {
  std::uint64_t elements = 1;  // below 2^63, as readTensor checks
  unsigned bits = 0;
  std::size_t bytes = 0;
};

Extent extentOf(const TensorProto& tensor) {
  Extent extent{.bits = webnn::onnx::bitsPerElement(tensor.type)};
  if (extent.bits == 0) failAt(tensor, "elements of the type {} have no packed form.", webnn::onnx::name(tensor.type));
  for (const std::int64_t dim : tensor.dims) extent.elements *= static_cast<std::uint64_t>(dim);
  const auto bits = checkedMul(extent.elements, extent.bits);
  const auto rounded = bits ? checkedAdd(*bits, 7) : std::nullopt;
  if (!rounded || *rounded / 8 > kMaxTensorBytes) failAt(tensor, "its elements take more bytes than can be counted.");
  extent.bytes = static_cast<std::size_t>(*rounded / 8);
  return extent;
}

std::uint64_t numberOf(const TensorProto& tensor, std::string_view key, std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    failAt(tensor, "the {} of its external data ({}) is not a number of bytes.", key, webnn::quoted(text));
  }
  return number;
}

// The storage of a TensorProto's elements: another file, raw bytes, or else a typed field.
struct Storage {
  bool isExternal = false, isSegment = false;
  ExternalPlace place;
  std::optional<std::string_view> raw;
};

void readEntry(Message& message, const TensorProto& tensor, ExternalPlace& place) {
  std::string_view key, value;
  while (message.next()) {
    if (message.field() == field::entry::key) key = message.bytes();
    if (message.field() == field::entry::value) value = message.bytes();
  }
  if (key == "location") place.location = value;
  if (key == "offset") place.offset = numberOf(tensor, key, value);
  if (key == "length") place.length = numberOf(tensor, key, value);
}

Storage storageOf(const TensorProto& tensor) {
  Storage storage;
  if (tensor.raw) {
    storage.raw = tensor.raw;
    return storage;
  }
  Message message(tensor.proto, "the ONNX tensor");
  while (message.next()) {
    switch (message.field()) {
      case field::tensor::segment: storage.isSegment = true; break;
      case field::tensor::rawData: storage.raw = message.bytes(); break;
      case field::tensor::dataLocation: storage.isExternal = message.integer32() == 1; break;
      case field::tensor::externalData: {
        Message entry(message, "external data");
        readEntry(entry, tensor, storage.place);
        break;
      }
      default: break;
    }
  }
  return storage;
}

// Returns the field that stores elements of a type, and the bytes of one number in it. 0 bytes mean that the numbers are varints.
std::pair<std::uint32_t, std::size_t> typedFieldOf(ElementType type) {
  switch (type) {
    case ElementType::float32:
    case ElementType::complex64: return {field::tensor::floatData, sizeof(float)};
    case ElementType::float64:
    case ElementType::complex128: return {field::tensor::doubleData, sizeof(double)};
    case ElementType::int64: return {field::tensor::int64Data, 0};
    case ElementType::uint32:
    case ElementType::uint64: return {field::tensor::uint64Data, 0};
    default: return {field::tensor::int32Data, 0};
  }
}

// Allocates `size` bytes, uninitialized, for elements decoded from `stored` bytes. `size` may be larger than `stored`, because
// a one-byte varint may stand for eight bytes. Fails if `size` exceeds both `stored` and the limit for the file's size.
std::shared_ptr<std::byte[]> allocate(const TensorProto& tensor, std::size_t size, std::size_t stored,
                                      const ExternalBytes& file) {
  if (size > stored && size > limitsFor(file.bytes.size()).modelBytes)
    failAt(tensor, "its {} bytes are more than its file justifies.", size);
  return std::shared_ptr<std::byte[]>(new std::byte[size]);
}

// Returns elements from a field of numbers with `size` bytes each: the field's own bytes if it occurs once, else a joined copy.
ExternalBytes decodeFixed(const TensorProto& tensor, const Extent& extent, std::uint32_t number, std::size_t size,
                          const ExternalBytes& file) {
  Message counted(tensor.proto, "the ONNX tensor");
  std::size_t total = 0, fields = 0;
  std::string_view last;
  while (counted.next()) {
    if (counted.field() != number) continue;
    last = counted.fixedBytes(size);
    total += last.size();
    ++fields;
  }
  if (total != extent.bytes) failAt(tensor, "its {} bytes of data are not the {} of its shape.", total, extent.bytes);
  if (fields <= 1) return {std::as_bytes(std::span(last)), file.keepAlive};
  const auto bytes = allocate(tensor, total, total, file);
  Message message(tensor.proto, "the ONNX tensor");
  for (std::byte* to = bytes.get(); message.next();) {
    if (message.field() != number) continue;
    const std::string_view part = message.fixedBytes(size);
    copyInParts(to, part.data(), part.size());
    to += part.size();
  }
  return {{bytes.get(), total}, bytes};
}

// Returns whether a number can be stored in this many bits, as a signed or as an unsigned integer.
bool fits(std::int64_t number, unsigned bits) {
  if (bits == 64) return true;
  return number >= -(std::int64_t{1} << (bits - 1)) && number < std::int64_t{1} << bits;
}

// Decodes elements from a field of varints.
ExternalBytes decodeVarints(const TensorProto& tensor, const Extent& extent, std::uint32_t number, const ExternalBytes& file) {
  // If elements have fewer than 8 bits, each varint holds one byte of packed elements.
  const unsigned bits = std::max(extent.bits, 8u);
  const std::uint64_t expected = extent.bytes / (bits / 8);
  Message message(tensor.proto, "the ONNX tensor");
  const std::uint64_t count = message.countVarints(number);
  if (count != expected) failAt(tensor, "its {} numbers are not the {} of its shape.", count, expected);
  const auto bytes = allocate(tensor, extent.bytes, tensor.proto.size(), file);
  std::byte* to = bytes.get();
  while (message.next()) {
    if (message.field() != number) continue;
    message.eachVarint([&](std::uint64_t value) {
      if (!fits(static_cast<std::int64_t>(value), bits)) {
        failAt(tensor, "the number {} does not fit the type {}.", static_cast<std::int64_t>(value),
               webnn::onnx::name(tensor.type));
      }
      std::memcpy(to, &value, bits / 8);  // all supported machines are little-endian
      to += bits / 8;
    });
  }
  return {{bytes.get(), extent.bytes}, bytes};
}

bool allOf(std::span<const std::byte> bytes, auto predicate) {
  bool all = true;
  inParts(bytes.size(), [&](std::size_t begin, std::size_t end) {
    all = all && std::ranges::all_of(bytes.subspan(begin, end - begin), predicate);
  });
  return all;
}

// Converts booleans other than 0 and 1 to 1, and clears bits past the last element. WebNN's operations rely on both.
ExternalBytes normalized(const TensorProto& tensor, const Extent& extent, ExternalBytes bytes, const ExternalBytes& file) {
  const bool isBoolean = tensor.type == ElementType::boolean;
  if (isBoolean && extent.elements > kMaxDimension)
    failAt(tensor, "it has {} elements, more than WebNN's tensors.", extent.elements);
  const auto isTruth = [](std::byte byte) { return byte <= std::byte{1}; };
  const unsigned used = extent.bits < 8 ? static_cast<unsigned>(extent.elements % (8 / extent.bits)) * extent.bits : 0;
  const auto padding = static_cast<std::byte>(0xFF << used);
  const bool isClean = isBoolean ? allOf(bytes.bytes, isTruth) : used == 0 || (bytes.bytes.back() & padding) == std::byte{0};
  if (isClean) return bytes;
  const auto copy = allocate(tensor, extent.bytes, bytes.bytes.size(), file);
  inParts(bytes.bytes.size(), [&](std::size_t begin, std::size_t end) {
    std::ranges::transform(bytes.bytes.subspan(begin, end - begin), copy.get() + begin,
                           [&](std::byte byte) { return isBoolean ? std::byte{byte != std::byte{0}} : byte; });
  });
  if (used != 0) copy[extent.bytes - 1] &= ~padding;
  return {{copy.get(), extent.bytes}, copy};
}

ExternalBytes storedBytes(const TensorProto& tensor, const Extent& extent, const ExternalBytes& file, ExternalFiles* external) {
  const Storage storage = storageOf(tensor);
  if (storage.isSegment) failAt(tensor, "it is only a segment of a tensor.");
  if (storage.isExternal) {
    if (!external) failAt(tensor, "external data is not allowed here.");
    if (storage.place.length && *storage.place.length != extent.bytes) {
      failAt(tensor, "its {} bytes of external data are not the {} of its shape.", *storage.place.length, extent.bytes);
    }
    return external->bytesAt(storage.place, extent.bytes);
  }
  if (storage.raw && (!storage.raw->empty() || extent.bytes == 0)) {
    if (storage.raw->size() != extent.bytes) {
      failAt(tensor, "its {} bytes of raw data are not the {} of its shape.", storage.raw->size(), extent.bytes);
    }
    return {std::as_bytes(std::span(*storage.raw)), file.keepAlive};
  }
  const auto [number, size] = typedFieldOf(tensor.type);
  return size == 0 ? decodeVarints(tensor, extent, number, file) : decodeFixed(tensor, extent, number, size, file);
}

}  // namespace

ExternalBytes bytesOf(const TensorProto& tensor, const ExternalBytes& file, ExternalFiles* external) {
  const Extent extent = extentOf(tensor);
  return normalized(tensor, extent, storedBytes(tensor, extent, file, external), file);
}

std::vector<std::string> stringsOf(const TensorProto& tensor) {
  std::vector<std::string> strings;
  Message message(tensor.proto, "the ONNX tensor");
  while (message.next()) {
    if (message.field() == field::tensor::stringData) strings.emplace_back(message.bytes());
  }
  std::uint64_t expected = 1;
  for (const std::int64_t dim : tensor.dims) expected *= static_cast<std::uint64_t>(dim);
  if (strings.size() != expected) failAt(tensor, "its {} strings are not the {} of its shape.", strings.size(), expected);
  return strings;
}

std::optional<std::string_view> locationOf(const TensorProto& tensor) {
  const Storage storage = storageOf(tensor);
  return storage.isExternal ? std::optional(storage.place.location) : std::nullopt;
}

}  // namespace webnn::formats::onnx
