#include "backends/cpu/compile/executable.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>

#include "backends/cpu/compile/evaluate.h"
#include "backends/cpu/compile/memory_watch.h"
#include "backends/cpu/compile/plan_steps.h"
#include "backends/cpu/gemm/gemm.h"
#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/runtime/float_mode.h"
#include "base/files/file.h"
#include "base/heap.h"
#include "base/text.h"
#include "compiler/passes/origins.h"
#include "compiler/plan/memory_plan.h"
#include "compiler/plan/readings.h"
#include "compiler/verify/verify.h"

namespace webnn::cpu {

namespace {

struct PlannedStep {
  StepPtr step;
  std::string operation, label;
};

// The inputs of the passes, with which placement() and stepGraph() repeat the passes.
struct Source {
  std::shared_ptr<const GraphDefinition> graph;
  Isa isa = Isa::sse4;
  Precision precision = Precision::float32;
  std::vector<std::string> disabledPasses;
  CompileLimits limits;
  MemoryMode memory = MemoryMode::planned;
  std::uint64_t compileWork = 0;  // remaining compile work of the budget when the passes began
};

// The module after the passes, and the plan of its memory.
struct Explained {
  Module module;
  MemoryPlan plan;
};
Explained explain(const Source& source);

MemoryPlan planOf(const Module& module, MemoryMode mode) {
  return mode == MemoryMode::apart ? planApart(module, kGuardBytes) : planMemory(module);
}

// The memory that one run uses. Concurrent runs use different workspaces. Unused workspaces are kept for later runs.
struct Workspace {
  std::unique_ptr<Arena> arena;           // null if the graph needs none, or between runs if arenas are lent
  std::vector<const std::byte*> sources;  // addresses indexed by Slot::base, as in Frame
  std::vector<std::byte*> targets;
  std::size_t runs = 0;
};

class StepPlanner final : public Planner {
 public:
  StepPlanner(const MemoryPlan& plan, const CompileOptions& options, TeamPool& pool, WeightMemory& weights, MemoryCharge& charge,
              const Budget& budget, bool isWatched)
      : plan_(plan),
        isWatched_(isWatched),
        isa_(options.isa),
        precision_(options.precision),
        caches_(options.caches),
        pool_(pool),
        weights_(weights),
        shared_(options.weights),
        charge_(charge),
        budget_(budget),
        owner_(plan.slots.size()),
        isConstantUsed_(plan.constants.size()),
        isConstantRead_(plan.constants.size()) {}

  StepPtr plan(const ModuleNode& node) {
    node_ = &node;
    const auto own = [&](const Operand& operand) { owner_[operand.record().index] = &node; };
    visitOperands(node.operation, [&](std::string_view, const Operand& operand) { own(operand); });
    std::ranges::for_each(node.outputs, own);
    StepPtr step = visitOperation(node.operation, [&](const auto& op) { return cpu::plan(op, *this); });
    spoilCopies();
    if (!step) fail(ErrorKind::unknownError, "the CPU engine has no step for {}.", name(node.operation));
    mostScratch_ = std::max(mostScratch_, scratch_);
    lastScratch_ = std::exchange(scratch_, 0);
    return step;
  }
  std::size_t scratchBytes() const { return mostScratch_; }
  std::size_t scratchOfLast() const { return lastScratch_; }
  const std::vector<bool>& isConstantUsed() const { return isConstantUsed_; }
  // Returns, for each constant, whether planning has read its bytes and thus loaded their pages into memory.
  const std::vector<bool>& isConstantRead() const { return isConstantRead_; }
  std::vector<std::vector<std::byte>> takeSpoilt() { return std::move(copies_); }

