// Tests recurrent networks and cells against the reference backend: random options, odd sizes, several blocks of steps.
#include "backends/cpu/simd/recurrent.h"

#include <cmath>
#include <random>

#include "cpu/cpu_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

using enum RecurrentNetworkActivation;
using Activations = std::vector<RecurrentNetworkActivation>;

struct Sizes {
  std::uint32_t steps, batch, input, hidden;
};
// The last four sizes have, in this order: work for several threads; several blocks of steps, and more batch rows than one call
// of a kernel processes; an odd number of panels (kernels process several at a time); input projections that threads share.
constexpr Sizes kSizes[] = {{1, 1, 1, 1},    {3, 1, 5, 17},    {4, 3, 7, 33}, {2, 9, 3, 16},    {5, 5, 2, 40},
                            {6, 1, 20, 130}, {15, 130, 3, 20}, {4, 1, 2, 65}, {10, 1, 150, 112}};

// Makes the operands of networks. Each is a constant or an input.
class Maker {
 public:
  Maker(Fixture& fixture, DataType type, std::uint32_t seed) : fixture_(fixture), type_(type), random_(seed) {}

  std::uint32_t pick(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }
  Operand make(Shape shape, bool isConstant) {
    if (!isConstant) return fixture_.input(type_, std::move(shape));
    std::vector<Number> values;
    std::size_t count = 1;
    for (const std::uint32_t size : shape) count *= size;
    // With larger weights, networks with relu would be chaotic: any rounding error would grow with the steps.
    const double most = std::min(0.4, 1.5 / std::sqrt(shape.back()));
    for (std::size_t i = 0; i < count; ++i) values.emplace_back(std::uniform_real_distribution<double>(-most, most)(random_));
    return fixture_.constant(type_, std::move(shape), values);
  }
  // Returns nullopt in a third of the cases, an input in a sixth, and a constant otherwise.
  std::optional<Operand> makeOptional(Shape shape) {
    if (pick(3) == 0) return std::nullopt;
    return make(std::move(shape), pick(4) != 0);
  }
  Activations activations(std::size_t count) {
    constexpr RecurrentNetworkActivation kinds[] = {sigmoid, tanh, sigmoid, tanh, relu};
    Activations result;
    for (std::size_t i = 0; i < count; ++i) result.push_back(kinds[pick(5)]);
    return result;
  }

 private:
  Fixture& fixture_;
  DataType type_;
  std::mt19937 random_;
};

// Rounding errors grow from step to step.
const CpuCase kCase{.low = -0.2, .high = 0.2, .relative = 1e-5, .absolute = 2e-6};

template <typename Options>
void chooseDirection(Maker& maker, Options& options, std::uint32_t seed) {
  using enum RecurrentNetworkDirection;
  options.direction = seed % 3 == 0 ? forward : seed % 3 == 1 ? backward : both;
  options.returnSequence = maker.pick(3) != 0;
}

void checkLstm(DataType type, const Sizes& sizes, std::uint32_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  Fixture f;
  Maker maker(f, type, seed);
  const auto& [steps, batch, input, hidden] = sizes;
  LstmOptions options;
  chooseDirection(maker, options, seed);
  const std::uint32_t directions = options.direction == RecurrentNetworkDirection::both ? 2 : 1;
  options.layout = maker.pick(2) == 0 ? LstmWeightLayout::iofg : LstmWeightLayout::ifgo;
  options.bias = maker.makeOptional({directions, 4 * hidden});
  options.recurrentBias = maker.makeOptional({directions, 4 * hidden});
  options.peepholeWeight = maker.makeOptional({directions, 3 * hidden});
  options.initialHiddenState = maker.makeOptional({directions, batch, hidden});
  options.initialCellState = maker.makeOptional({directions, batch, hidden});
  if (maker.pick(2) == 0) options.activations = maker.activations(3);
  const Operand x = maker.make({steps, batch, input}, false);
  const Operand w = maker.make({directions, 4 * hidden, input}, maker.pick(3) != 0);
  const Operand r = maker.make({directions, 4 * hidden, hidden}, maker.pick(3) != 0);
  expectCpuAgrees(f, f.builder.lstm(x, w, r, steps, hidden, options), kCase);
}

