#include <algorithm>

#include "cpu/conv_gemm.h"
#include "cpu/conv_kernel.h"

namespace webnn::cpu {

namespace {

// What the lines of the input that a block of channels reads for one line of outputs may take, so that the next line
// finds most of them in the first level cache.
constexpr std::size_t kLineBytes = 20 * 1024;
// What the input of a chunk may take, all channels of it, so that each block of channels but the first finds its part in the
// second level cache, where the prefetcher has put it.
constexpr std::size_t kChunkBytes = 256 * 1024;
// Multiply-adds of one chunk: some 10 microseconds.
constexpr std::size_t kChunkWork = 300'000;
// Lines of outputs of a chunk that are not divided for the sake of more chunks: neighbours share inputs.
constexpr std::size_t kFewestRows = 4;

class DepthwiseConv final : public ConvKernel {
 public:
  DepthwiseConv(const ConvShape& shape, const ConvContext& context)
      : shape_(shape), context_(context), kernels_(convKernels(context.isa)), multiplier_(shape.outputs / shape.inputs) {
    const ConvAxis& width = shape_.width;
    inside_ = {0, width.count};
    for (const std::int64_t offset : width.offsets) {
      const ConvAxis::Range range = width.inside(offset);
      inside_.begin = std::max(inside_.begin, range.begin);
      inside_.end = std::min(inside_.end, range.end);
    }
    inside_.end = std::max(inside_.begin, inside_.end);
    const std::size_t lines = shape_.height.tapCount() * width.size * sizeof(float);
    channelBlock_ = std::clamp<std::size_t>(kLineBytes / lines / 16 * 16, 16, shape_.outputs + 15);
    // The last block takes what is left, if that is less than a vector.
    blocks_ = std::max<std::size_t>(1, (shape_.outputs + channelBlock_ - 16) / channelBlock_);
    chooseChunks();
  }

  std::string_view name() const override { return "depthwise"; }
  std::size_t packedBytes() const override { return shape_.tapCount() * shape_.outputs * sizeof(float); }
  void pack(Team&, const float* filter, const FilterStrides& strides, std::byte* packed, std::byte*) const override {
    auto* to = reinterpret_cast<float*>(packed);
    for (std::size_t y = 0; y < shape_.height.tapCount(); ++y) {
      for (std::size_t x = 0; x < shape_.width.tapCount(); ++x) {
        const float* tap = filter + y * strides.height + x * strides.width;
        for (std::size_t o = 0; o < shape_.outputs; ++o)
          std::memcpy(to++, tap + o / multiplier_ * strides.group + o % multiplier_ * strides.output, sizeof(float));
      }
    }
  }
  std::size_t scratchBytes() const override {
    return multiplier_ == 1 ? 0 : shape_.batch * shape_.height.size * shape_.width.size * shape_.outputs * sizeof(float);
  }

  void run(Team& team, const ConvCall& call) const override {
    const float* input = multiplier_ == 1 ? call.input : repeated(team, call);
    const std::size_t parts = divideUp(shape_.height.count, chunkRows_), groups = divideUp(blocks_, chunkBlocks_);
    team.forEach(shape_.batch * parts * groups, [&](std::size_t chunk, unsigned worker) {
      const std::size_t group = chunk % groups, part = chunk / groups % parts, image = chunk / groups / parts;
      const std::size_t endRow = std::min((part + 1) * chunkRows_, shape_.height.count);
      for (std::size_t block = group * chunkBlocks_; block < std::min((group + 1) * chunkBlocks_, blocks_); ++block) {
        const std::size_t channel = block * channelBlock_;
        const std::size_t channels = block + 1 == blocks_ ? shape_.outputs - channel : channelBlock_;
        for (std::size_t y = part * chunkRows_; y < endRow; ++y) runLine(call, input, image, y, channel, channels, worker);
      }
    });
  }

 private:
  void chooseChunks() {
    const std::size_t rowBytes = shape_.height.step * shape_.width.size * shape_.outputs * sizeof(float);
    chunkRows_ = std::clamp<std::size_t>(kChunkBytes / rowBytes, 1, shape_.height.count);
    chunkBlocks_ = blocks_;
    const auto isTooMuch = [&] {
      const std::size_t channels = std::min(chunkBlocks_ * channelBlock_, shape_.outputs);
      return chunkRows_ * shape_.width.count * channels * shape_.tapCount() > kChunkWork;
    };
    while (chunkRows_ > kFewestRows && isTooMuch()) chunkRows_ = divideUp(chunkRows_, 2);
    while (chunkBlocks_ > 1 && isTooMuch()) chunkBlocks_ = divideUp(chunkBlocks_, 2);
  }

