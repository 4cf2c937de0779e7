#include "cli/diff/diff_random.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>

#include "backends/cpu/compile/validate_passes.h"
#include "backends/cpu/cpu_backend.h"
#include "cli/inputs.h"
#include "context/graph_state.h"
#include "random/coverage.h"
#include "random/isolation.h"
#include "random/random_graph.h"
#include "random/reduce.h"
#include "random/trial.h"

namespace webnn::cli {

namespace {

constexpr std::uint64_t kBatch = 500;  // graphs tested by one process
constexpr unsigned kMostSeconds = 60;  // time limit per graph
constexpr unsigned kMostReducing = 20;
const std::string kMemory = "memory";  // name of a backend option

// Quotes text for a shell if necessary.
std::string shellWord(const std::string& text) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

// Returns the backends to test. The CPU engine is tested with 1 and 2 threads unless a number is given.
std::vector<random::Contender> contendersOf(const RandomDiffOptions& options) {
  std::vector<random::Contender> contenders;
  for (std::size_t i = 0; i < options.backends.size(); ++i) {
    BackendOptions backend = backendOf(options.backends[i], options.common);
    const bool isBoth = backend.name == "cpu" && backend.threads == 0;
    for (const std::uint32_t threads : isBoth ? std::vector{1U, 2U} : std::vector{backend.threads}) {
      backend.threads = threads;
      std::string text = backend.name;
      for (const auto& [key, value] : settingsOf(backend.settings, backend.name)) text += formatText(" {}={}", key, value);
      if (threads > 0) text += formatText(" threads={}", threads);
      const bool mayRefuse = backend.name != "cpu" && backend.name != "reference";
      contenders.push_back({text, i, contextOptionsOf(backend), mayRefuse});
      if (isBoth && threads == 1) contenders.back().options.backendOptions.emplace(kMemory, "watched");
    }
  }
  return contenders;
}

// Validates the CPU engine's passes: the reference backend computes the graph, and the modules that validatePasses() makes with
// some of the passes. Returns a description of the first difference, or nullopt if all results agree.
std::optional<std::string> differenceOfPasses(const random::Case& tried, const ContextOptions& options, std::uint64_t seed) {
  const GraphDefinition& graph = definitionOf(tried.graph);
  random::Expected expected = random::expectRounded(graph, tried.inputs);
  std::optional<std::string> wrong;
  const std::vector<std::span<const std::byte>> inputs(tried.inputs.begin(), tried.inputs.end());
  cpu::validatePasses(graph, inputs, cpu::settingsOf(options).compile.isa, [&](const cpu::PassResult& result) {
    const auto text = wrong ? std::nullopt : random::disagreement(graph, tried.inputs, seed, result.outputs, expected);
    if (text) wrong = formatText("{}: {}", result.passes, *text);
  });
  return wrong;
}

random::Case makeCase(const Context& context, std::uint64_t seed) {
  random::Choices choices(seed);
  random::RandomGraph made = random::makeRandomGraph(context, choices);
  return {std::move(made.graph), std::move(made.inputs)};
}

Context referenceContext() { return Context::create({.backend = "reference", .execution = Execution::callerThread}); }

// Counts the compiler passes, and the pairs of passes, that change this graph.
void addPasses(random::Coverage& coverage, const Graph& graph, const ContextOptions& options) {
  cpu::Settings settings = cpu::settingsOf(options);
  std::set<std::string> fired;
  std::string before;
  settings.compile.dump = [&](std::string_view pass, const std::string& text) {
    if (!before.empty() && text != before) fired.emplace(pass);
    before = text;
  };
  cpu::compile(graph.state()->definition, settings.compile, std::make_shared<cpu::TeamPool>(1, false));
  for (const std::string& one : fired) {
    coverage.add("passes", one);
    for (auto other = fired.upper_bound(one); other != fired.end(); ++other) coverage.add("passes", one + " + " + *other);
  }
}

class RandomDiff {
 public:
  explicit RandomDiff(const RandomDiffOptions& options) : options_(options), contenders_(contendersOf(options)) {
    // Report a missing backend before testing.
    random::isolated([&](const auto& tell) { tell(tryContexts()); }, [&](std::string_view text) { unavailable_ += text; });
    if (!unavailable_.empty()) fail(ErrorKind::notSupportedError, "{}", unavailable_);
  }

