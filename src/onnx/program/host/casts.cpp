// Computes casts, QuantizeLinear, DequantizeLinear, ConstantOfShape, EyeLike, Shape and Size on the host. A program uses them if
// a graph cannot compute the node, for example because WebNN lacks the type of an input or a result.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "onnx/program/elements.h"
#include "onnx/program/host_node.h"

namespace webnn::formats::onnx {

namespace {

std::span<const std::byte> bytesOf(const Value& value) { return value.bytes ? value.bytes->bytes : std::span<const std::byte>(); }

// Formats a number for a cast to string: 17 digits for float64, which keep its value, otherwise 8. ONNX Runtime prints 8 digits
// for all types.
std::string digitsOf(double number, ElementType type) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-INF" : "INF";
  return formatText("{:.{}g}", number, type == ElementType::float64 ? 17 : 8);
}

Value toStrings(const HostNode& node, const Value& value) {
  const std::size_t count = elementCount(value.dims);
  node.takeRoom(count, sizeof(double));
  StringList strings(node, count);
  if (value.type == ElementType::boolean) {
    for (const std::int64_t number : toIntegers(value.type, bytesOf(value), count)) strings.add(number ? "True" : "False");
  } else if (isIntegerType(value.type)) {
    for (const std::int64_t number : toIntegers(value.type, bytesOf(value), count)) {
      strings.add(value.type == ElementType::uint64 ? std::to_string(static_cast<std::uint64_t>(number))
                                                    : std::to_string(number));
    }
  } else {
    for (const double number : toNumbers(value.type, bytesOf(value), count)) strings.add(digitsOf(number, value.type));
  }
  return node.makeStrings(value.dims, std::move(strings));
}

double numberIn(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (lower.starts_with('+') && !lower.starts_with("+-")) lower.erase(0, 1);  // from_chars() does not accept a plus sign
  double number = 0;
  const auto [end, error] = std::from_chars(lower.data(), lower.data() + lower.size(), number);
  if (error != std::errc() || end != lower.data() + lower.size())
    fail(ErrorKind::dataError, "the string {} is no number.", webnn::quoted(text));
  return number;
}

// Reads an integer for a cast from string. Truncates a fraction. Throws DataError beyond 64 bits; the cast to a narrower type
// wraps.
std::int64_t integerIn(const std::string& text, ElementType type) {
  const char* const end = text.data() + text.size();
  std::int64_t integer = 0;
  const auto [at, error] = std::from_chars(text.data(), end, integer);
  if (error == std::errc() && at == end) return integer;
  const bool isUnsigned = type == ElementType::uint64, isTooLarge = error == std::errc::result_out_of_range && at == end;
  std::uint64_t natural = 0;
  if (const auto [last, wrong] = std::from_chars(text.data(), end, natural); isUnsigned && wrong == std::errc() && last == end)
    return static_cast<std::int64_t>(natural);
  const double number = isTooLarge ? std::numeric_limits<double>::infinity() : numberIn(text), limit = 0x1p63;
  if (number >= -limit && number < limit) return static_cast<std::int64_t>(number);
  if (isUnsigned && number >= 0 && number < 2 * limit) return static_cast<std::int64_t>(static_cast<std::uint64_t>(number));
  fail(ErrorKind::dataError, "the string {} is no number of 64 bits.", webnn::quoted(text));
}

Value fromStrings(const HostNode& node, const Value& value, ElementType type) {
  std::byte* to = nullptr;
  Value result = node.make(type, value.dims, to);
  node.takeRoom(value.strings->size(), sizeof(double));
  if (isIntegerType(type) && type != ElementType::boolean) {
    std::vector<std::int64_t> integers;
    for (const std::string& text : *value.strings) {
      node.tick();
      integers.push_back(integerIn(text, type));
    }
    fromIntegers(type, integers, to);
  } else {
    std::vector<double> numbers;
    for (const std::string& text : *value.strings) {
      node.tick();
      numbers.push_back(numberIn(text));
    }
    fromNumbers(type, numbers, to);
  }
  return result;
}

void castTo(HostNode& node, ElementType type) {
  const Value& value = node.value(0);
  if (value.type == type) return node.set(0, value);
  if (type == ElementType::string) return node.set(0, toStrings(node, value));
  if (value.type == ElementType::string) return node.set(0, fromStrings(node, value, type));
  const NarrowRules rules{.saturates = node.integer("saturate", 1) != 0, .roundMode = node.text("round_mode", "up")};
  std::byte* to = nullptr;
  Value result = node.make(type, value.dims, to);
  const std::size_t count = elementCount(value.dims);
  node.takeRoom(count, sizeof(double));
  if (isIntegerType(value.type) && value.type != ElementType::uint64) {
    fromIntegers(type, toIntegers(value.type, bytesOf(value), count), to, rules);
  } else {
    fromNumbers(type, toNumbers(value.type, bytesOf(value), count), to, rules);
  }
  node.set(0, std::move(result));
}

void runCast(HostNode& node) { castTo(node, static_cast<ElementType>(node.integer("to", 0))); }
void runCastLike(HostNode& node) { castTo(node, node.value(1).type); }

void runBitCast(HostNode& node) {
  const Value& value = node.value(0);
  const auto type = static_cast<ElementType>(node.integer("to", 0));
  if (webnn::onnx::bitsPerElement(type) == 0 || webnn::onnx::bitsPerElement(type) != webnn::onnx::bitsPerElement(value.type)) {
    fail(ErrorKind::dataError, "elements of {} and {} differ in size.", webnn::onnx::name(value.type), webnn::onnx::name(type));
  }
  node.set(0, {type, value.dims, {}, value.bytes});
}

// Finds the scale of each element: one for all, one for each index of an axis, or one for each block along an axis.
class Scales {
 public:
  explicit Scales(const HostNode& node) : dims_(node.dims(0)), scale_(node.dims(1)) {
    if (elementCount(scale_) == 1 && scale_.size() <= 1) return;
    axis_ = axisOf(node, node.integer("axis", 1), dims_.size());
    block_ = static_cast<std::size_t>(std::max<std::int64_t>(node.integer("block_size", 0), 0));
    const auto size = static_cast<std::size_t>(dims_[*axis_]);
    const auto blocks = block_ == 0 ? size : (size + block_ - 1) / block_;
    Dims expected = block_ == 0 ? Dims{dims_[*axis_]} : dims_;
    if (block_ != 0) expected[*axis_] = static_cast<std::int64_t>(blocks);
    if (scale_ != expected)
      fail(ErrorKind::dataError, "its scale [{}] does not fit its input [{}].", textOf(scale_), textOf(dims_));
    for (std::size_t d = *axis_ + 1; d < dims_.size(); ++d) inner_ *= static_cast<std::size_t>(dims_[d]);
    size_ = size;
    blocks_ = blocks;
  }
  std::size_t of(std::size_t element) const {
    if (!axis_) return 0;
    const std::size_t at = element / inner_ % size_;
    return block_ == 0 ? at : (element / inner_ / size_ * blocks_ + at / block_) * inner_ + element % inner_;
  }

