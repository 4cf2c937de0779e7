#include "backends/cpu/ops/recurrent/recurrent_network.h"

#include <algorithm>
#include <chrono>

#include "backends/cpu/gemm/gemm.h"
#include "backends/cpu/runtime/compiler.h"
#include "base/text.h"
#include "base/unset_vector.h"
#include "compiler/ir/module.h"
#include "compiler/plan/alignment.h"

namespace webnn::cpu {

namespace {

// For each direction, one GEMM computes the input projections of a block of time steps. The projections take at most half of a
// 1 MiB L2 cache, or more if the block would otherwise have fewer than kBlockRows rows, which amortize reading the weights. The
// block size must not depend on the actual cache, because it decides the number of rows of the GEMM and may affect the rounding
// of sums.
constexpr std::size_t kBlockBytes = std::size_t{512} << 10, kBlockRows = 128;
// Maximum number of batch rows that one call of a kernel processes.
constexpr std::size_t kRows = 8;
// kMemberMacs: multiplications per time step that justify another thread. kMicrosecondMacs: multiplications per microsecond.
constexpr std::size_t kMemberMacs = 12'000, kMicrosecondMacs = 8'000;

struct Run {
  const Frame& frame;
  std::byte* scratch;
  float* floats(std::size_t offset) const { return reinterpret_cast<float*>(scratch + offset); }
};

class Scratch {
 public:
  std::size_t take(std::size_t bytes) { return std::exchange(bytes_, bytes_ + aligned(bytes)); }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

// The operands in the format of the kernels. Constants are packed at build time, other operands in each run.
class RecurrentOperands {
 public:
  RecurrentOperands(const RecurrentNetwork& network, Planner& planner, Scratch& scratch) : network_(network), packing_{network} {
    UnsetVector<float> temporary(packing_.temporaryFloats());
    const auto bytes = [&](const std::optional<Operand>& operand) {
      return operand ? planner.constantBytes(*operand).data() : nullptr;
    };
    const auto slot = [&](const std::optional<Operand>& operand) {
      return operand ? std::optional(planner.slot(*operand)) : std::nullopt;
    };
    bool isPacked =
        plan(inputWeight_, {"recurrent: input weight", packing_.inputWeightBytes(), {&network_.weight}}, planner, scratch,
             [&](std::size_t i, std::byte* to) { packing_.packInputWeight(bytes(network_.weight), i, temporary.data(), to); });
    if (!isPacked) weightSlot_ = slot(network_.weight);
    isPacked =
        plan(recurrentWeight_, {"recurrent: recurrent weight", packing_.recurrentWeightBytes(), {&network_.recurrentWeight}},
             planner, scratch, [&](std::size_t i, std::byte* to) {
               packing_.packRecurrentWeight(bytes(network_.recurrentWeight), i, temporary.data(), to);
             });
    if (!isPacked) recurrentWeightSlot_ = slot(network_.recurrentWeight);
    hasConstantVectors_ = plan(
        vectors_, {"recurrent: vectors", packing_.vectorBytes(), {&network_.bias, &network_.recurrentBias, &network_.peephole}},
        planner, scratch, [&](std::size_t i, std::byte* to) {
          packing_.packVectors(bytes(network_.bias), bytes(network_.recurrentBias), bytes(network_.peephole), i, to);
        });
    if (!hasConstantVectors_) {
      biasSlot_ = slot(network_.bias);
      recurrentBiasSlot_ = slot(network_.recurrentBias);
      peepholeSlot_ = slot(network_.peephole);
    }
    if (weightSlot_ || recurrentWeightSlot_) temporary_ = scratch.take(packing_.temporaryFloats() * sizeof(float));
  }

  void pack(const Run& run) const {
    const auto bytes = [&](const std::optional<Slot>& slot) { return slot ? run.frame.in<std::byte>(*slot) : nullptr; };
    for (std::size_t i = 0; i < network_.directions; ++i) {
      if (weightSlot_) {
        packing_.packInputWeight(bytes(weightSlot_), i, run.floats(temporary_),
                                 inputWeight_.filled(run.scratch) + i * packing_.inputWeightBytes());
      }
      if (recurrentWeightSlot_) {
        packing_.packRecurrentWeight(bytes(recurrentWeightSlot_), i, run.floats(temporary_),
                                     recurrentWeight_.filled(run.scratch) + i * packing_.recurrentWeightBytes());
      }
      if (!hasConstantVectors_) {
        packing_.packVectors(bytes(biasSlot_), bytes(recurrentBiasSlot_), bytes(peepholeSlot_), i,
                             vectors_.filled(run.scratch) + i * packing_.vectorBytes());
      }
    }
  }

