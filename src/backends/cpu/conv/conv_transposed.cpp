#include <algorithm>
#include <optional>

#include "backends/cpu/conv/conv_depthwise.h"
#include "backends/cpu/conv/conv_gemm.h"
#include "backends/cpu/conv/conv_patches.h"
#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/runtime/step.h"
#include "base/divide_up.h"
#include "base/unaligned.h"
#include "compiler/plan/alignment.h"

namespace webnn::cpu {

namespace {

// Clamps a sum that includes the bias, and stores it; NaN stays NaN.
void storeSum(float sum, FloatRange range, float* to) {
  storeUnaligned(to, sum < range.minimum ? range.minimum : sum > range.maximum ? range.maximum : sum);
}

// Sets all outputs to the clamped bias. Outputs that no tap reaches keep it.
void fill(const ConvPhases& phases, FloatRange range, Team& team, const ConvCall& call) {
  const std::size_t line = phases.width * call.outputStride;
  team.forEach(phases.batch * phases.height, [&](std::size_t chunk, unsigned) {
    for (std::size_t x = 0; x < phases.width; ++x) {
      float* to = call.output + chunk * line + x * call.outputStride;
      for (std::size_t o = 0; o < phases.outputs; ++o)
        storeSum(call.bias ? loadUnaligned<float>(call.bias + o) : 0, range, to + o);
    }
  });
}

// One dimension of the convolution that computes all phases at once. Position i of this convolution is position i - shift of a
// phase, if i - shift is in [0, axis->count). The phase's position j is output first + j * rowStep (or columnStep): see
// ConvPhases.
struct JointAxis {
  struct Phase {
    const ConvAxis* axis = nullptr;
    std::size_t first = 0, shift = 0;
  };
  ConvAxis axis;
  std::vector<Phase> phases;
};

// Joins the phases of a dimension. Returns nullopt unless all phases have the same spacing between their taps.
std::optional<JointAxis> jointAxis(std::vector<JointAxis::Phase> phases) {
  JointAxis joint;
  joint.axis = *phases[0].axis;
  const auto isLess = [](const auto& a, const auto& b) { return a.axis->offsets[0] < b.axis->offsets[0]; };
  joint.axis.offsets = std::ranges::min_element(phases, isLess)->axis->offsets;
  for (JointAxis::Phase& phase : phases) {
    const std::vector<std::int64_t>& offsets = phase.axis->offsets;
    const std::int64_t shift = offsets[0] - joint.axis.offsets[0];
    if (!std::ranges::equal(offsets, joint.axis.offsets, [&](auto a, auto b) { return a == b + shift; })) return std::nullopt;
    phase.shift = static_cast<std::size_t>(shift);
    joint.axis.count = std::max(joint.axis.count, phase.shift + phase.axis->count);
  }
  joint.phases = std::move(phases);
  return joint;
}

// Computes all phases with one GEMM per line if the phases have few output channels, which would not fill vectors in separate
// GEMMs. The columns of the GEMM are [phase][output]; its results are then copied to their pixels.
class JointTransposedConv final : public ConvKernel {
 public:
  // Returns null if there is only one phase, if the phases' taps are spaced differently, or if the joint weight matrix is
  // larger than 2/3 of the phases' weight matrices together.
  static ConvKernelPtr make(const ConvPhases& phases, const ConvContext& context) {
    if (phases.phases.size() < 2) return nullptr;
    auto joint = std::make_shared<JointTransposedConv>(phases, withoutTiles(context));
    const std::vector<ConvPhase>& all = joint->phases_.phases;
    std::vector<JointAxis::Phase> rows, columns;  // each pair of a row and a column is a phase
    for (const ConvPhase& phase : all) {
      if (phase.firstColumn == all[0].firstColumn) rows.push_back({&phase.shape.height, phase.firstRow});
      if (phase.firstRow == all[0].firstRow) columns.push_back({&phase.shape.width, phase.firstColumn});
    }
    std::optional<JointAxis> height = jointAxis(std::move(rows)), width = jointAxis(std::move(columns));
    if (!height || !width) return nullptr;
    joint->rows_ = *std::move(height), joint->columns_ = *std::move(width);
    return joint->plan() ? joint : nullptr;
  }
  JointTransposedConv(ConvPhases phases, const ConvContext& context) : phases_(std::move(phases)), context_(context) {}

