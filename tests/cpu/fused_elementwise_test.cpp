// Tests element-wise operations: which operations are fused, that fusing does not change results, and programs as epilogues.
#include "backends/cpu/elements/fused_elementwise.h"

#include <cmath>
#include <random>

#include "context/graph_state.h"
#include "cpu/cpu_support.h"
#include "graph/backend.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

// Runs the graph on random inputs. Returns the packed results.
std::vector<std::vector<std::byte>> results(const Graph& graph, const std::string& disable, std::size_t* steps = nullptr) {
  ContextOptions options{.backend = "cpu", .execution = Execution::callerThread};
  if (!disable.empty()) options.backendOptions["disable"] = disable;
  Context context = Context::create(options);
  const Graph compiled = context.compile(graph);
  std::mt19937 random(3);
  std::vector<std::vector<std::byte>> inputs, outputs;
  for (const auto& [name, descriptor] : compiled.inputs()) {
    std::vector<Number> values;
    for (std::size_t i = elementCount(descriptor); i > 0; --i)
      values.emplace_back(static_cast<double>(random() % 1000) / 250.0 - 2);
    inputs.push_back(pack(descriptor, values));
  }
  for (const auto& [name, descriptor] : compiled.outputs()) outputs.emplace_back(byteLength(descriptor));
  std::vector<std::span<const std::byte>> from(inputs.begin(), inputs.end());
  std::vector<std::span<std::byte>> to(outputs.begin(), outputs.end());
  compiled.state()->executable()->run(from, to);
  if (steps) *steps = compiled.state()->executable()->profile(from, to).size();
  return outputs;
}

// Checks that the fused graph has the same results as the unfused one, and that it has `steps` steps.
void expectFusedEqualsUnfused(Fixture& f, const std::vector<Operand>& outputs, std::size_t steps) {
  std::vector<NamedOperand> named;
  for (std::size_t i = 0; i < outputs.size(); ++i) named.emplace_back("y" + std::to_string(i), outputs[i]);
  const Graph graph = f.builder.build(named);
  std::size_t count = 0;
  EXPECT_EQ(results(graph, "", &count), results(graph, "fuseElementwise"));
  EXPECT_EQ(count, steps);
}

TEST(CpuFusedElementwise, FusedFloatsAreEqualBitByBit) {
  for (const DataType type : {DataType::float32, DataType::float16}) {
    Fixture f;
    auto& b = f.builder;
    const Operand x = f.input(type, {5, 37}), y = f.input(type, {37}), z = f.input(type, {5, 1});
    const Operand sum = b.add(b.mul(x, y), z);
    const Operand fused = b.div(b.tanh(b.sub(sum, f.constant(type, {}, {0.3}))), b.add(b.exp(x), f.constant(type, {1}, {1.7})));
    expectFusedEqualsUnfused(f, {b.clamp(b.relu(fused), {.minValue = 0.01, .maxValue = 0.5})}, 1);
  }
}

TEST(CpuFusedElementwise, AValueThatIsUsedTwiceWithinAProgramIsComputedOnce) {
  Fixture f;
  auto& b = f.builder;
  const Operand x = f.input({3, 41}), y = b.add(x, f.input({41}));
  expectFusedEqualsUnfused(f, {b.mul(b.mul(y, b.sigmoid(y)), y)}, 1);
}

TEST(CpuFusedElementwise, OutputsOfTheGraphStay) {
  Fixture f;
  auto& b = f.builder;
  const Operand x = f.input({3, 41}), y = b.relu(x), z = b.neg(y);
  expectFusedEqualsUnfused(f, {y, b.abs(z)}, 2);
}

TEST(CpuFusedElementwise, ValuesThatAreBroadcastStay) {
  Fixture f;
  auto& b = f.builder;
  const Operand x = f.input({5, 41}), row = b.exp(f.input({41}));
  expectFusedEqualsUnfused(f, {b.add(x, row)}, 2);
}