  const RecurrentPacking& packing() const { return packing_; }
  const std::byte* inputWeight(const Run& run, std::size_t direction) const {
    return inputWeight_.in(run.scratch) + direction * packing_.inputWeightBytes();
  }
  const float* recurrentWeight(const Run& run, std::size_t direction) const {
    const std::byte* all = recurrentWeight_.in(run.scratch);
    return reinterpret_cast<const float*>(all + direction * packing_.recurrentWeightBytes());
  }
  const float* vectors(const Run& run, std::size_t direction) const {
    return reinterpret_cast<const float*>(vectors_.in(run.scratch) + direction * packing_.vectorBytes());
  }

 private:
  // Packed memory: either kept with the compiled graph, or filled in each run at `offset` in scratch.
  struct Place {
    const std::byte* kept = nullptr;
    std::size_t offset = 0;
    const std::byte* in(const std::byte* scratch) const { return kept ? kept : scratch + offset; }
    std::byte* filled(std::byte* scratch) const { return scratch + offset; }
  };
  struct Part {
    std::string_view name;
    std::size_t bytes;  // bytes per direction
    std::vector<const std::optional<Operand>*> operands;
  };

  // Packs a part at build time if all its operands are constants. Returns whether it is packed.
  bool plan(Place& place, const Part& part, Planner& planner, Scratch& scratch, auto pack) {
    const RecurrentNetwork& n = network_;
    PackKey key{part.name, {}, {n.isLstm, n.isHalf, n.resetAfter, n.inputSize, n.hiddenSize, n.directions}};
    key.sizes.push_back(static_cast<std::size_t>(n.isa));
    key.sizes.insert(key.sizes.end(), n.gatePlaces.begin(), n.gatePlaces.end());
    for (const auto* operand : part.operands) {
      if (*operand && !isConstant(**operand)) {
        place.offset = scratch.take(part.bytes * n.directions);
        return false;
      }
      key.constants.push_back(*operand ? keyOf(**operand) : ConstantKey{});
    }
    place.kept = planner.packWeights(part.bytes * n.directions, std::move(key), [&](std::byte* packed) {
      for (std::size_t i = 0; i < n.directions; ++i) pack(i, packed + i * part.bytes);
    });
    return true;
  }

  const RecurrentNetwork& network_;
  RecurrentPacking packing_;
  Place inputWeight_, recurrentWeight_, vectors_;
  // Slots of the operands that are packed in each run.
  std::optional<Slot> weightSlot_, recurrentWeightSlot_, biasSlot_, recurrentBiasSlot_, peepholeSlot_;
  bool hasConstantVectors_ = true;
  std::size_t temporary_ = 0;
};

// The hidden and cell states between time steps. A row holds all units, padded to whole panels.
class RecurrentStates {
 public:
  enum Kind { firstHidden, secondHidden, cell, resetHidden };  // a GRU uses `cell` for its update gate

  RecurrentStates(const RecurrentNetwork& network, Scratch& scratch)
      : network_(network), bytes_(aligned(network.batch * network.rowStride() * sizeof(float))) {
    offset_ = scratch.take(network.directions * 4 * bytes_);
  }

  float* at(const Run& run, std::size_t direction, Kind kind) const {
    return run.floats(offset_ + (direction * 4 + kind) * bytes_);
  }

  void load(const Run& run) const {
    const auto loadState = [&](Kind kind, const std::optional<Slot>& initial) {
      forRows(run, kind, [&](float* row, std::size_t offset) {
        std::fill_n(row, network_.rowStride(), 0.0F);
        if (initial)
          network_.kernels().load(run.frame.in<std::byte>(*initial) + offset, network_.isHalf, row, network_.hiddenSize);
      });
    };
    loadState(firstHidden, network_.initialHidden);
    loadState(cell, network_.initialCell);
  }

  void store(const Run& run) const {
    const auto storeState = [&](Kind kind, const Slot& output) {
      forRows(run, kind, [&](float* row, std::size_t offset) {
        network_.kernels().store(row, network_.isHalf, run.frame.out<std::byte>(output) + offset, network_.hiddenSize);
      });
    };
    storeState(network_.steps % 2 == 0 ? firstHidden : secondHidden, network_.hiddenOutput);
    if (network_.cellOutput) storeState(cell, *network_.cellOutput);
  }