  Isa isa() const override { return isa_; }
  Precision precision() const override { return precision_; }
  const CacheSizes& caches() const override { return caches_; }
  unsigned threads() const override { return pool_.threads(); }
  // Accepts only operands of the current node: memory planning and verification assume that a node's step reads no other
  // operands.
  Slot slot(const Operand& operand) override {
    checkOwned(operand);
    const Slot slot = plan_.slots[operand.record().index];
    if (slot.base >= plan_.constantBase) isConstantUsed_[slot.base - plan_.constantBase] = true;
    return slot;
  }
  Slot output(std::size_t i) override { return slot(node_->outputs[i]); }
  const Operand& outputOperand(std::size_t i) const override { return node_->outputs[i]; }
  std::size_t outputStride() const override {
    const Operand& output = node_->outputs[0];
    const std::size_t rowStride = plan_.rowStrides[output.record().index];
    return rowStride > 0 || output.rank() == 0 ? std::max<std::size_t>(rowStride, 1) : output.shape().back();
  }
  Slot scratch(std::size_t bytes) override {
    if (scratch_ > 0) fail(ErrorKind::unknownError, "the CPU engine: {} takes scratch memory twice.", nodeText(*node_));
    scratch_ = aligned(bytes);
    return {0, plan_.arenaBytes};
  }
  void charge(std::size_t bytes) override { charge_.add(bytes, "build: tables of positions"); }
  std::byte* keep(std::size_t bytes) override { return weights_.take(bytes); }
  const std::byte* packWeights(std::size_t bytes, PackKey key, FunctionRef<void(std::byte*)> pack) override {
    key.sizes.push_back(bytes);  // a hit then has the right size even if a caller's key is incomplete
    const bool isShared = shared_ && !isWatched_;
    const auto [known, isNew] = weightCache_.try_emplace(key, nullptr);
    if (isNew && isShared) known->second = weights_.find(key, *shared_);
    if (known->second && !isWatched_) return known->second;
    std::byte* const packed = keep(bytes);
    pack(packed);
    budget_.check();  // an interrupted `pack` leaves arbitrary bytes, which must not be reused
    if (isNew) return known->second = isShared ? weights_.share(packed, bytes, std::move(key), shared_) : packed;
    // With a MemoryWatch, pack again and compare, because equal keys must mean equal packed weights.
    if (std::memcmp(packed, known->second, bytes) != 0) {
      fail(ErrorKind::unknownError, "the CPU engine: {} packs weights otherwise than a step before it that has the same key.",
           nodeText(*node_));
    }
    return packed;
  }
  std::span<const std::byte> constantBytes(const Operand& operand) override {
    checkOwned(operand);
    const Slot slot = plan_.slots[operand.record().index];
    if (slot.base >= plan_.constantBase) isConstantRead_[slot.base - plan_.constantBase] = true;
    const std::span<const std::byte> bytes = operand.record().bytes;
    return isWatched_ ? std::span<const std::byte>(copies_.emplace_back(bytes.begin(), bytes.end())) : bytes;
  }
  // Leases the team only for this call, because other runs cannot use a leased team.
  void withTeam(const std::function<void(Team&)>& work) override {
    const TeamPool::Lease lease(pool_, budget_);
    work(lease.team());
  }

 private:
  void checkOwned(const Operand& operand) const {
    if (owner_[operand.record().index] == node_) return;
    fail(ErrorKind::unknownError, "the CPU engine: {} asks for {}, which it does not have.", nodeText(*node_),
         valueText(operand));
  }
  void spoilCopies() {
    for (std::vector<std::byte>& copy : copies_) std::ranges::fill(copy, std::byte{0xFF});
  }

