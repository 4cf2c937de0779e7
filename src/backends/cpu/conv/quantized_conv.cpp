// Convolution of 8-bit images with channels last, accumulated in 32 bits.
// There is no im2col: each pixel of a tile has one pointer per filter tap (or per filter row, if a padded copy makes the row's
// taps adjacent), to the channels in the image or to a pixel of zero points for padding. With zero points zx and zw, the sum of k
// products is
// sum (x - zx)(w - zw) = sum x w - zx sum w - zw sum x + k zx zw.
// The terms with zero points are equal for all pixels, except zw sum x, which matters only if zw is not 0.
// Byte dot products take groups of four channels, unsigned in the image and signed in the filter; images of other types or
// channel counts are copied first. For AMX tiles, the same bytes are gathered per tile. Without byte dot products, pixels are
// copied as int16 minus the zero point: the whole image, or in most pointwise convolutions tile by tile. Depthwise convolutions
// combine two or four taps when they read them.
#include "backends/cpu/conv/quantized_conv.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "backends/cpu/conv/byte_filter.h"
#include "backends/cpu/conv/quantized_conv_run.h"
#include "backends/cpu/conv/quantized_output.h"
#include "backends/cpu/gemm/amx_choice.h"
#include "backends/cpu/runtime/compiler.h"
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
// The maximum number of weight columns of line kernels, whose weights are repeated until they fill whole vectors.
constexpr std::size_t kMostLineColumns = 2048;
// The maximum bytes of weights of line kernels, if the channels of a pixel fill vectors.
constexpr std::size_t kMostLineWeights = std::size_t{28} << 10;
constexpr std::size_t kMostPhases = 4, kFewLines = 8;
constexpr std::size_t kPixelsOfRun = 64;  // pixels of a tile of depthwiseOfRuns(); the first and the last of a run cost more
constexpr std::size_t kPackGrain = std::size_t{256} << 10;

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
    const std::size_t width = conv.shape.width.tapCount(), height = roundUp(conv.shape.height.tapCount(), 2);
    for (std::size_t tap = 0; tap < conv.shape.tapCount(); ++tap) {
      const std::int32_t number = numberAt(tapOf(output / multiplier, output % multiplier, tap)) - filter.zeroPoints[output];
      if (conv.isOfBytes) {
        const auto [quad, place] = placeOfTap(tap, conv.segments);
        to[quad * line * 4 + place] = static_cast<std::byte>(number);
      } else {
        const std::size_t place = conv.isByColumns ? tap % width * height + tap / width : tap;
        storeUnaligned(to + place / group * line * 4 + place % group * 2, static_cast<std::int16_t>(number));
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
  const std::size_t columns = std::lcm(outputs, QuantizedConv::kLine), weights = columns * roundUp(conv.segments, 4);
  const std::size_t padded = conv.shape.height.extent() * conv.shape.width.extent();
  const bool isFull = outputs * 10 >= roundUp(outputs, QuantizedConv::kLine) * 9 && conv.pixels.repeats == 1,
             hasLarge = weights > kMostLineWeights || padded * 2 > conv.shape.height.size * conv.shape.width.size * 3;
  if ((isFull && (conv.sharedColumns > 0 || hasLarge)) || columns > kMostLineColumns) return;
  if (conv.shape.width.step > kMostPhases) return;
  // Line kernels need a padded copy of the image. With int8 pixels and a stride above 1, the copy flips the sign bit of each byte
  // and sorts the pixels into phases one at a time, which takes longer than line kernels save.
  if (conv.pixels.flip != 0 && conv.shape.width.step > 1 && conv.sharedColumns > 0 && outputs > QuantizedConv::kLine) return;
  padImage(conv, conv.shape.width.step);
  if (!conv.padded) return;
  conv.isOfLines = conv.pixels.isCopied = true;
  // If there are few lines, splits each into parts. The length of a part is a multiple of columns / outputs, the number of pixels
  // after which the weights repeat.
  const std::size_t pixels = conv.shape.pixels(), part = roundUp(divideUp(pixels, kFewLines), columns / outputs);
  conv.tileRows = std::min(conv.shape.width.count, part);
  conv.sharedColumns = 0;
}

// Chooses depthwiseOfRuns() if it has kernels for the filter, unless most pixels read padding: depthwise() then computes them,
// and the unused taps would take longer.
void chooseRuns(QuantizedConv& conv) {
  const ConvAxis &height = conv.shape.height, &width = conv.shape.width;
  const std::size_t taps = width.tapCount();
  conv.isByColumns = height.tapCount() == taps && (taps == 3 || taps == 5) && width.isDense() && width.step <= 2 &&
                     std::min(height.size, width.size) >= 2 * taps;
  if (!conv.isByColumns) return;
  conv.segments = taps * roundUp(taps, 2);
  conv.tileRows = kPixelsOfRun;
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
    if (!conv.isOfBytes && conv.kernels->depthwiseOfRuns) chooseRuns(conv);
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
  planner.charge(conv.segments * sizeof(QuantizedConv::Tap));
  const std::size_t starts = conv.padded && !conv.isOfLines ? 1 : shape.width.tapCount();  // segments per filter row
  const auto width = static_cast<std::int64_t>(shape.width.size),
             phases = static_cast<std::int64_t>(conv.padded ? conv.padded->phases : 1);
  const auto addTap = [&](std::int64_t y, std::int64_t x) {
    const std::int64_t column = phases > 1 ? x % phases * (width / phases) + x / phases : x;
    conv.taps.push_back({y, x, (y * width + column) * static_cast<std::int64_t>(conv.pixels.bytes())});
  };
  if (conv.isByColumns) {
    for (const std::int64_t x : shape.width.offsets) {
      for (const std::int64_t y : shape.height.offsets) addTap(y, x);
      if (shape.height.tapCount() % 2 != 0) addTap(shape.height.offsets.back(), x);
    }
  } else {
    for (const std::int64_t y : shape.height.offsets) {
      for (const std::int64_t x : std::span(shape.width.offsets).first(starts)) addTap(y, x);
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
  key.add({conv.merged, conv.isDepthwise, conv.isOfBytes, conv.isOfLines, conv.isByColumns, conv.pixels.isWide,
           conv.winograd.has_value()});
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
