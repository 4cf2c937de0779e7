#include "formats/npy/npy.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "base/checked.h"
#include "base/text.h"

namespace webnn::formats {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kPreamble = 8;  // magic and version
constexpr std::size_t kAlignment = 64;

struct Descr {
  std::string_view descr;
  DataType type;
};
// writeNpy() uses the first entry of each type.
constexpr std::array<Descr, 11> kDescrs{{{"<f4", DataType::float32},
                                         {"<f2", DataType::float16},
                                         {"<i4", DataType::int32},
                                         {"<u4", DataType::uint32},
                                         {"<i8", DataType::int64},
                                         {"<u8", DataType::uint64},
                                         {"|i1", DataType::int8},
                                         {"|u1", DataType::uint8},
                                         {"|b1", DataType::uint8},
                                         {"<i1", DataType::int8},
                                         {"<u1", DataType::uint8}}};

DataType typeOf(std::string_view descr) {
  const auto found = std::find_if(kDescrs.begin(), kDescrs.end(), [&](const Descr& row) { return row.descr == descr; });
  if (found != kDescrs.end()) return found->type;
  if (descr.starts_with('>')) fail(ErrorKind::notSupportedError, "the npy file's type {} is big-endian.", webnn::quoted(descr));
  if (descr == "<f8") {
    fail(ErrorKind::notSupportedError, "the npy file's type {} (float64) is none of WebNN's; save it as float32.",
         webnn::quoted(descr));
  }
  fail(ErrorKind::notSupportedError, "the npy file's type {} is none of WebNN's.", webnn::quoted(descr));
}

// The header's fields, which are absent until they have been parsed.
struct Header {
  std::optional<std::string_view> descr;
  std::optional<bool> fortranOrder;
  std::optional<Shape> shape;
};

// Parses a header: a Python dictionary literal with exactly the keys 'descr', 'fortran_order' and 'shape'.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  Header parse() {
    Header header;
    expect('{');
    while (!accept('}')) {
      readMember(header);
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skipBlanks();
    if (position_ != text_.size()) failHere("the end");
    if (!header.descr || !header.fortranOrder || !header.shape) {
      fail(ErrorKind::dataError, "the npy header lacks \"descr\", \"fortran_order\" or \"shape\".");
    }
    return header;
  }

 private:
  void readMember(Header& header) {
    const std::string_view key = readString();
    expect(':');
    if (key == "descr") {
      skipBlanks();
      if (peek() == '[') fail(ErrorKind::notSupportedError, "the npy file holds records, not numbers.");
      setOnce(header.descr, key, readString());
    } else if (key == "fortran_order") {
      setOnce(header.fortranOrder, key, readBoolean());
    } else if (key == "shape") {
      setOnce(header.shape, key, readShape());
    } else {
      fail(ErrorKind::dataError, "the npy header has the unknown key {}.", webnn::quoted(key));
    }
  }

  template <typename T>
  void setOnce(std::optional<T>& member, std::string_view key, T value) {
    if (member) fail(ErrorKind::dataError, "the npy header has the key {} twice.", webnn::quoted(key));
    member = std::move(value);
  }

  std::string_view readString() {
    skipBlanks();
    const char quote = peek();
    if (quote != '\'' && quote != '"') failHere("a string");
    const std::size_t begin = position_ + 1;
    const std::size_t end = text_.find(quote, begin);
    if (end == std::string_view::npos) failHere("a string that ends");
    const std::string_view result = text_.substr(begin, end - begin);
    if (result.find_first_of("\\\n") != std::string_view::npos) failHere("a string without escapes");
    position_ = end + 1;
    return result;
  }

  bool readBoolean() {
    skipBlanks();
    for (const std::string_view word : {std::string_view("True"), std::string_view("False")}) {
      if (!text_.substr(position_).starts_with(word)) continue;
      position_ += word.size();
      return word == "True";
    }
    failHere("True or False");
  }

