#include "onnx/reduce.h"

#include <array>

#include "onnx/order.h"

namespace webnn::onnx {

namespace {

using ops::ReduceKind;

// By ReduceKind.
constexpr std::array<std::string_view, 10> kReductions{
    "ReduceL1",   "ReduceL2",  "ReduceLogSum", "ReduceLogSumExp", "ReduceMax",
    "ReduceMean", "ReduceMin", "ReduceProd",   "ReduceSum",       "ReduceSumSquare"};

// The reduction of two elements, for a reduction of integers.
Value combined(std::string_view reduction, const Value& a, const Value& b, Exporter& out) {
  if (reduction == "ReduceMax") return maximum(a, b, out);
  if (reduction == "ReduceMin") return minimum(a, b, out);
  return out.add(reduction == "ReduceProd" ? "Mul" : "Add", {a, b});
}

// The reduction along one axis of `size` elements, to size 1: one half is combined with the other until one element is
// left. Runtimes do this exactly for integers, for which their reductions may go through floats.
Value halved(std::string_view reduction, Value x, std::uint32_t axis, std::uint32_t size, Exporter& out) {
  Value rest;
  for (; size > 1; size /= 2) {
    std::vector<std::uint32_t> sizes{size / 2, size / 2};
    if (size % 2 != 0) sizes.push_back(1);
    // Not slices, of which ONNX Runtime 1.20 makes an invalid model.
    const std::vector<Value> parts = out.addMany("Split", {x, out.integers(sizes)}, sizes.size(), {{"axis", std::int64_t{axis}}});
    x = combined(reduction, parts[0], parts[1], out);
    if (parts.size() > 2) rest = rest.name.empty() ? parts[2] : combined(reduction, rest, parts[2], out);
  }
  return rest.name.empty() ? x : combined(reduction, x, rest, out);
}

Value reduceByHalves(std::string_view reduction, Value x, const ops::Reduce& op, Exporter& out) {
  for (const std::uint32_t axis : *op.options.axes) {
    x = halved(reduction, x, axis, op.input.shape()[axis], out);
  }
  return op.options.keepDimensions ? x : out.reshape(x, out.output().shape());
}

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
  if (isComposed(opType, x, out)) return out.set(0, reduceByHalves(opType, x, op, out));
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
