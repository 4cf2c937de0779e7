#include "backends/cpu/elements/element_tiles.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "backends/cpu/runtime/compiler.h"
#include "compiler/plan/alignment.h"

namespace webnn::cpu {

namespace {

double costOf(ElementCode code) {
  switch (code) {
    case ElementCode::pow: return 6;
    case ElementCode::sin:
    case ElementCode::cos:
    case ElementCode::tan: return 2;
    case ElementCode::exp:
    case ElementCode::log:
    case ElementCode::elu:
    case ElementCode::erf:
    case ElementCode::gelu:
    case ElementCode::geluOfProduct:
    case ElementCode::sigmoid:
    case ElementCode::silu:
    case ElementCode::cubicSilu:
    case ElementCode::softplus:
    case ElementCode::tanh: return 1;
    case ElementCode::div:
    case ElementCode::reciprocal:
    case ElementCode::softsign:
    case ElementCode::sqrt: return 0.5;
    default: return 0.15;
  }
}

constexpr std::size_t kNoValue = static_cast<std::size_t>(-1);

}  // namespace

double elementCost(const ElementProgram& program) {
  double cost = 0.3 * (program.inputs + 1);
  for (const ElementInstruction& instruction : program.instructions) cost += costOf(instruction.code);
  return cost;
}

ElementTiles::ElementTiles(Isa isa, const ElementProgram& program, std::vector<TileInput> inputs, const Shape& output,
                           bool keepsColumns)
    : kernels_(elementKernels(isa)), isa_(isa), broadcast_([&] {
        std::vector<Shape> shapes;
        for (const TileInput& input : inputs) shapes.push_back(input.isGiven ? output : input.descriptor.shape);
        return Broadcast(output, shapes, keepsColumns);
      }()) {
  using Kind = Input::Kind;
  std::vector<QuantizeRun> dequantizations(inputs.size());
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    Input input;
    if (!inputs[k].isGiven) {
      const DataType type = inputs[k].descriptor.dataType;
      const BroadcastOperand& operand = broadcast_.operands[k];
      input.isFloat = type == DataType::float32;
      input.size = type == DataType::float32 ? 4 : type == DataType::float16 ? 2 : 1;
      input.load = input.isFloat            ? kernels_.loadFloat
                   : input.size == 2        ? kernels_.loadHalf
                   : type == DataType::int8 ? kernels_.loadSignedByte
                                            : kernels_.loadByte;
      if (input.size == 1) dequantizations[k] = quantizeKernels(isa).dequantize[0][quantizedIndex(type)][0];
      input.slot = inputs[k].slot;
      input.kind = operand.isWhole     ? Kind::whole
                   : operand.isUniform ? Kind::uniform
                   : operand.isFixed   ? Kind::fixed
                                       : Kind::moving;
      input.buffer = buffers_++;
      if (input.kind == Kind::moving) moving_.push_back(static_cast<std::uint16_t>(k));
    }
    inputs_.push_back(input);
  }
  compile(takeDequantizations(program, dequantizations));
  buffers_ = static_cast<std::uint16_t>(buffers_ + registers_ + 1);
}

ElementProgram ElementTiles::takeDequantizations(const ElementProgram& program, const std::vector<QuantizeRun>& kernels) {
  const std::size_t count = program.instructions.size();
  // first[k]: the first instruction that reads input k. isTaken[k]: whether the load of input k can dequantize it, because all
  // readers of input k are the same dequantization and none is the last instruction.
  std::vector<std::size_t> first(program.inputs, kNoValue);
  std::vector<bool> isTaken(program.inputs);
  for (std::size_t k = 0; k < program.inputs; ++k) isTaken[k] = kernels[k] != nullptr;
  for (std::size_t i = 0; i < count; ++i) {
    const ElementInstruction& x = program.instructions[i];
    const std::uint16_t operands[] = {x.a, x.b, x.c};
    for (unsigned j = 0; j < operandCount(x.code); ++j) {
      const std::size_t k = operands[j];
      if (k >= program.inputs) continue;
      if (first[k] == kNoValue) first[k] = i;
      if (x.code != ElementCode::dequantize || i + 1 == count || x != program.instructions[first[k]]) isTaken[k] = false;
    }
  }
  ElementProgram rest{.inputs = program.inputs, .instructions = {}};
  std::vector<std::uint16_t> values;  // for each value of `program`, its index in `rest`
  for (std::uint16_t k = 0; k < program.inputs; ++k) values.push_back(k);
  for (std::size_t i = 0; i < count; ++i) {
    ElementInstruction x = program.instructions[i];
    if (x.code == ElementCode::dequantize && x.a < program.inputs && isTaken[x.a]) {
      Input& input = inputs_[x.a];
      input.dequantize = kernels[x.a];
      input.scale = x.p;
      input.zeroPoint = static_cast<std::uint8_t>(static_cast<std::int32_t>(x.q));
      values.push_back(x.a);
      continue;
    }
    x.a = values[x.a], x.b = values[x.b], x.c = values[x.c];
    rest.instructions.push_back(x);
    values.push_back(rest.result());
  }
  return rest;
}

