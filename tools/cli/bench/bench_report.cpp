#include <algorithm>

#include "backends/cpu/runtime/isa.h"
#include "backends/onnxruntime/library.h"
#include "base/escape.h"
#include "base/text.h"
#include "cli/bench/bench.h"
#include "cli/terminal.h"
#include "measure/peak.h"

namespace webnn::cli {

namespace {

constexpr std::size_t kShownSteps = 40, kMostErrorBytes = 4096;

// Formats a time in milliseconds with about four digits.
std::string timeText(double seconds) {
  const double milliseconds = seconds * 1000;
  return formatText("{:.{}f}", milliseconds, milliseconds >= 100 ? 1 : milliseconds >= 10 ? 2 : milliseconds >= 0.1 ? 3 : 5);
}

std::string threadsText(std::uint32_t threads) {
  return threads == 0 ? "all threads" : formatText("{} thread{}", threads, threads == 1 ? "" : "s");
}

double rateOf(const BenchRow& row) { return static_cast<double>(row.flop) / percentile(row.times, 0.5); }

// Returns ONNX Runtime's version if a row used it; else empty.
std::string onnxRuntimeVersion(const BenchOptions& options, const BenchResult& result) {
  for (const BenchRow& row : result.rows) {
    if (options.peers.contains(row.backend)) continue;
    const BackendOptions asked = backendOf(row.backend, options.common);
    if (asked.name != "onnxruntime" || !row.error.empty()) continue;  // loading a library that failed might crash this process
    try {
      const auto places = SearchPlaces::ofProcess(onnxruntime::libraryKind(), settingsOf(asked.settings, asked.name));
      return onnxruntime::Library::load(places).version();
    } catch (const Error&) {
      return {};
    }
  }
  return {};
}

Json machineJson(const BenchOptions& options, const BenchResult& result) {
  Json json{{"processor", measure::processorName()}, {"isa", cpu::name(cpu::bestIsa())}};
  if (const char* isa = std::getenv("WEBNN_CPU_ISA"); isa && *isa) json["isaAskedFor"] = isa;
  json["processors"] = measure::availableProcessors();
  json["peakGflops"] = Json::object();
  for (const auto& [threads, peak] : result.peaks) json["peakGflops"][std::to_string(threads)] = peak / 1e9;
#if defined(__clang__)
  json["compiler"] = __VERSION__;
#else
  json["compiler"] = "GCC " __VERSION__;
#endif
  if (const std::string version = onnxRuntimeVersion(options, result); !version.empty()) json["onnxruntime"] = version;
  return json;
}

std::map<std::string, double> timesByOperation(const BenchRow& row) {
  std::map<std::string, double> times;
  for (const BenchStep& step : row.steps) times[step.last.operation] += step.median;
  return times;
}

double sumOf(const std::vector<BenchStep>& steps) {
  double sum = 0;
  for (const BenchStep& step : steps) sum += step.median;
  return sum;
}

Json stepsJson(const BenchRow& row) {
  const double sum = sumOf(row.steps);
  Json json = Json::array();
  for (const BenchStep& step : row.steps) {
    json.push({{"label", step.last.label},
               {"operation", step.last.operation},
               {"kernel", step.last.kernel},
               {"microseconds", step.median * 1e6},
               {"share", step.median / sum}});
  }
  return json;
}

Json rowJson(const BenchRow& row, const BenchResult& result, const BenchOptions& options) {
  Json json{
      {"model", row.model.stem().string()}, {"file", row.model.string()}, {"backend", row.backend}, {"threads", row.threads}};
  if (!row.error.empty()) {
    json["error"] = row.error;
    return json;
  }
  if (!row.version.empty()) json["version"] = row.version;
  json["runs"] = row.times.size();
  json["milliseconds"] = {{"min", row.times.front() * 1e3},
                          {"median", percentile(row.times, 0.5) * 1e3},
                          {"p90", percentile(row.times, 0.9) * 1e3},
                          {"p99", percentile(row.times, 0.99) * 1e3}};
  json["gflop"] = static_cast<double>(row.flop) / 1e9;
  json["gflops"] = rateOf(row) / 1e9;
  json["shareOfPeak"] = rateOf(row) / result.peaks.at(row.threads);
  json["loadMilliseconds"] = row.load * 1e3;
  json["compileMilliseconds"] = row.compile * 1e3;
  if (row.peakBytes > 0) json["peakBytes"] = row.peakBytes;
  if (row.ratio > 0) json["ratio"] = row.ratio;
  if (options.perOp) json["steps"] = stepsJson(row);
  return json;
}

std::string benchJson(const BenchOptions& options, const BenchResult& result) {
  Json json{{"machine", machineJson(options, result)}, {"rows", Json::array()}};
  if (options.pause > 0) json["pauseMilliseconds"] = options.pause;
  for (const BenchRow& row : result.rows) json["rows"].push(rowJson(row, result, options));
  return json.dump({.indent = 1, .replaces = true}) + "\n";
}

constexpr std::string_view kColumns[] = {"model",   "backend", "threads", "median ms",  "p90",       "p99",   "min",
                                         "GFLOP/s", "of peak", "load ms", "compile ms", "memory MB", "ratio", "runs"};

// Returns the cells of a row. After an error, these are the model, backend, threads and the error.
std::vector<std::string> cellsOf(const BenchRow& row, const BenchResult& result) {
  std::vector<std::string> cells{sanitized(row.model.stem().string()), sanitized(row.backend), std::to_string(row.threads)};
  if (!row.error.empty()) {
    cells.push_back("ERROR: " + escaped(row.error, kMostErrorBytes));
    return cells;
  }
  for (const double share : {0.5, 0.9, 0.99}) cells.push_back(timeText(percentile(row.times, share)));
  cells.push_back(timeText(row.times.front()));
  cells.push_back(row.flop == 0 ? "" : formatText("{:.1f}", rateOf(row) / 1e9));
  cells.push_back(row.flop == 0 ? "" : formatText("{:.1f}%", 100 * rateOf(row) / result.peaks.at(row.threads)));
  cells.push_back(timeText(row.load));
  cells.push_back(timeText(row.compile));
  cells.push_back(row.peakBytes == 0 ? "" : formatText("{:.1f}", static_cast<double>(row.peakBytes) / 1e6));
  cells.push_back(row.ratio > 0 ? formatText("{:.2f}", row.ratio) : "");
  cells.push_back(std::to_string(row.times.size()));
  return cells;
}

// Formats a Markdown table with aligned columns. A short row (of an error) widens no column.
std::string tableText(std::vector<std::vector<std::string>> rows) {
  for (auto& row : rows) {
    for (std::string& cell : row) {  // escape '|', which would end the cell
      for (std::size_t at = 0; (at = cell.find('|', at)) != cell.npos; at += 2) cell.insert(at, 1, '\\');
    }
  }
  std::vector<std::size_t> widths(rows[0].size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size() && row.size() == widths.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t i = 0; i < rows[r].size(); ++i) text += formatText("| {:<{}} ", rows[r][i], widths[i]);
    text += "|\n";
    if (r > 0) continue;
    for (const std::size_t width : widths) text += "|" + std::string(width + 2, '-');
    text += "|\n";
  }
  return text;
}

// Columns in the order of removal if the table is too wide: the least important first.
constexpr std::string_view kDispensable[] = {"runs",    "min",       "p99",        "of peak", "load ms",
                                             "threads", "memory MB", "compile ms", "p90",     "GFLOP/s"};

std::size_t widthOf(const std::vector<std::vector<std::string>>& rows) {
  const std::string table = tableText({rows.begin(), rows.end()});
  return table.find('\n');
}

// Removes columns until the table fits `columns`. Keeps "threads" if its values differ. Returns the names of the removed columns.
std::string narrow(std::vector<std::vector<std::string>>& rows, std::size_t columns) {
  std::string gone;
  // Rows with an error only have the cells model, backend, threads and the error.
  const auto erase = [&](std::size_t index) {
    gone += (gone.empty() ? "" : ", ") + rows[0][index];
    const std::size_t whole = rows[0].size();
    const bool isThreads = rows[0][index] == "threads";
    for (auto& row : rows) {
      if (row.size() == whole || isThreads) row.erase(row.begin() + static_cast<std::ptrdiff_t>(index));
    }
  };
  for (const std::string_view name : kDispensable) {
    if (widthOf(rows) <= columns) break;
    const auto found = std::ranges::find(rows[0], name);
    const auto index = static_cast<std::size_t>(found - rows[0].begin());
    const bool isNeeded = name == "threads" && std::ranges::any_of(rows, [&](const auto& row) {
                            return &row != &rows[0] && row[index] != rows[1][index];
                          });
    if (!isNeeded) erase(index);
  }
  return gone;
}

std::string stepsText(const BenchRow& row) {
  std::string text =
      formatText("\n{} on {} with {}", sanitized(row.model.stem().string()), sanitized(row.backend), threadsText(row.threads));
  if (row.steps.empty()) return text + ": the backend does not tell what its steps take.\n";
  const double sum = sumOf(row.steps);
  const auto share = [&](double seconds) { return formatText("{:.1f}%", 100 * seconds / sum); };
  const auto microseconds = [](double seconds) { return formatText("{:.1f}", seconds * 1e6); };
  std::vector<BenchStep> steps = row.steps;
  std::ranges::stable_sort(steps, std::ranges::greater(), &BenchStep::median);
  std::vector<std::vector<std::string>> rows{{"us", "share", "operation", "label", "kernel"}};
  for (const BenchStep& step : std::span(steps).first(std::min(steps.size(), kShownSteps))) {
    rows.push_back({microseconds(step.median), share(step.median), step.last.operation, sanitized(step.last.label),
                    sanitized(step.last.kernel)});
  }
  if (steps.size() > kShownSteps) {
    const double rest = sumOf({steps.begin() + kShownSteps, steps.end()});
    rows.push_back({microseconds(rest), share(rest), formatText("{} more", steps.size() - kShownSteps), "", ""});
  }
  text += formatText(": {} steps\n\n{}\n", steps.size(), tableText(rows));
  std::vector<std::pair<std::string, double>> operations;
  for (const auto& item : timesByOperation(row)) operations.push_back(item);
  std::ranges::stable_sort(operations, std::ranges::greater(), &std::pair<std::string, double>::second);
  rows = {{"us", "share", "operation", "steps"}};
  for (const auto& [operation, seconds] : operations) {
    const auto count = std::ranges::count(steps, operation, [](const BenchStep& step) { return step.last.operation; });
    rows.push_back({microseconds(seconds), share(seconds), operation, std::to_string(count)});
  }
  return text + tableText(rows);
}

std::string markdownText(const BenchOptions& options, const BenchResult& result) {
  std::vector<std::vector<std::string>> rows{{std::begin(kColumns), std::end(kColumns)}};
  for (const BenchRow& row : result.rows) rows.push_back(cellsOf(row, result));
  const bool isFile = !options.output.empty() && options.output != "-";
  const std::string gone = options.full || isFile ? std::string() : narrow(rows, terminalColumns());
  std::string text = tableText(rows);
  if (!options.quiet && !gone.empty())
    text += "\n" + wrapped("not shown: " + gone + " (--full or --json shows all)", terminalColumns(), 0) + "\n";
  if (!options.quiet) {
    text += formatText("\n{}, {}, {} processors; peak", measure::processorName(), cpu::name(cpu::bestIsa()),
                       measure::availableProcessors());
    for (const auto& [threads, peak] : result.peaks) {
      text += formatText("{} {:.1f} GFLOP/s with {}", threads == result.peaks.begin()->first ? "" : ",", peak / 1e9,
                         threadsText(threads));
    }
    if (options.pause > 0) text += formatText("; {} ms of pause before each run", options.pause);
    text += "\n";
  }
  if (!options.perOp) return text;
  for (const BenchRow& row : result.rows) {
    if (row.error.empty()) text += stepsText(row);
  }
  return text;
}

std::string csvLine(const std::vector<std::string>& cells) {
  std::string text;
  for (const std::string& cell : cells) {
    if (!text.empty()) text += ',';
    if (cell.find_first_of(",\"\r\n") == cell.npos) {
      text += cell;
      continue;
    }
    text += '"';
    for (const char c : cell) text += c == '"' ? std::string("\"\"") : std::string(1, c);
    text += '"';
  }
  return text + "\n";
}

std::string csvText(const BenchResult& result) {
  std::string text =
      "model,backend,threads,median_ms,p90_ms,p99_ms,min_ms,gflops,share_of_peak,load_ms,compile_ms,peak_bytes,ratio,runs,"
      "error\n";
  const auto number = [](double value) { return value > 0 ? formatText("{:.6g}", value) : std::string(); };
  for (const BenchRow& row : result.rows) {
    std::vector<std::string> cells{row.model.stem().string(), row.backend, std::to_string(row.threads)};
    const bool isFine = row.error.empty();
    const auto add = [&](double value) { cells.push_back(isFine ? number(value) : ""); };
    for (const double share : {0.5, 0.9, 0.99}) add(percentile(row.times, share) * 1e3);
    add(isFine ? row.times.front() * 1e3 : 0);
    add(isFine ? rateOf(row) / 1e9 : 0);
    add(isFine ? rateOf(row) / result.peaks.at(row.threads) : 0);
    add(row.load * 1e3);
    add(row.compile * 1e3);
    cells.push_back(isFine && row.peakBytes > 0 ? std::to_string(row.peakBytes) : "");
    add(row.ratio);
    cells.push_back(std::to_string(row.times.size()));
    cells.push_back(row.error);
    text += csvLine(cells);
  }
  return text;
}

}  // namespace

