// Replaces a sum of 8-bit convolutions by one convolution of all their channels: importers write 3-D convolutions as such sums.
// One convolution adds exact integers and can return 8 bits; the sum would store float32 results of each convolution. Joining the
// channels copies bytes, which is cheaper.
#include <algorithm>

#include "compiler/passes/fold_node.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/quantization.h"
#include "ops/conv.h"

namespace webnn::compiler {

namespace {

constexpr std::size_t kMostParts = 16, kMostNodes = 2 * kMostParts - 1;  // nodes: the convolutions and their additions

bool areEqual(const Operand& a, const Operand& b) {
  return a.descriptor() == b.descriptor() && isConstant(a) && isConstant(b) &&
         std::ranges::equal(a.record().bytes, b.record().bytes);
}

// Returns whether two shapes are equal except at `axis`.
bool areAlike(const Operand& a, const Operand& b, std::uint32_t axis) {
  Shape shape = a.shape();
  shape[axis] = b.shape()[axis];
  return shape == b.shape();
}

class Joining : ChainFusion {
 public:
  Joining(Module& module, const PassOptions& options) : ChainFusion(module), options_(options) {}

  void run() {
    fuseAll([this](std::size_t index) { join(index); });
  }

 private:
  // A convolution whose result is an addend.
  struct Part {
    const ops::Conv2d* conv = nullptr;
    const ops::DequantizeLinear *input = nullptr, *filter = nullptr;
  };
  struct Sum {
    std::vector<Part> parts;
    std::vector<std::size_t> nodes;  // the additions and convolutions
  };

  const ops::Binary* addition(std::size_t index) const {
    const auto* binary = as<ops::Binary>(module_.nodes[index].operation);
    return binary && binary->kind == ops::BinaryKind::add ? binary : nullptr;
  }

  void join(std::size_t index) {
    if (!addition(index)) return;
    if (const auto next = follower(index); next && addition(*next) && sumOf(*next)) return;  // joined with the larger sum
    std::optional<Sum> sum = sumOf(index);
    if (!sum || !isWorthwhile(sum->parts)) return;
    std::vector<ModuleNode> nodes;
    std::optional<ops::Conv2d> conv = joined(sum->parts, nodes);
    if (!conv) return;
    nodes.push_back({EngineOperation(Operation(std::move(*conv))), module_.nodes[index].outputs, {}});
    std::ranges::sort(sum->nodes);
    replace(sum->nodes, std::move(nodes));
  }

  // Returns the convolutions that an addition sums; nullopt if it sums anything else, or if suits() is false for one of them.
  std::optional<Sum> sumOf(std::size_t index) const {
    Sum sum;
    std::vector<std::size_t> open{index};
    while (!open.empty()) {
      if (sum.nodes.size() == kMostNodes)
        return std::nullopt;  // without the limit, chains of additions would take quadratic time
      const std::size_t at = open.back();
      open.pop_back();
      sum.nodes.push_back(at);
      const Operand& result = module_.nodes[at].outputs[0];
      if (const auto* add = addition(at)) {
        for (const Operand* operand : {&add->b, &add->a}) {
          const std::int32_t producer = uses_.producer[operand->record().index];
          if (producer < 0 || !producerOf(*operand) || !isSingleUse(*operand) || operand->descriptor() != result.descriptor())
            return std::nullopt;
          open.push_back(static_cast<std::size_t>(producer));
        }
        continue;
      }
      const auto* conv = as<ops::Conv2d>(module_.nodes[at].operation);
      if (!conv || sum.parts.size() == kMostParts) return std::nullopt;
      sum.parts.push_back({conv, made<ops::DequantizeLinear>(conv->input), made<ops::DequantizeLinear>(conv->filter)});
      if (!suits(sum.parts.front(), sum.parts.back())) return std::nullopt;
    }
    return sum;
  }

