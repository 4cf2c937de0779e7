// Convolution of 8-bit images with channels last, accumulated in 32 bits.
// There is no im2col: each pixel of a tile has one pointer per filter tap, to the channels in the image or to a pixel of zero
// points for padding. With zero points zx and zw, the sum of k products is
// sum (x - zx)(w - zw) = sum x w - zx sum w - zw sum x + k zx zw.
// The terms with zero points are equal for all pixels, except zw sum x, which matters only if zw is not 0.
// Byte dot products take groups of four channels, unsigned in the image and signed in the filter; images of other types or
// channel counts are copied first. For AMX tiles, the same bytes are gathered per tile. Without byte dot products and AMX, the
// image is copied as int16 minus the zero point, or for pointwise convolutions gathered per tile. Depthwise convolutions combine
// two or four taps when they read them.
#include "backends/cpu/conv/quantized_conv.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "backends/cpu/conv/byte_filter.h"
#include "backends/cpu/conv/byte_pixels.h"
#include "backends/cpu/conv/byte_winograd.h"
#include "backends/cpu/conv/conv_shape.h"
#include "backends/cpu/conv/quantized_output.h"
#include "backends/cpu/gemm/amx_choice.h"
#include "backends/cpu/gemm/gemm_amx_bytes.h"
#include "backends/cpu/runtime/compiler.h"
#include "backends/cpu/simd/bytes/quantized_conv.h"
#include "backends/cpu/simd/bytes/quantized_gemm.h"
#include "base/text.h"
#include "compiler/plan/alignment.h"

namespace webnn::cpu {

namespace {

constexpr std::uint8_t kSignBit = 0x80;
// The minimum and maximum number of multiplications of a chunk, which take about 5 to 50 microseconds.
constexpr std::size_t kLeastWorkOfChunk = 1 << 19, kMostWorkOfChunk = 8 << 20;
constexpr std::size_t kWorkOfResult = 32;  // multiplications that take as long as rounding and storing one result
// The intended number of chunks per thread: few, so that threads find their own data in cache.
constexpr std::size_t kChunksOfThread = 2;
// The speed of AMX tiles relative to VNNI, in multiplications per second. Memory bandwidth limits the tiles.
constexpr std::size_t kTileSpeed = 4;
constexpr std::size_t kLine = 64;  // bytes of an AVX-512 vector, which line kernels (depthwiseOfLines) fill
// The maximum number of weight columns of line kernels, whose weights are repeated until they fill whole vectors.
constexpr std::size_t kMostLineColumns = 2048;
// The maximum bytes of weights of line kernels, if the channels of a pixel fill vectors.
constexpr std::size_t kMostLineWeights = std::size_t{28} << 10;
constexpr std::size_t kMostPhases = 4, kFewLines = 8;
constexpr std::size_t kPackGrain = std::size_t{256} << 10;

bool isInside(const ConvAxis& axis, std::int64_t position) {
  return position + axis.offsets.front() >= 0 && position + axis.offsets.back() < static_cast<std::int64_t>(axis.size);
}

struct QuantizedConv {
  const QuantizedConvKernels* kernels = nullptr;
  ConvShape shape;  // height.size and width.size are of the padded copy if there is one, else of the image
  BytePixels pixels;
  // Set if the input image is copied to a padded image: its place in the copy. Then the taps of a filter row read adjacent bytes
  // and form one segment (see `segments`), unless isOfLines.
  std::optional<PaddedImage> padded;
  std::size_t merged = 1;  // number of the graph's groups that are merged into one group here; weights between them are 0
  bool isDepthwise = false;
  bool isOfBytes = false;  // depthwise, by depthwiseOfBytes()
  bool isOfLines = false;  // depthwise, by depthwiseOfLines(): a tile is an output line, or a part of one
  // For 3 x 3 filters: the number of filter columns whose input pixels an output shares with the output on its left.
  std::size_t sharedColumns = 0;
  bool isGathered = false;                 // tiles are gathered as int16; see BytePixels::isWide
  std::optional<ByteWinograd> winograd;    // computes the results from a padded copy of int16
  const ByteTileKernels* tiles = nullptr;  // AMX kernels, for which tiles are gathered as bytes; or null
  bool isSigned = false;                   // whether the given image is int8
  std::int32_t zeroPoint = 0;
  std::vector<std::int64_t> tapOffsets;  // offset of each segment from the image's pixel (y * step, x * step), in bytes

  // Sizes within one group. `vectors`: vectors per panel; `tileRows`: rows (pixels) per tile.
  std::size_t vectors = 1, panels = 1, tileRows = 1;
  // `segments`: the number of runs of adjacent input bytes that one row of a tile reads. `segmentGroups` and `tapGroups`: groups
  // of four bytes per segment and per tap.
  std::size_t segments = 1, segmentGroups = 0, tapGroups = 0;
  std::size_t panelBytes = 0, groupBytes = 0;  // bytes of packed weights per panel and per group
  std::size_t panelsPerChunk = 1, tilesPerChunk = 1;

  const std::byte *weights = nullptr, *padding = nullptr;  // weights: packed; padding: one pixel, which stands for all padding
  const std::int32_t *offset = nullptr, *factor = nullptr;
  const float *scale = nullptr, *rest = nullptr;
  QuantizedOutput output;
  std::size_t outputBytes = 1;  // bytes per output element
  std::int32_t (*sum)(const std::uint8_t* from, std::size_t k, std::uint8_t flip) = nullptr;
  Slot input, result, addend, scratch;
  bool hasAddend = false;

  // Panels [first, end) of a group.
  struct Panels {
    std::size_t group = 0, first = 0, end = 0;
  };

