#include "support/walk.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "ops/operation.h"
#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using Types = std::map<std::string_view, DataType>;  // keyed by operand

Shape shapeOf(std::size_t rank) {
  static const Shape sizes{2, 3, 2, 2, 1, 2, 1, 2};
  return {sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(rank)};
}

// Returns ordinary floats, or integers that are wrapped to the type and to `integerBits`, some near their limits.
std::vector<Number> someValues(const OperandDescriptor& descriptor, std::size_t seed, unsigned integerBits) {
  static const std::vector<double> reals{-2.5, 1.5, -0.75, 3, 0.5, 1, -1.25, 2.25, 0.125};
  static const std::vector<std::int64_t> integers{
      -3,       2,        1,          -1,          7,
      0,        5,        -128,       2147483647,  2147483646,
      16777217, 16777216, 4294967294, -2147483648, std::numeric_limits<std::int64_t>::min(),
      3,        100,      4294967301, -2,          1099511627779};
  const unsigned size = static_cast<unsigned>(bitsPerElement(descriptor.dataType));
  const unsigned bits = size > integerBits ? integerBits - 1 : size;  // without the sign bit, so that unsigned values fit
  const bool isSigned = cast(-1, descriptor.dataType).toDouble() < 0;
  std::vector<Number> values;
  for (std::size_t i = 0; i < elementCount(descriptor); ++i) {
    if (isFloat(descriptor.dataType)) {
      values.emplace_back(reals[(i + 4 * seed) % reals.size()]);
      continue;
    }
    const auto shifted = static_cast<std::uint64_t>(integers[(i + 5 * seed) % integers.size()]) << (64 - bits);
    values.emplace_back(isSigned ? Number(static_cast<std::int64_t>(shifted) >> (64 - bits)) : Number(shifted >> (64 - bits)));
  }
  return values;
}

struct Input {
  std::string name;
  OperandDescriptor descriptor;
  std::vector<std::byte> bytes;
};

// Adds an operation to a graph. Its operands are new inputs or constants.
struct Walk {
  GraphBuilder& builder;
  const ops::OperationRow& row;
  const std::map<std::string, TensorLimits>& limits;  // keyed by operand
  const Types& types;
  std::size_t rank;  // the rank of the first operand
  unsigned integerBits;
  std::function<bool(DataType)> isInput;  // whether a graph may have an input of this type
  std::vector<Input>& inputs;             // the inputs of the graph so far
  std::size_t count = 0;                  // number of operands

  Operand input(DataType type, Shape shape, const std::vector<Number>& values = {}) {
    const OperandDescriptor descriptor{type, std::move(shape)};
    const std::string name = "input" + std::to_string(inputs.size());
    std::vector<std::byte> bytes = test::pack(descriptor, values.empty() ? someValues(descriptor, ++count, integerBits) : values);
    if (!isInput(type)) return builder.constant(descriptor, bytes);
    inputs.push_back({name, descriptor, std::move(bytes)});
    return builder.input(name, descriptor);
  }
  Operand input(std::string_view operand, Shape shape, const std::vector<Number>& values = {}) {
    return input(types.at(operand), std::move(shape), values);
  }
  Operand first() { return input(row.rules()[0].name, shapeOf(rank)); }
};

