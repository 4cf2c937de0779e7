// Finds resampling by constant taps that is written as gathers with constant indices, products with constant weights, and sums:
//   reduceSum(gather(x, indices [size, taps]) * weights)       as the ONNX importer writes Resize
//   gather(x, left) * u + gather(x, right) * w                 as exporters decompose it
//   gather(x, left) + (gather(x, right) - gather(x, left)) * w
// Then merges the resampling of two axes, and casts around it.
#include <algorithm>
#include <cmath>

#include "base/progress.h"
#include "base/unaligned.h"
#include "compiler/passes/fold_node.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/patterns.h"

namespace webnn::compiler {

namespace {

using ops::BinaryKind;

bool isOf(const Operand& operand, DataType type) { return operand.dataType() == type; }

template <typename T>
Operand tableOf(Module& module, DataType type, std::size_t size, std::size_t taps, const std::vector<T>& numbers) {
  std::vector<std::byte> bytes(numbers.size() * sizeof(T));
  inParts(numbers.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) storeUnaligned(bytes.data() + i * sizeof(T), numbers[i]);
  });
  return module.constant({type, {static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(taps)}}, std::move(bytes));
}

// Returns the elements of a constant that varies only along `count` dimensions from `axis` on of a tensor of the given shape, as
// a tensor of these dimensions. Returns an empty vector for other operands.
std::vector<double> weightsAlong(const Operand& operand, const Shape& shape, std::size_t axis, std::size_t count) {
  if (!isConstant(operand) || !isFloat32(operand) || operand.rank() > shape.size()) return {};
  const std::size_t missing = shape.size() - operand.rank();
  std::size_t size = 1;
  std::vector<std::size_t> strides(count, 0);
  for (std::size_t d = shape.size(); d-- > missing;) {
    const std::uint32_t own = operand.shape()[d - missing];
    if (own == 1) continue;
    if (d < axis || d >= axis + count || own != shape[d]) return {};
    strides[d - axis] = size;
    size *= own;
  }
  const std::vector<double> numbers = constantNumbers(operand);
  const std::size_t columns = count == 2 ? shape[axis + 1] : 1;
  std::vector<double> weights(std::size_t{shape[axis]} * columns);
  inParts(weights.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      weights[i] = numbers[i / columns * strides[0] + (count == 2 ? i % columns * strides[1] : 0)];
  });
  return weights;
}

// The factors of a product: `weights` is the constant one.
struct Product {
  Operand values, weights;
};
std::optional<Product> weighted(const Patterns& patterns, const Operand& operand) {
  const auto* mul = patterns.binary(operand, BinaryKind::mul);
  if (!mul || isConstant(mul->a) == isConstant(mul->b)) return std::nullopt;
  return isConstant(mul->a) ? Product{mul->b, mul->a} : Product{mul->a, mul->b};
}

std::vector<float> rounded(const std::vector<double>& numbers) { return {numbers.begin(), numbers.end()}; }

// Returns whether all weights are 0 or of ordinary size. Products with other weights could overflow or become 0, in the graph or
// in another order of multiplications.
bool areOrdinary(const std::vector<double>& weights) {
  constexpr double kLeast = 0x1p-64, kGreatest = 0x1p32;
  return std::ranges::all_of(
      weights, [](double weight) { return weight == 0 || (std::abs(weight) >= kLeast && std::abs(weight) <= kGreatest); });
}

bool becomeResample(const Patterns& patterns, ModuleNode& node, const Operand& input, std::uint32_t axis, std::size_t taps,
                    const std::vector<std::int32_t>& indices, const std::vector<float>& weights) {
  const std::size_t size = indices.size() / taps;
  Resample op{.input = input};
  op.axes.push_back({axis, tableOf(patterns.module, DataType::int32, size, taps, indices),
                     tableOf(patterns.module, DataType::float32, size, taps, weights)});
  op.options.label = label(node.operation);
  node.operation = std::move(op);
  return true;
}

