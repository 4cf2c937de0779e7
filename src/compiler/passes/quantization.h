// Helpers of passes that compute on 8-bit values between dequantizeLinear and quantizeLinear.
#pragma once

#include <optional>
#include <vector>

#include "compiler/ir/module.h"

namespace webnn::compiler {

inline bool isByte(DataType type) { return type == DataType::int8 || type == DataType::uint8; }

// Returns whether (value - zero point) * scale is finite for all bytes. If not, each element matters and not only their sum.
bool giveFinite(const std::vector<double>& scales);

// Returns the scale and zero point of a whole 8-bit tensor if they are constants and every dequantized value is finite.
std::optional<Quantization> quantizationOf(const Operand& scale, const Operand& zeroPoint);
// Does the same, and also requires that dequantizing and quantizing restores every byte and keeps their order. Products and
// quotients of a few such values are within float32's range.
std::optional<Quantization> faithfulQuantizationOf(const Operand& scale, const Operand& zeroPoint);
bool isFaithful(double scale);

// Make dequantizeLinear and quantizeLinear of a whole tensor.
Operation dequantizing(Module& module, const Operand& numbers, const Quantization& quantization);
Operation quantizing(Module& module, const Operand& values, const Quantization& quantization);

// Replaces chains of nodes by single nodes.
class ChainFusion {
 public:
  explicit ChainFusion(Module& module)
      : module_(module), uses_(module), isGone_(module.nodes.size()), results_(module.nodes.size()) {}

 protected:
  // Calls fuse(index) for each node. Afterwards the module holds the remaining nodes and the replacements.
  void fuseAll(auto&& fuse) {
    for (std::size_t i = 0; i < module_.nodes.size(); ++i) fuse(i);
    finish();
  }

  // Returns the node that computes the operand; null if there is none or if a chain has replaced it.
  const ModuleNode* producerOf(const Operand& operand) const;
  template <typename Op>
  const Op* made(const Operand& operand) const {
    const ModuleNode* producer = producerOf(operand);
    return producer ? as<Op>(producer->operation) : nullptr;
  }
  bool isSingleUse(const Operand& operand) const { return uses_.of(operand) == 1 && !uses_.isOutput[operand.record().index]; }
  // Returns the only user of the result of node `index`.
  std::optional<std::size_t> follower(std::size_t index) const;

  // Replaces the nodes of `chain` by `nodes`, at the place of the last one. The new nodes inherit the chain's origins, unless
  // they have their own.
  void replace(const std::vector<std::size_t>& chain, std::vector<ModuleNode> nodes);
  Module& module_;
  Uses uses_;

 private:
  void finish();

  std::vector<bool> isGone_;
  std::vector<std::vector<ModuleNode>> results_;  // by node: its replacement
};

// Removes nodes that fusions left without users, so that foldConstants does not fold weights which fused nodes unpack.
void removeUnused(Module& module);

}  // namespace webnn::compiler
