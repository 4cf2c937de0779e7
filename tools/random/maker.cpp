#include "random/maker.h"

#include <algorithm>
#include <utility>

#include "backends/reference/reference_backend.h"
#include "base/text.h"
#include "ops/operand_record.h"
#include "random/produce.h"

namespace webnn::random {

namespace {

constexpr std::size_t kMostOperations = 400;
constexpr int kMostDepth = 3;

[[noreturn]] void misfit() { throw Error(ErrorKind::typeError, "does not fit"); }

std::size_t count(const Shape& shape) {
  std::size_t result = 1;
  for (const std::uint32_t size : shape) result *= size;
  return result;
}

// Returns whether `shape` broadcasts to `target` by NumPy's rule.
bool broadcasts(const Shape& shape, const Shape& target) {
  if (shape.size() > target.size()) return false;
  for (std::size_t i = 1; i <= shape.size(); ++i) {
    const std::uint32_t size = shape[shape.size() - i];
    if (size != 1 && size != target[target.size() - i]) return false;
  }
  return true;
}
bool broadcastTogether(const Shape& a, const Shape& b) {
  for (std::size_t i = 1; i <= std::min(a.size(), b.size()); ++i) {
    const std::uint32_t x = a[a.size() - i], y = b[b.size() - i];
    if (x != y && x != 1 && y != 1) return false;
  }
  return true;
}

}  // namespace

bool jumps(const Operation& operation) {
  return std::visit(
      []<typename Op>(const Op& op) {
        if constexpr (std::is_same_v<Op, ops::Unary>) {
          return op.kind == ops::UnaryKind::ceil || op.kind == ops::UnaryKind::floor || op.kind == ops::UnaryKind::roundEven ||
                 op.kind == ops::UnaryKind::sign;
        } else if constexpr (std::is_same_v<Op, ops::Binary>) {
          return op.kind >= ops::BinaryKind::equal;
        } else {
          return std::is_same_v<Op, ops::LogicalUnary> || std::is_same_v<Op, ops::ArgMinMax>;
        }
      },
      operation);
}

std::uint32_t Maker::size() { return choose.oneIn(5) ? choose.between(1, 9) : choose.pick(style.sizes); }

Shape Maker::shape(std::size_t rank) {
  Shape result;
  std::size_t elements = 1;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::uint32_t next = size();
    result.push_back(elements * next > style.mostElements ? 1 : next);
    elements *= result.back();
  }
  if (rank > 1) std::swap(result[0], result[choose.below(rank)]);  // any dimension may be the largest one
  return result;
}

DataType Maker::type(ops::DataTypeSet types) {
  if (types.contains(DataType::float32) && !choose.oneIn(3)) return DataType::float32;
  std::vector<DataType> all;
  for (std::size_t i = 0; i < kDataTypeCount; ++i) {
    if (types.contains(static_cast<DataType>(i))) all.push_back(static_cast<DataType>(i));
  }
  return choose.pick(all);
}

const GraphValue& Maker::valueOf(const Operand& operand) const { return pool_[places_[operand.record().index]]; }

bool Maker::fits(const GraphValue& value, ops::DataTypeSet types, ops::RankRange ranks) const {
  const std::size_t rank = value.operand.rank();
  const DataType type = value.operand.dataType();
  if (!types.contains(type) || rank < ranks.min || rank > ranks.max) return false;
  return value.known.isExact || (!takesExactOnly && (isFloat(type) || takesLoose));
}

// Returns a suitable value of the pool, often the latest one; nullopt if there is none.
template <typename Fits>
std::optional<Operand> Maker::choice(Fits fits) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < pool_.size(); ++i) {
    if (fits(pool_[i])) found.push_back(i);
  }
  if (found.empty()) return std::nullopt;
  return pool_[choose.oneIn(3) ? found.back() : choose.pick(found)].operand;
}

std::optional<Operand> Maker::existing(ops::DataTypeSet types, ops::RankRange ranks) {
  return choice([&](const GraphValue& value) { return fits(value, types, ranks); });
}

Operand Maker::any(ops::DataTypeSet types, ops::RankRange ranks) {
  if (next_ && fits(valueOf(*next_), types, ranks)) return *std::exchange(next_, std::nullopt);
  if (!choose.oneIn(8)) {
    if (const auto found = existing(types, ranks)) return *found;
  }
  const std::uint32_t usual = std::min<std::uint32_t>(ranks.max, std::max<std::uint32_t>(ranks.min, 4));
  const std::uint32_t rank = choose.between(ranks.min, choose.oneIn(8) ? ranks.max : usual);
  return shaped({type(types), shape(rank)});
}