// Assigns registers to values for their lifetimes, and drops unused values.
void ElementTiles::compile(const ElementProgram& program) {
  const std::size_t inputs = program.inputs, count = program.instructions.size();
  std::vector<std::size_t> lastUse(inputs + count, kNoValue);
  lastUse[program.result()] = count;
  const auto operandsOf = [](const ElementInstruction& instruction) {
    const std::array<std::uint16_t, 3> all{instruction.a, instruction.b, instruction.c};
    return std::pair(all, operandCount(instruction.code));
  };
  for (std::size_t i = count; i-- > 0;) {
    if (lastUse[inputs + i] == kNoValue) continue;
    const auto [operands, n] = operandsOf(program.instructions[i]);
    for (unsigned j = 0; j < n; ++j) {
      if (lastUse[operands[j]] == kNoValue) lastUse[operands[j]] = i;
    }
  }
  std::vector<std::uint16_t> place(inputs + count), free;
  for (std::size_t k = 0; k < inputs; ++k) place[k] = static_cast<std::uint16_t>(k);
  for (std::size_t i = 0; i < count; ++i) {
    if (lastUse[inputs + i] == kNoValue) continue;
    const ElementInstruction& from = program.instructions[i];
    const auto [operands, n] = operandsOf(from);
    Instruction to{elementFunction(isa_, from),
                   place[operands[0]],
                   place[operands[n > 1 ? 1 : 0]],
                   place[operands[n > 2 ? 2 : 0]],
                   0,
                   from.p,
                   from.q};
    for (unsigned j = 0; j < n; ++j) {
      const bool isRepeated = std::find(operands.begin(), operands.begin() + j, operands[j]) != operands.begin() + j;
      if (operands[j] >= inputs && lastUse[operands[j]] == i && !isRepeated)
        free.push_back(static_cast<std::uint16_t>(place[operands[j]] - inputs));
    }
    if (i + 1 < count) {
      if (free.empty()) free.push_back(registers_++);
      to.y = free.back();
      free.pop_back();
    }
    place[inputs + i] = static_cast<std::uint16_t>(inputs + to.y);
    instructions_.push_back(to);
  }
  // The last instruction writes the program's result, whose index follows the registers.
  if (!instructions_.empty()) instructions_.back().y = registers_;
}

std::size_t ElementTiles::scratchBytes() const {
  const std::size_t results = registers_ + 1, places = inputs_.size() + results;
  return workerStride(aligned(places * sizeof(float*)) + aligned(results * sizeof(float*)) +
                      aligned(inputs_.size() * sizeof(std::size_t)) + buffers_ * kTileElements * sizeof(float));
}

ElementTiles::Worker ElementTiles::begin(const Frame& frame, std::byte* scratch, std::size_t rows, std::size_t columns,
                                         bool replicates) const {
  using Kind = Input::Kind;
  const std::size_t results = registers_ + 1, places = inputs_.size() + results;
  Worker worker{&frame, reinterpret_cast<const float**>(scratch), nullptr, nullptr, nullptr, {}, replicates};
  scratch += aligned(places * sizeof(float*));
  worker.results = reinterpret_cast<float**>(scratch);
  scratch += aligned(results * sizeof(float*));
  worker.offsets = reinterpret_cast<std::size_t*>(scratch);
  worker.buffers = reinterpret_cast<float*>(scratch + aligned(inputs_.size() * sizeof(std::size_t)));
  for (std::size_t i = 0; i < results; ++i)
    worker.places[inputs_.size() + i] = worker.results[i] = buffer(worker, buffers_ - results + i);
  const std::size_t most = rows * columns;
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    const Input& input = inputs_[k];
    float* to = buffer(worker, input.buffer);
    if (input.kind == Kind::uniform) {
      float value = 0;
      input.read(at(worker, input, 0), &value, 1);
      kernels_.fill(value, to, most);
      worker.places[k] = to;
    } else if (input.kind == Kind::fixed && replicates) {
      input.read(at(worker, input, 0), to, columns);
      for (std::size_t have = columns; have < most; have *= 2)
        std::memcpy(to + have, to, std::min(have, most - have) * sizeof(float));
      worker.places[k] = to;
    }
  }
  return worker;
}