  std::size_t panelColumns() const { return vectors * kernels->lanes; }
  std::size_t groupColumns() const { return panels * panelColumns(); }
  // Returns the index of an output channel in arrays with an element per column, such as `scale`.
  std::size_t columnOf(std::size_t channel) const {
    if (isOfBytes) return interleavedColumn(channel);
    if (isDepthwise) return channel;
    return channel / shape.groupOutputs() * groupColumns() + channel % shape.groupOutputs();
  }
  // Returns how many times the columns of the weights are stored: until they fill whole vectors of 64 for depthwiseOfLines, and
  // until 16 or 32 columns become 64 for depthwiseOfBytes.
  std::size_t repeats() const {
    if (isOfLines) return std::lcm(shape.outputs, std::size_t{64}) / shape.outputs;
    return isOfBytes && (shape.outputs == 16 || shape.outputs == 32) ? 64 / shape.outputs : 1;
  }
  std::size_t tileCount() const {
    return isOfLines ? shape.batch * shape.height.count * partsOfLine() : divideUp(shape.pixels(), tileRows);
  }
  std::size_t partsOfLine() const { return divideUp(shape.width.count, tileRows); }
  std::size_t rowGroups() const { return segments * segmentGroups; }
  // Scratch memory: the copy of the image, then each worker's pointers, sums and gathered rows.
  std::size_t imageBytes() const {
    const std::size_t readOn = isOfLines ? kLine : pixels.readOn();
    return pixels.isCopied ? aligned(shape.batch * shape.height.size * shape.width.size * pixels.bytes() + readOn) : 0;
  }
  std::size_t pointerBytes() const {
    return aligned((isOfLines ? roundUp(segments, 4) : tapOffsets.size() * tileRows) * sizeof(const std::byte*));
  }
  std::size_t sumBytes() const { return isOfLines ? 0 : aligned(tileRows * sizeof(std::int32_t)); }
  // Returns the bytes of a gathered row. AMX kernels read the weights up to the same padded length.
  std::size_t rowBytes() const { return tiles ? roundUp(rowGroups() * 4, kByteStep) : isGathered ? rowGroups() * 4 : 0; }
  // Returns the distance between gathered rows. Rows that are a multiple of 512 bytes apart would share few sets of the L1
  // cache.
  std::size_t rowStride() const { return rowBytes() + (tiles && rowBytes() % 512 == 0 ? kByteStep : 0); }
  std::size_t readOnBytes() const { return tiles ? (rowBytes() - rowGroups() * 4) * panelColumns() : 0; }

  std::size_t workerBytes() const {
    if (winograd) return winograd->workerBytes();
    return pointerBytes() + sumBytes() + aligned(tileRows * rowStride() + kByteStep);
  }

