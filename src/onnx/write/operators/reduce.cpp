#include <algorithm>
#include <array>

#include "base/pack.h"
#include "onnx/write/compose.h"
#include "onnx/write/dataflow.h"
#include "onnx/write/operators/families.h"
#include "ops/operand_record.h"

namespace webnn::onnx {

namespace {

using ops::ReduceKind;

// Operator names, indexed by ReduceKind.
constexpr std::array<std::string_view, 10> kReductions{"ReduceL1",  "ReduceL2",       "ReduceLogSum", "ReduceLogSumExp",
                                                       "ReduceMax", "ReduceMean",     "ReduceMin",    "ReduceProd",
                                                       "ReduceSum", "ReduceSumSquare"};

bool isUnsigned(DataType type) { return webnn::cast(-1, type).toDouble() == 0; }

// Returns whether the operand is a constant with the single value 2.
bool isTwo(const Operand& operand) {
  const OperandRecord& record = operand.record();
  const std::vector<std::byte> two = packScalar(operand.dataType(), 2);
  return record.kind == OperandKind::constant && std::ranges::equal(record.bytes, two);
}

// Applies the reduction to each element alone. This is the result if no axes are reduced, and the first step of reduceL1 and
// reduceSumSquare of integers, whose second step is a sum.
OnnxValue reduceNothing(ReduceKind kind, const OnnxValue& x, DataType type, Exporter& out) {
  switch (kind) {
    case ReduceKind::reduceL1:
    case ReduceKind::reduceL2: return isUnsigned(type) ? x : out.add("Abs", {x});
    case ReduceKind::reduceLogSum: return out.add("Log", {x});
    case ReduceKind::reduceSumSquare: return out.add("Mul", {x, x});
    default: return x;
  }
}

// Reduces integers pairwise by halves, with the reduced dimensions flattened to the last one. Integer results do not depend on
// order.
class ReductionByHalves {
 public:
  ReductionByHalves(const ops::Reduce& op, Exporter& out) : op_(op), out_(out) {}

  OnnxValue compute(std::string_view combine, OnnxValue x) {
    const Shape& shape = op_.input.shape();
    std::vector<std::uint32_t> permutation, axes = *op_.options.axes;
    Shape rows;
    std::ranges::sort(axes);
    for (std::uint32_t i = 0; i < shape.size(); ++i) {
      if (std::ranges::binary_search(axes, i)) continue;
      permutation.push_back(i);
      rows.push_back(shape[i]);
    }
    std::int64_t size = 1;
    for (const std::uint32_t axis : axes) size *= out_.numberOf(shape[axis]);
    permutation.insert(permutation.end(), axes.begin(), axes.end());
    const auto last = static_cast<std::int64_t>(rows.size());
    rows.push_back(static_cast<std::uint32_t>(size));
    x = out_.reshape(out_.transpose(x, permutation), rows);
    for (; size > 1; size = (size + 1) / 2) {
      Integers sizes{size / 2, size / 2};
      if (size % 2 != 0) sizes.push_back(1);
      const std::vector<OnnxValue> parts = out_.addMany("Split", {x, out_.integers(sizes)}, sizes.size(), {{"axis", last}});
      const OnnxValue both = out_.add(combine, {parts[0], parts[1]});
      x = size % 2 == 0 ? both : concatenate(last, {both, parts[2]}, out_);
    }
    return out_.reshape(x, out_.output().shape());
  }

 private:
  const ops::Reduce& op_;
  Exporter& out_;
};

// Returns the binary operator that combines partial results; empty for reductions whose partial results are not integers.
std::string_view combinerOf(std::string_view opType) {
  return opType == "ReduceMax"    ? "Max"
         : opType == "ReduceMin"  ? "Min"
         : opType == "ReduceProd" ? "Mul"
         : opType == "ReduceSum"  ? "Add"
                                  : "";
}

// Returns whether the operand is a power other than a square. Its mean needs a fence, because ONNX Runtime fuses the mean of
// any power into a normalization, as if the exponent were 2.
bool isPower(const Operand& operand, const Exporter& out) {
  const Operation* const made = out.dataflow().producer(operand);
  const auto* const power = made ? std::get_if<ops::Binary>(made) : nullptr;
  return power && power->kind == ops::BinaryKind::pow && !isTwo(power->b);
}

}  // namespace

void toOnnx(const ops::Reduce& op, Exporter& out) {
  const std::vector<std::uint32_t>& axes = *op.options.axes;
  const DataType type = op.input.dataType();
  OnnxValue x = op.kind == ReduceKind::reduceMean && isPower(op.input, out) ? out.fenced(out[op.input]) : out[op.input];
  if (axes.empty()) return out.set(0, reduceNothing(op.kind, x, type, out));
  std::string_view opType = kReductions[static_cast<std::size_t>(op.kind)];
  // For integers, write reduceL1 and reduceSumSquare as ReduceSum, which more runtimes support and which wraps.
  if (!isFloat(type) && (op.kind == ReduceKind::reduceL1 || op.kind == ReduceKind::reduceSumSquare)) {
    x = reduceNothing(op.kind, x, type, out);
    opType = "ReduceSum";
  }
  const std::string_view combiner = combinerOf(opType);
  if (!isFloat(type) && !combiner.empty() && !out.canTake(opType, x.type)) {
    return out.set(0, ReductionByHalves(op, out).compute(combiner, x));
  }
  out.set(0, out.add(opType, {x, out.integers(axes)}, {{"keepdims", std::int64_t{op.options.keepDimensions}}}));
}

void toOnnx(const ops::ArgMinMax& op, Exporter& out) {
  const bool isMin = op.kind == ops::ArgMinMaxKind::argMin;
  std::string_view opType = isMin ? "ArgMin" : "ArgMax";
  OnnxValue x = out[op.input];
  if (!out.canTake(opType, x.type)) {  // find the first extreme element by TopK, which takes all types
    const OnnxValue extreme = out.addMany("TopK", {x, out.integers(Integers{1})}, 2,
                                          {{"axis", std::int64_t{op.axis}}, {"largest", std::int64_t{!isMin}}})[0];
    x = out.cast(compare("Equal", x, extreme, out), ElementType::float32);
    opType = "ArgMax";
  }
  out.set(0, out.add(opType, {x}, {{"axis", std::int64_t{op.axis}}, {"keepdims", std::int64_t{op.options.keepDimensions}}},
                     ElementType::int64));
}

void toOnnx(const ops::CumulativeSum& op, Exporter& out) {
  out.set(0, out.add("CumSum", {out[op.input], out.scalar(ElementType::int64, op.axis)},
                     {{"exclusive", std::int64_t{op.options.exclusive}}, {"reverse", std::int64_t{op.options.reversed}}}));
}

}  // namespace webnn::onnx
