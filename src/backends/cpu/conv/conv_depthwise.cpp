#include "backends/cpu/conv/conv_depthwise.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include "backends/cpu/conv/conv_gemm.h"
#include "backends/cpu/conv/conv_kernel.h"
#include "backends/cpu/runtime/compiler.h"
#include "base/divide_up.h"
#include "base/unaligned.h"
#include "compiler/plan/alignment.h"

namespace webnn::cpu {

namespace {

// Returns how many bytes of input a block of channels may read for one output line, so that most of these input lines are still
// in cache for the next output line: in L1, or in L2 if the kernel reads contiguous memory.
std::size_t lineBytes(const ConvKernels& kernels, const CacheSizes& caches) {
  return kernels.depthwiseByOutput ? caches.level2 / 4 : caches.level1 / 8 * 5;
}
// Returns how many bytes of input the lines of a chunk may have, counted over all channels. With so few bytes, the hardware
// prefetcher loads the other channels into L2 while the first block of channels is computed.
std::size_t chunkBytes(const CacheSizes& caches) { return caches.level2 / 4; }
// Multiply-adds per chunk: about 10 microseconds.
constexpr std::size_t kChunkWork = 300'000;
// Chunks with too much work are split by lines only while they have more than kFewestRows output lines (and more lines than a
// DepthwiseCopy holds), because adjacent lines share inputs.
constexpr std::size_t kFewestRows = 4;

// Copies the input of one block of channels for filters with many taps. The copy is contiguous, so that its lines stay in L1 even
// if the distance between the image's pixels is a power of 2. It contains the columns of the padding, so that no output is at the
// left or right edge.
struct DepthwiseCopy {
  static constexpr std::size_t kChannels = 16;    // channels of a block; the last block has up to 31
  static constexpr std::size_t kFewestTaps = 35;  // the fewest taps per input that repay copying

  // Returns the shape of the copy, whose width includes the padding, so that all taps lie inside.
  static ConvShape shapeOf(ConvShape shape) {
    ConvAxis& width = shape.width;
    const std::int64_t first = width.offsets.front();
    for (std::int64_t& offset : width.offsets) offset -= first;
    width.size = (width.count - 1) * width.step + static_cast<std::size_t>(width.offsets.back()) + 1;
    return shape;
  }
  // Returns the number of lines from the first to the last input line that one output line may read.
  static std::size_t ringOf(const ConvShape& shape) {
    const ConvAxis& height = shape.height;
    return std::min(height.size, static_cast<std::size_t>(height.offsets.back() - height.offsets.front()) + 1);
  }
  static bool paysOff(const ConvShape& shape, const CacheSizes& caches) {
    if (!shape.isDepthwise() || shape.outputs < kChannels || shape.width.tapCount() < 3) return false;
    const std::size_t most = caches.level2 / (2 * kChannels * sizeof(float)), ring = ringOf(shape);
    // Factors of at most `most` cannot overflow the products below.
    const auto reach = static_cast<std::size_t>(shape.width.offsets.back() - shape.width.offsets.front()) + 1;
    if (std::max({reach, ring, shape.width.count, shape.width.step, shape.height.step}) > most) return false;
    if (shape.tapCount() < kFewestTaps * shape.height.step * shape.width.step) return false;
    return shapeOf(shape).width.size <= most / ring;
  }
  static std::size_t blocks(std::size_t channels) { return channels / kChannels; }
  static DepthwiseLines::Channels block(std::size_t i, std::size_t channels) {
    const std::size_t first = i * kChannels;
    return {first, i + 1 == blocks(channels) ? channels - first : kChannels};
  }
};

class DepthwiseConv final : public ConvKernel {
 public:
  DepthwiseConv(const ConvShape& shape, const ConvContext& context)
      : shape_(shape),
        context_(context),
        kernels_(convKernels(context.isa)),
        copies_(DepthwiseCopy::paysOff(shape, context.caches)),
        computed_(copies_ ? DepthwiseCopy::shapeOf(shape) : shape),
        lines_(computed_, kernels_, context.caches),
        multiplier_(shape.outputs / shape.inputs) {  // 1 if there are small groups
    if (copies_) {
      ring_ = DepthwiseCopy::ringOf(shape);
      const std::size_t channels = shape.outputs % DepthwiseCopy::kChannels + DepthwiseCopy::kChannels;
      workerScratch_ = workerStride(ring_ * computed_.width.size * channels * sizeof(float));
    }
    chooseChunks();
  }