  // Returns whether a part convolves bytes in the same way as the first part.
  static bool suits(const Part& first, const Part& part) {
    if (!part.input || !part.filter || !isConstant(part.filter->input) || !isByte(part.filter->input.dataType())) return false;
    // A scale per input channel would apply to another channel of the joined filter.
    const Operand& scale = part.filter->scale;
    const std::uint32_t outputs = scale.shape()[ops::axesOf(part.conv->options.filterLayout).output];
    if (elementCount(scale.descriptor()) != outputs) return false;
    const auto &options = part.conv->options, &like = first.conv->options;
    const auto quantization = faithfulQuantizationOf(part.input->scale, part.input->zeroPoint);
    return quantization && quantization == faithfulQuantizationOf(first.input->scale, first.input->zeroPoint) &&
           part.filter->input.dataType() == first.filter->input.dataType() && areEqual(part.filter->scale, first.filter->scale) &&
           areEqual(part.filter->zeroPoint, first.filter->zeroPoint) && options.groups == 1 && like.groups == 1 &&
           options.inputLayout == InputOperandLayout::nhwc && like.inputLayout == InputOperandLayout::nhwc &&
           options.filterLayout == like.filterLayout && options.padding == like.padding && options.strides == like.strides &&
           options.dilations == like.dilations && areAlike(part.conv->input, first.conv->input, 3) &&
           areAlike(part.conv->filter, first.conv->filter, static_cast<std::uint32_t>(ops::axesOf(like.filterLayout).input));
  }

  // Returns whether the separate sums would move at least as many bytes as joining the channels copies, and the joined filter is
  // within the limits of an 8-bit convolution.
  bool isWorthwhile(const std::vector<Part>& parts) const {
    double copied = 0, terms = 0;
    for (const Part& part : parts) {
      copied += 2 * static_cast<double>(elementCount(part.input->input.descriptor()));
      terms += static_cast<double>(elementCount(part.filter->input.descriptor()));
    }
    const ops::Conv2d& conv = *parts.front().conv;
    const Shape& filter = conv.filter.shape();
    const std::uint32_t outputs = filter[ops::axesOf(conv.options.filterLayout).output];
    const double results = static_cast<double>(elementCount(conv.input.descriptor())) / conv.input.shape()[3] * outputs;
    constexpr double kBytesOfSum = 12;  // per partial result: a store, a load, and a store of the next sum
    return terms / outputs <= kMostTerms && kBytesOfSum * results * static_cast<double>(parts.size() - 1) >= copied;
  }

  // Appends the joined input and filter, and returns their convolution.
  std::optional<ops::Conv2d> joined(const std::vector<Part>& parts, std::vector<ModuleNode>& nodes) {
    const Part& first = parts.front();
    ops::Conv2d conv = *first.conv;
    ops::Concat images{.inputs = {}, .axis = 3}, filters{.inputs = {}, .axis = 0};
    filters.axis = static_cast<std::uint32_t>(ops::axesOf(conv.options.filterLayout).input);
    for (const Part& part : parts) {
      images.inputs.push_back(part.input->input);
      filters.inputs.push_back(part.filter->input);
      const std::optional<Operand>& bias = part.conv->options.bias;
      if (bias && &part != &first && conv.options.bias) return std::nullopt;
      if (bias) conv.options.bias = bias;
    }
    const std::optional<Operand> numbers = foldOperation(module_, std::move(filters), options_);
    if (!numbers) return std::nullopt;
    ops::DequantizeLinear filter = *first.filter;
    filter.input = *numbers;
    const Operand image = module_.append(nodes, std::move(images));
    const Quantization quantization = *faithfulQuantizationOf(first.input->scale, first.input->zeroPoint);
    conv.input = module_.append(nodes, dequantizing(module_, image, quantization));
    conv.filter = module_.append(nodes, std::move(filter));
    return conv;
  }

  const PassOptions& options_;
};

}  // namespace

void joinQuantizedConv(Module& module, const PassOptions& options) {
  Joining(module, options).run();
  removeUnused(module);
}

}  // namespace webnn::compiler
