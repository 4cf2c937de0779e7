#include "backends/cpu/conv/quantized_conv_run.h"

#include <algorithm>
#include <cstring>

namespace webnn::cpu {

namespace {

bool isInside(const ConvAxis& axis, std::int64_t position) {
  return position + axis.offsets.front() >= 0 && position + axis.offsets.back() < static_cast<std::int64_t>(axis.size);
}

}  // namespace

// Rows after the first `count` repeat the last pixel, except for `depthwise` and `depthwiseOfRuns`, which do not read them.
void QuantizedConv::point(const std::byte* image, std::size_t first, std::size_t count, const std::byte** rows,
                          std::uint8_t* shared) const {
  const ConvAxis &height = shape.height, &width = shape.width;
  const auto bytes = static_cast<std::int64_t>(pixels.bytes());
  const std::size_t end = isDepthwise && !isOfBytes ? count : tileRows;
  if (shape.isPointwise()) {
    for (std::size_t r = 0; r < end; ++r) rows[r] = image + static_cast<std::int64_t>(first + std::min(r, count - 1)) * bytes;
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
  for (std::size_t r = 0; r < end; ++r) {
    const auto x = static_cast<std::int64_t>(column * width.step);
    const std::int64_t origin = lineOrigin + x * bytes;
    const std::size_t known = shared && r > 0 && column > 0 ? sharedColumns : 0;
    if (shared) shared[r] = static_cast<std::uint8_t>(known);
    if (isLineInside && isInside(width, x)) {
      if (known == 0) {
        for (std::size_t t = 0; t < taps.size(); ++t) rows[t * tileRows + r] = image + (origin + taps[t].bytes);
      }
      for (std::size_t t = known; known > 0 && t < 9; t += t % 3 == 2 ? 1 + known : 1)
        rows[t * tileRows + r] = image + (origin + taps[t].bytes);
    } else {
      for (std::size_t t = 0; t < taps.size(); ++t) {
        const std::int64_t atY = y + taps[t].y, atX = x + taps[t].x;
        const bool isPadding = atY < 0 || atY >= lines || atX < 0 || atX >= columns;
        rows[t * tileRows + r] = isPadding ? padding : image + (origin + taps[t].bytes);
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

// Returns how many of the pixels from `first` on, at most `count`, read no padding and are at equal distances in the image.
std::size_t QuantizedConv::pixelsInside(std::size_t first, std::size_t count) const {
  if (shape.isPointwise()) return count;
  const std::size_t line = first / shape.width.count, column = first % shape.width.count;
  if (!isInside(shape.height, static_cast<std::int64_t>(line % shape.height.count * shape.height.step))) return 0;
  const std::size_t most = std::min(count, shape.width.count - column);
  std::size_t inside = 0;
  while (inside < most && isInside(shape.width, static_cast<std::int64_t>((column + inside) * shape.width.step))) ++inside;
  return inside;
}

// Returns a tile in which the members that do not differ between tiles are set.
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
  tile.step = shape.width.step;
  return tile;
}

// Computes the pixels of a tile by kernels->depthwise or depthwiseOfRuns. A run of pixels that read no padding needs only the
// pointers of its first pixel.
void QuantizedConv::runDepthwise(const std::byte* image, std::size_t first, std::size_t count, const std::byte** rows,
                                 QuantizedConvTile& tile) const {
  while (count > 0) {
    tile.pixels = pixelsInside(first, count);
    const bool isRun = tile.pixels > 0;
    tile.pixelStep = isRun ? shape.width.step * pixels.bytes() : 0;
    while (!isRun && tile.pixels < count && pixelsInside(first + tile.pixels, 1) == 0) ++tile.pixels;
    point(image, first, isRun ? 1 : tile.pixels, rows, nullptr);
    isRun&& isByColumns ? kernels->depthwiseOfRuns(tile) : kernels->depthwise(tile);
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
  for (std::size_t t = 0; t < taps.size(); ++t) {
    const auto [quad, place] = placeOfTap(t, taps.size());
    rows[4 * quad + place] = origin + taps[t].bytes;
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

}  // namespace webnn::cpu
