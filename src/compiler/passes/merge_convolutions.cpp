// Merges parallel convolutions of one input whose results are added: the sum of the filters convolves once. Networks in the form
// in which they are trained (RepVGG, MobileOne) add a 3x3 convolution, a 1x1 convolution and a batch normalization of the same
// image. All filters must be float32 constants. The results differ by rounding; where an input is infinite, results of opposite
// signs are no longer added to NaN.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <optional>
#include <utility>

#include "base/unaligned.h"
#include "compiler/passes/passes.h"
#include "ops/conv.h"

namespace webnn::compiler {

namespace {

bool isFloatConstant(const Operand& operand) { return isConstant(operand) && operand.dataType() == DataType::float32; }

std::vector<float> floatsOf(const Operand& constant) {
  std::vector<float> values(elementCount(constant.descriptor()));
  std::memcpy(values.data(), constant.record().bytes.data(), values.size() * sizeof(float));
  return values;
}

// Where the elements of a filter lie: [output][input of the group][y][x].
struct FilterPlaces {
  explicit FilterPlaces(const ops::Conv2d& conv) {
    const ops::FilterAxes axes = ops::axesOf(conv.options.filterLayout);
    const Shape& shape = conv.filter.shape();
    const std::array<std::size_t, 4> order{axes.output, axes.input, axes.height, axes.width};
    for (std::size_t i = 0; i < 4; ++i) {
      sizes[i] = shape[order[i]];
      strides[i] = 1;
      for (std::size_t d = order[i] + 1; d < 4; ++d) strides[i] *= shape[d];
    }
  }
  std::size_t at(std::size_t output, std::size_t input, std::size_t y, std::size_t x) const {
    return output * strides[0] + input * strides[1] + y * strides[2] + x * strides[3];
  }
  std::array<std::size_t, 4> sizes{}, strides{};
};

// Returns the place in `wide` of tap 0 of `narrow`, and the distance of its taps there; nullopt if a tap has no place.
struct TapPlaces {
  std::size_t first = 0, step = 1;
};
std::optional<TapPlaces> placesOf(const ops::WindowAxis& narrow, const ops::WindowAxis& wide) {
  if (narrow.stride != wide.stride) return std::nullopt;
  const auto offset = static_cast<std::int64_t>(wide.beginningPadding) - static_cast<std::int64_t>(narrow.beginningPadding);
  const auto dilation = static_cast<std::int64_t>(wide.dilation);
  if (offset < 0 || offset % dilation != 0) return std::nullopt;
  TapPlaces places{static_cast<std::size_t>(offset / dilation), 1};
  if (narrow.windowSize > 1) {
    if (narrow.dilation % wide.dilation != 0) return std::nullopt;
    places.step = static_cast<std::size_t>(narrow.dilation / wide.dilation);
  }
  if (places.first + (narrow.windowSize - 1) * places.step >= wide.windowSize) return std::nullopt;
  return places;
}

class Merger {
 public:
  explicit Merger(Module& module) : module_(module), uses_(module), producer_(module.indexLimit(), -1) {}

  void run() {
    isGone_.resize(module_.nodes.size());
    for (std::size_t i = 0; i < module_.nodes.size(); ++i) {
      if (const auto* add = as<ops::Binary>(module_.nodes[i].operation); add && add->kind == ops::BinaryKind::add) merge(i);
      for (const Operand& output : module_.nodes[i].outputs) {
        if (output.record().index < producer_.size()) producer_[output.record().index] = static_cast<std::int32_t>(i);
      }
    }
    std::size_t node = 0;
    std::erase_if(module_.nodes, [&](const ModuleNode&) { return isGone_[node++]; });
  }

 private:
  // Returns the node that computes an operand which only the addition uses; -1 if there is none.
  std::int32_t soleProducer(const Operand& operand) const {
    const std::size_t index = operand.record().index;
    return uses_.of(operand) == 1 && !uses_.isOutput[index] ? producer_[index] : -1;
  }

