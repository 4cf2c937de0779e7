// Compares gru, lstm and their cells of the reference backend with an emulation by matrix operations and with numbers computed by
// hand.
#include <cmath>
#include <limits>

#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using enum RecurrentNetworkActivation;
using enum RecurrentNetworkDirection;
using test::evaluate;
using test::expectNear;
using test::Fixture;

using Values = std::vector<double>;
using Activations = std::vector<RecurrentNetworkActivation>;

std::vector<Number> numbers(const Values& values) { return {values.begin(), values.end()}; }

std::vector<Values> evaluateAll(Fixture& fixture, const std::vector<Operand>& outputs) {
  std::vector<Values> results;
  for (const std::vector<Number>& output : evaluate(fixture, outputs)) {
    results.emplace_back();
    for (const Number& value : output) results.back().push_back(value.toDouble());
  }
  return results;
}

// The following functions compute the expected results independently: they emulate the cells by matrix operations, gate by gate,
// as the specification does.

struct Matrix {
  std::size_t rows = 0, columns = 0;
  Values values;
  double at(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
};

Matrix generate(std::size_t rows, std::size_t columns, const std::function<double(std::size_t, std::size_t)>& at) {
  Matrix result{rows, columns, {}};
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) result.values.push_back(at(i, j));
  }
  return result;
}
Matrix slice(const Matrix& m, std::size_t firstRow, std::size_t rows) {
  return generate(rows, m.columns, [&](std::size_t i, std::size_t j) { return m.at(firstRow + i, j); });
}
Matrix transpose(const Matrix& m) {
  return generate(m.columns, m.rows, [&](std::size_t i, std::size_t j) { return m.at(j, i); });
}
Matrix matmul(const Matrix& a, const Matrix& b) {
  return generate(a.rows, b.columns, [&](std::size_t i, std::size_t j) {
    double sum = 0;
    for (std::size_t k = a.columns; k-- > 0;) sum += a.at(i, k) * b.at(k, j);
    return sum;
  });
}
// Adds matrices. If `b` has a single row, it is added to each row of `a`.
Matrix add(const Matrix& a, const Matrix& b) {
  return generate(a.rows, a.columns, [&](std::size_t i, std::size_t j) { return a.at(i, j) + b.at(b.rows == 1 ? 0 : i, j); });
}
Matrix mul(const Matrix& a, const Matrix& b) {
  return generate(a.rows, a.columns, [&](std::size_t i, std::size_t j) { return a.at(i, j) * b.at(b.rows == 1 ? 0 : i, j); });
}
Matrix apply(RecurrentNetworkActivation activation, const Matrix& m) {
  return generate(m.rows, m.columns, [&](std::size_t i, std::size_t j) {
    const double x = m.at(i, j);
    if (activation == relu) return std::fmax(0.0, x);
    return activation == sigmoid ? 0.5 + 0.5 * std::tanh(x / 2) : 1 - 2 / (std::exp(2 * x) + 1);
  });
}

// Holds the weights and options of one direction of a network. Optional tensors that are absent are matrices of zeros.
struct Network {
  std::size_t hiddenSize;
  std::string layout;  // a letter for each gate, in the order of the weights
  Matrix weight, recurrentWeight, bias, recurrentBias, peephole;
  Activations activations;
  bool resetAfter = true;

  std::size_t gateAt(char gate) const { return layout.find(gate) * hiddenSize; }
  Matrix gateBias(const Matrix& m, char gate) const { return transpose(slice(transpose(m), gateAt(gate), hiddenSize)); }
  Matrix product(const Matrix& x, const Matrix& weights, char gate) const {
    return matmul(x, transpose(slice(weights, gateAt(gate), hiddenSize)));
  }
  Matrix fromInput(const Matrix& x, char gate) const { return add(product(x, weight, gate), gateBias(bias, gate)); }
  Matrix fromHidden(const Matrix& h, char gate) const {
    return add(product(h, recurrentWeight, gate), gateBias(recurrentBias, gate));
  }
  // The peephole weights are in the order input, output, forget gate in every layout.
  Matrix fromCell(const Matrix& c, char gate) const {
    const std::size_t at = std::string("iof").find(gate) * hiddenSize;
    return mul(c, transpose(slice(transpose(peephole), at, hiddenSize)));
  }
};

