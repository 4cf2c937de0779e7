#include "cpu/ops/recurrent/recurrent_network.h"

#include <algorithm>
#include <chrono>

#include "base/text.h"
#include "base/unset_vector.h"
#include "cpu/gemm/gemm.h"
#include "cpu/ir/module.h"
#include "cpu/runtime/alignment.h"

namespace webnn::cpu {

namespace {

// Input projections are computed for a part of the sequence at once: for as many steps as stay in the second
// cache, but for enough rows that the weights are worth reading.
constexpr std::size_t kBlockBytes = std::size_t{512} << 10, kBlockRows = 128;
// Rows of a batch that a member of the team takes at once.
constexpr std::size_t kRows = 8;
// Multiplications of a step that are worth a member of the team more, and those of about a microsecond.
constexpr std::size_t kMemberMacs = 12'000, kMicrosecondMacs = 8'000;

// Memory that is either kept with the plan or filled in each run, at an offset in the scratch.
struct Place {
  std::byte* kept = nullptr;
  std::size_t offset = 0;
  std::byte* in(std::byte* scratch) const { return kept ? kept : scratch + offset; }
};

class RecurrentRunner final : public Step {
 public:
  RecurrentRunner(RecurrentNetwork network, Planner& planner) : network_(std::move(network)), packing_{network_} {
    const auto take = [&](std::size_t bytes) { return std::exchange(scratchBytes_, scratchBytes_ + aligned(bytes)); };
    const std::size_t floats = sizeof(float), directions = network_.directions;
    planPacking(planner, take);
    const std::size_t rowBytes = network_.batch * network_.columns() * floats;
    blockSteps_ = std::max(kBlockBytes / rowBytes, (kBlockRows + network_.batch - 1) / network_.batch);
    blockSteps_ = std::min(blockSteps_, network_.steps);
    const std::size_t blockRows = blockSteps_ * network_.batch;
    gemmBytes_ = aligned(blockSteps_ * rowBytes);
    projections_ = take(directions * gemmBytes_);
    stateBytes_ = aligned(network_.batch * network_.rowStride() * floats);
    states_ = take(directions * 4 * stateBytes_);
    inputBytes_ = aligned(blockRows * network_.inputSize * floats);
    if (network_.isHalf) inputs_ = take(directions * inputBytes_);
    gemmScratch_ = take(gemmScratch(network_.isa, blockRows, network_.columns(), network_.inputSize, planner.threads()));
    scratch_ = planner.scratch(scratchBytes_);
  }

  std::string describe() const override {
    const auto number = [](std::size_t value) { return std::to_string(value); };
    return std::string(network_.isLstm ? "lstm" : "gru") + (network_.isHalf ? " f16 " : " f32 ") + number(network_.steps) + "x" +
           number(network_.batch) + "x" + number(network_.inputSize) + "x" + number(network_.hiddenSize) + " " +
           std::string(name(network_.isa));
  }

  void run(const Frame& frame) const override {
    const Run run{frame, frame.out<std::byte>(scratch_)};
    packOperands(run);
    loadStates(run);
    for (std::size_t first = 0; first < network_.steps; first += blockSteps_) {
      runBlock(run, first, std::min(blockSteps_, network_.steps - first));
    }
    storeStates(run);
  }

 private:
  struct Run {
    const Frame& frame;
    std::byte* scratch;
    float* floats(std::size_t offset) const { return reinterpret_cast<float*>(scratch + offset); }
  };
  enum StateKind { firstHidden, secondHidden, cell, resetHidden };  // a GRU's update gate takes the place of the cell state