bool recogniseReduction(const Patterns& patterns, ModuleNode& node) {
  const auto* sum = as<ops::Reduce>(node.operation);
  if (!sum || sum->kind != ops::ReduceKind::reduceSum || sum->options.keepDimensions || sum->options.axes->size() != 1)
    return false;
  const std::optional<Product> product = weighted(patterns, sum->input);
  const auto* gather = product ? patterns.made<ops::Gather>(product->values) : nullptr;
  if (!gather || !isFloat32(gather->input) || !isConstant(gather->indices)) return false;
  const std::uint32_t axis = gather->options.axis;
  const Shape& taps = gather->indices.shape();
  if (taps.size() != 2 || taps[1] > AxisTaps::kMost || (*sum->options.axes)[0] != axis + 1) return false;
  const Shape& shape = product->values.shape();
  if (sum->input.shape() != shape || !patterns.areInner({sum->input, product->values}, node.outputs[0])) return false;
  const std::vector<double> weights = weightsAlong(product->weights, shape, axis, 2);
  if (weights.empty() || !areOrdinary(weights)) return false;
  const Operand input = gather->input;
  return becomeResample(patterns, node, input, axis, taps[1], resolvedIndices(gather->indices, input.shape()[axis]),
                        rounded(weights));
}

// A sum of gathered elements of `input` along one axis, each multiplied by weights that vary along this axis.
class Terms {
 public:
  Terms(const Patterns& patterns, const Operand& result) : patterns_(patterns), result_(result) {}

  bool add(const Operand& operand, const std::vector<double>& weights) {
    if (inner_.size() >= kMostUnwrapped || operand.shape() != result_.shape() || !areOrdinary(weights)) return false;
    if (!isSame(operand, result_)) inner_.push_back(operand);
    if (const auto* sum = patterns_.binary(operand, BinaryKind::add)) return add(sum->a, weights) && add(sum->b, weights);
    if (const auto* difference = patterns_.binary(operand, BinaryKind::sub)) {
      return add(difference->a, weights) && add(difference->b, multiplied(weights, {-1}));
    }
    if (const std::optional<Product> product = weighted(patterns_, operand)) {
      for (std::size_t axis = 0; axis < result_.rank(); ++axis) {
        if (axis_ && axis != *axis_) continue;
        const std::vector<double> own = weightsAlong(product->weights, result_.shape(), axis, 1);
        const bool isNumber = elementCount(product->weights.descriptor()) == 1;
        if (own.empty()) continue;
        if (isNumber) return add(product->values, multiplied(weights, {own[0]}));
        axis_ = axis;
        return add(product->values, multiplied(weights, own));
      }
      return false;
    }
    return addGather(operand, weights);
  }

  bool become(ModuleNode& node) const {
    if (gathers_.size() < 2 || !patterns_.areInner(inner_, result_)) return false;
    const std::size_t size = result_.shape()[*axis_], taps = gathers_.size();
    if (cancels(size)) return false;
    std::vector<std::int32_t> indices(size * taps);
    std::vector<float> weights(size * taps);
    for (std::size_t t = 0; t < taps; ++t) {
      const Part& part = gathers_[t];
      const std::vector<std::int32_t> own = resolvedIndices(part.indices, input_->shape()[*axis_]);
      inParts(size, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
          indices[k * taps + t] = own[k];
          weights[k * taps + t] = static_cast<float>(part.weights.size() == 1 ? part.weights[0] : part.weights[k]);
        }
      });
    }
    return becomeResample(patterns_, node, *input_, static_cast<std::uint32_t>(*axis_), taps, indices, weights);
  }

 private:
  struct Part {
    Operand gathered, indices;
    std::vector<double> weights;  // one element for all, or one for each index
  };

  // Returns whether, for an output element, the joined weights sum up (in magnitude) to less than an eighth of the separate
  // terms' weights. Rounding errors would then be a large part of the graph's result, and the resampling would not reproduce
  // them.
  bool cancels(std::size_t size) const {
    constexpr double kMostCancelled = 8;
    for (std::size_t k = 0; k < size; ++k) {
      double left = 0;
      for (const Part& part : gathers_) left += std::abs(part.weights[part.weights.size() == 1 ? 0 : k]);
      if (left * kMostCancelled < added_[added_.size() == 1 ? 0 : k]) return true;
    }
    return false;
  }

  // Adds map(number) for each of `numbers` to `sum`. A vector of one element is broadcast to the length of the other.
  static void addTo(std::vector<double>& sum, const std::vector<double>& numbers, auto map) {
    if (sum.size() < numbers.size()) sum.resize(numbers.size(), sum[0]);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += map(numbers[numbers.size() == 1 ? 0 : i]);
  }

  static std::vector<double> multiplied(const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> result(std::max(a.size(), b.size()));
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = a[a.size() == 1 ? 0 : i] * b[b.size() == 1 ? 0 : i];
    return result;
  }

  bool addGather(const Operand& operand, const std::vector<double>& weights) {
    const auto* gather = patterns_.made<ops::Gather>(operand);
    if (!gather || !isConstant(gather->indices) || gather->indices.rank() != 1) return false;
    if (axis_ && *axis_ != gather->options.axis) return false;
    if (input_ && !isSame(*input_, gather->input)) return false;
    axis_ = gather->options.axis;
    input_ = gather->input;
    addTo(added_, weights, [](double weight) { return std::abs(weight); });
    for (Part& part : gathers_) {
      if (!isSame(part.gathered, operand)) continue;
      addTo(part.weights, weights, [](double weight) { return weight; });
      return true;
    }
    gathers_.push_back({operand, gather->indices, weights});
    return true;
  }

  const Patterns& patterns_;
  const Operand& result_;
  std::optional<std::size_t> axis_;
  std::optional<Operand> input_;
  std::vector<Part> gathers_;
  std::vector<double> added_{0};  // sum of the absolute weights of an element's terms: one number for all, or one for each
  std::vector<Operand> inner_;
};