struct States {
  Matrix hidden, cell;
};

States gruCell(const Network& net, const Matrix& x, const States& old) {
  const Matrix& h = old.hidden;
  const Matrix z = apply(net.activations[0], add(net.fromInput(x, 'z'), net.fromHidden(h, 'z')));
  const Matrix r = apply(net.activations[0], add(net.fromInput(x, 'r'), net.fromHidden(h, 'r')));
  const Matrix recurrent = net.resetAfter ? mul(r, net.fromHidden(h, 'n')) : net.fromHidden(mul(r, h), 'n');
  const Matrix n = apply(net.activations[1], add(net.fromInput(x, 'n'), recurrent));
  const Matrix oneMinusZ = generate(z.rows, z.columns, [&](std::size_t i, std::size_t j) { return 1 - z.at(i, j); });
  return {add(mul(z, h), mul(n, oneMinusZ)), {}};
}

States lstmCell(const Network& net, const Matrix& x, const States& old) {
  const auto gate = [&](char name) { return add(net.fromInput(x, name), net.fromHidden(old.hidden, name)); };
  const Matrix i = apply(net.activations[0], add(gate('i'), net.fromCell(old.cell, 'i')));
  const Matrix f = apply(net.activations[0], add(gate('f'), net.fromCell(old.cell, 'f')));
  const Matrix o = apply(net.activations[0], add(gate('o'), net.fromCell(old.cell, 'o')));
  const Matrix g = apply(net.activations[1], gate('g'));
  const Matrix cell = add(mul(f, old.cell), mul(i, g));
  return {mul(o, apply(net.activations[2], cell)), cell};
}

// Returns inputs: multiples of 1/16 between -1/2 and 1/2, exact in both types.
Values testValues(std::size_t count, std::size_t seed) {
  Values values;
  for (std::size_t i = 0; i < count; ++i) values.push_back((static_cast<double>((i * 7 + seed * 5 + i * i * 3) % 17) - 8) / 16);
  return values;
}

constexpr std::size_t kSteps = 4, kBatch = 2, kInput = 3, kHidden = 2;

struct Combination {
  DataType type;
  bool bias, recurrentBias, peephole, initialHidden, initialCell, resetAfter, otherLayout, otherActivations, returnSequence;
  RecurrentNetworkDirection direction;
  std::size_t directions() const { return direction == both ? 2 : 1; }
};

// Visits all combinations of nine switches and of directions. Bit i of `used` is 0 if the operation has no switch i.
void forEachCombination(unsigned used, const std::function<void(const Combination&)>& visit) {
  for (unsigned bits = 0; bits < 512; ++bits) {
    if ((bits & ~used) != 0) continue;
    const auto on = [&](unsigned i) { return (bits >> i & 1) != 0; };
    for (const RecurrentNetworkDirection direction : {forward, backward, both}) {
      const DataType type = (bits % 3 + static_cast<unsigned>(direction)) % 2 == 0 ? DataType::float32 : DataType::float16;
      SCOPED_TRACE("switches " + std::to_string(bits) + ", direction " + std::to_string(static_cast<int>(direction)));
      visit({type, on(0), on(1), on(2), on(3), on(4), on(5), on(6), on(7), on(8), direction});
    }
  }
}

// Holds the tensors for a combination of options. Each tensor holds all directions one after another, as the operands do.
struct Data {
  std::size_t rows;  // rows of the weights of one direction
  Values input, weight, recurrentWeight, bias, recurrentBias, peephole, initialHidden, initialCell;

  Data(const Combination& c, std::size_t gates) : rows(gates * kHidden) {
    const std::size_t n = c.directions(), states = n * kBatch * kHidden;
    input = testValues(kSteps * kBatch * kInput, 1);
    weight = testValues(n * rows * kInput, 2);
    recurrentWeight = testValues(n * rows * kHidden, 3);
    bias = c.bias ? testValues(n * rows, 4) : Values(n * rows);
    recurrentBias = c.recurrentBias ? testValues(n * rows, 5) : Values(n * rows);
    peephole = c.peephole ? testValues(n * 3 * kHidden, 6) : Values(n * 3 * kHidden);
    initialHidden = c.initialHidden ? testValues(states, 7) : Values(states);
    initialCell = c.initialCell ? testValues(states, 8) : Values(states);
  }
};

