// Matrix products between dequantizeLinear and quantizeLinear become GEMMs of 8-bit integers accumulated in 32 bits, and
// those of floats with constant 4-bit matrices unpack these while they multiply.
//
// The sums are exact where the graph as written rounds each product and sum to float32. Results are within one unit of the
// output's type of the graph as written (and most often equal): they differ where its rounding crosses a tie.
//
// Runs after foldConstants, which leaves the weights as the integers that they are.
#include <algorithm>
#include <cmath>
#include <limits>

#include "cpu/compile/passes/factors.h"
#include "cpu/compile/passes/fold_node.h"
#include "cpu/compile/passes/passes.h"

namespace webnn::cpu {

namespace {

bool isByte(DataType type) { return type == DataType::int8 || type == DataType::uint8; }
bool isNibble(DataType type) { return type == DataType::int4 || type == DataType::uint4; }

// Whether numbers less zero points times the scales are finite: otherwise each number counts, and not their sum alone.
bool giveFinite(const std::vector<double>& scales) {
  return std::ranges::all_of(scales, [](double scale) { return std::abs(scale) <= std::numeric_limits<float>::max() / 256; });
}

// One scale and zero point for a whole 8-bit tensor.
struct Quantization {
  float scale = 1;
  std::int32_t zeroPoint = 0;
  DataType type = DataType::uint8;
  bool operator==(const Quantization&) const = default;
};

// A matrix of two dimensions, however many ones are before them.
std::optional<Shape> matrixShape(const Shape& shape) {
  if (shape.size() < 2) return std::nullopt;
  for (std::size_t d = 0; d + 2 < shape.size(); ++d) {
    if (shape[d] != 1) return std::nullopt;
  }
  return Shape(shape.end() - 2, shape.end());
}

class Fusion {
 public:
  explicit Fusion(Module& module) : module_(module), uses_(module), isGone_(module.nodes.size()), result_(module.nodes.size()) {}

  void run() {
    for (std::size_t i = 0; i < module_.nodes.size(); ++i) fuse(i);
    std::vector<ModuleNode> nodes;
    for (std::size_t i = 0; i < module_.nodes.size(); ++i) {
      if (result_[i]) {
        nodes.push_back(std::move(*result_[i]));
      } else if (!isGone_[i]) {
        nodes.push_back(std::move(module_.nodes[i]));
      }
    }
    module_.nodes = std::move(nodes);
  }

 private:
  // The parts of a matmul or gemm that QuantizedGemm has; nullopt if it has others.
  struct Parts {
    Operand a, b;
    bool bTranspose = false;
    double alpha = 1, beta = 1;
    std::optional<Operand> c;
    std::string label;
  };

  void fuse(std::size_t index) {
    const std::optional<Parts> parts = partsOf(module_.nodes[index]);
    if (!parts || module_.nodes[index].outputs[0].dataType() != DataType::float32) return;
    QuantizedGemm lowered;
    lowered.bTranspose = parts->bTranspose;
    lowered.options.label = parts->label;
    if (!setMatrix(lowered, parts->b)) return;
    const bool isBytes = setRows(lowered, parts->a);
    if (!isBytes && !suitsFloats(lowered)) return;
    const std::size_t n = lowered.b.shape()[lowered.bTranspose ? 0 : 1];
    std::vector<double> bias;
    if (!addBias(bias, parts->c, n, parts->beta) || !scaleBy(lowered, parts->alpha) || !mayMergeScales(lowered)) return;
    absorb(index, std::move(lowered), std::move(bias), n);
  }

  static std::optional<Parts> partsOf(const ModuleNode& node) {
    if (const auto* matmul = as<ops::Matmul>(node.operation)) {
      return Parts{.a = matmul->a, .b = matmul->b, .c = {}, .label = matmul->options.label};
    }
    const auto* gemm = as<ops::Gemm>(node.operation);
    if (!gemm || gemm->options.aTranspose) return std::nullopt;
    return Parts{.a = gemm->a,
                 .b = gemm->b,
                 .bTranspose = gemm->options.bTranspose,
                 .alpha = gemm->options.alpha,
                 .beta = gemm->options.beta,
                 .c = gemm->options.c,
                 .label = gemm->options.label};
  }

