#include <algorithm>
#include <cstring>

#include "backends/cpu/conv/conv_gemm.h"
#include "backends/cpu/conv/conv_patches.h"
#include "backends/cpu/runtime/step.h"

namespace webnn::cpu {

namespace {

// Computes each line of a phase with its own GEMM, which writes every columnStep-th pixel of a line of the output.
class TransposedConv final : public ConvKernel {
 public:
  TransposedConv(ConvPhases phases, const ConvContext& context)
      : phases_(std::move(phases)), context_(withoutTiles(context)), kernels_(convKernels(context.isa)) {
    patches_.reserve(phases_.phases.size());
    plans_.reserve(phases_.phases.size());
    std::size_t lines = 0;
    for (const ConvPhase& phase : phases_.phases) {
      const ConvShape& shape = phase.shape;
      patches_.emplace_back(shape, context.isa);
      const GemmPlan& plan = plans_.emplace_back(packedTaps(shape, context_.isa), shape.width.count, 1, context_.caches);
      packedOffsets_.push_back(packedBytes_);
      packedBytes_ += shape.groups * aligned(plan.b().bytes());
      packScratch_ = std::max(packScratch_, tapScratchBytes(shape, plan.b()));
      workerScratch_ = std::max(workerScratch_, aligned(plan.scratchBytes()));
      firstChunks_.push_back(lines);
      lines += shape.batch * shape.groups * shape.height.count;
    }
    firstChunks_.push_back(lines);
  }

  std::string_view name() const override { return "transposed"; }
  std::size_t packedBytes() const override { return packedBytes_; }
  std::size_t packScratchBytes() const override { return packScratch_; }
  void addPacking(PackKey& key) const override {
    for (const GemmPlan& plan : plans_) addLayout(key, plan.b());
  }
  void pack(Team& team, const float* filter, const FilterStrides& strides, std::byte* packed, std::byte* scratch) const override {
    RunWatch watch;
    for (std::size_t i = 0; i < phases_.phases.size(); ++i) {
      const ConvShape& shape = phases_.phases[i].shape;
      const PackedB& taps = plans_[i].b();
      const std::size_t groupBytes = aligned(taps.bytes());
      for (std::size_t group = 0; group < shape.groups && !watch.isOver(groupBytes); ++group) {
        packTaps(team, shape, taps, group, filter, strides, packed + packedOffsets_[i] + group * groupBytes, scratch);
      }
    }
  }
  std::size_t scratchBytes() const override { return workerScratch_ * context_.threads; }

  void run(Team& team, const ConvCall& call) const override {
    if (!phases_.isComplete) fill(team, call);
    team.forEach(firstChunks_.back(), [&](std::size_t chunk, unsigned worker) {
      const auto after = std::upper_bound(firstChunks_.begin(), firstChunks_.end(), chunk);
      const auto phase = static_cast<std::size_t>(after - firstChunks_.begin()) - 1;
      runLine(call, phase, chunk - firstChunks_[phase], call.scratch + worker * workerScratch_);
    });
  }

 private:
  // Sets all outputs to the bias. Outputs that no tap reaches keep it.
  void fill(Team& team, const ConvCall& call) const {
    const ConvActivation& activation = context_.activation;
    const std::size_t line = phases_.width * call.outputStride;
    team.forEach(phases_.batch * phases_.height, [&](std::size_t chunk, unsigned) {
      for (std::size_t x = 0; x < phases_.width; ++x) {
        float* to = call.output + chunk * line + x * call.outputStride;
        for (std::size_t o = 0; o < phases_.outputs; ++o) {
          const float value = call.bias ? loadUnaligned(call.bias + o) : 0;
          storeUnaligned(to + o, value < activation.range.minimum   ? activation.range.minimum
                                 : value > activation.range.maximum ? activation.range.maximum
                                                                    : value);
        }
      }
    });
  }
  static float loadUnaligned(const float* at) {
    float value = 0;
    std::memcpy(&value, at, sizeof(value));
    return value;
  }

  void runLine(const ConvCall& call, std::size_t index, std::size_t chunk, std::byte* scratch) const {
    const ConvPhase& phase = phases_.phases[index];
    const ConvShape& shape = phase.shape;
    const std::size_t group = chunk % shape.groups, line = chunk / shape.groups;
    const std::size_t y = line % shape.height.count, image = line / shape.height.count;
    const std::size_t firstOutput = group * shape.groupOutputs();
    const PatchReader::Source source{&patches_[index], call.input + group * shape.groupInputs(), line * shape.width.count};
    const std::size_t row = image * phases_.height + phase.firstRow + y * phases_.rowStep;
    PartEpilogue part{.firstColumn = firstOutput};
    const GemmPlan& plan = plans_[index];
    plan.run(singleThread(), {.a = PatchReader::rows(source),
                              .b = call.packed + packedOffsets_[index] + group * aligned(plan.b().bytes()),
                              .c = call.output + (row * phases_.width + phase.firstColumn) * call.outputStride + firstOutput,
                              .ldc = phases_.columnStep * call.outputStride,
                              .epilogue = epilogueOf(context_.activation, call, shape, kernels_, part),
                              .scratch = scratch});
  }

  ConvPhases phases_;
  ConvContext context_;
  const ConvKernels& kernels_;
  std::vector<PatchReader> patches_;
  std::vector<GemmPlan> plans_;
  std::vector<std::size_t> packedOffsets_, firstChunks_;
  std::size_t packedBytes_ = 0, packScratch_ = 0, workerScratch_ = 0;
};

}  // namespace

ConvKernelPtr makeTransposedConv(ConvPhases phases, const ConvContext& context) {
  return std::make_shared<const TransposedConv>(std::move(phases), context);
}

}  // namespace webnn::cpu