Matrix matrixAt(const Values& values, std::size_t i, std::size_t rows, std::size_t columns) {
  return generate(rows, columns,
                  [&](std::size_t row, std::size_t column) { return values[(i * rows + row) * columns + column]; });
}

Network networkOf(const Data& data, std::size_t i, std::string layout, Activations activations, bool resetAfter = true) {
  return {.hiddenSize = kHidden,
          .layout = std::move(layout),
          .weight = matrixAt(data.weight, i, data.rows, kInput),
          .recurrentWeight = matrixAt(data.recurrentWeight, i, data.rows, kHidden),
          .bias = matrixAt(data.bias, i, 1, data.rows),
          .recurrentBias = matrixAt(data.recurrentBias, i, 1, data.rows),
          .peephole = matrixAt(data.peephole, i, 1, 3 * kHidden),
          .activations = std::move(activations),
          .resetAfter = resetAfter};
}

struct Expected {
  Values hidden, cell, sequence;
};

// Runs `cell` over the sequence in each direction. `makeNetwork` returns the network of a direction.
template <typename Cell, typename MakeNetwork>
Expected runOracle(const Combination& c, const Data& data, Cell cell, MakeNetwork makeNetwork) {
  Expected expected;
  expected.sequence.resize(kSteps * c.directions() * kBatch * kHidden);
  for (std::size_t i = 0; i < c.directions(); ++i) {
    const Network net = makeNetwork(i);
    States states{matrixAt(data.initialHidden, i, kBatch, kHidden), matrixAt(data.initialCell, i, kBatch, kHidden)};
    std::vector<std::size_t> times{0, 1, 2, 3};
    if (i == 1 || c.direction == backward) times = {3, 2, 1, 0};
    for (const std::size_t time : times) {
      states = cell(net, matrixAt(data.input, time, kBatch, kInput), states);
      for (std::size_t j = 0; j < kBatch * kHidden; ++j) {
        expected.sequence[(time * c.directions() + i) * kBatch * kHidden + j] = states.hidden.values[j];
      }
    }
    expected.hidden.insert(expected.hidden.end(), states.hidden.values.begin(), states.hidden.values.end());
    expected.cell.insert(expected.cell.end(), states.cell.values.begin(), states.cell.values.end());
  }
  return expected;
}

// Returns slightly more than half a unit in the last place of numbers from 1 to 2, because each output is rounded once.
double toleranceOf(DataType type) { return type == DataType::float32 ? 0x1.01p-25 * 2 : 0x1.01p-12 * 2; }

std::optional<Operand> optional(Fixture& f, bool present, DataType type, Shape shape, const Values& values) {
  if (!present) return std::nullopt;
  return f.constant(type, std::move(shape), numbers(values));
}

void checkGru(const Combination& c) {
  const Data data(c, 3);
  const auto n = static_cast<std::uint32_t>(c.directions());
  Fixture f;
  GruOptions options{.bias = optional(f, c.bias, c.type, {n, 6}, data.bias),
                     .recurrentBias = optional(f, c.recurrentBias, c.type, {n, 6}, data.recurrentBias),
                     .initialHiddenState = optional(f, c.initialHidden, c.type, {n, 2, 2}, data.initialHidden),
                     .resetAfter = c.resetAfter,
                     .returnSequence = c.returnSequence,
                     .direction = c.direction,
                     .layout = c.otherLayout ? GruWeightLayout::rzn : GruWeightLayout::zrn};
  if (c.otherActivations) options.activations = {tanh, relu};
  const std::vector<Values> actual = evaluateAll(
      f, f.builder.gru(f.constant(c.type, {4, 2, 3}, numbers(data.input)), f.constant(c.type, {n, 6, 3}, numbers(data.weight)),
                       f.constant(c.type, {n, 6, 2}, numbers(data.recurrentWeight)), 4, 2, options));
  const Expected expected = runOracle(c, data, gruCell, [&](std::size_t i) {
    return networkOf(data, i, c.otherLayout ? "rzn" : "zrn",
                     c.otherActivations ? Activations{tanh, relu} : Activations{sigmoid, tanh}, c.resetAfter);
  });
  ASSERT_EQ(actual.size(), c.returnSequence ? 2u : 1u);
  expectNear(actual[0], expected.hidden, toleranceOf(c.type));
  if (c.returnSequence) expectNear(actual[1], expected.sequence, toleranceOf(c.type));
}

