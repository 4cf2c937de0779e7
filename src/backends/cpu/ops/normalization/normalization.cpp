#include "backends/cpu/ops/normalization/normalization.h"

#include <algorithm>
#include <cmath>

#include "backends/cpu/ops/normalization/normalization_groups.h"
#include "backends/cpu/ops/normalization/normalization_parameters.h"
#include "backends/cpu/simd/normalization.h"
#include "base/divide_up.h"
#include "base/text.h"

namespace webnn::cpu {

namespace {

constexpr std::size_t kGrain = 16384;  // elements per chunk, a few microseconds

std::size_t elementBytes(DataType type) { return type == DataType::float16 ? 2 : 4; }

// The scale and bias of a normalization, and scratch memory for those that must be converted in each run.
struct ScaleAndBias {
  std::size_t floats = 0;  // floats of scratch needed by the parameters below, which add to it
  FloatParameter scale, bias;
  Slot scratch;

  ScaleAndBias(const std::optional<Operand>& scaleOperand, const std::optional<Operand>& biasOperand,
               const std::vector<std::uint32_t>& order, Planner& planner)
      : scale(scaleOperand, order, planner, floats), bias(biasOperand, order, planner, floats) {
    if (floats > 0) scratch = planner.scratch(floats * sizeof(float));
  }
  struct Pointers {
    const float *scale, *bias;
  };
  Pointers prepare(const Frame& frame) const {
    float* memory = floats > 0 ? frame.out<float>(scratch) : nullptr;
    scale.prepare(frame, memory);
    bias.prepare(frame, memory);
    return {scale.at(frame, memory), bias.at(frame, memory)};
  }
};

// Whether scale and bias have one value per member of a group, or one per channel. Group i belongs to channel i modulo
// `channels`.
enum class AffineOf { members, channels };

// Normalizes every group by its own mean and variance.
class NormalizeGroups {
 public:
  NormalizeGroups(Slot input, NormalizationGroups groups, ScaleAndBias affine, AffineOf affineOf, std::size_t channels,
                  double epsilon, DataType type, bool asWritten, Planner& planner)
      : kernels_(&normalizationKernels(planner.isa(), type == DataType::float16)),
        input_(input),
        output_(planner.output()),
        groups_(std::move(groups)),
        affine_(std::move(affine)),
        affineOf_(affineOf),
        channels_(channels),
        epsilon_(epsilon),
        asWritten_(asWritten),
        elementBytes_(elementBytes(type)) {}

  void operator()(const Frame& frame) const {
    const ScaleAndBias::Pointers affine = affine_.prepare(frame);
    const auto* x = frame.in<std::byte>(input_);
    auto* y = frame.out<std::byte>(output_);
    groups_.columns == 0 ? runRows(frame.team, x, y, affine) : runColumns(frame.team, x, y, affine);
  }

 private:
  NormalizationRuns runs() const {
    return {groups_.members.data(), groups_.members.size(), groups_.runLength, groups_.runStride};
  }

  void runRows(Team& team, const std::byte* x, std::byte* y, const ScaleAndBias::Pointers& affine) const {
    RowJob common{.runs = runs(), .asWritten = asWritten_, .epsilon = epsilon_};
    if (affineOf_ == AffineOf::members) {
      common.scale = affine.scale;
      common.bias = affine.bias;
    }
    const std::size_t grain = std::max<std::size_t>(1, kGrain / common.runs.count());
    const auto kernel = kernels_->rowOf(common.runs.count());
    team.forRanges(groups_.outerCount(), grain, [&](std::size_t begin, std::size_t end, unsigned) {
      RowJob job = common;
      for (std::size_t g = begin; g < end; ++g) {
        const std::size_t offset = groups_.outerOffset(g) * elementBytes_;
        job.x = x + offset;
        job.y = y + offset;
        if (affineOf_ == AffineOf::channels) {
          if (affine.scale) job.uniformScale = loadUnaligned<float>(affine.scale + g % channels_);
          if (affine.bias) job.uniformBias = loadUnaligned<float>(affine.bias + g % channels_);
        }
        kernel(job);
      }
    });
  }

