// Turns matrix products of two dequantized activations into products of 8-bit matrices. The 8-bit products also compute adjacent
// transposes, following multiplications by positive factors, and a following quantizeLinear. Softmax before quantizeLinear
// becomes an operation that writes, and if possible reads, 8-bit values. Sums are exact, as in
// src/compiler/passes/fuse_quantized.cpp. Runs after fuseAttention, which fuses attention with unquantized scores and weights.
// Attention with quantized scores or weights is left to this pass: while the operands are in cache, separate 8-bit products are
// faster than fused float products.
#include <algorithm>
#include <limits>
#include <optional>

#include "backends/cpu/compile/passes/cpu_passes.h"
#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/simd/softmax.h"
#include "compiler/passes/factors.h"
#include "compiler/passes/operation_kinds.h"
#include "compiler/passes/quantization.h"

namespace webnn::cpu {

namespace {

using StoredPermutation = std::vector<std::uint32_t>;

// Returns the composition outer[inner[i]] of two transposes. `outer` is applied first.
StoredPermutation composed(const StoredPermutation& outer, const StoredPermutation& inner) {
  if (inner.empty()) return outer;
  StoredPermutation result;
  for (const std::uint32_t axis : inner) result.push_back(outer[axis]);
  return result;
}

// Returns whether the innermost dimension in memory is one of the two matrix dimensions.
bool isOfMatrices(const StoredPermutation& permutation) {
  const std::size_t last = permutation.size() - 1;
  return permutation.empty() || permutation[last] == last || permutation[last - 1] == last;
}

// A batch of 8-bit matrices that a product reads.
struct Source {
  Operand numbers;
  Quantization quantization;
  StoredPermutation permutation;  // empty if the dimensions are in order
};

class ProductFusion : ChainFusion {
 public:
  using ChainFusion::ChainFusion;

  void run() {
    fuseAll([this](std::size_t index) {
      const EngineOperation& operation = module_.nodes[index].operation;
      if (const auto* matmul = as<ops::Matmul>(operation)) {
        fuse(index, {.a = matmul->a, .b = matmul->b, .options = matmul->options});
      } else if (const auto* gemm = as<ops::Gemm>(operation)) {
        fuse(index, *gemm);
      } else if (const auto* softmax = as<ops::Softmax>(operation)) {
        fuse(index, *softmax);
      }
    });
  }

 private:
  void fuse(std::size_t index, const ops::Gemm& op) {
    if (op.options.c) return;
    QuantizedBatchGemm product{.a = op.a, .b = op.b};
    product.options.label = op.options.label;
    if (op.options.aTranspose) product.aPermutation = {1, 0};
    if (op.options.bTranspose) product.bPermutation = {1, 0};
    if (op.options.alpha == 1 || scaleBy(product, op.options.alpha)) fuse(index, std::move(product));
  }

  // Multiplies the product by the factor and returns true. Returns false if the new factor is not faithful (isFaithful), or if
  // `factor` is not positive, because it could turn a sum of 0 into -0.
  static bool scaleBy(QuantizedBatchGemm& product, double factor) {
    const auto alpha = static_cast<float>(factor * static_cast<double>(product.alpha));
    if (!(factor > 0) || !isFaithful(static_cast<double>(alpha))) return false;
    product.alpha = alpha;
    return true;
  }
  // Returns whether the scales can be applied as one float32 factor: their product, with and without the result's scale, is 0 or
  // is neither subnormal nor very large.
  static bool hasScale(const QuantizedBatchGemm& product) {
    const double scale = static_cast<double>(product.alpha) * static_cast<double>(product.aQuantization.scale) *
                         static_cast<double>(product.bQuantization.scale);
    return mayMergeTo(scale) && mayMergeTo(scale / (product.result ? static_cast<double>(product.result->scale) : 1));
  }

  void fuse(std::size_t index, QuantizedBatchGemm product) {
    constexpr std::size_t kMostRows = std::numeric_limits<std::int32_t>::max() / (255 * 255);
    std::vector<ModuleNode> nodes;
    const std::optional<Source> a = sourceOf(product.a, product.aPermutation, nodes),
                                b = a ? sourceOf(product.b, product.bPermutation, nodes) : std::nullopt;
    if (!a || !b) return;
    product.a = a->numbers, product.aQuantization = a->quantization, product.aPermutation = a->permutation;
    product.b = b->numbers, product.bQuantization = b->quantization, product.bPermutation = b->permutation;
    const std::size_t k =
        product.aPermutation.empty() ? a->numbers.shape().back() : a->numbers.shape()[product.aPermutation.back()];
    if (k > kMostRows || !hasScale(product)) return;
    std::vector<std::size_t> taken{index};
    while (const auto next = follower(taken.back())) {
      if (!absorb(*next, module_.nodes[taken.back()].outputs[0], product)) break;
      taken.push_back(*next);
    }
    nodes.push_back({EngineOperation(std::move(product)), module_.nodes[taken.back()].outputs});
    replace(taken, std::move(nodes));
  }