bool recogniseSum(const Patterns& patterns, ModuleNode& node) {
  const auto* op = as<ops::Binary>(node.operation);
  if (!op || op->kind != BinaryKind::add || !isFloat32(node.outputs[0])) return false;
  Terms terms(patterns, node.outputs[0]);
  return terms.add(node.outputs[0], {1}) && terms.become(node);
}

bool mergeAxes(const Patterns& patterns, ModuleNode& node) {
  auto* second = as<Resample>(node.operation);
  if (!second || second->axes.size() != 1 || !patterns.isUsedOnce(second->input)) return false;
  const auto* first = patterns.made<Resample>(second->input);
  if (!first || first->axes.size() != 1 || first->axes[0].axis == second->axes[0].axis) return false;
  second->axes.insert(second->axes.begin() + (first->axes[0].axis < second->axes[0].axis ? 0 : 1), first->axes[0]);
  second->input = first->input;
  return true;
}

// Merges casts from and to float16 into the Resample between them, which computes in float32 and rounds the result once.
bool absorbCasts(const Patterns& patterns, ModuleNode& node) {
  const auto* cast = as<ops::Cast>(node.operation);
  if (!cast || !isOf(node.outputs[0], DataType::float16) || !patterns.isUsedOnce(cast->input)) return false;
  const auto* op = patterns.made<Resample>(cast->input);
  const auto* from = op ? patterns.made<ops::Cast>(op->input) : nullptr;
  if (!from || !isOf(from->input, DataType::float16)) return false;
  Resample merged = *op;
  merged.input = from->input;
  node.operation = std::move(merged);
  return true;
}

}  // namespace

void recogniseResampling(Module& module, const PassOptions& options) {
  const auto hasConstantIndices = [](const ModuleNode& node) {
    const auto* gather = as<ops::Gather>(node.operation);
    return gather && isConstant(gather->indices);
  };
  if (std::ranges::none_of(module.nodes, hasConstantIndices)) return;
  const auto offerAll = [&](auto change) {
    bool isChanged = false;
    const Patterns patterns(module);
    // Visits the last node of a sum first, so that no part of the sum is replaced alone.
    for (std::size_t i = module.nodes.size(); i-- > 0;) isChanged |= change(patterns, module.nodes[i]);
    if (isChanged) eliminateDeadCode(module, options);
    return isChanged;
  };
  const bool isFound = offerAll([](const Patterns& patterns, ModuleNode& node) {
    return recogniseReduction(patterns, node) || recogniseSum(patterns, node);
  });
  if (!isFound) return;
  offerAll(mergeAxes);
  offerAll(absorbCasts);
}

}  // namespace webnn::compiler