  // The input with each channel as often as it is used.
  const float* repeated(Team& team, const ConvCall& call) const {
    auto* const to = reinterpret_cast<float*>(call.scratch);
    team.forRanges(shape_.batch * shape_.height.size * shape_.width.size, 1 + 16384 / shape_.outputs,
                   [&](std::size_t begin, std::size_t end, unsigned) {
                     float* out = to + begin * shape_.outputs;
                     for (const float* in = call.input + begin * shape_.inputs; in < call.input + end * shape_.inputs; ++in) {
                       out = std::fill_n(out, multiplier_, *in);
                     }
                   });
    return to;
  }

  void runLine(const ConvCall& call, const float* input, std::size_t image, std::size_t y, std::size_t channel,
               std::size_t channels, unsigned worker) const {
    const ConvAxis &height = shape_.height, &width = shape_.width;
    // The rows of the filter that are inside are next to one another.
    const auto at = [&](std::size_t tap) { return static_cast<std::int64_t>(y * height.step) + height.offsets[tap]; };
    std::size_t first = 0, last = height.tapCount();
    while (first < last && at(first) < 0) ++first;
    while (last > first && at(last - 1) >= static_cast<std::int64_t>(height.size)) --last;
    const std::size_t pitch = shape_.outputs, linePitch = width.size * pitch;
    const std::size_t inputLine = first < last ? image * height.size + static_cast<std::size_t>(at(first)) : 0;

    DepthwiseLine line;
    line.rows = last - first;
    line.channels = channels;
    line.inputStep = width.step * pitch;
    line.tapStep = width.tapCount() < 2 ? pitch : static_cast<std::size_t>(width.offsets[1] - width.offsets[0]) * pitch;
    line.rowStep = height.tapCount() < 2 ? 0 : static_cast<std::size_t>(height.offsets[1] - height.offsets[0]) * linePitch;
    line.weightTapStep = pitch;
    line.weightRowStep = width.tapCount() * pitch;
    line.bias = call.bias ? call.bias + channel : nullptr;
    if (!context_.activation.adds) line.range = context_.activation.range;
    line.pitch = call.outputPitch;
    const float* from = input + inputLine * linePitch + channel;
    const float* weights = reinterpret_cast<const float*>(call.packed) + first * line.weightRowStep + channel;
    const std::size_t outputPixel = (image * height.count + y) * width.count;
    const auto outputs = [&](std::size_t x, std::size_t columns, std::size_t firstTap, std::size_t taps) {
      const std::int64_t position = static_cast<std::int64_t>(x * width.step) + (taps == 0 ? 0 : width.offsets[firstTap]);
      line.from = taps == 0 ? from : from + static_cast<std::size_t>(position) * pitch;
      line.weights = weights + firstTap * pitch;
      line.taps = taps;
      line.columns = columns;
      line.to = call.output + (outputPixel + x) * call.outputPitch + channel;
      kernels_.depthwise(line);
    };
    const auto edge = [&](std::size_t x) {
      const auto position = [&](std::size_t tap) { return static_cast<std::int64_t>(x * width.step) + width.offsets[tap]; };
      std::size_t begin = 0, end = width.tapCount();
      while (begin < end && position(begin) < 0) ++begin;
      while (end > begin && position(end - 1) >= static_cast<std::int64_t>(width.size)) --end;
      outputs(x, 1, begin, end - begin);
    };
    for (std::size_t x = 0; x < std::min(inside_.begin, width.count); ++x) edge(x);
    if (inside_.begin < inside_.end) outputs(inside_.begin, inside_.end - inside_.begin, 0, width.tapCount());
    for (std::size_t x = inside_.end; x < width.count; ++x) edge(x);
    if (context_.activation.adds) {
      kernels_.addRuns(call.addend + outputPixel * pitch + channel, pitch, call.output + outputPixel * call.outputPitch + channel,
                       call.outputPitch, width.count, channels, context_.activation.range);
    }
    if (call.finish.run) {
      call.finish.run(call.finish.context, outputPixel, width.count, channel, channels,
                      call.output + outputPixel * call.outputPitch + channel, call.outputPitch, worker);
    }
  }

  ConvShape shape_;
  ConvContext context_;
  const ConvKernels& kernels_;
  std::size_t multiplier_ = 1, channelBlock_ = 16, blocks_ = 1, chunkRows_ = 1, chunkBlocks_ = 1;
  ConvAxis::Range inside_;  // the outputs of a line all of whose taps are inside
};

}  // namespace

ConvKernelPtr makeDepthwiseConv(const ConvShape& shape, const ConvContext& context) {
  return std::make_shared<const DepthwiseConv>(shape, context);
}

}  // namespace webnn::cpu
