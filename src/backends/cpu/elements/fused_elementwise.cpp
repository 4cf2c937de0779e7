#include "backends/cpu/elements/fused_elementwise.h"

#include <algorithm>

#include "backends/cpu/simd/bytes/quantize.h"
#include "base/divide_up.h"
#include "base/text.h"

namespace webnn::cpu {

namespace {

constexpr double kGrainNanoseconds = 10000;

std::size_t grainOf(double nanosecondsPerItem) {
  return static_cast<std::size_t>(std::max(1.0, kGrainNanoseconds / nanosecondsPerItem));
}

// Runs a single instruction on whole float32 tensors of equal size, with one kernel call per range that a thread takes.
class DirectStep final : public Step {
 public:
  DirectStep(ElementFunction function, const ElementInstruction& instruction, std::array<Slot, 3> operands, Slot output,
             std::size_t n, std::size_t grain)
      : function_(function), operands_(operands), output_(output), n_(n), grain_(grain), instruction_(instruction) {}

  void run(const Frame& frame) const override {
    const auto* a = frame.in<float>(operands_[0]);
    const auto* b = frame.in<float>(operands_[1]);
    const auto* c = frame.in<float>(operands_[2]);
    auto* y = frame.out<float>(output_);
    const float p = instruction_.p, q = instruction_.q;
    if (n_ <= grain_) return function_(a, b, c, y, n_, p, q);
    frame.team.forRanges(n_, grain_, [&](std::size_t begin, std::size_t end, unsigned) {
      function_(a + begin, b + begin, c + begin, y + begin, end - begin, p, q);
    });
  }
  std::string describe() const override { return formatText("{} f32 {}", name(instruction_.code), n_); }

 private:
  ElementFunction function_;
  std::array<Slot, 3> operands_;
  Slot output_;
  std::size_t n_, grain_;
  ElementInstruction instruction_;
};

// Returns whether an instruction quantizes to elements of `type`, the output's type. The types differ if the program casts the
// quantized value, because a cast adds no instruction.
bool quantizesTo(ElementCode code, DataType type) {
  return (code == ElementCode::quantizeInt8 && type == DataType::int8) ||
         (code == ElementCode::quantizeUint8 && type == DataType::uint8);
}

// Stores float results as elements of the output. If the program's last instruction quantizes the result of the instruction
// before it, Store also executes the last instruction.
class Store {
 public:
  Store(Isa isa, const ElementProgram& program, DataType type) {
    const ElementKernels& kernels = elementKernels(isa);
    if (const std::size_t count = program.instructions.size(); count > 1) {
      const ElementInstruction& last = program.instructions.back();
      if (quantizesTo(last.code, type) && last.a + 1U == program.result()) {
        quantize_ = quantizeKernels(isa).quantize[0][quantizedIndex(type)][0];
        scale_ = last.p;
        zeroPoint_ = static_cast<std::uint8_t>(static_cast<std::int32_t>(last.q));
      }
    }
    switch (type) {
      case DataType::float32: store_ = program.empty() ? kernels.storeFloat : nullptr; break;
      case DataType::float16: store_ = kernels.storeHalf; break;
      case DataType::int8: store_ = kernels.storeSignedByte; break;
      default: store_ = kernels.storeByte;
    }
  }

  // Returns the program without its last instruction if write() executes that instruction (a quantization).
  ElementProgram rest(ElementProgram program) const {
    if (quantize_) program.instructions.pop_back();
    return program;
  }
  bool isNeeded() const { return store_ != nullptr; }  // if false, results are computed in the output's memory
  void write(const float* from, std::byte* to, std::size_t n) const {
    if (quantize_) return quantize_(from, &scale_, &zeroPoint_, n, to);
    if (store_) store_(from, to, n);
  }