  Shape readShape() {
    Shape shape;
    expect('(');
    bool comma = true;
    while (!accept(')')) {
      if (!comma) failHere("',' or ')'");
      shape.push_back(readDimension());
      comma = accept(',');
      if (shape.size() > kMaxRank) fail(ErrorKind::dataError, "the rank of the npy array is above {}.", kMaxRank);
    }
    // (3) is a number to Python; (3,) is a tuple.
    if (shape.size() == 1 && !comma) failHere("a tuple");
    return shape;
  }

  std::uint32_t readDimension() {
    skipBlanks();
    std::uint64_t value = 0;
    const std::size_t begin = position_;
    for (; peek() >= '0' && peek() <= '9'; ++position_) {
      value = value * 10 + static_cast<std::uint64_t>(peek() - '0');  // below 2^35, as it was at most 2^31
      if (value > kMaxDimension) fail(ErrorKind::dataError, "a dimension of the npy array is above {}.", kMaxDimension);
    }
    if (position_ == begin) failHere("a number");
    accept('L');  // Python 2 wrote long integers with an L
    return static_cast<std::uint32_t>(value);
  }

  void skipBlanks() {
    while (peek() == ' ' || peek() == '\n' || peek() == '\t') ++position_;
  }
  char peek() const { return position_ < text_.size() ? text_[position_] : '\0'; }
  bool accept(char c) {
    skipBlanks();
    if (peek() != c || position_ == text_.size()) return false;
    ++position_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) failHere(std::string("'") + c + "'");
  }
  [[noreturn]] void failHere(std::string_view wanted) const {
    fail(ErrorKind::dataError, "the npy header, at {}, does not have {}.", position_, wanted);
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

// Returns the header's text and removes it from `file`.
std::string_view takeHeader(std::span<const std::byte>& file) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  if (!text.starts_with(kMagic)) fail(ErrorKind::dataError, "the file is no npy file: it does not begin with \"\\x93NUMPY\".");
  if (text.size() < kPreamble + 2) fail(ErrorKind::dataError, "the npy file has only {} bytes.", text.size());
  const int major = static_cast<std::uint8_t>(text[6]), minor = static_cast<std::uint8_t>(text[7]);
  if (major < 1 || major > 3 || minor != 0) {
    fail(ErrorKind::dataError, "the version ({}.{}) of the npy file is not 1.0, 2.0 or 3.0.", major, minor);
  }
  const std::size_t lengthBytes = major == 1 ? 2 : 4;
  const std::size_t begin = kPreamble + lengthBytes;
  if (text.size() < begin) fail(ErrorKind::dataError, "the npy file has only {} bytes.", text.size());
  std::size_t length = 0;
  for (std::size_t i = 0; i < lengthBytes; ++i) length |= std::to_integer<std::size_t>(file[kPreamble + i]) << (8 * i);
  if (length > text.size() - begin) {
    fail(ErrorKind::dataError, "the npy header of {} bytes ends behind the file of {} bytes.", length, text.size());
  }
  file = file.subspan(begin + length);
  return text.substr(begin, length);
}

std::vector<std::byte> toRowMajor(const OperandDescriptor& descriptor, std::span<const std::byte> columnMajor) {
  const std::size_t size = bitsPerElement(descriptor.dataType) / 8, rank = descriptor.shape.size();
  std::vector<std::byte> bytes(columnMajor.size());
  std::vector<std::size_t> strides(rank), index(rank);  // strides in elements of the file
  for (std::size_t i = 0, stride = 1; i < rank; stride *= descriptor.shape[i++]) strides[i] = stride;
  std::size_t source = 0;
  for (std::size_t offset = 0; offset < bytes.size(); offset += size) {
    std::memcpy(bytes.data() + offset, columnMajor.data() + source * size, size);
    for (std::size_t axis = rank; axis-- > 0;) {
      source += strides[axis];
      if (++index[axis] < descriptor.shape[axis]) break;
      source -= strides[axis] * descriptor.shape[axis];
      index[axis] = 0;
    }
  }
  return bytes;
}

