// What the passes share that compute on 8-bit numbers between dequantizeLinear and quantizeLinear.
#pragma once

#include <optional>
#include <vector>

#include "compiler/ir/module.h"

namespace webnn::compiler {

inline bool isByte(DataType type) { return type == DataType::int8 || type == DataType::uint8; }

// Whether numbers less zero points times the scales are finite: otherwise each number counts, and not their sum alone.
bool giveFinite(const std::vector<double>& scales);

// The one scale and zero point of a whole 8-bit tensor, if they are constants, and if numbers less the zero point times the scale
// are finite.
std::optional<Quantization> quantizationOf(const Operand& scale, const Operand& zeroPoint);
// The same of scales with which integers count just as the numbers that they stand for: a number that is dequantized and
// quantized again is itself, and larger ones stay larger. Products and quotients of a few are within the range of float32.
std::optional<Quantization> faithfulQuantizationOf(const Operand& scale, const Operand& zeroPoint);
bool isFaithful(double scale);

// dequantizeLinear and quantizeLinear of a whole tensor.
Operation dequantizing(Module& module, const Operand& numbers, const Quantization& quantization);
Operation quantizing(Module& module, const Operand& values, const Quantization& quantization);

// Chains of nodes that become one.
class ChainFusion {
 public:
  explicit ChainFusion(Module& module)
      : module_(module), uses_(module), isGone_(module.nodes.size()), results_(module.nodes.size()) {}

 protected:
  // Calls fuse(index) for each node; then the module's nodes are those that are left and those that have replaced others.
  template <typename Fuse>
  void fuseAll(Fuse&& fuse) {
    for (std::size_t i = 0; i < module_.nodes.size(); ++i) fuse(i);
    finish();
  }

  // The node that computes the operand, unless that has become part of another one; or null.
  const ModuleNode* producerOf(const Operand& operand) const;
  template <typename Op>
  const Op* made(const Operand& operand) const {
    const ModuleNode* producer = producerOf(operand);
    return producer ? as<Op>(producer->operation) : nullptr;
  }
  bool isSingleUse(const Operand& operand) const { return uses_.of(operand) == 1 && !uses_.isOutput[operand.record().index]; }
  // The node that alone uses the result of node `index`.
  std::optional<std::size_t> follower(std::size_t index) const;

  // Puts `nodes` where the last of `chain` is, which all go. They stand for what those stood for, unless they say otherwise.
  void replace(const std::vector<std::size_t>& chain, std::vector<ModuleNode> nodes);
  Module& module_;
  Uses uses_;

 private:
  void finish();

  std::vector<bool> isGone_;
  std::vector<std::vector<ModuleNode>> results_;  // what stands where a node was
};

// What fusions have left over, so that nobody folds the weights that they unpack themselves.
void removeUnused(Module& module);

}  // namespace webnn::compiler