// Functions that add operations for which operands of equal shapes and default arguments are invalid or do not test enough.
using Make = std::vector<Operand> (*)(Walk&);
const std::map<std::string_view, Make> kMakers{
    {"batchNormalization",
     [](Walk& w) -> std::vector<Operand> {
       const std::uint32_t axis = w.rank > 1;
       const Shape one{shapeOf(w.rank)[axis]};
       return {w.builder.batchNormalization(w.first(), w.input("mean", one), w.input("variance", one, {Number(0.75)}),
                                            {.axis = axis})};
     }},
    {"cast",
     [](Walk& w) {
       std::vector<Operand> results;
       const Operand x = w.first();
       for (const DataType type : w.limits.at("output").dataTypes) results.push_back(w.builder.cast(x, type));
       return results;
     }},
    {"clamp",
     [](Walk& w) -> std::vector<Operand> {
       const Operand x = w.first();
       return {w.builder.clamp(x, {.minValue = -1, .maxValue = 2}), w.builder.clamp(x, {.minValue = 3}),
               w.builder.clamp(x, {.maxValue = 0})};
     }},
    {"conv2d",
     [](Walk& w) -> std::vector<Operand> {
       return {w.builder.conv2d(w.input("input", {1, 2, 4, 4}), w.input("filter", {3, 2, 2, 2}))};
     }},
    {"convTranspose2d",
     [](Walk& w) -> std::vector<Operand> {
       return {w.builder.convTranspose2d(w.input("input", {1, 2, 4, 4}), w.input("filter", {2, 3, 2, 2}))};
     }},
    {"dequantizeLinear",
     [](Walk& w) -> std::vector<Operand> {
       const Operand x = w.first();
       return {w.builder.dequantizeLinear(x, w.input("scale", Shape(w.rank, 1)),
                                          w.input("zeroPoint", Shape(w.rank, 1), {Number(1)}))};
     }},
    {"expand",
     [](Walk& w) -> std::vector<Operand> {
       Shape longer = shapeOf(w.rank);
       if (w.rank < kMaxRank) longer.insert(longer.begin(), 3);
       return {w.builder.expand(w.first(), longer)};
     }},
    {"gather",
     [](Walk& w) -> std::vector<Operand> {
       return {w.builder.gather(w.first(), w.input("indices", w.rank < kMaxRank ? Shape{2, 3} : Shape{5}))};
     }},
    {"gatherND",
     [](Walk& w) -> std::vector<Operand> {
       return {w.builder.gatherND(w.first(), w.input("indices", {3, 1}, {Number(1), Number(0), Number(1)}))};
     }},
    {"gemm",
     [](Walk& w) -> std::vector<Operand> {
       return {w.builder.gemm(w.input("a", {2, 3}), w.input("b", {3, 4}), {.c = w.input("c", {4}), .alpha = 2})};
     }},
    {"gru",
     [](Walk& w) {
       return w.builder.gru(w.input("input", {2, 1, 3}), w.input("weight", {1, 6, 3}), w.input("recurrentWeight", {1, 6, 2}), 2,
                            2, {.bias = w.input("bias", {1, 6}), .returnSequence = true});
     }},
    {"gruCell",
     [](Walk& w) -> std::vector<Operand> {
       return {w.builder.gruCell(w.input("input", {1, 3}), w.input("weight", {6, 3}), w.input("recurrentWeight", {6, 2}),
                                 w.input("hiddenState", {1, 2}), 2)};
     }},
    {"lstm",
     [](Walk& w) {
       return w.builder.lstm(w.input("input", {2, 1, 3}), w.input("weight", {1, 8, 3}), w.input("recurrentWeight", {1, 8, 2}), 2,
                             2, {.bias = w.input("bias", {1, 8}), .returnSequence = true});
     }},
    {"lstmCell",
     [](Walk& w) {
       return w.builder.lstmCell(w.input("input", {1, 3}), w.input("weight", {8, 3}), w.input("recurrentWeight", {8, 2}),
                                 w.input("hiddenState", {1, 2}), w.input("cellState", {1, 2}), 2);
     }},
    {"matmul",
     [](Walk& w) -> std::vector<Operand> {
       Shape b = shapeOf(w.rank);
       std::swap(b[w.rank - 2], b[w.rank - 1]);
       return {w.builder.matmul(w.input("a", shapeOf(w.rank)), w.input("b", b))};
     }},
    {"pad",
     [](Walk& w) -> std::vector<Operand> {
       const Shape one(w.rank, 1);
       const Operand x = w.first();
       std::vector<Operand> results{w.builder.pad(x, one, one, {.value = 3})};
       if (w.rank > 0) results.push_back(w.builder.pad(x, one, one, {.mode = PaddingMode::edge}));
       if (w.rank == 2) results.push_back(w.builder.pad(x, one, one, {.mode = PaddingMode::reflection}));
       return results;
     }},
    {"quantizeLinear",
     [](Walk& w) -> std::vector<Operand> {
       const Shape one(w.rank, 1);
       return {w.builder.quantizeLinear(w.first(), w.input("scale", one, {Number(2)}), w.input("zeroPoint", one, {Number(1)}))};
     }},
    {"resample2d",
     [](Walk& w) -> std::vector<Operand> {
       const Operand x = w.first();
       return {w.builder.resample2d(x, {.sizes = {4, 4}}),
               w.builder.resample2d(x, {.mode = InterpolationMode::linear, .sizes = {4, 4}})};
     }},
    {"reshape",
     [](Walk& w) -> std::vector<Operand> {
       const Operand x = w.first();
       return {w.builder.reshape(x, {static_cast<std::uint32_t>(elementCount(x.descriptor()))})};
     }},
    {"scatterElements",
     [](Walk& w) -> std::vector<Operand> {
       const Operand x = w.first();
       Shape one = shapeOf(w.rank);
       one[0] = 1;
       return {w.builder.scatterElements(x, w.input("indices", one, {Number(1)}), w.input("updates", one))};
     }},
    {"scatterND",
     [](Walk& w) -> std::vector<Operand> {
       const Operand x = w.first();
       Shape updates = shapeOf(w.rank);
       updates[0] = 1;
       return {w.builder.scatterND(x, w.input("indices", {1, 1}, {Number(1)}), w.input("updates", updates))};
     }},
    {"slice", [](Walk& w) -> std::vector<Operand> { return {w.builder.slice(w.first(), Shape(w.rank, 0), Shape(w.rank, 1))}; }},
    {"split", [](Walk& w) { return w.builder.split(w.first(), 2u); }},
    {"tile", [](Walk& w) -> std::vector<Operand> { return {w.builder.tile(w.first(), Shape(w.rank, 2))}; }},
};