  std::string_view name() const override { return shape_.isDepthwise() ? "depthwise" : "small groups"; }
  std::size_t packedBytes() const override { return depthwiseBytes(shape_); }
  void pack(Team&, const float* filter, const FilterStrides& strides, std::byte* packed, std::byte*) const override {
    packDepthwise(shape_, filter, strides, reinterpret_cast<float*>(packed));
  }
  std::size_t scratchBytes() const override { return repeatedBytes() + workerScratch_ * context_.threads; }

  void run(Team& team, const ConvCall& call) const override {
    const float* input = multiplier_ == 1 ? call.input : repeated(team, call);
    const std::size_t parts = divideUp(shape_.height.count, chunkRows_), groups = divideUp(blocks(), chunkBlocks_);
    const std::size_t imageFloats = shape_.height.size * shape_.width.size * shape_.outputs;
    team.forEach(shape_.batch * parts * groups, [&](std::size_t chunk, unsigned worker) {
      const std::size_t group = chunk % groups, part = chunk / groups % parts, image = chunk / groups / parts;
      const ConvAxis::Range rows{part * chunkRows_, std::min((part + 1) * chunkRows_, shape_.height.count)};
      const float* from = input + image * imageFloats;
      for (std::size_t i = group * chunkBlocks_; i < std::min((group + 1) * chunkBlocks_, blocks()); ++i) {
        if (copies_) {
          auto* copy = reinterpret_cast<float*>(call.scratch + repeatedBytes() + worker * workerScratch_);
          runCopied(call, from, image, rows, DepthwiseCopy::block(i, shape_.outputs), copy, worker);
        } else {
          for (std::size_t y = rows.begin; y < rows.end; ++y)
            runLine(call, {from, shape_.height.size}, image, y, lines_.block(i), worker);
        }
      }
    });
  }

 private:
  void chooseChunks() {
    const std::size_t rowBytes = shape_.height.step * shape_.width.size * shape_.outputs * sizeof(float);
    chunkRows_ = shape_.height.count;
    if (!kernels_.depthwiseByOutput && !copies_)
      chunkRows_ = std::clamp<std::size_t>(chunkBytes(context_.caches) / rowBytes, 1, shape_.height.count);
    chunkBlocks_ = blocks();
    const auto isTooMuch = [&] {
      const std::size_t blockChannels = copies_ ? DepthwiseCopy::kChannels : lines_.blockChannels();
      const std::size_t channels = std::min(chunkBlocks_ * blockChannels, shape_.outputs);
      return chunkRows_ * shape_.width.count * channels * shape_.depth() > kChunkWork;
    };
    if (copies_) {  // Adjacent chunks of rows would copy the same lines.
      while (chunkBlocks_ > 1 && isTooMuch()) chunkBlocks_ = divideUp(chunkBlocks_, 2);
    }
    const std::size_t fewestRows = std::max(kFewestRows, ring_);
    while (chunkRows_ > fewestRows && isTooMuch()) chunkRows_ = divideUp(chunkRows_, 2);
    while (chunkBlocks_ > 1 && isTooMuch()) chunkBlocks_ = divideUp(chunkBlocks_, 2);
  }

  std::size_t blocks() const { return copies_ ? DepthwiseCopy::blocks(shape_.outputs) : lines_.blocks(); }
  std::size_t repeatedBytes() const {
    if (multiplier_ == 1) return 0;
    return aligned(shape_.batch * shape_.height.size * shape_.width.size * shape_.outputs * sizeof(float));
  }

  // Repeats each input channel `multiplier_` times.
  const float* repeated(Team& team, const ConvCall& call) const {
    auto* const to = reinterpret_cast<float*>(call.scratch);
    team.forRanges(shape_.batch * shape_.height.size * shape_.width.size, 1 + 16384 / shape_.outputs,
                   [&](std::size_t begin, std::size_t end, unsigned) {
                     float* out = to + begin * shape_.outputs;
                     for (const float* in = call.input + begin * shape_.inputs; in < call.input + end * shape_.inputs; ++in) {
                       out = std::fill_n(out, multiplier_, loadUnaligned<float>(in));
                     }
                   });
    return to;
  }

