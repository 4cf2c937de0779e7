#include "backends/webgpu/compile.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <type_traits>

#include "backends/webgpu/kernels/kernels.h"
#include "base/divide_up.h"
#include "base/text.h"
#include "compiler/passes/origins.h"
#include "compiler/passes/passes.h"
#include "compiler/plan/readings.h"
#include "compiler/verify/verify.h"
#include "webnn/error.h"

namespace webnn::webgpu {

namespace {

using compiler::Module;
using compiler::ModuleNode;
using compiler::PassOptions;

struct GraphPass {
  std::string_view name;
  void (*run)(Module& module, const PassOptions& options);
  bool fuses = false;  // whether kernels may need up to kFusedBindings buffers after the pass
};

constexpr std::array<GraphPass, 18> kPasses{{
    {"repackInt4", compiler::repackInt4},
    {"foldConstants", compiler::foldConstants},
    {"canonicalize", compiler::canonicalize},
    {"eliminateCommonSubexpressions", compiler::eliminateCommonSubexpressions},
    {"eliminateDeadCode", compiler::eliminateDeadCode},
    {"recognise", compiler::recognise},
    {"fuseAttention", compiler::fuseAttention},
    {"mergeConvolutions", compiler::mergeConvolutions},
    {"raiseImages", compiler::raiseImages},
    {"chooseLayout", compiler::chooseLayout},
    {"canonicalizeLayout", compiler::canonicalize},
    {"lowerMatmul", compiler::lowerMatmul},
    {"lowerConv", compiler::lowerConv},
    {"foldRest", compiler::foldRest},
    {"lowerElementwise", compiler::lowerElementwise},
    {"fuseEpilogues", compiler::fuseEpilogues, true},
    {"fuseElementwise", compiler::fuseElementwise, true},
    {"eliminateDeadCodeAgain", compiler::eliminateDeadCode},
}};
// The maximum number of buffers that a kernel with fused operations may read and write.
constexpr std::uint32_t kFusedBindings = 10;

// Whether kernels.h has a kernel for the operation. It has none for engine operations that no pass in kPasses creates.
template <typename Op>
concept HasKernel = requires(const Op& op, Planner& planner) {
  plan(op, planner);
};

std::vector<PlannedDispatch> planDispatches(Module& module, const KernelLimits& limits, const Budget& budget,
                                            std::vector<OperationPlacement>& placement) {
  std::vector<PlannedDispatch> planned;
  for (std::size_t i = 0; i < module.nodes.size(); ++i) {
    const ModuleNode& node = module.nodes[i];
    budget.report("prepare", i, module.nodes.size());
    budget.check();
    if (compiler::viewed(node)) continue;
    std::vector<Dispatch> dispatches;
    Planner planner(module, limits, node, dispatches);
    visitOperation(node.operation, [&]<typename Op>(const Op& op) {
      if constexpr (HasKernel<Op>) {
        plan(op, planner);
      } else {
        fail(ErrorKind::unknownError, "the WebGPU backend has no kernel for {}.", compiler::nodeText(node));
      }
    });
    for (Dispatch& dispatch : dispatches) {
      for (const std::uint32_t origin : node.origins) {
        placement[origin].device = "webgpu";
        placement[origin].steps.push_back(static_cast<std::uint32_t>(planned.size()));
        placement[origin].kernels.push_back(dispatch.kernel);
      }
      planned.push_back({std::move(dispatch), std::string(compiler::name(node.operation)), compiler::label(node.operation)});
    }
  }
  return planned;
}

// Returns the root of each operand: for a view, the index of its source, whose buffer it shares; otherwise the operand's own
// index.
std::vector<std::uint32_t> rootsOf(const Module& module) {
  std::vector<std::uint32_t> roots(module.indexLimit());
  std::iota(roots.begin(), roots.end(), 0U);
  for (const ModuleNode& node : module.nodes) {
    if (const Operand* source = compiler::viewed(node)) roots[node.outputs[0].record().index] = roots[source->record().index];
  }
  return roots;
}

// Assigns buffers to values: the smallest free buffer that is large enough. If no free buffer is large enough, enlarges the
// largest one; if no buffer is free, adds one.
class BufferPlan {
 public:
  BufferPlan(const Module& module, CompiledGraph& graph)
      : module_(module),
        graph_(graph),
        roots_(rootsOf(module)),
        buffer_(module.indexLimit(), kNone),
        last_(module.indexLimit(), 0) {}