// Sets all required operands to inputs or constants with the first operand's shape.
struct Fill {
  Walk& walk;
  void argument(std::string_view name, Operand& field) { field = walk.input(name, shapeOf(walk.rank)); }
  void argument(std::string_view name, std::vector<Operand>& field) {
    for (int i = 0; i < 2; ++i) field.push_back(walk.input(name, shapeOf(walk.rank)));
  }
  template <typename Other>
  void argument(std::string_view, Other&) {}
  template <typename Other>
  void option(std::string_view, Other&) {}
};

std::vector<Operand> make(Walk& walk) {
  if (const auto maker = kMakers.find(walk.row.name); maker != kMakers.end()) return maker->second(walk);
  Operation operation = *makeOperation(walk.row.name);
  visitFields(operation, Fill{walk});
  return walk.builder.append(operation);
}

std::vector<std::vector<std::byte>> run(Context& context, const Graph& graph, const std::vector<Input>& inputs) {
  std::vector<NamedTensor> from, to;
  for (const Input& input : inputs) {
    from.emplace_back(input.name, context.createTensor({input.descriptor.dataType, input.descriptor.shape, false, true}));
    context.writeTensor(from.back().second, input.bytes);
  }
  for (const auto& [name, descriptor] : graph.outputs()) {
    to.emplace_back(name, context.createTensor({descriptor.dataType, descriptor.shape, true, false}));
  }
  context.dispatch(graph, from, to);
  std::vector<std::vector<std::byte>> results;
  for (const auto& [name, tensor] : to) results.push_back(context.readTensor(tensor).get());
  return results;
}

// Returns the difference between values, or an empty string. Floats may differ by rounding in their type.
std::string difference(const OperandDescriptor& descriptor, std::span<const std::byte> actual,
                       std::span<const std::byte> expected) {
  const std::vector<Number> a = test::unpack(descriptor, actual), e = test::unpack(descriptor, expected);
  const double tolerance = descriptor.dataType == DataType::float16 ? 4e-3 : 1e-5;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == e[i]) continue;
    const double x = a[i].toDouble(), y = e[i].toDouble();
    if (isFloat(descriptor.dataType) && std::abs(x - y) <= tolerance * std::max(1.0, std::abs(y))) continue;
    return toString(descriptor) + " element " + std::to_string(i) + " is " + std::to_string(x) + ", not " + std::to_string(y);
  }
  return {};
}

