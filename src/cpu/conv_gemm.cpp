#include "cpu/conv_gemm.h"

#include <algorithm>
#include <vector>

#include "cpu/conv_patches.h"

namespace webnn::cpu {

namespace {

// Rows of one chunk of a grouped convolution.
constexpr std::size_t kGroupRows = 256;

class GemmConv final : public ConvKernel {
 public:
  GemmConv(const ConvShape& shape, const ConvContext& context)
      : shape_(shape), context_(context), patches_(shape_, context.isa), kernels_(convKernels(context.isa)) {
    context_.isa = productIsa(context.isa, shape_.pixels(), shape_.groupOutputs(), shape_.depth());
    // A group is a product of its own, of one thread, as there are many; one alone is shared by the team.
    const bool isGrouped = shape.groups > 1;
    const std::size_t rows = isGrouped ? std::min(kGroupRows, shape_.pixels()) : shape_.pixels();
    workerScratch_ =
        alignedTo64(gemmScratch(context_.isa, rows, shape_.groupOutputs(), shape_.depth(), isGrouped ? 1 : context.threads));
  }

  std::string_view name() const override { return shape_.isPointwise() ? "pointwise" : shape_.groups > 1 ? "grouped" : "gemm"; }
  std::size_t packedBytes() const override { return shape_.groups * packedTapBytes(shape_, context_.isa); }
  std::size_t packScratchBytes() const override { return tapScratchBytes(shape_); }
  void pack(const float* filter, const FilterStrides& strides, std::byte* packed, std::byte* scratch) const override {
    for (std::size_t group = 0; group < shape_.groups; ++group) {
      packTaps(shape_, context_.isa, group, filter, strides, packed + group * packedTapBytes(shape_, context_.isa), scratch);
    }
  }
  std::size_t scratchBytes() const override { return workerScratch_ * (shape_.groups > 1 ? context_.threads : 1); }

  void run(Team& team, const ConvCall& call) const override {
    const std::size_t pixels = shape_.pixels();
    if (shape_.groups == 1) return runRows(team, call, 0, 0, pixels, std::nullopt);
    const std::size_t parts = (pixels + kGroupRows - 1) / kGroupRows;
    team.forEach(shape_.groups * parts, [&](std::size_t chunk, unsigned worker) {
      const std::size_t row = chunk % parts * kGroupRows;
      runRows(singleThread(), call, chunk / parts, row, std::min(kGroupRows, pixels - row), worker);
    });
  }

 private:
  // `worker` runs a part alone; without it, the team shares it.
  void runRows(Team& team, const ConvCall& call, std::size_t group, std::size_t row, std::size_t rows,
               std::optional<unsigned> worker) const {
    const std::size_t firstOutput = group * shape_.groupOutputs();
    const float* input = call.input + group * shape_.groupInputs();
    const PatchReader::Source source{&patches_, input, row};
    RowSource a;
    if (shape_.isPointwise()) {
      a.data = input + row * shape_.inputs;
      a.rowStride = shape_.inputs;
    } else {
      a.gather = PatchReader::gather;
      a.context = &source;
    }
    PartFinish part{.firstRow = row, .firstColumn = firstOutput, .worker = worker};
    const GemmEpilogue epilogue = epilogueOf(context_.activation, call, shape_, kernels_, part);
    gemm(context_.isa, team,
         {.m = rows,
          .n = shape_.groupOutputs(),
          .k = shape_.depth(),
          .a = a,
          .b = call.packed + group * packedTapBytes(shape_, context_.isa),
          .c = call.output + row * call.outputPitch + firstOutput,
          .cPitch = call.outputPitch,
          .epilogue = epilogue,
          .scratch = call.scratch + worker.value_or(0) * workerScratch_});
  }

  ConvShape shape_;
  ConvContext context_;
  PatchReader patches_;
  const ConvKernels& kernels_;
  std::size_t workerScratch_ = 0;
};

}  // namespace

std::size_t packedTapBytes(const ConvShape& shape, Isa isa) {
  return alignedTo64(cpu::packedBytes(isa, shape.depth(), shape.groupOutputs()));
}

std::size_t tapScratchBytes(const ConvShape& shape) {
  if (shape.depth() == shape.groupInputs()) return 0;  // one tap is packed from where it is
  return shape.depth() * shape.groupOutputs() * sizeof(float);
}

void packTaps(const ConvShape& shape, Isa isa, std::size_t group, const float* filter, const FilterStrides& strides,
              std::byte* packed, std::byte* scratch) {
  const std::size_t inputs = shape.groupInputs(), outputs = shape.groupOutputs();
  filter += group * strides.group;
  if (shape.depth() == inputs) {  // one tap
    const float* tap = filter + shape.height.taps[0] * strides.height + shape.width.taps[0] * strides.width;
    return packB(isa, inputs, outputs, tap, strides.input, strides.output, packed);
  }
  std::vector<std::size_t> taps;  // where they are in a filter
  for (const std::size_t y : shape.height.taps) {
    for (const std::size_t x : shape.width.taps) taps.push_back(y * strides.height + x * strides.width);
  }
  auto* rows = reinterpret_cast<float*>(scratch);
  // A line of the results at a time, which so many filters fill.
  constexpr std::size_t kBlock = 16;
  for (std::size_t first = 0; first < outputs; first += kBlock) {
    const std::size_t last = std::min(first + kBlock, outputs);
    for (std::size_t i = 0; i < inputs; ++i) {
      for (std::size_t t = 0; t < taps.size(); ++t) {
        const float* from = filter + i * strides.input + taps[t];
        float* to = rows + (t * inputs + i) * outputs;
        for (std::size_t o = first; o < last; ++o) to[o] = from[o * strides.output];
      }
    }
  }
  packB(isa, shape.depth(), outputs, rows, outputs, 1, packed);
}

void PartFinish::finish(const void* context, std::size_t row, std::size_t rows, std::size_t column, std::size_t columns, float* c,
                        std::size_t pitch, unsigned worker) {
  const auto& self = *static_cast<const PartFinish*>(context);
  row += self.firstRow;
  if (self.addend) {
    self.kernels->addRuns(self.addend + row * self.addendPitch + column, self.addendPitch, c, pitch, rows, columns, self.range);
  }
  if (self.then.run) {
    self.then.run(self.then.context, row, rows, self.firstColumn + column, columns, c, pitch, self.worker.value_or(worker));
  }
}

GemmEpilogue epilogueOf(const ConvActivation& activation, const ConvCall& call, const ConvShape& shape,
                        const ConvKernels& kernels, PartFinish& part) {
  GemmEpilogue epilogue;
  if (call.bias) epilogue.bias = call.bias + part.firstColumn;
  if (activation.adds || call.finish.run) {
    part.kernels = &kernels;
    part.addend = activation.adds ? call.addend + part.firstColumn : nullptr;
    part.addendPitch = shape.outputs;
    part.range = activation.range;
    part.then = call.finish;
    epilogue.finish = PartFinish::finish;
    epilogue.context = &part;
  }
  if (activation.clamps && !activation.adds) {
    epilogue.clamps = true;
    epilogue.minimum = activation.range.minimum;
    epilogue.maximum = activation.range.maximum;
  }
  return epilogue;
}

ConvKernelPtr makeGemmConv(const ConvShape& shape, const ConvContext& context) {
  return std::make_shared<const GemmConv>(shape, context);
}

}  // namespace webnn::cpu