  // Computes `rows` of a block of channels. Copies each line of the input to `copy`, a ring buffer, before the first output line
  // that needs it.
  void runCopied(const ConvCall& call, const float* input, std::size_t image, ConvAxis::Range rows,
                 DepthwiseLines::Channels channels, float* copy, unsigned worker) const {
    const std::size_t lineFloats = computed_.width.size * channels.count;
    std::size_t copied = 0;
    for (std::size_t y = rows.begin; y < rows.end && !isRunOver(); ++y) {
      const ConvAxis::Range needed = lines_.inputs(y, y + 1);
      for (copied = std::max(copied, needed.begin); copied < needed.end; ++copied)
        copyLine(input + copied * shape_.width.size * shape_.outputs, channels, copy + copied % ring_ * lineFloats);
      runLine(call, {copy, ring_, channels.count, channels.first}, image, y, channels, worker);
    }
  }
  // Copies the channels of a line, with zeros for the padding.
  void copyLine(const float* from, DepthwiseLines::Channels channels, float* to) const {
    const auto first = static_cast<std::ptrdiff_t>(shape_.width.offsets.front());
    const std::size_t padding = std::min(computed_.width.size, static_cast<std::size_t>(std::max<std::ptrdiff_t>(-first, 0)));
    const std::size_t begin = std::min(shape_.width.size, static_cast<std::size_t>(std::max<std::ptrdiff_t>(first, 0)));
    const std::size_t count = std::min(shape_.width.size - begin, computed_.width.size - padding);
    kernels_.zeroRuns(to, channels.count, padding, channels.count);
    to += padding * channels.count;
    kernels_.copyRuns(from + begin * shape_.outputs + channels.first, shape_.outputs, to, channels.count, count, channels.count);
    kernels_.zeroRuns(to + count * channels.count, channels.count, computed_.width.size - padding - count, channels.count);
  }

  void runLine(const ConvCall& call, const DepthwiseImage& input, std::size_t image, std::size_t y,
               DepthwiseLines::Channels channels, unsigned worker) const {
    const ConvActivation& activation = context_.activation;
    const std::size_t pixelStride = shape_.outputs, count = shape_.width.count;
    const std::size_t pixel = (image * shape_.height.count + y) * count;
    float* to = call.output + pixel * call.outputStride;
    const DepthwiseLines::Parameters parameters{reinterpret_cast<const float*>(call.packed), call.bias,
                                                activation.adds ? FloatRange() : activation.range};
    lines_.run(parameters, input, y, channels, to, call.outputStride);
    to += channels.first;
    if (activation.adds) {
      kernels_.addRuns(call.addend + pixel * pixelStride + channels.first, pixelStride, to, call.outputStride, count,
                       channels.count, activation.range);
    }
    if (call.epilogue.run) {
      call.epilogue.run(call.epilogue.context, pixel, count, channels.first, channels.count, to, call.outputStride, worker);
    }
  }