  const ModuleNode* producerOf(const Operand& operand) const {
    const std::uint32_t index = operand.record().index;
    if (index >= uses_.producer.size()) return nullptr;
    const std::int32_t node = uses_.producer[index];
    return node < 0 || isGone_[static_cast<std::size_t>(node)] ? nullptr : &module_.nodes[static_cast<std::size_t>(node)];
  }

  // b, its scale and zero point as matrices of constants; transposes of the matrix are noted instead.
  bool setMatrix(QuantizedGemm& lowered, Operand b) {
    const ModuleNode* producer = producerOf(b);
    while (producer) {
      if (const auto* unary = as<ops::Unary>(producer->operation); unary && unary->kind == ops::UnaryKind::identity) {
        b = unary->input;
      } else if (const auto* transpose = as<ops::Transpose>(producer->operation);
                 transpose && transpose->options.permutation == std::vector<std::uint32_t>{1, 0}) {
        b = transpose->input;
        lowered.bTranspose = !lowered.bTranspose;
      } else {
        break;
      }
      producer = producerOf(b);
    }
    const auto* op = producer ? as<ops::DequantizeLinear>(producer->operation) : nullptr;
    if (!op || op->scale.dataType() != DataType::float32) return false;
    if (!isByte(op->input.dataType()) && !isNibble(op->input.dataType())) return false;
    const auto shape = matrixShape(op->input.shape()), blocks = matrixShape(op->scale.shape());
    if (!shape || !blocks || !isConstant(op->input) || !isConstant(op->scale) || !isConstant(op->zeroPoint)) return false;
    if (!giveFinite(constantNumbers(op->scale))) return false;
    lowered.b = withShape(op->input, *shape);
    lowered.bScale = withShape(op->scale, *blocks);
    lowered.bZeroPoint = withShape(op->zeroPoint, *blocks);
    return true;
  }
  Operand withShape(const Operand& constant, const Shape& shape) {
    return constant.shape() == shape ? constant : module_.reshaped(constant, shape);
  }

  std::optional<Quantization> quantizationOf(const Operand& scale, const Operand& zeroPoint) {
    if (!isByte(zeroPoint.dataType()) || scale.dataType() != DataType::float32) return std::nullopt;
    if (!isConstant(scale) || !isConstant(zeroPoint)) return std::nullopt;
    const std::vector<double> scales = constantNumbers(scale), zeros = constantNumbers(zeroPoint);
    const auto isUniform = [](const std::vector<double>& values) {
      return std::ranges::all_of(values, [&](double value) { return value == values[0]; });
    };
    if (!isUniform(scales) || !isUniform(zeros) || !giveFinite(scales)) return std::nullopt;
    return Quantization{static_cast<float>(scales[0]), static_cast<std::int32_t>(zeros[0]), zeroPoint.dataType()};
  }