void checkLstm(const Combination& c) {
  const Data data(c, 4);
  const auto n = static_cast<std::uint32_t>(c.directions());
  Fixture f;
  LstmOptions options{.bias = optional(f, c.bias, c.type, {n, 8}, data.bias),
                      .recurrentBias = optional(f, c.recurrentBias, c.type, {n, 8}, data.recurrentBias),
                      .peepholeWeight = optional(f, c.peephole, c.type, {n, 6}, data.peephole),
                      .initialHiddenState = optional(f, c.initialHidden, c.type, {n, 2, 2}, data.initialHidden),
                      .initialCellState = optional(f, c.initialCell, c.type, {n, 2, 2}, data.initialCell),
                      .returnSequence = c.returnSequence,
                      .direction = c.direction,
                      .layout = c.otherLayout ? LstmWeightLayout::ifgo : LstmWeightLayout::iofg};
  if (c.otherActivations) options.activations = {tanh, sigmoid, relu};
  const std::vector<Values> actual = evaluateAll(
      f, f.builder.lstm(f.constant(c.type, {4, 2, 3}, numbers(data.input)), f.constant(c.type, {n, 8, 3}, numbers(data.weight)),
                        f.constant(c.type, {n, 8, 2}, numbers(data.recurrentWeight)), 4, 2, options));
  const Expected expected = runOracle(c, data, lstmCell, [&](std::size_t i) {
    return networkOf(data, i, c.otherLayout ? "ifgo" : "iofg",
                     c.otherActivations ? Activations{tanh, sigmoid, relu} : Activations{sigmoid, tanh, tanh});
  });
  ASSERT_EQ(actual.size(), c.returnSequence ? 3u : 2u);
  expectNear(actual[0], expected.hidden, toleranceOf(c.type));
  expectNear(actual[1], expected.cell, toleranceOf(c.type));
  if (c.returnSequence) expectNear(actual[2], expected.sequence, toleranceOf(c.type));
}

TEST(Gru, MatchesTheEmulationForEveryCombinationOfOptions) { forEachCombination(0b111101011, checkGru); }

TEST(Lstm, MatchesTheEmulationForEveryCombinationOfOptions) { forEachCombination(0b111011111, checkLstm); }

TEST(GruCell, MatchesTheEmulationForEveryCombinationOfOptions) {
  forEachCombination(0b011100011, [](Combination c) {
    if (c.direction == both) return;
    c.initialHidden = true;
    const Data data(c, 3);
    Fixture f;
    GruCellOptions options{.bias = optional(f, c.bias, c.type, {6}, data.bias),
                           .recurrentBias = optional(f, c.recurrentBias, c.type, {6}, data.recurrentBias),
                           .resetAfter = c.resetAfter,
                           .layout = c.otherLayout ? GruWeightLayout::rzn : GruWeightLayout::zrn};
    if (c.otherActivations) options.activations = {relu, sigmoid};
    const Matrix input = matrixAt(data.input, 0, kBatch, kInput);
    const Operand output =
        f.builder.gruCell(f.constant(c.type, {2, 3}, numbers(input.values)), f.constant(c.type, {6, 3}, numbers(data.weight)),
                          f.constant(c.type, {6, 2}, numbers(data.recurrentWeight)),
                          f.constant(c.type, {2, 2}, numbers(data.initialHidden)), 2, options);
    const Network net = networkOf(data, 0, c.otherLayout ? "rzn" : "zrn",
                                  c.otherActivations ? Activations{relu, sigmoid} : Activations{sigmoid, tanh}, c.resetAfter);
    const States expected = gruCell(net, input, {matrixAt(data.initialHidden, 0, kBatch, kHidden), {}});
    expectNear(evaluate(f, output), expected.hidden.values, toleranceOf(c.type));
  });
}

