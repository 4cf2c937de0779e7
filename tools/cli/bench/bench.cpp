// webnn bench: measures models on several backends in alternation.
#include "cli/bench/bench.h"

#include <stdio.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <set>

#include "base/text.h"

namespace webnn::cli {

namespace {

template <typename T>
void requireDistinct(std::string_view option, const std::vector<T>& values) {
  if (std::set<T>(values.begin(), values.end()).size() < values.size())
    throw Misuse(formatText("{}: one is given twice.", option));
}

// Appends the peers (programs that measure other engines) to the backends, in the given order.
void addPeers(BenchOptions& options, const std::vector<std::string>& peers) {
  for (const std::string& text : peers) {
    const auto [name, program] = nameAndValue("--peer", text);
    options.backends.push_back(name);
    options.peers[name] = program;
  }
}

using OwnedFile = std::unique_ptr<std::FILE, decltype([](std::FILE* file) { std::fclose(file); })>;

// Copies standard input to an unnamed file that the measuring processes inherit, because standard input can be read only once.
OwnedFile keepStandardInput(BenchOptions& options) {
  if (std::ranges::find(options.models, std::filesystem::path("-")) == options.models.end()) return nullptr;
  const ExternalBytes content = readBytes("-");
  OwnedFile file(std::tmpfile());
  if (!file || std::fwrite(content.bytes.data(), 1, content.bytes.size(), file.get()) != content.bytes.size() ||
      std::fflush(file.get()) != 0)
    throw std::runtime_error(formatText("standard input cannot be kept: {}.", std::strerror(errno)));
  options.standardInput = formatText("/dev/fd/{}", ::fileno(file.get()));
  return file;
}

int run(BenchOptions options) {
  requireDistinct("--backends", options.backends);
  requireDistinct("--threads", options.threads);
  requireDistinct("MODEL", options.models);
  if (options.perOp && options.format == "csv") throw Misuse("--per-op: CSV has one table; use --format md or json.");
  requireOther("--out", options.output, options.models);
  requireOther("--trace", options.trace, options.models);
  const OwnedFile input = keepStandardInput(options);
  const BenchResult result = measureAll(options);
  writeText(options.output, benchText(options, result));
  if (!options.trace.empty()) writeText(options.trace, traceText(result));
  return std::ranges::all_of(result.rows, &std::string::empty, &BenchRow::error) ? kFine : kFailed;
}

void addWhat(const Command& command, BenchOptions& options, std::vector<std::string>& peers) {
  command.option("MODEL", options.models, "The graphs: .webnn or .webnnb, JSON, or ONNX; - is standard input")
      .required()
      .type("FILE");
  command
      .option("--backends", options.backends, "Backends, each with settings of its own if need be; ratios are to the first (cpu)")
      .commas()
      .type("NAME[:KEY=VALUE...][:service[=ADDRESS]],...")
      .example("cpu,reference");
  command
      .option("--peer", peers,
              "Another engine, which a program measures as docs/guides/bench.md says; its row follows those of the backends")
      .type("NAME=PROGRAM")
      .repeatable()
      .example("openvino=scripts/bench_openvino.py");
  command.option("--threads", options.threads, "Maximum number of threads of a run; 0: the backend chooses (1)")
      .commas()
      .range(0, 1024)
      .type("N,...")
      .example("4");
  addCommonOptions(command, options.common);
  command.option("--dim", options.dimensions, "Size of a dynamic dimension").type("NAME=SIZE").repeatable().example("batch=1");
  command.option("--value", options.values, "ONNX: makes an input on which shapes depend a constant")
      .type("NAME=FILE.npy")
      .repeatable()
      .example("shape=shape.npy");
}

void addHow(const Command& command, BenchOptions& options) {
  command.option("--warmup", options.warmup, "Runs before the measured ones (2)").range(0, 1000000).type("N").example("10");
  const Option duration =
      command
          .option("--duration", options.duration,
                  "Measuring time of each combination, at least 3 runs; up to twice as long to get 7 turns (1)")
          .positive()
          .type("SECONDS")
          .example("5");
  command.option("--runs", options.runs, "Number of measured runs of each combination")
      .range(1, 1000000000)
      .excludes(duration)
      .type("N")
      .example("100");
  command.option("--pause", options.pause, "Sleep before each measured run, as between the pictures of a camera")
      .range(0, 1000000)
      .type("MILLISECONDS")
      .example("30");
  command.flag(
      "--no-memory", [&options] { options.memory = false; }, "Do not report memory");
  command.flag("--per-op", options.perOp, "Also show the time of each step, if the backend can measure it");
  command.option("--trace", options.trace, "Write the steps of one run as a Chrome trace, for Perfetto")
      .type("FILE")
      .example("trace.json");
  const Option format =
      command.option("--format", options.format, "md (the default), csv or json").oneOf({"md", "csv", "json"}).example("json");
  command
      .flag(
          "--json", [&options] { options.format = "json"; }, "The same as --format=json")
      .excludes(format);
  command.flag("--full", options.full, "All columns of the table, however wide it is (a file gets them anyway)");
  command.option("-o,--out", options.output, "Write a file instead of standard output").type("FILE").example("out.txt");
  command.flag("--quiet", options.quiet, "Tables only");
}

}  // namespace

void addBench(const Command& app, int& status) {
  auto options = std::make_shared<BenchOptions>();
  const Command command = app.subcommand("bench", "Measure models on backends, in alternation");
  auto peers = std::make_shared<std::vector<std::string>>();
  addWhat(command, *options, *peers);
  addHow(command, *options);
  auto contends = std::make_shared<bool>(false);
  command.flag("--contend", *contends, "").group("");  // hidden; only for the processes that measureAll() starts
  command.footer(
      "Times are of one run on the calling thread, with random inputs, without copies in or out. GFLOP/s counts the\n"
      "multiply-adds of products, convolutions and recurrent networks; the peak is what float32 multiply-adds reach here.\n"
      "A model that no single graph can hold runs as a session; its compile time is that of the first run.\n"
      "Examples:\n"
      "  webnn bench model.onnx --backends cpu,onnxruntime --threads 1,2\n"
      "  webnn bench *.onnx --backends cpu,cpu:isa=avx2 --duration 5 --format csv -o times.csv\n"
      "  webnn bench model.onnx --backends cpu,cpu:service      # what another process costs\n"
      "  webnn bench model.onnx --peer openvino=scripts/bench_openvino.py\n"
      "  webnn bench model.onnx --backends cpu,onnxruntime --threads 1,2 --pause 30\n"
      "  webnn bench model.webnn --per-op --trace trace.json");
  command.action([options, peers, contends, &status] {
    addPeers(*options, *peers);
    if (*contends) return contend(*options);
    status = run(*options);
  });
}

}  // namespace webnn::cli