  void runColumns(Team& team, const std::byte* x, std::byte* y, const ScaleAndBias::Pointers& affine) const {
    constexpr std::size_t kWidth = 64;  // columns per chunk
    const std::size_t blocks = divideUp(groups_.columns, kWidth), members = groups_.members.size() * groups_.runLength;
    const std::size_t grain = std::max<std::size_t>(1, kGrain / (members * std::min(kWidth, groups_.columns)));
    team.forRanges(groups_.outerCount() * blocks, grain, [&](std::size_t begin, std::size_t end, unsigned) {
      ColumnJob job{.runs = runs(), .asWritten = asWritten_, .epsilon = static_cast<float>(epsilon_)};
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t column = i % blocks * kWidth;
        const std::size_t offset = (groups_.outerOffset(i / blocks) + column) * elementBytes_;
        job.x = x + offset;
        job.y = y + offset;
        job.columns = std::min(kWidth, groups_.columns - column);
        const bool isOfColumns = affineOf_ == AffineOf::channels;
        (isOfColumns ? job.columnScale : job.memberScale) = affine.scale && isOfColumns ? affine.scale + column : affine.scale;
        (isOfColumns ? job.columnBias : job.memberBias) = affine.bias && isOfColumns ? affine.bias + column : affine.bias;
        kernels_->columns(job);
      }
    });
  }

  const NormalizationKernels* kernels_;
  Slot input_, output_;
  NormalizationGroups groups_;
  ScaleAndBias affine_;
  AffineOf affineOf_;
  std::size_t channels_;
  double epsilon_;
  bool asWritten_;
  std::size_t elementBytes_;
};

// Mean, factor and bias of each channel, for y = (x - mean) * factor + bias.
struct ChannelStatistics {
  ParameterSource mean, variance, scale, bias;
  double epsilon = 0;

  bool isConstant() const { return mean.isConstant() && variance.isConstant() && scale.isConstant() && bias.isConstant(); }

  struct Channel {
    double mean, factor, bias;
  };
  Channel at(const Frame* frame, std::size_t i) const {
    const auto value = [&](const ParameterSource& source, double absent) {
      return source.isPresent() ? source.value(source.bytes(frame), i) : absent;
    };
    return {value(mean, 0), value(scale, 1) / std::sqrt(value(variance, 1) + epsilon), value(bias, 0)};
  }

  // Writes `count` means, then factors, then biases as floats. Returns whether the magnitudes of means and factors are safe for
  // float32 arithmetic.
  bool write(const Frame* frame, std::size_t count, float* to) const {
    bool fits = true;
    RunWatch watch;
    for (std::size_t i = 0; i < count && !watch.isOver(1); ++i) {
      const Channel channel = at(frame, i);
      const double size = std::fabs(channel.factor);
      fits = fits && std::fabs(channel.mean) < 1e30 && size < 1e30 && (size > 1e-30 || size == 0);
      to[i] = static_cast<float>(channel.mean);
      to[count + i] = static_cast<float>(channel.factor);
      to[2 * count + i] = static_cast<float>(channel.bias);
    }
    return fits;
  }
};

// A tensor viewed as [outer, channels, inner].
struct ChannelShape {
  std::size_t outer = 1, channels = 1, inner = 1;

