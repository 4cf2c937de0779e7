#include "backends/cpu/conv/conv_block_middle.h"

#include "backends/cpu/conv/conv_epilogue.h"
#include "backends/cpu/conv/pool_taps.h"
#include "backends/cpu/simd/pool.h"
#include "base/text.h"

namespace webnn::cpu {

namespace {

class Depthwise final : public BlockMiddle {
 public:
  Depthwise(const Convolution& op, Isa isa, const CacheSizes& caches) : Depthwise(op, shapeOf(op.conv), isa, caches) {}

  std::string describe() const override {
    return formatText("depthwise {}x{}", shape_.height.tapCount(), shape_.width.tapCount());
  }
  void keepWeights(Planner& planner) override {
    PackKey key{"block depthwise", {keyOf(op_.conv.filter)}, {}};
    addStrides(key, filterStrides(op_.conv));
    addTaps(key, shape_);
    const std::byte* const weights = planner.packWeights(depthwiseBytes(shape_), std::move(key), [&](std::byte* to) {
      const auto* filter = reinterpret_cast<const float*>(planner.constantBytes(op_.conv.filter).data());  // may be unaligned
      packDepthwise(shape_, filter, filterStrides(op_.conv), reinterpret_cast<float*>(to));
    });
    parameters_.weights = reinterpret_cast<const float*>(weights);
    if (!op_.conv.options.bias) return;
    const std::size_t bytes = shape_.outputs * sizeof(float);
    const std::byte* const bias = planner.packWeights(bytes, {"bias", {keyOf(*op_.conv.options.bias)}, {}}, [&](std::byte* to) {
      std::memcpy(to, planner.constantBytes(*op_.conv.options.bias).data(), bytes);
    });
    parameters_.bias = reinterpret_cast<const float*>(bias);
  }
  ConvAxis::Range inputs(std::size_t begin, std::size_t end) const override { return lines_.inputs(begin, end); }

  void run(const DepthwiseImage& image, std::size_t begin, std::size_t end, float* to, std::size_t rowStride) const override {
    for (std::size_t block = 0; block < lines_.blocks(); ++block) {
      for (std::size_t y = begin; y < end; ++y) {
        lines_.run(parameters_, image, y, lines_.block(block), to + (y - begin) * output.width * rowStride, rowStride);
      }
    }
  }

 private:
  Depthwise(const Convolution& op, const ConvShape& shape, Isa isa, const CacheSizes& caches)
      : BlockMiddle(shape.batch, shape.outputs, {shape.height.size, shape.width.size}, {shape.height.count, shape.width.count}),
        op_(op),
        shape_(shape),
        lines_(shape_, convKernels(isa), caches) {
    parameters_.range = activationOf(op.epilogue.program, false).value_or(ConvActivation()).range;
  }

  Convolution op_;
  ConvShape shape_;
  DepthwiseLines lines_;
  DepthwiseLines::Parameters parameters_;
};

class Pool final : public BlockMiddle {
 public:
  Pool(const ops::Pool2d& op, const Shape& result, Isa isa)
      : BlockMiddle(op.input.shape()[0], op.input.shape()[3], {op.input.shape()[1], op.input.shape()[2]}, {result[1], result[2]}),
        kernel_(poolPixels(isa, static_cast<Pooling>(op.kind), DataType::float32)) {
    const auto [height, width] = ops::poolingAxes(op);
    rows_ = poolTaps(height, output.lines);
    columns_ = poolTaps(width, output.width);
  }

  std::string describe() const override { return "pool"; }
  ConvAxis::Range inputs(std::size_t begin, std::size_t end) const override {
    ConvAxis::Range range;
    for (std::size_t y = begin; y < end; ++y) {
      const PoolTaps& taps = rows_[y];
      if (taps.count == 0) continue;
      if (range.end == 0) range.begin = taps.first;
      range.end = std::max(range.end, taps.first + (taps.count - 1) * taps.step + 1);
    }
    return range;
  }

  void run(const DepthwiseImage& image, std::size_t begin, std::size_t end, float* to, std::size_t rowStride) const override {
    const std::size_t pixel = channels * sizeof(float);
    for (std::size_t y = begin; y < end; ++y) {
      PoolTaps rows = rows_[y];
      rows.first %= image.ring;
      PoolRow row{};
      row.from = reinterpret_cast<const std::byte*>(image.first);
      row.to = reinterpret_cast<std::byte*>(to + (y - begin) * output.width * rowStride);
      row.rows = rows;
      row.columns = columns_.data();
      row.positions = columns_.size();
      row.pixelStride = static_cast<std::ptrdiff_t>(pixel);
      row.rowStride = static_cast<std::ptrdiff_t>(pixel * input.width);
      row.outputStride = static_cast<std::ptrdiff_t>(rowStride * sizeof(float));
      row.channels = channels;
      row.width = input.width;
      row.ring = image.ring;
      kernel_(row);
    }
  }

 private:
  PoolKernel kernel_;
  std::vector<PoolTaps> rows_, columns_;
};

}  // namespace

std::unique_ptr<BlockMiddle> makeMiddle(const ConvolutionBlock& op, Isa isa, const CacheSizes& caches) {
  if (op.depthwise) return std::make_unique<Depthwise>(*op.depthwise, isa, caches);
  return std::make_unique<Pool>(*op.pool, op.middleShape, isa);
}

}  // namespace webnn::cpu
