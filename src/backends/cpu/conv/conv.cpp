#include "backends/cpu/conv/conv.h"

#include <algorithm>
#include <cmath>

#include "backends/cpu/conv/conv_direct.h"
#include "backends/cpu/conv/conv_epilogue.h"
#include "backends/cpu/conv/conv_gemm.h"
#include "backends/cpu/conv/conv_images.h"
#include "backends/cpu/conv/conv_kernel.h"
#include "backends/cpu/elements/fused_elementwise.h"
#include "base/files/file.h"
#include "base/text.h"
#include "base/unset_vector.h"

namespace webnn::cpu {

namespace {

std::size_t bytesOf(std::size_t floats) { return aligned(floats * sizeof(float)); }

// Runs a convolution kernel as a step. Holds the tensors' slots, and converts tensors to and from the kernel's format: float32
// with channels last.
struct ConvStep {
  ConvKernelPtr kernel;
  ConvKernelPtr direct;  // used if a filter that is not constant is not finite (isFinite()), and outputs read padding
  const ConvKernels* helpers = nullptr;
  ImageFormat inputFormat, outputFormat;
  FilterStrides filterStrides;
  DataType type = DataType::float32;
  std::size_t filterElements = 0, biasElements = 0;
  Slot input, output, addend, filter, bias, scratch;
  bool hasAddend = false, hasBias = false;
  const std::byte* packed = nullptr;  // null: each run packs the filter, unless it uses `direct`
  const float* keptBias = nullptr;    // null: each run reads the bias operand
  std::size_t outputStride = 0;
  std::shared_ptr<const TileProgram> program;  // null: the kernel applies the whole epilogue
  unsigned threads = 1;

  // The sizes in bytes of the parts of the scratch memory, in their order.
  std::size_t inputBytes() const { return inputFormat.isPlain() ? 0 : bytesOf(inputFormat.elements()); }
  std::size_t outputBytes() const { return outputFormat.isPlain() ? 0 : bytesOf(outputFormat.elements()); }
  std::size_t biasBytes() const { return hasBias && !keptBias && type == DataType::float16 ? bytesOf(biasElements) : 0; }
  std::size_t filterBytes() const { return !packed && type == DataType::float16 ? bytesOf(filterElements) : 0; }
  std::size_t packedBytes() const { return packed ? 0 : aligned(kernel->packedBytes()) + aligned(kernel->packScratchBytes()); }
  std::size_t programBytes() const { return program ? program->scratchBytes() * threads : 0; }
  std::size_t scratchBytes() const {
    return inputBytes() + outputBytes() + biasBytes() + filterBytes() + packedBytes() + programBytes() + kernel->scratchBytes();
  }

  struct RunningProgram {
    const TileProgram& program;
    const Frame& frame;
    std::byte* scratch;
    static void run(const void* context, std::size_t row, std::size_t rows, std::size_t column, std::size_t columns, float* c,
                    std::size_t rowStride, unsigned worker) {
      const auto& self = *static_cast<const RunningProgram*>(context);
      self.program.run(self.frame, row, rows, column, columns, c, rowStride, self.scratch + worker * self.program.scratchBytes());
    }
  };

  // Converts float16 to float32. Stops early if the run is cancelled or out of time.
  static void widen(const ConvKernels& helpers, const std::uint16_t* from, float* to, std::size_t count, Team& team) {
    constexpr std::size_t kGrain = std::size_t{1} << 16;
    team.forRanges(count, kGrain, [&](std::size_t begin, std::size_t end, unsigned) {
      if (!isRunOver()) helpers.fromHalf(from + begin, to + begin, end - begin);
    });
  }

