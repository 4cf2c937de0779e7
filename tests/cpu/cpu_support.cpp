#include "cpu/cpu_support.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "backends/cpu/compile/validate_passes.h"
#include "backends/cpu/runtime/isa.h"
#include "context/graph_state.h"
#include "graph/backend.h"
#include "support/placement.h"

namespace webnn::test {

namespace {

// A buffer that ends at an unreadable page.
class GuardedBytes {
 public:
  explicit GuardedBytes(std::size_t size) : size_(size) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t body = (size + page - 1) / page * page;
    total_ = body + 2 * page;
    start_ = static_cast<std::byte*>(::mmap(nullptr, total_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ::mprotect(start_, page, PROT_NONE);
    ::mprotect(start_ + page + body, page, PROT_NONE);
    data_ = start_ + page + body - size;
  }
  ~GuardedBytes() { ::munmap(start_, total_); }
  GuardedBytes(const GuardedBytes&) = delete;
  GuardedBytes& operator=(const GuardedBytes&) = delete;
  std::span<std::byte> bytes() const { return {data_, size_}; }

 private:
  std::byte *start_ = nullptr, *data_ = nullptr;
  std::size_t size_ = 0, total_ = 0;
};

using GuardedList = std::vector<std::unique_ptr<GuardedBytes>>;

Number randomNumber(DataType type, const CpuCase& options, std::mt19937& random) {
  if (!isFloat(type)) {
    return static_cast<std::int64_t>(std::floor(std::uniform_real_distribution<double>(options.low, options.high + 1)(random)));
  }
  if (options.specials && random() % 4 == 0) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr double values[] = {0,     -0.0,   infinity, -infinity, std::numeric_limits<double>::quiet_NaN(),
                                 1e-40, -1e-40, 6e-8,     3.4e38,    -3.4e38,
                                 65504, -65504, 88.8,     -88.8,     104,
                                 -104,  0.5,    -0.5,     1,         -1};
    return values[random() % std::size(values)];
  }
  return std::uniform_real_distribution<double>(options.low, options.high)(random);
}

GuardedList makeInputs(const Graph& graph, const CpuCase& options) {
  std::mt19937 random(options.seed);
  GuardedList inputs;
  for (const auto& [name, descriptor] : graph.inputs()) {
    std::vector<Number> numbers;
    if (const auto given = options.inputs.find(name); given != options.inputs.end()) {
      numbers = given->second;
    } else {
      for (std::size_t i = elementCount(descriptor); i > 0; --i)
        numbers.push_back(randomNumber(descriptor.dataType, options, random));
    }
    const std::vector<std::byte> packed = pack(descriptor, numbers);
    inputs.push_back(std::make_unique<GuardedBytes>(packed.size()));
    std::memcpy(inputs.back()->bytes().data(), packed.data(), packed.size());
  }
  return inputs;
}

GuardedList run(const Graph& graph, const GuardedList& inputs) {
  std::vector<std::span<const std::byte>> from;
  for (const auto& input : inputs) from.push_back(input->bytes());
  GuardedList outputs;
  std::vector<std::span<std::byte>> to;
  for (const auto& [name, descriptor] : graph.outputs()) {
    outputs.push_back(std::make_unique<GuardedBytes>(byteLength(descriptor)));
    to.push_back(outputs.back()->bytes());
    std::memset(to.back().data(), 0xA5, to.back().size());
  }
  graph.state()->executable()->run(from, to);
  return outputs;
}

bool agrees(DataType type, const Number& actual, const Number& expected, const CpuCase& options) {
  if (!isFloat(type)) {
    const double distance = std::abs(actual.toDouble() - expected.toDouble());
    return options.integers == 0 ? actual == expected : distance <= static_cast<double>(options.integers);
  }
  const double a = actual.toDouble(), e = expected.toDouble();
  if (std::isnan(e) || std::isnan(a)) return std::isnan(e) && std::isnan(a);
  if (a == e) return true;
  if (std::isinf(e) || std::isinf(a)) return false;
  const bool isRounded = type == DataType::float16 && options.relative > 0;
  const double unit = isRounded ? std::max(0x1p-24, std::exp2(std::floor(std::log2(std::abs(e))) - 10)) : 0;
  return std::abs(a - e) <= options.absolute + options.relative * std::abs(e) + unit;
}

void compare(const std::string& where, const Graph& graph, const GuardedList& actual, const GuardedList& expected,
             const CpuCase& options) {
  const std::vector<NamedDescriptor> described = graph.outputs();
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const auto& [name, descriptor] = described[i];
    if (std::ranges::equal(actual[i]->bytes(), expected[i]->bytes())) continue;
    const std::vector<Number> a = unpack(descriptor, actual[i]->bytes()), e = unpack(descriptor, expected[i]->bytes());
    std::size_t wrong = 0, first = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
      if (!agrees(descriptor.dataType, a[j], e[j], options) && wrong++ == 0) first = j;
    }
    if (wrong == 0) continue;
    ADD_FAILURE() << where << ": output " << name << " " << toString(descriptor) << ": " << wrong << " elements differ, first ["
                  << first << "]: " << a[first].toDouble() << " where the reference has " << e[first].toDouble();
  }
}