  const MemoryPlan& plan_;
  bool isWatched_;
  std::vector<std::vector<std::byte>> copies_;
  Isa isa_;
  Precision precision_;
  CacheSizes caches_;
  TeamPool& pool_;
  WeightMemory& weights_;
  std::shared_ptr<SharedWeights> shared_;
  MemoryCharge& charge_;
  const Budget& budget_;
  const ModuleNode* node_ = nullptr;
  std::vector<const ModuleNode*> owner_;  // per operand: the last planned node that reads or writes the operand
  std::size_t scratch_ = 0, lastScratch_ = 0, mostScratch_ = 0;
  std::vector<bool> isConstantUsed_, isConstantRead_;
  std::map<PackKey, const std::byte*> weightCache_;
};

// Smaller arenas are not lent to other graphs, because lending takes a few per cent of the run time of a small graph.
constexpr std::size_t kLentBytes = std::size_t{1} << 20;
// A compilation returns freed memory to the system if the module has at least kManyNodes nodes, or if folding or
// packing made at least kManyBytes.
constexpr std::size_t kManyNodes = 4096, kManyBytes = std::size_t{1} << 20;

// A scatter of more than kMostUpdates elements does not update its output in place. If the updates of a dispatch change more
// than kMostRanges byte ranges, the next dispatch copies the whole input to the output again.
constexpr std::size_t kMostUpdates = std::size_t{1} << 17, kMostRanges = 256;

// Returns, for each node, the constants (as indices in the plan) that the node is the last to use. Constants that no node uses
// are listed at node 0.
std::vector<std::vector<std::size_t>> lastUses(const Module& module, const MemoryPlan& plan) {
  std::vector<std::size_t> last(plan.constants.size());
  for (std::size_t i = 0; i < module.nodes.size(); ++i) {
    visitOperands(module.nodes[i].operation, [&](std::string_view, const Operand& operand) {
      const Slot slot = plan.slots[operand.record().index];
      if (slot.base >= plan.constantBase) last[slot.base - plan.constantBase] = i;
    });
  }
  std::vector<std::vector<std::size_t>> ending(module.nodes.size());
  for (std::size_t i = 0; i < last.size(); ++i) ending[last[i]].push_back(i);
  return ending;
}

// Returns whether the graph output `result` is `operand` or a view of it. If so, no step after the step that computes `operand`
// writes the output.
bool isLast(const Module& module, const Operand& operand, Operand result) {
  for (auto node = module.nodes.rbegin(); node != module.nodes.rend(); ++node) {
    const Operand* source = viewed(*node);
    if (source && node->outputs[0].record().index == result.record().index) result = *source;
  }
  return operand.record().index == result.record().index;
}

std::vector<OperationPlacement> placementOf(const Explained& explained, const std::vector<PlannedStep>& steps) {
  const std::vector<Absence>& absences = explained.module.absences;
  std::vector<OperationPlacement> placement(absences.size());
  std::size_t i = 0;
  for (std::size_t node = 0; node < explained.module.nodes.size(); ++node) {
    if (explained.plan.isView[node]) continue;
    const PlannedStep& step = steps.at(i);
    const std::string kernel = step.step->describe();
    for (const std::uint32_t origin : explained.module.nodes[node].origins) {
      placement[origin].device = "cpu";
      placement[origin].steps.push_back(static_cast<std::uint32_t>(i));
      placement[origin].kernels.push_back(kernel.empty() ? step.operation : kernel);
    }
    ++i;
  }
  // An operation has no step if a pass removed it, if its results became constants, or if it is a view (a reshape, for example).
  for (i = 0; i < placement.size(); ++i) {
    if (!placement[i].steps.empty()) continue;
    placement[i].state = absences[i] == Absence::constant ? PlacementState::constant : PlacementState::removed;
  }
  return placement;
}

class CpuExecutable final : public Executable {
 public:
  CpuExecutable(Module module, Source source, const CompileOptions& options, std::shared_ptr<TeamPool> pool, const Budget& budget)
      : pool_(std::move(pool)), account_(budget.memory()), charge_(account_), weights_(account_), source_(std::move(source)) {
    const MemoryPlan plan = planOf(module, options.memory);
    verifyPlan(module, plan);
    if (options.memory != MemoryMode::planned) watch_.emplace(module, plan);
    outputBase_ = plan.outputBase;
    outputCount_ = module.outputs.size();
    if (account_) account_->require(plan.arenaBytes, "build: memory for values between steps");
    StepPlanner planner(plan, options, *pool_, weights_, charge_, budget, watch_.has_value());
    const std::vector<std::vector<std::size_t>> ending = lastUses(module, plan);
    for (std::size_t i = 0; i < module.nodes.size(); ++i) {
      const ModuleNode& node = module.nodes[i];
      budget.report("prepare", i, module.nodes.size());
      if (!plan.isView[i]) {
        steps_.push_back({planner.plan(node), std::string(compiler::name(node.operation)), compiler::label(node.operation)});
        if (watch_) watch_->addStep(node, plan, planner.scratchOfLast());
      }
      budget.check();
      // Release the pages of constants that no later node uses, so that they do not stay in memory both as stored and packed. If
      // a run reads such a constant (an embedding table, for example), the system loads the pages again. Constants whose packed
      // weights came from another graph were not read here and need no release.
      for (const std::size_t constant : ending[i]) {
        if (!planner.isConstantRead()[constant]) continue;
        releaseMappedPages(plan.constants[constant]->record().bytes);
      }
    }
    budget.report("prepare", module.nodes.size(), module.nodes.size());
    weights_.trim();
    spoilt_ = planner.takeSpoilt();
    arenaBytes_ = aligned(plan.arenaBytes) + planner.scratchBytes();
    if (watch_) watch_->setArena(arenaBytes_ += kGuardBytes);
    for (std::size_t i = 0; i < plan.constants.size(); ++i) {
      const OperandRecord& record = plan.constants[i]->record();
      const bool isUsed = planner.isConstantUsed()[i];
      constants_.push_back(isUsed ? record.bytes.data() : nullptr);
      if (isUsed) keepAlive_.push_back(record.keepAlive);
    }
    if (!watch_) findUpdated(module, plan);  // a watch overwrites outputs before each run, so no output can be updated in place
    if (kLendsArenas && options.arenas && !watch_ && arenaBytes_ >= kLentBytes) lender_.emplace(options.arenas, arenaBytes_);
    release(acquire());  // allocate a workspace now, so that the first run need not
  }