Operand Maker::shaped(const OperandDescriptor& descriptor, Range range) {
  // An existing or computed value may lie outside the range. Positive ranges (scales, variances, divisors) therefore usually
  // get a fresh operand.
  const bool isFree = range.low <= 0 || choose.oneIn(3);
  if (isFree && !choose.oneIn(4)) {
    const auto found = choice([&](const GraphValue& value) {
      return value.operand.descriptor() == descriptor && fits(value, {descriptor.dataType}, ops::kAnyRank);
    });
    if (found) return *found;
  }
  if (isFree && depth_ < kMostDepth && operations_ < kMostOperations && choose.oneIn(3)) {
    ++depth_;
    std::optional<Operand> result;
    try {
      result = derived(descriptor);
    } catch (const Error&) {
      next_.reset();
    }
    --depth_;
    if (result) return *result;
  }
  return fresh(descriptor, range);
}

Operand Maker::partner(DataType type, const Shape& target, Range range) {
  if (!choose.oneIn(3)) {
    const auto found = choice([&](const GraphValue& value) {
      return fits(value, {type}, ops::kAnyRank) && broadcastTogether(value.operand.shape(), target);
    });
    if (found) return *found;
  }
  if (!choose.oneIn(6)) return broadcastable(type, target, range);
  Shape wider = target;  // a shape to which `target` broadcasts
  for (std::uint32_t& size : wider) {
    if (size == 1 && choose.oneIn(2)) size = this->size();
  }
  while (wider.size() < kMaxRank && choose.oneIn(2)) wider.insert(wider.begin(), choose.oneIn(2) ? 1 : size());
  return count(wider) > style.mostElements ? broadcastable(type, target, range) : shaped({type, wider}, range);
}

Operand Maker::broadcastable(DataType type, const Shape& target, Range range) {
  if (!choose.oneIn(3) && range.low <= 0) {
    const auto found = choice(
        [&](const GraphValue& value) { return fits(value, {type}, ops::kAnyRank) && broadcasts(value.operand.shape(), target); });
    if (found) return *found;
  }
  Shape shape = target;
  if (choose.oneIn(3)) shape.erase(shape.begin(), shape.begin() + choose.below(shape.size() + 1));
  const std::uint32_t form = choose.below(5);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (form == 1 || (form == 2 && choose.oneIn(2)) || (form == 3 && i + 1 < shape.size()) || (form == 4 && i != 1)) shape[i] = 1;
  }
  return shaped({type, shape}, range);
}

Operand Maker::constant(const OperandDescriptor& descriptor, Bytes bytes) {
  const Operand operand = builder_.constant(descriptor, bytes);
  const Known known = describe(descriptor, bytes);
  add(operand, std::move(bytes), known, false);
  return operand;
}

Operand Maker::number(DataType type, double value) {
  OperandDescriptor descriptor{type, {}};
  if (choose.oneIn(3)) descriptor.shape.assign(choose.between(1, 4), 1);
  Bytes bytes(byteLength(descriptor));
  setReal(type, bytes, 0, value);
  return constant(descriptor, std::move(bytes));
}

Operand Maker::fresh(const OperandDescriptor& descriptor, Range range) {
  if (elementCount(descriptor) > style.mostElements * 4) misfit();
  if (style.isQuantized && isFloat(descriptor.dataType) && choose.oneIn(2) && !takesExactOnly)
    return dequantized(descriptor, range);
  Bytes bytes = fill(descriptor, style, range, choose.seed());
  if (choose.oneIn(12)) {  // make all elements equal
    for (std::size_t i = 1; i < elementCount(descriptor); ++i) {
      setBits(descriptor.dataType, bytes, i, bitsAt(descriptor.dataType, bytes, 0));
    }
  }
  const bool isConstant = style.hasConstants ? !choose.oneIn(4) : choose.oneIn(4);
  if (isConstant && !pool_.empty()) return constant(descriptor, std::move(bytes));
  const Operand operand = builder_.input("x" + std::to_string(inputs_.size()), descriptor);
  inputs_.push_back(bytes);
  const Known known = describe(descriptor, bytes);
  add(operand, std::move(bytes), known, false);
  return operand;
}

// Returns a dequantized value with one scale, one per index of an axis, or one per block.
Operand Maker::dequantized(const OperandDescriptor& descriptor, Range range) {
  const DataType type = choose.pick({DataType::int8, DataType::uint8, DataType::int4, DataType::uint4, DataType::int32});
  Shape blocks(descriptor.shape.size(), 1);
  const std::uint32_t form = choose.below(3), along = choose.below(blocks.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::uint32_t size = descriptor.shape[i];
    if (form == 1 && i == along) blocks[i] = size;
    if (form == 2) blocks[i] = size % 2 == 0 && choose.oneIn(2) ? size / 2 : choose.oneIn(2) ? size : 1;
  }
  const Range low = range.low > 0 ? Range{1, 7} : Range{-4, 7};
  const Bytes numbers = fill({type, descriptor.shape}, style, low, choose.seed());
  const Operand input = choose.oneIn(3) ? fresh({type, descriptor.shape}, low) : constant({type, descriptor.shape}, numbers);
  const Operand zeroPoint =
      constant({type, blocks}, fill({type, blocks}, style, range.low > 0 ? Range{0, 0} : Range{-2, 3}, choose.seed()));
  const Operand scale =
      constant({descriptor.dataType, blocks}, fill({descriptor.dataType, blocks}, style, {0.05, 0.5}, choose.seed()));
  return one(ops::DequantizeLinear{input, scale, zeroPoint, {}});
}

