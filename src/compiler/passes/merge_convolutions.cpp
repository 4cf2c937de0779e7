// Merges parallel convolutions of one input whose results are added: the sum of the filters convolves once. Networks in the form
// in which they are trained (RepVGG, MobileOne) add a 3x3 convolution, a 1x1 convolution and a batch normalization of the same
// image. docs/explanation/cpu.md states how results may differ.
#include <cmath>

#include "base/progress.h"
#include "compiler/passes/fold_node.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/patterns.h"
#include "ops/conv.h"

namespace webnn::compiler {

namespace {

using ops::BinaryKind;

bool isFloatConstant(const Operand& operand) { return isConstant(operand) && isFloat32(operand); }
bool isFloatConstant(const std::optional<Operand>& operand) { return !operand || isFloatConstant(*operand); }

std::uint32_t outputsOf(const ops::Conv2d& conv) { return conv.filter.shape()[ops::axesOf(conv.options.filterLayout).output]; }

// The number of taps of the wide filter before the first and after the last tap of the narrow filter, along one axis.
struct Margins {
  std::uint32_t before = 0, after = 0;
};
std::optional<Margins> marginsOf(const ops::WindowAxis& narrow, const ops::WindowAxis& wide) {
  if (narrow.stride != wide.stride || (narrow.windowSize > 1 && narrow.dilation != wide.dilation) ||
      wide.beginningPadding < narrow.beginningPadding)
    return std::nullopt;
  const std::uint64_t offset = wide.beginningPadding - narrow.beginningPadding, before = offset / wide.dilation;
  if (offset % wide.dilation != 0 || before + narrow.windowSize > wide.windowSize) return std::nullopt;
  return Margins{static_cast<std::uint32_t>(before), static_cast<std::uint32_t>(wide.windowSize - narrow.windowSize - before)};
}

class Merger {
 public:
  Merger(Module& module, const PassOptions& options) : module_(module), patterns_(module), options_(options) {}

  void run() {
    bool isChanged = false;
    for (ModuleNode& node : module_.nodes) {
      const auto* add = as<ops::Binary>(node.operation);
      if (!add || add->kind != BinaryKind::add) continue;
      const Operand a = add->a, b = add->b;
      std::optional<ops::Conv2d> merged = sumOf(a, b, node.outputs[0]);
      if (!merged) merged = sumOf(b, a, node.outputs[0]);
      if (!merged) continue;
      node.operation = EngineOperation(Operation(*std::move(merged)));
      isChanged = true;
    }
    if (isChanged) eliminateDeadCode(module_, options_);
  }

 private:
  struct Weights {
    Operand filter;
    std::optional<Operand> bias;
  };

  // Returns the convolution that computes `convolved` + `added`; nullopt if there is none.
  std::optional<ops::Conv2d> sumOf(const Operand& convolved, const Operand& added, const Operand& sum) {
    const auto* conv = patterns_.made<ops::Conv2d>(convolved);
    if (!conv || !patterns_.isUsedOnce(convolved) || convolved.descriptor() != sum.descriptor() ||
        !isFloatConstant(conv->filter) || !isFloatConstant(conv->options.bias))
      return std::nullopt;
    const std::optional<Weights> other = weightsOf(added, *conv, sum);
    if (!other) return std::nullopt;
    ops::Conv2d merged = *conv;
    if (other->filter) {
      const auto filter = folded(ops::Binary{.kind = BinaryKind::add, .a = conv->filter, .b = other->filter});
      if (!filter) return std::nullopt;
      merged.filter = *filter;
    }
    if (conv->options.bias && other->bias) {
      merged.options.bias = folded(ops::Binary{.kind = BinaryKind::add, .a = *conv->options.bias, .b = *other->bias});
      if (!merged.options.bias) return std::nullopt;
    } else if (other->bias) {
      merged.options.bias = other->bias;
    }
    return keepsSizes(*conv, *other, merged) ? std::optional(merged) : std::nullopt;
  }

  // Returns weights with which `conv` would compute `added`; an empty filter stands for zeros. Unless `added` is a number, it
  // must have the shape of the sum: a result that is broadcast is no convolution with the strides of `conv`.
  std::optional<Weights> weightsOf(const Operand& added, const ops::Conv2d& conv, const Operand& sum) {
    // Exporters write the sum of a list as a chain of additions that begins with the constant 0.
    if (isFloatConstant(added)) {
      if (elementCount(added.descriptor()) != 1) return std::nullopt;
      const auto bias = folded(ops::Expand{.input = module_.reshaped(added, {1}), .newShape = {outputsOf(conv)}});
      return bias ? std::optional(Weights{{}, bias}) : std::nullopt;
    }
    if (!patterns_.isUsedOnce(added) || added.descriptor() != sum.descriptor()) return std::nullopt;
    if (const auto* narrow = patterns_.made<ops::Conv2d>(added)) return weightsOf(*narrow, conv);
    if (const auto* norm = patterns_.made<ops::BatchNormalization>(added)) return weightsOf(*norm, conv);
    return std::nullopt;
  }

  std::optional<Weights> weightsOf(const ops::Conv2d& narrow, const ops::Conv2d& conv) {
    if (narrow.input != conv.input || narrow.options.groups != conv.options.groups || outputsOf(narrow) != outputsOf(conv) ||
        narrow.options.inputLayout != conv.options.inputLayout || narrow.options.filterLayout != conv.options.filterLayout ||
        !isFloatConstant(narrow.filter) || !isFloatConstant(narrow.options.bias))
      return std::nullopt;
    return widened({narrow.filter, narrow.options.bias}, ops::convolutionAxes(narrow), conv);
  }