TEST(LstmCell, MatchesTheEmulationForEveryCombinationOfOptions) {
  forEachCombination(0b011000111, [](Combination c) {
    if (c.direction == both) return;
    c.initialHidden = c.initialCell = true;
    const Data data(c, 4);
    Fixture f;
    LstmCellOptions options{.bias = optional(f, c.bias, c.type, {8}, data.bias),
                            .recurrentBias = optional(f, c.recurrentBias, c.type, {8}, data.recurrentBias),
                            .peepholeWeight = optional(f, c.peephole, c.type, {6}, data.peephole),
                            .layout = c.otherLayout ? LstmWeightLayout::ifgo : LstmWeightLayout::iofg};
    if (c.otherActivations) options.activations = {relu, sigmoid, relu};
    const Matrix input = matrixAt(data.input, 0, kBatch, kInput);
    const std::vector<Values> actual = evaluateAll(
        f, f.builder.lstmCell(f.constant(c.type, {2, 3}, numbers(input.values)), f.constant(c.type, {8, 3}, numbers(data.weight)),
                              f.constant(c.type, {8, 2}, numbers(data.recurrentWeight)),
                              f.constant(c.type, {2, 2}, numbers(data.initialHidden)),
                              f.constant(c.type, {2, 2}, numbers(data.initialCell)), 2, options));
    const Network net = networkOf(data, 0, c.otherLayout ? "ifgo" : "iofg",
                                  c.otherActivations ? Activations{relu, sigmoid, relu} : Activations{sigmoid, tanh, tanh});
    const States expected =
        lstmCell(net, input, {matrixAt(data.initialHidden, 0, kBatch, kHidden), matrixAt(data.initialCell, 0, kBatch, kHidden)});
    expectNear(actual.at(0), expected.hidden.values, toleranceOf(c.type));
    expectNear(actual.at(1), expected.cell.values, toleranceOf(c.type));
  });
}

// The following tests have expected values that are computed by hand. In most of them, every activation is relu, and the hidden
// size and batch size are 1.

// Runs a GRU cell with update gate z = 0, reset gate r = 3 and new gate n = 2 * h + 1 before the reset. The input and its
// weight are zero.
double gruReset(GruCellOptions options) {
  Fixture f;
  options.bias = f.constant({3}, {0, 3, 0});
  options.recurrentBias = f.constant({3}, {0, 0, 1});
  options.activations = {relu, relu};
  return evaluate(f, f.builder.gruCell(f.constant({1, 1}, {0}), f.constant({3, 1}, {0}), f.constant({3, 1}, {0, 0, 2}),
                                       f.constant({1, 1}, {5}), 1, options))[0];
}

TEST(GruCell, ResetsAfterTheProductByDefault) {
  EXPECT_EQ(gruReset({}), 3 * (2 * 5 + 1));
  EXPECT_EQ(gruReset({.resetAfter = true}), 3 * (2 * 5 + 1));
  EXPECT_EQ(gruReset({.resetAfter = false}), 2 * (3 * 5) + 1);
}

TEST(Gru, ResetsAfterTheProductByDefault) {
  for (const bool explicitly : {false, true}) {
    Fixture f;
    GruOptions options{.bias = f.constant({1, 3}, {0, 3, 0}),
                       .recurrentBias = f.constant({1, 3}, {0, 0, 1}),
                       .initialHiddenState = f.constant({1, 1, 1}, {5}),
                       .activations = {relu, relu}};
    if (explicitly) options.resetAfter = false;
    const std::vector<Operand> outputs =
        f.builder.gru(f.constant({1, 1, 1}, {0}), f.constant({1, 3, 1}, {0}), f.constant({1, 3, 1}, {0, 0, 2}), 1, 1, options);
    EXPECT_EQ(evaluate(f, outputs[0])[0], explicitly ? 2 * (3 * 5) + 1 : 3 * (2 * 5 + 1));
  }
}