TEST(CpuFusedElementwise, CastsBecomeRoundings) {
  Fixture f;
  auto& b = f.builder;
  const Operand x = f.input({5, 41}), half = b.cast(x, DataType::float16);
  const Operand back = b.cast(b.max(b.cast(half, DataType::float32), f.constant({}, {0.1})), DataType::float16);
  const Operand bytes = f.input(DataType::uint8, {41});
  expectFusedEqualsUnfused(f,
                           {b.add(b.cast(back, DataType::float32), b.cast(bytes, DataType::float32)),
                            b.cast(b.cast(b.neg(x), DataType::float16), DataType::float32)},
                           3);
  Fixture g;
  const Operand y = g.input({5, 41});
  expectCpuAgrees(g, {g.builder.cast(g.builder.cast(y, DataType::float16), DataType::float32)});
}

TEST(CpuFusedElementwise, ComparisonsSelectWithinOneProgram) {
  for (const DataType type : {DataType::float32, DataType::float16}) {
    Fixture f;
    auto& b = f.builder;
    const Operand x = f.input(type, {5, 41}), y = f.input(type, {41});
    const Operand both = b.logicalAnd(b.greater(x, y), b.logicalNot(b.isNaN(x)));
    expectFusedEqualsUnfused(f, {b.where(both, b.exp(x), b.mul(y, x))}, 1);
    Fixture g;
    const Operand u = g.input(type, {5, 41}), v = g.input(type, {41});
    expectCpuAgrees(g, {g.builder.logicalAnd(g.builder.greater(u, v), g.builder.logicalNot(g.builder.isNaN(u)))},
                    {.specials = true});
  }
}

TEST(CpuFusedElementwise, RandomProgramsAgreeWhateverTheShapes) {
  std::mt19937 random(7);
  const std::vector<std::vector<Shape>> families{
      {{3, 4, 50}, {4, 50}, {50}, {3, 1, 50}, {4, 1}, {}},
      {{2, 3000}, {3000}, {2, 1}, {1, 3000}},
      {{700, 3}, {3}, {700, 1}, {1}},
      {{2, 3, 2, 5, 2, 3}, {3, 1, 5, 1, 3}, {3, 1, 1, 2, 1}, {2, 3, 2, 5, 1, 1}},
  };
  for (int round = 0; round < 60; ++round) {
    Fixture f;
    auto& b = f.builder;
    const std::vector<Shape>& shapes = families[static_cast<std::size_t>(round) % families.size()];
    const DataType type = round % 3 == 2 ? DataType::float16 : DataType::float32;
    std::vector<Operand> values{f.input(type, shapes[0])};
    for (int i = 0; i < 12; ++i) {
      const Operand a = values[random() % values.size()];
      const auto other = [&] {
        return random() % 2 ? values[random() % values.size()] : f.input(type, shapes[random() % shapes.size()]);
      };
      switch (random() % 8) {
        case 0: values.push_back(b.add(a, other())); break;
        case 1: values.push_back(b.mul(b.tanh(a), other())); break;
        case 2: values.push_back(b.sub(other(), a)); break;
        case 3: values.push_back(b.relu(a)); break;
        case 4: values.push_back(b.max(a, other())); break;
        case 5: values.push_back(b.where(b.greater(a, other()), a, other())); break;
        case 6: values.push_back(b.sigmoid(a)); break;
        default: values.push_back(b.clamp(a, {.minValue = -1.5, .maxValue = 1.25})); break;
      }
    }
    // Compares with the same engine without fusion and not with the reference backend: if the two operands of `greater` are
    // rounded differently there, the results of `where` differ.
    SCOPED_TRACE(round);
    std::vector<NamedOperand> named{{"y", values.back()}};
    const Graph graph = b.build(named);
    EXPECT_EQ(results(graph, ""), results(graph, "fuseElementwise"));
  }
}

TEST(CpuFusedElementwise, LongProgramsKeepFewRegisters) {
  Fixture f;
  auto& b = f.builder;
  const Operand c = f.constant({1, 64}, std::vector<Number>(1, 0.1)), d = f.input({1, 64});
  Operand x = f.input({1, 64});
  for (int i = 0; i < 100; ++i) x = b.tanh(b.add(x, i % 2 ? c : d));
  expectFusedEqualsUnfused(f, {x}, 1);
}

TEST(CpuFusedElementwise, ResultsMayLieOverOperands) {
  Fixture f;
  auto& b = f.builder;
  const Operand x = f.input({70, 33}), y = b.tanh(x);
  const Operand sum = b.reshape(y, {33, 70});
  // tanh(x) is read by three steps. The last one may overwrite it.
  expectCpuAgrees(f, {b.softmax(y, 1), b.mul(b.add(sum, f.input({33, 1})), b.exp(sum)), b.add(y, y)});
}