 private:
  void (*store_)(const float* from, std::byte* to, std::size_t n) = nullptr;
  QuantizeRun quantize_ = nullptr;
  float scale_ = 1;
  std::uint8_t zeroPoint_ = 0;  // the byte of an int8 or uint8 zero point
};

// Runs any program. A tile covers several short rows or a part of a long row.
class FusedElementwiseStep final : public Step {
 public:
  FusedElementwiseStep(const FusedElementwise& op, Planner& planner)
      : store_(planner.isa(), op.program, planner.outputOperand().dataType()),
        tiles_(planner.isa(), store_.rest(op.program), inputsOf(op, planner), planner.outputOperand().shape(), false),
        output_(planner.output()) {
    const DataType type = planner.outputOperand().dataType();
    outputSize_ = bitsPerElement(type) / 8;
    const Broadcast& broadcast = tiles_.broadcast();
    if (broadcast.inner < kTileElements) {
      rows_ = std::min(broadcast.rows, kTileElements / broadcast.inner);
      columns_ = broadcast.inner;
      units_ = divideUp(broadcast.rows, rows_);
    } else {
      pieces_ = divideUp(broadcast.inner, kTileElements);
      columns_ = std::min(kTileElements, (divideUp(broadcast.inner, pieces_) + 15) / 16 * 16);
      units_ = broadcast.rows * pieces_;
    }
    grain_ = grainOf(elementCost(op.program) * static_cast<double>(rows_ * columns_));
    const std::size_t workers = units_ > grain_ ? planner.threads() : 1;
    scratchBytes_ = tiles_.scratchBytes();
    scratch_ = planner.scratch(scratchBytes_ * workers);
    text_ = formatText("{} instructions {} {}", op.program.instructions.size(),
                       type == DataType::float32   ? "f32"
                       : type == DataType::float16 ? "f16"
                       : type == DataType::int8    ? "s8"
                                                   : "u8",
                       broadcast.elements());
  }

  void run(const Frame& frame) const override {
    auto* scratch = frame.out<std::byte>(scratch_);
    frame.team.forRanges(units_, grain_, [&](std::size_t begin, std::size_t end, unsigned worker) {
      runUnits(frame, begin, end, scratch + worker * scratchBytes_);
    });
  }
  std::string describe() const override { return text_; }

 private:
  static std::vector<TileInput> inputsOf(const FusedElementwise& op, Planner& planner) {
    std::vector<TileInput> inputs;
    for (const Operand& operand : op.inputs) inputs.push_back({operand.descriptor(), planner.slot(operand)});
    return inputs;
  }

  void runUnits(const Frame& frame, std::size_t begin, std::size_t end, std::byte* scratch) const {
    const Broadcast& broadcast = tiles_.broadcast();
    ElementTiles::Worker worker = tiles_.begin(frame, scratch, rows_, columns_, pieces_ == 1);
    auto* output = frame.out<std::byte>(output_);
    tiles_.seek(worker, begin / pieces_ * rows_);
    for (std::size_t unit = begin; unit < end; ++unit) {
      const std::size_t row = unit / pieces_ * rows_, rows = std::min(rows_, broadcast.rows - row);
      const std::size_t piece = unit % pieces_, column = piece * columns_, columns = std::min(columns_, broadcast.inner - column);
      std::byte* to = output + (row * broadcast.inner + column) * outputSize_;
      float* result = store_.isNeeded() ? nullptr : reinterpret_cast<float*>(to);
      const float* from = tiles_.run(worker, row, rows, column, columns, nullptr, result, piece + 1 == pieces_);
      store_.write(from, to, rows * columns);
    }
  }

