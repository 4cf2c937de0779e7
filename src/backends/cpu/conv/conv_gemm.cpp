#include "backends/cpu/conv/conv_gemm.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "backends/cpu/conv/conv_patches.h"
#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/simd/gemm/gemm.h"
#include "base/divide_up.h"
#include "compiler/plan/alignment.h"

namespace webnn::cpu {

namespace {

// The number of rows in a chunk of a grouped convolution.
constexpr std::size_t kGroupRows = 256;
// Bytes packed per chunk: about ten microseconds of work, so that small filters wake no workers.
constexpr std::size_t kPackBytes = 128 * 1024;

class GemmConv final : public ConvKernel {
 public:
  GemmConv(const ConvShape& shape, const ConvContext& context)
      : shape_(shape), context_(context), patches_(shape_, context.isa), kernels_(convKernels(context.isa)) {
    // With several groups, the workers divide the groups and their rows, and each part is a GEMM on one thread. A single group is
    // one GEMM that the team shares.
    const bool isGrouped = shape.groups > 1;
    const std::size_t rows = isGrouped ? std::min(kGroupRows, shape_.pixels()) : shape_.pixels();
    plan_ = GemmPlan(packedTaps(shape_, kernelIsa(context.isa, product()), product().type), rows, isGrouped ? 1 : context.threads,
                     context.caches);
    groupBytes_ = aligned(plan_.b().bytes());
    workerScratch_ = workerStride(plan_.scratchBytes());
  }

  std::string_view name() const override { return shape_.isPointwise() ? "pointwise" : shape_.groups > 1 ? "grouped" : "gemm"; }
  std::string kernelText() const override { return cpu::kernelText(context_.isa, product()); }
  std::size_t packedBytes() const override { return shape_.groups * groupBytes_; }
  std::size_t packScratchBytes() const override { return tapScratchBytes(shape_, plan_.b()); }
  void addPacking(PackKey& key) const override { addLayout(key, plan_.b()); }
  void pack(Team& team, const float* filter, const FilterStrides& strides, std::byte* packed, std::byte* scratch) const override {
    RunWatch watch;
    for (std::size_t group = 0; group < shape_.groups && !watch.isOver(groupBytes_); ++group) {
      packTaps(team, shape_, plan_.b(), group, filter, strides, packed + group * groupBytes_, scratch);
    }
  }
  std::size_t scratchBytes() const override { return workerScratch_ * (shape_.groups > 1 ? context_.threads : 1); }

  void run(Team& team, const ConvCall& call) const override {
    const std::size_t pixels = shape_.pixels();
    if (shape_.groups == 1) return runRows(team, call, 0, 0, pixels, std::nullopt);
    const std::size_t parts = divideUp(pixels, kGroupRows);
    team.forEach(shape_.groups * parts, [&](std::size_t chunk, unsigned worker) {
      const std::size_t row = chunk % parts * kGroupRows;
      runRows(singleThread(), call, chunk / parts, row, std::min(kGroupRows, pixels - row), worker);
    });
  }

 private:
  // The choice of tiles must not depend on the batch, so that graphs for other batches share the packed filter.
  Product product() const { return productOf(shape_, shape_.imagePixels(), context_.precision); }

  // Computes output rows [row, row + rows) of a group. If `worker` is given, that worker computes them alone; otherwise all
  // threads of `team` share them.
  void runRows(Team& team, const ConvCall& call, std::size_t group, std::size_t row, std::size_t rows,
               std::optional<unsigned> worker) const {
    const std::size_t firstOutput = group * shape_.groupOutputs();
    const float* input = call.input + group * shape_.groupInputs();
    const PatchReader::Source source{&patches_, input, row};
    AOperand a;
    if (shape_.isPointwise()) {
      a.data = input + row * shape_.inputs;
      a.lda = shape_.inputs;
    } else {
      a = PatchReader::rows(source);
    }
    PartEpilogue part{.firstRow = row, .firstColumn = firstOutput, .worker = worker};
    const GemmEpilogue epilogue = epilogueOf(context_.activation, call, shape_, kernels_, part);
    const GemmCall gemm{.a = a,
                        .b = call.packed + group * groupBytes_,
                        .c = call.output + row * call.outputStride + firstOutput,
                        .ldc = call.outputStride,
                        .epilogue = epilogue,
                        .scratch = call.scratch + worker.value_or(0) * workerScratch_};
    rows == plan_.m() ? plan_.run(team, gemm) : plan_.withRows(rows).run(team, gemm);
  }

  ConvShape shape_;
  ConvContext context_;
  PatchReader patches_;
  const ConvKernels& kernels_;
  GemmPlan plan_;
  std::size_t groupBytes_ = 0, workerScratch_ = 0;
};

}  // namespace

Product productOf(const ConvShape& shape, std::size_t pixels, Precision precision) {
  return atPrecision({ProductType::floats, pixels, shape.groupOutputs(), shape.depth()}, precision);
}

PackedB packedTaps(const ConvShape& shape, Isa isa, ProductType type) {
  const PackedNumbers numbers = type == ProductType::bf16 ? PackedNumbers::bf16 : PackedNumbers::floats;
  return {isa, shape.depth(), shape.groupOutputs(), numbers};
}

namespace {

// Reads the filter of a group as the rows of B: row t * inputs + i is tap t of input i.
struct TapRows {
  const ConvShape& shape;
  const float* filter;
  FilterStrides strides;
  std::size_t inputs = shape.groupInputs(), taps = shape.tapCount();