void Maker::add(const Operand& operand, Bytes bytes, Known known, bool isResult) {
  const std::uint32_t index = operand.record().index;
  if (places_.size() <= index) places_.resize(index + 1);
  places_[index] = pool_.size();
  pool_.push_back({operand, std::move(bytes), known, 0, isResult});
}

std::vector<Operand> Maker::append(Operation operation) {
  if (operations_ >= kMostOperations) misfit();
  const ops::Outputs outputs = validate(operation);
  std::vector<Known> known;
  std::vector<std::span<const std::byte>> operands;
  visitOperands(operation, [&](std::string_view, const Operand& operand) {
    known.push_back(valueOf(operand).known);
    operands.push_back(valueOf(operand).bytes);
  });
  const Judgement judgement = judge(operation, known);
  for (const OperandDescriptor& output : outputs) {
    const std::size_t elements = elementCount(output);
    if (elements > style.mostElements * 4 || elements * judgement.terms > style.mostWork) misfit();
  }
  const bool open = isOpen(operation, judgement, known);
  if (open && !style.isOpen) misfit();
  std::vector<Bytes> results = reference::evaluate(operation, operands, outputs);
  visitOperands(operation, [&](std::string_view, const Operand& operand) { ++pool_[places_[operand.record().index]].uses; });
  const std::vector<Operand> result = builder_.append(std::move(operation));
  ++operations_;
  for (std::size_t i = 0; i < result.size(); ++i) {
    Known of = describe(outputs[i], results[i]);
    of.isExact = !open && isExact(judgement, known, outputs[i].dataType);
    add(result[i], std::move(results[i]), of, true);
  }
  return result;
}

Operand Maker::derived(const OperandDescriptor& descriptor) {
  if (choose.below(3) < 2) return produce(*this, descriptor);
  const auto found = existing({descriptor.dataType}, ops::kAnyRank);
  return adapted(found ? *found : fresh({descriptor.dataType, shape(choose.below(5))}), descriptor);
}

Operand Maker::adapted(Operand operand, const OperandDescriptor& descriptor) {
  if (operand.dataType() != descriptor.dataType) operand = one(ops::Cast{operand, descriptor.dataType, {}});
  const Shape& target = descriptor.shape;
  const std::size_t wanted = count(target);
  if (operand.shape() == target) return operand;
  Shape sorted = operand.shape(), sortedTarget = target;
  std::ranges::sort(sorted), std::ranges::sort(sortedTarget);
  if (sorted == sortedTarget && choose.oneIn(2)) {  // transpose
    std::vector<std::uint32_t> permutation;
    std::vector<bool> isTaken(target.size());
    for (const std::uint32_t size : target) {
      for (std::uint32_t i = 0; i < target.size(); ++i) {
        if (isTaken[i] || operand.shape()[i] != size) continue;
        isTaken[i] = true;
        permutation.push_back(i);
        break;
      }
    }
    return one(ops::Transpose{operand, {.permutation = permutation}});
  }
  if (broadcasts(operand.shape(), target) && !choose.oneIn(4)) return one(ops::Expand{operand, target, {}});
  if (operand.rank() == target.size() && choose.oneIn(2)) {  // slice, then pad
    std::vector<std::uint32_t> starts, sizes, begin(target.size()), end;
    for (std::size_t i = 0; i < target.size(); ++i) {
      const std::uint32_t size = operand.shape()[i];
      sizes.push_back(std::min(size, target[i]));
      starts.push_back(choose.below(size - sizes.back() + 1));
      end.push_back(target[i] - sizes.back());
    }
    if (sizes != operand.shape()) operand = one(ops::Slice{operand, starts, sizes, {}});
    if (operand.shape() == target) return operand;
    return one(ops::Pad{operand, begin, end, {.value = static_cast<int>(choose.below(2))}});
  }
  std::size_t elements = count(operand.shape());
  if (elements < wanted) {
    operand = one(ops::Reshape{operand, {static_cast<std::uint32_t>(elements)}, {}});
    operand = one(ops::Tile{operand, {static_cast<std::uint32_t>((wanted + elements - 1) / elements)}, {}});
    elements = count(operand.shape());
  }
  if (elements > wanted) {
    if (operand.rank() != 1) operand = one(ops::Reshape{operand, {static_cast<std::uint32_t>(elements)}, {}});
    operand = one(ops::Slice{operand, {choose.below(elements - wanted + 1)}, {static_cast<std::uint32_t>(wanted)}, {}});
  }
  return operand.shape() == target ? operand : one(ops::Reshape{operand, target, {}});
}

}  // namespace webnn::random
