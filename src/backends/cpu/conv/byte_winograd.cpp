#include "backends/cpu/conv/byte_winograd.h"

#include <algorithm>

#include "backends/cpu/runtime/run_watch.h"
#include "base/divide_up.h"
#include "base/unaligned.h"

namespace webnn::cpu {

namespace {

constexpr std::size_t kMostTiles = 96;  // per block
constexpr std::size_t kFewestChannels = 16;
// The maximum bytes of packed weights, which are 3.6 times as large as the filter. A larger filter belongs to a small picture,
// where reading the weights takes longer than Winograd's algorithm saves.
constexpr std::size_t kMostWeights = std::size_t{5} << 19;
constexpr std::size_t kChunksOfThread = 2;

}  // namespace

bool ByteWinograd::suits(const ConvShape& shape, std::int64_t mostWeight) {
  const auto isThree = [](const ConvAxis& axis) { return axis.tapCount() == 3 && axis.isDense() && axis.step == 1; };
  if (shape.groups != 1 || !isThree(shape.height) || !isThree(shape.width)) return false;
  if (std::min(shape.inputs, shape.outputs) < kFewestChannels) return false;
  if (shape.inputs * shape.outputs > kMostWeights / (kPositions * sizeof(std::int16_t))) return false;
  // Tiles at the edges compute outputs that do not exist. The transforms take about as long as a fifth of the multiplications.
  const std::size_t tiles = divideUp(shape.height.count, 2) * divideUp(shape.width.count, 2);
  if (tiles * kPositions * 6 > shape.height.count * shape.width.count * 9 * 5) return false;
  // Four times a sum must fit in 32 bits.
  return static_cast<std::int64_t>(shape.depth()) * 255 * mostWeight < (std::int64_t{1} << 29);
}

ByteWinograd::ByteWinograd(const ConvShape& shape, const QuantizedConvKernels& kernels, Isa isa, std::size_t panelColumns,
                           unsigned threads, std::size_t cache)
    : kernels_(&kernels),
      transforms_(&byteWinogradKernels(isa)),
      channels_(shape.inputs),
      outputs_(shape.outputs),
      height_(shape.height.count),
      width_(shape.width.count),
      line_(imageSize(width_) * channels_),
      image_(imageSize(height_) * line_),
      tileLines_(divideUp(height_, 2)),
      tileColumns_(divideUp(width_, 2)),
      tiles_(shape.batch * tileLines_ * tileColumns_),
      groups_(divideUp(channels_, 2)),
      panelColumns_(panelColumns),
      panels_(divideUp(outputs_, panelColumns)),
      panelBytes_(groups_ * panelColumns * 4),
      tileRows_(kernels.rows(panelColumns / kernels.lanes)) {
  // The patches of a block take at most half of the L2 cache, unless that has no room for two tiles of rows.
  const std::size_t most = std::clamp(cache / 2 / (kPositions * groups_ * 4), 2 * tileRows_, kMostTiles);
  const std::size_t blocks = divideUp(tiles_, most);
  blockTiles_ = blocks == 1 ? tiles_ : roundUp(divideUp(tiles_, blocks), tileRows_);
  if (threads > 1) parts_ = std::min(divideUp(kChunksOfThread * threads, blocks), panels_);
}

void ByteWinograd::pack(std::size_t output, std::size_t input, const std::array<std::int32_t, 9>& taps, std::byte* packed) const {
  // Twice the transform of three values, so that the result has no fractions.
  const auto transform = [](std::int32_t a, std::int32_t b, std::int32_t c) {
    return std::array{2 * a, a + b + c, a - b + c, 2 * c};
  };
  std::array<std::array<std::int32_t, 4>, 3> lines;
  for (std::size_t y = 0; y < 3; ++y) lines[y] = transform(taps[3 * y], taps[3 * y + 1], taps[3 * y + 2]);
  const std::size_t panel = output / panelColumns_, first = panel * panelColumns_, lanes = kernels_->lanes;
  const std::size_t line = roundUp(std::min(panelColumns_, outputs_ - first), lanes) * 4;  // bytes per pair of inputs
  for (std::size_t x = 0; x < 4; ++x) {
    const auto column = transform(lines[0][x], lines[1][x], lines[2][x]);
    for (std::size_t y = 0; y < 4; ++y) {
      std::byte* to = packed + ((4 * y + x) * panels_ + panel) * panelBytes_;
      storeUnaligned(to + input / 2 * line + (output - first) * 4 + input % 2 * 2, static_cast<std::int16_t>(column[y]));
    }
  }
}

ByteWinograd::Block ByteWinograd::blockAt(std::size_t i, std::byte* memory) const {
  auto* const products = reinterpret_cast<std::int32_t*>(memory + patchBytes());
  auto* const above = products + kPositions * productStride();
  const std::size_t first = i * blockTiles_;
  return {.first = first,
          .count = std::min(blockTiles_, tiles_ - first),
          .patches = reinterpret_cast<std::int16_t*>(memory),
          .products = products,
          .above = above,
          .below = above + sumsOfLine(),
          .rows = reinterpret_cast<const std::byte**>(memory + patchBytes() + productBytes())};
}

// Multiplies the patches of all positions by the weights of a panel.
void ByteWinograd::multiply(const Block& block, const std::byte* weights, std::size_t panel, std::size_t vectors) const {
  const std::size_t width = vectors * kernels_->lanes;
  QuantizedConvTile tile{.rows = block.rows, .rowStep = tileRows_, .segments = 1, .groups = groups_, .pixels = tileRows_};
  tile.stride = width;
  for (std::size_t p = 0; p < kPositions; ++p) {
    const std::int16_t* patches = block.patches + p * patchStride();
    tile.weights = weights + (p * panels_ + panel) * panelBytes_;
    for (std::size_t first = 0; first < block.count; first += tileRows_) {
      for (std::size_t r = 0; r < tileRows_; ++r)
        block.rows[r] = reinterpret_cast<const std::byte*>(patches + std::min(first + r, block.count - 1) * 2 * groups_);
      tile.to = block.products + p * productStride() + first * width;
      kernels_->tile(tile, tileRows_, vectors);
    }
  }
}

// Stores the results of a panel, whose columns `results` describes. Each run of tiles in one line of tiles gives two lines of
// adjacent pixels.
void ByteWinograd::store(const Block& block, QuantizedConvTile results, std::size_t outputBytes, std::size_t vectors) const {
  const std::size_t width = vectors * kernels_->lanes;
  auto* const to = static_cast<std::byte*>(results.to);
  const std::uint8_t* const addend = results.addend;
  for (std::size_t t = 0; t < block.count;) {
    const Place place = placeOf(block.first + t);
    const std::size_t run = std::min(block.count - t, tileColumns_ - place.column / 2);
    for (std::size_t i = 0; i < run; ++i) {
      transforms_->output(block.products + (t + i) * width, productStride(), width, block.above + 2 * i * width,
                          block.below + 2 * i * width);
    }
    results.pixels = std::min(2 * run, width_ - place.column);
    for (std::size_t line = place.line; line < std::min(place.line + 2, height_); ++line) {
      const std::size_t pixel = (place.image * height_ + line) * width_ + place.column;
      results.to = to + pixel * outputs_ * outputBytes;
      if (addend) results.addend = addend + pixel * outputs_;
      kernels_->store(results, line == place.line ? block.above : block.below, vectors);
    }
    t += run;
  }
}

void ByteWinograd::run(Team& team, const std::int16_t* image, const std::byte* weights, const QuantizedConvTile& results,
                       std::size_t outputBytes, std::byte* scratch) const {
  const std::size_t blocks = divideUp(tiles_, blockTiles_);
  // Consecutive chunks use the same panels, so that a worker finds their weights in its cache.
  team.forEach(blocks * parts_, [&](std::size_t chunk, unsigned worker) {
    const Block block = blockAt(chunk % blocks, scratch + worker * workerBytes());
    for (std::size_t t = 0; t < block.count; ++t) {
      const Place place = placeOf(block.first + t);
      transforms_->input(image + place.image * image_ + place.line * line_ + place.column * channels_, channels_, line_,
                         block.patches + t * 2 * groups_, patchStride());
    }
    const std::size_t part = chunk / blocks;
    for (std::size_t panel = panels_ * part / parts_; panel < panels_ * (part + 1) / parts_ && !isRunOver(); ++panel) {
      const std::size_t column = panel * panelColumns_;
      QuantizedConvTile tile = results;
      tile.columns = std::min(panelColumns_, outputs_ - column);
      tile.offset += column, tile.scale += column, tile.rest += column;
      tile.to = static_cast<std::byte*>(results.to) + column * outputBytes;
      if (tile.addend) tile.addend += column;
      tile.stride = outputs_;
      const std::size_t vectors = divideUp(tile.columns, kernels_->lanes);
      multiply(block, weights, panel, vectors);
      store(block, tile, outputBytes, vectors);
    }
  });
}

}  // namespace webnn::cpu
