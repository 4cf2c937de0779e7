#include <algorithm>
#include <cmath>

#include "backends/cpu/compile/passes/cpu_passes.h"
#include "backends/cpu/conv/conv_block.h"
#include "backends/cpu/conv/conv_direct.h"
#include "backends/cpu/conv/conv_epilogue.h"
#include "backends/cpu/conv/conv_kernel.h"

namespace webnn::cpu {

namespace {

bool isFloatConstant(const Operand& operand) { return isConstant(operand) && operand.dataType() == DataType::float32; }

// Returns whether `part` is a float32 convolution with constant weights and an epilogue that a block can apply: one without
// operands, or, if `takesAddend` is set, one that adds an operand of the output's shape and that the GEMM kernels support.
bool isPart(const Convolution& part, const OperandDescriptor& output, bool takesAddend) {
  const ops::Conv2d& conv = part.conv;
  if (conv.input.dataType() != DataType::float32 || output.dataType != DataType::float32) return false;
  if (!isFloatConstant(conv.filter) || (conv.options.bias && !isFloatConstant(*conv.options.bias))) return false;
  if (part.epilogue.operands.empty()) return true;
  const std::optional<ConvActivation> activation = activationOf(part.epilogue.program, false);
  return activation && activation->adds && takesAddend && part.epilogue.operands[0].descriptor() == output;
}

// Returns false if padding could be multiplied by an infinite or NaN weight, which would give NaN. May read all weights.
bool isFiniteOnPadding(const Boxed<Convolution>& part) {
  if (!part || !readsPadding(shapeOf(part->conv))) return true;
  const Operand& filter = part->conv.filter;
  return isFinite(RawFilter{filter.record().bytes.data(), false, {}}, elementCount(filter.descriptor()));
}

// Returns whether a node may be in the middle of a block.
bool isMiddle(const ModuleNode& node) {
  const auto* convolution = as<Convolution>(node.operation);
  return convolution ? convolution->conv.options.groups > 1 : as<ops::Pool2d>(node.operation) != nullptr;
}

class BlockFuser {
 public:
  explicit BlockFuser(Module& module) : module_(module), uses_(module), isGone_(module.nodes.size()) {}

  void run() {
    for (std::size_t i = 0; i < module_.nodes.size(); ++i) {
      if (isMiddle(module_.nodes[i])) fuse(i);
    }
    if (std::ranges::count(isGone_, true) == 0) return;
    std::vector<ModuleNode> kept;
    kept.reserve(module_.nodes.size());
    for (std::size_t i = 0; i < module_.nodes.size(); ++i) {
      if (!isGone_[i]) kept.push_back(std::move(module_.nodes[i]));
    }
    module_.nodes = std::move(kept);
  }

 private:
  // Fuses node `middle` (a depthwise convolution or pooling) into a block with the convolution before it, the one after it, or
  // both, if the block is worthwhile.
  void fuse(std::size_t middle) {
    const Operand& result = module_.nodes[middle].outputs[0];
    ConvolutionBlock block;
    if (!takeMiddle(block, middle)) return;
    block.middleShape = result.shape();
    const std::int32_t first = before(block.input);
    const auto* expand = first < 0 ? nullptr : as<Convolution>(module_.nodes[static_cast<std::size_t>(first)].operation);
    if (expand && expand->conv.options.groups == 1 && winogradOutputs(shapeOf(expand->conv)) == 0 &&
        partOf(static_cast<std::size_t>(first), false)) {
      block.expand = *expand;
      block.input = expand->conv.input;
    }
    const std::size_t last = onlyConsumer(result, middle);
    if (last != middle) {
      const auto* project = as<Convolution>(module_.nodes[last].operation);
      if (project && project->conv.input == result && project->conv.options.groups == 1 && shapeOf(project->conv).isPointwise() &&
          partOf(last, true)) {
        block.project = *project;
      }
    }
    if (!isBlockWorthwhile(block)) return;
    if (!isFiniteOnPadding(block.expand) || !isFiniteOnPadding(block.depthwise) || !isFiniteOnPadding(block.project)) return;
    if (block.expand) isGone_[static_cast<std::size_t>(first)] = true;
    if (block.project) isGone_[middle] = true;
    EngineOperation& place = module_.nodes[block.project ? last : middle].operation;
    place = EngineOperation(std::move(block));
  }

  bool takeMiddle(ConvolutionBlock& block, std::size_t node) const {
    const EngineOperation& operation = module_.nodes[node].operation;
    if (const auto* pool = as<ops::Pool2d>(operation)) {
      block.pool = *pool;
      block.input = pool->input;
      return pool->options.layout == InputOperandLayout::nhwc && pool->input.dataType() == DataType::float32;
    }
    const auto* convolution = as<Convolution>(operation);
    if (!convolution) return false;
    const ConvShape shape = shapeOf(convolution->conv);
    if (shape.groups != shape.inputs || shape.outputs != shape.inputs || !partOf(node, false)) return false;
    block.depthwise = *convolution;
    block.input = convolution->conv.input;
    block.options.label = convolution->options.label;
    return true;
  }

  const Convolution* partOf(std::size_t node, bool takesAddend) const {
    const auto* part = as<Convolution>(module_.nodes[node].operation);
    return part && isPart(*part, module_.nodes[node].outputs[0].descriptor(), takesAddend) ? part : nullptr;
  }
  // Returns the node that computes the operand. Returns -1 if there is none, if another block has taken it, or if the operand has
  // other uses.
  std::int32_t before(const Operand& operand) const {
    const std::uint32_t index = operand.record().index;
    const std::int32_t producer = uses_.producer[index];
    if (producer < 0 || isGone_[static_cast<std::size_t>(producer)]) return -1;
    return uses_.of(operand) == 1 && !uses_.isOutput[index] ? producer : -1;
  }
  // Returns the only user of `result`. Returns `node` if `result` has no user, several users, or is an output of the graph.
  std::size_t onlyConsumer(const Operand& result, std::size_t node) const {
    const std::uint32_t index = result.record().index;
    return uses_.of(result) == 1 && !uses_.isOutput[index] ? uses_.consumers(index)[0] : node;
  }

  Module& module_;
  Uses uses_;
  std::vector<bool> isGone_;
};

}  // namespace

void fuseBlocks(Module& module, const PassOptions&) {
  if (std::ranges::any_of(module.nodes, isMiddle)) BlockFuser(module).run();
}

}  // namespace webnn::cpu
