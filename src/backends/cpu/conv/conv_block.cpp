#include "backends/cpu/conv/conv_block.h"

#include "backends/cpu/conv/conv_block_middle.h"
#include "backends/cpu/conv/conv_epilogue.h"
#include "backends/cpu/conv/conv_gemm.h"
#include "backends/cpu/conv/conv_patches.h"
#include "backends/cpu/elements/fused_elementwise.h"
#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/runtime/shared_ranges.h"
#include "base/divide_up.h"
#include "base/text.h"
#include "base/unset_vector.h"
#include "compiler/plan/alignment.h"

namespace webnn::cpu {

namespace {

// A band is a few output lines that one thread computes through all operations of the block. These limits are constants, tuned
// for an L2 cache of 1 MiB, because results must not depend on the machine's caches: the number of lines per band is the M of a
// GEMM, which influences rounding, and a convolution in a block uses another kernel. kBandBytes: the maximum size of a band's
// intermediate tensors, which must fit in L2 together with the weights.
constexpr std::size_t kBandBytes = 384 * 1024;
// The minimum size of intermediate tensors in bytes for which a block pays off. Smaller tensors stay in L2 even without a block.
constexpr std::size_t kFewestBytes = 512 * 1024;
// kMostRows: the maximum number of output lines per band. Adjacent bands may both compute the input lines that they share;
// longer bands share fewer. kFewestBands: an image with few lines is split into about this many shorter bands, which are easier
// to balance among threads.
constexpr std::size_t kMostRows = 4, kFewestBands = 14;

// A convolution of the block as a GEMM, which computes at most `rows` output pixels (rows of the GEMM) at a time.
class BlockGemm {
 public:
  BlockGemm(const Convolution& part, Planner& planner, std::size_t rows)
      : shape_(shapeOf(part.conv)),
        activation_(activationOf(part.epilogue.program, false).value_or(ConvActivation())),
        product_(productOf(shape_, rows, planner.precision())),
        kernelText_(cpu::kernelText(planner.isa(), product_)),
        plan_(packedTaps(shape_, kernelIsa(planner.isa(), product_), product_.type), rows, 1, planner.caches()),
        patches_(shape_, planner.isa()),
        kernels_(convKernels(planner.isa())) {
    keepWeights(part.conv, planner);
  }
  BlockGemm(const BlockGemm&) = delete;
  BlockGemm& operator=(const BlockGemm&) = delete;

  const ConvShape& shape() const { return shape_; }
  const ConvActivation& activation() const { return activation_; }
  const std::string& kernelText() const { return kernelText_; }
  std::size_t scratchBytes() const { return aligned(plan_.scratchBytes()); }

  struct Call {
    const float* input = nullptr;  // if shape().isPointwise(), the input of output pixel `pixel`, else the whole input
    const float* addend = nullptr;
    std::byte* scratch = nullptr;
  };
  // Writes output pixels [pixel, pixel + count) to `to`, `ld` floats apart.
  void run(const Call& call, std::size_t pixel, std::size_t count, float* to, std::size_t ld) const {
    const PatchReader::Source source{&patches_, call.input, pixel};
    AOperand a;
    if (shape_.isPointwise()) {
      a.data = call.input;
      a.lda = shape_.inputs;
    } else {
      a = PatchReader::rows(source);
    }
    PartEpilogue part{.firstRow = pixel};
    const ConvCall conv{.bias = bias_, .addend = call.addend};
    const GemmEpilogue epilogue = epilogueOf(activation_, conv, shape_, kernels_, part);
    const GemmCall gemm{.a = a, .b = packed_, .c = to, .ldc = ld, .epilogue = epilogue, .scratch = call.scratch};
    count == plan_.m() ? plan_.run(singleThread(), gemm) : plan_.withRows(count).run(singleThread(), gemm);
  }

 private:
  void keepWeights(const ops::Conv2d& conv, Planner& planner) {
    PackKey key{"block", {keyOf(conv.filter)}, {}};
    addStrides(key, filterStrides(conv));
    addTaps(key, shape_);
    addLayout(key, plan_.b());
    packed_ = planner.packWeights(aligned(plan_.b().bytes()), std::move(key), [&](std::byte* packed) {
      const auto* filter = reinterpret_cast<const float*>(planner.constantBytes(conv.filter).data());
      UnsetVector<std::byte> scratch(tapScratchBytes(shape_, plan_.b()) + 64);
      planner.withTeam([&](Team& team) {
        packTaps(team, shape_, plan_.b(), 0, filter, filterStrides(conv), packed, scratch.data() + paddingAt(scratch.data()));
      });
    });
    if (!conv.options.bias) return;
    const std::size_t bytes = shape_.outputs * sizeof(float);
    const std::byte* const bias = planner.packWeights(bytes, {"bias", {keyOf(*conv.options.bias)}, {}}, [&](std::byte* to) {
      std::memcpy(to, planner.constantBytes(*conv.options.bias).data(), bytes);
    });
    bias_ = reinterpret_cast<const float*>(bias);
  }

