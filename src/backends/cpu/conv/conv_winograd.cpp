#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "backends/cpu/conv/conv_direct.h"
#include "backends/cpu/conv/conv_gemm.h"
#include "backends/cpu/conv/conv_kernel.h"
#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/runtime/step.h"
#include "backends/cpu/simd/gemm/gemm.h"
#include "backends/cpu/simd/winograd.h"
#include "base/divide_up.h"
#include "compiler/plan/alignment.h"

namespace webnn::cpu {

namespace {

// The part of a 1 MiB L2 cache for the patches and GEMM results of one block of tiles. A constant rather than a fraction of the
// actual cache: the block size is the M of a GEMM, on which the summation order depends.
constexpr std::size_t kBlockBytes = 320 * 1024;
// The minimum and maximum number of tiles per block. A block reads the filter matrices from L3, which takes too long for few
// tiles.
constexpr std::size_t kFewestTiles = 14, kMostTiles = 168;
// With fewer blocks than this, all tiles form one block, and the threads share its transforms and GEMMs.
constexpr std::size_t kFewestBlocks = 6;

// The position of a tile's first output.
struct TilePlace {
  std::size_t image, row, column;
};

// The images' tiles of `outputs` x `outputs` outputs, which read two more inputs in each dimension.
class WinogradTiles {
 public:
  WinogradTiles(const ConvShape& shape, Isa isa, std::size_t outputs)
      : shape_(shape),
        kernels_(winogradKernels(isa, outputs)),
        copies_(convKernels(isa)),
        outputs_(outputs),
        size_(outputs + 2),
        positions_(size_ * size_),
        tileRows_(divideUp(shape.height.count, outputs)),
        tileColumns_(divideUp(shape.width.count, outputs)) {}

  std::size_t positions() const { return positions_; }
  std::size_t count() const { return shape_.batch * tileRows_ * tileColumns_; }
  // Scratch bytes for transform().
  std::size_t edgeBytes() const { return aligned(positions_ * shape_.inputs * sizeof(float)); }

  TilePlace placeOf(std::size_t tile) const {
    const std::size_t row = tile / tileColumns_;
    return {row / tileRows_, row % tileRows_ * outputs_, tile % tileColumns_ * outputs_};
  }

  // Transforms the input of a tile: position p is stored at to + places[p]. Returns false if transformed elements reach about
  // kWinogradLarge, or are infinite or NaN.
  bool transform(const ConvCall& call, const TilePlace& place, float* to, const std::size_t* places, std::byte* edge) const {
    const std::size_t channels = shape_.inputs, rowStride = shape_.width.size * channels;
    const std::int64_t y = static_cast<std::int64_t>(place.row) + shape_.height.offsets[0];
    const std::int64_t x = static_cast<std::int64_t>(place.column) + shape_.width.offsets[0];
    const auto height = static_cast<std::int64_t>(shape_.height.size), width = static_cast<std::int64_t>(shape_.width.size);
    const auto size = static_cast<std::int64_t>(size_);
    const float* image = call.input + place.image * shape_.height.size * rowStride;
    if (y >= 0 && x >= 0 && y + size <= height && x + size <= width) {
      const float* from = image + static_cast<std::size_t>(y) * rowStride + static_cast<std::size_t>(x) * channels;
      return kernels_.input(from, channels, rowStride, channels, to, places);
    }
    // The tile's input crosses the image's edge. Transforms a zero-padded copy.
    auto* copy = reinterpret_cast<float*>(edge);
    std::fill_n(copy, positions_ * channels, 0.0F);
    const std::int64_t firstX = std::max<std::int64_t>(x, 0), lastX = std::min(x + size, width);
    for (std::int64_t row = std::max<std::int64_t>(y, 0); row < std::min(y + size, height) && firstX < lastX; ++row) {
      copies_.copyRuns(image + static_cast<std::size_t>(row) * rowStride + static_cast<std::size_t>(firstX) * channels, 0,
                       copy + static_cast<std::size_t>((row - y) * size + firstX - x) * channels, 0, 1,
                       static_cast<std::size_t>(lastX - firstX) * channels);
    }
    return kernels_.input(copy, channels, size_ * channels, channels, to, places);
  }