void checkGru(DataType type, const Sizes& sizes, std::uint32_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  Fixture f;
  Maker maker(f, type, seed);
  const auto& [steps, batch, input, hidden] = sizes;
  GruOptions options;
  chooseDirection(maker, options, seed);
  const std::uint32_t directions = options.direction == RecurrentNetworkDirection::both ? 2 : 1;
  options.layout = maker.pick(2) == 0 ? GruWeightLayout::zrn : GruWeightLayout::rzn;
  options.resetAfter = maker.pick(2) == 0;
  options.bias = maker.makeOptional({directions, 3 * hidden});
  options.recurrentBias = maker.makeOptional({directions, 3 * hidden});
  options.initialHiddenState = maker.makeOptional({directions, batch, hidden});
  if (maker.pick(2) == 0) options.activations = maker.activations(2);
  const Operand x = maker.make({steps, batch, input}, false);
  const Operand w = maker.make({directions, 3 * hidden, input}, maker.pick(3) != 0);
  const Operand r = maker.make({directions, 3 * hidden, hidden}, maker.pick(3) != 0);
  expectCpuAgrees(f, f.builder.gru(x, w, r, steps, hidden, options), kCase);
}

void checkCells(DataType type, const Sizes& sizes, std::uint32_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  Fixture f;
  Maker maker(f, type, seed);
  const auto& [steps, batch, input, hidden] = sizes;
  const Operand x = maker.make({batch, input}, false), h = maker.make({batch, hidden}, false),
                c = maker.make({batch, hidden}, false);

  LstmCellOptions lstm;
  lstm.layout = maker.pick(2) == 0 ? LstmWeightLayout::iofg : LstmWeightLayout::ifgo;
  lstm.bias = maker.makeOptional({4 * hidden});
  lstm.recurrentBias = maker.makeOptional({4 * hidden});
  lstm.peepholeWeight = maker.makeOptional({3 * hidden});
  if (maker.pick(2) == 0) lstm.activations = maker.activations(3);
  const bool isConstant = maker.pick(3) != 0;
  const Operand w4 = maker.make({4 * hidden, input}, isConstant), r4 = maker.make({4 * hidden, hidden}, isConstant);
  std::vector<Operand> outputs = f.builder.lstmCell(x, w4, r4, h, c, hidden, lstm);

  GruCellOptions gru;
  gru.layout = maker.pick(2) == 0 ? GruWeightLayout::zrn : GruWeightLayout::rzn;
  gru.resetAfter = seed % 2 == 0;
  gru.bias = maker.makeOptional({3 * hidden});
  gru.recurrentBias = maker.makeOptional({3 * hidden});
  if (maker.pick(2) == 0) gru.activations = maker.activations(2);
  const Operand w3 = maker.make({3 * hidden, input}, isConstant), r3 = maker.make({3 * hidden, hidden}, isConstant);
  // The second cell uses the weights of the first one.
  outputs.push_back(f.builder.gruCell(x, w3, r3, h, hidden, gru));
  outputs.push_back(f.builder.gruCell(x, w3, r3, outputs.back(), hidden, gru));
  expectCpuAgrees(f, outputs, kCase);
}

template <typename Check>
void checkAll(Check check) {
  std::uint32_t seed = 0;
  for (const DataType type : {DataType::float32, DataType::float16}) {
    for (const Sizes& sizes : kSizes) {
      for (int repeat = 0; repeat < 6; ++repeat) check(type, sizes, seed++);
    }
  }
}

TEST(CpuRecurrent, LstmAgreesWithTheReference) { checkAll(checkLstm); }
TEST(CpuRecurrent, GruAgreesWithTheReference) { checkAll(checkGru); }
TEST(CpuRecurrent, CellsAgreeWithTheReference) { checkAll(checkCells); }

// Constants with equal bytes are packed only once. Networks with one direction and with two must not share packed weights.
TEST(CpuRecurrent, OneDirectionBeforeTwoHasWeightsOfItsOwn) {
  for (const bool isBothFirst : {false, true}) {
    Fixture f;
    Operand x = f.input({1, 1, 1});
    for (const bool isBoth : {isBothFirst, !isBothFirst}) {
      const std::uint32_t directions = isBoth ? 2 : 1;
      Maker maker(f, DataType::float32, directions);
      const auto weights = [&] { return maker.make({directions, 4, 1}, true); };
      const Operand inputWeights = weights(), recurrentWeights = weights(), cell = maker.make({directions, 1, 1}, true);
      const LstmOptions options{.initialCellState = cell,
                                .direction = isBoth ? RecurrentNetworkDirection::both : RecurrentNetworkDirection::backward};
      const Operand state = f.builder.lstm(x, inputWeights, recurrentWeights, 1, 1, options)[0];
      x = f.builder.reduceSum(state, {.axes = {0}, .keepDimensions = true});
    }
    expectCpuAgrees(f, {x});
  }
}