  // Returns the offset of a tap relative to tap 0 of the same input and output.
  std::size_t placeOf(std::size_t tap) const {
    const std::vector<std::size_t>& columns = shape.width.taps;
    return shape.height.taps[tap / columns.size()] * strides.height + columns[tap % columns.size()] * strides.width;
  }
  // Returns whether the filter is stored as [input][tap]. Checks lines and columns separately, because checking each tap of a
  // filter as large as the image would be slow.
  bool isDense() const {
    const std::size_t lines = shape.height.taps.size(), columns = shape.width.taps.size();
    for (std::size_t x = 0; x < columns; ++x) {
      if (placeOf(x) != x) return false;
    }
    for (std::size_t y = 0; y < lines; ++y) {
      if (placeOf(y * columns) != y * columns) return false;
    }
    return strides.input == taps;
  }

  void pack(const GemmKernels& kernels, const PackedPanel& panel) const {
    isDense() ? packDense(kernels, panel) : packByTap(kernels, panel);
  }

 private:
  void packByTap(const GemmKernels& kernels, const PackedPanel& panel) const {
    RunWatch watch;
    for (std::size_t t = 0; t < taps && !watch.isOver(inputs * panel.width); ++t) {
      for (std::size_t i = 0; i < inputs;) {
        const std::size_t row = t * inputs + i, count = std::min(inputs - i, panel.rowsFrom(row));
        kernels.packPanel(filter + placeOf(t) + i * strides.input + panel.column * strides.output, strides.input, strides.output,
                          count, panel.columns, panel.width, panel.row(row));
        i += count;
      }
    }
  }

  // Reads the filters in storage order, up to kRows values of each at a time, and then copies each row to its place in the panel.
  void packDense(const GemmKernels& kernels, const PackedPanel& panel) const {
    constexpr std::size_t kRows = 128, kFloats = kRows * 32;
    alignas(64) std::array<float, kFloats> rows;
    const std::size_t all = taps * inputs, atOnce = std::min(kRows, kFloats / panel.width);
    RunWatch watch;
    for (std::size_t first = 0; first < all && !watch.isOver(atOnce * panel.width); first += atOnce) {
      const std::size_t count = std::min(atOnce, all - first);
      kernels.packPanel(filter + first + panel.column * strides.output, 1, strides.output, count, panel.columns, panel.width,
                        rows.data());
      std::size_t input = first / taps, tap = first % taps;
      for (std::size_t r = 0; r < count; ++r) {
        std::memcpy(panel.row(tap * inputs + input), rows.data() + r * panel.width, panel.width * sizeof(float));
        if (++tap == taps) tap = 0, ++input;
      }
    }
  }
};

// Packs a panel whose elements are not float. First writes the panel as floats to scratch memory: k rows of the panel's width.
void packThroughRows(const TapRows& rows, const PackedB& taps, std::byte* packed, float* scratch, std::size_t i) {
  const PackedB plain(withoutTiles(taps.isa()), taps.k(), taps.n());
  PackedPanel panel = plain.panel(packed, i);
  panel.start = scratch;
  panel.kc = taps.k();
  rows.pack(plain.kernels(), panel);
  // packPanel() adds the panel's first column to the pointer, so subtract it here.
  taps.packPanel(panel.row(0) - panel.column, panel.width, 1, packed, i);
}

}  // namespace

std::size_t packGrain(std::size_t pieceBytes) { return std::max<std::size_t>(1, kPackBytes / (pieceBytes + 1)); }

std::size_t tapScratchBytes(const ConvShape& shape, const PackedB& taps) {
  // A single tap is packed straight from the filter. Other panels are packed from rows in scratch memory, unless their elements
  // are floats.
  if (taps.isOfFloats() || shape.tapCount() == 1) return 0;
  return packedTaps(shape, withoutTiles(taps.isa())).bytes();
}

void packTaps(Team& team, const ConvShape& shape, const PackedB& taps, std::size_t group, const float* filter,
              const FilterStrides& strides, std::byte* packed, std::byte* scratch) {
  const std::size_t panels = taps.panels();
  if (panels == 0 || taps.k() == 0) return;
  const TapRows rows{.shape = shape, .filter = filter + group * strides.group, .strides = strides};
  team.forRanges(panels, packGrain(taps.bytes() / panels), [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i) {
      if (shape.tapCount() == 1) {
        taps.packPanel(rows.filter + rows.placeOf(0), strides.input, strides.output, packed, i);
      } else if (taps.isOfFloats()) {
        rows.pack(taps.kernels(), taps.panel(packed, i));
      } else {
        packThroughRows(rows, taps, packed, reinterpret_cast<float*>(scratch), i);
      }
    }
  });
}

void PartEpilogue::apply(const void* context, std::size_t row, std::size_t rows, std::size_t column, std::size_t columns,
                         float* c, std::size_t ld, unsigned worker) {
  const auto& self = *static_cast<const PartEpilogue*>(context);
  row += self.firstRow;
  if (self.addend) {
    self.kernels->addRuns(self.addend + row * self.addendStride + column, self.addendStride, c, ld, rows, columns, self.range);
  }
  if (self.then.run) {
    self.then.run(self.then.context, row, rows, self.firstColumn + column, columns, c, ld, self.worker.value_or(worker));
  }
}

GemmEpilogue epilogueOf(const ConvActivation& activation, const ConvCall& call, const ConvShape& shape,
                        const ConvKernels& kernels, PartEpilogue& part) {
  GemmEpilogue epilogue;
  if (call.bias) epilogue.bias = call.bias + part.firstColumn;
  if (activation.adds || call.epilogue.run) {
    part.kernels = &kernels;
    part.addend = activation.adds ? call.addend + part.firstColumn : nullptr;
    part.addendStride = shape.outputs;
    part.range = activation.range;
    part.then = call.epilogue;
    epilogue.apply = PartEpilogue::apply;
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