// Plans programs as epilogues, which run on blocks of a matrix as in a GEMM.
class FakePlanner final : public cpu::Planner {
 public:
  FakePlanner(cpu::Isa isa, Operand output) : isa_(isa), output_(std::move(output)) {}
  cpu::Isa isa() const override { return isa_; }
  unsigned threads() const override { return 1; }
  cpu::Slot slot(const Operand& operand) override {
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (known[i].record().index == operand.record().index) return {static_cast<std::uint32_t>(i), 0};
    }
    known.push_back(operand);
    return {static_cast<std::uint32_t>(known.size() - 1), 0};
  }
  cpu::Slot output(std::size_t) override { return {}; }
  const Operand& outputOperand(std::size_t) const override { return output_; }
  std::size_t outputStride() const override { return output_.shape().back(); }
  cpu::Slot scratch(std::size_t) override { return {}; }
  std::byte* keep(std::size_t) override { return nullptr; }
  const std::byte* packWeights(std::size_t, cpu::PackKey, FunctionRef<void(std::byte*)>) override { return nullptr; }
  std::vector<Operand> known;

 private:
  cpu::Isa isa_;
  Operand output_;
};

TEST(CpuFusedElementwise, EpiloguesRunOnBlocks) {
  using cpu::ElementCode;
  Fixture f;
  const Shape shape{2, 3, 1500};
  const Operand bias = f.input({1500}), residual = f.input(shape), column = f.input({3, 1}), one = f.input(DataType::float16, {});
  cpu::Epilogue epilogue{.program = {.inputs = 5,
                                     .instructions = {{.code = ElementCode::add, .a = 0, .b = 1},
                                                      {.code = ElementCode::mul, .a = 5, .b = 3},
                                                      {.code = ElementCode::add, .a = 6, .b = 2},
                                                      {.code = ElementCode::sub, .a = 7, .b = 4},
                                                      {.code = ElementCode::mul, .a = 8, .b = 0}}},
                         .operands = {bias, residual, column, one}};
  for (const std::string& isaName : cpuIsas()) {
    FakePlanner planner(*cpu::isaFromName(isaName), residual);
    const cpu::TileProgram program(epilogue, residual.descriptor(), planner);
    std::vector<float> biases(1500), residuals(9000), columns(3), c(9000);
    for (std::size_t i = 0; i < 9000; ++i) residuals[i] = static_cast<float>(i % 17), c[i] = static_cast<float>(i % 5);
    for (std::size_t i = 0; i < 1500; ++i) biases[i] = static_cast<float>(i % 7);
    for (std::size_t i = 0; i < 3; ++i) columns[i] = static_cast<float>(i + 1);
    const std::uint16_t two = 0x4000;
    std::map<std::uint32_t, const void*> data{{bias.record().index, biases.data()},
                                              {residual.record().index, residuals.data()},
                                              {column.record().index, columns.data()},
                                              {one.record().index, &two}};
    std::vector<const std::byte*> sources;
    for (const Operand& operand : planner.known)
      sources.push_back(static_cast<const std::byte*>(data.at(operand.record().index)));
    const cpu::Frame frame{sources.data(), nullptr, cpu::singleThread()};
    std::vector<std::byte> scratch(program.scratchBytes() + 64);
    auto* aligned = reinterpret_cast<std::byte*>((reinterpret_cast<std::uintptr_t>(scratch.data()) + 63) / 64 * 64);
    // The epilogue covers rows 1 to 4 and columns 3 to 1498, in two blocks.
    std::vector<float> expected = c;
    for (std::size_t row = 1; row < 5; ++row) {
      for (std::size_t j = 3; j < 1499; ++j) {
        float& y = expected[row * 1500 + j];
        y = ((y + biases[j]) * columns[row % 3] + residuals[row * 1500 + j] - 2) * y;
      }
    }
    program.run(frame, 1, 4, 3, 61, c.data() + 1500 + 3, 1500, aligned);
    program.run(frame, 1, 4, 64, 1435, c.data() + 1500 + 64, 1500, aligned);
    EXPECT_EQ(c, expected) << isaName;
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