  // Returns whether the transform would spoil results: the tile has infinities or NaN, or one output depends only on elements
  // that are much smaller than the tile's largest element.
  bool spreads(const ConvCall& call, const TilePlace& place) const {
    std::array<float, 36> peaks{};  // largest magnitude of each pixel over the channels; 0 for padding
    float peak = 0;
    for (std::size_t i = 0; i < positions_; ++i) {
      const std::int64_t y = static_cast<std::int64_t>(place.row + i / size_) + shape_.height.offsets[0];
      const std::int64_t x = static_cast<std::int64_t>(place.column + i % size_) + shape_.width.offsets[0];
      const auto height = static_cast<std::int64_t>(shape_.height.size), width = static_cast<std::int64_t>(shape_.width.size);
      if (y < 0 || y >= height || x < 0 || x >= width) continue;
      const std::size_t pixel = (place.image * shape_.height.size + static_cast<std::size_t>(y)) * shape_.width.size;
      const float* from = call.input + (pixel + static_cast<std::size_t>(x)) * shape_.inputs;
      peaks[i] = peakOf({reinterpret_cast<const std::byte*>(from), false, {}}, shape_.inputs);
      peak = std::max(peak, peaks[i]);
    }
    constexpr float kMuch = 64;
    for (std::size_t i = 0; i < outputs_ * outputs_; ++i) {
      float own = 0;
      for (std::size_t t = 0; t < 9; ++t) own = std::max(own, peaks[(i / outputs_ + t / 3) * size_ + i % outputs_ + t % 3]);
      if (!(peak <= kMuch * own) || std::isinf(peak)) return true;
    }
    return false;
  }

 private:
  const ConvShape& shape_;
  const WinogradKernels& kernels_;
  const ConvKernels& copies_;
  std::size_t outputs_, size_, positions_, tileRows_, tileColumns_;
};

class WinogradConv final : public ConvKernel {
 public:
  WinogradConv(const ConvShape& shape, const ConvContext& context, std::size_t outputs)
      : shape_(shape),
        context_(withoutTiles(context)),
        tiles_(shape_, context.isa, outputs),
        kernels_(winogradKernels(context.isa, outputs)),
        gemm_(gemmKernels(context.isa)),
        outputs_(outputs),
        positions_(tiles_.positions()) {
    const std::size_t tileBytes = positions_ * (shape.inputs + shape.outputs) * sizeof(float);
    const std::size_t wanted = std::clamp(kBlockBytes / tileBytes / 14 * 14, kFewestTiles, kMostTiles);
    blocks_ = divideUp(tiles_.count(), wanted);
    isShared_ = blocks_ < kFewestBlocks;
    if (isShared_) blocks_ = 1;
    blockTiles_ = divideUp(tiles_.count(), blocks_);
    // Padded by a cache line, so that positions do not all map to the same cache sets.
    patchStride_ = blockTiles_ * shape.inputs + 16;
    positionStride_ = blockTiles_ * shape.outputs + 16;
    for (std::size_t p = 0; p < positions_; ++p) places_[p] = p * patchStride_;
    patchBytes_ = aligned(positions_ * patchStride_ * sizeof(float));
    gemmOutputBytes_ = aligned(positions_ * positionStride_ * sizeof(float));
    plan_ = GemmPlan({context_.isa, shape.inputs, shape.outputs}, blockTiles_, 1, context_.caches);
    // Each position's filter matrix is padded too, so that rows of the same number do not all map to the same cache sets.
    matrixBytes_ = aligned(plan_.b().bytes()) + 64;
    flagBytes_ = aligned(blockTiles_);
    edgeBytes_ = tiles_.edgeBytes();
    gemmBytes_ = workerStride(plan_.scratchBytes());
  }