  // Returns the size of the weights packed for this graph, without weights taken over from other graphs.
  std::size_t bytesPacked() const { return weights_.bytesTaken(); }

  void run(std::span<const std::span<const std::byte>> inputs, std::span<const std::span<std::byte>> outputs,
           const Budget& budget) const override {
    runSteps(inputs, outputs, budget, [](std::size_t) {});
  }

  std::span<const UpdatedOutput> updatedOutputs() const override { return updated_; }
  void update(std::span<const std::span<const std::byte>> inputs, std::span<const std::span<std::byte>> outputs,
              std::span<ByteDifference> differences, const Budget& budget) const override {
    std::vector<ByteDifference> after(updated_.size());
    std::vector<UpdatedBase> bases;
    for (std::size_t i = 0; i < updated_.size(); ++i) {
      after[i].emplace().reserve(kMostRanges);
      bases.push_back({static_cast<std::uint32_t>(1 + updated_[i].input),
                       static_cast<std::uint32_t>(outputBase_ + updated_[i].output), &differences[i], &after[i]});
    }
    runSteps(
        inputs, outputs, budget, [](std::size_t) {}, bases);
    std::ranges::move(after, differences.begin());
  }

  std::vector<StepTime> profile(std::span<const std::span<const std::byte>> inputs,
                                std::span<const std::span<std::byte>> outputs) const override {
    using Clock = std::chrono::steady_clock;
    std::vector<StepTime> times;
    const auto seconds = [](Clock::duration duration) { return std::chrono::duration<double>(duration).count(); };
    const auto start = Clock::now();
    double last = 0;
    runSteps(inputs, outputs, Budget::none(), [&](std::size_t i) {
      const double now = seconds(Clock::now() - start);
      times.push_back({steps_[i].operation, steps_[i].label, steps_[i].step->describe(), last, now - last});
      last = seconds(Clock::now() - start);
    });
    return times;
  }

  StepGraph stepGraph() const {
    const Explained explained = explain(source_);
    ModuleLinks links = linksOf(explained.module, explained.plan);
    StepGraph graph{.steps = {}, .outputs = std::move(links.outputs)};
    for (std::size_t i = 0; i < steps_.size(); ++i)
      graph.steps.push_back({steps_[i].operation, steps_[i].label, steps_[i].step->describe(), std::move(links.steps.at(i))});
    return graph;
  }

  std::vector<OperationPlacement> placement() const override {
    if constexpr (!kExplains) return {};
    return placementOf(explain(source_), steps_);
  }

 private:
  // Finds graph outputs that equal a graph input except for a few scattered updates. Dispatches can update them in place.
  void findUpdated(const Module& module, const MemoryPlan& plan) {
    const auto isFirst = [&](const Operand& operand, std::size_t begin, std::size_t end) {
      const Slot slot = plan.slots[operand.record().index];
      return slot.offset == 0 && slot.base >= begin && slot.base < end;
    };
    for (const ModuleNode& node : module.nodes) {
      const auto* blocks = as<ops::ScatterND>(node.operation);
      const auto* elements = as<ops::ScatterElements>(node.operation);
      if (!blocks && !elements) continue;
      const Operand &input = blocks ? blocks->input : elements->input, &output = node.outputs[0];
      const Operand& updates = blocks ? blocks->updates : elements->updates;
      const bool isFew = elementCount(updates.descriptor()) <= kMostUpdates;
      if (!isFew || !isFirst(input, 1, plan.outputBase) || !isFirst(output, plan.outputBase, plan.constantBase)) continue;
      const std::size_t at = plan.slots[output.record().index].base - plan.outputBase;
      if (isLast(module, output, module.outputs[at].second)) updated_.push_back({plan.slots[input.record().index].base - 1, at});
    }
  }