// Returns every combination of the operands' types that `limits` and the rules `sameTypeAs` of `row` allow.
std::vector<Types> choicesOfTypes(const ops::OperationRow& row, const std::map<std::string, TensorLimits>& limits) {
  std::vector<Types> choices{{}};
  for (const ops::OperandRule& rule : row.rules()) {
    if (rule.output) continue;
    std::vector<Types> more;
    for (const Types& choice : choices) {
      for (const DataType type : limits.at(std::string(rule.name)).dataTypes) {
        if (!rule.sameTypeAs.empty() && choice.at(rule.sameTypeAs) != type) continue;
        more.push_back(choice);
        more.back()[rule.name] = type;
      }
    }
    choices = std::move(more);
  }
  return choices;
}

std::string textOf(const ops::OperationRow& row, const Types& types, std::size_t rank) {
  std::string text = std::string(row.name) + " of rank " + std::to_string(rank);
  for (const auto& [operand, type] : types) text += ", " + std::string(operand) + " " + std::string(name(type));
  return text + ": ";
}

// Tests one operation with these types and ranks, all in one graph. Returns the fault, or an empty string.
std::string tryOut(Context& context, Context& reference, const ops::OperationRow& row,
                   const std::map<std::string, TensorLimits>& limits, const Types& types, const std::set<std::size_t>& ranks,
                   const test::WalkOptions& options, const std::function<bool(DataType)>& isInput) {
  try {
    GraphBuilder builder(context);
    std::vector<Input> inputs;
    std::vector<NamedOperand> outputs;
    for (const std::size_t rank : ranks) {
      Walk walk{builder, row, limits, types, rank, options.integerBits, isInput, inputs};
      for (const Operand& result : make(walk)) outputs.emplace_back("output" + std::to_string(outputs.size()), result);
    }
    const Graph graph = builder.build(outputs);
    const auto actual = run(context, graph, inputs), expected = run(reference, reference.compile(graph), inputs);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const std::string wrong = difference(outputs[i].second.descriptor(), actual[i], expected[i]);
      if (!wrong.empty()) return wrong;
    }
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace WEBNN_TEST_FILE

namespace test {

std::size_t walkEveryOperation(Context& context, const std::function<void(const std::string& wrong)>& report,
                               const WalkOptions& options) {
  using namespace WEBNN_TEST_FILE;
  Context reference = makeContext();
  const OpSupportLimits all = context.opSupportLimits();
  const auto isInput = [&](DataType type) { return std::ranges::find(all.input.dataTypes, type) != all.input.dataTypes.end(); };
  std::size_t tried = 0;
  for (const Operation& operation : allOperations()) {
    const ops::OperationRow& row = rowOf(operation);
    const auto& limits = all.operations.at(std::string(row.name));
    const SupportedRanks ranks = limits.at(std::string(row.rules()[0].name)).rankRange;
    std::set<std::size_t> chosen{ranks.min, ranks.max};
    for (const std::size_t rank : {1, 2, 3, 5}) {
      if (rank > ranks.min && rank < ranks.max) chosen.insert(rank);
    }
    for (const Types& types : choicesOfTypes(row, limits)) {
      tried += chosen.size();
      const std::string wrong = tryOut(context, reference, row, limits, types, chosen, options, isInput);
      if (wrong.empty()) continue;
      std::size_t failing = 0;
      for (const std::size_t rank : chosen) {
        const std::string alone = tryOut(context, reference, row, limits, types, {rank}, options, isInput);
        if (alone.empty()) continue;
        ++failing;
        report(textOf(row, types, rank) + alone);
      }
      if (failing == 0) report(textOf(row, types, *chosen.begin()) + "with other ranks in the same graph: " + wrong);
    }
  }
  return tried;
}

}  // namespace test
}  // namespace webnn
