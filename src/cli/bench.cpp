// webnn bench: how long models take on backends, in alternation.
#include "cli/bench.h"

#include <CLI/CLI.hpp>
#include <algorithm>
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

int run(const BenchOptions& options) {
  requireDistinct("--backends", options.backends);
  requireDistinct("--threads", options.threads);
  requireDistinct("MODEL", options.models);
  if (options.perOp && options.format == "csv") throw Misuse("--per-op: CSV has one table; use --format md or json.");
  const BenchResult result = measureAll(options);
  writeText(options.output, benchText(options, result));
  if (!options.trace.empty()) writeText(options.trace, traceText(result));
  return std::ranges::all_of(result.rows, &std::string::empty, &BenchRow::error) ? kFine : kFailed;
}

void addWhat(CLI::App& command, BenchOptions& options) {
  command.add_option("MODEL", options.models, "The graphs: .webnn text or JSON, or ONNX")->required()->type_name("FILE");
  command
      .add_option("--backends", options.backends,
                  "Backends, each with settings of its own if need be; ratios are to the first (cpu)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME[:KEY=VALUE...],...");
  command.add_option("--threads", options.threads, "How many threads one run may use; 0: what the backend thinks best (1)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(0, 1024))
      ->type_name("N,...");
  command.add_option("--backend-option", options.settings, "Setting of all backends, or of the one that it names; repeatable")
      ->type_name("[NAME:]KEY=VALUE")
      ->allow_extra_args(false);
  command.add_option("--dim", options.dimensions, "Size of a dynamic dimension; repeatable")
      ->type_name("NAME=SIZE")
      ->allow_extra_args(false);
  command.add_option("--value", options.values, "ONNX: an input that shapes depend on becomes this constant; repeatable")
      ->type_name("NAME=FILE.npy")
      ->allow_extra_args(false);
  addLimitOptions(command, options.limits);
}

void addHow(CLI::App& command, BenchOptions& options) {
  command.add_option("--warmup", options.warmup, "Runs before those that count (2)")
      ->check(CLI::Range(0, 1000000))
      ->type_name("N");
  CLI::Option* duration = command
                              .add_option("--duration", options.duration,
                                          "How long each combination runs; at least 3 runs, and up to twice as long for 7 (1)")
                              ->check(CLI::PositiveNumber)
                              ->type_name("SECONDS");
  command.add_option("--runs", options.runs, "How many runs of each combination count")
      ->check(CLI::Range(1, 1000000000))
      ->excludes(duration)
      ->type_name("N");
  command.add_flag_callback(
      "--no-memory", [&options] { options.memory = false; }, "Leave memory out of the report");
  command.add_flag("--per-op", options.perOp, "Also show what each step takes, if the backend can tell");
  command.add_option("--trace", options.trace, "Write the steps of one run as a Chrome trace, for Perfetto")->type_name("FILE");
  CLI::Option* format = command.add_option("--format", options.format, "md (the default), csv or json")
                            ->check(CLI::IsMember({"md", "csv", "json"}));
  command
      .add_flag_callback(
          "--json", [&options] { options.format = "json"; }, "The same as --format=json")
      ->excludes(format);
  command.add_option("-o,--out", options.output, "Write a file instead of standard output")->type_name("FILE");
  command.add_flag("--quiet", options.quiet, "Tables only");
}

}  // namespace

void addBench(CLI::App& app, int& status) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App& command = *app.add_subcommand("bench", "Measure models on backends, in alternation");
  addWhat(command, *options);
  addHow(command, *options);
  auto contends = std::make_shared<bool>(false);
  command.add_flag("--contend", *contends)->group("");  // in the processes that measureAll() starts
  command.footer(
      "Times are of one run on the calling thread, with random inputs, without copies in or out. GFLOP/s counts the\n"
      "multiply-adds of products, convolutions and recurrent networks; the peak is what float32 multiply-adds reach here.\n"
      "Examples:\n"
      "  webnn bench model.onnx --backends cpu,onnxruntime --threads 1,2\n"
      "  webnn bench *.onnx --backends cpu,cpu:isa=avx2 --duration 5 --format csv -o times.csv\n"
      "  webnn bench model.webnn --per-op --trace trace.json");
  command.callback([options, contends, &status] {
    if (*contends) return contend(*options);
    status = run(*options);
  });
}

}  // namespace webnn::cli
