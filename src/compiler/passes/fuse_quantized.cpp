// Replaces matrix products of dequantize(a) and dequantize(b) by 8-bit GEMMs with exact 32-bit sums, if b is constant. The GEMMs
// absorb a following quantizeLinear. Replaces products of floats with constant matrices of 4 or 8 bits by GEMMs that unpack the
// matrix.
// The original graph rounds each product and sum to float32. So the quantized result of an 8-bit GEMM may differ by one unit of
// the output's type, if rounding in the original graph crosses a tie.
// Runs after foldConstants, which does not dequantize 4-bit and 8-bit weights.
#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler/passes/factors.h"
#include "compiler/passes/fold_node.h"
#include "compiler/passes/operation_kinds.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/quantization.h"

namespace webnn::compiler {

namespace {

bool isNibble(DataType type) { return type == DataType::int4 || type == DataType::uint4; }

// Returns the last two dimensions of a shape; nullopt if another dimension is not 1.
std::optional<Shape> matrixShape(const Shape& shape) {
  if (shape.size() < 2) return std::nullopt;
  for (std::size_t d = 0; d + 2 < shape.size(); ++d) {
    if (shape[d] != 1) return std::nullopt;
  }
  return Shape(shape.end() - 2, shape.end());
}

struct Parts {
  Operand a, b;
  bool bTranspose = false;
  double alpha = 1, beta = 1;
  std::optional<Operand> c;
  std::string label;
};

// Returns the operands and options of a matmul or gemm; nullopt if a QuantizedGemm cannot express the operation.
std::optional<Parts> partsOf(const ModuleNode& node) {
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

Operand floatConstant(Module& module, const Shape& shape, const std::vector<double>& numbers) {
  std::vector<std::byte> bytes(numbers.size() * sizeof(float));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto value = static_cast<float>(numbers[i]);
    std::memcpy(bytes.data() + i * sizeof(float), &value, sizeof(float));
  }
  return module.constant({DataType::float32, shape}, std::move(bytes));
}

// A QuantizedGemm to which neighbouring operations are being added.
struct Draft {
  QuantizedGemm gemm;
  std::vector<double> bias;

  std::size_t depthAxis() const { return gemm.bTranspose ? 1 : 0; }
  std::size_t depth() const { return gemm.b.shape()[depthAxis()]; }
  std::size_t columns() const { return gemm.b.shape()[1 - depthAxis()]; }

  // Returns whether the matrix can be multiplied by 8-bit rows: it has one scale or one per column, and sums fit in 32 bits.
  bool suitsBytes() const {
    constexpr std::size_t kMostRows = std::numeric_limits<std::int32_t>::max() / (255 * 255);
    const std::size_t scales = elementCount(gemm.bScale.descriptor());
    return gemm.bScale.shape()[depthAxis()] == 1 && (scales == 1 || scales == columns()) && depth() <= kMostRows;
  }
  // Returns whether the kernel for float rows supports the matrix: each column has one scale, or one scale per block whose size
  // is a multiple of 32 bits. Returns false for 8-bit weights if products round to bfloat16, which is faster than this kernel.
  bool suitsFloats(bool roundsFactors) const {
    const std::size_t blocks = gemm.bScale.shape()[depthAxis()], bits = bitsPerElement(gemm.b.dataType());
    return (bits == 4 || !roundsFactors) && (blocks == 1 || depth() / blocks * bits % 32 == 0);
  }

  // Adds beta * c, if present, to the bias. Returns false if c is not a constant with one element or one per column, or if the
  // sum exceeds float32.
  bool addBias(const std::optional<Operand>& c, double beta) {
    if (!c) return true;
    const Shape& shape = c->shape();
    const std::size_t count = elementCount(c->descriptor()), n = columns();
    if (c->dataType() != DataType::float32 || (count != 1 && (count != n || shape.back() != n))) return false;
    if (!isConstant(*c)) return false;
    const std::vector<double> numbers = constantNumbers(*c);
    std::vector<double> sums = bias;
    sums.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      sums[i] += beta * numbers[count == 1 ? 0 : i];
      if (std::isfinite(sums[i]) && std::abs(sums[i]) > std::numeric_limits<float>::max()) return false;
    }
    bias = std::move(sums);
    return true;
  }

  bool scaleBy(Module& module, double alpha) {
    if (alpha == 1) return true;
    if (!(alpha > 0)) return false;  // a negative alpha could make a sum -0, whose sign is lost when a bias of 0 is added
    std::vector<double> numbers = constantNumbers(gemm.bScale);
    for (double& number : numbers) {
      number *= alpha;
      if (!mayMergeTo(number)) return false;
    }
    gemm.bScale = floatConstant(module, gemm.bScale.shape(), numbers);
    return true;
  }