  ConvShape shape_;
  ConvContext context_;
  const ConvKernels& kernels_;
  bool copies_;           // whether lines are copied: see DepthwiseCopy
  ConvShape computed_;    // the shape of the copy, or shape_
  DepthwiseLines lines_;  // refers to computed_
  std::size_t multiplier_ = 1, chunkRows_ = 1, chunkBlocks_ = 1;
  std::size_t ring_ = 0, workerScratch_ = 0;  // lines and bytes of a worker's copy
};

}  // namespace

DepthwiseLines::DepthwiseLines(const ConvShape& shape, const ConvKernels& kernels, const CacheSizes& caches)
    : shape_(shape), kernels_(kernels), inside_{0, shape.width.count} {
  const ConvAxis& width = shape.width;
  for (const std::int64_t offset : width.offsets) {
    const ConvAxis::Range range = width.inside(offset);
    inside_.begin = std::max(inside_.begin, range.begin);
    inside_.end = std::min(inside_.end, range.end);
  }
  inside_.end = std::max(inside_.begin, inside_.end);
  const std::size_t lines = shape.height.tapCount() * width.size * sizeof(float);
  blockChannels_ = std::clamp<std::size_t>(lineBytes(kernels, caches) / lines / 16 * 16, 16, shape.outputs + 15);
  constexpr std::size_t kLanes = 16;
  const std::size_t merged = kLanes / std::gcd(kLanes, shape.outputs);
  if (shape.outputs < kLanes && width.step == 1 && shape.tapCount() <= kMergedWeights / (merged * shape.outputs))
    merged_ = merged;
  // If fewer than 16 channels remain, they belong to the last block.
  blocks_ = std::max<std::size_t>(1, (shape.outputs + blockChannels_ - 16) / blockChannels_);
}

ConvAxis::Range DepthwiseLines::inputs(std::size_t begin, std::size_t end) const {
  const ConvAxis& height = shape_.height;
  const auto at = [&](std::size_t y, std::int64_t offset) {
    const std::int64_t line = static_cast<std::int64_t>(y * height.step) + offset;
    return static_cast<std::size_t>(std::clamp<std::int64_t>(line, 0, static_cast<std::int64_t>(height.size)));
  };
  return {at(begin, height.offsets.front()), at(end - 1, height.offsets.back() + 1)};
}

std::size_t DepthwiseLines::inputLines(std::size_t count) const {
  const ConvAxis& height = shape_.height;
  const auto reach = static_cast<std::size_t>(height.offsets.back() - height.offsets.front()) + 1;
  return std::min(height.size, (count - 1) * static_cast<std::size_t>(height.step) + reach);
}

void DepthwiseLines::run(const Parameters& parameters, const DepthwiseImage& image, std::size_t y, Channels channels, float* to,
                         std::size_t pixelStride) const {
  const ConvAxis &height = shape_.height, &width = shape_.width;
  // Filter rows [first, last) lie inside the image.
  const auto at = [&](std::size_t tap) { return static_cast<std::int64_t>(y * height.step) + height.offsets[tap]; };
  std::size_t first = 0, last = height.tapCount();
  while (first < last && at(first) < 0) ++first;
  while (last > first && at(last - 1) >= static_cast<std::int64_t>(height.size)) --last;
  const std::size_t inputStride = image.pixelStride == 0 ? shape_.outputs : image.pixelStride;
  const std::size_t lineStride = width.size * inputStride;
  const std::size_t inputLine = first < last ? static_cast<std::size_t>(at(first)) % image.ring : 0;
  const std::size_t lineStep = height.tapCount() < 2 ? 0 : static_cast<std::size_t>(height.offsets[1] - height.offsets[0]);

  DepthwiseLine line;
  line.rows = last - first;
  line.channels = channels.count;
  line.inputStep = width.step * inputStride;
  line.tapStep = width.tapCount() < 2 ? inputStride : static_cast<std::size_t>(width.offsets[1] - width.offsets[0]) * inputStride;
  line.rowStep = lineStep * lineStride;
  if (lineStep > 0) line.rowsToEnd = divideUp(image.ring - inputLine, lineStep);
  line.ring = image.ring * lineStride;
  line.groupSize = shape_.groupInputs();
  line.weightInputStep = depthwiseStride(shape_);
  line.weightTapStep = line.groupSize * line.weightInputStep;
  line.weightRowStep = width.tapCount() * line.weightTapStep;
  line.bias = parameters.bias ? parameters.bias + channels.first : nullptr;
  line.range = parameters.range;
  line.pixelStride = pixelStride;
  const float* from = image.first + inputLine * lineStride + channels.first - image.firstChannel;
  const float* weights = parameters.weights + first * line.weightRowStep + channels.first;
  const auto outputs = [&](std::size_t x, std::size_t columns, std::size_t firstTap, std::size_t taps) {
    const std::int64_t position = static_cast<std::int64_t>(x * width.step) + (taps == 0 ? 0 : width.offsets[firstTap]);
    line.from = taps == 0 ? from : from + static_cast<std::size_t>(position) * inputStride;
    line.weights = weights + firstTap * line.weightTapStep;
    line.taps = taps;
    line.columns = columns;
    line.to = to + x * pixelStride + channels.first;
    kernels_.depthwise(line);
  };
  const auto edge = [&](std::size_t x) {
    const auto position = [&](std::size_t tap) { return static_cast<std::int64_t>(x * width.step) + width.offsets[tap]; };
    std::size_t begin = 0, end = width.tapCount();
    while (begin < end && position(begin) < 0) ++begin;
    while (end > begin && position(end - 1) >= static_cast<std::int64_t>(width.size)) --end;
    outputs(x, 1, begin, end - begin);
  };
  // Limits a kernel call to kMacs multiply-adds (a few milliseconds), but to no less than one output.
  constexpr std::size_t kMacs = std::size_t{1} << 25;
  const std::size_t macs = std::max<std::size_t>(line.rows * width.tapCount() * line.groupSize * line.channels, 1);
  const std::size_t most = std::max<std::size_t>(kMacs / macs, 1);
  RunWatch watch;
  for (std::size_t x = 0; x < std::min(inside_.begin, width.count) && !watch.isOver(macs); ++x) edge(x);
  std::size_t x = inside_.begin;
  if (merged_ > 1 && channels.count == shape_.outputs && inside_.end - x >= merged_) {
    line.from = from + static_cast<std::size_t>(static_cast<std::int64_t>(x) + width.offsets[0]) * inputStride;
    line.weights = weights;
    line.taps = width.tapCount();
    line.columns = inside_.end - x;
    line.to = to + x * pixelStride;
    x += runMerged(line);
  }
  for (; x < inside_.end && !watch.isOver(most * macs); x += most)
    outputs(x, std::min(most, inside_.end - x), 0, width.tapCount());
  for (x = inside_.end; x < width.count && !watch.isOver(macs); ++x) edge(x);
}

std::size_t DepthwiseLines::runMerged(DepthwiseLine line) const {
  const std::size_t channels = line.channels, lanes = merged_ * channels, taps = line.rows * line.taps;
  std::array<float, kMergedWeights> weights;
  std::array<float, kMergedLanes> bias;
  const auto repeat = [&](const float* from, float* to) {
    for (std::size_t i = 0; i < merged_; ++i) std::copy_n(from, channels, to + i * channels);
  };
  for (std::size_t tap = 0; tap < taps; ++tap) repeat(line.weights + tap * channels, weights.data() + tap * lanes);
  if (line.bias) {
    repeat(line.bias, bias.data());
    line.bias = bias.data();
  }
  line.weights = weights.data();
  line.weightTapStep = lanes;
  line.weightRowStep = line.taps * lanes;
  line.channels = lanes;
  line.inputStep = lanes;
  // If the output is a part of a concatenation, its pixels are not contiguous; they are then computed in a buffer.
  std::array<float, 1024> buffer;
  float* const to = line.to;
  const std::size_t pixelStride = line.pixelStride, all = line.columns / merged_, atOnce = buffer.size() / lanes;
  const bool isContiguous = pixelStride == channels;
  line.pixelStride = lanes;
  RunWatch watch;
  for (std::size_t done = 0; done < all && !watch.isOver(atOnce * lanes * taps); done += atOnce) {
    line.columns = std::min(atOnce, all - done);
    float* const target = to + done * merged_ * pixelStride;
    line.to = isContiguous ? target : buffer.data();
    kernels_.depthwise(line);
    if (!isContiguous) kernels_.copyRuns(buffer.data(), channels, target, pixelStride, line.columns * merged_, channels);
    line.from += line.columns * lanes;
  }
  return all * merged_;
}

std::size_t depthwiseStride(const ConvShape& shape) {
  // The weights of a block of channels would compete for a few sets of the L1 cache if the stride were a multiple of 512 bytes.
  constexpr std::size_t kAliasing = 512 / sizeof(float), kPadding = 64 / sizeof(float);
  return shape.outputs % kAliasing == 0 ? shape.outputs + kPadding : shape.outputs;
}

void packDepthwise(const ConvShape& shape, const float* filter, const FilterStrides& strides, float* to) {
  const std::size_t groupOutputs = shape.groupOutputs(), padding = depthwiseStride(shape) - shape.outputs;
  RunWatch watch;
  for (const std::size_t y : shape.height.taps) {
    for (std::size_t i = 0; i < shape.width.tapCount() && !watch.isOver(shape.depth() * shape.outputs); ++i) {
      const float* tap = filter + y * strides.height + shape.width.taps[i] * strides.width;
      for (std::size_t j = 0; j < shape.groupInputs(); ++j, tap += strides.input) {
        for (std::size_t o = 0; o < shape.outputs; ++o)
          std::memcpy(to++, tap + o / groupOutputs * strides.group + o % groupOutputs * strides.output, sizeof(float));
        to = std::fill_n(to, padding, 0.0F);
      }
    }
  }
}

ConvKernelPtr makeDepthwiseConv(const ConvShape& shape, const ConvContext& context) {
  return std::make_shared<const DepthwiseConv>(shape, context);
}

}  // namespace webnn::cpu
