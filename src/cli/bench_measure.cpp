// Measuring: the combinations of one model take turns, so that a change of the machine's clock or load meets them all.
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <thread>

#include "base/text.h"
#include "cli/bench.h"
#include "cli/bench_buffers.h"
#include "cli/graph_work.h"
#include "cli/progress.h"
#include "context/context_state.h"
#include "context/graph_state.h"
#include "cpu/peak.h"

namespace webnn::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kTurn = 2e-3;   // a turn takes as many runs as fill this time
constexpr double kProbe = 2e-3;  // how long the processor's peak is measured
constexpr double kBetweenProbes = 0.1;
constexpr std::size_t kFewestRuns = 3, kProfiledRuns = 30;

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

double timeOf(const auto& work) {
  const Clock::time_point start = Clock::now();
  work();
  return secondsSince(start);
}

struct NoExecutable final : Executable {
  void run(std::span<const std::span<const std::byte>>, std::span<const std::span<std::byte>>) const override {}
};

// Loads graphs, and runs none.
class LoadingBackend final : public Backend {
 public:
  std::string_view name() const override { return "none"; }
  bool accelerated() const override { return false; }
  OpSupportLimits opSupportLimits() const override { return tableLimits(); }
  std::unique_ptr<Executable> compile(std::shared_ptr<const GraphDefinition>) const override {
    return std::make_unique<NoExecutable>();
  }
};

// The result of the last of up to three calls, within about a second, and the time of the fastest.
template <typename Make>
auto fastestOf(double& fastest, const Make& make) {
  decltype(make()) result;
  fastest = HUGE_VAL;
  const Clock::time_point start = Clock::now();
  for (int i = 0; i < 3 && (i == 0 || secondsSince(start) < 1); ++i) {
    result = {};  // two at a time would take twice the memory
    fastest = std::min(fastest, timeOf([&] { result = make(); }));
  }
  return result;
}

