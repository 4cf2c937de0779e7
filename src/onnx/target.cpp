#include "onnx/target.h"

#include <algorithm>
#include <array>

namespace webnn::onnx {

namespace {

using enum ElementType;

constexpr ElementTypeSet kReals{float32, float16, float64};
constexpr ElementTypeSet kWide = kReals | ElementTypeSet{int32, uint32, int64, uint64};
constexpr ElementTypeSet kNumbers = kWide | ElementTypeSet{int8, uint8};
constexpr ElementTypeSet kSigned = kReals | ElementTypeSet{int32, int64, int8};
constexpr ElementTypeSet kMoved = kNumbers | ElementTypeSet{boolean};
constexpr ElementTypeSet kAll = kMoved | ElementTypeSet{int4, uint4};
constexpr ElementTypeSet kBooleans{boolean};

constexpr std::uint32_t kFirst = 1;
constexpr std::uint32_t kFirstAndThird = 0b101;

// The types that the standard's operators take, restricted to WebNN's types, booleans and double.
constexpr std::array kStandard = std::to_array<TypeRule>({
    {"Abs", kNumbers},
    {"Add", kNumbers},
    {"And", kBooleans},
    {"ArgMax", kNumbers},
    {"ArgMin", kNumbers},
    {"AveragePool", kReals},
    {"BatchNormalization", kReals},
    {"BitwiseAnd", ElementTypeSet{int32, uint32, int64, uint64, int8, uint8}},
    {"Ceil", kReals},
    {"Clip", kNumbers},
    {"Concat", kMoved},
    {"Conv", kReals},
    {"ConvTranspose", kReals},
    {"Cos", kReals},
    {"CumSum", kWide, kFirst},
    {"Div", kNumbers},
    {"Elu", kReals},
    {"Equal", kMoved},
    {"Erf", kReals},
    {"Exp", kReals},
    {"Expand", kMoved, kFirst},
    {"Floor", kReals},
    {"GRU", kReals, ~std::uint32_t{0b10000}},
    {"Gather", kMoved, kFirst},
    {"GatherElements", kMoved, kFirst},
    {"GatherND", kMoved, kFirst},
    {"Gelu", kReals},
    {"Gemm", kWide},
    {"GlobalAveragePool", kReals},
    {"GlobalMaxPool", kReals},
    {"Greater", kNumbers},
    {"GreaterOrEqual", kNumbers},
    {"HardSigmoid", kReals},
    {"HardSwish", kReals},
    {"Identity", kAll},
    {"InstanceNormalization", kReals},
    {"IsInf", kReals},
    {"IsNaN", kReals},
    {"LSTM", kReals, ~std::uint32_t{0b10000}},
    {"LayerNormalization", kReals},
    {"LeakyRelu", kReals},
    {"Less", kNumbers},
    {"LessOrEqual", kNumbers},
    {"Log", kReals},
    {"LpPool", kReals},
    {"MatMul", kWide},
    {"Max", kNumbers},
    {"MaxPool", kReals | ElementTypeSet{int8, uint8}},
    {"Min", kNumbers},
    {"Mod", kNumbers},
    {"Mul", kNumbers},
    {"Neg", kSigned},
    {"Not", kBooleans},
    {"Or", kBooleans},
    {"PRelu", kWide},
    {"Pad", kAll, kFirstAndThird},
    {"Pow", kReals | ElementTypeSet{int32, int64}},
    {"Reciprocal", kReals},
    {"ReduceL1", kWide, kFirst},
    {"ReduceL2", kWide, kFirst},
    {"ReduceLogSum", kWide, kFirst},
    {"ReduceLogSumExp", kWide, kFirst},
    {"ReduceMax", kMoved, kFirst},
    {"ReduceMean", kWide, kFirst},
    {"ReduceMin", kMoved, kFirst},
    {"ReduceProd", kWide, kFirst},
    {"ReduceSum", kWide, kFirst},
    {"ReduceSumSquare", kWide, kFirst},
    {"Relu", kSigned},
    {"Reshape", kAll, kFirst},
    {"Resize", kMoved, kFirst},
    {"ReverseSequence", kMoved, kFirst},
    {"Round", kReals},
    {"ScatterElements", kMoved, kFirstAndThird},
    {"ScatterND", kMoved, kFirstAndThird},
    {"Sigmoid", kReals},
    {"Sign", kNumbers},
    {"Sin", kReals},
    {"Slice", kMoved, kFirst},
    {"Softmax", kReals},
    {"Softplus", kReals},
    {"Softsign", kReals},
    {"Split", kMoved, kFirst},
    {"Sqrt", kReals},
    {"Squeeze", kAll, kFirst},
    {"Sub", kNumbers},
    {"Tan", kReals},
    {"Tanh", kReals},
    {"Tile", kMoved, kFirst},
    {"TopK", kNumbers, kFirst},
    {"Transpose", kAll},
    {"Trilu", kMoved, kFirst},
    {"Unsqueeze", kAll, kFirst},
    {"Where", kMoved, 0b110},
    {"Xor", kBooleans},
});
static_assert(std::ranges::is_sorted(kStandard, {}, &TypeRule::opType));

}  // namespace

const TypeRule* Target::find(std::string_view opType) const {
  const auto found = std::ranges::lower_bound(rules, opType, {}, &TypeRule::opType);
  if (found != rules.end() && found->opType == opType) return &*found;
  return base ? base->find(opType) : nullptr;
}

const Target& standardTarget() {
  static constexpr Target kTarget{"onnx", kStandard};
  return kTarget;
}

}  // namespace webnn::onnx