  int run() {
    if (options_.count > std::numeric_limits<std::uint64_t>::max() - options_.seed) {
      throw Misuse(formatText("--random: there are no {} seeds from {} on.", options_.count, options_.seed));
    }
    const std::uint64_t end = options_.seed + options_.count;
    for (std::uint64_t next = options_.seed; next < end;) {
      const std::uint64_t stop = std::min(end, next + kBatch);
      const std::string death = runBatch(next, stop);
      if (death.empty()) {
        next = stop;
      } else {
        report(*current_, death);
        next = *current_ + 1;
      }
    }
    if (options_.hasCoverage) printCoverage();
    const std::string refused = refused_ == 0 ? "" : formatText(", {} are refused", refused_);
    print(formatText("{} of {} random graphs agree with reference{}\n", options_.count - failed_ - refused_, options_.count,
                     refused));
    return failed_ == 0 ? kFine : kFailed;
  }

 private:
  void printCoverage() {
    std::vector<std::string> passes;
    for (const cpu::Pass& one : cpu::allPasses()) {
      passes.emplace_back(one.name);
      for (const cpu::Pass& other : cpu::allPasses()) {
        if (one.name < other.name) passes.push_back(formatText("{} + {}", one.name, other.name));
      }
    }
    if (coverage_.counts().contains("passes")) coverage_.expect("passes", std::move(passes));
    print(coverage_.text());
  }

  std::string tryContexts() const {
    try {
      const random::Trial trial(contenders_);
      return {};
    } catch (const std::exception& error) {
      return error.what();
    }
  }

  // Tests a range of seeds in a process. Returns how the process ended, or an empty text if it ended normally. The process sends
  // lines: failures "F SEED TEXT", refused graphs "R", coverage "C KIND<tab>NAME<tab>COUNT".
  std::string runBatch(std::uint64_t first, std::uint64_t stop) {
    std::string line;
    return random::isolated([&](const auto& tell) { work(first, stop, tell); },
                            [&](std::string_view text) {
                              for (const char c : text) {
                                if (c != '\n') {
                                  line += c;
                                } else {
                                  take(std::exchange(line, {}));
                                }
                              }
                            });
  }

  void work(std::uint64_t first, std::uint64_t stop, const std::function<void(std::string_view)>& tell) {
    random::Trial trial(contenders_);
    const Context trusted = referenceContext();
    random::Coverage coverage;
    for (std::uint64_t seed = first; seed < stop; ++seed) {
      *current_ = seed;
      random::setDeadline(kMostSeconds);
      const random::Case made = makeCase(trusted, seed);
      if (options_.hasCoverage) {
        coverage.add(definitionOf(made.graph));
        if (!contenders_.empty() && contenders_[0].options.backend == "cpu")
          addPasses(coverage, made.graph, contenders_[0].options);
      }
      if (const auto text = failure(trial, made, seed)) {
        tell(formatText("F {} {}\n", seed, sanitized(*text)));
      } else if (trial.wasRefused()) {
        tell("R\n");
      }
    }
    for (const auto& [kind, names] : coverage.counts()) {
      for (const auto& [name, times] : names) tell(formatText("C {}\t{}\t{}\n", kind, name, times));
    }
  }

  void take(const std::string& line) {
    if (line == "R") {
      ++refused_;
      return;
    }
    const std::size_t space = line.find(' ', 2);
    if (line[0] == 'F') return report(std::stoull(line.substr(2)), line.substr(space + 1));
    const std::size_t tab = line.find('\t'), last = line.rfind('\t');
    coverage_.add(line.substr(2, tab - 2), line.substr(tab + 1, last - tab - 1), std::stoull(line.substr(last + 1)));
  }

