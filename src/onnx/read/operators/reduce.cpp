#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "onnx/read/compose.h"
#include "onnx/read/formula.h"

namespace webnn::formats::onnx {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Returns the mean of integers: their sum in 64 bits divided by their number, truncated.
Operand integerMean(NodeContext& node, const Operand& input, const ReduceOptions& options) {
  const DataType type = input.dataType() == DataType::uint64 ? DataType::uint64 : DataType::int64;
  std::uint64_t count = 1;
  for (const std::uint32_t axis : *options.axes) count *= input.shape()[axis];
  const Operand sum = node.builder.reduceSum(node.cast(input, type), options);
  return node.cast(node.builder.div(sum, node.scalar(type, count)), input.dataType());
}

// Returns the truncated root of the sum of squares, by integer Newton steps from a float root.
Operand integerL2(NodeContext& node, const Operand& input, const ReduceOptions& options) {
  const DataType type = isUnsigned(input.dataType()) ? DataType::uint64 : DataType::int64;
  const Operand wide = node.cast(input, type);
  const Term sum{node, node.builder.reduceSum(node.builder.mul(wide, wide), options)};
  Term root = max(cast(sqrt(cast(sum, DataType::float32)), type), 1);
  for (int i = 0; i < 3; ++i) root = (root + sum / root) / 2;
  root = where(root * root > sum, root - 1, root);
  return node.cast(root, input.dataType());
}

// Returns floor(log(sum)) for a positive sum: the number of powers e^1, e^2, ... that are at most the sum. For a sum of 0 or
// less, returns the smallest integer of the type, which is also the result of casting -infinity or NaN.
Operand integerLogSum(NodeContext& node, const Operand& input, const ReduceOptions& options) {
  const Term sum{node, node.builder.reduceSum(node.cast(input, DataType::int64), options)};
  const Shape shape = static_cast<const Operand&>(sum).shape();
  Shape column = shape;
  column.push_back(1);
  std::vector<double> powers;
  for (int k = 1; k <= 43; ++k) powers.push_back(std::ceil(std::exp(k)));  // e^43 is the last power below 2^63
  const Term all{node, node.constant(DataType::int64, {43}, powers)};
  const Term isAbove = Term(node, node.reshape(sum, std::move(column))) >= all;
  const auto last = static_cast<std::uint32_t>(shape.size());
  const Term count{
      node, node.builder.reduceSum(cast(isAbove, DataType::int32), {.axes = {{last}}, .keepDimensions = false, .label = {}})};
  const DataType type = input.dataType();
  const bool is64Bit = type == DataType::int64 || type == DataType::uint64;
  const Number smallest = isUnsigned(type) ? Number(0)
                          : is64Bit        ? Number(std::numeric_limits<std::int64_t>::min())
                                           : Number(std::numeric_limits<std::int32_t>::min());
  return where(sum > 0, cast(count, type), smallest);
}

// Returns log(sum(exp(x))) of integers as maximum + log(sum(exp(x - maximum))). Only the second term has a fraction; the sum is
// truncated toward 0.
Operand integerLogSumExp(NodeContext& node, const Operand& input, const ReduceOptions& options) {
  ReduceOptions kept = options;
  kept.keepDimensions = true;
  const Term greatest{node, node.builder.reduceMax(input, kept)};
  const Term difference = cast(Term(node, input), DataType::int64) - cast(greatest, DataType::int64);
  const Term below = where(difference > 0, -kInfinity, cast(difference, DataType::float32));  // > 0 only if int64 overflowed
  const Term rest{node, node.builder.reduceLogSumExp(below, options)};
  const Term result{node, node.reshape(greatest, static_cast<const Operand&>(rest).shape())};
  const Term whole = floor(rest);
  const Term sum = result + cast(whole, input.dataType());
  if (isUnsigned(input.dataType())) return sum;
  return where((sum < 0) & (rest > whole), sum + 1, sum);
}

// A reduction operator. `ofNothing` is the result for an empty input, cast to the input's type.
struct Reduction {
  std::string_view opType;
  Operand (GraphBuilder::*method)(Operand, ReduceOptions);
  double ofNothing;
  Operand (*ofIntegers)(NodeContext&, const Operand&, const ReduceOptions&);  // implementation for integers; null: use `method`
};

constexpr Reduction kReductions[]{
    {"ReduceL1", &GraphBuilder::reduceL1, 0, nullptr},
    {"ReduceL2", &GraphBuilder::reduceL2, 0, integerL2},
    {"ReduceLogSum", &GraphBuilder::reduceLogSum, -kInfinity, integerLogSum},
    {"ReduceLogSumExp", &GraphBuilder::reduceLogSumExp, -kInfinity, integerLogSumExp},
    {"ReduceMax", &GraphBuilder::reduceMax, -kInfinity, nullptr},
    {"ReduceMean", &GraphBuilder::reduceMean, std::numeric_limits<double>::quiet_NaN(), integerMean},
    {"ReduceMin", &GraphBuilder::reduceMin, kInfinity, nullptr},
    {"ReduceProd", &GraphBuilder::reduceProduct, 1, nullptr},
    {"ReduceSum", &GraphBuilder::reduceSum, 0, nullptr},
    {"ReduceSumSquare", &GraphBuilder::reduceSumSquare, 0, nullptr},
};

// Returns the axes to reduce. Without given axes these are all axes, or none if noop_with_empty_axes is set.
std::vector<std::uint32_t> reducedAxes(const NodeContext& node, std::int64_t inputSince) {
  const std::size_t rank = node.rank(0);
  const auto given = attributeOrInput(node, "axes", 1, inputSince);
  if (given && !given->empty()) return distinctAxes(node, *given, rank);
  std::vector<std::uint32_t> all(node.version >= inputSince && node.flag("noop_with_empty_axes") ? 0 : rank);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// Sets result 0 for an input without elements.
void setOfNothing(NodeContext& node, const Reduction& reduction, const ReduceOptions& options) {
  const ImportedValue& value = node.value(0);
  Dims dims;
  for (std::uint32_t d = 0; d < value.dims.size(); ++d) {
    const bool isReduced = std::ranges::find(*options.axes, d) != options.axes->end();
    if (!isReduced || options.keepDimensions) dims.push_back(isReduced ? 1 : value.dims[d]);
  }
  if (isEmpty(dims)) return node.set(0, emptyValue(value.type, std::move(dims)));
  const auto type = dataTypeOf(value.type);
  node.require(type.has_value(), "WebNN has no type {}", name(value.type));
  const double result = value.type == ElementType::boolean ? reduction.ofNothing > 0 : reduction.ofNothing;
  setLike(node, 0, node.expand(node.scalar(*type, result), shapeOf(node, dims)));
}

void importReduce(NodeContext& node) {
  const auto isMeant = [&node](const Reduction& row) { return row.opType == node.node.opType; };
  const Reduction& reduction = *std::ranges::find_if(kReductions, isMeant);
  ReduceOptions options;
  options.axes = reducedAxes(node, reduction.opType == "ReduceSum" ? 13 : 18);
  options.keepDimensions = node.flag("keepdims", true);
  if (node.value(0).isEmpty()) return setOfNothing(node, reduction, options);
  const Operand input = node.operand(0);
  if (!isFloat(input.dataType()) && reduction.ofIntegers) return node.set(0, reduction.ofIntegers(node, input, options));
  setLike(node, 0, (node.builder.*reduction.method)(input, std::move(options)));
}

void importArgMinMax(NodeContext& node) {
  GraphBuilder& builder = node.builder;
  Operand input = node.operand(0);
  const std::uint32_t axis = node.axis(node.integer("axis", 0), input.rank());
  ArgMinMaxOptions options;
  options.keepDimensions = node.flag("keepdims", true);
  options.outputDataType = DataType::int64;
  const bool isLast = node.flag("select_last_index");
  if (isLast) input = builder.reverse(input, {.axes = {axis}});
  Operand result = node.node.opType == "ArgMax" ? builder.argMax(input, axis, options) : builder.argMin(input, axis, options);
  if (isLast) result = builder.sub(node.scalar(DataType::int64, input.shape()[axis] - 1), result);
  node.set(0, result);
}

// Returns the axis of CumSum or CumProd, which is input 1.
std::uint32_t axisInput(const NodeContext& node) {
  const Dims values = node.integers(1);
  if (values.size() != 1) fail(ErrorKind::dataError, "the axis has {} elements, not 1.", values.size());
  return node.axis(values[0], node.rank(0));
}

void importCumSum(NodeContext& node) {
  const std::uint32_t axis = axisInput(node);
  if (node.value(0).isEmpty()) return setSame(node);
  node.set(0, node.builder.cumulativeSum(node.operand(0), axis,
                                         {.exclusive = node.flag("exclusive"), .reversed = node.flag("reverse")}));
}

// Shifts the elements along `axis` by `distance`, toward index 0 if `backwards`, and fills the vacated positions with 1.
Operand shifted(NodeContext& node, const Operand& operand, std::uint32_t axis, std::uint32_t distance, bool backwards) {
  const std::uint32_t rest = operand.shape()[axis] - distance;
  Shape before(operand.rank(), 0), after(operand.rank(), 0);
  (backwards ? after : before)[axis] = distance;
  return node.builder.pad(sliceAxis(node, operand, axis, backwards ? distance : 0, rest), before, after, {.value = 1});
}

// Computes running products in log2(size) rounds: each round multiplies products over 1, 2, 4, ... elements by the product over
// the same number of elements before them.
void importCumProd(NodeContext& node) {
  const std::uint32_t axis = axisInput(node);
  if (node.value(0).isEmpty()) return setSame(node);
  const bool backwards = node.flag("reverse");
  Operand product = node.operand(0);
  const std::uint32_t size = product.shape()[axis];
  if (node.flag("exclusive")) {
    if (size == 1) return node.set(0, node.expand(node.scalar(product.dataType(), 1), product.shape()));
    product = shifted(node, product, axis, 1, backwards);
  }
  for (std::uint64_t distance = 1; distance < size; distance *= 2) {
    product = node.builder.mul(product, shifted(node, product, axis, static_cast<std::uint32_t>(distance), backwards));
  }
  node.set(0, product);
}

}  // namespace

std::span<const OperatorImport> reduceOperators() {
  static constexpr OperatorImport kOperators[]{
      {"", "ArgMax", importArgMinMax},    {"", "ArgMin", importArgMinMax},       {"", "CumProd", importCumProd},
      {"", "CumSum", importCumSum},       {"", "ReduceL1", importReduce},        {"", "ReduceL2", importReduce},
      {"", "ReduceLogSum", importReduce}, {"", "ReduceLogSumExp", importReduce}, {"", "ReduceMax", importReduce},
      {"", "ReduceMean", importReduce},   {"", "ReduceMin", importReduce},       {"", "ReduceProd", importReduce},
      {"", "ReduceSum", importReduce},    {"", "ReduceSumSquare", importReduce},
  };
  return kOperators;
}

}  // namespace webnn::formats::onnx
