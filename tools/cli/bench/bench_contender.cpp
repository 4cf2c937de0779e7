// The process that measures one model on one backend. It builds the model, reports, and measures turns and steps on request.
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>

#include "base/text.h"
#include "cli/bench/bench.h"
#include "cli/local_sockets.h"
#include "cli/model_session.h"
#include "context/context_state.h"
#include "context/graph_state.h"
#include "context/reading_context.h"
#include "measure/bench_buffers.h"
#include "measure/graph_work.h"
#include "onnx/program/step_recorder.h"

namespace webnn::cli {

namespace {

constexpr double kTurn = 5e-3;   // seconds; a turn repeats runs until this time is filled
constexpr double kBuilding = 2;  // seconds; up to 3 builds (the fastest counts), if they start within this time

double timeOf(const auto& work) {
  const Clock::time_point start = Clock::now();
  work();
  return secondsSince(start);
}

// Returns the bytes in the line "NAME:   1234 kB" of /proc/self/status; 0 if there is none.
std::uint64_t statusBytes(std::string_view name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name) && line[name.size()] == ':') return std::stoull(line.substr(name.size() + 1)) * 1024;
  }
  return 0;
}

BackendOptions backendOf(const BenchOptions& options) {
  BackendOptions backend = backendOf(options.backends.at(0), options.common);
  backend.threads = options.threads.at(0);
  return backend;
}

class BenchContender {
 public:
  explicit BenchContender(const BenchOptions& options)
      : options_(options), context_(makeContext(backendOf(options))), loading_(makeReader({.limits = options.common.limits})) {
    model_.model = options.models.at(0);
    model_.dimensions = options.dimensions;
    model_.values = options.values;
  }

  // Loads, compiles and warms up. Returns the answer with times, memory and operations.
  Json build() {
    const std::uint64_t before = statusBytes("VmRSS");
    double load = HUGE_VAL, compile = HUGE_VAL;
    const Clock::time_point start = Clock::now();
    Json facts = Json::object();
    for (int i = 0; i < 3 && (i == 0 || secondsSince(start) < kBuilding); ++i) {
      executable_.reset();  // free the previous graph first, to halve the peak memory
      graph_ = {};
      std::optional<Graph> loaded;
      load = std::min(load, timeOf([&] { loaded = tryLoadModel(loading_, model_); }));
      if (!loaded) return buildSession(before);
      compile = std::min(compile, timeOf([&] { graph_ = context_.compile(*loaded); }));
      executable_ = graph_.state()->executable();
      if (i > 0) continue;
      buffers_.emplace(graph_);
      run();
      facts["peakBytes"] = peakSince(before);
    }
    facts["load"] = load;
    facts["compile"] = compile;
    facts["flop"] = measure::flopOf(definitionOf(graph_));
    for (std::size_t i = 0; i < options_.warmup; ++i) run();
    return facts;
  }