  ChannelShape(const Shape& shape, std::size_t axis) : channels(shape[axis]) {
    for (std::size_t i = 0; i < axis; ++i) outer *= shape[i];
    for (std::size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
  }
};

// Normalizes in double. Called if the magnitudes of means and factors are not safe for float32 arithmetic
// (ChannelStatistics::write()).
void runExactly(const Frame& frame, const ChannelStatistics& statistics, const ChannelShape& shape, DataType type,
                const std::byte* x, std::byte* y) {
  RunWatch watch;
  for (std::size_t plane = 0; plane < shape.outer * shape.channels; ++plane) {
    const ChannelStatistics::Channel channel = statistics.at(&frame, plane % shape.channels);
    for (std::size_t i = plane * shape.inner; i < (plane + 1) * shape.inner; ++i) {
      if (watch.isOver(1)) return;
      if (type == DataType::float16) {
        const auto value = static_cast<double>(Half::fromBits(loadUnaligned<std::uint16_t>(x + 2 * i)));
        storeUnaligned(y + 2 * i, Half((value - channel.mean) * channel.factor + channel.bias).bits());
      } else {
        const auto value = static_cast<double>(loadUnaligned<float>(x + 4 * i));
        storeUnaligned(y + 4 * i, static_cast<float>((value - channel.mean) * channel.factor + channel.bias));
      }
    }
  }
}

// Normalizes nhwc rows, in which each element has the statistics of its own channel. Rows longer than the grain are split.
void runChannelsLast(Team& team, const NormalizationKernels& kernels, const ChannelShape& shape, const AffineJob& all,
                     std::size_t elementBytes) {
  const std::size_t width = std::min(shape.channels, kGrain), pieces = divideUp(shape.channels, width);
  team.forRanges(
      shape.outer * pieces, std::max<std::size_t>(1, kGrain / width), [&](std::size_t begin, std::size_t end, unsigned) {
        for (std::size_t i = begin; i < end; ++i) {
          const std::size_t channel = i % pieces * width, offset = (i / pieces * shape.channels + channel) * elementBytes;
          kernels.affine({static_cast<const std::byte*>(all.x) + offset, static_cast<std::byte*>(all.y) + offset,
                          std::min(width, shape.channels - channel), all.mean + channel, all.scale + channel,
                          all.bias + channel});
        }
      });
}

// Normalizes nchw planes, each with the statistics of its channel.
void runPlanes(Team& team, const NormalizationKernels& kernels, const ChannelShape& shape, const AffineJob& all,
               std::size_t elementBytes) {
  const std::size_t width = std::min(shape.inner, kGrain), pieces = divideUp(shape.inner, width);
  const std::size_t count = shape.outer * shape.channels * pieces;
  team.forRanges(count, std::max<std::size_t>(1, kGrain / width), [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t plane = i / pieces, at = i % pieces * width, channel = plane % shape.channels;
      const std::size_t offset = (plane * shape.inner + at) * elementBytes;
      kernels.uniformAffine({static_cast<const std::byte*>(all.x) + offset, static_cast<std::byte*>(all.y) + offset,
                             std::min(width, shape.inner - at), all.mean + channel, all.scale + channel, all.bias + channel});
    }
  });
}

std::string description(std::string_view name, std::string_view how, DataType type, const Planner& planner) {
  return formatText("{} {} {} {}", name, how, webnn::name(type), cpu::name(withoutTiles(planner.isa())));
}

// A normalization of groups. If `channel` is set, scale and bias have one value per index of that dimension, otherwise one per
// member of a group.
struct GroupNormalization {
  std::string_view name;
  const Operand& input;
  const std::vector<std::uint32_t>& axes;
  const std::optional<Operand>&scale, &bias;
  std::optional<std::uint32_t> channel;
  double epsilon = 0;
  bool asWritten = false;
};

StepPtr planGroups(const GroupNormalization& op, Planner& planner) {
  const Shape& shape = op.input.shape();
  const DataType type = op.input.dataType();
  const auto groupsOf = [&] {
    if (!op.channel) return NormalizationGroups(shape, op.axes);
    // If planes have one element, the batch and channel dimensions are adjacent. asColumns() would merge them, so that a column
    // would not be a channel.
    const bool isRows = *op.channel == 1 || shape[1] * shape[2] == 1;
    return isRows ? NormalizationGroups::asRows(shape, op.axes) : NormalizationGroups::asColumns(shape, op.axes);
  };
  NormalizationGroups groups = groupsOf();
  ScaleAndBias affine(op.scale, op.bias, op.channel ? std::vector<std::uint32_t>() : memberOrder(shape, op.axes), planner);
  std::string text = description(op.name, groups.columns == 0 ? "rows" : "columns", type, planner);
  return makeStep(std::move(text), NormalizeGroups(planner.slot(op.input), std::move(groups), std::move(affine),
                                                   op.channel ? AffineOf::channels : AffineOf::members,
                                                   op.channel ? shape[*op.channel] : 1, op.epsilon, type, op.asWritten, planner));
}

}  // namespace

StepPtr plan(const ops::BatchNormalization& op, Planner& planner) {
  const DataType type = op.input.dataType();
  const ChannelShape shape(op.input.shape(), op.options.axis);
  ChannelStatistics statistics{ParameterSource(op.mean, planner), ParameterSource(op.variance, planner),
                               ParameterSource(op.options.scale, planner), ParameterSource(op.options.bias, planner),
                               op.options.epsilon};
  const std::size_t bytes = 3 * shape.channels * sizeof(float);
  float* kept = nullptr;
  Slot scratch;
  bool keptFits = false;
  if (statistics.isConstant()) {
    kept = reinterpret_cast<float*>(planner.keep(bytes));
    keptFits = statistics.write(nullptr, shape.channels, kept);
  } else {
    scratch = planner.scratch(bytes);
    statistics.mean.readInRuns(op.mean, planner);
    statistics.variance.readInRuns(op.variance, planner);
    statistics.scale.readInRuns(op.options.scale, planner);
    statistics.bias.readInRuns(op.options.bias, planner);
  }
  if (!keptFits) {
    statistics.mean.readInRuns(op.mean, planner);
    statistics.variance.readInRuns(op.variance, planner);
    statistics.scale.readInRuns(op.options.scale, planner);
    statistics.bias.readInRuns(op.options.bias, planner);
  }
  const NormalizationKernels& kernels = normalizationKernels(planner.isa(), type == DataType::float16);
  return makeStep(description("batchNormalization", kept ? "constant" : "dynamic", type, planner),
                  [=, &kernels, input = planner.slot(op.input), output = planner.output()](const Frame& frame) {
                    float* values = kept ? kept : frame.out<float>(scratch);
                    const bool fits = kept ? keptFits : statistics.write(&frame, shape.channels, values);
                    if (!fits)
                      return runExactly(frame, statistics, shape, type, frame.in<std::byte>(input), frame.out<std::byte>(output));
                    const AffineJob all{frame.in<std::byte>(input), frame.out<std::byte>(output), 0, values,
                                        values + shape.channels,    values + 2 * shape.channels};
                    (shape.inner == 1 ? runChannelsLast : runPlanes)(frame.team, kernels, shape, all, elementBytes(type));
                  });
}