  // Points `rows` to the taps of pixels [first, first + count). If `shared` is not null, sets shared[r] (see
  // QuantizedConvTile::shared) and omits the pointers that kernels then do not read.
  void point(const std::byte* image, std::size_t first, std::size_t count, const std::byte** rows, std::uint8_t* shared) const;
  void gather(const std::byte** rows, std::size_t count, std::byte* gathered) const;
  void gatherBytes(const std::byte** rows, std::size_t count, std::byte* gathered) const;
  void multiplyPanel(const QuantizedConvTile& tile) const;
  void multiply(QuantizedConvTile& tile, const Panels& range, std::byte* to) const;
  std::size_t pixelsInside(std::size_t first, std::size_t count) const;
  QuantizedConvTile makeTile(std::byte* memory) const;
  void runDepthwise(const std::byte* image, std::size_t first, std::size_t count, const std::byte** rows,
                    QuantizedConvTile& tile) const;
  void runTile(const Frame& frame, const std::byte* image, std::size_t i, const Panels& range, std::byte* memory,
               QuantizedConvTile& tile) const;
  void runLine(const Frame& frame, const std::byte* image, std::size_t i, std::byte* memory) const;
  void copyLine(const std::uint8_t* from, std::uint8_t* to) const;
  void copyImage(Team& team, const std::uint8_t* image, std::uint8_t* to) const;
  void run(const Frame& frame) const;
};

// Rows after the first `count` repeat the last pixel, except in kernels->depthwise, which does not read them.
void QuantizedConv::point(const std::byte* image, std::size_t first, std::size_t count, const std::byte** rows,
                          std::uint8_t* shared) const {
  const ConvAxis &height = shape.height, &width = shape.width;
  const auto bytes = static_cast<std::int64_t>(pixels.bytes());
  if (shape.isPointwise()) {
    for (std::size_t r = 0; r < tileRows; ++r)
      rows[r] = image + static_cast<std::int64_t>(first + std::min(r, count - 1)) * bytes;
    return;
  }
  const auto lines = static_cast<std::int64_t>(height.size), columns = static_cast<std::int64_t>(width.size);
  std::size_t line = first / width.count, column = first % width.count;
  std::int64_t y = 0, lineOrigin = 0;
  bool isLineInside = false;
  const auto beginLine = [&] {
    y = static_cast<std::int64_t>(line % height.count * height.step);
    lineOrigin = (static_cast<std::int64_t>(line / height.count) * lines + y) * columns * bytes;
    isLineInside = isInside(height, y);
  };
  beginLine();
  for (std::size_t r = 0; r < (isDepthwise && !isOfBytes ? count : tileRows); ++r) {
    const auto x = static_cast<std::int64_t>(column * width.step);
    const std::int64_t origin = lineOrigin + x * bytes;
    const std::size_t known = shared && r > 0 && column > 0 ? sharedColumns : 0;
    if (shared) shared[r] = static_cast<std::uint8_t>(known);
    if (isLineInside && isInside(width, x)) {
      if (known == 0) {
        for (std::size_t t = 0; t < tapOffsets.size(); ++t) rows[t * tileRows + r] = image + (origin + tapOffsets[t]);
      }
      for (std::size_t t = known; known > 0 && t < 9; t += t % 3 == 2 ? 1 + known : 1)
        rows[t * tileRows + r] = image + (origin + tapOffsets[t]);
    } else {
      std::size_t t = 0;
      for (const std::int64_t dy : height.offsets) {
        for (const std::int64_t dx : width.offsets) {
          const bool isPadding = y + dy < 0 || y + dy >= lines || x + dx < 0 || x + dx >= columns;
          rows[t * tileRows + r] = isPadding ? padding : image + (origin + tapOffsets[t]);
          ++t;
        }
      }
    }
    if (r + 1 < count && ++column == width.count) column = 0, ++line, beginLine();
  }
}

// Copies the first `count` pixels that `rows` points to, which are adjacent, as int16 numbers (pixel minus zero point). Points
// `rows` to the copies.
void QuantizedConv::gather(const std::byte** rows, std::size_t count, std::byte* gathered) const {
  kernels->widen(reinterpret_cast<const std::uint8_t*>(rows[0]), count * pixels.channels, isSigned, zeroPoint,
                 reinterpret_cast<std::int16_t*>(gathered));
  for (std::size_t r = 0; r < tileRows; ++r) rows[r] = gathered + std::min(r, count - 1) * rowBytes();
}

// Gathers the bytes of `count` rows for AMX tiles, and points rows[0] to them.
void QuantizedConv::gatherBytes([[maybe_unused]] const std::byte** rows, [[maybe_unused]] std::size_t count,
                                [[maybe_unused]] std::byte* gathered) const {
#if defined(__x86_64__)
  for (std::size_t r = 0; r < count; ++r)
    packBytePieces(rows + r, tileRows, segments, segmentGroups * 4, gathered + r * rowStride());
  rows[0] = gathered;
#endif
}

void QuantizedConv::multiplyPanel(const QuantizedConvTile& tile) const {
  const std::size_t width = divideUp(tile.columns, kernels->lanes);
  if (!tiles) return kernels->tile(tile, tileRows, width);
  alignas(64) std::int32_t sums[kByteRows * kByteColumns];
  tiles->multiply({.a = tile.rows[0],
                   .b = tile.weights,
                   .stepStride = kByteStep,
                   .rowStride = rowStride(),
                   .steps = rowBytes() / kByteStep,
                   .rows = paddedByteRows(tile.pixels),
                   .columns = width * kernels->lanes,
                   .sums = sums});
  kernels->store(tile, sums, width);
}

// Multiplies a tile by panels. `to` points to the output of the tile's first pixel.
void QuantizedConv::multiply(QuantizedConvTile& tile, const Panels& range, std::byte* to) const {
  const std::uint8_t* addends = tile.addend;
  const std::size_t outputs = shape.groupOutputs(), width = panelColumns(), columns = groupColumns();
  for (std::size_t p = range.first; p < range.end; ++p) {
    const std::size_t column = p * width, at = range.group * columns + column, channel = range.group * outputs + column;
    tile.columns = std::min(width, outputs - column);
    tile.weights = weights + range.group * groupBytes + p * panelBytes;
    tile.offset = offset + at, tile.factor = factor ? factor + at : nullptr;
    tile.scale = scale + at, tile.rest = rest + at;
    tile.to = to + channel * outputBytes;
    if (hasAddend) tile.addend = addends + channel;
    multiplyPanel(tile);
  }
}

// Returns how many of the pixels from `first` on, at most `count`, are on one line and read no padding.
std::size_t QuantizedConv::pixelsInside(std::size_t first, std::size_t count) const {
  const std::size_t line = first / shape.width.count, column = first % shape.width.count;
  if (!isInside(shape.height, static_cast<std::int64_t>(line % shape.height.count * shape.height.step))) return 0;
  const std::size_t most = std::min(count, shape.width.count - column);
  std::size_t inside = 0;
  while (inside < most && isInside(shape.width, static_cast<std::int64_t>((column + inside) * shape.width.step))) ++inside;
  return inside;
}

// Sets what is the same in all tiles.
QuantizedConvTile QuantizedConv::makeTile(std::byte* memory) const {
  auto* sums = memory + pointerBytes();
  QuantizedConvTile tile{.rows = reinterpret_cast<const std::byte**>(memory), .rowStep = tileRows, .segments = segments};
  tile.groups = segmentGroups;
  tile.output = &output;
  tile.stride = shape.outputs;
  if (factor) tile.rowSums = reinterpret_cast<const std::int32_t*>(sums);
  if (sharedColumns > 0) tile.shared = reinterpret_cast<const std::uint8_t*>(sums);
  if (!isDepthwise) return tile;
  tile.columns = shape.outputs;
  tile.weights = weights;
  tile.offset = offset, tile.scale = scale, tile.rest = rest;
  tile.flip = pixels.isCopied ? 0 : pixels.flip;
  return tile;
}

// Computes the pixels of a tile by kernels->depthwise. Pixels that read no padding need few pointers.
void QuantizedConv::runDepthwise(const std::byte* image, std::size_t first, std::size_t count, const std::byte** rows,
                                 QuantizedConvTile& tile) const {
  while (count > 0) {
    tile.pixels = pixelsInside(first, count);
    tile.pixelStep = tile.pixels > 0 ? shape.width.step * pixels.bytes() : 0;
    if (tile.pixels == 0) tile.pixels = 1;
    point(image, first, 1, rows, nullptr);
    kernels->depthwise(tile);
    const std::size_t done = tile.pixels * shape.outputs;
    tile.to = static_cast<std::byte*>(tile.to) + done * outputBytes;
    if (tile.addend) tile.addend += done;
    first += tile.pixels, count -= tile.pixels;
  }
}

void QuantizedConv::runTile(const Frame& frame, const std::byte* image, std::size_t i, const Panels& range, std::byte* memory,
                            QuantizedConvTile& tile) const {
  auto** rows = reinterpret_cast<const std::byte**>(memory);
  auto* sums = reinterpret_cast<std::int32_t*>(memory + pointerBytes());
  const std::size_t first = i * tileRows, count = std::min(tileRows, shape.pixels() - first);
  if (hasAddend) tile.addend = frame.in<std::uint8_t>(addend) + first * shape.outputs;
  std::byte* results = frame.out<std::byte>(result) + first * shape.outputs * outputBytes;
  tile.to = results;
  if (isDepthwise && !isOfBytes) return runDepthwise(image, first, count, rows, tile);
  tile.pixels = count;
  auto* shared = sharedColumns > 0 ? reinterpret_cast<std::uint8_t*>(sums) : nullptr;
  point(image + (isDepthwise ? 0 : range.group * pixels.bytes() / shape.groups), first, count, rows, shared);
  if (isOfBytes) return kernels->depthwiseOfBytes(tile);
  if (factor) {
    for (std::size_t r = 0; r < count; ++r) {
      sums[r] = 0;
      for (std::size_t t = 0; t < segments; ++t)
        sums[r] += sum(reinterpret_cast<const std::uint8_t*>(rows[t * tileRows + r]), segmentGroups * 4, 0);
    }
  }
  if (isGathered) gather(rows, count, memory + pointerBytes() + sumBytes());
  if (tiles) gatherBytes(rows, count, memory + pointerBytes() + sumBytes());
  multiply(tile, range, results);
}

// Computes tile `i` of a depthwise convolution with depthwiseOfLines().
void QuantizedConv::runLine(const Frame& frame, const std::byte* image, std::size_t i, std::byte* memory) const {
  const std::size_t row = i / partsOfLine(), column = i % partsOfLine() * tileRows;
  const std::size_t line = row / shape.height.count * shape.height.size + row % shape.height.count * shape.height.step;
  const std::byte* origin = image + (line * shape.width.size + column) * pixels.bytes();
  auto** rows = reinterpret_cast<const std::byte**>(memory);
  std::fill_n(rows, roundUp(segments, 4), origin);  // weights are 0 where there is no tap
  for (std::size_t t = 0; t < tapOffsets.size(); ++t) {
    const auto [quad, place] = placeOfTap(t, tapOffsets.size());
    rows[4 * quad + place] = origin + tapOffsets[t];
  }
  const std::size_t count = std::min(tileRows, shape.width.count - column) * shape.outputs;
  QuantizedConvTile tile{.rows = rows, .segments = segments, .weights = weights, .pixels = count};
  tile.columns = repeats() * shape.outputs;
  tile.offset = offset, tile.scale = scale, tile.rest = rest;
  tile.output = &output;
  tile.to = frame.out<std::byte>(result) + (row * shape.width.count + column) * shape.outputs;
  kernels->depthwiseOfLines(tile);
}

// Copies one line of the image to the padded image, phase by phase.
void QuantizedConv::copyLine(const std::uint8_t* from, std::uint8_t* to) const {
  const std::size_t width = shape.width.size / padded->phases, bytes = pixels.bytes(), phases = padded->phases;
  for (std::size_t phase = 0; phase < phases; ++phase) {
    // Pixels [begin, end) of this phase lie inside the image; the others are padding.
    const std::size_t before = padded->left > phase ? padded->left - phase : 0;
    const std::size_t begin = std::min(width, divideUp(before, phases)), first = begin * phases + phase - padded->left;
    const std::size_t end = std::min(width, begin + (padded->width > first ? divideUp(padded->width - first, phases) : 0));
    const auto pad = [&](std::size_t count) {
      for (; count > 0; --count, to += bytes) std::memcpy(to, padding, bytes);
    };
    pad(begin);
    if (begin < end) {
      const std::uint8_t* pixel = from + (begin * phases + phase - padded->left) * pixels.givenBytes();
      if (phases == 1) {
        pixels.copy(*kernels, pixel, end - begin, to);
      } else {
        pixels.pick(*kernels, pixel, phases * pixels.givenBytes(), end - begin, to);
      }
      to += (end - begin) * bytes;
    }
    pad(width - end);
  }
}

void QuantizedConv::copyImage(Team& team, const std::uint8_t* image, std::uint8_t* to) const {
  const std::size_t height = shape.height.size, width = shape.width.size, bytes = pixels.bytes();
  team.forRanges(shape.batch * height, 1 + 16384 / (width * bytes), [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end && !isRunOver(); ++i) {
      std::uint8_t* line = to + i * width * bytes;
      if (!padded) {
        pixels.copy(*kernels, image + i * width * pixels.givenBytes(), width, line);
        continue;
      }
      const std::size_t y = i % height - padded->top;  // wraps to a huge number for lines above the image
      if (y < padded->height) {
        copyLine(image + (i / height * padded->height + y) * padded->width * pixels.givenBytes(), line);
      } else {
        for (std::size_t x = 0; x < width; ++x) std::memcpy(line + x * bytes, padding, bytes);
      }
    }
  });
}

// A chunk is a range of tiles for one range of panels of a group. Chunks are ordered by panel, so that a worker finds its part of
// the weights in its cache.
void QuantizedConv::run(const Frame& frame) const {
  const auto* image = frame.in<std::byte>(input);
  auto* memory = frame.out<std::byte>(scratch);
  if (pixels.isCopied) {
    copyImage(frame.team, reinterpret_cast<const std::uint8_t*>(image), reinterpret_cast<std::uint8_t*>(memory));
    image = memory;
  }
  if (winograd) {
    QuantizedConvTile results{
        .offset = offset, .scale = scale, .rest = rest, .output = &output, .to = frame.out<std::byte>(result)};
    if (hasAddend) results.addend = frame.in<std::uint8_t>(addend);
    return winograd->run(frame.team, reinterpret_cast<const std::int16_t*>(image), weights, results, outputBytes,
                         memory + imageBytes());
  }
  const std::size_t tileChunks = divideUp(tileCount(), tilesPerChunk), panelChunks = divideUp(panels, panelsPerChunk);
  frame.team.forEach(tileChunks * panelChunks * (isDepthwise ? 1 : shape.groups), [&](std::size_t chunk, unsigned worker) {
    const std::size_t firstTile = chunk % tileChunks * tilesPerChunk;
    Panels range{.group = chunk / tileChunks / panelChunks, .first = chunk / tileChunks % panelChunks * panelsPerChunk};
    range.end = std::min(range.first + panelsPerChunk, panels);
    std::byte* own = memory + imageBytes() + worker * workerBytes();
    const KernelScope scope(tiles ? *tiles : ByteTileKernels());
    QuantizedConvTile tile = makeTile(own);
    for (std::size_t i = firstTile; i < std::min(firstTile + tilesPerChunk, tileCount()) && !isRunOver(); ++i) {
      isOfLines ? runLine(frame, image, i, own) : runTile(frame, image, i, range, own, tile);
    }
  });
}

// --- Planning

// Packs panels of a filter, and sums the packed values by column.
struct FilterPacker {
  const QuantizedConv& conv;
  const ByteFilter& filter;
  std::byte* packed;
  std::int32_t* sums;  // [column of all groups]: sum of the column's packed values