  void merge(std::size_t node) {
    const ops::Binary add = *as<ops::Binary>(module_.nodes[node].operation);
    if (mergeConstant(node, add.a, add.b) || mergeConstant(node, add.b, add.a)) return;
    const std::int32_t a = soleProducer(add.a), b = soleProducer(add.b);
    if (a < 0 || b < 0 || a == b || add.a.descriptor() != add.b.descriptor()) return;
    std::optional<ops::Conv2d> merged = sumOf(a, b);
    if (!merged) merged = sumOf(b, a);
    if (!merged) return;
    replace(node, {a, b}, *std::move(merged));
  }

  // Adds a single number to the bias of a convolution. Exporters write the sum of a list as a chain that begins with 0.
  bool mergeConstant(std::size_t node, const Operand& convolved, const Operand& number) {
    const std::int32_t producer = soleProducer(convolved);
    if (producer < 0 || !isFloatConstant(number) || elementCount(number.descriptor()) != 1) return false;
    const auto* conv = as<ops::Conv2d>(module_.nodes[static_cast<std::size_t>(producer)].operation);
    if (!conv || (conv->options.bias && !isFloatConstant(*conv->options.bias)) ||
        module_.nodes[node].outputs[0].descriptor() != convolved.descriptor())
      return false;
    std::vector<float> bias(FilterPlaces(*conv).sizes[0]);
    if (conv->options.bias) bias = floatsOf(*conv->options.bias);
    const float added = floatsOf(number)[0];
    for (float& value : bias) value += added;
    ops::Conv2d merged = *conv;
    merged.options.bias = constantOf({static_cast<std::uint32_t>(bias.size())}, bias);
    replace(node, {producer}, std::move(merged));
    return true;
  }

  // Replaces an addition by a convolution, and removes the nodes that compute its operands.
  void replace(std::size_t node, const std::vector<std::int32_t>& operands, ops::Conv2d merged) {
    Origins origins = module_.nodes[node].origins;
    for (const std::int32_t operand : operands) {
      addOrigins(origins, module_.nodes[static_cast<std::size_t>(operand)].origins);
      isGone_[static_cast<std::size_t>(operand)] = true;
    }
    module_.nodes[node] = {EngineOperation(Operation(std::move(merged))), module_.nodes[node].outputs, std::move(origins)};
  }

  // Returns the sum of the convolution `wide` and another node of the same input; nullopt if the sum is no convolution.
  std::optional<ops::Conv2d> sumOf(std::int32_t wide, std::int32_t other) {
    const auto* conv = as<ops::Conv2d>(module_.nodes[static_cast<std::size_t>(wide)].operation);
    if (!conv || !isFloatConstant(conv->filter) || (conv->options.bias && !isFloatConstant(*conv->options.bias))) return {};
    const EngineOperation& added = module_.nodes[static_cast<std::size_t>(other)].operation;
    const FilterPlaces places(*conv);
    std::vector<float> filter = floatsOf(conv->filter), bias(places.sizes[0]);
    if (conv->options.bias) bias = floatsOf(*conv->options.bias);
    if (const auto* narrow = as<ops::Conv2d>(added)) {
      if (!addConvolution(*conv, *narrow, places, filter, bias)) return {};
    } else if (const auto* norm = as<ops::BatchNormalization>(added)) {
      if (!addNormalization(*conv, *norm, places, filter, bias)) return {};
    } else {
      return {};
    }
    const auto isFinite = [](float x) { return std::isfinite(x); };
    if (!std::ranges::all_of(filter, isFinite) || !std::ranges::all_of(bias, isFinite)) return {};
    ops::Conv2d merged = *conv;
    merged.filter = constantOf(conv->filter.shape(), filter);
    merged.options.bias = constantOf({static_cast<std::uint32_t>(bias.size())}, bias);
    return merged;
  }