  void report(std::uint64_t seed, const std::string& text) {
    ++failed_;
    if (!options_.quiet) print(formatText("seed {}: {}\n", seed, text));
    if (!options_.failures.empty()) saveSmallest(seed);
  }

  std::optional<std::string> failure(random::Trial& trial, const random::Case& tried, std::uint64_t seed) const {
    if (contenders_.empty()) return std::nullopt;
    const auto text = trial.run(tried.graph, tried.inputs, seed);
    if (text || !options_.hasPasses || contenders_[0].options.backend != "cpu") return text;
    try {
      return differenceOfPasses(tried, contenders_[0].options, seed);
    } catch (const Error& error) {
      return error.what();
    }
  }

  // Tests a graph in a separate process. Returns its failure; empty if there is none.
  std::string failure(const random::Case& tried, std::uint64_t seed) const {
    std::string text;
    const std::string death = random::isolated(
        [&](const auto& tell) {
          random::setDeadline(kMostReducing);
          random::Trial trial(contenders_);
          if (const auto wrong = failure(trial, tried, seed)) tell(*wrong);
        },
        [&](std::string_view piece) { text += piece; });
    return text.empty() ? death : text;
  }

  void saveSmallest(std::uint64_t seed) {
    const Context trusted = referenceContext();
    random::Case smallest = makeCase(trusted, seed);
    std::string text = failure(smallest, seed);
    if (text.empty()) {
      text = "it does not fail alone: the graphs before it did harm";
    } else {
      smallest =
          random::reduce(trusted, std::move(smallest), [&](const random::Case& tried) { return !failure(tried, seed).empty(); });
      text = failure(smallest, seed);
    }
    const std::string command = save(smallest, options_.failures / std::to_string(seed), text);
    if (options_.quiet) return;
    print(formatText("  {} operations: {}\n  {}\n", definitionOf(smallest.graph).nodes.size(), text, command));
  }

  // Returns the arguments for the contender that `text` names, or for all contenders if `text` tells how a process ended.
  std::vector<std::string> contenderArguments(const std::string& text) const {
    const auto failed =
        std::ranges::find_if(contenders_, [&](const auto& contender) { return text.starts_with(contender.name + ": "); });
    std::vector<std::string> arguments{"--backends", "reference"};
    BackendOptions common = options_.common;
    if (failed == contenders_.end()) {
      for (const std::string& backend : options_.backends) arguments.back() += "," + backend;
    } else {
      arguments.back() += "," + options_.backends[failed->group];
      common.threads = failed->options.threads;
      if (failed->options.backendOptions.contains(kMemory))
        common.settings.push_back(formatText("cpu:{}={}", kMemory, failed->options.backendOptions.at(kMemory)));
    }
    if (common.threads > 0) arguments.insert(arguments.end(), {"--threads", std::to_string(common.threads)});
    std::ranges::move(commonArguments(common), std::back_inserter(arguments));
    return arguments;
  }

  // Writes the graph and its inputs. Returns a shell command that compares the backends on them.
  std::string save(const random::Case& smallest, const std::filesystem::path& folder, const std::string& text) const {
    makeFolders(folder);
    webnn::save(smallest.graph, folder / "model.webnn");
    std::string command = "webnn diff " + shellWord((folder / "model.webnn").string());
    for (const std::string& argument : contenderArguments(text)) command += " " + shellWord(argument);
    const std::vector<NamedDescriptor> described = smallest.graph.inputs();
    for (std::size_t i = 0; i < described.size(); ++i) {
      const auto& [name, descriptor] = described[i];
      const std::filesystem::path file = folder / (name + ".npy");
      writeOutput(file, descriptor, smallest.inputs[i]);
      command += " --input " + shellWord(name + "=" + file.string());
    }
    return command;
  }

  const RandomDiffOptions& options_;
  std::vector<random::Contender> contenders_;
  std::string unavailable_;
  random::SharedNumber current_;  // seed of the graph being tested
  random::Coverage coverage_;
  std::uint64_t failed_ = 0, refused_ = 0;
};

}  // namespace

int diffRandom(const RandomDiffOptions& options) { return RandomDiff(options).run(); }

}  // namespace webnn::cli