  // Channels per group in the graph; conv.merged such groups form one group here.
  std::size_t ownInputs() const { return conv.shape.groupInputs() / conv.merged; }
  std::size_t ownOutputs() const { return conv.shape.groupOutputs() / conv.merged; }
  const std::uint8_t* tapOf(std::size_t group, std::size_t output, std::size_t tap) const {
    const FilterStrides& s = filter.strides;
    group = group * conv.merged + output / ownOutputs();
    output %= ownOutputs();
    const std::size_t width = conv.shape.width.tapCount();
    return filter.data + group * s.group + output * s.output + tap / width * s.height + tap % width * s.width;
  }
  std::int32_t numberAt(const std::uint8_t* at) const { return filter.isSigned ? static_cast<std::int8_t>(*at) : *at; }

  void packPanel(std::size_t group, std::size_t panel) const {
    const std::size_t first = panel * conv.panelColumns(), lanes = conv.kernels->lanes;
    const std::size_t columns = std::min(conv.panelColumns(), conv.shape.groupOutputs() - first);
    const std::size_t line = divideUp(columns, lanes) * lanes * 4;  // bytes of one 4-byte group of each column
    std::byte* to = packed + group * conv.groupBytes + panel * conv.panelBytes;
    for (std::size_t i = 0; i < columns; ++i, to += 4) {
      const auto pack = conv.pixels.isWide ? &FilterPacker::packPairs : &FilterPacker::packBytes;
      sums[group * conv.groupColumns() + first + i] = (this->*pack)(group, first + i, to, line);
    }
  }
  std::int32_t packBytes(std::size_t group, std::size_t output, std::byte* to, std::size_t line) const {
    const std::size_t channels = conv.shape.groupInputs(), step = filter.strides.input, own = ownInputs(),
                      first = output / ownOutputs() * own;
    const std::uint8_t flip = filter.isSigned ? 0 : kSignBit;
    const auto zero = static_cast<std::uint8_t>(filter.zeroPoints[group * conv.shape.groupOutputs() + output]);
    std::int32_t sum = 0;
    for (std::size_t tap = 0; tap < conv.shape.tapCount(); ++tap, to += conv.tapGroups * line) {
      const std::uint8_t* from = tapOf(group, output, tap);
      for (std::size_t c = 0; c < channels; ++c) {
        const bool isOwn = c >= first && c < first + own;
        const auto byte = static_cast<std::uint8_t>((isOwn ? from[(c - first) * step] : zero) ^ flip);
        to[c / 4 * line + c % 4] = static_cast<std::byte>(byte);
        sum += static_cast<std::int8_t>(byte);
      }
    }
    return sum;
  }
  std::int32_t packPairs(std::size_t group, std::size_t output, std::byte* to, std::size_t line) const {
    const std::size_t channels = conv.shape.groupInputs(), step = filter.strides.input, own = ownInputs(),
                      first = output / ownOutputs() * own;
    const std::int32_t zero = filter.zeroPoints[group * conv.shape.groupOutputs() + output];
    const std::size_t taps = conv.shape.tapCount() / conv.segments;  // per segment
    for (std::size_t tap = 0; tap < conv.shape.tapCount(); ++tap) {
      const std::uint8_t* from = tapOf(group, output, tap);
      std::byte* segment = to + tap / taps * conv.segmentGroups * line;
      for (std::size_t c = 0, i = tap % taps * channels; c < channels; ++c, ++i) {
        const bool isOwn = c >= first && c < first + own;
        storeUnaligned(segment + i / 2 * line + i % 2 * 2,
                       static_cast<std::int16_t>(isOwn ? numberAt(from + (c - first) * step) - zero : 0));
      }
    }
    return 0;
  }
  void packWinograd(std::size_t output) const {
    for (std::size_t input = 0; input < conv.shape.inputs; ++input) {
      std::array<std::int32_t, 9> taps;
      for (std::size_t tap = 0; tap < taps.size(); ++tap)
        taps[tap] = numberAt(tapOf(0, output, tap) + input * filter.strides.input) - filter.zeroPoints[output];
      conv.winograd->pack(output, input, taps, packed);
    }
  }
  // Packs the taps of one output of a depthwise filter.
  void packTaps(std::size_t output, std::size_t column) const {
    const std::size_t lanes = conv.kernels->lanes, multiplier = conv.shape.groupOutputs();
    const std::size_t group = conv.isOfBytes ? 4 : 2, line = conv.isOfBytes ? 64 : lanes;
    std::byte* to = packed + (column / line * divideUp(conv.segments, group) * line + column % line) * 4;
    std::int32_t sum = 0;
    for (std::size_t tap = 0; tap < conv.segments; ++tap) {
      const std::int32_t number = numberAt(tapOf(output / multiplier, output % multiplier, tap)) - filter.zeroPoints[output];
      if (conv.isOfBytes) {
        const auto [quad, place] = placeOfTap(tap, conv.segments);
        to[quad * line * 4 + place] = static_cast<std::byte>(number);
      } else {
        storeUnaligned(to + tap / group * line * 4 + tap % group * 2, static_cast<std::int16_t>(number));
      }
      sum += number;
    }
    sums[column] = sum;
  }
};

// Plans a padded copy of the image, unless the copy would be more than about twice as large as the image. Lines are stored in
// `phases` phases: see PaddedImage.
void padImage(QuantizedConv& conv, std::size_t phases = 1) {
  ConvShape& shape = conv.shape;
  const std::size_t height = shape.height.extent(), width = shape.width.extent();
  // The maximum number of pixels. Compares by division, because the copy could have more than 2^64 pixels.
  const std::size_t most = 2 * shape.height.size * shape.width.size + 1024;
  if (height > most / width) return;
  conv.padded = PaddedImage{.height = shape.height.size, .width = shape.width.size, .phases = phases};
  const auto pad = [](ConvAxis& axis, std::size_t extent) {
    const std::int64_t before = -axis.offsets.front();
    for (std::int64_t& offset : axis.offsets) offset += before;
    axis.size = extent;
    return static_cast<std::size_t>(before);
  };
  conv.padded->top = pad(shape.height, height), conv.padded->left = pad(shape.width, width);
  shape.width.size = roundUp(shape.width.size, phases);
}

// Chooses depthwiseOfLines() instead of depthwiseOfBytes() in two cases:
// - depthwiseOfBytes() would leave more than a tenth of its vectors of 64 results empty, or input channels have several outputs;
// - depthwiseOfBytes() cannot share columns of taps between pixels, and the weights and the padding are small.
// In both cases, the number of weight columns and the stride must be small, and padding the image must pay.
void chooseLines(QuantizedConv& conv) {
  const std::size_t outputs = conv.shape.outputs;
  const std::size_t columns = std::lcm(outputs, kLine), weights = columns * roundUp(conv.segments, 4);
  const std::size_t padded = conv.shape.height.extent() * conv.shape.width.extent();
  const bool isFull = outputs * 10 >= roundUp(outputs, kLine) * 9 && conv.pixels.repeats == 1,
             hasLarge = weights > kMostLineWeights || padded * 2 > conv.shape.height.size * conv.shape.width.size * 3;
  if ((isFull && (conv.sharedColumns > 0 || hasLarge)) || columns > kMostLineColumns) return;
  if (conv.shape.width.step > kMostPhases) return;
  // Line kernels need a padded copy of the image. With int8 pixels and a stride above 1, the copy flips the sign bit of each byte
  // and sorts the pixels into phases one at a time, which takes longer than line kernels save.
  if (conv.pixels.flip != 0 && conv.shape.width.step > 1 && conv.sharedColumns > 0 && outputs > kLine) return;
  padImage(conv, conv.shape.width.step);
  if (!conv.padded) return;
  conv.isOfLines = conv.pixels.isCopied = true;
  // If there are few lines, splits each into parts. The length of a part is a multiple of columns / outputs, the number of pixels
  // after which the weights repeat.
  const std::size_t pixels = conv.shape.pixels(), part = roundUp(divideUp(pixels, kFewLines), columns / outputs);
  conv.tileRows = std::min(conv.shape.width.count, part);
  conv.sharedColumns = 0;
}

// Merges as many small groups as fit one vector of columns and 64 inputs. The number of vector products does not grow, and each
// product gives more results.
void mergeGroups(QuantizedConv& conv) {
  constexpr std::size_t kMostInputs = 64;
  ConvShape& shape = conv.shape;
  const std::size_t most = std::min(conv.kernels->lanes / shape.groupOutputs(), kMostInputs / shape.groupInputs());
  for (std::size_t count = 2; count <= most; ++count) {
    if (shape.groups % count == 0) conv.merged = count;
  }
  shape.groups /= conv.merged;
}

Product productOf(const ConvShape& shape) { return {ProductType::bytes, shape.pixels(), shape.groupOutputs(), shape.depth()}; }

// Chooses the kernels and the sizes of their operands.
void chooseKernels(const QuantizedConvolution& op, const ByteFilter& filter, Planner& planner, QuantizedConv& conv) {
  const bool dots = hasByteDots(planner.isa());
  const ConvShape& shape = conv.shape;
  conv.kernels = &quantizedConvKernels(planner.isa(), dots);
  conv.sum = quantizedGemmKernels(planner.isa(), false).sum;
  conv.isSigned = op.input.type == DataType::int8;
  conv.isDepthwise = shape.isDepthwise();
  if (!conv.isDepthwise) mergeGroups(conv);
  conv.zeroPoint = op.input.zeroPoint;
  BytePixels& pixels = conv.pixels;
  pixels.isWide = !conv.isDepthwise && !dots;
  pixels.isSigned = conv.isSigned, pixels.zeroPoint = conv.zeroPoint;
  pixels.channels = conv.isDepthwise ? shape.inputs : shape.groupInputs();
  pixels.groups = conv.isDepthwise ? 1 : shape.groups;
  if (!pixels.isWide && conv.isSigned) pixels.flip = kSignBit;
  if (conv.isDepthwise) {
    pixels.repeats = shape.groupOutputs();
    pixels.isCopied = pixels.repeats > 1;
    pixels.groupBytes = shape.outputs;
    conv.tileRows = 16;
    conv.segments = shape.tapCount();
    conv.isOfBytes = conv.kernels->depthwiseOfBytes && filter.isOfBytes() && op.result.to && !op.addend;
    const bool isThree = shape.height.tapCount() == 3 && shape.width.tapCount() == 3 && shape.width.isDense();
    if (conv.isOfBytes && isThree && conv.repeats() == 1 && shape.width.step < 3) conv.sharedColumns = 3 - shape.width.step;
    if (conv.isOfBytes) chooseLines(conv);
    conv.vectors = divideUp(shape.outputs * conv.repeats(), conv.kernels->lanes);
    if (conv.isOfBytes) conv.vectors = roundUp(conv.vectors, 4);
    conv.groupBytes = conv.panelColumns() * divideUp(conv.segments, conv.isOfBytes ? 4 : 2) * 4;
    return;
  }
  const std::size_t vectors = divideUp(shape.groupOutputs(), conv.kernels->lanes);
#if defined(__x86_64__)
  const Isa isa = kernelIsa(planner.isa(), productOf(shape));
  if (dots && hasTiles(isa)) conv.tiles = &byteTileKernels(isa);
#endif
  conv.panels = divideUp(vectors, conv.tiles ? kByteColumns / conv.kernels->lanes : conv.kernels->mostVectors);
  conv.vectors = divideUp(vectors, conv.panels);
  conv.tileRows = conv.tiles ? kByteRows : conv.kernels->rows(conv.vectors);
  if (pixels.isWide) {
    pixels.groupBytes = 2 * pixels.channels;
    conv.isGathered = shape.isPointwise() && shape.groups == 1 && pixels.channels % 2 == 0;
    pixels.isCopied = !conv.isGathered;
  } else {
    pixels.isCopied = conv.isSigned || pixels.channels % 4 != 0;
    pixels.groupBytes = roundUp(pixels.channels, 4);
  }
  conv.tapGroups = divideUp(pixels.groupBytes, 4);
  // In a padded copy, the taps of a filter row are adjacent, so that kernels read (or gather for tiles) one piece per filter row.
  const bool joinsTaps = conv.tiles && pixels.groupBytes < kByteStep;
  if ((pixels.isCopied || joinsTaps) && shape.groups == 1 && !shape.isPointwise() && shape.width.isDense()) padImage(conv);
  pixels.isCopied = pixels.isCopied || conv.padded;
  if (pixels.isWide && conv.padded && conv.merged == 1 && ByteWinograd::suits(shape, filter.isOfBytes() ? 128 : 255)) {
    conv.winograd = ByteWinograd(shape, *conv.kernels, withoutTiles(planner.isa()), conv.panelColumns(), planner.threads(),
                                 planner.caches().level2);
    conv.shape.height.size = ByteWinograd::imageSize(shape.height.count);
    conv.shape.width.size = ByteWinograd::imageSize(shape.width.count);
  }
  conv.segments = conv.padded ? shape.height.tapCount() : shape.tapCount();
  conv.segmentGroups = divideUp(shape.tapCount() / conv.segments * pixels.groupBytes, 4);
  conv.panelBytes = conv.rowGroups() * conv.panelColumns() * 4;
  conv.groupBytes = conv.winograd ? conv.winograd->packedBytes() : conv.panels * conv.panelBytes;
}

void setSizes(QuantizedConv& conv, Planner& planner) {
  const ConvShape& shape = conv.shape;
  planner.charge(shape.tapCount() * sizeof(std::int64_t));
  const std::size_t starts = conv.padded && !conv.isOfLines ? 1 : shape.width.tapCount();  // segments per filter row
  const auto width = static_cast<std::int64_t>(shape.width.size),
             phases = static_cast<std::int64_t>(conv.padded ? conv.padded->phases : 1);
  for (const std::int64_t y : shape.height.offsets) {
    for (const std::int64_t x : std::span(shape.width.offsets).first(starts)) {
      const std::int64_t column = phases > 1 ? x % phases * (width / phases) + x / phases : x;
      conv.tapOffsets.push_back((y * width + column) * static_cast<std::int64_t>(conv.pixels.bytes()));
    }
  }
  // The work of one result, in multiplications of a convolution that is not depthwise. A multiplication of a depthwise
  // convolution takes about 8 times as long.
  const std::size_t depth = shape.depth() * (conv.isDepthwise ? 8 : 1) / (conv.tiles ? kTileSpeed : 1) + kWorkOfResult;
  const std::size_t columns = std::min(conv.panelColumns(), conv.isDepthwise ? shape.outputs : shape.groupOutputs());
  const std::size_t tileWork = conv.tileRows * columns * depth;
  const std::size_t work = shape.pixels() * shape.outputs * depth, threads = planner.threads();
  const std::size_t chunks = std::clamp(kChunksOfThread * threads, work / kMostWorkOfChunk, work / kLeastWorkOfChunk + 1);
  const std::size_t chunk = divideUp(work, chunks > 1 ? roundUp(chunks, threads) : 1);
  if (!conv.isDepthwise) {
    const std::size_t block = planner.caches().level2 / 4;  // bytes of weights that stay in the L2 cache
    conv.panelsPerChunk = std::clamp<std::size_t>(std::min(block / conv.panelBytes, chunk / tileWork), 1, conv.panels);
  }
  conv.tilesPerChunk = std::max<std::size_t>(1, divideUp(chunk, tileWork * conv.panelsPerChunk));
  conv.scratch = planner.scratch(conv.imageBytes() + planner.threads() * conv.workerBytes());
}

// Returns `count` zeros in memory that lives as long as the plan.
template <typename T>
T* keepNumbers(Planner& planner, std::size_t count) {
  auto* numbers = reinterpret_cast<T*>(planner.keep(count * sizeof(T)));
  std::fill_n(numbers, count, T{0});
  return numbers;
}

// Returns a pixel of zero points in the format that the kernels read.
const std::byte* keepPadding(const QuantizedConv& conv, Planner& planner) {
  BytePixels pixels = conv.pixels;
  const auto zero = static_cast<std::uint8_t>(conv.zeroPoint);
  std::byte* padding = planner.keep(pixels.bytes() + pixels.readOn());
  if (pixels.isCopied) {
    pixels.copy(*conv.kernels, std::vector(pixels.givenBytes(), zero).data(), 1, reinterpret_cast<std::uint8_t*>(padding));
  } else {
    std::memset(padding, zero, pixels.bytes());
  }
  return padding;
}

// Sets the constants that requantize the sums of each column: offset, factor, scale and rest (see QuantizedConvTile).
void setColumns(const QuantizedConvolution& op, const ByteFilter& filter, const std::int32_t* sums, QuantizedConv& conv,
                Planner& planner) {
  const ConvShape& shape = conv.shape;
  const std::size_t count = (conv.isDepthwise ? 1 : shape.groups) * conv.groupColumns();
  const bool hasBytes = !conv.isDepthwise && !conv.pixels.isWide, isFlipped = hasBytes && !filter.isSigned;
  const std::int32_t shift = isFlipped ? 128 : 0, subtracted = conv.isDepthwise ? 0 : conv.kernels->subtracted;
  const std::size_t read = count + 64;  // kernels read up to whole vectors
  auto* offset = keepNumbers<std::int32_t>(planner, read);
  auto* scale = keepNumbers<float>(planner, read);
  auto* rest = keepNumbers<float>(planner, read);
  std::int32_t* factor = nullptr;
  if (hasBytes && std::ranges::any_of(filter.zeroPoints, [&](std::int32_t zero) { return zero != shift; })) {
    factor = keepNumbers<std::int32_t>(planner, count);
  }
  const std::int64_t most = std::numeric_limits<std::int32_t>::max() - static_cast<std::int64_t>(shape.depth()) * 255 * 255;
  const std::span<const std::byte> biases =
      op.conv.options.bias ? planner.constantBytes(*op.conv.options.bias) : std::span<const std::byte>();
  const double back = op.result.to ? static_cast<double>(op.result.to->scale) : 1;
  for (std::size_t channel = 0; channel < shape.outputs; ++channel) {
    const std::size_t i = conv.columnOf(channel);
    const double unit = static_cast<double>(op.input.scale) * filter.scales[channel];
    const double bias = biases.empty() ? 0 : static_cast<double>(loadUnaligned<float>(biases.data() + channel * sizeof(float)));
    // The bias is rounded to a multiple of `unit`: the integer `whole` is added to the integer sum exactly, and `rest` holds the
    // difference.
    double whole = std::nearbyint(bias / unit);
    if (!(std::abs(whole) <= static_cast<double>(most))) whole = 0;
    // If the bias is the float32 product of an integer and `unit`, it differs from whole * unit only by rounding. `rest` is then
    // 0.
    const double least = static_cast<double>(static_cast<float>(unit));
    const bool isWhole = static_cast<double>(static_cast<float>(whole * least)) == bias;
    scale[i] = static_cast<float>(unit / back);
    rest[i] = isWhole ? 0 : static_cast<float>((bias - whole * unit) / back);
    if (rest[i] != 0 || (scale[i] >= 1 && !op.addend)) conv.output.isPlain = false;
    std::int64_t sum = static_cast<std::int64_t>(whole);
    if (!conv.pixels.isWide) {
      const std::int64_t zx = conv.zeroPoint + (conv.pixels.flip ? 128 : 0);
      const std::int64_t zw = hasBytes ? filter.zeroPoints[channel] - shift : 0;
      sum += zx * static_cast<std::int64_t>(shape.depth()) * zw - (zx - subtracted) * sums[i];
      if (factor) factor[i] = static_cast<std::int32_t>(zw);
    }
    offset[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(sum));  // partial sums may wrap; the results are in range
  }
  for (std::size_t channel = shape.outputs; channel < shape.outputs * conv.repeats(); ++channel) {
    const std::size_t i = conv.columnOf(channel % shape.outputs), again = conv.columnOf(channel);
    offset[again] = offset[i], scale[again] = scale[i], rest[again] = rest[i];
  }
  conv.offset = offset, conv.factor = factor, conv.scale = scale, conv.rest = rest;
}

// Returns the key of the packed filter. The image's size is not part of the key, so that graphs for other sizes share the filter.
PackKey packKeyOf(const QuantizedConvolution& op, const ByteFilter& filter, const QuantizedConv& conv) {
  PackKey key{"quantized convolution", {keyOf(op.conv.filter), keyOf(op.filterZeroPoint)}, {filter.isSigned}};
  key.add({reinterpret_cast<std::uintptr_t>(conv.kernels), reinterpret_cast<std::uintptr_t>(conv.tiles)});
  key.add({conv.merged, conv.isDepthwise, conv.isOfBytes, conv.isOfLines, conv.pixels.isWide, conv.winograd.has_value()});
  key.add({conv.repeats()});
  key.add({conv.vectors, conv.panels, conv.segments, conv.segmentGroups, conv.tapGroups, conv.panelBytes, conv.groupBytes});
  addStrides(key, filter.strides);
  addTaps(key, conv.shape);
  return key;
}

void packFilter(const QuantizedConvolution& op, const ByteFilter& filter, QuantizedConv& conv, Planner& planner) {
  const ConvShape& shape = conv.shape;
  const std::size_t groups = conv.isDepthwise ? 1 : shape.groups;
  const std::size_t sumsAt = aligned(groups * conv.groupBytes + conv.readOnBytes());
  const std::size_t bytes = sumsAt + groups * conv.groupColumns() * sizeof(std::int32_t);
  conv.weights = planner.packWeights(bytes, packKeyOf(op, filter, conv), [&](std::byte* packed) {
    std::memset(packed, 0, bytes);
    const FilterPacker packer{conv, filter, packed, reinterpret_cast<std::int32_t*>(packed + sumsAt)};
    planner.withTeam([&](Team& team) {
      if (conv.winograd) {
        return team.forRanges(shape.outputs, 1 + kPackGrain / (shape.inputs * 64),
                              [&](std::size_t begin, std::size_t end, unsigned) {
                                for (std::size_t i = begin; i < end; ++i) packer.packWinograd(i);
                              });
      }
      if (conv.isDepthwise) {
        const std::size_t grain = 1 + kPackGrain / (conv.segments * 16);
        return team.forRanges(shape.outputs, grain, [&](std::size_t begin, std::size_t end, unsigned) {
          for (std::size_t i = begin; i < end; ++i) {
            for (std::size_t j = 0; j < conv.repeats(); ++j) packer.packTaps(i, conv.columnOf(i + j * shape.outputs));
          }
        });
      }
      team.forRanges(groups * conv.panels, 1 + kPackGrain / conv.panelBytes, [&](std::size_t begin, std::size_t end, unsigned) {
        for (std::size_t i = begin; i < end; ++i) packer.packPanel(i / conv.panels, i % conv.panels);
      });
    });
  });
  setColumns(op, filter, reinterpret_cast<const std::int32_t*>(conv.weights + sumsAt), conv, planner);
}

}  // namespace