  Store store_;
  ElementTiles tiles_;
  Slot output_, scratch_;
  std::size_t outputSize_ = 4, rows_ = 1, columns_ = 1, pieces_ = 1, units_ = 1, grain_ = 1, scratchBytes_ = 0;
  std::string text_;
};

// Returns a step for programs of one instruction on whole float32 tensors, or null.
StepPtr planDirect(const FusedElementwise& op, Planner& planner) {
  const Operand& output = planner.outputOperand();
  if (op.program.instructions.size() != 1 || output.dataType() != DataType::float32) return nullptr;
  const std::size_t n = elementCount(output.descriptor());
  for (const Operand& input : op.inputs) {
    if (input.dataType() != DataType::float32 || elementCount(input.descriptor()) != n) return nullptr;
  }
  const ElementInstruction& instruction = op.program.instructions[0];
  const std::array<std::uint16_t, 3> at{instruction.a, instruction.b, instruction.c};
  std::array<Slot, 3> slots;
  for (unsigned i = 0; i < 3; ++i) slots[i] = planner.slot(op.inputs[at[i < operandCount(instruction.code) ? i : 0]]);
  return std::make_unique<const DirectStep>(elementFunction(planner.isa(), instruction), instruction, slots, planner.output(), n,
                                            grainOf(elementCost(op.program)));
}

// Returns a step for programs that only quantize a float32 tensor or dequantize to one, or null.
StepPtr planQuantization(const FusedElementwise& op, Planner& planner) {
  const Operand &input = op.inputs[0], &output = planner.outputOperand();
  if (op.program.instructions.size() != 1 || input.shape() != output.shape()) return nullptr;
  const ElementInstruction& only = op.program.instructions[0];
  const bool dequantizes = only.code == ElementCode::dequantize;
  const DataType type = dequantizes ? input.dataType() : output.dataType();
  if (!dequantizes && !quantizesTo(only.code, output.dataType())) return nullptr;
  if ((dequantizes ? output : input).dataType() != DataType::float32) return nullptr;
  const QuantizeKernels& kernels = quantizeKernels(planner.isa());
  const QuantizeRun run = (dequantizes ? kernels.dequantize : kernels.quantize)[0][quantizedIndex(type)][0];
  const std::size_t from = dequantizes ? 1 : sizeof(float), to = dequantizes ? sizeof(float) : 1;
  const Slot x = planner.slot(input), y = planner.output();
  const std::size_t n = elementCount(output.descriptor());
  constexpr std::size_t kGrain = 16384;
  return makeStep(
      formatText("{} {} {} {}", dequantizes ? "dequantize" : "quantize", webnn::name(type), n, cpu::name(planner.isa())),
      [=, scale = only.p, zeroPoint = static_cast<std::uint8_t>(static_cast<std::int32_t>(only.q))](const Frame& frame) {
        frame.team.forRanges(n, kGrain, [&](std::size_t begin, std::size_t end, unsigned) {
          run(frame.in<std::byte>(x) + begin * from, &scale, &zeroPoint, end - begin, frame.out<std::byte>(y) + begin * to);
        });
      });
}

std::vector<TileInput> inputsOf(const Epilogue& epilogue, const OperandDescriptor& output, Planner& planner) {
  std::vector<TileInput> inputs{{.descriptor = {DataType::float32, output.shape}, .slot = {}, .isGiven = true}};
  for (const Operand& operand : epilogue.operands) inputs.push_back({operand.descriptor(), planner.slot(operand)});
  return inputs;
}

}  // namespace

StepPtr plan(const FusedElementwise& op, Planner& planner) {
  if (StepPtr direct = planDirect(op, planner)) return direct;
  if (StepPtr quantization = planQuantization(op, planner)) return quantization;
  return std::make_unique<const FusedElementwiseStep>(op, planner);
}

TileProgram::TileProgram(const Epilogue& epilogue, const OperandDescriptor& output, Planner& planner)
    : isEmpty_(epilogue.empty()),
      tiles_(planner.isa(), epilogue.program, inputsOf(epilogue, output, planner), output.shape, true) {}

void TileProgram::run(const Frame& frame, std::size_t row, std::size_t rows, std::size_t column, std::size_t columns, float* c,
                      std::size_t rowStride, std::byte* scratch) const {
  if (isEmpty_) return;
  // Short rows that follow each other in memory are processed together.
  if (rowStride == columns && columns == tiles_.broadcast().inner && rows > 1 && 2 * columns <= kTileElements) {
    const std::size_t most = std::min(rows, kTileElements / columns);
    ElementTiles::Worker worker = tiles_.begin(frame, scratch, most, columns, true);
    tiles_.seek(worker, row);
    for (std::size_t r = 0; r < rows; r += most) {
      float* at = c + r * columns;
      tiles_.run(worker, row + r, std::min(most, rows - r), 0, columns, at, at);
    }
    return;
  }
  for (std::size_t first = 0; first < columns; first += kTileElements) {
    const std::size_t count = std::min(kTileElements, columns - first);
    ElementTiles::Worker worker = tiles_.begin(frame, scratch, 1, count, false);
    tiles_.seek(worker, row);
    for (std::size_t r = 0; r < rows; ++r) {
      float* at = c + r * rowStride + first;
      tiles_.run(worker, row + r, 1, column + first, count, at, at);
    }
  }
}

}  // namespace webnn::cpu