void expectSameBits(const std::string& where, const GuardedList& a, const GuardedList& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(std::memcmp(a[i]->bytes().data(), b[i]->bytes().data(), a[i]->bytes().size()), 0)
        << where << ": other bits than in the first run";
  }
}

Context cpuContext(const std::string& isa, unsigned threads, const std::string& disable, const std::string& memory = {}) {
  ContextOptions options{.backend = "cpu", .execution = Execution::callerThread, .threads = threads};
  if (!isa.empty()) options.backendOptions["isa"] = isa;
  if (!disable.empty()) options.backendOptions["disable"] = disable;
  if (!memory.empty()) options.backendOptions["memory"] = memory;
  return Context::create(std::move(options));
}

// Returns whether the graph is so small that the reference backend can compute it a dozen times.
bool isSmall(const GraphDefinition& graph) {
  constexpr std::size_t kMostElements = 100000;
  std::size_t elements = 0;
  for (const Node& node : graph.nodes) {
    visitOperands(node.operation,
                  [&](std::string_view, const Operand& operand) { elements += elementCount(operand.descriptor()); });
    for (const Operand& output : node.outputs) elements += elementCount(output.descriptor());
  }
  return elements <= kMostElements;
}

// Checks that the reference backend computes the same results before and after the passes.
void expectPassesAgree(const Graph& graph, const GuardedList& inputs, const GuardedList& expected, const CpuCase& options) {
  if (!isSmall(*graph.state()->definition)) return;
  std::vector<std::span<const std::byte>> from;
  for (const auto& input : inputs) from.push_back(input->bytes());
  cpu::validatePasses(*graph.state()->definition, from, cpu::bestIsa(), [&](const cpu::PassResult& result) {
    GuardedList actual;
    for (const std::vector<std::byte>& bytes : result.outputs) {
      actual.push_back(std::make_unique<GuardedBytes>(bytes.size()));
      std::memcpy(actual.back()->bytes().data(), bytes.data(), bytes.size());
    }
    compare("the reference, passes: " + result.passes, graph, actual, expected, options);
  });
}

Graph build(Fixture& fixture, const std::vector<Operand>& outputs) {
  std::vector<NamedOperand> named;
  for (std::size_t i = 0; i < outputs.size(); ++i) named.emplace_back("y" + std::to_string(i), outputs[i]);
  return fixture.builder.build(named);
}

// Returns whether `isa` disables VNNI or VBMI instructions that kernels of its level would use on this processor.
bool leavesOut(cpu::Isa isa) {
  using enum cpu::CpuFeature;
  return std::ranges::any_of(std::initializer_list<cpu::CpuFeature>{avx512Vnni, avxVnni, avx512Vbmi},
                             [&](cpu::CpuFeature feature) {
                               return isa.without().has(feature) && cpu::mayUse(static_cast<cpu::Isa::Level>(isa), feature);
                             });
}

bool isByte(DataType type) { return type == DataType::int8 || type == DataType::uint8; }