StepPtr plan(const QuantizedConvolution& op, Planner& planner) {
  QuantizedConv conv;
  conv.shape = shapeOf(op.conv);
  const ByteFilter filter = readFilter(op, conv.shape.outputs, planner);
  chooseKernels(op, filter, planner, conv);
  setSizes(conv, planner);
  conv.output = outputOf(op, *conv.kernels);
  conv.outputBytes = op.result.to ? 1 : sizeof(float);
  packFilter(op, filter, conv, planner);
  conv.padding = keepPadding(conv, planner);
  conv.input = planner.slot(op.conv.input);
  conv.result = planner.output();
  conv.hasAddend = op.addend.has_value();
  if (op.addend) conv.addend = planner.slot(*op.addend);
  const Shape& shape = op.conv.filter.shape();
  const Isa isa = conv.isDepthwise || !hasByteDots(planner.isa()) ? withoutTiles(planner.isa()) : planner.isa();
  std::string text = formatText("quantized convolution {}{} {} [{}, {}, {}, {}] {}",
                                conv.isDepthwise ? "depthwise "
                                : conv.winograd  ? "winograd2 "
                                                 : "",
                                name(op.input.type), name(op.conv.filter.dataType()), shape[0], shape[1], shape[2], shape[3],
                                kernelText(isa, productOf(conv.shape)));
  return makeStep(std::move(text), [conv = std::move(conv)](const Frame& frame) { conv.run(frame); });
}

}  // namespace webnn::cpu