  std::string_view name() const override { return "transposed jointly"; }
  std::size_t packedBytes() const override { return shape_.groups * groupBytes_; }
  std::size_t packScratchBytes() const override { return shape_.depth() * columns() * sizeof(float); }
  void addPacking(PackKey& key) const override {
    addLayout(key, plan_.b());
    for (const ConvPhase& phase : phases_.phases) addTaps(key, phase.shape);
  }
  void pack(Team&, const float* filter, const FilterStrides& strides, std::byte* packed, std::byte* scratch) const override {
    auto* matrix = reinterpret_cast<float*>(scratch);
    RunWatch watch;
    for (std::size_t group = 0; group < shape_.groups && !watch.isOver(groupBytes_); ++group) {
      float* to = matrix;
      for (std::size_t tap = 0; tap < shape_.tapCount(); ++tap) {
        for (std::size_t input = 0; input < shape_.groupInputs(); ++input) {
          for (const ConvPhase& phase : phases_.phases) {
            const std::size_t y = phase.shape.height.taps[tap / shape_.width.tapCount()],
                              x = phase.shape.width.taps[tap % shape_.width.tapCount()];
            const float* from = filter + group * strides.group + input * strides.input + y * strides.height + x * strides.width;
            for (std::size_t o = 0; o < outputs(); ++o) *to++ = loadUnaligned<float>(from + o * strides.output);
          }
        }
      }
      plan_.b().pack(matrix, columns(), 1, packed + group * groupBytes_);
    }
  }
  std::size_t scratchBytes() const override { return workerScratch_ * context_.threads; }

  void run(Team& team, const ConvCall& call) const override {
    if (!phases_.isComplete) fill(phases_, context_.activation.range, team, call);
    team.forEach(shape_.batch * shape_.groups * shape_.height.count, [&](std::size_t chunk, unsigned worker) {
      runLine(call, chunk % shape_.groups, chunk / shape_.groups, call.scratch + worker * workerScratch_);
    });
  }

 private:
  std::size_t outputs() const { return phases_.phases[0].shape.groupOutputs(); }
  std::size_t columns() const { return phases_.phases.size() * outputs(); }

  // Sets the members that depend on the joint axes. Returns false if the joint weight matrix is too large (see make()).
  bool plan() {
    shape_ = phases_.phases[0].shape;
    shape_.height = rows_.axis, shape_.width = columns_.axis;
    const std::size_t apart = packedTaps(shape_, context_.isa).bytes() * phases_.phases.size();
    patches_.emplace(shape_, context_.isa);
    plan_ = GemmPlan(PackedB(context_.isa, shape_.depth(), columns()), shape_.width.count, 1, context_.caches);
    groupBytes_ = aligned(plan_.b().bytes());
    lineBytes_ = aligned(shape_.width.count * columns() * sizeof(float));
    workerScratch_ = workerStride(lineBytes_ + plan_.scratchBytes());
    return 3 * plan_.b().bytes() <= 2 * apart;
  }

  void runLine(const ConvCall& call, std::size_t group, std::size_t line, std::byte* scratch) const {
    const PatchReader::Source source{&*patches_, call.input + group * shape_.groupInputs(), line * shape_.width.count};
    auto* sums = reinterpret_cast<float*>(scratch);
    plan_.run(singleThread(), {.a = PatchReader::rows(source),
                               .b = call.packed + group * groupBytes_,
                               .c = sums,
                               .ldc = columns(),
                               .scratch = scratch + lineBytes_});
    const std::size_t image = line / shape_.height.count, y = line % shape_.height.count;
    for (std::size_t i = 0; i < phases_.phases.size(); ++i) {
      const JointAxis::Phase& row = rows_.phases[i / columns_.phases.size()];
      const JointAxis::Phase& column = columns_.phases[i % columns_.phases.size()];
      if (y < row.shift || y - row.shift >= row.axis->count) continue;
      const std::size_t place = image * phases_.height + row.first + (y - row.shift) * phases_.rowStep;
      move(call, group, sums + column.shift * columns() + i * outputs(), column.axis->count,
           call.output + (place * phases_.width + column.first) * call.outputStride + group * outputs());
    }
  }
  // Stores the outputs of one phase in one line.
  void move(const ConvCall& call, std::size_t group, const float* sums, std::size_t count, float* to) const {
    const FloatRange range = context_.activation.range;
    const std::size_t step = phases_.columnStep * call.outputStride;
    for (std::size_t o = 0; o < outputs(); ++o) {
      const float bias = call.bias ? loadUnaligned<float>(call.bias + group * outputs() + o) : -0.0F;  // -0 changes no sum
      for (std::size_t q = 0; q < count; ++q) storeSum(sums[q * columns() + o] + bias, range, to + q * step + o);
    }
  }

  ConvPhases phases_;
  ConvContext context_;
  JointAxis rows_, columns_;  // point into phases_
  // The convolution over the joint axes. Its output channels are those of one phase; the GEMM has columns() columns, for all
  // phases.
  ConvShape shape_;
  std::optional<PatchReader> patches_;
  GemmPlan plan_;
  std::size_t groupBytes_ = 0, lineBytes_ = 0, workerScratch_ = 0;
};

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
      workerScratch_ = std::max(workerScratch_, workerStride(plan.scratchBytes()));
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
    if (!phases_.isComplete) fill(phases_, context_.activation.range, team, call);
    team.forEach(firstChunks_.back(), [&](std::size_t chunk, unsigned worker) {
      const auto after = std::upper_bound(firstChunks_.begin(), firstChunks_.end(), chunk);
      const auto phase = static_cast<std::size_t>(after - firstChunks_.begin()) - 1;
      runLine(call, phase, chunk - firstChunks_[phase], call.scratch + worker * workerScratch_);
    });
  }