  // `a` as 8-bit numbers, if it was dequantized from such and the matrix suits.
  bool setRows(QuantizedGemm& lowered, const Operand& a) {
    lowered.a = a;
    const ModuleNode* producer = producerOf(a);
    const auto* op = producer ? as<ops::DequantizeLinear>(producer->operation) : nullptr;
    const bool isPerColumn = lowered.bScale.shape()[lowered.bTranspose ? 1 : 0] == 1;
    const std::size_t columns = lowered.b.shape()[lowered.bTranspose ? 0 : 1], k = lowered.b.shape()[lowered.bTranspose ? 1 : 0];
    const std::size_t scales = elementCount(lowered.bScale.descriptor());
    constexpr std::size_t kMostRows = std::numeric_limits<std::int32_t>::max() / (255 * 255);  // of sums that fit 32 bits
    if (!op || !isPerColumn || (scales != 1 && scales != columns) || k > kMostRows) return false;
    const auto quantization = quantizationOf(op->scale, op->zeroPoint);
    if (!quantization) return false;
    lowered.a = op->input;
    lowered.aScale = quantization->scale;
    lowered.aZeroPoint = quantization->zeroPoint;
    lowered.aType = quantization->type;
    if (isNibble(lowered.b.dataType())) {
      lowered.b = widenedNibbles(module_, lowered.b);
      lowered.bZeroPoint = widenedNibbles(module_, lowered.bZeroPoint);
    }
    // From floats: quantized while they are packed, if nobody else wants the 8-bit numbers.
    const ModuleNode* before = producerOf(op->input);
    const auto* quantize = before ? as<ops::QuantizeLinear>(before->operation) : nullptr;
    if (quantize && isSingleUse(op->input) && isSingleUse(a) && quantize->input.dataType() == DataType::float32 &&
        quantizationOf(quantize->scale, quantize->zeroPoint) == quantization) {
      lowered.a = quantize->input;
    }
    return true;
  }
  // Whether the step for float rows takes the matrix: its blocks hold whole words of eight numbers of a column.
  static bool suitsFloats(const QuantizedGemm& lowered) {
    const std::size_t depth = lowered.bTranspose ? 1 : 0;
    const std::size_t k = lowered.b.shape()[depth], blocks = lowered.bScale.shape()[depth];
    return isNibble(lowered.b.dataType()) && (blocks == 1 || k / blocks % 8 == 0);
  }

  // Adds beta * c to the bias, if c is a constant row of n elements.
  bool addBias(std::vector<double>& bias, const std::optional<Operand>& c, std::size_t n, double beta) {
    if (!c) return true;
    const Shape& shape = c->shape();
    const std::size_t count = elementCount(c->descriptor());
    if (c->dataType() != DataType::float32 || (count != 1 && (count != n || shape.back() != n))) return false;
    if (!isConstant(*c)) return false;
    const std::vector<double> numbers = constantNumbers(*c);
    bias.resize(n);
    for (std::size_t i = 0; i < n; ++i) bias[i] += beta * numbers[count == 1 ? 0 : i];
    return true;
  }

  bool scaleBy(QuantizedGemm& lowered, double alpha) {
    if (alpha == 1) return true;
    std::vector<std::byte> bytes(byteLength(lowered.bScale.descriptor()));
    const std::vector<double> numbers = constantNumbers(lowered.bScale);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (!mayMergeTo(numbers[i] * alpha)) return false;
      const auto scaled = static_cast<float>(numbers[i] * alpha);
      std::memcpy(bytes.data() + i * sizeof(float), &scaled, sizeof(float));
    }
    lowered.bScale = module_.constant(lowered.bScale.descriptor(), std::move(bytes));
    return true;
  }

  // Whether what rows and columns are multiplied by may be one number for each column; and what their results are divided by
  // too, if that is given: then what is infinite as written must not be within bytes.
  static bool mayMergeScales(const QuantizedGemm& lowered, double divisor = 1) {
    if (!lowered.aScale) return true;
    if (!(std::abs(divisor) <= 0x1p96)) return false;
    return std::ranges::all_of(constantNumbers(lowered.bScale), [&](double scale) {
      const double merged = double{*lowered.aScale} * scale;
      return mayMergeTo(merged) && (scale == 0) == (merged == 0) && std::abs(merged / divisor) <= 0x1p96;
    });
  }

  bool isSingleUse(const Operand& operand) const { return uses_.of(operand) == 1 && !uses_.isOutput[operand.record().index]; }

  // The node that alone uses the result of node `index`.
  std::optional<std::size_t> follower(std::size_t index) const {
    const Operand& result = module_.nodes[index].outputs[0];
    if (!isSingleUse(result)) return std::nullopt;
    return uses_.consumers[result.record().index].front();
  }