double processorSeconds(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Waits until the threads of other backends, which spin for a while after their work, have gone to sleep.
void waitForOtherThreads() {
  constexpr double kStep = 1e-4, kLongest = 0.1;
  const auto ofOthers = [] { return processorSeconds(CLOCK_PROCESS_CPUTIME_ID) - processorSeconds(CLOCK_THREAD_CPUTIME_ID); };
  const Clock::time_point start = Clock::now();
  for (double before = ofOthers(), after = 0; secondsSince(start) < kLongest; before = after) {
    std::this_thread::sleep_for(std::chrono::duration<double>(kStep));
    after = ofOthers();
    if (after - before < kStep / 10) return;
  }
}

// The processor's peak by threads, measured again and again.
class PeakMeter {
 public:
  explicit PeakMeter(const std::vector<std::uint32_t>& threads) {
    for (const std::uint32_t count : threads) probes_[count];
  }

  void probe() {
    last_ = Clock::now();
    for (auto& [threads, rates] : probes_) {
      rates.push_back(cpu::measurePeak(cpu::bestIsa(), threads == 0 ? cpu::availableProcessors() : threads, kProbe));
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

// On one line: the import has a line for each thing that is in the way.
std::string messageOf(const Error& error) {
  std::string message = error.what();
  std::ranges::replace(message, '\n', ' ');
  return message;
}

// One combination, and what its turns took.
class Contender {
 public:
  Contender(const BenchOptions& options, const Graph& graph, const BenchBuffers& buffers, BenchRow& row)
      : options_(options), buffers_(buffers), row_(row) {
    guarded([&] {
      Context context = makeContext(backendOf(options, row.backend, row.threads));
      graph_ = fastestOf(row.compile, [&] { return context.compile(graph); });
      executable_ = graph_.state()->executable();
      for (std::size_t i = 0; i < options.warmup; ++i) run();
    });
  }

  bool isDone() const {
    if (!row_.error.empty()) return true;
    if (options_.runs > 0) return row_.times.size() >= options_.runs;
    return row_.times.size() >= kFewestRuns && spent_ >= options_.duration;
  }

  bool hasHelpers() const { return row_.threads != 1; }

  void takeTurn() {
    guarded([&] {
      double inTurn = 0;
      std::vector<double> times;
      // Others have used the caches and our threads are asleep: a run alone pays for that as users do, but where a turn has
      // many runs the first would only blur the others.
      if (!row_.times.empty() && row_.times.back() < kTurn / 2) run();
      do {
        times.push_back(run());
        inTurn += times.back();
      } while (inTurn < kTurn && (options_.runs == 0 || row_.times.size() + times.size() < options_.runs));
      spent_ += inTurn;
      row_.times.insert(row_.times.end(), times.begin(), times.end());
      turns_.push_back(median(times));
    });
  }

  // After the measurement, since looking at the clock after each step takes time.
  void profile() {
    guarded([&] {
      std::vector<std::vector<double>> durations;
      std::vector<StepTime> last;
      const Clock::time_point start = Clock::now();
      for (std::size_t i = 0; i < std::clamp<std::size_t>(row_.times.size(), 1, kProfiledRuns); ++i) {
        last = buffers_.profile(*executable_);
        durations.resize(last.size());
        for (std::size_t step = 0; step < last.size(); ++step) durations[step].push_back(last[step].duration);
        if (secondsSince(start) > std::max(1.0, options_.duration)) break;
      }
      for (std::size_t step = 0; step < last.size(); ++step) row_.steps.push_back({last[step], median(durations[step])});
    });
  }

  // Turn by turn, so that it is what the clock was that matters, not when.
  double ratioTo(const Contender& first) const {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < std::min(turns_.size(), first.turns_.size()); ++i) ratios.push_back(turns_[i] / first.turns_[i]);
    return first.row_.error.empty() && row_.error.empty() ? median(std::move(ratios)) : 0;
  }

 private:
  double run() {
    return timeOf([&] { buffers_.run(*executable_); });
  }
  template <typename Work>
  void guarded(const Work& work) {
    if (!row_.error.empty()) return;
    try {
      work();
    } catch (const std::bad_alloc&) {
      row_.error = "there is not enough memory.";
    } catch (const Error& error) {
      row_.error = messageOf(error);
    } catch (const std::exception& error) {
      row_.error = sanitized(error.what());
    }
  }

  const BenchOptions& options_;
  const BenchBuffers& buffers_;
  BenchRow& row_;
  Graph graph_;
  std::shared_ptr<const Executable> executable_;
  std::vector<double> turns_;  // the median of each
  double spent_ = 0;
};

void takeTurns(std::vector<Contender>& contenders, PeakMeter& peak) {
  bool mayHelpersSpin = true;  // of warming up
  for (bool goesOn = true; goesOn;) {
    goesOn = false;
    for (Contender& contender : contenders) {
      if (contender.isDone()) continue;
      if (mayHelpersSpin) waitForOtherThreads();
      contender.takeTurn();
      mayHelpersSpin = contender.hasHelpers();
      goesOn = true;
    }
    peak.probeIfDue();
  }
}

void measureModel(const BenchOptions& options, std::span<BenchRow> rows, PeakMeter& peak, Progress& progress) {
  Context loading = makeLoadingContext();
  double load = 0;
  const Graph graph = fastestOf(load, [&] { return loadUncompiled(options, rows[0].model, loading); });
  const BenchBuffers buffers(graph);
  std::vector<Contender> contenders;
  for (BenchRow& row : rows) {
    row.load = load;
    row.flop = flopOf(*graph.state()->definition);
    if (options.memory) row.peakBytes = peakMemoryOf(options, row.model, row.backend, row.threads);
    contenders.emplace_back(options, graph, buffers, row);
    progress.step();
  }
  takeTurns(contenders, peak);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (options.perOp || !options.trace.empty()) contenders[i].profile();
    rows[i].ratio = contenders[i].ratioTo(contenders[i % options.threads.size()]);  // of the first backend, with as many threads
  }
  for (BenchRow& row : rows) std::ranges::sort(row.times);
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

BackendOptions backendOf(const BenchOptions& options, const std::string& backend, std::uint32_t threads) {
  BackendOptions result;
  result.threads = threads;
  const std::size_t colon = std::min(backend.find(':'), backend.size());
  result.name = backend.substr(0, colon);
  for (const std::string& setting : options.settings) {
    const std::size_t end = std::min(setting.find_first_of(":="), setting.size());
    const bool isForOne = end < setting.size() && setting[end] == ':';
    if (!isForOne) result.settings.push_back(setting);
    if (isForOne && setting.substr(0, end) == result.name) result.settings.push_back(setting.substr(end + 1));
  }
  for (std::size_t at = colon; at < backend.size();) {
    const std::size_t end = std::min(backend.find(':', at + 1), backend.size());
    result.settings.push_back(backend.substr(at + 1, end - at - 1));
    at = end;
  }
  return result;
}

Context makeLoadingContext() {
  return webnn::makeContext(std::make_shared<const LoadingBackend>(), {.execution = Execution::callerThread});
}

Graph loadUncompiled(const BenchOptions& options, const std::filesystem::path& model, Context& context) {
  ModelOptions load;
  load.model = model;
  load.dimensions = options.dimensions;
  load.values = options.values;
  return loadModel(context, load);
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
    const std::span rows = std::span(result.rows).subspan(begin, perModel);
    try {
      measureModel(options, rows, peak, progress);
    } catch (const Misuse&) {
      throw;
    } catch (const Error& error) {
      for (BenchRow& row : rows) row.error = messageOf(error);
    } catch (const std::exception& error) {
      for (BenchRow& row : rows) row.error = sanitized(error.what());
    }
  }
  result.peaks = peak.peaks();
  return result;
}

}  // namespace webnn::cli