  // Returns whether the row scale and the column scales may be merged into one factor per column, even if the factors are divided
  // by `divisor`. An intermediate value that is infinite in the original graph must not become a finite 8-bit value.
  bool mayMergeScales(double divisor = 1) const {
    if (!gemm.aScale) return true;
    if (!(std::abs(divisor) <= 0x1p96)) return false;
    return std::ranges::all_of(constantNumbers(gemm.bScale), [&](double scale) {
      const double merged = double{*gemm.aScale} * scale;
      return mayMergeTo(merged) && (scale == 0) == (merged == 0) && std::abs(merged / divisor) <= 0x1p96;
    });
  }

  void setOutput(const Quantization& quantization) {
    gemm.outputScale = quantization.scale;
    gemm.outputZeroPoint = quantization.zeroPoint;
    gemm.outputType = quantization.type;
  }

  QuantizedGemm withBias(Module& module) && {
    if (!bias.empty()) gemm.bias = floatConstant(module, {static_cast<std::uint32_t>(bias.size())}, bias);
    return std::move(gemm);
  }
};

class GemmFusion : ChainFusion {
 public:
  GemmFusion(Module& module, const PassOptions& options) : ChainFusion(module), roundsFactors_(options.roundsFactors) {}

  void run() {
    fuseAll([this](std::size_t index) { fuse(index); });
  }

 private:
  void fuse(std::size_t index) {
    const std::optional<Parts> parts = partsOf(module_.nodes[index]);
    if (!parts || module_.nodes[index].outputs[0].dataType() != DataType::float32) return;
    Draft draft;
    draft.gemm.bTranspose = parts->bTranspose;
    draft.gemm.options.label = parts->label;
    if (!setMatrix(draft.gemm, parts->b)) return;
    if (const auto scale = setDynamicRows(draft, parts->a)) return fuseDynamic(index, *parts, std::move(draft), *scale);
    if (!setRows(draft, parts->a) && !draft.suitsFloats(roundsFactors_)) return;
    if (!draft.addBias(parts->c, parts->beta) || !draft.scaleBy(module_, parts->alpha) || !draft.mayMergeScales()) return;
    absorb(index, std::move(draft));
  }