  ConvShape shape_;
  ConvActivation activation_;
  Product product_;
  std::string kernelText_;
  GemmPlan plan_;
  PatchReader patches_;
  const ConvKernels& kernels_;
  const std::byte* packed_ = nullptr;
  const float* bias_ = nullptr;
};

// Returns the program of a part's epilogue if the part's kernel cannot apply this epilogue, such as x * sigmoid(x). Such
// epilogues have no operands. The program runs on pixels that are in cache.
std::optional<TileProgram> programOf(const Boxed<Convolution>& part, Planner& planner) {
  if (!part || activationOf(part->epilogue.program, false)) return std::nullopt;
  const auto channels = static_cast<std::uint32_t>(shapeOf(part->conv).outputs);
  return TileProgram(part->epilogue, {DataType::float32, {1, channels}}, planner);
}

// The plan of a block. A band is `rows_` output lines of one image. Results do not depend on how bands are assigned to threads:
// project_ runs one GEMM per band, and expand_ one GEMM per line.
class Block {
 public:
  Block(const ConvolutionBlock& op, Planner& planner)
      : middle_(makeMiddle(op, planner.isa(), planner.caches())),
        rows_(bandRows(op, *middle_)),
        ring_(op.expand ? std::max<std::size_t>(1, middle_->inputLines(rows_)) : middle_->input.lines),
        bands_(divideUp(middle_->output.lines, rows_)),
        expandProgram_(programOf(op.expand, planner)),
        middleProgram_(programOf(op.depthwise, planner)),
        projectProgram_(programOf(op.project, planner)) {
    middle_->keepWeights(planner);
    if (op.expand) expand_.emplace(*op.expand, planner, middle_->input.width);
    if (op.project) project_.emplace(*op.project, planner, rows_ * middle_->output.width);
  }

  std::size_t scratchBytes(unsigned threads) const { return (SharedRanges::bytes(1) + workerBytes()) * threads; }
  bool adds() const { return project_ && project_->activation().adds; }
  std::string describe() const {
    const std::string before = expand_ ? formatText("{} to ", expand_->shape().inputs) : std::string();
    const std::string after = project_ ? formatText(" to {}", project_->shape().outputs) : std::string();
    std::string kernels = expand_ ? expand_->kernelText() : project_->kernelText();
    if (project_ && project_->kernelText() != kernels) kernels += " and " + project_->kernelText();
    return formatText("convolution block {}{} {}{} {}", before, middle_->describe(), middle_->channels, after, kernels);
  }

  struct Call {
    const float* input = nullptr;
    const float* addend = nullptr;
    float* output = nullptr;
    std::size_t outputStride = 0;
    std::byte* scratch = nullptr;  // scratchBytes() for the whole team
    const Frame* frame = nullptr;
  };
  void run(Team& team, const Call& call) const {
    const std::size_t bands = middle_->batch * bands_, parts = std::min<std::size_t>(team.size(), bands);
    SharedRanges ranges(call.scratch, parts, bands);
    std::byte* scratch = call.scratch + SharedRanges::bytes(team.size());
    team.forEach(parts,
                 [&](std::size_t part, unsigned worker) { runBands(call, ranges, part, scratch + worker * workerBytes()); });
  }

  // Returns the number of output lines per band: as many as kBandBytes, kMostRows and kFewestBands allow, or 0 if not even one
  // fits.
  static std::size_t bandRows(const ConvolutionBlock& op, const BlockMiddle& middle) {
    const auto bytes = [&](std::size_t rows) {
      const std::size_t before = op.expand ? middle.inputLines(rows) * middle.input.width : 0;
      const std::size_t after = op.project ? rows * middle.output.width : 0;
      return (before + after) * middle.channels * sizeof(float);
    };
    std::size_t rows = 0;
    const std::size_t mostRows = std::clamp<std::size_t>(middle.output.lines / kFewestBands, 1, kMostRows);
    while (rows < mostRows && bytes(rows + 1) <= kBandBytes) ++rows;
    return rows;
  }

 private:
  std::size_t workerBytes() const { return workerStride(ringBytes() + bandBytes() + std::max(gemmBytes(), programBytes())); }
  std::size_t ringBytes() const {
    return expand_ ? aligned(ring_ * middle_->input.width * middle_->channels * sizeof(float)) : 0;
  }
  std::size_t bandBytes() const {
    return project_ ? aligned(rows_ * middle_->output.width * middle_->channels * sizeof(float)) : 0;
  }
  std::size_t gemmBytes() const {
    return std::max(expand_ ? expand_->scratchBytes() : 0, project_ ? project_->scratchBytes() : 0);
  }