  // Packs the operands that are constants, and finds places for those that are not.
  template <typename Take>
  void planPacking(Planner& planner, Take take) {
    UnsetVector<float> temporary(packing_.temporaryFloats());
    const auto bytes = [&](const std::optional<Operand>& operand) {
      return operand ? planner.constantBytes(*operand).data() : nullptr;
    };
    const auto plan = [&](Place& place, std::string_view what, std::size_t size,
                          std::initializer_list<const std::optional<Operand>*> operands, auto pack) {
      std::string key = formatText("{} {} {} {}", describe(), what, network_.directions, network_.resetAfter ? "a" : "b");
      for (const std::size_t gate : network_.gatePlaces) key += std::to_string(gate);
      for (const auto* operand : operands) {
        if (*operand && !isConstant(**operand)) {
          place.offset = take(size * network_.directions);
          return false;
        }
        key += " " + std::to_string(*operand ? keyOf(**operand) : 0);
      }
      bool isNew = false;
      place.kept = planner.cacheWeights(size * network_.directions, key, isNew);
      for (std::size_t i = 0; isNew && i < network_.directions; ++i) pack(i, place.kept + i * size);
      return true;
    };
    const auto slot = [&](const std::optional<Operand>& operand) {
      return operand ? std::optional(planner.slot(*operand)) : std::nullopt;
    };

    bool isPacked = plan(inputWeight_, "w", packing_.inputWeightBytes(), {&network_.weight}, [&](std::size_t i, std::byte* to) {
      packing_.packInputWeight(bytes(network_.weight), i, temporary.data(), to);
    });
    if (!isPacked) weightSlot_ = slot(network_.weight);
    isPacked = plan(recurrentWeight_, "r", packing_.recurrentWeightBytes(), {&network_.recurrentWeight},
                    [&](std::size_t i, std::byte* to) {
                      packing_.packRecurrentWeight(bytes(network_.recurrentWeight), i, temporary.data(), to);
                    });
    if (!isPacked) recurrentWeightSlot_ = slot(network_.recurrentWeight);
    hasConstantVectors_ =
        plan(vectors_, "v", packing_.vectorBytes(), {&network_.bias, &network_.recurrentBias, &network_.peephole},
             [&](std::size_t i, std::byte* to) {
               packing_.packVectors(bytes(network_.bias), bytes(network_.recurrentBias), bytes(network_.peephole), i, to);
             });
    if (!hasConstantVectors_) {
      biasSlot_ = slot(network_.bias);
      recurrentBiasSlot_ = slot(network_.recurrentBias);
      peepholeSlot_ = slot(network_.peephole);
    }
    if (weightSlot_ || recurrentWeightSlot_) temporary_ = take(packing_.temporaryFloats() * sizeof(float));
  }

  void packOperands(const Run& run) const {
    const auto bytes = [&](const std::optional<Slot>& slot) { return slot ? run.frame.in<std::byte>(*slot) : nullptr; };
    for (std::size_t i = 0; i < network_.directions; ++i) {
      if (weightSlot_) {
        packing_.packInputWeight(bytes(weightSlot_), i, run.floats(temporary_),
                                 inputWeight_.in(run.scratch) + i * packing_.inputWeightBytes());
      }
      if (recurrentWeightSlot_) {
        packing_.packRecurrentWeight(bytes(recurrentWeightSlot_), i, run.floats(temporary_),
                                     recurrentWeight_.in(run.scratch) + i * packing_.recurrentWeightBytes());
      }
      if (!hasConstantVectors_) {
        packing_.packVectors(bytes(biasSlot_), bytes(recurrentBiasSlot_), bytes(peepholeSlot_), i,
                             vectors_.in(run.scratch) + i * packing_.vectorBytes());
      }
    }
  }

  float* state(const Run& run, std::size_t direction, StateKind kind) const {
    return run.floats(states_ + (direction * 4 + kind) * stateBytes_);
  }
  const float* vectors(const Run& run, std::size_t direction) const {
    return reinterpret_cast<const float*>(vectors_.in(run.scratch) + direction * packing_.vectorBytes());
  }

  // Calls visit(row of the state, byte offset of that row in a tensor) for all rows of all directions.
  template <typename Visit>
  void forStateRows(const Run& run, StateKind kind, Visit visit) const {
    for (std::size_t row = 0; row < network_.directions * network_.batch; ++row) {
      float* to = state(run, row / network_.batch, kind) + row % network_.batch * network_.rowStride();
      visit(to, row * network_.hiddenSize * network_.elementSize());
    }
  }

  void loadStates(const Run& run) const {
    const auto loadState = [&](StateKind kind, const std::optional<Slot>& initial) {
      forStateRows(run, kind, [&](float* row, std::size_t offset) {
        std::fill_n(row, network_.rowStride(), 0.0F);
        if (initial)
          network_.kernels().load(run.frame.in<std::byte>(*initial) + offset, network_.isHalf, row, network_.hiddenSize);
      });
    };
    loadState(firstHidden, network_.initialHidden);
    loadState(cell, network_.initialCell);
  }

  void storeStates(const Run& run) const {
    const auto storeState = [&](StateKind kind, const Slot& output) {
      forStateRows(run, kind, [&](float* row, std::size_t offset) {
        network_.kernels().store(row, network_.isHalf, run.frame.out<std::byte>(output) + offset, network_.hiddenSize);
      });
    };
    storeState(network_.steps % 2 == 0 ? firstHidden : secondHidden, network_.hiddenOutput);
    if (network_.cellOutput) storeState(cell, *network_.cellOutput);
  }