  // A batch normalization over channels is a depthwise 1x1 convolution.
  std::optional<Weights> weightsOf(const ops::BatchNormalization& norm, const ops::Conv2d& conv) {
    const auto& options = norm.options;
    if (norm.input != conv.input || options.axis != ops::axesOf(conv.options.inputLayout).channel ||
        !isFloatConstant(norm.mean) || !isFloatConstant(norm.variance) || !isFloatConstant(options.scale) ||
        !isFloatConstant(options.bias))
      return std::nullopt;
    const ops::FilterAxes axes = ops::axesOf(conv.options.filterLayout);
    Shape single = conv.filter.shape();
    single[axes.height] = single[axes.width] = 1;
    const std::uint32_t channels = outputsOf(conv), inputs = single[axes.input];
    const std::uint64_t elements = std::uint64_t{channels} * inputs;
    if (!BudgetScope::current().spendCompileWork(elements * sizeof(float))) return std::nullopt;
    if (options_.folding && !options_.folding->take(static_cast<double>(elements), 4.0 * static_cast<double>(elements)))
      return std::nullopt;
    const std::vector<double> mean = constantNumbers(norm.mean), variance = constantNumbers(norm.variance);
    const std::vector<double> scale = options.scale ? constantNumbers(*options.scale) : std::vector<double>(channels, 1);
    const std::vector<double> shift = options.bias ? constantNumbers(*options.bias) : std::vector<double>(channels);
    std::vector<float> filter(elements), bias(channels);
    for (std::size_t c = 0; c < channels; ++c) {
      const double factor = scale[c] / std::sqrt(variance[c] + options.epsilon);
      filter[axes.input > axes.output ? c * inputs + c % inputs : c % inputs * channels + c] = static_cast<float>(factor);
      bias[c] = static_cast<float>(shift[c] - mean[c] * factor);
    }
    const Weights weights{constantOf(std::move(single), filter), constantOf({channels}, bias)};
    const ops::WindowAxis one{
        .name = {}, .inputSize = 1, .windowSize = 1, .stride = 1, .dilation = 1, .beginningPadding = 0, .endingPadding = 0};
    return widened(weights, {one, one}, conv);
  }

  // Pads the narrow filter with zeros to the size of the filter of `conv`, so that both read the same input pixels.
  std::optional<Weights> widened(const Weights& weights, const std::array<ops::WindowAxis, 2>& narrow, const ops::Conv2d& conv) {
    const auto wide = ops::convolutionAxes(conv);
    const auto y = marginsOf(narrow[0], wide[0]), x = marginsOf(narrow[1], wide[1]);
    if (!y || !x) return std::nullopt;
    const ops::FilterAxes axes = ops::axesOf(conv.options.filterLayout);
    std::vector<std::uint32_t> before(4), after(4);
    before[axes.height] = y->before, before[axes.width] = x->before;
    after[axes.height] = y->after, after[axes.width] = x->after;
    const auto filter = folded(ops::Pad{.input = weights.filter, .beginningPadding = before, .endingPadding = after});
    return filter ? std::optional(Weights{*filter, weights.bias}) : std::nullopt;
  }

  // Returns whether the merged weights of each output are neither too large nor much smaller than the weights of both operands
  // together. If weights cancel, rounding errors are a large part of the graph's result, and the merged convolution would not
  // reproduce them.
  bool keepsSizes(const ops::Conv2d& conv, const Weights& other, const ops::Conv2d& merged) {
    constexpr double kMostCancelled = 8, kLargest = 0x1p96;
    const auto before = sizesOf(conv, {conv.filter, conv.options.bias}), added = sizesOf(conv, other),
               after = sizesOf(conv, {merged.filter, merged.options.bias});
    if (!before || !added || !after) return false;
    for (std::size_t o = 0; o < after->size(); ++o) {
      const double sum = (*before)[o] + (*added)[o];
      if (!(sum <= kLargest) || (*after)[o] * kMostCancelled < sum) return false;
    }
    return true;
  }

  // Returns, for each output channel, the sum of the absolute values of its weights and bias.
  std::optional<std::vector<double>> sizesOf(const ops::Conv2d& conv, const Weights& weights) {
    std::vector<double> sizes(outputsOf(conv));
    if (weights.filter) {
      std::vector<std::uint32_t> axes;
      for (std::uint32_t axis = 0; axis < 4; ++axis) {
        if (axis != ops::axesOf(conv.options.filterLayout).output) axes.push_back(axis);
      }
      ops::Reduce sum{.kind = ops::ReduceKind::reduceL1, .input = weights.filter};
      sum.options.axes = std::move(axes);
      const auto folding = folded(std::move(sum));
      if (!folding) return std::nullopt;
      sizes = constantNumbers(*folding);
    }
    if (weights.bias) {
      const std::vector<double> bias = constantNumbers(*weights.bias);
      for (std::size_t o = 0; o < sizes.size(); ++o) sizes[o] += std::abs(bias[o]);
    }
    return sizes;
  }

  // Computes an operation on constants, within the folding budget.
  std::optional<Operand> folded(Operation operation) { return foldOperation(module_, std::move(operation), options_); }

  Operand constantOf(Shape shape, const std::vector<float>& values) {
    const std::span<const std::byte> bytes = std::as_bytes(std::span(values));
    return module_.constant({DataType::float32, std::move(shape)}, std::vector<std::byte>(bytes.begin(), bytes.end()));
  }

  Module& module_;
  Patterns patterns_;
  const PassOptions& options_;
};

}  // namespace

void mergeConvolutions(Module& module, const PassOptions& options) { Merger(module, options).run(); }

}  // namespace webnn::compiler
