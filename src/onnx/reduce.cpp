#include "onnx/reduce.h"

#include <array>

namespace webnn::onnx {

namespace {

using ops::ReduceKind;

// By ReduceKind.
constexpr std::array<std::string_view, 10> kReductions{
    "ReduceL1",   "ReduceL2",  "ReduceLogSum", "ReduceLogSumExp", "ReduceMax",
    "ReduceMean", "ReduceMin", "ReduceProd",   "ReduceSum",       "ReduceSumSquare"};

bool isUnsigned(DataType type) { return webnn::cast(-1, type).toDouble() == 0; }

// The reduction of single elements.
Value reduceNothing(ReduceKind kind, const Value& x, DataType type, Exporter& out) {
  switch (kind) {
    case ReduceKind::reduceL1:
    case ReduceKind::reduceL2: return isUnsigned(type) ? x : out.add("Abs", {x});
    case ReduceKind::reduceLogSum: return out.add("Log", {x});
    case ReduceKind::reduceSumSquare: return out.add("Mul", {x, x});
    default: return x;
  }
}

}  // namespace

void toOnnx(const ops::Reduce& op, Exporter& out) {
  const std::vector<std::uint32_t>& axes = *op.options.axes;
  const DataType type = op.input.dataType();
  Value x = out[op.input];
  if (axes.empty()) return out.set(0, reduceNothing(op.kind, x, type, out));
  std::string_view opType = kReductions[static_cast<std::size_t>(op.kind)];
  // Of integers these are sums, which runtimes have for more types, and which wrap whatever the type.
  if (!isFloat(type) && (op.kind == ReduceKind::reduceL1 || op.kind == ReduceKind::reduceSumSquare)) {
    x = reduceNothing(op.kind, x, type, out);
    opType = "ReduceSum";
  }
  out.set(0, out.add(opType, {x, out.integers(axes)}, {{"keepdims", std::int64_t{op.options.keepDimensions}}}));
}

void toOnnx(const ops::ArgMinMax& op, Exporter& out) {
  out.set(0, out.add(op.kind == ops::ArgMinMaxKind::argMin ? "ArgMin" : "ArgMax", {out[op.input]},
                     {{"axis", std::int64_t{op.axis}}, {"keepdims", std::int64_t{op.options.keepDimensions}}},
                     ElementType::int64));
}

void toOnnx(const ops::CumulativeSum& op, Exporter& out) {
  out.set(0, out.add("CumSum", {out[op.input], out.scalar(ElementType::int64, op.axis)},
                     {{"exclusive", std::int64_t{op.options.exclusive}}, {"reverse", std::int64_t{op.options.reversed}}}));
}

}  // namespace webnn::onnx