std::string benchText(const BenchOptions& options, const BenchResult& result) {
  if (options.format == "json") return benchJson(options, result);
  if (options.format == "csv") return csvText(result);
  return markdownText(options, result);
}

std::string traceText(const BenchResult& result) {
  Json events = Json::array();
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    const BenchRow& row = result.rows[i];
    if (row.steps.empty()) continue;
    const std::string name = formatText("{} on {} with {}", row.model.stem().string(), row.backend, threadsText(row.threads));
    events.push({{"name", "process_name"}, {"ph", "M"}, {"pid", i}, {"tid", 0}, {"args", {{"name", name}}}});
    for (const BenchStep& step : row.steps) {
      const StepTime& time = step.last;
      events.push({{"name", time.label.empty() ? time.operation : time.label},
                   {"cat", "Node"},
                   {"ph", "X"},
                   {"pid", i},
                   {"tid", 0},
                   {"ts", time.start * 1e6},
                   {"dur", time.duration * 1e6},
                   {"args", {{"op_name", time.operation}, {"kernel", time.kernel}, {"provider", row.backend}}}});
    }
  }
  Json json{{"displayTimeUnit", "ns"}};
  json["traceEvents"] = std::move(events);
  return json.dump({.indent = 1, .replaces = true}) + "\n";
}

}  // namespace webnn::cli