  // Takes in what follows the GEMM, and puts it where the last of that is.
  void absorb(std::size_t index, QuantizedGemm lowered, std::vector<double> bias, std::size_t n) {
    std::vector<std::size_t> taken{index};
    auto next = follower(index);
    const auto take = [&] {
      taken.push_back(*next);
      next = follower(*next);
    };
    if (next && absorbBias(*next, bias, n, module_.nodes[taken.back()].outputs[0])) take();
    if (next && isRelu(*next)) {
      lowered.relu = true;
      take();
    }
    const auto* quantize = next && lowered.aScale ? as<ops::QuantizeLinear>(module_.nodes[*next].operation) : nullptr;
    if (quantize && quantize->input.record().index == module_.nodes[taken.back()].outputs[0].record().index) {
      if (const auto quantization = quantizationOf(quantize->scale, quantize->zeroPoint);
          quantization && mayMergeScales(lowered, quantization->scale)) {
        lowered.outputScale = quantization->scale;
        lowered.outputZeroPoint = quantization->zeroPoint;
        lowered.outputType = quantization->type;
        take();
        const auto* back = next ? as<ops::DequantizeLinear>(module_.nodes[*next].operation) : nullptr;
        // Not if a GEMM follows that wants the 8-bit numbers.
        if (back && quantizationOf(back->scale, back->zeroPoint) == quantization && !feedsGemm(*next)) take();
      }
    }
    if (!bias.empty()) lowered.bias = biasConstant(bias);
    for (const std::size_t node : taken) isGone_[node] = true;
    result_[taken.back()] = ModuleNode{EngineOperation(std::move(lowered)), module_.nodes[taken.back()].outputs};
  }

  bool absorbBias(std::size_t index, std::vector<double>& bias, std::size_t n, const Operand& result) {
    const auto* add = as<ops::Binary>(module_.nodes[index].operation);
    if (!add || add->kind != ops::BinaryKind::add || module_.nodes[index].outputs[0].shape() != result.shape()) return false;
    return addBias(bias, add->a.record().index == result.record().index ? add->b : add->a, n, 1);
  }
  bool isRelu(std::size_t index) const {
    const auto* activation = as<ops::Activation>(module_.nodes[index].operation);
    return activation && activation->kind == ops::ActivationKind::relu;
  }
  bool feedsGemm(std::size_t index) const {
    const Operand& result = module_.nodes[index].outputs[0];
    return std::ranges::any_of(uses_.consumers[result.record().index], [&](std::uint32_t consumer) {
      return as<ops::Matmul>(module_.nodes[consumer].operation) || as<ops::Gemm>(module_.nodes[consumer].operation);
    });
  }
  Operand biasConstant(const std::vector<double>& bias) {
    std::vector<std::byte> bytes(bias.size() * sizeof(float));
    for (std::size_t i = 0; i < bias.size(); ++i) {
      const auto value = static_cast<float>(bias[i]);
      std::memcpy(bytes.data() + i * sizeof(float), &value, sizeof(float));
    }
    return module_.constant({DataType::float32, {static_cast<std::uint32_t>(bias.size())}}, std::move(bytes));
  }

  Module& module_;
  Uses uses_;
  std::vector<bool> isGone_;
  std::vector<std::optional<ModuleNode>> result_;  // what stands where a node was
};

// What fusions have left over, so that nobody folds the weights that they unpack themselves.
void removeUnused(Module& module) {
  std::vector<std::uint32_t> count = Uses(module).count;
  std::vector<ModuleNode> kept;
  for (std::size_t i = module.nodes.size(); i-- > 0;) {
    ModuleNode& node = module.nodes[i];
    const bool isUsed =
        std::ranges::any_of(node.outputs, [&](const Operand& output) { return count[output.record().index] > 0; });
    if (isUsed) {
      kept.push_back(std::move(node));
    } else {
      visitOperands(node.operation, [&](std::string_view, const Operand& operand) { --count[operand.record().index]; });
    }
  }
  std::ranges::reverse(kept);
  module.nodes = std::move(kept);
}

}  // namespace

void fuseQuantized(Module& module, const PassOptions&) {
  Fusion(module).run();
  removeUnused(module);
}

}  // namespace webnn::cpu
