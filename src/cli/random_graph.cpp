#include "cli/random_graph.h"

#include <cmath>
#include <numeric>

#include "cli/elements.h"
#include "cli/random_maker.h"

namespace webnn::cli {

Shape RandomMaker::shape(std::size_t rank, std::size_t mostElements) {
  Shape result;
  std::size_t elements = 1;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::uint32_t next = elements * 40 > mostElements ? between(1, 3) : size();
    result.push_back(elements * next > mostElements ? 1 : next);
    elements *= result.back();
  }
  // The largest dimension may be any.
  if (rank > 1) std::swap(result[0], result[below(static_cast<std::uint32_t>(rank))]);
  return result;
}

std::vector<std::uint32_t> RandomMaker::permutation(std::size_t rank) {
  std::vector<std::uint32_t> result(rank);
  std::iota(result.begin(), result.end(), 0U);
  for (std::size_t i = rank; i > 1; --i) std::swap(result[i - 1], result[below(static_cast<std::uint32_t>(i))]);
  return result;
}

std::vector<std::byte> RandomMaker::randomBytes(const OperandDescriptor& descriptor, double low, double high) {
  std::vector<Number> values(elementCount(descriptor));
  const bool isSigned = descriptor.dataType == DataType::int4 || descriptor.dataType == DataType::int8 ||
                        descriptor.dataType == DataType::int32 || descriptor.dataType == DataType::int64;
  for (Number& value : values) {
    if (isFloat(descriptor.dataType)) {
      value = oneIn(40) ? 0.0 : real(low, high);
    } else {
      const double floored = std::floor(real(isSigned ? low : std::max(low, 0.0), high + 1));
      value = Number(static_cast<std::int64_t>(floored));
    }
  }
  return packElements(descriptor, values);
}

Operand RandomMaker::fresh(DataType type, Shape shape, double low, double high) {
  const OperandDescriptor descriptor{type, std::move(shape)};
  std::vector<std::byte> bytes = randomBytes(descriptor, low, high);
  Operand operand;
  if (oneIn(2)) {
    operand = builder.constant(descriptor, bytes);
  } else {
    operand = builder.input("x" + std::to_string(inputs.size()), descriptor);
    inputs.push_back(std::move(bytes));
  }
  return operand;
}

Operand RandomMaker::constant(DataType type, Shape shape, const std::vector<Number>& values) {
  const OperandDescriptor descriptor{type, std::move(shape)};
  return builder.constant(descriptor, packElements(descriptor, values));
}

Operand RandomMaker::any(std::initializer_list<DataType> types, std::size_t lowRank, std::size_t highRank) {
  std::vector<Value*> candidates;
  for (Value& value : pool) {
    const std::size_t rank = value.operand.rank();
    if (std::ranges::find(types, value.operand.dataType()) == types.end() || rank < lowRank || rank > highRank) continue;
    if (!exact || value.isExact) candidates.push_back(&value);
  }
  if (!candidates.empty() && !oneIn(8)) {
    // The latest more often: deep graphs are those that are fused.
    const auto count = static_cast<std::uint32_t>(candidates.size());
    Value& value = *candidates[oneIn(2) ? count - 1 : below(count)];
    ++value.uses;
    allExact = allExact && value.isExact;
    return value.operand;
  }
  const std::size_t usual = std::min(highRank, std::max<std::size_t>(lowRank, 4));
  const std::size_t rank = between(static_cast<std::uint32_t>(lowRank), static_cast<std::uint32_t>(oneIn(8) ? highRank : usual));
  return fresh(pick(types), shape(rank));
}

Operand RandomMaker::realOperand(std::size_t lowRank, std::size_t highRank) {
  return oneIn(4) ? any({DataType::float16}, lowRank, highRank) : any({DataType::float32}, lowRank, highRank);
}

Operand RandomMaker::broadcastable(DataType type, const Shape& target, double low, double high) {
  if (oneIn(3)) {  // another value of the same shape
    for (Value& value : pool) {
      if (value.operand.dataType() != type || value.operand.shape() != target || (exact && !value.isExact) || low > 0) continue;
      ++value.uses;
      allExact = allExact && value.isExact;
      return value.operand;
    }
  }
  Shape shape = target;
  if (oneIn(3)) shape.erase(shape.begin(), shape.begin() + below(static_cast<std::uint32_t>(shape.size() + 1)));
  const std::uint32_t form = below(4);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (form == 1 || (form == 2 && oneIn(2)) || (form == 3 && i + 1 < shape.size())) shape[i] = 1;
  }
  return fresh(type, std::move(shape), low, high);
}

RandomGraph makeRandomGraph(Context& context, std::uint64_t seed) {
  static const std::vector<RandomOperation> operations = [] {
    std::vector<RandomOperation> all;
    for (const auto& part : {randomElementwise(), randomMoves(), randomProducts(), randomReductions()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }();
  RandomMaker maker(context, seed);
  const std::uint32_t wanted = maker.between(1, 8);
  std::uint32_t made = 0;
  for (std::uint32_t attempt = 0; made < wanted && attempt < 200; ++attempt) {
    const RandomOperation& operation = operations[maker.below(static_cast<std::uint32_t>(operations.size()))];
    maker.exact = operation.jumps;
    maker.allExact = true;
    std::vector<Operand> results;
    try {
      operation.make(maker, results);
    } catch (const Error&) {
      continue;  // sizes that do not fit, for instance
    }
    for (const Operand& result : results) {
      const bool isLarge = elementCount(result.descriptor()) > 65536;
      if (!isLarge) maker.add(result, maker.allExact && !(operation.rounds && isFloat(result.dataType())));
    }
    ++made;
  }
  std::vector<NamedOperand> outputs;
  for (const RandomMaker::Value& value : maker.pool) {
    if (value.uses == 0 || maker.oneIn(8)) outputs.emplace_back("y" + std::to_string(outputs.size()), value.operand);
  }
  if (outputs.empty()) {
    outputs.emplace_back("y0", maker.builder.identity(maker.fresh(DataType::float32, {2, 3})));
  }
  RandomGraph result;
  result.graph = maker.builder.build(outputs);
  // The graph keeps only the inputs that it needs.
  for (const auto& [name, descriptor] : result.graph.inputs()) {
    result.inputs.push_back(std::move(maker.inputs[std::stoul(name.substr(1))]));
  }
  return result;
}

}  // namespace webnn::cli