// Returns each nibble as a byte, the low one first; int4 is sign-extended.
std::vector<std::byte> widen(const OperandDescriptor& descriptor, std::span<const std::byte> bytes) {
  std::vector<std::byte> result(elementCount(descriptor));
  for (std::size_t i = 0; i < result.size(); ++i) {
    const int nibble = std::to_integer<int>(bytes[i / 2] >> (i % 2 * 4)) & 0xF;
    const bool negative = descriptor.dataType == DataType::int4 && nibble >= 8;
    result[i] = static_cast<std::byte>(negative ? nibble - 16 : nibble);
  }
  return result;
}

std::string headerFor(std::string_view descr, std::span<const std::uint32_t> shape) {
  std::string header = formatText("{{'descr': '{}', 'fortran_order': False, 'shape': (", descr);
  for (const std::uint32_t dimension : shape) header += std::to_string(dimension) + ", ";
  if (shape.size() > 1) header.resize(header.size() - 2);  // drops the last ", "; a shape of one dimension keeps it: "(3, )"
  header += "), }";
  const std::size_t unpadded = kPreamble + 2 + header.size() + 1;
  header.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  return header + "\n";
}

}  // namespace

Array readNpy(std::span<const std::byte> file) {
  const Header header = HeaderParser(takeHeader(file)).parse();
  Array array{{typeOf(*header.descr), *header.shape}, {}};
  for (std::size_t i = 0; i < array.descriptor.shape.size(); ++i) {
    if (array.descriptor.shape[i] == 0) fail(ErrorKind::dataError, "dimension {} of the npy array is 0.", i);
  }
  std::uint64_t count = 1;
  for (const std::uint32_t dimension : array.descriptor.shape) {
    count *= dimension;  // both factors are below 2^31
    if (count > kMaxDimension) fail(ErrorKind::dataError, "the number of elements of the npy array is above {}.", kMaxDimension);
  }
  if (const std::size_t length = byteLength(array.descriptor); length != file.size()) {
    fail(ErrorKind::dataError, "the npy file has {} bytes of data, but {} needs {}.", file.size(), toString(array.descriptor),
         length);
  }
  array.bytes = *header.fortranOrder ? toRowMajor(array.descriptor, file) : std::vector<std::byte>(file.begin(), file.end());
  return array;
}

Shape npyShape(std::span<const std::byte> file) { return *HeaderParser(takeHeader(file)).parse().shape; }

void writeNpy(std::ostream& out, const OperandDescriptor& descriptor, std::span<const std::byte> bytes) {
  const bool isEmpty = std::ranges::count(descriptor.shape, 0U) > 0;  // a session may return an empty tensor
  if (const std::size_t length = isEmpty ? 0 : byteLength(descriptor); length != bytes.size()) {
    fail(ErrorKind::typeError, "the length of the bytes ({}) is not that of {} ({}).", bytes.size(), toString(descriptor),
         length);
  }
  const bool nibbles = bitsPerElement(descriptor.dataType) == 4;
  const DataType type = nibbles ? descriptor.dataType == DataType::int4 ? DataType::int8 : DataType::uint8 : descriptor.dataType;
  const auto row = std::find_if(kDescrs.begin(), kDescrs.end(), [&](const Descr& candidate) { return candidate.type == type; });
  const std::string header = headerFor(row->descr, descriptor.shape);
  out << kMagic << '\1' << '\0' << static_cast<char>(header.size() & 0xFF) << static_cast<char>(header.size() >> 8) << header;
  const std::vector<std::byte> widened = nibbles ? widen(descriptor, bytes) : std::vector<std::byte>();
  if (nibbles) bytes = widened;
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace webnn::formats