TEST(GruCell, KeepsTheHiddenStateWhereTheUpdateGateIsOne) {
  for (const GruWeightLayout layout : {GruWeightLayout::zrn, GruWeightLayout::rzn}) {
    Fixture f;
    const bool zrn = layout == GruWeightLayout::zrn;
    // The update gate of the first element saturates at 1, and that of the second at 0. The new gate gives tanh(20) = 1.
    const std::vector<Number> z{1000, -1000}, bias{zrn ? z[0] : 0, zrn ? z[1] : 0, zrn ? 0 : z[0], zrn ? 0 : z[1], 20, 20};
    const Operand output =
        f.builder.gruCell(f.constant({1, 1}, {0}), f.constant({6, 1}, {0}), f.constant({6, 2}, {0}),
                          f.constant({1, 2}, {0.25, 0.5}), 2, {.bias = f.constant({6}, bias), .layout = layout});
    EXPECT_EQ(evaluate(f, output), (Values{0.25, 1}));
  }
}

TEST(LstmCell, OrdersPeepholesInputOutputForgetInBothLayouts) {
  for (const LstmWeightLayout layout : {LstmWeightLayout::iofg, LstmWeightLayout::ifgo}) {
    Fixture f;
    const std::vector<Number> cellGateIsOne =
        layout == LstmWeightLayout::iofg ? std::vector<Number>{0, 0, 0, 1} : std::vector<Number>{0, 0, 1, 0};
    const LstmCellOptions options{.bias = f.constant({4}, cellGateIsOne),
                                  .peepholeWeight = f.constant({3}, {2, 3, 5}),
                                  .layout = layout,
                                  .activations = {relu, relu, relu}};
    const Operand zero = f.constant({4, 1}, {0});
    const std::vector<Values> actual = evaluateAll(
        f, f.builder.lstmCell(f.constant({1, 1}, {0}), zero, zero, f.constant({1, 1}, {0}), f.constant({1, 1}, {1}), 1, options));
    EXPECT_EQ(actual[1], (Values{5 * 1 + 2 * 1}));
    EXPECT_EQ(actual[0], (Values{3 * 7}));  // the output gate sees the old cell state; the new one would make it 21 * 7
  }
}

TEST(LstmCell, SaturatesItsGates) {
  Fixture f;
  // The first element keeps its cell state, because its forget gate is 1 and its input gate is 0. The gates of the second are 0
  // and 1, so tanh(20) = 1 replaces its cell state.
  const LstmCellOptions options{.bias = f.constant({8}, {-1000, 1000, 1000, 1000, 1000, -1000, 20, 20}),
                                .activations = {sigmoid, tanh, relu}};
  const std::vector<Values> actual =
      evaluateAll(f, f.builder.lstmCell(f.constant({1, 1}, {0}), f.constant({8, 1}, {0}), f.constant({8, 2}, {0}),
                                        f.constant({1, 2}, {0}), f.constant({1, 2}, {7, 9}), 2, options));
  EXPECT_EQ(actual[0], (Values{7, 1}));
  EXPECT_EQ(actual[1], (Values{7, 1}));
}

// Runs a GRU that adds up its inputs: z = 0, r = 1, n = x + h.
std::vector<Values> gruSums(DataType type, std::uint32_t steps, const Values& input, RecurrentNetworkDirection direction) {
  Fixture f;
  const std::uint32_t directions = direction == both ? 2 : 1;
  const auto perDirection = [&](Values values) {
    if (direction == both) values.insert(values.end(), {values[0], values[1], values[2]});
    return numbers(values);
  };
  const GruOptions options{.bias = f.constant(type, {directions, 3}, perDirection({0, 1, 0})),
                           .returnSequence = true,
                           .direction = direction,
                           .activations = {relu, relu}};
  return evaluateAll(f, f.builder.gru(f.constant(type, {steps, 1, 1}, numbers(input)),
                                      f.constant(type, {directions, 3, 1}, perDirection({0, 0, 1})),
                                      f.constant(type, {directions, 3, 1}, perDirection({0, 0, 1})), steps, 1, options));
}