  void operator()(const Frame& frame) const {
    auto* free = frame.out<std::byte>(scratch);
    const auto take = [&](std::size_t bytes) {
      std::byte* taken = free;
      free += bytes;
      return taken;
    };
    const auto floats = [&](Slot slot, std::size_t elements, std::size_t bytes) -> const float* {
      if (type == DataType::float32) return frame.in<float>(slot);
      auto* to = reinterpret_cast<float*>(take(bytes));
      widen(*helpers, frame.in<std::uint16_t>(slot), to, elements, frame.team);
      return to;
    };
    ConvCall call;
    call.outputStride = outputStride;
    call.input = frame.in<float>(input);
    if (!inputFormat.isPlain()) {
      auto* images = reinterpret_cast<float*>(take(inputBytes()));
      readImages(*helpers, frame.team, inputFormat, frame.in<std::byte>(input), images);
      call.input = images;
    }
    call.output = outputFormat.isPlain() ? frame.out<float>(output) : reinterpret_cast<float*>(take(outputBytes()));
    if (hasBias) call.bias = keptBias ? keptBias : floats(bias, biasElements, biasBytes());
    if (hasAddend) call.addend = frame.in<float>(addend);
    call.packed = packed;
    if (!packed || kernel->readsFilter()) call.filter = {frame.in<std::byte>(filter), type == DataType::float16, filterStrides};
    const bool isDirect = !packed && direct && !isFinite(call.filter, filterElements);
    if (!packed && !isDirect) {
      const float* values = floats(filter, filterElements, filterBytes());
      std::byte* to = take(aligned(kernel->packedBytes()));
      kernel->pack(frame.team, values, filterStrides, to, take(aligned(kernel->packScratchBytes())));
      call.packed = to;
    }
    const ConvKernel& chosen = isDirect ? *direct : *kernel;
    if (program) {
      const RunningProgram running{*program, frame, take(programBytes())};
      call.epilogue = {RunningProgram::run, &running};
      call.scratch = free;
      chosen.run(frame.team, call);
    } else {
      call.scratch = free;
      chosen.run(frame.team, call);
    }
    if (!outputFormat.isPlain()) writeImages(*helpers, frame.team, outputFormat, call.output, frame.out<std::byte>(output));
  }
};

UnsetVector<float> constantFloats(const Operand& constant, const ConvKernels& helpers, Planner& planner) {
  const std::span<const std::byte> bytes = planner.constantBytes(constant);
  UnsetVector<float> values(elementCount(constant.descriptor()));
  if (constant.dataType() == DataType::float16) {
    ConvStep::widen(helpers, reinterpret_cast<const std::uint16_t*>(bytes.data()), values.data(), values.size(), singleThread());
  } else {
    std::memcpy(values.data(), bytes.data(), bytes.size());
  }
  return values;
}

// Returns the key of the packed filter. The image's size is not part of the key, so that graphs for other sizes share the filter.
PackKey packKeyOf(const ConvStep& step, const Operand& filter, const ConvPhases& phases) {
  PackKey key{step.kernel->name(), {keyOf(filter)}, {static_cast<std::size_t>(step.type)}};
  addStrides(key, step.filterStrides);
  for (const ConvPhase& phase : phases.phases) addTaps(key, phase.shape);
  step.kernel->addPacking(key);
  return key;
}

void packConstant(ConvStep& step, const Operand& filter, const ConvPhases& phases, Planner& planner) {
  step.packed = planner.packWeights(step.kernel->packedBytes(), packKeyOf(step, filter, phases), [&](std::byte* packed) {
    UnsetVector<float> values;
    const auto* from = reinterpret_cast<const float*>(planner.constantBytes(filter).data());
    if (step.type == DataType::float16) {
      values = constantFloats(filter, *step.helpers, planner);
      from = values.data();
    }
    UnsetVector<std::byte> scratch(step.kernel->packScratchBytes() + 64);
    planner.withTeam([&](Team& team) {
      step.kernel->pack(team, from, step.filterStrides, packed, scratch.data() + paddingAt(scratch.data()));
    });
    if (step.kernel->readsFilter()) releaseMappedPages(filter.record().bytes);  // runs seldom read the unpacked filter
  });
}

RawFilter rawFilter(const auto& op, Planner& planner) {
  return {planner.constantBytes(op.filter).data(), op.filter.dataType() == DataType::float16, filterStrides(op)};
}

// Returns compute(), a number that depends only on the contents of `key`. The number is stored like packed weights, so that
// graphs for other image sizes share it.
float sharedNumber(PackKey key, Planner& planner, FunctionRef<float()> compute) {
  return *reinterpret_cast<const float*>(planner.packWeights(sizeof(float), std::move(key), [&](std::byte* to) {
    const float number = compute();
    std::memcpy(to, &number, sizeof(float));
  }));
}

// Returns the properties of a filter. Computes its peak (the greatest magnitude) only if `needsPeak` and the filter is constant;
// otherwise the peak is 0.
KnownFilter knownFilter(const auto& op, bool needsPeak, Planner& planner) {
  if (!isConstant(op.filter) || !needsPeak) return {isConstant(op.filter)};
  PackKey key{"peak", {keyOf(op.filter)}, {static_cast<std::size_t>(op.filter.dataType())}};
  const auto compute = [&] { return peakOf(rawFilter(op, planner), elementCount(op.filter.descriptor())); };
  return {true, sharedNumber(std::move(key), planner, compute)};
}

KnownFilter knownFilter(const ops::Conv2d& op, const ConvShape& shape, Planner& planner) {
  const bool isWinograd = winogradOutputs(shape) > 0;
  KnownFilter known = knownFilter(op, readsPadding(shape) || isWinograd, planner);
  if (!known.isConstant || !isWinograd) return known;
  PackKey key{"suits Winograd", {keyOf(op.filter)}, {static_cast<std::size_t>(op.filter.dataType())}};
  addStrides(key, filterStrides(op));
  addTaps(key, shape);
  const auto compute = [&] { return suitsWinograd(shape, rawFilter(op, planner), known.peak) ? 1.0F : 0.0F; };
  known.suitsWinograd = sharedNumber(std::move(key), planner, compute) != 0;
  return known;
}

ImageFormat formatOf(const Operand& image, InputOperandLayout layout) {
  const ops::ImageAxes axes = ops::axesOf(layout);
  const Shape& shape = image.shape();
  return {image.dataType(), layout, shape[axes.batch], std::size_t{shape[axes.height]} * shape[axes.width], shape[axes.channel]};
}

// Completes a step whose kernel and epilogue are already chosen.
StepPtr planPacked(ConvStep step, const auto& op, const ConvPhases& phases, Planner& planner) {
  step.helpers = &convKernels(planner.isa());
  step.type = op.input.dataType();
  step.filterStrides = filterStrides(op);
  step.inputFormat = formatOf(op.input, op.options.inputLayout);
  step.outputFormat = formatOf(planner.outputOperand(), op.options.inputLayout);
  step.filterElements = elementCount(op.filter.descriptor());
  step.biasElements = step.outputFormat.channels;
  step.input = planner.slot(op.input);
  step.output = planner.output();
  step.outputStride = step.outputFormat.isPlain() ? planner.outputStride() : step.outputFormat.channels;
  step.threads = planner.threads();
  if (isConstant(op.filter) && step.kernel->packedBytes() > 0) packConstant(step, op.filter, phases, planner);
  if (!isConstant(op.filter) || step.kernel->readsFilter()) step.filter = planner.slot(op.filter);
  step.hasBias = op.options.bias.has_value();
  if (step.hasBias && isConstant(*op.options.bias)) {
    const Operand& bias = *op.options.bias;
    PackKey key{"bias", {keyOf(bias)}, {static_cast<std::size_t>(bias.dataType())}};
    const std::size_t bytes = elementCount(bias.descriptor()) * sizeof(float);
    step.keptBias = reinterpret_cast<const float*>(planner.packWeights(bytes, std::move(key), [&](std::byte* to) {
      std::memcpy(to, constantFloats(bias, *step.helpers, planner).data(), bytes);
    }));
  } else if (step.hasBias) {
    step.bias = planner.slot(*op.options.bias);
  }
  step.scratch = planner.scratch(step.scratchBytes());
  const Shape& filter = op.filter.shape();
  std::string kernels = step.kernel->kernelText();
  if (kernels.empty()) kernels = cpu::name(withoutTiles(planner.isa()));
  std::string description = formatText("convolution {} {} [{}, {}, {}, {}] {}", step.kernel->name(), name(step.type), filter[0],
                                       filter[1], filter[2], filter[3], kernels);
  return makeStep(std::move(description), std::move(step));
}

StepPtr planConvolution(const ops::Conv2d& op, const Epilogue& epilogue, Planner& planner) {
  const Operand& output = planner.outputOperand();
  std::optional<ConvActivation> activation = activationOf(epilogue.program, output.dataType() == DataType::float16);
  if (activation && activation->adds && epilogue.operands[0].descriptor() != output.descriptor()) activation.reset();
  ConvStep step;
  if (!activation) {
    step.program = std::make_shared<const TileProgram>(epilogue, output.descriptor(), planner);
    activation.emplace();
  }
  ConvShape shape = shapeOf(op);
  // Depthwise kernels skip taps on padding themselves.
  if (!shape.isDepthwise() && !shape.hasSmallGroups()) shape = withoutPaddedTaps(std::move(shape));
  const ConvContext context{planner.isa(), planner.threads(), planner.caches(), *activation, planner.precision()};
  step.kernel = chooseConv(shape, context, knownFilter(op, shape, planner));
  if (!isConstant(op.filter) && readsPadding(shape)) step.direct = makeDirectConv(phasesOf(shape), context);
  step.hasAddend = activation->adds;
  if (step.hasAddend) step.addend = planner.slot(epilogue.operands[0]);
  return planPacked(std::move(step), op, phasesOf(shape), planner);
}

// Returns the cost of a multiply-add in a GEMM, relative to a float32 multiply-add on vectors.
double productCost(const ConvShape& shape, const ConvContext& context) {
  const Product product = productOf(shape, shape.imagePixels(), context.precision);
  if (product.type == ProductType::bf16) return hasBf16Dots(context.isa) ? 0.55 : 1;
  return hasTiles(kernelIsa(context.isa, product)) ? 0.65 : 1;
}

}  // namespace

ConvKernelPtr chooseConv(const ConvShape& shape, const ConvContext& context, const KnownFilter& filter) {
  if (!std::isfinite(filter.peak) && readsPadding(shape)) return makeDirectConv(phasesOf(shape), context);
  if (shape.isDepthwise() || shape.hasSmallGroups()) return makeDepthwiseConv(shape, context);
  // A Winograd transform adds the weights of a filter, so that the rounding error of a huge weight would spoil the small weights.
  constexpr float kHuge = 1 << 20;
  const bool takesWinograd = filter.isConstant && filter.peak <= kHuge && filter.suitsWinograd;
  const std::size_t outputs = takesWinograd ? winogradOutputs(shape, productCost(shape, context)) : 0;
  if (outputs > 0) return makeWinogradConv(shape, context, outputs);
  return makeGemmConv(shape, context);
}

StepPtr plan(const ops::Conv2d& op, Planner& planner) { return planConvolution(op, {}, planner); }

StepPtr plan(const Convolution& op, Planner& planner) { return planConvolution(op.conv, op.epilogue, planner); }

StepPtr plan(const ops::ConvTranspose2d& op, Planner& planner) {
  ConvStep step;
  const ConvPhases phases = phasesOf(op, planner.outputOperand().shape());
  const ConvContext context{planner.isa(), planner.threads(), planner.caches(), {}};
  const bool padded = std::ranges::any_of(phases.phases, [](const ConvPhase& phase) { return readsPadding(phase.shape); });
  const bool isDirect = !std::isfinite(knownFilter(op, padded, planner).peak);
  step.kernel = isDirect ? makeDirectConv(phases, context) : makeTransposedConv(phases, context);
  if (padded && !isConstant(op.filter)) step.direct = makeDirectConv(phases, context);
  return planPacked(std::move(step), op, phases, planner);
}

}  // namespace webnn::cpu