 private:
  // Calls visit(state row, byte offset of that row in a tensor) for the rows of all directions.
  void forRows(const Run& run, Kind kind, auto visit) const {
    for (std::size_t row = 0; row < network_.directions * network_.batch; ++row) {
      float* to = at(run, row / network_.batch, kind) + row % network_.batch * network_.rowStride();
      visit(to, row * network_.hiddenSize * network_.elementSize());
    }
  }

  const RecurrentNetwork& network_;
  std::size_t bytes_, offset_ = 0;
};

class RecurrentRunner final : public Step {
 public:
  RecurrentRunner(RecurrentNetwork network, Planner& planner)
      : network_(std::move(network)), operands_(network_, planner, memory_), states_(network_, memory_) {
    const std::size_t floats = sizeof(float), directions = network_.directions;
    const std::size_t rowBytes = network_.batch * network_.columns() * floats;
    blockSteps_ = std::max(kBlockBytes / rowBytes, divideUp(kBlockRows, network_.batch));
    blockSteps_ = std::min(blockSteps_, network_.steps);
    const std::size_t blockRows = blockSteps_ * network_.batch;
    projectionBytes_ = aligned(blockSteps_ * rowBytes);
    projections_ = memory_.take(directions * projectionBytes_);
    inputBytes_ = aligned(blockRows * network_.inputSize * floats);
    if (network_.isHalf) inputs_ = memory_.take(directions * inputBytes_);
    inputPlan_ = GemmPlan(operands_.packing().inputWeight(), blockRows, planner.threads(), planner.caches());
    gemmScratch_ = memory_.take(inputPlan_.scratchBytes());
    scratch_ = planner.scratch(memory_.bytes());
  }

  std::string describe() const override {
    return formatText("{} {} {}x{}x{}x{} {}", network_.isLstm ? "lstm" : "gru", network_.isHalf ? "f16" : "f32", network_.steps,
                      network_.batch, network_.inputSize, network_.hiddenSize, name(network_.isa));
  }

  void run(const Frame& frame) const override {
    const Run run{frame, frame.out<std::byte>(scratch_)};
    operands_.pack(run);
    states_.load(run);
    for (std::size_t first = 0; first < network_.steps; first += blockSteps_) {
      runBlock(run, first, std::min(blockSteps_, network_.steps - first));
    }
    states_.store(run);
  }

 private:
  using States = RecurrentStates;

  // Returns the earliest input time that time steps [first, first + count) read. The backward direction starts at the end.
  std::size_t firstTime(std::size_t direction, std::size_t first, std::size_t count) const {
    return network_.isBackward(direction) ? network_.steps - first - count : first;
  }

  // Returns the GEMM that projects the inputs of time steps [first, first + count). Converts float16 inputs to float32 in scratch
  // memory first.
  GemmCall inputGemm(const Run& run, std::size_t direction, std::size_t first, std::size_t count) const;

  // Returns the kernel arguments for time step i. `isSecond`: for the new gate of a GRU that resets before multiplying, which is
  // a second phase of the time step.
  RecurrentStep stepOf(const Run& run, std::size_t direction, std::size_t first, std::size_t count, std::size_t i,
                       bool isSecond) const {
    const std::size_t time = network_.isBackward(direction) ? network_.steps - 1 - i : i;
    const float* vectors = operands_.vectors(run, direction);
    const RecurrentPacking& packing = operands_.packing();
    RecurrentStep step;
    std::copy_n(network_.activations, 3, step.activations);
    step.hiddenSize = network_.hiddenSize;
    step.rowStride = network_.rowStride();
    step.inputStride = network_.columns();
    step.input = run.floats(projections_ + direction * projectionBytes_) +
                 (time - firstTime(direction, first, count)) * network_.batch * network_.columns();
    step.recurrent = operands_.recurrentWeight(run, direction);
    step.hidden = step.oldHidden = states_.at(run, direction, i % 2 == 0 ? States::firstHidden : States::secondHidden);
    step.newHidden = states_.at(run, direction, i % 2 == 0 ? States::secondHidden : States::firstHidden);
    step.state = states_.at(run, direction, States::cell);
    step.bias = vectors;
    if (network_.peephole) step.peephole = vectors + packing.peepholeOffset();
    step.newBias = vectors + packing.newBiasOffset();
    step.isHalf = network_.isHalf;
    if (network_.sequenceOutput) {
      const std::size_t rows = (time * network_.directions + direction) * network_.batch;
      step.sequence = run.frame.out<std::byte>(*network_.sequenceOutput) + rows * network_.hiddenSize * network_.elementSize();
    }
    if (network_.isLstm || network_.resetAfter) {
      step.part = network_.isLstm ? RecurrentPart::lstm : RecurrentPart::gru;
      step.panelStride = packing.panelStride(network_.gates());
    } else if (isSecond) {
      step.part = RecurrentPart::gruNew;
      step.hidden = states_.at(run, direction, States::resetHidden);
      step.recurrent += network_.panels() * packing.panelStride(2);
      step.panelStride = packing.panelStride(1);
    } else {
      step.part = RecurrentPart::gruGates;
      step.panelStride = packing.panelStride(2);
      step.newHidden = states_.at(run, direction, States::resetHidden);
      step.sequence = nullptr;
    }
    return step;
  }

