// Computes only the rows or columns of a matrix product that a gatherElements with constant indices reads:
//   gatherElements(matmul(a, b), indices) = gatherElements(matmul(a, columns of b), indices - first column)
// Attention with relative positions multiplies queries by the embeddings of all distances, and then gathers the products with
// those distances that occur between the tokens of its input.
#include <algorithm>
#include <unordered_map>

#include "base/progress.h"
#include "base/unaligned.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/patterns.h"

namespace webnn::compiler {

namespace {

// The range [begin, begin + size) of a dimension that contains all elements that a gather reads, and the gather's indices
// relative to `begin`.
struct Narrowed {
  std::uint32_t begin = 0, size = 0;
  std::optional<Operand> indices;  // made when they are first used
};

class Narrower {
 public:
  Narrower(Module& module, const PassOptions& options) : module_(module), patterns_(module), options_(options) {}

  bool run() {
    if (std::ranges::none_of(module_.nodes, [&](const ModuleNode& node) { return isCandidate(node); })) return false;
    for (const ModuleNode& node : module_.nodes) {
      if (!isCandidate(node) || !narrow(node)) nodes_.push_back(node);
    }
    module_.nodes = std::move(nodes_);
    return true;
  }

 private:
  // Returns whether the node is a gather with constant indices along the rows or columns of a product that it alone uses.
  bool isCandidate(const ModuleNode& node) const {
    const auto* gather = as<ops::GatherElements>(node.operation);
    if (!gather || !isConstant(gather->indices) || !patterns_.isUsedOnce(gather->input)) return false;
    return patterns_.made<ops::Matmul>(gather->input) && gather->options.axis + 2 >= gather->input.rank();
  }

  // Appends the nodes that replace a candidate. Returns false if it reads over half of the dimension or a budget is exceeded.
  bool narrow(const ModuleNode& node) {
    const ops::GatherElements& gather = *as<ops::GatherElements>(node.operation);
    const std::uint32_t axis = gather.options.axis, size = gather.input.shape()[axis];
    Narrowed* narrowed = narrowedOf(gather.indices, size);
    if (!narrowed || narrowed->size > size / 2 || !makeIndices(*narrowed, gather.indices, size)) return false;
    module_.rewritten = node.origins;
    const ModuleNode* producer = patterns_.producerOf(gather.input);
    addOrigins(module_.rewritten, producer->origins);
    ops::Matmul product = *as<ops::Matmul>(producer->operation);
    const bool hasColumns = axis + 1 == gather.input.rank();
    Operand& factor = hasColumns ? product.b : product.a;
    factor = part(factor, factor.rank() - (hasColumns ? 1 : 2), *narrowed, 0);
    ops::GatherElements inside = gather;
    inside.input = module_.append(nodes_, Operation(std::move(product)));
    inside.indices = *narrowed->indices;
    nodes_.push_back({Operation(std::move(inside)), node.outputs, node.origins});
    return true;
  }

  // Returns the range that the indices address; null if there are too many indices for the remaining compile work.
  Narrowed* narrowedOf(const Operand& indices, std::uint32_t size) {
    const auto [at, isNew] = narrowed_.try_emplace({indices.record().index, size});
    if (!isNew) return &at->second;
    if (!BudgetScope::current().spendCompileWork(elementCount(indices.descriptor()) * sizeof(std::int32_t))) {
      narrowed_.erase(at);
      return nullptr;
    }
    const std::vector<std::int32_t> all = resolvedIndices(indices, size);
    const auto [least, greatest] = std::ranges::minmax(all);
    at->second.begin = static_cast<std::uint32_t>(least);
    at->second.size = static_cast<std::uint32_t>(greatest - least) + 1;
    return &at->second;
  }

  bool makeIndices(Narrowed& narrowed, const Operand& indices, std::uint32_t size) {
    if (narrowed.indices) return true;
    const std::uint64_t elements = elementCount(indices.descriptor()), bytes = elements * sizeof(std::int32_t);
    if (options_.folding && !options_.folding->take(static_cast<double>(elements), static_cast<double>(bytes))) return false;
    const std::vector<std::int32_t> all = resolvedIndices(indices, size);
    std::vector<std::byte> relative(bytes);
    inParts(all.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        storeUnaligned(relative.data() + i * sizeof(std::int32_t), all[i] - static_cast<std::int32_t>(narrowed.begin));
    });
    narrowed.indices = module_.constant({DataType::int32, indices.shape()}, std::move(relative), indices.record().name);
    return true;
  }

  // Returns whether the operand is a constant, possibly transposed and reshaped.
  bool isOfConstant(const Operand& operand) const {
    Operand at = operand;
    for (std::size_t depth = 0; depth < kMostUnwrapped && !isConstant(at); ++depth) {
      if (const auto* transpose = patterns_.made<ops::Transpose>(at)) {
        at = transpose->input;
      } else if (const auto* reshape = patterns_.made<ops::Reshape>(at)) {
        at = reshape->input;
      } else {
        return false;
      }
    }
    return isConstant(at);
  }

  // Returns the slice `range` of an operand along an axis. Slices the inputs of transposes, which a product can absorb, and of
  // reshapes, so that slices of constants are folded. Does not do so for computed values with other users, which would be
  // computed twice.
  Operand part(const Operand& operand, std::size_t axis, const Narrowed& range, std::size_t depth) {
    const bool moves = depth < kMostUnwrapped && (patterns_.isUsedOnce(operand) || isOfConstant(operand));
    const ModuleNode* producer = moves ? patterns_.producerOf(operand) : nullptr;
    if (const auto* transpose = producer ? as<ops::Transpose>(producer->operation) : nullptr) {
      ops::Transpose moved = *transpose;
      moved.input = part(transpose->input, (*transpose->options.permutation)[axis], range, depth + 1);
      return module_.append(nodes_, Operation(std::move(moved)));
    }
    if (const auto* reshape = producer ? as<ops::Reshape>(producer->operation) : nullptr) {
      const Shape &from = reshape->input.shape(), &to = operand.shape();
      const std::size_t last = to.size() - axis;  // the reshape must keep the dimensions from `axis` on
      if (from.size() >= last &&
          std::equal(to.end() - static_cast<std::ptrdiff_t>(last), to.end(), from.end() - static_cast<std::ptrdiff_t>(last))) {
        ops::Reshape kept = *reshape;
        kept.input = part(reshape->input, from.size() - last, range, depth + 1);
        kept.newShape[axis] = range.size;
        return module_.append(nodes_, Operation(std::move(kept)));
      }
    }
    ops::Slice slice{.input = operand, .starts = std::vector<std::uint32_t>(operand.rank()), .sizes = operand.shape()};
    slice.starts[axis] = range.begin;
    slice.sizes[axis] = range.size;
    return module_.append(nodes_, Operation(std::move(slice)));
  }

  struct Key {
    std::uint32_t indices, size;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const { return std::size_t{key.indices} * 31 + key.size; }
  };

  Module& module_;
  Patterns patterns_;
  const PassOptions& options_;
  std::vector<ModuleNode> nodes_;
  std::unordered_map<Key, Narrowed, Hash> narrowed_;
};

}  // namespace

void narrowGathers(Module& module, const PassOptions& options) {
  if (Narrower(module, options).run()) eliminateDeadCode(module, options);
}

}  // namespace webnn::compiler