// Runs an LSTM that adds up its inputs: i = f = o = 1, g = x.
std::vector<Values> lstmSums(DataType type, std::uint32_t steps, const Values& input, RecurrentNetworkDirection direction) {
  Fixture f;
  const std::uint32_t directions = direction == both ? 2 : 1;
  const auto perDirection = [&](Values values) {
    if (direction == both) values.insert(values.end(), {values[0], values[1], values[2], values[3]});
    return numbers(values);
  };
  const LstmOptions options{.bias = f.constant(type, {directions, 4}, perDirection({1, 1, 1, 0})),
                            .returnSequence = true,
                            .direction = direction,
                            .activations = {relu, relu, relu}};
  return evaluateAll(f, f.builder.lstm(f.constant(type, {steps, 1, 1}, numbers(input)),
                                       f.constant(type, {directions, 4, 1}, perDirection({0, 0, 0, 1})),
                                       f.constant(type, {directions, 4, 1}, {0}), steps, 1, options));
}

TEST(Gru, OrdersTheSequenceByTimeInEveryDirection) {
  const DataType type = DataType::float32;
  EXPECT_EQ(gruSums(type, 3, {1, 10, 100}, forward), (std::vector<Values>{{111}, {1, 11, 111}}));
  EXPECT_EQ(gruSums(type, 3, {1, 10, 100}, backward), (std::vector<Values>{{111}, {111, 110, 100}}));
  EXPECT_EQ(gruSums(type, 3, {1, 10, 100}, both), (std::vector<Values>{{111, 111}, {1, 111, 11, 110, 111, 100}}));
}

TEST(Lstm, OrdersTheSequenceByTimeInEveryDirection) {
  const DataType type = DataType::float32;
  EXPECT_EQ(lstmSums(type, 3, {1, 10, 100}, forward), (std::vector<Values>{{111}, {111}, {1, 11, 111}}));
  EXPECT_EQ(lstmSums(type, 3, {1, 10, 100}, backward), (std::vector<Values>{{111}, {111}, {111, 110, 100}}));
  EXPECT_EQ(lstmSums(type, 3, {1, 10, 100}, both), (std::vector<Values>{{111, 111}, {111, 111}, {1, 111, 11, 110, 111, 100}}));
}

TEST(Recurrent, RoundsTheOutputsAndNotTheStateBetweenSteps) {
  // 1 + 2^-12 is 1 in float16, where adding 2^-12 to 1 over and over would never leave 1. The exact sums round to 1,
  // 1, 1 (a tie, to even), and then twice to the next float16.
  const Values input{1, 0x1p-12, 0x1p-12, 0x1p-12, 0x1p-12};
  EXPECT_EQ(gruSums(DataType::float16, 5, input, forward)[0], (Values{1 + 0x1p-10}));
  EXPECT_EQ(gruSums(DataType::float16, 5, input, forward)[1], (Values{1, 1, 1, 1 + 0x1p-10, 1 + 0x1p-10}));
  EXPECT_EQ(lstmSums(DataType::float16, 5, input, forward)[1], (Values{1 + 0x1p-10}));
}

TEST(Recurrent, PassesNaNThroughEveryActivation) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  for (const RecurrentNetworkActivation activation : {relu, sigmoid, tanh}) {
    Fixture f;
    const Operand input = f.constant({2, 1}, {kNaN, 0.5});  // only the first element of the batch is NaN
    const Operand output = f.builder.gruCell(input, f.constant({3, 1}, {1}), f.constant({3, 1}, {1}), f.constant({2, 1}, {1}), 1,
                                             {.activations = {activation, activation}});
    const Values values = evaluate(f, output);
    EXPECT_TRUE(std::isnan(values[0]));
    EXPECT_TRUE(std::isfinite(values[1]));
  }
}

TEST(Recurrent, StaysFiniteForInfiniteInputsOfBoundedGates) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Fixture f;
  // The gates z, r and n are 1, 1 and 1 for the first element, and 0, 0 and -1 for the second.
  const Operand output = f.builder.gruCell(f.constant({2, 1}, {kInfinity, -kInfinity}), f.constant({3, 1}, {1}),
                                           f.constant({3, 1}, {0}), f.constant({2, 1}, {0.5}), 1);
  EXPECT_EQ(evaluate(f, output), (Values{0.5, -1}));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