  // Measures runs until a turn's time is filled, at most `most` runs (0: no limit). With --pause, measures one run after a pause.
  // Returns the times.
  Json takeTurn(std::size_t most) {
    if (options_.pause > 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(options_.pause));
      Json times = Json::array();
      times.push(run());
      return {{"times", std::move(times)}};
    }
    // The first run of a turn is slower, because other processes have used the caches. It would add noise to short runs, so an
    // unmeasured run comes first. For long runs, the difference is small.
    if (last_ < kTurn / 2) run();
    std::vector<double> times;
    double sum = 0;
    do {
      times.push_back(run());
      sum += times.back();
    } while (sum < kTurn && (most == 0 || times.size() < most));
    return {{"times", times}};
  }

  // Profiles up to `most` runs that start within `seconds`. Returns each step with its median time.
  Json profile(std::size_t most, double seconds) {
    std::vector<std::vector<double>> durations;
    std::vector<StepTime> last;
    const Clock::time_point start = Clock::now();
    for (std::size_t i = 0; i < most && (i == 0 || secondsSince(start) < seconds); ++i) {
      last = profileRun();
      durations.resize(last.size());
      for (std::size_t step = 0; step < last.size(); ++step) durations[step].push_back(last[step].duration);
    }
    Json steps = Json::array();
    for (std::size_t step = 0; step < last.size(); ++step) {
      const StepTime& time = last[step];
      steps.push({{"operation", time.operation},
                  {"label", time.label},
                  {"kernel", time.kernel},
                  {"start", time.start},
                  {"duration", time.duration},
                  {"median", median(durations[step])}});
    }
    return {{"steps", std::move(steps)}};
  }

 private:
  static std::uint64_t peakSince(std::uint64_t before) {
    const std::uint64_t peak = statusBytes("VmHWM");
    return peak > before ? peak - before : 0;
  }

  // Opens and warms up a model that no single graph can hold. The first run compiles its graphs.
  Json buildSession(std::uint64_t before) {
    Json facts = Json::object();
    facts["load"] = timeOf([&] { session_.emplace(context_, model_); });
    inputs_ = session_->inputs([](const std::string&) { return std::string("random:1"); });
    facts["compile"] = run();
    facts["peakBytes"] = peakSince(before);
    facts["flop"] = 0;
    for (std::size_t i = 0; i < options_.warmup; ++i) run();
    return facts;
  }

  std::vector<StepTime> profileRun() {
    if (!session_) return buffers_->profile(*executable_);
    const formats::onnx::StepRecorder recorder;
    (void)session_->run(inputs_);
    return recorder.steps();
  }

  double run() {
    return last_ = timeOf([&] {
             if (session_) return static_cast<void>(session_->run(inputs_));
             buffers_->run(*executable_);
           });
  }

  const BenchOptions& options_;
  ModelOptions model_;
  Context context_;
  Context loading_;
  Graph graph_;
  std::shared_ptr<const Executable> executable_;
  std::optional<measure::BenchBuffers> buffers_;
  std::optional<ModelSession> session_;  // used instead of a graph if no single graph can hold the model
  std::vector<NamedBytes> inputs_;       // the session's inputs
  double last_ = 0;                      // seconds of the last run
};

// Returns the result of `work`, or an object that describes its error.
template <typename Work>
Json guarded(const Work& work) {
  try {
    return work();
  } catch (const Misuse& misuse) {
    return {{"misuse", misuse.what()}};
  } catch (const std::bad_alloc&) {
    return {{"error", "there is not enough memory."}};
  } catch (const Error& error) {
    std::string message = error.what();
    std::ranges::replace(message, '\n', ' ');  // answers are single lines, but import errors have several
    return {{"error", message}};
  } catch (const std::exception& error) {
    return {{"error", sanitized(error.what())}};
  }
}

void answer(const Json& json) { sendAll(STDIN_FILENO, json.dump({.replaces = true}) + "\n"); }

// Replaces this process by the peer's program, which on Linux then also ends with the parent. Returns only if it does not start.
void becomePeer(const BenchOptions& options) {
  const std::string& program = options.peers.begin()->second;
  std::vector<std::string> arguments{program, options.models.at(0).string(), std::to_string(options.threads.at(0)),
                                     std::to_string(options.warmup)};
  if (options.pause > 0) arguments.push_back(std::to_string(options.pause));
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  ::execv(program.c_str(), argv.data());
  answer({{"error", formatText("its process does not start: {}.", std::strerror(errno))}});
}

}  // namespace

void contend(const BenchOptions& options) {
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // end with the parent: a stopped process would not notice the end of the parent
#endif
  if (!options.peers.empty()) return becomePeer(options);
  std::optional<BenchContender> contender;
  answer(guarded([&] { return contender.emplace(options).build(); }));
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string what;
    std::size_t most = 0;
    double seconds = 0;
    words >> what >> most >> seconds;
    answer(guarded([&] { return what == "turn" ? contender->takeTurn(most) : contender->profile(most, seconds); }));
  }
}

}  // namespace webnn::cli