  std::string_view name() const override { return outputs_ == 2 ? "winograd2" : "winograd4"; }
  std::size_t packedBytes() const override { return positions_ * matrixBytes_; }
  void addPacking(PackKey& key) const override { addLayout(key, plan_.b()); }

  void pack(Team& team, const float* filter, const FilterStrides& strides, std::byte* packed, std::byte*) const override {
    const std::size_t pieces = plan_.b().panels();
    team.forRanges(pieces, packGrain(packedBytes() / pieces), [&](std::size_t begin, std::size_t end, unsigned) {
      for (std::size_t piece = begin; piece < end; ++piece) packPiece(filter, strides, packed, piece);
    });
  }

  std::size_t scratchBytes() const override {
    const std::size_t own = edgeBytes_ + gemmBytes_, block = patchBytes_ + gemmOutputBytes_ + flagBytes_;
    return isShared_ ? block + own * context_.threads : (block + own) * context_.threads;
  }

  bool readsFilter() const override { return true; }

  void run(Team& team, const ConvCall& call) const override {
    if (isShared_) return runShared(team, call);
    const std::size_t workerBytes = patchBytes_ + gemmOutputBytes_ + flagBytes_ + edgeBytes_ + gemmBytes_;
    team.forEach(blocks_, [&](std::size_t chunk, unsigned worker) {
      const Block block =
          blockAt(call.scratch + worker * workerBytes, tiles_.count() * chunk / blocks_, tiles_.count() * (chunk + 1) / blocks_);
      std::byte* own = call.scratch + worker * workerBytes + patchBytes_ + gemmOutputBytes_ + flagBytes_;
      for (std::size_t tile = 0; tile < block.tiles; ++tile) readTile(call, block, tile, own);
      for (std::size_t p = 0; p < positions_; ++p) multiply(call, block, p, own + edgeBytes_);
      for (std::size_t tile = 0; tile < block.tiles; ++tile) writeTile(call, block, tile, worker);
    });
  }

 private:
  struct Block {
    std::size_t first, tiles;
    float* patches;     // [position][tile][channel]
    float* gemmOutput;  // [position][tile][channel]
    // [tile]: whether the tile is computed directly, so that an infinity, a NaN or a huge number does not spread over it.
    bool* isDirect;
  };

  void runShared(Team& team, const ConvCall& call) const {
    const Block block = blockAt(call.scratch, 0, tiles_.count());
    const auto own = [&](unsigned worker) {
      return call.scratch + patchBytes_ + gemmOutputBytes_ + flagBytes_ + worker * (edgeBytes_ + gemmBytes_);
    };
    constexpr std::size_t kTileGrain = 4;
    team.forRanges(tiles_.count(), kTileGrain, [&](std::size_t begin, std::size_t end, unsigned worker) {
      for (std::size_t tile = begin; tile < end; ++tile) readTile(call, block, tile, own(worker));
    });
    team.forEach(positions_, [&](std::size_t p, unsigned worker) { multiply(call, block, p, own(worker) + edgeBytes_); });
    team.forRanges(tiles_.count(), kTileGrain, [&](std::size_t begin, std::size_t end, unsigned worker) {
      for (std::size_t tile = begin; tile < end; ++tile) writeTile(call, block, tile, worker);
    });
  }

  Block blockAt(std::byte* scratch, std::size_t begin, std::size_t end) const {
    return {begin, end - begin, reinterpret_cast<float*>(scratch), reinterpret_cast<float*>(scratch + patchBytes_),
            reinterpret_cast<bool*>(scratch + patchBytes_ + gemmOutputBytes_)};
  }

