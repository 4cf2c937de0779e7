#include "backends/cpu/conv/conv_direct.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "backends/cpu/runtime/step.h"

namespace webnn::cpu {

namespace {

// Returns the input position of tap t of output i; negative if it is on padding.
std::int64_t placeOf(const ConvAxis& axis, std::size_t i, std::size_t t) {
  const std::int64_t place = static_cast<std::int64_t>(i * axis.step) + axis.offsets[t];
  return place < static_cast<std::int64_t>(axis.size) ? place : -1;
}

double sumOf(const ConvShape& shape, const ConvCall& call, const DirectPixel& pixel, std::size_t output) {
  const FilterStrides& strides = call.filter.strides;
  const std::size_t group = output / shape.groupOutputs(), inputs = shape.groupInputs();
  const std::size_t filter = group * strides.group + output % shape.groupOutputs() * strides.output;
  double sum = call.bias ? static_cast<double>(loadUnaligned<float>(call.bias + output)) : 0;
  RunWatch watch;
  for (std::size_t ty = 0; ty < shape.height.tapCount(); ++ty) {
    const std::int64_t y = placeOf(shape.height, pixel.y, ty);
    for (std::size_t tx = 0; y >= 0 && !watch.isOver(inputs) && tx < shape.width.tapCount(); ++tx) {
      const std::int64_t x = placeOf(shape.width, pixel.x, tx);
      if (x < 0) continue;
      const std::size_t at = (pixel.image * shape.height.size + static_cast<std::size_t>(y)) * shape.width.size;
      const float* from = call.input + (at + static_cast<std::size_t>(x)) * shape.inputs + group * inputs;
      const std::size_t tap = filter + shape.height.taps[ty] * strides.height + shape.width.taps[tx] * strides.width;
      for (std::size_t i = 0; i < inputs; ++i) {
        sum += call.filter.at(tap + i * strides.input) * static_cast<double>(loadUnaligned<float>(from + i));
      }
    }
  }
  return sum;
}

// Computes a convolution phase by phase (see ConvPhase). A convolution that is not transposed has one phase.
class DirectConv final : public ConvKernel {
 public:
  DirectConv(ConvPhases phases, const ConvContext& context) : phases_(std::move(phases)), context_(context) {}

  std::string_view name() const override { return "direct"; }
  std::size_t packedBytes() const override { return 0; }
  void pack(Team&, const float*, const FilterStrides&, std::byte*, std::byte*) const override {}
  std::size_t scratchBytes() const override { return 0; }
  bool readsFilter() const override { return true; }

  void run(Team& team, const ConvCall& call) const override {
    if (!phases_.isComplete) runPhase(team, call, untouched());
    for (const ConvPhase& phase : phases_.phases) runPhase(team, call, phase);
  }

 private:
  // Returns a phase of all output pixels, without taps. It sets all pixels to the bias, before the other phases overwrite their
  // pixels.
  ConvPhase untouched() const {
    ConvPhase phase{phases_.phases.empty() ? ConvShape{} : phases_.phases[0].shape};
    phase.shape.batch = phases_.batch;
    phase.shape.outputs = phases_.outputs;
    phase.shape.height = {.size = 0, .count = phases_.height, .offsets = {}, .taps = {}};
    phase.shape.width = {.size = 0, .count = phases_.width, .offsets = {}, .taps = {}};
    return phase;
  }

  void runPhase(Team& team, const ConvCall& call, const ConvPhase& phase) const {
    const ConvShape& shape = phase.shape;
    const bool isSpread = shape.height.count < phases_.height || shape.width.count < phases_.width;
    const std::size_t rowStep = isSpread ? phases_.rowStep : 1, columnStep = isSpread ? phases_.columnStep : 1;
    team.forEach(shape.batch * shape.height.count, [&](std::size_t line, unsigned worker) {
      const std::size_t image = line / shape.height.count, y = line % shape.height.count;
      const std::size_t row = (image * phases_.height + phase.firstRow + y * rowStep) * phases_.width + phase.firstColumn;
      RunWatch watch;
      for (std::size_t x = 0; x < shape.width.count && !watch.isOver(shape.depth() * shape.outputs); ++x) {
        const std::size_t pixel = row + x * columnStep;
        computeDirectly(
            shape, context_.activation, call,
            {image, y, x, call.addend ? call.addend + pixel * shape.outputs : nullptr, call.output + pixel * call.outputStride});
      }
      if (!call.epilogue.run) return;
      call.epilogue.run(call.epilogue.context, row, shape.width.count, 0, shape.outputs, call.output + row * call.outputStride,
                        call.outputStride, worker);
    });
  }

