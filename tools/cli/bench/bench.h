// Shared by the parts of `webnn bench`.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "graph/backend.h"

namespace webnn::cli {

using Clock = std::chrono::steady_clock;
inline double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

struct BenchOptions {
  std::vector<std::filesystem::path> models;    // "-": standard input
  std::string standardInput;                    // the file that the processes read instead
  std::vector<std::string> dimensions, values;  // of ONNX models, as for other subcommands
  std::vector<std::string> backends{"cpu"};     // "NAME" or "NAME:KEY=VALUE:KEY=VALUE", and ":service" or ":service=ADDRESS"
  std::map<std::string, std::string> peers;     // programs that measure other engines, by the name that stands among the backends
  std::vector<std::uint32_t> threads{1};
  BackendOptions common;   // settings, service and limits
  std::size_t warmup = 2;  // runs that are not counted
  std::size_t runs = 0;    // how many are counted; 0: for `duration` seconds, at least 3
  double duration = 1;
  bool memory = true, perOp = false, quiet = false;
  bool full = false;  // all columns, however wide
  std::string format = "md";
  std::filesystem::path output, trace;
};

// A step of the backend with its median time in seconds.
struct BenchStep {
  StepTime last;  // in the last run
  double median = 0;
};

// A model on a backend with a number of threads, and how that went. Times in seconds.
struct BenchRow {
  std::filesystem::path model;
  std::string backend;  // as requested
  std::uint32_t threads = 0;
  std::string error;             // empty if all is well; then what follows is there
  std::vector<double> times;     // of the counted runs, ascending
  double load = 0, compile = 0;  // the fastest of a few
  std::string version;           // of a peer's engine, if it says so
  std::uint64_t flop = 0;        // of one run
  std::uint64_t peakBytes = 0;   // of memory, above what the process had before it read the model; 0: unknown
  double ratio = 0;              // how often as long as the first backend it took; 0 if that failed
  std::vector<BenchStep> steps;  // with --per-op or --trace, if the backend can tell
};

struct BenchResult {
  std::vector<BenchRow> rows;
  std::map<std::uint32_t, double> peaks;  // by threads: float32 operations per second that the machine reached during the run
};

// The value that `share` of the ascending values do not exceed: 0.5 is the median.
double percentile(const std::vector<double>& ascending, double share);
double median(std::vector<double> values);

// Measures all models on all backends with all thread counts; those of one model take turns.
BenchResult measureAll(const BenchOptions& options);

// Runs in the process that measureAll() starts per row: builds, and takes a turn whenever standard input, a socket, requests one.
void contend(const BenchOptions& options);

// The report in options.format.
std::string benchText(const BenchOptions& options, const BenchResult& result);
// The steps as a Chrome trace, for Perfetto: a process for each row.
std::string traceText(const BenchResult& result);

}  // namespace webnn::cli