  // Returns the 8-bit matrices from which `operand` is dequantized, looking through transposes. If the matrices are looked up in
  // a table after a transpose, appends to `nodes` a copy of the lookup that reads the transpose's input.
  std::optional<Source> sourceOf(Operand operand, StoredPermutation permutation, std::vector<ModuleNode>& nodes) {
    const auto absorbed = [&](const ops::Transpose& transpose) {
      const StoredPermutation& axes = *transpose.options.permutation;
      return permutation.empty() ? axes : composed(axes, permutation);
    };
    const ops::Transpose* transpose = nullptr;
    while ((transpose = made<ops::Transpose>(operand))) {
      permutation = absorbed(*transpose);
      operand = transpose->input;
    }
    const auto* dequantize = made<ops::DequantizeLinear>(operand);
    if (!dequantize || isConstant(dequantize->input) || !isByte(dequantize->input.dataType())) return std::nullopt;
    const auto quantization = faithfulQuantizationOf(dequantize->scale, dequantize->zeroPoint);
    if (!quantization || quantization->type != dequantize->input.dataType() || !isOfMatrices(permutation)) return std::nullopt;
    Operand numbers = dequantize->input;
    while ((transpose = made<ops::Transpose>(numbers)) && isOfMatrices(absorbed(*transpose))) {
      permutation = absorbed(*transpose);
      numbers = transpose->input;
    }
    const auto* lookup = made<TableLookup>(numbers);
    transpose = lookup && isSingleUse(numbers) ? made<ops::Transpose>(lookup->input) : nullptr;
    if (transpose && isOfMatrices(absorbed(*transpose))) {
      permutation = absorbed(*transpose);
      const Origins origins = producerOf(numbers)->origins;
      TableLookup moved = *lookup;
      moved.input = transpose->input;
      numbers = module_.intermediate({numbers.dataType(), transpose->input.shape()});
      nodes.push_back({EngineOperation(std::move(moved)), {numbers}, origins});
    }
    if (std::ranges::is_sorted(permutation)) permutation.clear();
    return Source{numbers, *quantization, std::move(permutation)};
  }

  // Fuses node `index`, which reads `result`, into the product. Returns false if the product cannot compute it.
  bool absorb(std::size_t index, const Operand& result, QuantizedBatchGemm& product) const {
    const EngineOperation& operation = module_.nodes[index].operation;
    QuantizedBatchGemm changed = product;
    if (const auto* transpose = as<ops::Transpose>(operation)) {
      const StoredPermutation& axes = *transpose->options.permutation;
      if (axes.back() + 1 != axes.size()) return false;
      changed.outputPermutation = product.outputPermutation.empty() ? axes : composed(product.outputPermutation, axes);
    } else if (product.result) {
      return false;
    } else if (const auto* quantize = as<ops::QuantizeLinear>(operation)) {
      changed.result = faithfulQuantizationOf(quantize->scale, quantize->zeroPoint);
      if (!changed.result || quantize->input.record().index != result.record().index) return false;
    } else {
      const std::optional<double> factor = factorOf(operation, result);
      if (!factor || module_.nodes[index].outputs[0].shape() != result.shape() || !scaleBy(changed, *factor)) return false;
    }
    if (!hasScale(changed)) return false;
    product = std::move(changed);
    return true;
  }
  static std::optional<double> factorOf(const EngineOperation& operation, const Operand& result) {
    if (const auto* linear = as<ops::Linear>(operation)) {
      return linear->options.beta == 0 ? std::optional(linear->options.alpha) : std::nullopt;
    }
    const auto* op = as<ops::Binary>(operation);
    if (!op) return std::nullopt;
    const std::optional<float> number = uniformValue(op->a.record().index == result.record().index ? op->b : op->a);
    if (!number) return std::nullopt;
    const auto factor = static_cast<double>(*number);
    if (op->kind == ops::BinaryKind::mul) return factor;
    return op->kind == ops::BinaryKind::div && op->a.record().index == result.record().index ? std::optional(1 / factor)
                                                                                             : std::nullopt;
  }

  void fuse(std::size_t index, const ops::Softmax& op) {
    const auto next = follower(index);
    const auto* quantize = next ? as<ops::QuantizeLinear>(module_.nodes[*next].operation) : nullptr;
    if (!quantize || op.input.dataType() != DataType::float32 || op.axis + 1 != op.input.rank()) return;
    const auto to = faithfulQuantizationOf(quantize->scale, quantize->zeroPoint);
    if (!to || op.input.shape().back() >= kLongSoftmaxRow) return;
    QuantizedSoftmax softmax{.input = op.input, .from = {}, .to = *to, .options = op.options};
    if (const auto* dequantize = made<ops::DequantizeLinear>(op.input); dequantize && isByte(dequantize->input.dataType())) {
      softmax.from = faithfulQuantizationOf(dequantize->scale, dequantize->zeroPoint);
      if (softmax.from) softmax.input = dequantize->input;
    }
    replace({index, *next}, {{EngineOperation(std::move(softmax)), module_.nodes[*next].outputs}});
  }
};

}  // namespace

void fuseQuantizedProducts(Module& module, const PassOptions&) {
  ProductFusion(module).run();
  removeUnused(module);
}

}  // namespace webnn::cpu