  // A time step is split into items. An item is up to kRows batch rows times one panel of units in one direction.
  std::size_t rowBlocks() const { return divideUp(network_.batch, kRows); }
  std::size_t items() const { return network_.directions * network_.panels() * rowBlocks(); }
  std::size_t macsOfStep() const { return network_.directions * network_.batch * network_.columns() * network_.hiddenSize; }
  unsigned phases() const { return network_.isLstm || network_.resetAfter ? 1 : 2; }

  // Computes items [begin, end) of time step i. Odd time steps go through the items backwards: they start with the weights that
  // the previous time step used last, which are still in cache if the weights exceed the cache only slightly.
  void runItems(const Run& run, std::size_t first, std::size_t count, std::size_t i, bool isSecond, std::size_t begin,
                std::size_t end) const {
    const std::size_t itemsOfDirection = network_.panels() * rowBlocks();
    const bool isForward = i % 2 == 0;
    for (std::size_t j = 0; j < network_.directions; ++j) {
      const std::size_t direction = isForward ? j : network_.directions - 1 - j, before = direction * itemsOfDirection;
      const std::size_t from = std::max(begin, before), to = std::min(end, before + itemsOfDirection);
      if (from < to) runDirection(stepOf(run, direction, first, count, i, isSecond), from - before, to - before, isForward);
    }
  }

  void runDirection(const RecurrentStep& step, std::size_t begin, std::size_t end, bool isForward) const {
    const RecurrentKernels& kernels = network_.kernels();
    const std::size_t blocks = rowBlocks(), most = network_.batch == 1 ? kernels.panels : 1;
    while (begin < end && !isRunOver()) {
      const std::size_t items = std::min(most, end - begin), item = isForward ? begin : end - items;
      // Avoids an integer division, which takes as long as several vectors of activations.
      const std::size_t panel = blocks == 1 ? item : item / blocks, row = (item - panel * blocks) * kRows;
      kernels.step(step, panel, items, row, std::min(kRows, network_.batch - row));
      (isForward ? begin : end) = isForward ? item + items : item;
    }
  }

  // Computes this member's share of the input GEMMs: mostly the columns that its items read, so that they stay in its caches.
  void multiplyShare(const Team& team, const TeamMember& member, const GemmPlan& plan, const GemmCall* gemms) const {
    const GemmGrid& grid = plan.grid(team.size());
    const std::size_t chunks = grid.chunks();
    const std::size_t all = chunks * network_.directions, end = all * (member.index + 1) / member.members;
    for (std::size_t i = all * member.index / member.members; i < end && !isRunOver(); ++i) {
      plan.runChunk(grid, gemms[i / chunks], i % chunks, member.index);
    }
  }