TEST(CpuRecurrent, NanStaysInItsRowOfTheBatch) {
  for (const RecurrentNetworkActivation activation : {relu, sigmoid, tanh}) {
    Fixture f;
    Maker maker(f, DataType::float32, 3);
    const Operand x = f.input({2, 3, 2});
    const Operand w = maker.make({1, 12, 2}, true), r = maker.make({1, 12, 3}, true);
    const std::vector<Operand> outputs =
        f.builder.lstm(x, w, r, 2, 3, {.returnSequence = true, .activations = Activations(3, activation)});
    CpuCase options = kCase;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    options.inputs["input0"] = {1.0, 2.0, nan, -1.0, 0.5, 0.25, 1.0, 2.0, -2.0, -1.0, 0.5, 0.25};
    expectCpuAgrees(f, outputs, options);
  }
}

TEST(CpuRecurrent, RunsOnKernelsOfItsOwn) {
  for (const bool isConstant : {true, false}) {
    for (const DataType type : {DataType::float32, DataType::float16}) {
      Fixture f;
      Maker maker(f, type, 1);
      const Operand x = f.input(type, {4, 1, 3});
      const Operand w = maker.make({1, 20, 3}, isConstant), r = maker.make({1, 20, 5}, isConstant);
      const std::vector<std::string> kernels = cpuKernels(f, f.builder.lstm(x, w, r, 4, 5));
      ASSERT_EQ(kernels.size(), 1U);
      EXPECT_TRUE(kernels[0].starts_with(type == DataType::float32 ? "lstm f32 4x1x3x5" : "lstm f16 4x1x3x5")) << kernels[0];
    }
  }
}

// The memory for one step of one row, filled with random numbers.
struct StepMemory {
  StepMemory(const cpu::RecurrentKernels& kernels, cpu::RecurrentPart part, std::size_t panels, std::uint32_t seed)
      : units(panels * kernels.lanes) {
    const bool isLstm = part == cpu::RecurrentPart::lstm;
    const std::size_t all = isLstm ? 4 : 3;
    const std::size_t gates = part == cpu::RecurrentPart::gruGates ? 2 : part == cpu::RecurrentPart::gruNew ? 1 : all;
    std::mt19937 random(seed);
    const auto fill = [&](std::vector<float>& numbers, std::size_t count) {
      numbers.resize(count);
      for (float& number : numbers) number = std::uniform_real_distribution<float>(-1, 1)(random);
      return numbers.data();
    };
    step.part = part;
    for (RecurrentNetworkActivation& activation : step.activations) activation = random() % 2 == 0 ? tanh : sigmoid;
    step.hiddenSize = step.rowStride = units;
    step.panelStride = units * gates * kernels.lanes;
    step.inputStride = units * all;
    step.input = fill(memory[0], units * all);
    step.bias = fill(memory[1], units * all);
    step.recurrent = fill(memory[2], panels * step.panelStride);
    step.hidden = fill(memory[3], units);
    step.oldHidden = fill(memory[4], units);
    step.newBias = fill(memory[5], units);
    if (isLstm) step.peephole = fill(memory[6], 3 * units);
    step.newHidden = fill(newHidden, units);
    step.state = fill(state, units);
  }

  std::size_t units;
  cpu::RecurrentStep step;
  std::vector<float> memory[7], newHidden, state;
};

// The number of team members determines which panels a member computes at a time.
TEST(CpuRecurrent, HowPanelsAreGroupedChangesNoBit) {
  using enum cpu::RecurrentPart;
  for (const cpu::Isa isa : {cpu::Isa::sse4, cpu::Isa::avx2, cpu::Isa::avx512, cpu::Isa::neon}) {
    if (!cpu::isSupported(isa)) continue;
    const cpu::RecurrentKernels& kernels = cpu::recurrentKernels(isa);
    for (const cpu::RecurrentPart part : {lstm, gru, gruGates, gruNew}) {
      for (std::uint32_t seed = 0; seed < 20; ++seed) {
        StepMemory grouped(kernels, part, kernels.panels, seed), single(kernels, part, kernels.panels, seed);
        kernels.step(grouped.step, 0, kernels.panels, 0, 1);
        for (std::size_t panel = 0; panel < kernels.panels; ++panel) kernels.step(single.step, panel, 1, 0, 1);
        ASSERT_EQ(grouped.newHidden, single.newHidden) << name(isa) << ", part " << static_cast<int>(part) << ", seed " << seed;
        ASSERT_EQ(grouped.state, single.state) << name(isa) << ", part " << static_cast<int>(part) << ", seed " << seed;
      }
    }
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