  std::size_t programBytes() const {
    std::size_t most = 0;
    for (const auto* program : {&expandProgram_, &middleProgram_, &projectProgram_}) {
      if (*program) most = std::max(most, (*program)->scratchBytes());
    }
    return most;
  }
  // Applies a program, if there is one, to `pixels` pixels, which are `stride` floats apart.
  static void apply(const std::optional<TileProgram>& program, const Call& call, std::size_t pixels, std::size_t channels,
                    float* at, std::size_t stride, std::byte* scratch) {
    if (program) program->run(*call.frame, 0, pixels, 0, channels, at, stride, scratch);
  }

  void runBands(const Call& call, SharedRanges& ranges, std::size_t part, std::byte* scratch) const {
    auto* ring = reinterpret_cast<float*>(scratch);
    auto* band = reinterpret_cast<float*>(scratch + ringBytes());
    std::byte* free = scratch + ringBytes() + bandBytes();
    std::size_t done = 0, expected = 0;  // done: end of the expanded lines; expected: the band after the previous one
    for (std::size_t i = 0; ranges.next(part, i); expected = i + 1) {
      const std::size_t image = i / bands_, y = i % bands_ * rows_, lastY = std::min(y + rows_, middle_->output.lines);
      if (i != expected || y == 0) done = 0;
      DepthwiseImage lines{ring, ring_};
      if (expand_) {
        const ConvAxis::Range needed = middle_->inputs(y, lastY);
        for (done = std::max(done, needed.begin); done < needed.end; ++done) expandLine(call, image, done, ring, free);
      } else {
        lines.first = call.input + image * middle_->input.pixels() * middle_->channels;
      }
      const std::size_t width = middle_->output.width, pixel = (image * middle_->output.lines + y) * width;
      float* to = call.output + pixel * call.outputStride;
      const std::size_t pixels = (lastY - y) * width, channels = middle_->channels;
      float* const middle = project_ ? band : to;
      const std::size_t stride = project_ ? channels : call.outputStride;
      middle_->run(lines, y, lastY, middle, stride);
      apply(middleProgram_, call, pixels, channels, middle, stride, free);
      if (!project_) continue;
      project_->run({band, call.addend, free}, pixel, pixels, to, call.outputStride);
      apply(projectProgram_, call, pixels, project_->shape().outputs, to, call.outputStride, free);
    }
  }

  void expandLine(const Call& call, std::size_t image, std::size_t y, float* ring, std::byte* scratch) const {
    const ConvShape& shape = expand_->shape();
    const std::size_t width = shape.width.count, pixel = (image * shape.height.count + y) * width;
    const float* input = shape.isPointwise() ? call.input + pixel * shape.inputs : call.input;
    float* const line = ring + y % ring_ * width * shape.outputs;
    expand_->run({input, nullptr, scratch}, pixel, width, line, shape.outputs);
    apply(expandProgram_, call, width, shape.outputs, line, shape.outputs, scratch);
  }

  std::unique_ptr<BlockMiddle> middle_;
  std::size_t rows_, ring_, bands_;
  std::optional<TileProgram> expandProgram_, middleProgram_, projectProgram_;
  std::optional<BlockGemm> expand_, project_;
};

}  // namespace

StepPtr plan(const ConvolutionBlock& op, Planner& planner) {
  auto block = std::make_shared<const Block>(op, planner);
  const Slot input = planner.slot(op.input), output = planner.output();
  const Slot scratch = planner.scratch(block->scratchBytes(planner.threads()));
  std::optional<Slot> addend;
  if (block->adds()) addend = planner.slot(op.project->epilogue.operands[0]);
  return makeStep(block->describe(), [block, input, output, scratch, addend, ld = planner.outputStride()](const Frame& frame) {
    block->run(frame.team, {.input = frame.in<float>(input),
                            .addend = addend ? frame.in<float>(*addend) : nullptr,
                            .output = frame.out<float>(output),
                            .outputStride = ld,
                            .scratch = frame.out<std::byte>(scratch),
                            .frame = &frame});
  });
}

bool isBlockWorthwhile(const ConvolutionBlock& op) {
  const std::unique_ptr<BlockMiddle> middle = makeMiddle(op, Isa::sse4, {});
  const std::size_t before = op.expand ? middle->input.pixels() : 0, after = op.project ? middle->output.pixels() : 0;
  return (before + after) * middle->channels * sizeof(float) >= kFewestBytes && Block::bandRows(op, *middle) > 0;
}

}  // namespace webnn::cpu