  // Packs one panel of every matrix. Copies the taps of a few inputs to rows of `taps`, which the kernel transforms into the
  // panels.
  void packPiece(const float* filter, const FilterStrides& strides, std::byte* packed, std::size_t piece) const {
    constexpr std::size_t kTaps = 9, kInputs = 16, kWidth = 32;
    alignas(64) std::array<float, kTaps * kInputs * kWidth> taps;
    const PackedPanel panel = plan_.b().panel(packed, piece);
    filter += panel.column * strides.output;
    const bool isDense = strides.width == 1 && strides.height == 3 && strides.input == kTaps;
    const std::size_t width = panel.width, matrix = matrixBytes_ / sizeof(float);
    for (std::size_t input = 0, count = 0; input < shape_.inputs; input += count) {
      count = std::min({kInputs, shape_.inputs - input, panel.rowsFrom(input)});
      const float* from = filter + input * strides.input;
      if (isDense) {
        gemm_.packPanel(from, 1, strides.output, kTaps * count, panel.columns, width, taps.data());
        kernels_.filter(taps.data(), width, kTaps * width, count, width, panel.row(input), matrix);
        continue;
      }
      for (std::size_t t = 0; t < kTaps; ++t) {
        gemm_.packPanel(from + t / 3 * strides.height + t % 3 * strides.width, strides.input, strides.output, count,
                        panel.columns, width, taps.data() + t * count * width);
      }
      kernels_.filter(taps.data(), count * width, width, count, width, panel.row(input), matrix);
    }
  }

  void readTile(const ConvCall& call, const Block& block, std::size_t tile, std::byte* edge) const {
    const TilePlace place = tiles_.placeOf(block.first + tile);
    float* to = block.patches + tile * shape_.inputs;
    block.isDirect[tile] = !tiles_.transform(call, place, to, places_.data(), edge) && tiles_.spreads(call, place);
  }

  void multiply(const ConvCall& call, const Block& block, std::size_t position, std::byte* scratch) const {
    const float* patches = block.patches + position * patchStride_;
    const std::byte* matrix = call.packed + position * matrixBytes_;
    float* gemmOutput = block.gemmOutput + position * positionStride_;
    if (shape_.inputs <= kGemmKC) return multiplyInOneBlock(patches, matrix, gemmOutput, block.tiles);
    AOperand a;
    a.data = patches;
    a.lda = shape_.inputs;
    plan_.withRows(block.tiles)
        .run(singleThread(), {.a = a, .b = matrix, .c = gemmOutput, .ldc = shape_.outputs, .scratch = scratch});
  }

  void multiplyInOneBlock(const float* patches, const std::byte* matrix, float* gemmOutput, std::size_t tiles) const {
    const std::size_t parts = divideUp(tiles, gemm_.mr);
    GemmTile task;
    task.b = reinterpret_cast<const float*>(matrix);
    task.k = shape_.inputs;
    task.lda = shape_.inputs;
    task.ldc = shape_.outputs;
    task.columns = shape_.outputs;
    for (std::size_t i = 0; i < parts; ++i) {
      const std::size_t first = tiles * i / parts, rows = tiles * (i + 1) / parts - first;
      task.a = patches + first * shape_.inputs;
      task.c = gemmOutput + first * shape_.outputs;
      gemm_.multiply[rows - 1](task);
    }
  }

  void writeTile(const ConvCall& call, const Block& block, std::size_t tile, unsigned worker) const {
    const TilePlace place = tiles_.placeOf(block.first + tile);
    const std::size_t pixel = (place.image * shape_.height.count + place.row) * shape_.width.count + place.column;
    WinogradOutput output;
    output.from = block.gemmOutput + tile * shape_.outputs;
    output.positionStride = positionStride_;
    output.channels = shape_.outputs;
    output.bias = call.bias;
    if (context_.activation.adds) {
      output.addend = call.addend + pixel * shape_.outputs;
      output.addendPixelStride = shape_.outputs;
      output.addendRowStride = shape_.width.count * shape_.outputs;
    }
    output.range = context_.activation.range;
    output.to = call.output + pixel * call.outputStride;
    output.pixelStride = call.outputStride;
    output.rowStride = shape_.width.count * call.outputStride;
    output.rows = std::min(outputs_, shape_.height.count - place.row);
    output.columns = std::min(outputs_, shape_.width.count - place.column);
    block.isDirect[tile] ? writeDirectly(call, place, output) : kernels_.output(output);
    if (!call.epilogue.run) return;
    for (std::size_t row = 0; row < output.rows; ++row) {
      call.epilogue.run(call.epilogue.context, pixel + row * shape_.width.count, output.columns, 0, shape_.outputs,
                        output.to + row * output.rowStride, output.pixelStride, worker);
    }
  }

