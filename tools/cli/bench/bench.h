// Declarations shared by the parts of `webnn bench`.
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
  std::vector<std::filesystem::path> models;    // paths; "-" is standard input
  std::string standardInput;                    // path of the file with a copy of standard input
  std::vector<std::string> dimensions, values;  // --dim and --value
  std::vector<std::string> backends{"cpu"};     // "NAME[:KEY=VALUE...]", optionally with ":service[=ADDRESS]"
  std::map<std::string, std::string> peers;     // programs that measure other engines; keys are their names in `backends`
  std::vector<std::uint32_t> threads{1};
  BackendOptions common;   // settings, service and limits of all backends
  std::size_t warmup = 2;  // runs before the measurement
  std::size_t runs = 0;    // measured runs; 0: as many as fit in `duration` seconds, at least 3
  double duration = 1;
  std::uint32_t pause = 0;  // milliseconds of sleep before each measured run; unless 0, a turn is one run
  bool memory = true, perOp = false, quiet = false;
  bool full = false;  // print all columns, even if too wide for the terminal
  std::string format = "md";
  std::filesystem::path output, trace;
};

// A step of a compiled graph and its median time in seconds.
struct BenchStep {
  StepTime last;  // the step's data from the last run
  double median = 0;
};

// The result for one model, backend and number of threads. Times are in seconds.
struct BenchRow {
  std::filesystem::path model;
  std::string backend;  // backend as given on the command line
  std::uint32_t threads = 0;
  std::string error;             // empty on success; otherwise the fields below have no meaning
  std::vector<double> times;     // times of the measured runs, ascending
  double load = 0, compile = 0;  // the fastest of up to three builds
  std::string version;           // version of a peer's engine; may be empty
  std::uint64_t flop = 0;        // floating-point operations of one run, as measure::flopOf() counts them
  std::uint64_t peakBytes = 0;   // peak memory minus memory before loading the model; 0: unknown
  double ratio = 0;              // time divided by the first backend's time; 0 if either backend failed
  std::vector<BenchStep> steps;  // with --per-op or --trace, if the backend reports steps
};

struct BenchResult {
  std::vector<BenchRow> rows;
  std::map<std::uint32_t, double> peaks;  // keyed by number of threads: median measured peak, in float32 operations per second
};

// Returns the smallest value that at least `share` of the ascending values do not exceed. A share of 0.5 gives the median.
double percentile(const std::vector<double>& ascending, double share);
double median(std::vector<double> values);

// Measures each combination of model, backend and thread count. The combinations of one model run in alternation.
BenchResult measureAll(const BenchOptions& options);

// Runs in a process that measureAll() starts for one combination. Builds the model, then measures a turn or times the steps for
// each request on standard input, which is a socket.
void contend(const BenchOptions& options);

// Returns the report in the format options.format.
std::string benchText(const BenchOptions& options, const BenchResult& result);
// Returns the steps as a Chrome trace (for Perfetto), with one process per row.
std::string traceText(const BenchResult& result);

}  // namespace webnn::cli