  void run() {
    constexpr std::size_t kEnd = std::numeric_limits<std::size_t>::max();
    for (const Operand& input : module_.inputs) {
      graph_.inputs.push_back(take(input));
      last_[rootOf(input)] = kEnd;
    }
    for (std::size_t i = 0; i < graph_.dispatches.size(); ++i) {
      for (const Operand& operand : graph_.dispatches[i].dispatch.reads)
        last_[rootOf(operand)] = std::max(last_[rootOf(operand)], i);
      for (const Operand& operand : graph_.dispatches[i].dispatch.writes)
        last_[rootOf(operand)] = std::max(last_[rootOf(operand)], i);
    }
    for (const auto& [name, output] : module_.outputs) last_[rootOf(output)] = kEnd;
    std::vector<std::vector<BufferIndex>> bindings;
    for (std::size_t i = 0; i < graph_.dispatches.size(); ++i) {
      const Dispatch& dispatch = graph_.dispatches[i].dispatch;
      std::vector<BufferIndex>& bound = graph_.bindings.emplace_back();
      for (const Operand& operand : dispatch.reads) bound.push_back(bufferOf(operand));
      for (const Operand& operand : dispatch.writes) bound.push_back(bufferOf(operand));
      // Buffers are freed after the outputs are assigned, because a dispatch may not read and write the same buffer.
      const auto free = [&](const Operand& operand) {
        const std::uint32_t root = rootOf(operand);
        if (last_[root] != i) return;
        free_.push_back(buffer_[root]);
        last_[root] = kEnd;
      };
      std::ranges::for_each(dispatch.reads, free);
      std::ranges::for_each(dispatch.writes, free);
    }
    for (const auto& [name, output] : module_.outputs) graph_.outputs.push_back(bufferOf(output));
    // Constants follow all other buffers.
    const auto count = static_cast<BufferIndex>(graph_.bufferBytes.size());
    const auto settle = [&](BufferIndex& index) {
      if (index >= kFirstConstant) index = count + (index - kFirstConstant);
    };
    for (auto& bound : graph_.bindings) std::ranges::for_each(bound, settle);
    std::ranges::for_each(graph_.outputs, settle);
  }

 private:
  static constexpr BufferIndex kNone = ~BufferIndex{0}, kFirstConstant = BufferIndex{1} << 31;

  std::uint32_t rootOf(const Operand& operand) const { return roots_[operand.record().index]; }

  BufferIndex bufferOf(const Operand& operand) {
    BufferIndex& buffer = buffer_[rootOf(operand)];
    if (buffer != kNone) return buffer;
    if (!compiler::isConstant(operand)) return take(operand);
    buffer = kFirstConstant + static_cast<BufferIndex>(graph_.constants.size());
    graph_.constants.push_back(operand);
    last_[rootOf(operand)] = std::numeric_limits<std::size_t>::max();
    return buffer;
  }

  BufferIndex take(const Operand& operand) {
    const std::uint64_t bytes = roundUp(std::uint64_t{byteLength(operand.descriptor())}, 16);
    BufferIndex& buffer = buffer_[rootOf(operand)];
    auto best = free_.end();
    for (auto i = free_.begin(); i != free_.end(); ++i) {
      if (best == free_.end() || isBetter(graph_.bufferBytes[*i], graph_.bufferBytes[*best], bytes)) best = i;
    }
    if (best == free_.end()) {
      buffer = static_cast<BufferIndex>(graph_.bufferBytes.size());
      graph_.bufferBytes.push_back(bytes);
      return buffer;
    }
    buffer = *best;
    free_.erase(best);
    graph_.bufferBytes[buffer] = std::max(graph_.bufferBytes[buffer], bytes);
    return buffer;
  }
  static bool isBetter(std::uint64_t a, std::uint64_t b, std::uint64_t wanted) {
    if ((a >= wanted) != (b >= wanted)) return a >= wanted;
    return a >= wanted ? a < b : a > b;
  }

  const Module& module_;
  CompiledGraph& graph_;
  const std::vector<std::uint32_t> roots_;
  std::vector<BufferIndex> buffer_;  // indexed by root
  std::vector<std::size_t> last_;    // indexed by root: the last dispatch that uses the value
  std::vector<BufferIndex> free_;
};

}  // namespace

CompiledGraph compileGraph(const GraphDefinition& graph, const KernelLimits& limits, const Budget& budget) {
  const BudgetScope scope(budget);
  Module module(graph, true);
  compiler::OriginTracker origins(module);
  const compiler::ModuleInterface interface(module);
  const PassOptions options{std::make_shared<compiler::FoldingBudget>(compiler::CompileLimits{}, graph.constants), {}};
  for (const GraphPass& pass : kPasses) {
    budget.report("optimize", static_cast<std::size_t>(&pass - kPasses.data()), kPasses.size());
    if (pass.fuses && limits.maxBindings < kFusedBindings) continue;
    pass.run(module, options);
    origins.settle();
    budget.check();
  }
  verifyModule(module, interface, "all passes");
  CompiledGraph compiled;
  compiled.placement.resize(module.absences.size());
  compiled.dispatches = planDispatches(module, limits, budget, compiled.placement);
  for (std::size_t i = 0; i < compiled.placement.size(); ++i) {
    if (!compiled.placement[i].steps.empty()) continue;
    compiled.placement[i].state =
        module.absences[i] == compiler::Absence::constant ? PlacementState::constant : PlacementState::removed;
  }
  BufferPlan(module, compiled).run();
  return compiled;
}

}  // namespace webnn::webgpu