  void writeDirectly(const ConvCall& call, const TilePlace& place, const WinogradOutput& tile) const {
    for (std::size_t row = 0; row < tile.rows; ++row) {
      for (std::size_t column = 0; column < tile.columns; ++column) {
        const float* addend = tile.addend ? tile.addend + row * tile.addendRowStride + column * tile.addendPixelStride : nullptr;
        computeDirectly(shape_, context_.activation, call,
                        {place.image, place.row + row, place.column + column, addend,
                         tile.to + row * tile.rowStride + column * tile.pixelStride});
      }
    }
  }

  ConvShape shape_;
  ConvContext context_;
  WinogradTiles tiles_;
  const WinogradKernels& kernels_;
  const GemmKernels& gemm_;
  GemmPlan plan_;
  std::size_t outputs_, positions_;
  std::size_t blocks_ = 1, blockTiles_ = 0;
  bool isShared_ = false;
  std::size_t patchStride_ = 0, positionStride_ = 0;
  std::array<std::size_t, 36> places_{};
  std::size_t matrixBytes_ = 0, patchBytes_ = 0, gemmOutputBytes_ = 0, flagBytes_ = 0, edgeBytes_ = 0, gemmBytes_ = 0;
};

}  // namespace

ConvKernelPtr makeWinogradConv(const ConvShape& shape, const ConvContext& context, std::size_t outputs) {
  return std::make_shared<const WinogradConv>(shape, context, outputs);
}

namespace {

// Estimate AVX-512 cycles; the ranking of the estimates holds for narrower vectors too. The estimates count multiply-adds, the
// transforms of each channel of a tile, and reading matrices from memory at four bytes per cycle, which dominates for small
// images.
double cyclesOfGemms(const ConvShape& shape, double sums, double matrices) {
  const double weights = static_cast<double>(shape.inputs) * static_cast<double>(shape.outputs);
  return weights * (sums / 32 + matrices);
}
double cyclesOfWinograd(const ConvShape& shape, std::size_t outputs, double perInput, double perOutput) {
  const std::size_t tiles = shape.batch * divideUp(shape.height.count, outputs) * divideUp(shape.width.count, outputs);
  const auto positions = static_cast<double>((outputs + 2) * (outputs + 2)), tileCount = static_cast<double>(tiles);
  const double transforms = static_cast<double>(shape.inputs) * perInput + static_cast<double>(shape.outputs) * perOutput;
  return cyclesOfGemms(shape, 1.1 * positions * tileCount, positions) + tileCount * transforms;
}

}  // namespace

std::size_t winogradOutputs(const ConvShape& shape, double productCost) {
  const auto isThree = [](const ConvAxis& axis) { return axis.tapCount() == 3 && axis.taps.front() == 0; };
  const bool is3x3 = isThree(shape.height) && isThree(shape.width);
  if (!is3x3 || !shape.height.isDense() || !shape.width.isDense() || shape.height.step != 1 || shape.width.step != 1) return 0;
  if (shape.groups != 1 || shape.inputs < 16 || shape.outputs < 16) return 0;
  // The choice must not depend on the batch, so that graphs for other batches share the packed filter. Therefore choose for a
  // batch of two images. By this estimate, ResNet-50's 7x7 layers then cost 10 to 52 % more than with the best choice at
  // batches of 1 to 32, its 14x14 layers up to 28 % more, and its larger layers the same.
  ConvShape images = shape;
  images.batch = 2;
  const double plain = productCost * cyclesOfGemms(images, 9.0 * static_cast<double>(images.pixels()), 9);
  const double four = cyclesOfWinograd(images, 4, 14, 10), two = cyclesOfWinograd(images, 2, 4, 3);
  if (plain <= std::min(four, two)) return 0;
  return four <= two ? 4 : 2;
}

namespace {

// Returns, for each of the nine taps, the sum of its magnitudes over the inputs. `from`: the filter of one output.
template <typename T, typename ToFloat>
std::array<float, 9> tapSums(const std::byte* from, std::size_t inputs, const FilterStrides& s, ToFloat toFloat) {
  std::array<std::size_t, 9> taps{};
  for (std::size_t t = 0; t < 9; ++t) taps[t] = t / 3 * s.height + t % 3 * s.width;
  std::array<float, 72> parts{};  // sums for eight inputs with contiguous taps, which compilers vectorize
  const bool isPlain = s.width == 1 && s.height == 3 && s.input == 9;
  std::size_t i = 0;
  for (; isPlain && i + 8 <= inputs; i += 8) {
    for (std::size_t k = 0; k < parts.size(); ++k)
      parts[k] += std::fabs(toFloat(loadUnaligned<T>(from + (9 * i + k) * sizeof(T))));
  }
  std::array<float, 9> sums{};
  for (std::size_t k = 0; k < parts.size(); ++k) sums[k % 9] += parts[k];
  for (; i < inputs; ++i) {
    for (std::size_t t = 0; t < 9; ++t)
      sums[t] += std::fabs(toFloat(loadUnaligned<T>(from + (i * s.input + taps[t]) * sizeof(T))));
  }
  return sums;
}

// Returns whether all weights are integers. Stops at the first fraction, so the search is short for most networks.
bool isWhole(const RawFilter& filter, std::size_t outputs, std::size_t inputs) {
  const auto valueAt = [&](std::size_t at) {
    if (!filter.isHalf) return loadUnaligned<float>(filter.bytes + at * sizeof(float));
    return static_cast<float>(static_cast<double>(Half::fromBits(loadUnaligned<std::uint16_t>(filter.bytes + at * 2))));
  };
  for (std::size_t o = 0; o < outputs; ++o) {
    for (std::size_t i = 0; i < inputs; ++i) {
      for (std::size_t t = 0; t < 9; ++t) {
        const float weight = valueAt(o * filter.strides.output + i * filter.strides.input + t / 3 * filter.strides.height +
                                     t % 3 * filter.strides.width);
        if (weight != std::trunc(weight)) return false;
      }
    }
  }
  return true;
}

}  // namespace

bool suitsWinograd(const ConvShape& shape, const RawFilter& filter, float peak) {
  constexpr float kMuch = 128, kNothing = 0x1p-20F;
  const float least = kNothing * peak * static_cast<float>(shape.inputs);
  if (isWhole(filter, shape.outputs, shape.inputs)) return false;
  RunWatch watch;
  for (std::size_t o = 0; o < shape.outputs && !watch.isOver(9 * shape.inputs); ++o) {
    const std::byte* from = filter.bytes + o * filter.strides.output * (filter.isHalf ? 2 : 4);
    const auto ofHalf = [](std::uint16_t bits) { return static_cast<float>(static_cast<double>(Half::fromBits(bits))); };
    const std::array<float, 9> sums = filter.isHalf ? tapSums<std::uint16_t>(from, shape.inputs, filter.strides, ofHalf)
                                                    : tapSums<float>(from, shape.inputs, filter.strides, std::identity());
    const float most = std::ranges::max(sums);
    const auto isMuchLess = [&](float sum) { return sum > 0 && kMuch * sum < most; };
    if (most > least && std::ranges::any_of(sums, isMuchLess)) return false;
  }
  return true;
}

}  // namespace webnn::cpu
