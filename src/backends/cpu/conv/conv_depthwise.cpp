#include "backends/cpu/conv/conv_depthwise.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include "backends/cpu/conv/conv_gemm.h"
#include "backends/cpu/conv/conv_kernel.h"
#include "base/divide_up.h"
#include "base/unaligned.h"

namespace webnn::cpu {

namespace {

// Returns how many bytes of input a block of channels may read for one output line, so that most of these input lines are still
// in L1 for the next output line.
std::size_t lineBytes(const CacheSizes& caches) { return caches.level1 / 8 * 5; }
// Returns how many bytes of input the lines of a chunk may have, counted over all channels. With so few, the hardware prefetcher
// loads the other channels into L2 while the first block of channels is computed.
std::size_t chunkBytes(const CacheSizes& caches) { return caches.level2 / 4; }
// Multiply-adds per chunk: about 10 microseconds.
constexpr std::size_t kChunkWork = 300'000;
// Chunks of kFewestRows output lines are not split further, because adjacent lines share inputs.
constexpr std::size_t kFewestRows = 4;

class DepthwiseConv final : public ConvKernel {
 public:
  DepthwiseConv(const ConvShape& shape, const ConvContext& context)
      : shape_(shape),
        context_(context),
        kernels_(convKernels(context.isa)),
        lines_(shape_, kernels_, context.caches),
        multiplier_(shape.outputs / shape.inputs) {  // 1 if there are small groups
    chooseChunks();
  }

  std::string_view name() const override { return shape_.isDepthwise() ? "depthwise" : "small groups"; }
  std::size_t packedBytes() const override { return shape_.depth() * shape_.outputs * sizeof(float); }
  void pack(Team&, const float* filter, const FilterStrides& strides, std::byte* packed, std::byte*) const override {
    packDepthwise(shape_, filter, strides, reinterpret_cast<float*>(packed));
  }
  std::size_t scratchBytes() const override {
    return multiplier_ == 1 ? 0 : shape_.batch * shape_.height.size * shape_.width.size * shape_.outputs * sizeof(float);
  }

  void run(Team& team, const ConvCall& call) const override {
    const float* input = multiplier_ == 1 ? call.input : repeated(team, call);
    const std::size_t parts = divideUp(shape_.height.count, chunkRows_), groups = divideUp(lines_.blocks(), chunkBlocks_);
    team.forEach(shape_.batch * parts * groups, [&](std::size_t chunk, unsigned worker) {
      const std::size_t group = chunk % groups, part = chunk / groups % parts, image = chunk / groups / parts;
      const std::size_t endRow = std::min((part + 1) * chunkRows_, shape_.height.count);
      for (std::size_t block = group * chunkBlocks_; block < std::min((group + 1) * chunkBlocks_, lines_.blocks()); ++block) {
        for (std::size_t y = part * chunkRows_; y < endRow; ++y) runLine(call, input, image, y, lines_.block(block), worker);
      }
    });
  }

 private:
  void chooseChunks() {
    const std::size_t rowBytes = shape_.height.step * shape_.width.size * shape_.outputs * sizeof(float);
    chunkRows_ = std::clamp<std::size_t>(chunkBytes(context_.caches) / rowBytes, 1, shape_.height.count);
    chunkBlocks_ = lines_.blocks();
    const auto isTooMuch = [&] {
      const std::size_t channels = std::min(chunkBlocks_ * lines_.blockChannels(), shape_.outputs);
      return chunkRows_ * shape_.width.count * channels * shape_.depth() > kChunkWork;
    };
    while (chunkRows_ > kFewestRows && isTooMuch()) chunkRows_ = divideUp(chunkRows_, 2);
    while (chunkBlocks_ > 1 && isTooMuch()) chunkBlocks_ = divideUp(chunkBlocks_, 2);
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

  void runLine(const ConvCall& call, const float* input, std::size_t image, std::size_t y, DepthwiseLines::Channels channels,
               unsigned worker) const {
    const ConvActivation& activation = context_.activation;
    const std::size_t pixelStride = shape_.outputs, count = shape_.width.count, imageLines = shape_.height.size;
    const std::size_t pixel = (image * shape_.height.count + y) * count;
    float* to = call.output + pixel * call.outputStride;
    const DepthwiseLines::Parameters parameters{reinterpret_cast<const float*>(call.packed), call.bias,
                                                activation.adds ? FloatRange() : activation.range};
    lines_.run(parameters, {input + image * imageLines * shape_.width.size * pixelStride, imageLines}, y, channels, to,
               call.outputStride);
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
  DepthwiseLines lines_;
  std::size_t multiplier_ = 1, chunkRows_ = 1, chunkBlocks_ = 1;
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
  blockChannels_ = std::clamp<std::size_t>(lineBytes(caches) / lines / 16 * 16, 16, shape.outputs + 15);
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
  const std::size_t inputStride = shape_.outputs, lineStride = width.size * inputStride;
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
  line.weightInputStep = inputStride;
  line.weightTapStep = line.groupSize * line.weightInputStep;
  line.weightRowStep = width.tapCount() * line.weightTapStep;
  line.bias = parameters.bias ? parameters.bias + channels.first : nullptr;
  line.range = parameters.range;
  line.pixelStride = pixelStride;
  const float* from = image.first + inputLine * lineStride + channels.first;
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
  // Limits each kernel call to a few milliseconds, however large the filter is.
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

void packDepthwise(const ConvShape& shape, const float* filter, const FilterStrides& strides, float* to) {
  const std::size_t groupOutputs = shape.groupOutputs();
  RunWatch watch;
  for (std::size_t y = 0; y < shape.height.tapCount(); ++y) {
    for (std::size_t x = 0; x < shape.width.tapCount() && !watch.isOver(shape.depth() * shape.outputs); ++x) {
      const float* tap = filter + y * strides.height + x * strides.width;
      for (std::size_t i = 0; i < shape.groupInputs(); ++i, tap += strides.input) {
        for (std::size_t o = 0; o < shape.outputs; ++o)
          std::memcpy(to++, tap + o / groupOutputs * strides.group + o % groupOutputs * strides.output, sizeof(float));
      }
    }
  }
}

ConvKernelPtr makeDepthwiseConv(const ConvShape& shape, const ConvContext& context) {
  return std::make_shared<const DepthwiseConv>(shape, context);
}

}  // namespace webnn::cpu
