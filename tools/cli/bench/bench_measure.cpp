// Measures the combinations of one model in turns, so that changes of the clock rate or load affect all of them. Each combination
// has its own process, which is stopped during the other turns. Otherwise a library's spinning threads would take CPU time from
// the others.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <numeric>

#include "base/text.h"
#include "cli/bench/bench.h"
#include "cli/bench/bench_process.h"
#include "cli/progress.h"
#include "formats/document/json_fields.h"
#include "formats/document/json_parse.h"
#include "measure/peak.h"

namespace webnn::cli {

namespace {

constexpr double kProbe = 2e-3;  // seconds of one measurement of the processor's peak
constexpr double kBetweenProbes = 0.1;
constexpr std::size_t kFewestRuns = 3, kFewestTurns = 7, kProfiledRuns = 30;

// Measures the processor's peak rate of float32 multiply-adds for each number of threads, repeatedly. Returns the medians.
class PeakMeter {
 public:
  explicit PeakMeter(const std::vector<std::uint32_t>& threads) {
    for (const std::uint32_t count : threads) probes_[count];
  }

  void probe() {
    last_ = Clock::now();
    for (auto& [threads, rates] : probes_) {
      rates.push_back(measure::measurePeak(cpu::bestIsa(), threads == 0 ? measure::availableProcessors() : threads, kProbe));
    }
  }
  void probeIfDue() {
    if (secondsSince(last_) >= kBetweenProbes) probe();
  }
  std::map<std::uint32_t, double> peaks() const {
    std::map<std::uint32_t, double> peaks;
    for (const auto& [threads, rates] : probes_) peaks[threads] = median(rates);
    return peaks;
  }

 private:
  std::map<std::uint32_t, std::vector<double>> probes_;
  Clock::time_point last_;
};

// Returns the arguments that start this program as the contender for `row`.
std::vector<std::string> argumentsOf(const BenchOptions& options, const BenchRow& row) {
  std::vector<std::string> arguments = ownCommand();
  const std::string model = row.model == "-" ? options.standardInput : row.model.string();
  arguments.insert(arguments.end(),
                   {"bench", "--contend", "--warmup", std::to_string(options.warmup), "--threads", std::to_string(row.threads)});
  if (options.pause > 0) arguments.insert(arguments.end(), {"--pause", std::to_string(options.pause)});
  const auto add = [&](const char* option, const std::vector<std::string>& values) {
    for (const std::string& value : values) arguments.insert(arguments.end(), {option, value});
  };
  if (const auto peer = options.peers.find(row.backend); peer != options.peers.end()) {
    arguments.insert(arguments.end(), {"--peer", peer->first + "=" + peer->second, "--", model});
    return arguments;
  }
  add("--backends", {row.backend});
  add("--dim", options.dimensions);
  add("--value", options.values);
  std::ranges::move(commonArguments(options.common), std::back_inserter(arguments));
  arguments.insert(arguments.end(), {"--", model});
  return arguments;
}

// An answer of a contender process, parsed.
class Answer {
 public:
  // Throws Misuse or std::runtime_error if the answer reports an error.
  explicit Answer(const std::string& line) : json_(formats::parseJson(line, kWhose)) {
    if (const auto misuse = all().find("misuse")) throw Misuse(misuse->text());
    if (const auto error = all().find("error")) throw std::runtime_error(error->text());
  }

  formats::JsonAt member(std::string_view key) const { return all().member(key); }
  bool has(std::string_view key) const { return all().find(key).has_value(); }

 private:
  static constexpr std::string_view kWhose = "the answer of its process";

  formats::JsonAt all() const { return {json_, std::string(kWhose)}; }

  Json json_;
};

// Parses a time in seconds. Rejects invalid times, which would distort the report or keep turns from ending.
double secondsOf(const formats::JsonAt& json) {
  constexpr double kMost = 1e9;
  double seconds = 0;
  formats::readField(json.path(), json.json(), seconds);
  if (!(seconds >= 0 && seconds <= kMost)) json.fail("it is not between 0 and 1000000000 seconds.");
  return seconds;
}

// Parses the times of a turn: at least one, so that the measurement ends, and at most `most` (0: no limit).
std::vector<double> timesOf(const formats::JsonAt& json, std::size_t most) {
  if (json.listSize() == 0) json.fail("there are none.");
  if (most != 0 && json.listSize() > most) json.fail(formatText("there are {}, more than {}.", json.listSize(), most));
  std::vector<double> times;
  json.forEachItem([&](const formats::JsonAt& time) {
    times.push_back(secondsOf(time));
    if (times.back() == 0) time.fail("a run takes longer than 0 seconds.");
  });
  return times;
}

// One combination of backend and thread count, with its process and measured times.
class Contender {
 public:
  Contender(const BenchOptions& options, BenchRow& row) : options_(options), row_(row) {
    guarded([&] {
      const bool isPeer = options.peers.contains(row.backend);
      // The tool's own processes enforce the time limit themselves; peers do not.
      const std::chrono::duration<double> most(isPeer ? options.common.limits.seconds : 0);
      process_ = std::make_unique<BenchProcess>(ownCommand()[0], argumentsOf(options, row), most);
      const Answer facts(process_->greeting());
      row.load = secondsOf(facts.member("load"));
      row.compile = secondsOf(facts.member("compile"));
      if (!isPeer) row.flop = facts.member("flop").integer64();
      if (isPeer) row.version = facts.member("version").text();
      if (options.memory) row.peakBytes = facts.member("peakBytes").integer64();
    });
  }