void ElementTiles::seek(Worker& worker, std::size_t row) const {
  if (moving_.empty()) return;
  worker.cursor.seek(broadcast_, row);
  for (const std::uint16_t k : moving_) worker.offsets[k] = worker.cursor.offset(broadcast_, broadcast_.operands[k]);
}

// Advances by `rows` rows, at most worker.cursor.rest().
void ElementTiles::advance(Worker& worker, std::size_t rows) const {
  worker.cursor.skip(broadcast_, rows - 1);
  const std::size_t d = worker.cursor.next(broadcast_);
  for (const std::uint16_t k : moving_) {
    const BroadcastOperand& operand = broadcast_.operands[k];
    worker.offsets[k] += (rows - 1) * operand.strides[broadcast_.outer - 1] + operand.steps[d];
  }
}

const float* ElementTiles::load(const Worker& worker, const Input& input, std::size_t offset, std::size_t count) const {
  const std::byte* from = at(worker, input, offset);
  if (input.isFloat) return reinterpret_cast<const float*>(from);
  float* to = buffer(worker, input.buffer);
  input.read(from, to, count);
  return to;
}

// Converts the rows of moving inputs (Input::Kind::moving) to floats in their buffers. A single row of floats is read in place,
// unless one float repeats.
void ElementTiles::expand(Worker& worker, std::size_t rows, std::size_t column, std::size_t columns, bool advances) const {
  for (const std::uint16_t k : moving_) worker.places[k] = buffer(worker, inputs_[k].buffer);
  for (std::size_t r = 0; r < rows;) {
    const std::size_t count = advances ? std::min(rows - r, worker.cursor.rest(broadcast_)) : 1;
    for (const std::uint16_t k : moving_) {
      const BroadcastOperand& operand = broadcast_.operands[k];
      const std::size_t offset = worker.offsets[k] + (operand.repeats ? 0 : column);
      if (rows == 1 && inputs_[k].isFloat && !operand.repeats) {
        worker.places[k] = reinterpret_cast<const float*>(at(worker, inputs_[k], offset));
      } else {
        readRows(worker, inputs_[k], offset, operand, buffer(worker, inputs_[k].buffer) + r * columns, count, columns);
      }
    }
    if (advances) advance(worker, count);
    r += count;
  }
}

// Reads `rows` rows of an input that are neighbors along the last outer dimension; the first one begins at `offset`.
void ElementTiles::readRows(const Worker& worker, const Input& input, std::size_t offset, const BroadcastOperand& operand,
                            float* to, std::size_t rows, std::size_t columns) const {
  const std::size_t stride = operand.strides[broadcast_.outer - 1];
  if (input.isFloat) {
    const auto run = operand.repeats ? kernels_.repeatRows : kernels_.copyRows;
    return run(at(worker, input, offset), stride, to, rows, columns);
  }
  for (std::size_t r = 0; r < rows; ++r, offset += stride, to += columns) {
    if (!operand.repeats) {
      input.read(at(worker, input, offset), to, columns);
      continue;
    }
    float value = 0;
    input.read(at(worker, input, offset), &value, 1);
    kernels_.fill(value, to, columns);
  }
}

const float* ElementTiles::run(Worker& worker, std::size_t row, std::size_t rows, std::size_t column, std::size_t columns,
                               const float* given, float* result, bool advances) const {
  using Kind = Input::Kind;
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    const Input& input = inputs_[k];
    if (input.kind == Kind::given) {
      worker.places[k] = given;
    } else if (input.kind == Kind::whole) {
      worker.places[k] = load(worker, input, row * broadcast_.inner + column, rows * columns);
    } else if (input.kind == Kind::fixed && !worker.isReplicated) {
      worker.places[k] = load(worker, input, column, columns);
    }
  }
  if (!moving_.empty()) expand(worker, rows, column, columns, advances);
  if (instructions_.empty()) return worker.places[0];
  const float** places = worker.places;
  // Only the last instruction writes to `result`, because `result` may be the memory of an input.
  if (result) places[inputs_.size() + registers_] = worker.results[registers_] = result;
  const std::size_t n = rows * columns;
  for (const Instruction& x : instructions_) {
    x.run(places[x.a], places[x.b], places[x.c], worker.results[x.y], n, x.p, x.q);
  }
  return places[inputs_.size() + registers_];
}

}  // namespace webnn::cpu