StepPtr plan(const ops::InstanceNormalization& op, Planner& planner) {
  const bool nchw = op.options.layout == InputOperandLayout::nchw;
  const std::vector<std::uint32_t> axes = nchw ? std::vector<std::uint32_t>{2, 3} : std::vector<std::uint32_t>{1, 2};
  return planGroups({.name = "instanceNormalization",
                     .input = op.input,
                     .axes = axes,
                     .scale = op.options.scale,
                     .bias = op.options.bias,
                     .channel = nchw ? 1U : 3U,
                     .epsilon = op.options.epsilon},
                    planner);
}

StepPtr plan(const ops::LayerNormalization& op, Planner& planner) {
  return planGroups({.name = "layerNormalization",
                     .input = op.input,
                     .axes = *op.options.axes,
                     .scale = op.options.scale,
                     .bias = op.options.bias,
                     .channel = std::nullopt,
                     .epsilon = op.options.epsilon},
                    planner);
}

StepPtr plan(const WrittenNormalization& op, Planner& planner) {
  return planGroups({.name = "writtenNormalization",
                     .input = op.input,
                     .axes = op.axes,
                     .scale = op.scale,
                     .bias = op.bias,
                     .channel = op.isOfChannels ? std::optional(op.channel()) : std::nullopt,
                     .epsilon = static_cast<double>(op.epsilon),
                     .asWritten = true},
                    planner);
}

StepPtr plan(const RowNormalization& op, Planner& planner) {
  const DataType type = op.input.dataType();
  const std::size_t count = op.input.shape().back(), rows = elementCount(op.input.descriptor()) / count;
  const NormalizationKernels& kernels = normalizationKernels(planner.isa(), type == DataType::float16);
  const ScaleAndBias parameters(op.scale, op.bias, {}, planner);
  const Slot input = planner.slot(op.input), residual = op.residual ? planner.slot(*op.residual) : Slot{};
  const Slot output = planner.output();
  const bool hasResidual = op.residual.has_value(), rms = op.rms, asWritten = op.asWritten || op.rms;
  const double epsilon = op.epsilon;
  std::string text = description(rms ? "rmsNormalization" : "rowNormalization", hasResidual ? "of a sum" : "rows", type, planner);
  return makeStep(std::move(text), [=, &kernels](const Frame& frame) {
    const ScaleAndBias::Pointers affine = parameters.prepare(frame);
    const std::size_t rowBytes = count * elementBytes(type);
    const auto* x = frame.in<std::byte>(input);
    const auto* r = hasResidual ? frame.in<std::byte>(residual) : nullptr;
    auto* y = frame.out<std::byte>(output);
    const std::size_t offset = 0;
    const RowJob common{.runs = {&offset, 1, count, 1},
                        .scale = affine.scale,
                        .bias = affine.bias,
                        .rms = rms,
                        .asWritten = asWritten,
                        .epsilon = epsilon};
    const auto kernel = kernels.rowOf(count);
    frame.team.forRanges(rows, std::max<std::size_t>(1, kGrain / count), [&](std::size_t begin, std::size_t end, unsigned) {
      RowJob job = common;
      for (std::size_t i = begin; i < end; ++i) {
        job.x = x + i * rowBytes;
        job.y = y + i * rowBytes;
        job.residual = hasResidual ? r + i * rowBytes : nullptr;
        kernel(job);
      }
    });
  });
}

}  // namespace webnn::cpu