 private:
  const Dims &dims_, &scale_;
  std::optional<std::size_t> axis_;
  std::size_t block_ = 0, inner_ = 1, size_ = 1, blocks_ = 1;
};

// y = saturate(round(x / scale) + zero_point) for integer types, else x / scale. The quotient is computed in float32 unless the
// attribute precision is float64.
void runQuantizeLinear(HostNode& node) {
  const Scales scales(node);
  const std::vector<double> x = node.numbers(0), scale = node.numbers(1);
  const std::vector<double> zero = node.has(2) ? node.numbers(2) : std::vector<double>(scale.size());
  auto type = static_cast<ElementType>(node.integer("output_dtype", 0));
  if (type == ElementType::undefined) type = node.has(2) ? node.value(2).type : ElementType::uint8;
  if (zero.size() != scale.size()) fail(ErrorKind::dataError, "it has {} scales and {} zero points.", scale.size(), zero.size());
  const bool isDouble = static_cast<ElementType>(node.integer("precision", 0)) == ElementType::float64;
  node.takeRoom(x.size(), sizeof(double));
  std::vector<double> numbers(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    node.tick();
    const std::size_t s = scales.of(i);
    const double quotient =
        isDouble ? x[i] / scale[s] : static_cast<double>(static_cast<float>(x[i]) / static_cast<float>(scale[s]));
    numbers[i] = quotient;
    if (!isIntegerType(type)) continue;
    const auto [least, greatest] = rangeOf(type);
    const double rounded = std::nearbyint(quotient) + zero[s];
    numbers[i] = std::isnan(rounded) ? 0 : std::clamp(rounded, least, greatest);
  }
  std::byte* to = nullptr;
  Value result = node.make(type, node.dims(0), to);
  fromNumbers(type, numbers, to, {.saturates = node.integer("saturate", 1) != 0});
  node.set(0, std::move(result));
}

// y = (x - zero_point) * scale
void runDequantizeLinear(HostNode& node) {
  const Scales scales(node);
  const std::vector<double> x = node.numbers(0), scale = node.numbers(1);
  const std::vector<double> zero = node.has(2) ? node.numbers(2) : std::vector<double>(scale.size());
  if (zero.size() != scale.size()) fail(ErrorKind::dataError, "it has {} scales and {} zero points.", scale.size(), zero.size());
  auto type = static_cast<ElementType>(node.integer("output_dtype", 0));
  if (type == ElementType::undefined) type = node.value(1).type;
  node.takeRoom(x.size(), sizeof(double));
  std::vector<double> numbers(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    node.tick();
    const std::size_t s = scales.of(i);
    numbers[i] = static_cast<double>(static_cast<float>(x[i] - zero[s]) * static_cast<float>(scale[s]));
  }
  node.set(0, node.makeNumbers(type, node.dims(0), numbers));
}

// Fills a tensor with one value, which may have a type that a graph cannot hold.
void runConstantOfShape(HostNode& node) {
  const std::vector<std::int64_t> dims = node.integers(std::size_t{0});
  const std::optional<Value> given = node.tensor("value");
  if (std::ranges::any_of(dims, [](std::int64_t size) { return size < 0; }))
    fail(ErrorKind::dataError, "a dimension of its shape is negative.");
  if (given && elementCount(given->dims) != 1)
    fail(ErrorKind::dataError, "its value has {} elements, not 1.", elementCount(given->dims));
  if (given && given->strings) {
    StringList strings(node, elementCount(dims));
    for (std::size_t i = 0; i < elementCount(dims); ++i) strings.add(given->strings->at(0));
    return node.set(0, node.makeStrings(dims, std::move(strings)));
  }
  const ElementType type = given ? given->type : ElementType::float32;
  const double number = given ? toNumbers(type, bytesOf(*given), 1)[0] : 0;
  node.takeRoom(elementCount(dims), sizeof(double));
  std::byte* to = nullptr;
  Value result = node.make(type, dims, to);
  fromNumbers(type, std::vector<double>(elementCount(dims), number), to);
  node.set(0, std::move(result));
}

void runEyeLike(HostNode& node) {
  const Dims& dims = node.dims(0);
  if (dims.size() != 2) fail(ErrorKind::dataError, "its input has the rank {}, not 2.", dims.size());
  const auto type = static_cast<ElementType>(node.integer("dtype", static_cast<std::int64_t>(node.value(0).type)));
  const std::int64_t k = node.integer("k", 0);
  node.takeRoom(elementCount(dims), sizeof(double));
  std::vector<double> numbers;
  for (std::int64_t row = 0; row < dims[0] && dims[1] > 0; ++row) {  // without columns, the number of rows may be huge
    node.tick(static_cast<std::size_t>(dims[1]));
    for (std::int64_t column = 0; column < dims[1]; ++column) numbers.push_back(column - row == k ? 1 : 0);
  }
  node.set(0, node.makeNumbers(type, dims, numbers));
}

void runShape(HostNode& node) {
  const Dims& dims = node.dims(0);
  const auto rank = static_cast<std::int64_t>(dims.size());
  const auto bound = [&](std::string_view name, std::int64_t absent) {
    const std::int64_t given = node.integer(name, absent);
    return std::clamp<std::int64_t>(given < 0 ? given + rank : given, 0, rank);
  };
  const std::int64_t start = bound("start", 0), end = std::max(bound("end", rank), start);
  const std::span<const std::int64_t> taken =
      std::span(dims).subspan(static_cast<std::size_t>(start), static_cast<std::size_t>(end - start));
  node.set(0, node.makeIntegers({end - start}, taken));
}

void runSize(HostNode& node) {
  node.set(0, node.makeScalar(ElementType::int64, static_cast<std::int64_t>(elementCount(node.dims(0)))));
}

}  // namespace

std::span<const HostOperator> castSteps() {
  static constexpr HostOperator kSteps[]{{"", "BitCast", runBitCast},
                                         {"", "Cast", runCast},
                                         {"", "CastLike", runCastLike},
                                         {"", "ConstantOfShape", runConstantOfShape, true},
                                         {"", "DequantizeLinear", runDequantizeLinear, true},
                                         {"", "EyeLike", runEyeLike},
                                         {"", "QuantizeLinear", runQuantizeLinear, true},
                                         {"", "Shape", runShape},
                                         {"", "Size", runSize}};
  return kSteps;
}

}  // namespace webnn::formats::onnx
