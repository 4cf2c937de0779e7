// Replaces conv2d on dequantized operands by an 8-bit convolution, with a following activation, quantizeLinear and addition.
// The sums of the 8-bit convolution are exact, whereas the original graph rounds each product and sum to float32. So results may
// differ by one unit of the output's type. Results are equal if the scales are powers of two and the original graph's sums are
// exact.
// Runs after chooseLayout, which gives convolutions channels last and moves reshapes and transposes away from them.
#include <algorithm>
#include <cmath>

#include "compiler/passes/fold_node.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/quantization.h"

namespace webnn::compiler {

namespace {

class ConvFusion : ChainFusion {
 public:
  using ChainFusion::ChainFusion;

  void run() {
    fuseAll([this](std::size_t index) { fuse(index); });
  }

 private:
  void fuse(std::size_t index) {
    const auto* conv = as<ops::Conv2d>(module_.nodes[index].operation);
    if (!conv || conv->options.inputLayout != InputOperandLayout::nhwc) return;
    QuantizedConvolution draft;
    draft.conv = *conv;
    draft.options.label = conv->options.label;
    if (!setInput(draft) || !setFilter(draft) || !suitsBias(draft)) return;
    std::vector<std::size_t> taken{index};
    auto next = follower(index);
    const auto take = [&] {
      taken.push_back(*next);
      next = follower(*next);
    };
    if (absorbQuantization(next, draft.result, take)) absorbAddition(next, draft, take);
    std::vector<ModuleNode> nodes;
    nodes.push_back({EngineOperation(std::move(draft)), module_.nodes[taken.back()].outputs});
    replace(taken, std::move(nodes));
  }

  bool setInput(QuantizedConvolution& draft) const {
    const auto* op = made<ops::DequantizeLinear>(draft.conv.input);
    const auto quantization = op ? faithfulQuantizationOf(op->scale, op->zeroPoint) : std::nullopt;
    if (!quantization) return false;
    draft.conv.input = op->input;
    draft.input = *quantization;
    return true;
  }

  bool setFilter(QuantizedConvolution& draft) {
    const auto* op = made<ops::DequantizeLinear>(draft.conv.filter);
    if (!op || !isByte(op->input.dataType()) || op->scale.dataType() != DataType::float32) return false;
    if (!isConstant(op->input) || !isConstant(op->scale) || !isConstant(op->zeroPoint)) return false;
    if (!std::ranges::all_of(constantNumbers(op->scale), isFaithful)) return false;
    const std::size_t axis = ops::axesOf(draft.conv.options.filterLayout).output;
    const std::uint32_t outputs = op->input.shape()[axis], scales = op->scale.shape()[axis];
    const std::size_t count = elementCount(op->scale.descriptor());
    if (count != scales || (count != 1 && count != outputs)) return false;
    if (elementCount(op->input.descriptor()) / outputs > kMostTerms) return false;
    draft.conv.filter = op->input;
    draft.filterScale = module_.reshaped(op->scale, {scales});
    draft.filterZeroPoint = module_.reshaped(op->zeroPoint, {scales});
    return true;
  }

  static bool suitsBias(const QuantizedConvolution& draft) {
    const std::optional<Operand>& bias = draft.conv.options.bias;
    if (!bias) return true;
    // The bias must remain finite when it is divided by the scale, because operations on infinite sums may give NaN.
    return isConstant(*bias) &&
           std::ranges::all_of(constantNumbers(*bias), [](double number) { return std::abs(number) <= 0x1p80; });
  }

  // Absorbs relu or clamp, and quantizeLinear, if they follow. Returns whether the result is quantized.
  bool absorbQuantization(const std::optional<std::size_t>& next, Requantization& to, const auto& take) const {
    if (next) {
      const EngineOperation& operation = module_.nodes[*next].operation;
      const auto* activation = as<ops::Activation>(operation);
      const auto* clamp = as<ops::Clamp>(operation);
      if (activation && activation->kind == ops::ActivationKind::relu) {
        to.minimum = 0;
        take();
      } else if (clamp && clamp->options.minValue->toDouble() <= clamp->options.maxValue->toDouble()) {
        to.minimum = static_cast<float>(clamp->options.minValue->toDouble());
        to.maximum = static_cast<float>(clamp->options.maxValue->toDouble());
        take();
      }
    }
    const auto* quantize = next ? as<ops::QuantizeLinear>(module_.nodes[*next].operation) : nullptr;
    if (quantize) to.to = faithfulQuantizationOf(quantize->scale, quantize->zeroPoint);
    if (to.to) take();
    return to.to.has_value();
  }

  // Absorbs dequantizeLinear, the addition of another dequantized operand, and quantizeLinear, if all three follow. Does not do
  // so after a depthwise convolution, whose fastest kernels cannot add: together with a separate addition, they take a tenth of
  // the time of a step that adds.
  void absorbAddition(std::optional<std::size_t>& next, QuantizedConvolution& draft, const auto& take) const {
    const std::uint32_t channels = draft.conv.input.shape()[ops::axesOf(draft.conv.options.inputLayout).channel];
    if (channels > 1 && draft.conv.options.groups == channels) return;
    const auto* back = next ? as<ops::DequantizeLinear>(module_.nodes[*next].operation) : nullptr;
    if (!back || faithfulQuantizationOf(back->scale, back->zeroPoint) != draft.result.to) return;
    const Operand& result = module_.nodes[*next].outputs[0];
    const std::optional<std::size_t> at = follower(*next);
    const auto* add = at ? as<ops::Binary>(module_.nodes[*at].operation) : nullptr;
    if (!add || add->kind != ops::BinaryKind::add) return;
    const Operand& other = add->a.record().index == result.record().index ? add->b : add->a;
    const auto* addend = made<ops::DequantizeLinear>(other);
    const auto quantization = addend ? faithfulQuantizationOf(addend->scale, addend->zeroPoint) : std::nullopt;
    if (!quantization || isConstant(addend->input) || other.shape() != result.shape()) return;
    std::optional<std::size_t> last = follower(*at);
    std::vector<std::size_t> rest;
    Requantization sum;
    const auto note = [&] {
      rest.push_back(*last);
      last = follower(*last);
    };
    if (!absorbQuantization(last, sum, note)) return;
    for (std::size_t i = 0; i < 2 + rest.size(); ++i) take();
    draft.addend = addend->input;
    draft.addendQuantization = *quantization;
    draft.sum = sum;
  }
};

}  // namespace

void fuseQuantizedConv(Module& module, const PassOptions&) {
  ConvFusion(module).run();
  removeUnused(module);
}

}  // namespace webnn::compiler