  bool isDone() const {
    if (!row_.error.empty()) return true;
    if (options_.runs > 0) return row_.times.size() >= options_.runs;
    // A ratio from few turns is imprecise, so a model with long runs may take up to twice `duration` to get more turns.
    const bool isFair = turns_.size() >= kFewestTurns || spent_ >= 2 * options_.duration;
    return row_.times.size() >= kFewestRuns && spent_ >= options_.duration && isFair;
  }

  void takeTurn() {
    guarded([&] {
      std::size_t most = options_.runs == 0 ? 0 : options_.runs - row_.times.size();
      if (options_.pause > 0) most = 1;
      const Answer answer(process_->ask(formatText("turn {}", most)));
      const std::vector<double> times = timesOf(answer.member("times"), most);
      spent_ += std::accumulate(times.begin(), times.end(), options_.pause / 1e3);
      row_.times.insert(row_.times.end(), times.begin(), times.end());
      turns_.push_back(median(times));
    });
  }

  // Called after the measurement, because timing each step slows down runs.
  void profile() {
    guarded([&] {
      const std::size_t most = std::clamp<std::size_t>(row_.times.size(), 1, kProfiledRuns);
      const std::string line = formatText("profile {} {}", most, std::max(1.0, options_.duration));
      const Answer answer(process_->ask(line));
      answer.member("steps").forEachItem([&](const formats::JsonAt& step) {
        row_.steps.push_back({{step.member("operation").text(), step.member("label").text(), step.member("kernel").text(),
                               secondsOf(step.member("start")), secondsOf(step.member("duration"))},
                              secondsOf(step.member("median"))});
      });
    });
  }

  double spent() const { return spent_; }  // seconds of all turns so far, with their pauses

  // Returns the median ratio of corresponding turns, so that changes of the clock rate cancel out. Returns 0 after an error.
  double ratioTo(const Contender& first) const {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < std::min(turns_.size(), first.turns_.size()); ++i) ratios.push_back(turns_[i] / first.turns_[i]);
    return first.row_.error.empty() && row_.error.empty() ? median(std::move(ratios)) : 0;
  }

 private:
  template <typename Work>
  void guarded(const Work& work) {
    if (!row_.error.empty()) return;
    try {
      work();
    } catch (const Misuse&) {
      throw;
    } catch (const std::exception& error) {
      row_.error = error.what();
      process_.reset();
    }
  }

  const BenchOptions& options_;
  BenchRow& row_;
  std::unique_ptr<BenchProcess> process_;
  std::vector<double> turns_;  // median time of each turn
  double spent_ = 0;
};

void takeTurns(std::deque<Contender>& contenders, PeakMeter& peak, const std::string& model, Progress& progress) {
  for (bool goesOn = true; goesOn;) {
    goesOn = false;
    double spent = 0;
    for (Contender& contender : contenders) {
      spent += contender.spent();
      if (contender.isDone()) continue;
      contender.takeTurn();
      goesOn = true;
    }
    peak.probeIfDue();
    progress.show(formatText("{}: {:.0f} s measured", model, spent));
  }
}

void measureModel(const BenchOptions& options, std::span<BenchRow> rows, PeakMeter& peak, Progress& progress) {
  std::deque<Contender> contenders;
  const std::string model = sanitized(rows[0].model.stem().string());
  for (BenchRow& row : rows) {
    progress.show(formatText("{}: building on {}", model, sanitized(row.backend)));
    contenders.emplace_back(options, row);
  }
  for (BenchRow& row : rows) {
    if (row.flop == 0) row.flop = rows[0].flop;  // peers do not report operations
  }
  takeTurns(contenders, peak, model, progress);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool isPeer = options.peers.contains(rows[i].backend);
    if (!isPeer && (options.perOp || !options.trace.empty())) contenders[i].profile();
    rows[i].ratio = contenders[i].ratioTo(contenders[i % options.threads.size()]);  // first backend, same number of threads
  }
  for (BenchRow& row : rows) {
    std::ranges::sort(row.times);
    progress.step();
  }
}

}  // namespace

double percentile(const std::vector<double>& ascending, double share) {
  if (ascending.empty()) return 0;
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(ascending.size())));
  return ascending[std::clamp<std::size_t>(rank, 1, ascending.size()) - 1];
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return percentile(values, 0.5);
}

BenchResult measureAll(const BenchOptions& options) {
  BenchResult result;
  for (const std::filesystem::path& model : options.models) {
    for (const std::string& backend : options.backends) {
      for (const std::uint32_t threads : options.threads) {
        BenchRow& row = result.rows.emplace_back();
        row.model = model;
        row.backend = backend;
        row.threads = threads;
      }
    }
  }
  PeakMeter peak(options.threads);
  peak.probe();
  Progress progress("bench", result.rows.size(), options.quiet);
  const std::size_t perModel = options.backends.size() * options.threads.size();
  for (std::size_t begin = 0; begin < result.rows.size(); begin += perModel) {
    measureModel(options, std::span(result.rows).subspan(begin, perModel), peak, progress);
  }
  result.peaks = peak.peaks();
  return result;
}

}  // namespace webnn::cli