  void runBlock(const Run& run, std::size_t first, std::size_t count) const {
    Team& team = run.frame.team;
    const GemmPlan plan = inputPlan_.withRows(count * network_.batch);
    GemmCall gemms[2];
    for (std::size_t i = 0; i < network_.directions; ++i) gemms[i] = inputGemm(run, i, first, count);
    const std::size_t most = std::min(items(), macsOfStep() / kMemberMacs);
    // If time steps use all threads, the parallel region also computes the input projections. If workers sleep, the projections
    // run before the region instead: a sleeping worker may wake too late for the region, but can join plan.run() at any time.
    const bool isShared = count > 1 && most >= team.size() && team.isAwake();
    for (std::size_t i = 0; !isShared && i < network_.directions; ++i) plan.run(team, gemms[i]);
    if (count == 1) return runStep(run, first);

    const std::size_t microseconds = count * macsOfStep() / kMicrosecondMacs;
    const std::chrono::microseconds spinTimeout(std::clamp<std::size_t>(microseconds / 8, 1, 50));
    team.parallelRegion(static_cast<unsigned>(std::min<std::size_t>(most, 1U << 16)), spinTimeout, [&](TeamMember& member) {
      if (isShared) multiplyShare(team, member, plan, gemms);
      if (!member.wait()) return;
      if (network_.directions % member.members == 0) return runDirections(run, first, count, member);
      const std::size_t begin = items() * member.index / member.members, end = items() * (member.index + 1) / member.members;
      for (std::size_t i = first; i < first + count; ++i) {
        for (unsigned phase = 0; phase < phases(); ++phase) {
          runItems(run, first, count, i, phase == 1, begin, end);
          if (!member.wait()) return;
        }
      }
    });
  }

  // Computes all time steps of a block for the directions of one member, one direction after another. The weights of a
  // direction then stay in the cache between time steps, and no member waits for another.
  void runDirections(const Run& run, std::size_t first, std::size_t count, const TeamMember& member) const {
    const std::size_t itemsOfDirection = network_.panels() * rowBlocks(), each = network_.directions / member.members;
    for (std::size_t direction = each * member.index; direction < each * (member.index + 1); ++direction) {
      const std::size_t begin = direction * itemsOfDirection;
      for (std::size_t i = first; i < first + count && !isRunOver(); ++i) {
        for (unsigned phase = 0; phase < phases(); ++phase) {
          runItems(run, first, count, i, phase == 1, begin, begin + itemsOfDirection);
        }
      }
    }
  }

  // Computes one time step without a barrier between members.
  void runStep(const Run& run, std::size_t i) const {
    const std::size_t grain = std::max<std::size_t>(8 * kMicrosecondMacs * items() / macsOfStep(), 1);
    for (unsigned phase = 0; phase < phases(); ++phase) {
      run.frame.team.forRanges(
          items(), grain, [&](std::size_t begin, std::size_t end, unsigned) { runItems(run, i, 1, i, phase == 1, begin, end); });
    }
  }

  const RecurrentNetwork network_;
  Scratch memory_;
  const RecurrentOperands operands_;
  const RecurrentStates states_;
  GemmPlan inputPlan_;
  // `projections_`, `inputs_` and `gemmScratch_` are byte offsets in scratch; `projectionBytes_` and `inputBytes_` are bytes per
  // direction.
  std::size_t projections_ = 0, inputs_ = 0, gemmScratch_ = 0, projectionBytes_ = 0, inputBytes_ = 0;
  std::size_t blockSteps_ = 1;
  Slot scratch_;
};

GemmCall RecurrentRunner::inputGemm(const Run& run, std::size_t direction, std::size_t first, std::size_t count) const {
  const std::size_t rows = count * network_.batch, size = network_.inputSize;
  const std::size_t row = firstTime(direction, first, count) * network_.batch;
  const std::byte* input = run.frame.in<std::byte>(network_.input) + row * size * network_.elementSize();
  GemmCall gemm;
  gemm.a = {.data = reinterpret_cast<const float*>(input), .lda = size};
  if (network_.isHalf) {
    float* floats = reinterpret_cast<float*>(run.scratch + inputs_ + direction * inputBytes_);
    run.frame.team.forRanges(rows * size, 1 << 15, [&](std::size_t begin, std::size_t end, unsigned) {
      network_.kernels().load(input + begin * 2, true, floats + begin, end - begin);
    });
    gemm.a.data = floats;
  }
  gemm.b = operands_.inputWeight(run, direction);
  gemm.c = run.floats(projections_ + direction * projectionBytes_);
  gemm.ldc = network_.columns();
  gemm.scratch = run.scratch + gemmScratch_;
  return gemm;
}

}  // namespace

StepPtr planRecurrent(RecurrentNetwork network, Planner& planner) {
  return std::make_unique<const RecurrentRunner>(std::move(network), planner);
}

}  // namespace webnn::cpu