 private:
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

// Computes each phase as a depthwise convolution, if each channel has its own filter.
class DepthwiseTransposedConv final : public ConvKernel {
 public:
  static bool takes(const ConvPhases& phases) {
    if (phases.phases.empty()) return false;
    const ConvShape& shape = phases.phases[0].shape;
    return shape.groups > 1 && shape.groupInputs() == 1 && shape.groupOutputs() == 1;
  }
  DepthwiseTransposedConv(ConvPhases phases, const ConvContext& context) : phases_(std::move(phases)), context_(context) {
    lines_.reserve(phases_.phases.size());
    std::size_t taps = 0;
    for (const ConvPhase& phase : phases_.phases) {
      lines_.emplace_back(phase.shape, convKernels(context.isa), context.caches);
      packedOffsets_.push_back(packedBytes_);
      packedBytes_ += aligned(depthwiseBytes(phase.shape));
      if (lines_.back().blocks() > lines_[narrowest_].blocks()) narrowest_ = lines_.size() - 1;
      rows_ = std::max(rows_, phase.shape.height.count);
      taps += phase.shape.tapCount();
    }
    constexpr std::size_t kChunkWork = 300'000;  // multiply-adds: about 10 microseconds
    const std::size_t rowWork = std::max<std::size_t>(taps * phases_.phases[0].shape.width.count * phases_.outputs, 1);
    chunkRows_ = std::clamp<std::size_t>(kChunkWork / rowWork, 1, rows_);
    chunkBlocks_ = rowWork > kChunkWork ? divideUp(blocks().blocks(), divideUp(rowWork, kChunkWork)) : blocks().blocks();
  }

  std::string_view name() const override { return "transposed depthwise"; }
  std::size_t packedBytes() const override { return packedBytes_; }
  void pack(Team&, const float* filter, const FilterStrides& strides, std::byte* packed, std::byte*) const override {
    for (std::size_t i = 0; i < phases_.phases.size(); ++i)
      packDepthwise(phases_.phases[i].shape, filter, strides, reinterpret_cast<float*>(packed + packedOffsets_[i]));
  }
  std::size_t scratchBytes() const override { return 0; }

  void run(Team& team, const ConvCall& call) const override {
    if (!phases_.isComplete) fill(phases_, context_.activation.range, team, call);
    const std::size_t parts = divideUp(rows_, chunkRows_), groups = divideUp(blocks().blocks(), chunkBlocks_);
    team.forEach(phases_.batch * parts * groups, [&](std::size_t chunk, unsigned) {
      const std::size_t group = chunk % groups, first = chunk / groups % parts * chunkRows_, image = chunk / groups / parts;
      const std::size_t endBlock = std::min((group + 1) * chunkBlocks_, blocks().blocks());
      for (std::size_t row = first; row < std::min(first + chunkRows_, rows_) && !isRunOver(); ++row) {
        for (std::size_t block = group * chunkBlocks_; block < endBlock; ++block) {
          for (std::size_t i = 0; i < lines_.size(); ++i) runLine(call, i, image, row, blocks().block(block));
        }
      }
    });
  }

 private:
  // The smallest blocks of channels, which all phases use.
  const DepthwiseLines& blocks() const { return lines_[narrowest_]; }

  void runLine(const ConvCall& call, std::size_t index, std::size_t image, std::size_t row,
               DepthwiseLines::Channels channels) const {
    const ConvPhase& phase = phases_.phases[index];
    const ConvShape& shape = phase.shape;
    if (row >= shape.height.count) return;
    const std::size_t line = image * phases_.height + phase.firstRow + row * phases_.rowStep;
    const DepthwiseImage from{call.input + image * shape.height.size * shape.width.size * shape.inputs, shape.height.size};
    const DepthwiseLines::Parameters parameters{reinterpret_cast<const float*>(call.packed + packedOffsets_[index]), call.bias,
                                                context_.activation.range};
    float* to = call.output + (line * phases_.width + phase.firstColumn) * call.outputStride;
    lines_[index].run(parameters, from, row, channels, to, phases_.columnStep * call.outputStride);
  }

  ConvPhases phases_;
  ConvContext context_;
  std::vector<DepthwiseLines> lines_;  // refer to phases_
  std::vector<std::size_t> packedOffsets_;
  std::size_t packedBytes_ = 0, rows_ = 0, chunkRows_ = 1, chunkBlocks_ = 1;
  std::size_t narrowest_ = 0;  // index of the phase whose lines have the smallest blocks of channels
};

}  // namespace

ConvKernelPtr makeTransposedConv(ConvPhases phases, const ConvContext& context) {
  if (DepthwiseTransposedConv::takes(phases)) return std::make_shared<const DepthwiseTransposedConv>(std::move(phases), context);
  if (ConvKernelPtr joint = JointTransposedConv::make(phases, context)) return joint;
  return std::make_shared<const TransposedConv>(std::move(phases), context);
}

}  // namespace webnn::cpu