  template <typename After>
  void runSteps(std::span<const std::span<const std::byte>> inputs, std::span<const std::span<std::byte>> outputs,
                const Budget& budget, After after, std::span<const UpdatedBase> updated = {}) const {
    const DefaultFloatMode floats;
    std::unique_ptr<Workspace> workspace = acquire();
    for (std::size_t i = 0; i < inputs.size(); ++i) workspace->sources[1 + i] = inputs[i].data();
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      workspace->sources[outputBase_ + i] = workspace->targets[outputBase_ + i] = outputs[i].data();
    }
    {
      const TeamPool::Lease lease(*pool_, budget);
      const BudgetScope scope(budget);
      const Frame frame{workspace->sources.data(), workspace->targets.data(), lease.team(), updated};
      std::optional<MemoryWatch::Run> watched;
      if (watch_) watched.emplace(*watch_, frame, workspace->runs++);
      for (std::size_t i = 0; i < steps_.size() && !frame.team.isOver(); ++i) {
        if (watched) watched->before(i);
        steps_[i].step->run(frame);
        if (watched) watched->after(i);
        after(i);
      }
    }
    release(std::move(workspace));
    budget.check();
  }

  std::unique_ptr<Workspace> acquire() const {
    std::unique_ptr<Workspace> workspace;
    {
      const std::lock_guard lock(mutex_);
      if (free_.empty()) {
        workspace = std::make_unique<Workspace>();
        workspace->sources.resize(outputBase_ + outputCount_);
        workspace->sources.insert(workspace->sources.end(), constants_.begin(), constants_.end());
        workspace->targets.resize(workspace->sources.size());
        free_.reserve(++made_);
      } else {
        workspace = std::move(free_.back());
        free_.pop_back();
      }
    }
    if (workspace->arena || arenaBytes_ == 0) return workspace;
    workspace->arena = lender_ ? lender_->pool().acquire(arenaBytes_, account_) : makeArena(arenaBytes_, account_);
    workspace->sources[0] = workspace->targets[0] = workspace->arena->data;
    return workspace;
  }
  void release(std::unique_ptr<Workspace> workspace) const {
    if (lender_) lender_->pool().release(std::move(workspace->arena));
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(workspace));
  }

  std::shared_ptr<TeamPool> pool_;
  std::shared_ptr<MemoryAccount> account_;
  MemoryCharge charge_;  // the charge for lookup tables of positions (in pooling and resampling steps, for example)
  WeightMemory weights_;
  std::vector<PlannedStep> steps_;
  const Source source_;
  std::optional<MemoryWatch> watch_;
  // With a MemoryWatch: the copies that constantBytes() returned, filled with 0xFF. Steps that wrongly read them get NaN or -1.
  std::vector<std::vector<std::byte>> spoilt_;
  std::size_t arenaBytes_ = 0, outputCount_ = 0;
  std::optional<ArenaUser> lender_;  // lends arenas; absent: workspaces keep their own
  std::uint32_t outputBase_ = 0;
  std::vector<UpdatedOutput> updated_;
  std::vector<const std::byte*> constants_;
  std::vector<std::shared_ptr<const void>> keepAlive_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Workspace>> free_;
  mutable std::size_t made_ = 0;
};

// Returns whether to verify the module after each pass, to identify a faulty pass. Otherwise it is verified only at the end.
bool verifiesPasses() {
  const char* setting = std::getenv("WEBNN_VERIFY");
  return setting && std::string_view(setting) == "1";
}

bool quantizes(const Module& module) {
  return std::ranges::any_of(module.nodes, [](const ModuleNode& node) {
    return as<ops::DequantizeLinear>(node.operation) || as<ops::QuantizeLinear>(node.operation);
  });
}

bool isDisabled(const Pass& pass, const std::vector<std::string>& disabled) {
  return !pass.required && std::ranges::find(disabled, pass.name) != disabled.end();
}