  ConvPhases phases_;
  ConvContext context_;
};

}  // namespace

double RawFilter::at(std::size_t i) const {
  if (isHalf) return static_cast<double>(Half::fromBits(loadUnaligned<std::uint16_t>(bytes + 2 * i)));
  return static_cast<double>(loadUnaligned<float>(bytes + 4 * i));
}

void computeDirectly(const ConvShape& shape, const ConvActivation& activation, const ConvCall& call, const DirectPixel& pixel) {
  RunWatch watch;
  for (std::size_t o = 0; o < shape.outputs && !watch.isOver(shape.depth()); ++o) {
    auto value = static_cast<float>(sumOf(shape, call, pixel, o));
    if (activation.adds) value += loadUnaligned<float>(pixel.addend + o);
    if (value < activation.range.minimum) value = activation.range.minimum;  // keeps NaN
    if (value > activation.range.maximum) value = activation.range.maximum;
    storeUnaligned(pixel.to + o, value);
  }
}

bool readsPadding(const ConvShape& shape) {
  const auto leaves = [](const ConvAxis& axis) {
    for (const std::int64_t offset : axis.offsets) {
      const ConvAxis::Range inside = axis.inside(offset);
      if (inside.begin > 0 || inside.end < axis.count) return true;
    }
    return false;
  };
  return leaves(shape.height) || leaves(shape.width);
}

namespace {

// The smallest float that becomes infinite in bfloat16.
constexpr float kRoundsToInfinity = 0x1.FFp127F;

// Calls visit(begin, end) for consecutive parts of [0, elements). Stops early if the run is cancelled or out of time.
void inParts(std::size_t elements, auto visit) {
  constexpr std::size_t kPart = std::size_t{1} << 20;
  for (std::size_t i = 0; i < elements && (i == 0 || !isRunOver()); i += kPart) visit(i, std::min(i + kPart, elements));
}

}  // namespace

float peakOf(const RawFilter& filter, std::size_t elements) {
  std::uint32_t peak = 0;  // magnitudes are ordered like their bits; NaN is the greatest
  inParts(elements, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t bits = filter.isHalf ? loadUnaligned<std::uint16_t>(filter.bytes + 2 * i) & 0x7FFFU
                                               : loadUnaligned<std::uint32_t>(filter.bytes + 4 * i) & 0x7FFFFFFFU;
      peak = bits > peak ? bits : peak;
    }
  });
  const float value = filter.isHalf ? static_cast<float>(static_cast<double>(Half::fromBits(static_cast<std::uint16_t>(peak))))
                                    : std::bit_cast<float>(peak);
  return value < kRoundsToInfinity ? value : std::numeric_limits<float>::infinity();
}

bool isFinite(const RawFilter& filter, std::size_t elements) {
  // Added to the bits of a magnitude, this carries into the sign bit if the magnitude is kRoundsToInfinity or more.
  constexpr std::uint32_t kCarry = 0x80000000U - std::bit_cast<std::uint32_t>(kRoundsToInfinity);
  std::uint32_t carry = 0;
  inParts(elements, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      carry |= filter.isHalf ? ((loadUnaligned<std::uint16_t>(filter.bytes + 2 * i) & 0x7FFFU) + 0x0400U) << 16
                             : (loadUnaligned<std::uint32_t>(filter.bytes + 4 * i) & 0x7FFFFFFFU) + kCarry;
    }
  });
  return carry >> 31 == 0;
}

ConvPhases phasesOf(const ConvShape& shape) {
  return {.phases = {{shape}},
          .batch = shape.batch,
          .outputs = shape.outputs,
          .height = shape.height.count,
          .width = shape.width.count};
}

ConvKernelPtr makeDirectConv(ConvPhases phases, const ConvContext& context) {
  return std::make_shared<const DirectConv>(std::move(phases), context);
}

}  // namespace webnn::cpu
