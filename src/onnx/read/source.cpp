// Operators that make tensors from attributes, shapes and a few numbers.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/checked.h"
#include "onnx/read/compose.h"
#include "onnx/read/formula.h"
#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

namespace {

using webnn::onnx::dataTypeOf;

// The maximum number of elements of a window function or a mel weight matrix, which the importer computes.
constexpr std::size_t kMaxWindow = std::size_t{1} << 20;

std::uint32_t sizeOf(const NodeContext& node, std::string_view what, double size) {
  node.require(size >= 1 && size <= static_cast<double>(kMaxDimension), "{} ({}) is not between 1 and {}, as sizes of WebNN are",
               what, size, kMaxDimension);
  return static_cast<std::uint32_t>(size);
}

ElementType elementType(const NodeContext& node, std::string_view attribute, ElementType absent) {
  return static_cast<ElementType>(node.integer(attribute, static_cast<std::int64_t>(absent)));
}

// ---- Constant ----

ImportedValue constantOf(NodeContext& node) {
  if (auto value = node.tensor("value")) return *value;
  if (node.find("value_float")) {
    const double number = node.number("value_float", 0);
    return valueOf(node, ElementType::float32, {}, {&number, 1});
  }
  if (node.find("value_int")) {
    const std::int64_t number = node.integer("value_int", 0);
    ImportedValue value = node.integersValue({&number, 1});
    value.dims.clear();
    return value;
  }
  if (const auto numbers = node.floats("value_floats")) {
    const std::vector<double> wide(numbers->begin(), numbers->end());
    return valueOf(node, ElementType::float32, {static_cast<std::int64_t>(wide.size())}, wide);
  }
  if (const auto numbers = node.integers("value_ints")) return node.integersValue(*numbers);
  node.unsupported("WebNN has neither strings nor sparse tensors");
}

void importConstant(NodeContext& node) { node.set(0, constantOf(node)); }

void importConstantOfShape(NodeContext& node) {
  const std::vector<std::int64_t> dims = node.integers(0);
  const std::optional<ImportedValue> given = node.tensor("value");
  const ElementType type = given ? given->type : ElementType::float32;
  if (!countOf(dims)) fail(ErrorKind::dataError, "its dimensions are below 0 or too many elements.");
  if (isEmpty(dims)) return node.set(0, emptyValue(type, dims));
  const Operand element = given ? node.operand(*given) : node.scalar(DataType::float32, 0);
  setTyped(node, 0, node.expand(node.reshape(element, {}), shapeOf(node, dims)), type);
}

// ---- Range ----

// Returns the number of elements start, start + delta, ... before `limit`.
double stepsBetween(double start, double limit, double delta) { return std::max(0.0, std::ceil((limit - start) / delta)); }

// Overload for integers, whose distance may exceed a double's precision.
double stepsBetween(std::int64_t start, std::int64_t limit, std::int64_t delta) {
  if (delta > 0 ? start >= limit : start <= limit) return 0;
  const auto low = static_cast<std::uint64_t>(std::min(start, limit)), high = static_cast<std::uint64_t>(std::max(start, limit));
  const std::uint64_t step = delta > 0 ? static_cast<std::uint64_t>(delta) : 0 - static_cast<std::uint64_t>(delta);
  return static_cast<double>((high - low - 1) / step + 1);
}

// Returns start + i * delta for i = 0, 1, ..., count - 1.
Term rangeOf(NodeContext& node, std::uint32_t count, DataType type, Number start, Number delta) {
  const DataType counted = isFloat(type) || type == DataType::int32 ? DataType::int32 : DataType::int64;
  const DataType computed = type == DataType::float16 ? DataType::float32 : type;
  return cast(cast(Term(node, counting(node, counted, count, 0, 1)), computed) * delta + start, type);
}

void importRange(NodeContext& node) {
  const ElementType elements = node.value(0).type;
  const DataType type = requireType(node, elements);
  double count = 0;
  Number start, delta;
  if (isFloat(type)) {
    start = node.number(0);
    delta = node.number(2);
    count = stepsBetween(node.number(0), node.number(1), node.number(2));
    if (std::isnan(node.number(0)) || std::isnan(node.number(1)) || std::isnan(node.number(2)))
      fail(ErrorKind::dataError, "its start, limit or delta is NaN.");
  } else {
    const std::vector<std::int64_t> first = node.integers(0), limit = node.integers(1), step = node.integers(2);
    node.require(first.size() == 1 && limit.size() == 1 && step.size() == 1, "its inputs are not single numbers");
    node.require(step[0] != 0, "a range with steps of 0 has no end");
    start = first[0];
    delta = step[0];
    count = stepsBetween(first[0], limit[0], step[0]);
  }
  if (count == 0) return node.set(0, emptyValue(elements, {0}));
  node.set(0, rangeOf(node, sizeOf(node, "the length of the range", count), type, start, delta));
}

// ---- Shape, Size ----

void importShape(NodeContext& node) {
  const std::vector<std::int64_t>& dims = node.value(0).dims;
  const auto rank = static_cast<std::int64_t>(dims.size());
  const auto bound = [&](std::string_view name, std::int64_t absent) {
    const std::int64_t value = node.integer(name, absent);
    return std::clamp<std::int64_t>(value < 0 ? value + rank : value, 0, rank);
  };
  const std::int64_t start = bound("start", 0), end = bound("end", rank);
  const std::size_t count = start < end ? static_cast<std::size_t>(end - start) : 0;
  node.set(0, node.integersValue(std::span(dims).subspan(static_cast<std::size_t>(std::min(start, end)), count)));
}

void importSize(NodeContext& node) {
  const std::optional<std::int64_t> count = countOf(node.value(0).dims);
  node.require(count.has_value(), "its input has more than 2^63 elements");
  const std::int64_t size = *count;
  ImportedValue value = node.integersValue({&size, 1});
  value.dims.clear();
  node.set(0, value);
}

// ---- EyeLike, OneHot ----

void importEyeLike(NodeContext& node) {
  const ImportedValue& like = node.value(0);
  node.require(like.dims.size() == 2, "its input has rank {}, not 2", like.dims.size());
  const ElementType elements = elementType(node, "dtype", like.type);
  const DataType type = requireType(node, elements);
  const Shape shape = shapeOf(node, like.dims);
  // Diagonals farther than 2^32 from the main one lie outside every matrix of WebNN.
  constexpr std::int64_t kFar = std::int64_t{1} << 32;
  const auto diagonal = static_cast<double>(std::clamp(node.integer("k", 0), -kFar, kFar));
  const Term rows(node, counting(node, DataType::int64, shape[0], 0, 2));
  const Term columns(node, counting(node, DataType::int64, shape[1], 1, 2));
  setTyped(node, 0, cast(rows + diagonal == columns, type), elements);
}

// All smaller integers are exact in float32.
constexpr std::uint32_t kExactFloats = 1U << 24;

// Since version 11, indices below 0 count from the end. An index outside of the depth sets no element.
void importOneHot(NodeContext& node) {
  const std::uint32_t depth = sizeOf(node, "the depth", node.number(1));
  const Operand given = node.operand(0), values = node.operand(2);
  node.require(values.shape() == Shape{2}, "its values are not two");
  const std::uint32_t axis = node.axis(node.integer("axis", -1), given.rank() + 1);
  const bool isSmall = bitsPerElement(given.dataType()) <= 8 || given.dataType() == DataType::int32;
  const DataType type = isSmall ? DataType::int32 : DataType::int64;
  Shape shape = given.shape();
  shape.insert(shape.begin() + axis, 1);
  Term index(node, node.reshape(node.cast(given, type), shape));
  if (node.version >= 11) index = where(index < 0, index + static_cast<double>(depth), index);
  Term positions(node, counting(node, type, depth, axis, shape.size()));
  if (depth < kExactFloats) {  // Backends compare float32 faster than int64. The indices -1 and `depth` set no element.
    index = cast(max(min(index, static_cast<double>(depth)), -1), DataType::float32);
    positions = cast(positions, DataType::float32);
  }
  const auto valueAt = [&](std::uint32_t i) { return node.reshape(node.builder.slice(values, {i}, {1}), {}); };
  setTyped(node, 0, node.builder.where(index == positions, valueAt(1), valueAt(0)), node.value(2).type);
}

// ---- Windows and the mel scale ----

// Sets result 0 to a window function: a0 - a1 * cos(2 pi i / N) + a2 * cos(4 pi i / N) for element i. N is the window's size,
// less 1 if it is not periodic.
void importWindow(NodeContext& node, double a0, double a1, double a2) {
  const double size = node.number(0);
  if (size < 0) fail(ErrorKind::dataError, "its size ({}) is negative.", size);
  node.require(size <= static_cast<double>(kMaxWindow), "a window of {} elements is too large", size);
  const bool periodic = node.flag("periodic", true);
  const double length = std::max(1.0, periodic ? size : size - 1);
  std::vector<double> numbers;
  for (double i = 0; i < size; ++i) {
    const double angle = 2 * std::numbers::pi * i / length;
    numbers.push_back(a0 - a1 * std::cos(angle) + a2 * std::cos(2 * angle));
  }
  const auto count = static_cast<std::int64_t>(numbers.size());
  node.set(0, valueOf(node, elementType(node, "output_datatype", ElementType::float32), {count}, numbers));
}

void importHannWindow(NodeContext& node) { importWindow(node, 0.5, 0.5, 0); }
void importHammingWindow(NodeContext& node) { importWindow(node, 25.0 / 46, 21.0 / 46, 0); }
void importBlackmanWindow(NodeContext& node) { importWindow(node, 0.42, 0.5, 0.08); }

// Returns the bins of a spectrogram that bound the triangles of the mel scale. Triangle i begins at entry i, peaks at entry i + 1
// and ends at entry i + 2.
std::vector<std::int64_t> melBins(const NodeContext& node, std::int64_t melCount, std::int64_t dftLength) {
  const double sampleRate = node.number(2);
  const auto mel = [](double hertz) { return 2595 * std::log10(1 + hertz / 700); };
  const double low = mel(node.number(3)), step = (mel(node.number(4)) - low) / static_cast<double>(melCount + 2);
  std::vector<std::int64_t> bins;
  for (std::int64_t i = 0; i < melCount + 2; ++i) {
    const double hertz = 700 * (std::pow(10.0, (low + static_cast<double>(i) * step) / 2595) - 1);
    const double bin = std::floor(static_cast<double>(dftLength + 1) * hertz / sampleRate);
    node.require(bin >= 0 && bin <= static_cast<double>(dftLength / 2), "a frequency ({} Hz) is outside the spectrogram", hertz);
    bins.push_back(static_cast<std::int64_t>(bin));
  }
  return bins;
}

void importMelWeightMatrix(NodeContext& node) {
  const double mels = node.number(0), length = node.number(1);
  const double limit = static_cast<double>(kMaxWindow);
  node.require(mels >= 1 && mels <= limit && length >= 0 && length <= limit && mels * (length / 2 + 1) <= limit,
               "a matrix for {} mel bins and a transform of {} is too large or empty", mels, length);
  const auto columns = static_cast<std::int64_t>(mels), dftLength = static_cast<std::int64_t>(length), rows = dftLength / 2 + 1;
  const std::vector<std::int64_t> bins = melBins(node, columns, dftLength);
  std::vector<double> matrix(static_cast<std::size_t>(rows * columns));
  for (std::int64_t column = 0; column < columns; ++column) {
    const auto* bin = &bins[static_cast<std::size_t>(column)];
    const std::int64_t begin = bin[0], peak = bin[1], end = bin[2];
    const auto at = [&](std::int64_t row) -> double& { return matrix[static_cast<std::size_t>(row * columns + column)]; };
    const auto part = [](std::int64_t numerator, std::int64_t denominator) {
      return static_cast<double>(numerator) / static_cast<double>(denominator);
    };
    for (std::int64_t row = begin; row < peak; ++row) at(row) = part(row - begin, peak - begin);
    at(peak) = 1;
    for (std::int64_t row = peak; row < end; ++row) at(row) = part(end - row, end - peak);
  }
  node.set(0, valueOf(node, elementType(node, "output_datatype", ElementType::float32), {rows, columns}, matrix));
}

}  // namespace

std::span<const OperatorImport> sourceOperators() {
  static constexpr OperatorImport kOperators[]{
      {"", "Constant", importConstant},
      {"", "ConstantOfShape", importConstantOfShape},
      {"", "Range", importRange},
      {"", "Shape", importShape},
      {"", "Size", importSize},
      {"", "EyeLike", importEyeLike},
      {"", "OneHot", importOneHot},
      {"", "HannWindow", importHannWindow},
      {"", "HammingWindow", importHammingWindow},
      {"", "BlackmanWindow", importBlackmanWindow},
      {"", "MelWeightMatrix", importMelWeightMatrix},
  };
  return kOperators;
}

}  // namespace webnn::formats::onnx