#ifdef __EMSCRIPTEN__
// Returns whether the graph is large enough to make warming up the GEMM kernels worthwhile.
bool isLarge(const GraphDefinition& graph) {
  constexpr std::size_t kMany = std::size_t{1} << 20;
  std::size_t bytes = 0;
  for (const Operand& constant : graph.constants) bytes += constant.record().bytes.size();
  return bytes >= kMany && std::ranges::any_of(graph.nodes, [](const Node& node) {
           return std::holds_alternative<ops::Conv2d>(node.operation) || std::holds_alternative<ops::Matmul>(node.operation) ||
                  std::holds_alternative<ops::Gemm>(node.operation);
         });
}
#endif

// `options`: CompileOptions or a Source.
PassOptions passOptionsOf(const auto& options, const GraphDefinition& graph) {
  return {.folding = std::make_shared<FoldingBudget>(options.limits, graph.constants),
          .evaluate = evaluateFor(options.isa),
          .roundsFactors = options.precision == Precision::bfloat16};
}

Explained explain(const Source& source) {
  const Budget budget("placement", {.maxCompileWork = source.compileWork}, nullptr, nullptr);
  const BudgetScope scope(budget);
  Explained explained{Module(*source.graph, true), {}};
  OriginTracker origins(explained.module);
  const PassOptions options = passOptionsOf(source, *source.graph);
  const bool isQuantized = quantizes(explained.module);
  for (const Pass& pass : allPasses()) {
    if (isDisabled(pass, source.disabledPasses) || (pass.quantized && !isQuantized)) continue;
    pass.run(explained.module, options);
    origins.settle();
  }
  separateOutputs(explained.module);
  explained.plan = planOf(explained.module, source.memory);
  return explained;
}

}  // namespace

std::unique_ptr<Executable> compile(std::shared_ptr<const GraphDefinition> definition, const CompileOptions& options,
                                    std::shared_ptr<TeamPool> pool, const Budget& budget) {
  const DefaultFloatMode floats;
  const BudgetScope scope(budget);
  const GraphDefinition& graph = *definition;
  Source source;
  if constexpr (kExplains) {
    source = {std::move(definition), options.isa,    options.precision,       options.disabledPasses,
              options.limits,        options.memory, budget.compileWorkLeft()};
  }
  Module module(graph, false);
  const ModuleInterface interface(module);
  const PassOptions passOptions = passOptionsOf(options, graph);
  if (options.dump) options.dump("graph", toString(module));
  const bool verifies = verifiesPasses();
  const bool isQuantized = quantizes(module);
#ifdef __EMSCRIPTEN__
  if (!isQuantized && isLarge(graph)) warmUpGemm(options.isa);
#endif
  const std::span<const Pass> passes = allPasses();
  for (const Pass& pass : passes) {
    budget.report("optimize", static_cast<std::size_t>(&pass - passes.data()), passes.size());
    if (isDisabled(pass, options.disabledPasses)) continue;
    if (isQuantized || !pass.quantized) {
      pass.run(module, passOptions);
      budget.check();
      if (verifies) verifyModule(module, interface, pass.name);
    }
    if (options.dump) options.dump(pass.name, toString(module));
  }
  budget.report("optimize", passes.size(), passes.size());
  separateOutputs(module);
  verifyModule(module, interface, "all passes");
  // Return memory to the system: memory freed by the passes before packing, and memory freed by packing afterwards. For a small
  // graph whose weights are already packed, faulting these pages in again would take longer than the compilation.
  const bool freesMuch = module.nodes.size() >= kManyNodes || passOptions.folding->bytesMade() >= kManyBytes;
  if (freesMuch) trimHeap();
  auto executable = std::make_unique<CpuExecutable>(std::move(module), std::move(source), options, std::move(pool), budget);
  if (freesMuch || executable->bytesPacked() >= kManyBytes) trimHeap();
  return executable;
}

#ifndef __EMSCRIPTEN__  // WebAssembly is compiled without RTTI
StepGraph stepGraphOf(const Executable& executable) {
  const auto* own = dynamic_cast<const CpuExecutable*>(&executable);
  return own ? own->stepGraph() : StepGraph();
}
#endif

}  // namespace webnn::cpu