  // Sets b, its scale and its zero point if they are constants. Records a transpose of the matrix in bTranspose instead of
  // computing it.
  bool setMatrix(QuantizedGemm& gemm, Operand b) {
    const ModuleNode* producer = producerOf(b);
    while (producer) {
      if (const auto* unary = as<ops::Unary>(producer->operation); unary && unary->kind == ops::UnaryKind::identity) {
        b = unary->input;
      } else if (const auto* transpose = as<ops::Transpose>(producer->operation);
                 transpose && transpose->options.permutation == std::vector<std::uint32_t>{1, 0}) {
        b = transpose->input;
        gemm.bTranspose = !gemm.bTranspose;
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
    gemm.b = withShape(op->input, *shape);
    gemm.bScale = withShape(op->scale, *blocks);
    gemm.bZeroPoint = withShape(op->zeroPoint, *blocks);
    return true;
  }
  Operand withShape(const Operand& constant, const Shape& shape) {
    return constant.shape() == shape ? constant : module_.reshaped(constant, shape);
  }

  // Sets gemm.a. If `a` is dequantized and the matrix supports 8-bit rows, reads the 8-bit rows instead and returns true.
  bool setRows(Draft& draft, const Operand& a) {
    QuantizedGemm& gemm = draft.gemm;
    gemm.a = a;
    const ModuleNode* producer = producerOf(a);
    const auto* op = producer ? as<ops::DequantizeLinear>(producer->operation) : nullptr;
    if (!op || !draft.suitsBytes()) return false;
    const auto quantization = quantizationOf(op->scale, op->zeroPoint);
    if (!quantization) return false;
    gemm.a = op->input;
    gemm.aScale = quantization->scale;
    gemm.aZeroPoint = quantization->zeroPoint;
    gemm.aType = quantization->type;
    widenMatrix(gemm);
    // If the 8-bit rows have no other user, the GEMM reads float rows and quantizes them while packing.
    const ModuleNode* before = producerOf(op->input);
    const auto* quantize = before ? as<ops::QuantizeLinear>(before->operation) : nullptr;
    if (quantize && isSingleUse(op->input) && isSingleUse(a) && quantize->input.dataType() == DataType::float32 &&
        quantizationOf(quantize->scale, quantize->zeroPoint) == quantization) {
      gemm.a = quantize->input;
    }
    return true;
  }

  // If `a` is dequantized with a single scale and zero point that are not both constant, sets gemm.a to the 8-bit operand and
  // returns the scale; else returns nullopt.
  std::optional<Operand> setDynamicRows(Draft& draft, const Operand& a) {
    const ModuleNode* producer = producerOf(a);
    const auto* op = producer ? as<ops::DequantizeLinear>(producer->operation) : nullptr;
    if (!op || !draft.suitsBytes() || !isByte(op->input.dataType()) || op->scale.dataType() != DataType::float32)
      return std::nullopt;
    if (elementCount(op->scale.descriptor()) != 1 || (isConstant(op->scale) && isConstant(op->zeroPoint))) return std::nullopt;
    if (isConstant(op->scale) && !giveFinite(constantNumbers(op->scale))) return std::nullopt;
    QuantizedGemm& gemm = draft.gemm;
    gemm.a = op->input;
    gemm.aType = op->input.dataType();
    gemm.aZero = op->zeroPoint;
    gemm.aScale = 1;
    widenMatrix(gemm);
    return op->scale;
  }
  // Replaces a product whose rows are dequantized with a scale or a zero point that only the run knows. The GEMM reads the 8-bit
  // rows with scale 1, and its result is multiplied by `scale`.
  void fuseDynamic(std::size_t index, const Parts& parts, Draft draft, const Operand& scale) {
    if (parts.c || !draft.scaleBy(module_, parts.alpha) || !draft.mayMergeScales()) return;
    const std::vector<Operand>& outputs = module_.nodes[index].outputs;
    const Operand product = module_.intermediate(outputs[0].descriptor());
    std::vector<ModuleNode> nodes{{EngineOperation(std::move(draft).withBias(module_)), {product}}};
    const auto add = [&](ops::BinaryKind kind, const Operand& a, const Operand& b, const std::vector<Operand>& results) {
      nodes.push_back({EngineOperation(Operation(ops::Binary{kind, a, b, {}})), results});
    };
    Operand factor = scale;
    if (!isConstant(scale)) {
      // Replaces an infinite scale by NaN, because with it the original sums may be NaN (0 * infinity), unlike the 8-bit product:
      // scale + (scale - scale) is NaN if the scale is infinite, and otherwise equals the scale.
      const Operand zero = module_.intermediate(scale.descriptor());
      factor = module_.intermediate(scale.descriptor());
      add(ops::BinaryKind::sub, scale, scale, {zero});
      add(ops::BinaryKind::add, scale, zero, {factor});
    }
    add(ops::BinaryKind::mul, product, factor, outputs);
    replace({index}, std::move(nodes));
  }
  void widenMatrix(QuantizedGemm& gemm) {
    if (!isNibble(gemm.b.dataType())) return;
    gemm.b = widenedNibbles(module_, gemm.b);
    gemm.bZeroPoint = widenedNibbles(module_, gemm.bZeroPoint);
  }

  // Absorbs the operations after the GEMM, and puts the GEMM in the place of the last absorbed node.
  void absorb(std::size_t index, Draft draft) {
    std::vector<std::size_t> taken{index};
    auto next = follower(index);
    const auto take = [&] {
      taken.push_back(*next);
      next = follower(*next);
    };
    if (next && absorbBias(*next, draft, module_.nodes[taken.back()].outputs[0])) take();
    if (next && isRelu(*next)) {
      draft.gemm.relu = true;
      take();
    }
    const auto* quantize = next && draft.gemm.aScale ? as<ops::QuantizeLinear>(module_.nodes[*next].operation) : nullptr;
    if (quantize && quantize->input.record().index == module_.nodes[taken.back()].outputs[0].record().index) {
      if (const auto quantization = quantizationOf(quantize->scale, quantize->zeroPoint);
          quantization && draft.mayMergeScales(quantization->scale)) {
        draft.setOutput(*quantization);
        take();
        const auto* back = next ? as<ops::DequantizeLinear>(module_.nodes[*next].operation) : nullptr;
        // Does not absorb the dequantization if a user of the result can read 8-bit values, which need a quarter of the memory.
        if (back && quantizationOf(back->scale, back->zeroPoint) == quantization && !feedsReader(*next)) take();
      }
    }
    replace(taken, {{EngineOperation(std::move(draft).withBias(module_)), module_.nodes[taken.back()].outputs}});
  }

  bool absorbBias(std::size_t index, Draft& draft, const Operand& result) {
    const auto* add = as<ops::Binary>(module_.nodes[index].operation);
    if (!add || add->kind != ops::BinaryKind::add || module_.nodes[index].outputs[0].shape() != result.shape()) return false;
    return draft.addBias(add->a.record().index == result.record().index ? add->b : add->a, 1);
  }
  bool isRelu(std::size_t index) const {
    const auto* activation = as<ops::Activation>(module_.nodes[index].operation);
    return activation && activation->kind == ops::ActivationKind::relu;
  }
  // Returns whether an operation that has an 8-bit form reads the dequantized values: a matrix product, a convolution, a pooling,
  // a softmax or an element-wise operation.
  bool feedsReader(std::size_t index) const {
    const Operand& result = module_.nodes[index].outputs[0];
    return std::ranges::any_of(uses_.consumers(result.record().index), [&](std::uint32_t consumer) {
      return visitOperation(module_.nodes[consumer].operation, []<typename Op>(const Op&) {
        return UnaryElementWise<Op> ||
               OneOf<Op, ops::Matmul, ops::Gemm, ops::Conv2d, ops::ConvTranspose2d, ops::Pool2d, ops::Binary, ops::Softmax>;
      });
    });
  }

  bool roundsFactors_;
};

}  // namespace

void fuseQuantized(Module& module, const PassOptions& options) {
  GemmFusion(module, options).run();
  removeUnused(module);
}

}  // namespace webnn::compiler