  Operand constantOf(const Shape& shape, const std::vector<float>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return module_.constant({DataType::float32, shape}, std::move(bytes));
  }

  static bool addConvolution(const ops::Conv2d& wide, const ops::Conv2d& narrow, const FilterPlaces& places,
                             std::vector<float>& filter, std::vector<float>& bias) {
    if (narrow.input != wide.input || narrow.options.groups != wide.options.groups ||
        narrow.options.inputLayout != wide.options.inputLayout || !isFloatConstant(narrow.filter) ||
        (narrow.options.bias && !isFloatConstant(*narrow.options.bias)))
      return false;
    const auto axes = ops::convolutionAxes(narrow), wideAxes = ops::convolutionAxes(wide);
    const auto y = placesOf(axes[0], wideAxes[0]), x = placesOf(axes[1], wideAxes[1]);
    if (!y || !x) return false;
    const std::vector<float> added = floatsOf(narrow.filter);
    const FilterPlaces from(narrow);
    for (std::size_t o = 0; o < from.sizes[0]; ++o) {
      for (std::size_t i = 0; i < from.sizes[1]; ++i) {
        for (std::size_t ty = 0; ty < from.sizes[2]; ++ty) {
          for (std::size_t tx = 0; tx < from.sizes[3]; ++tx)
            filter[places.at(o, i, y->first + ty * y->step, x->first + tx * x->step)] += added[from.at(o, i, ty, tx)];
        }
      }
    }
    if (narrow.options.bias) std::ranges::transform(bias, floatsOf(*narrow.options.bias), bias.begin(), std::plus<>());
    return true;
  }

  // A batch normalization over channels is a depthwise 1x1 convolution.
  static bool addNormalization(const ops::Conv2d& conv, const ops::BatchNormalization& norm, const FilterPlaces& places,
                               std::vector<float>& filter, std::vector<float>& bias) {
    const std::size_t channel = ops::axesOf(conv.options.inputLayout).channel;
    const BatchNormalizationOptions& options = norm.options;
    if (norm.input != conv.input || options.axis != channel || !isFloatConstant(norm.mean) || !isFloatConstant(norm.variance) ||
        (options.scale && !isFloatConstant(*options.scale)) || (options.bias && !isFloatConstant(*options.bias)))
      return false;
    const auto axes = ops::convolutionAxes(conv);
    ops::WindowAxis single{
        .name = {}, .inputSize = 1, .windowSize = 1, .stride = 1, .dilation = 1, .beginningPadding = 0, .endingPadding = 0};
    const auto y = placesOf(single, axes[0]), x = placesOf(single, axes[1]);
    if (!y || !x) return false;
    const std::vector<float> mean = floatsOf(norm.mean), variance = floatsOf(norm.variance);
    const std::vector<float> ones(mean.size(), 1.0F), zeros(mean.size());
    const std::vector<float> scale = options.scale ? floatsOf(*options.scale) : ones,
                             shift = options.bias ? floatsOf(*options.bias) : zeros;
    for (std::size_t c = 0; c < mean.size(); ++c) {
      const double factor = static_cast<double>(scale[c]) / std::sqrt(static_cast<double>(variance[c]) + options.epsilon);
      float& weight = filter[places.at(c, c % places.sizes[1], y->first, x->first)];
      weight = static_cast<float>(static_cast<double>(weight) + factor);
      bias[c] = static_cast<float>(static_cast<double>(bias[c]) + static_cast<double>(shift[c]) -
                                   static_cast<double>(mean[c]) * factor);
    }
    return true;
  }

  Module& module_;
  const Uses uses_;
  std::vector<std::int32_t> producer_;  // by operand: the node that computes it
  std::vector<bool> isGone_;
};

}  // namespace

void mergeConvolutions(Module& module, const PassOptions&) { Merger(module).run(); }

}  // namespace webnn::compiler