  // The first time of those that the steps [first, first + count) look at.
  std::size_t firstTime(std::size_t direction, std::size_t first, std::size_t count) const {
    return network_.isBackward(direction) ? network_.steps - first - count : first;
  }

  // The input projection of some steps.
  Gemm inputGemm(const Run& run, std::size_t direction, std::size_t first, std::size_t count) const {
    const std::size_t rows = count * network_.batch, size = network_.inputSize;
    const std::size_t row = firstTime(direction, first, count) * network_.batch;
    const std::byte* input = run.frame.in<std::byte>(network_.input) + row * size * network_.elementSize();
    Gemm gemm{.m = rows, .n = network_.columns(), .k = size};
    gemm.a = {.data = reinterpret_cast<const float*>(input), .lda = size};
    if (network_.isHalf) {
      float* floats = reinterpret_cast<float*>(run.scratch + inputs_ + direction * inputBytes_);
      run.frame.team.forRanges(rows * size, 1 << 15, [&](std::size_t begin, std::size_t end, unsigned) {
        network_.kernels().load(input + begin * 2, true, floats + begin, end - begin);
      });
      gemm.a.data = floats;
    }
    gemm.b = inputWeight_.in(run.scratch) + direction * packing_.inputWeightBytes();
    gemm.c = run.floats(projections_ + direction * gemmBytes_);
    gemm.ldc = network_.columns();
    gemm.scratch = run.scratch + gemmScratch_;
    return gemm;
  }

  // What a step has in each direction; `isSecond`: the new gate of a GRU that resets before multiplying.
  RecurrentStep stepOf(const Run& run, std::size_t direction, std::size_t first, std::size_t count, std::size_t i,
                       bool isSecond) const {
    const std::size_t time = network_.isBackward(direction) ? network_.steps - 1 - i : i;
    const float* operands = vectors(run, direction);
    RecurrentStep step;
    std::copy_n(network_.activations, 3, step.activations);
    step.hiddenSize = network_.hiddenSize;
    step.rowStride = network_.rowStride();
    step.inputStride = network_.columns();
    step.input = run.floats(projections_ + direction * gemmBytes_) +
                 (time - firstTime(direction, first, count)) * network_.batch * network_.columns();
    step.recurrent =
        reinterpret_cast<const float*>(recurrentWeight_.in(run.scratch) + direction * packing_.recurrentWeightBytes());
    step.hidden = step.oldHidden = state(run, direction, i % 2 == 0 ? firstHidden : secondHidden);
    step.newHidden = state(run, direction, i % 2 == 0 ? secondHidden : firstHidden);
    step.state = state(run, direction, cell);
    step.bias = operands;
    if (network_.peephole) step.peephole = operands + packing_.peepholeOffset();
    step.newBias = operands + packing_.newBiasOffset();
    step.isHalf = network_.isHalf;
    if (network_.sequenceOutput) {
      const std::size_t rows = (time * network_.directions + direction) * network_.batch;
      step.sequence = run.frame.out<std::byte>(*network_.sequenceOutput) + rows * network_.hiddenSize * network_.elementSize();
    }
    if (network_.isLstm || network_.resetAfter) {
      step.part = network_.isLstm ? RecurrentPart::lstm : RecurrentPart::gru;
      step.panelStride = packing_.panelStride(network_.gates());
    } else if (isSecond) {
      step.part = RecurrentPart::gruNew;
      step.hidden = state(run, direction, resetHidden);
      step.recurrent += network_.panels() * packing_.panelStride(2);
      step.panelStride = packing_.panelStride(1);
    } else {
      step.part = RecurrentPart::gruGates;
      step.panelStride = packing_.panelStride(2);
      step.newHidden = state(run, direction, resetHidden);
      step.sequence = nullptr;
    }
    return step;
  }

  // The work of a step is cut into items: some rows of a panel of one direction.
  std::size_t rowBlocks() const { return (network_.batch + kRows - 1) / kRows; }
  std::size_t items() const { return network_.directions * network_.panels() * rowBlocks(); }
  std::size_t macsOfStep() const { return network_.directions * network_.batch * network_.columns() * network_.hiddenSize; }
  unsigned phases() const { return network_.isLstm || network_.resetAfter ? 1 : 2; }