void expectSameBytes(const std::string& where, const Graph& graph, const GuardedList& a, const GuardedList& b) {
  const std::vector<NamedDescriptor> described = graph.outputs();
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!isByte(described[i].second.dataType)) continue;
    EXPECT_TRUE(std::ranges::equal(a[i]->bytes(), b[i]->bytes())) << where << ": other bytes than on the first instruction set";
  }
}

// Returns whether any operand of the graph has an 8-bit type.
bool hasBytes(const GraphDefinition& graph) {
  const auto isBytes = [](const Operand& operand) { return isByte(operand.dataType()); };
  return std::ranges::any_of(graph.inputs, isBytes) || std::ranges::any_of(graph.constants, isBytes) ||
         std::ranges::any_of(graph.nodes, [&](const Node& node) { return std::ranges::any_of(node.outputs, isBytes); });
}

}  // namespace

std::vector<std::string> cpuIsas() {
  std::vector<std::string> names;
  using enum cpu::Isa::Level;
  for (const cpu::Isa isa : {sse4, avx2, avx512, amx, amxAlways, neon, dotprod, i8mm}) {
    if (cpu::isSupported(isa)) names.emplace_back(cpu::name(isa));
  }
  if (cpu::bestIsa() == cpu::Isa::avx512) names.emplace_back(cpu::name(cpu::Isa::amxEmulated));
  return names;
}

std::vector<std::string> byteIsas() {
  std::vector<std::string> names = cpuIsas();
  for (const char* text : {"avx2,-vnni", "avx2,-avx-vnni", "avx512,-vnni", "avx512,-vbmi", "amx-emulated,-vnni"}) {
    if (std::ranges::find(names, std::string(text).substr(0, std::string(text).find(','))) == names.end()) continue;
    const cpu::Isa isa = cpu::chooseIsa(text);
    if (leavesOut(isa)) names.emplace_back(text);
  }
  return names;
}

void expectCpuAgrees(Fixture& fixture, const std::vector<Operand>& outputs, const CpuCase& options) {
  const Graph graph = build(fixture, outputs);
  const GuardedList inputs = makeInputs(graph, options), expected = run(graph, inputs);
  expectPassesAgree(graph, inputs, expected, options);
  expectPlacementIsWhole(*graph.state()->definition, options.disable);
  GuardedList everywhere;
  for (const std::string& isa : hasBytes(*graph.state()->definition) ? byteIsas() : cpuIsas()) {
    GuardedList alone;
    for (const unsigned threads : {1U, 2U}) {
      Context context = cpuContext(isa, threads, options.disable, threads == 1 ? "apart" : "watched");
      const Graph compiled = context.compile(graph);
      const std::string where = isa + " with " + std::to_string(threads) + " threads";
      for (const bool isFirst : {true, false}) {  // memory that no step has written has different contents in the second run
        GuardedList actual = run(compiled, inputs);
        if (alone.empty()) {
          compare(where, compiled, actual, expected, options);
          alone = std::move(actual);
        } else {
          expectSameBits(where + (isFirst ? "" : ", again"), alone, actual);
        }
      }
    }
    if (!options.haveSameBytes) continue;
    if (everywhere.empty()) {
      everywhere = std::move(alone);
    } else {
      expectSameBytes(isa, graph, alone, everywhere);
    }
  }
}

std::vector<std::string> cpuKernels(Fixture& fixture, const std::vector<Operand>& outputs, std::string disable, std::string isa) {
  const Graph graph = build(fixture, outputs);
  Context context = cpuContext(isa, 1, disable);
  const Graph compiled = context.compile(graph);
  const GuardedList inputs = makeInputs(compiled, {});
  std::vector<std::span<const std::byte>> from;
  for (const auto& input : inputs) from.push_back(input->bytes());
  GuardedList results;
  std::vector<std::span<std::byte>> to;
  for (const auto& [name, descriptor] : compiled.outputs()) {
    results.push_back(std::make_unique<GuardedBytes>(byteLength(descriptor)));
    to.push_back(results.back()->bytes());
  }
  std::vector<std::string> kernels;
  for (const StepTime& step : compiled.state()->executable()->profile(from, to)) kernels.push_back(step.kernel);
  return kernels;
}

}  // namespace webnn::test
