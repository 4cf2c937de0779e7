#include "onnx/write/widening.h"

#include <algorithm>
#include <array>

namespace webnn::onnx {

namespace {

using enum ElementType;

// The use that an operator makes of values of type T. It determines the types that can stand in for T.
enum class Use {
  moves,     // copies values or compares them for equality
  wraps,     // the result's low bits depend only on the operands' low bits, as in Add and Mul
  compares,  // depends only on the order of the values, as Max, ArgMax and Less do
  computes,
};

struct UseRow {
  std::string_view opType;
  Use use;
};

constexpr std::array kUses = std::to_array<UseRow>({
    {"Add", Use::wraps},
    {"ArgMax", Use::compares},
    {"ArgMin", Use::compares},
    {"BitwiseAnd", Use::wraps},
    {"Clip", Use::compares},
    {"Concat", Use::moves},
    {"CumSum", Use::wraps},
    {"Equal", Use::moves},
    {"Expand", Use::moves},
    {"Gather", Use::moves},
    {"GatherElements", Use::moves},
    {"GatherND", Use::moves},
    {"Greater", Use::compares},
    {"GreaterOrEqual", Use::compares},
    {"Identity", Use::moves},
    {"Less", Use::compares},
    {"LessOrEqual", Use::compares},
    {"MatMul", Use::wraps},
    {"Max", Use::compares},
    {"MaxPool", Use::compares},
    {"Min", Use::compares},
    {"Mul", Use::wraps},
    {"Neg", Use::wraps},
    {"Pad", Use::moves},
    {"ReduceMax", Use::compares},
    {"ReduceMin", Use::compares},
    {"ReduceProd", Use::wraps},
    {"ReduceSum", Use::wraps},
    {"ReduceSumSquare", Use::wraps},
    {"Reshape", Use::moves},
    {"ReverseSequence", Use::moves},
    {"ScatterElements", Use::moves},
    {"ScatterND", Use::moves},
    {"Slice", Use::moves},
    {"Split", Use::moves},
    {"Squeeze", Use::moves},
    {"Sub", Use::wraps},
    {"Tile", Use::moves},
    {"TopK", Use::compares},
    {"Transpose", Use::moves},
    {"Trilu", Use::moves},
    {"Unsqueeze", Use::moves},
    {"Where", Use::moves},
});
static_assert(std::ranges::is_sorted(kUses, {}, &UseRow::opType));

Use useOf(std::string_view opType) {
  const auto found = std::ranges::lower_bound(kUses, opType, {}, &UseRow::opType);
  return found != kUses.end() && found->opType == opType ? found->use : Use::computes;
}

struct StandInRow {
  ElementType type;
  std::array<ElementType, 1> twins{};  // the integer type of the same width and other signedness
  std::array<ElementType, 4> wider{};  // types of the same kind that hold every value
  std::array<ElementType, 3> reals{};  // float types that hold every integer value
};

// The stand-ins for each element type. Each list begins with the smallest type; its unused places are `undefined`.
constexpr std::array kStandIns = std::to_array<StandInRow>({
    {float32, {}, {float64}, {}},
    {float16, {}, {float32, float64}, {}},
    {uint8, {int8}, {int32, uint32, int64, uint64}, {float16, float32, float64}},
    {int8, {uint8}, {int32, int64}, {float16, float32, float64}},
    {int32, {uint32}, {int64}, {float64}},
    {uint32, {int32}, {int64, uint64}, {float64}},
    {int64, {uint64}, {}, {}},
    {uint64, {int64}, {}, {}},
    {int4, {}, {int8, int32, int64}, {float16, float32, float64}},
    {uint4, {}, {uint8, int8, int32, int64}, {float16, float32, float64}},
    {boolean, {}, {uint8, int8, int32, int64}, {float16, float32, float64}},
});

template <std::size_t N>
std::optional<StandIn> firstOf(const std::array<ElementType, N>& candidates, ElementTypeSet types) {
  for (const ElementType type : candidates) {
    if (type != undefined && types.contains(type)) return StandIn{type};
  }
  return std::nullopt;
}

}  // namespace

std::optional<StandIn> standInFor(std::string_view opType, ElementType type, ElementTypeSet types) {
  const auto row = std::ranges::find(kStandIns, type, &StandInRow::type);
  if (row == kStandIns.end()) return std::nullopt;
  const Use use = useOf(opType);
  std::optional<StandIn> found;
  if (use == Use::moves || use == Use::wraps) found = firstOf(row->twins, types);
  if (!found) found = firstOf(row->wider, types);
  // Integer sums must wrap, but floats would saturate or lose digits.
  if (!found && (use == Use::moves || use == Use::compares)) found = firstOf(row->reals, types);
  if (!found && use == Use::compares && type == uint64 && types.contains(int64)) found = StandIn{int64, true};
  return found;
}

}  // namespace webnn::onnx
