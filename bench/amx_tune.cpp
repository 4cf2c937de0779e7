// Measures how much faster AMX tiles are than AVX-512, on matrix products of many sizes and on models, with 1 and 2 threads,
// and proposes the constants of src/backends/cpu/gemm/amx_choice.cpp. Takes at most ten minutes, less with fewer models.
// amx_tune OUT [MODEL...] writes OUT; without AMX it prints a message, writes nothing, and exits with 0.
// amx_tune --emulated OUT measures a few sizes on emulated tiles, which are slow, to test the program.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "amx_proposal.h"
#include "base/text.h"
#include "context/graph_state.h"
#include "measure/bench_buffers.h"
#include "measure/peak.h"
#include "measure/random_elements.h"
#include "webnn/context.h"
#include "webnn/formats.h"
#include "webnn/graph_builder.h"

namespace webnn::bench {
namespace {

using cpu::Product;
using cpu::ProductType;
using Clock = std::chrono::steady_clock;
using MakeGraph = std::function<Graph(Context&)>;

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

double middleOf(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

// A compiled graph for one instruction set, with its buffers.
class Contender {
 public:
  Contender(const std::string& isa, std::uint32_t threads, const MakeGraph& make)
      : context_(Context::create(
            {.backend = "cpu", .execution = Execution::callerThread, .threads = threads, .backendOptions = {{"isa", isa}}})),
        graph_(make(context_)),
        executable_(graph_.state()->executable()),
        buffers_(graph_) {}

  // Returns the seconds per run, averaged over runs for at least `least` seconds. One untimed run first fills the caches.
  double time(double least) {
    buffers_.run(*executable_);
    const auto start = Clock::now();
    std::size_t runs = 0;
    do buffers_.run(*executable_), ++runs;
    while (secondsSince(start) < least);
    return secondsSince(start) / static_cast<double>(runs);
  }

 private:
  Context context_;
  Graph graph_;
  std::shared_ptr<const Executable> executable_;
  measure::BenchBuffers buffers_;
};

struct Effort {
  std::size_t turns;
  double seconds;  // measured per contender in each turn
};

// The median time of an instruction set, and its speed-up over the first instruction set: the median of their ratios in all
// turns.
struct Timing {
  double seconds = 0, ratio = 1;
};
std::vector<Timing> compare(const std::vector<std::string>& isas, std::uint32_t threads, const MakeGraph& make,
                            const Effort& effort) {
  std::vector<std::unique_ptr<Contender>> contenders;
  for (const std::string& isa : isas) contenders.push_back(std::make_unique<Contender>(isa, threads, make));
  std::vector<std::vector<double>> times(isas.size()), ratios(isas.size());
  for (std::size_t turn = 0; turn < effort.turns; ++turn) {
    for (std::size_t i = 0; i < isas.size(); ++i) {
      times[i].push_back(contenders[i]->time(effort.seconds));
      ratios[i].push_back(times[0].back() / times[i].back());
    }
  }
  std::vector<Timing> timings;
  for (std::size_t i = 0; i < isas.size(); ++i) timings.push_back({middleOf(times[i]), middleOf(ratios[i])});
  return timings;
}

Operand constantOf(GraphBuilder& builder, DataType type, Shape shape) {
  const OperandDescriptor descriptor{type, std::move(shape)};
  return builder.constant(descriptor, measure::randomElements(descriptor, 1));
}

Graph productGraph(Context& context, const Product& product) {
  GraphBuilder builder(context);
  const auto m = static_cast<std::uint32_t>(product.m), n = static_cast<std::uint32_t>(product.n),
             k = static_cast<std::uint32_t>(product.k);
  if (product.type != ProductType::bytes) {
    const DataType type = product.type == ProductType::halves ? DataType::float16 : DataType::float32;
    return builder.build({{"y", builder.matmul(builder.input("a", {type, {m, k}}), constantOf(builder, type, {k, n}))}});
  }
  // The zero point of the weights is 0, as in common networks.
  const Operand scale = builder.constant({DataType::float32, {1, 1}}, {0.1F});
  const Operand middle = builder.constant<std::uint8_t>({DataType::uint8, {1, 1}}, {128});
  const Operand zero = builder.constant<std::int8_t>({DataType::int8, {1, 1}}, {0});
  const Operand a = builder.dequantizeLinear(builder.input("a", {DataType::uint8, {m, k}}), scale, middle);
  const Operand b = builder.dequantizeLinear(constantOf(builder, DataType::int8, {k, n}), scale, zero);
  return builder.build({{"y", builder.quantizeLinear(builder.matmul(a, b), scale, middle)}});
}

struct Kind {
  ProductType type;
  const char *name, *row;  // names in the report and in the table of amx_choice.cpp
  std::vector<std::size_t> rows;
};

// Columns and depths (n, k) of projections in common networks, and some small sizes.
constexpr std::size_t kMatrices[][2] = {{64, 64},    {128, 128}, {256, 256}, {64, 576},   {384, 384},
                                        {1536, 384}, {768, 192}, {768, 768}, {3072, 768}, {768, 3072}};

std::vector<Kind> kinds(bool isEmulated) {
  if (isEmulated) {
    return {{ProductType::floats, "float32", "floats", {32}},
            {ProductType::halves, "float16", "halves", {32}},
            {ProductType::bytes, "8 bits", "bytes", {5}}};
  }
  return {{ProductType::floats, "float32", "floats", {32, 64, 128, 256, 512, 1024, 2048}},
          {ProductType::halves, "float16", "halves", {16, 32, 64, 128, 512, 1024}},
          {ProductType::bytes, "8 bits", "bytes", {1, 2, 4, 5, 8, 16, 32, 128, 512}}};
}

class Tuning {
 public:
  Tuning(bool isEmulated, std::string tiles)
      : isEmulated_(isEmulated), tiles_(std::move(tiles)), effort_(isEmulated ? Effort{1, 0} : Effort{9, 0.005}) {}

  std::string run(const std::vector<std::string>& models) {
    std::string tables, proposal;
    for (const Kind& kind : kinds(isEmulated_)) {
      tables += tableOf(kind);
      proposal += proposalOf(kind);
    }
    return formatText(
        "# AMX\n\nWritten by `make amx-tune` on {} ({} processors): how many times as long AVX-512 takes as tiles (`isa={}`).\n"
        "Tiles gain above 1.\n\n## Constants\n\nFor `src/backends/cpu/gemm/amx_choice.cpp`: from these sizes on, no measured "
        "product lost "
        "with 1 thread or with 2.\n\n```\n{}```\n{}{}",
        measure::processorName(), measure::availableProcessors(), tiles_, proposal, modelsTable(models), tables);
  }

 private:
  std::string tableOf(const Kind& kind) {
    std::string text =
        formatText("\n## Products of {}\n\n| M x N x K | us, 1 thread | ratio | us, 2 threads | ratio |\n|---|---|---|---|---|\n",
                   kind.name);
    for (const auto& [n, k] : kMatrices) {
      if (isEmulated_ && n * k > 128 * 128) break;
      for (const std::size_t m : kind.rows) {
        const Product product{kind.type, m, n, k};
        const auto make = [&](Context& context) { return productGraph(context, product); };
        const Timing one = compare({"avx512", tiles_}, 1, make, effort_)[1],
                     two = compare({"avx512", tiles_}, 2, make, effort_)[1];
        measured_.push_back({product, one.ratio, two.ratio});
        text += formatText("| {}x{}x{} | {:.1f} | {:.2f} | {:.1f} | {:.2f} |\n", m, n, k, one.seconds * 1e6, one.ratio,
                           two.seconds * 1e6, two.ratio);
      }
    }
    std::fprintf(stderr, "amx_tune: products of %s after %.0f s\n", kind.name, secondsSince(start_));
    return text;
  }

  std::string proposalOf(const Kind& kind) const {
    const auto line = [&](const cpu::LeastProduct& least) {
      return formatText("    {{ProductType::{}, {{{}, {}, {}}}}},", kind.row, least.m, least.n, least.k);
    };
    const std::string now = line(cpu::leastOnTiles(kind.type)).substr(4);
    const std::optional<cpu::LeastProduct> least = proposeLeast(kind.type, measured_);
    return (least ? line(*least) : formatText("    // {}: no product gains", kind.row)) + formatText("  // now {}\n", now);
  }

  // Measures each model with AVX-512 only, with today's choice of products that use tiles, and with tiles for all products.
  std::string modelsTable(const std::vector<std::string>& models) {
    if (models.empty()) return {};
    std::vector<std::string> isas{"avx512", "amx", tiles_};
    if (isEmulated_) isas.erase(isas.begin() + 1);
    std::string text = "\n## Models\n\n| model | threads |", rule = "|---|---|";
    for (const std::string& isa : isas) text += formatText(" {}, ms | ratio |", isa), rule += "---|---|";
    text += "\n" + rule + "\n";
    constexpr double kMostSeconds = 480;  // later models are not measured; a large model takes a minute
    for (const std::string& model : models) {
      for (const std::uint32_t threads : {1U, 2U}) {
        text += formatText("| {} | {} |", std::filesystem::path(model).stem().string(), threads);
        if (secondsSince(start_) > kMostSeconds) {
          text += " no time was left |\n";
          continue;
        }
        const auto make = [&](Context& context) { return load(context, model); };
        for (const Timing& timing : compare(isas, threads, make, {effort_.turns, 10 * effort_.seconds}))
          text += formatText(" {:.3f} | {:.2f} |", timing.seconds * 1e3, timing.ratio);
        text += "\n";
      }
      std::fprintf(stderr, "amx_tune: %s after %.0f s\n", model.c_str(), secondsSince(start_));
    }
    return text;
  }

  bool isEmulated_;
  std::string tiles_;
  Effort effort_;
  std::vector<MeasuredProduct> measured_;
  Clock::time_point start_ = Clock::now();
};

int tune(std::vector<std::string> arguments) {
  const bool isEmulated = !arguments.empty() && arguments[0] == "--emulated";
  if (isEmulated) arguments.erase(arguments.begin());
  if (arguments.empty()) {
    std::fputs("usage: amx_tune [--emulated] OUT [MODEL...]\n", stderr);
    return 2;
  }
  const cpu::Isa tiles = isEmulated ? cpu::Isa::amxEmulated : cpu::Isa::amxAlways;
  if (!cpu::isSupported(tiles)) {
    std::printf("amx_tune: this processor (%s) has no %s: nothing is measured, %s is not written.\n",
                measure::processorName().c_str(), isEmulated ? "AVX-512" : "AMX", arguments[0].c_str());
    return 0;
  }
  const std::string report = Tuning(isEmulated, std::string(name(tiles))).run({arguments.begin() + 1, arguments.end()});
  std::ofstream file(arguments[0]);
  if (!(file << report).flush()) {
    std::fprintf(stderr, "amx_tune: %s cannot be written\n", arguments[0].c_str());
    return 1;
  }
  std::printf("amx_tune: wrote %s\n", arguments[0].c_str());
  return 0;
}

}  // namespace
}  // namespace webnn::bench

int main(int argc, char** argv) {
  try {
    return webnn::bench::tune({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "amx_tune: %s\n", error.what());
    return 1;
  }
}
