// Helpers for passes that compute on 8-bit values between dequantizeLinear and quantizeLinear.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "compiler/ir/module.h"

namespace webnn::compiler {

inline bool isByte(DataType type) { return type == DataType::int8 || type == DataType::uint8; }

// Returns whether (value - zero point) * scale is finite for all 8-bit values. With an infinite element, an exact integer sum
// would be wrong, because this single element determines the result.
bool giveFinite(const std::vector<double>& scales);

// Returns the scale and zero point of a tensor; nullopt unless both are constants with a single value, the scale is float32, the
// zero point is int8 or uint8, and every dequantized value is finite.
std::optional<Quantization> quantizationOf(const Operand& scale, const Operand& zeroPoint);
// Returns quantizationOf(), or nullopt unless two conditions hold: dequantizing and quantizing restores every code and preserves
// order, and products and quotients of a few such values fit in float32.
std::optional<Quantization> faithfulQuantizationOf(const Operand& scale, const Operand& zeroPoint);
bool isFaithful(double scale);

// The maximum number of products of two 8-bit values, each minus its zero point, whose sum fits in a signed 32-bit integer.
inline constexpr std::size_t kMostTerms = std::numeric_limits<std::int32_t>::max() / (255 * 255);

// Make dequantizeLinear and quantizeLinear operations with a single scale and zero point.
Operation dequantizing(Module& module, const Operand& numbers, const Quantization& quantization);
Operation quantizing(Module& module, const Operand& values, const Quantization& quantization);

// Base class of passes that replace chains of nodes by new nodes.
class ChainFusion {
 public:
  explicit ChainFusion(Module& module)
      : module_(module), uses_(module), isGone_(module.nodes.size()), results_(module.nodes.size()) {}

 protected:
  // Calls fuse(index) for each node, then replaces the module's nodes by the remaining and the new ones.
  void fuseAll(auto&& fuse) {
    for (std::size_t i = 0; i < module_.nodes.size(); ++i) fuse(i);
    finish();
  }

  // Returns the node that computes the operand, or null if there is none or a chain replaced it.
  const ModuleNode* producerOf(const Operand& operand) const;
  template <typename Op>
  const Op* made(const Operand& operand) const {
    const ModuleNode* producer = producerOf(operand);
    return producer ? as<Op>(producer->operation) : nullptr;
  }
  bool isSingleUse(const Operand& operand) const { return uses_.of(operand) == 1 && !uses_.isOutput[operand.record().index]; }
  // Returns the index of the only user of node `index`'s result. Returns nullopt if there is no user, if there are several, or if
  // the user has been replaced.
  std::optional<std::size_t> follower(std::size_t index) const;

  // Replaces the nodes of `chain` by `nodes`, which are inserted in place of the last one. New nodes without origins inherit the
  // origins of the chain.
  void replace(const std::vector<std::size_t>& chain, std::vector<ModuleNode> nodes);
  Module& module_;
  Uses uses_;

 private:
  void finish();

  std::vector<bool> isGone_;
  std::vector<std::vector<ModuleNode>> results_;  // indexed by node: its replacement
};

// Removes nodes that fusions left without users. Otherwise foldRest would dequantize weights that fused nodes unpack themselves.
void removeUnused(Module& module);

}  // namespace webnn::compiler