  // Computes the items [begin, end) of a step. Every other step begins at the other end: what it needs first is what the step
  // before used last, and is still in the caches if the weights are somewhat larger than these.
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

  // The items [begin, end) of a direction.
  void runDirection(const RecurrentStep& step, std::size_t begin, std::size_t end, bool isForward) const {
    const RecurrentKernels& kernels = network_.kernels();
    const std::size_t blocks = rowBlocks(), most = network_.batch == 1 ? kernels.panels : 1;
    while (begin < end && !isRunOver()) {
      const std::size_t items = std::min(most, end - begin), item = isForward ? begin : end - items;
      // Without a division where there is nothing to divide: it takes as long as several vectors of activations.
      const std::size_t panel = blocks == 1 ? item : item / blocks, row = (item - panel * blocks) * kRows;
      kernels.step(step, panel, items, row, std::min(kRows, network_.batch - row));
      (isForward ? begin : end) = isForward ? item + items : item;
    }
  }

  // A member's share of the GEMMs of all directions is mostly that of the columns of its items: what it writes and reads
  // stays in its caches.
  void multiplyShare(const Team& team, const TeamMember& member, const Gemm* gemms) const {
    const std::size_t chunks = gemmChunks(network_.isa, gemms[0].m, gemms[0].n, gemms[0].k, team.size());
    const std::size_t all = chunks * network_.directions, end = all * (member.index + 1) / member.members;
    for (std::size_t i = all * member.index / member.members; i < end && !isRunOver(); ++i) {
      gemmChunk(network_.isa, gemms[i / chunks], team.size(), i % chunks, member.index);
    }
  }

  void runBlock(const Run& run, std::size_t first, std::size_t count) const {
    Team& team = run.frame.team;
    Gemm gemms[2];
    for (std::size_t i = 0; i < network_.directions; ++i) gemms[i] = inputGemm(run, i, first, count);
    const std::size_t most = std::min(items(), macsOfStep() / kMemberMacs);
    // Whether those who compute the steps multiply the inputs, too: if the steps are worth all threads.
    const bool isShared = count > 1 && most >= team.size();
    for (std::size_t i = 0; !isShared && i < network_.directions; ++i) runGemm(network_.isa, team, gemms[i]);
    if (count == 1) return runStep(run, first);

    const std::size_t microseconds = count * macsOfStep() / kMicrosecondMacs;
    const std::chrono::microseconds spinTimeout(std::clamp<std::size_t>(microseconds / 8, 1, 50));
    team.parallelRegion(static_cast<unsigned>(std::min<std::size_t>(most, 1U << 16)), spinTimeout, [&](TeamMember& member) {
      if (isShared) multiplyShare(team, member, gemms);
      if (!member.wait()) return;
      const std::size_t begin = items() * member.index / member.members, end = items() * (member.index + 1) / member.members;
      for (std::size_t i = first; i < first + count; ++i) {
        for (unsigned phase = 0; phase < phases(); ++phase) {
          runItems(run, first, count, i, phase == 1, begin, end);
          if (!member.wait()) return;
        }
      }
    });
  }

  // A step alone.
  void runStep(const Run& run, std::size_t i) const {
    const std::size_t grain = std::max<std::size_t>(8 * kMicrosecondMacs * items() / macsOfStep(), 1);
    for (unsigned phase = 0; phase < phases(); ++phase) {
      run.frame.team.forRanges(
          items(), grain, [&](std::size_t begin, std::size_t end, unsigned) { runItems(run, i, 1, i, phase == 1, begin, end); });
    }
  }

  const RecurrentNetwork network_;
  const RecurrentPacking packing_;
  Place inputWeight_, recurrentWeight_, vectors_;
  // Operands that are packed in each run.
  std::optional<Slot> weightSlot_, recurrentWeightSlot_, biasSlot_, recurrentBiasSlot_, peepholeSlot_;
  bool hasConstantVectors_ = true;
  // Offsets in the scratch.
  std::size_t temporary_ = 0, projections_ = 0, states_ = 0, inputs_ = 0, gemmScratch_ = 0;
  std::size_t gemmBytes_ = 0, stateBytes_ = 0, inputBytes_ = 0;  // of one direction
  std::size_t scratchBytes_ = 0, blockSteps_ = 1;
  Slot scratch_;
};

}  // namespace

StepPtr planRecurrent(RecurrentNetwork network, Planner& planner) {
  return std::make_unique<const RecurrentRunner>(std::move(network), planner);
}

}  // namespace webnn::cpu
