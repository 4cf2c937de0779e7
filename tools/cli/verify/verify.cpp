// webnn verify: runs ONNX models on recorded inputs and compares with recorded outputs.
#include <algorithm>
#include <map>
#include <memory>

#include "base/text.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "cli/verify/verify_case.h"

namespace webnn::cli {

namespace {

constexpr std::size_t kShownFailures = 20;

struct VerifyOptions {
  std::vector<std::filesystem::path> paths;
  BackendOptions backend;
  std::string filter;
  std::filesystem::path json, expectations;
  VerifyRules rules;
  bool listFailures = false, verbose = false, quiet = false;
};

struct ModelResult {
  std::string name;
  Verdict verdict;
};

// Maps a model's name to the reason why WebNN cannot express the model.
using Expectations = std::map<std::string, std::string, std::less<>>;

// Parses lines "NAME<tab>REASON". Skips empty lines and comments, which begin with '#'.
Expectations readExpectations(const std::filesystem::path& path) {
  Expectations expectations;
  if (path.empty()) return expectations;
  const std::string text = readText(path);
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    at = end + 1;
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t tab = line.find('\t');
    if (tab == 0 || tab == line.npos || tab + 1 == line.size()) {
      fail(ErrorKind::dataError, "{}: line {} is not a name, a tab and a reason.", sanitized(path.string()), number);
    }
    if (!expectations.emplace(line.substr(0, tab), line.substr(tab + 1)).second) {
      fail(ErrorKind::dataError, "{}: line {} lists {} again.", sanitized(path.string()), number,
           webnn::quoted(line.substr(0, tab)));
    }
  }
  return expectations;
}

// Returns the final verdict: listed models must be inexpressible, all others must pass.
Verdict judged(Verdict verdict, const std::string& name, const Expectations& expectations) {
  const auto listed = expectations.find(name);
  if (listed == expectations.end()) {
    if (verdict.outcome == VerifyOutcome::inexpressible) verdict.outcome = VerifyOutcome::failed;
  } else if (verdict.outcome == VerifyOutcome::inexpressible) {
    verdict.message = listed->second;
  } else if (verdict.outcome == VerifyOutcome::passed) {
    verdict = {VerifyOutcome::failed, "passes, but is listed as inexpressible", std::move(verdict.notes)};
  } else {
    verdict.message = "is listed as inexpressible, but fails otherwise: " + verdict.message;
  }
  return verdict;
}

std::vector<ModelResult> runAll(const std::vector<ModelTest>& tests, const VerifyOptions& options) {
  Context context = makeContext(options.backend);
  const Expectations expectations = readExpectations(options.expectations);
  Progress progress("verify", tests.size(), options.quiet);
  std::vector<ModelResult> results;
  for (const ModelTest& test : tests) {
    results.push_back({test.name, judged(verifyModel(context, test, options.rules), test.name, expectations)});
    progress.step();
  }
  return results;
}

std::size_t countOf(const std::vector<ModelResult>& results, VerifyOutcome outcome) {
  return static_cast<std::size_t>(
      std::ranges::count_if(results, [&](const ModelResult& result) { return result.verdict.outcome == outcome; }));
}

std::string notesText(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) text += (text.empty() ? " (" : "; ") + note;
  return text.empty() ? text : text + ")";
}

// Joins the lines of an import error and cuts the result, because the first problems suffice.
std::string oneLine(std::string message) {
  constexpr std::size_t kMost = 300;
  for (std::size_t at = message.find("\n  "); at != message.npos; at = message.find("\n  ", at)) message.replace(at, 3, " ");
  if (message.size() <= kMost) return message;
  return message.substr(0, message.find_last_of(' ', kMost)) + " ...";
}

std::string linesText(const std::vector<ModelResult>& results, const VerifyOptions& options) {
  std::string text;
  std::size_t failures = 0;
  for (const auto& [name, verdict] : results) {
    if (verdict.outcome == VerifyOutcome::failed) {
      if (options.listFailures || options.verbose || ++failures <= kShownFailures) {
        text += formatText("FAILED {}: {}{}\n", sanitized(name), oneLine(verdict.message), notesText(verdict.notes));
      }
    } else if (options.verbose) {
      const bool passed = verdict.outcome == VerifyOutcome::passed;
      text += formatText("{} {}{}{}{}\n", passed ? "passed" : "inexpressible", sanitized(name), passed ? "" : ": ",
                         oneLine(verdict.message), notesText(verdict.notes));
    }
  }
  if (failures > kShownFailures) text += formatText("and {} more; --list-failures shows all\n", failures - kShownFailures);
  return text;
}

std::string reportJson(const std::vector<ModelResult>& results) {
  static constexpr std::string_view kOutcomes[] = {"passed", "inexpressible", "failed"};
  Json json{{"passed", countOf(results, VerifyOutcome::passed)},
            {"failed", countOf(results, VerifyOutcome::failed)},
            {"inexpressible", countOf(results, VerifyOutcome::inexpressible)},
            {"models", Json::array()}};
  for (const auto& [name, verdict] : results) {
    Json item{{"name", name}, {"outcome", kOutcomes[static_cast<std::size_t>(verdict.outcome)]}};
    if (!verdict.message.empty()) item["message"] = verdict.message;
    if (!verdict.notes.empty()) item["notes"] = verdict.notes;
    json["models"].push(std::move(item));
  }
  return json.dump({.indent = 1, .replaces = true}) + "\n";
}

int run(VerifyOptions options) {
  std::vector<ModelTest> tests = findModels(options.paths);
  std::erase_if(tests, [&](const ModelTest& test) { return test.name.find(options.filter) == std::string::npos; });
  if (tests.empty()) throw Misuse("there is no model to run.");
  const std::vector<ModelResult> results = runAll(tests, options);
  const std::size_t failed = countOf(results, VerifyOutcome::failed);
  if (!options.json.empty()) writeText(options.json, reportJson(results));
  if (options.json == "-") return failed == 0 ? kFine : kFailed;
  if (!options.quiet) print(linesText(results, options));
  const std::size_t inexpressible = countOf(results, VerifyOutcome::inexpressible);
  print(formatText("{} passed, {} failed{}\n", countOf(results, VerifyOutcome::passed), failed,
                   inexpressible == 0 ? "" : formatText(", {} inexpressible as listed", inexpressible)));
  return failed == 0 ? kFine : kFailed;
}

}  // namespace

void addVerify(const Command& app, int& status) {
  auto options = std::make_shared<VerifyOptions>();
  const Command command = app.subcommand("verify", "Run ONNX models on recorded inputs and compare the outputs");
  command
      .option("PATH", options->paths,
              "A model with its data sets (test_data_set_0/input_0.pb, output_0.npy, ...), or a directory of such models")
      .required()
      .type("DIR|FILE");
  addBackendOptions(command, options->backend);
  const Option rtol = command.option("--rtol", options->rules.rtol, "Relative tolerance (1e-3; float16 1e-2)")
                          .notNegative()
                          .type("X")
                          .example("1e-3");
  command.option("--atol", options->rules.atol, "Absolute tolerance (1e-7, at least the rounding of the largest element)")
      .notNegative()
      .type("X")
      .example("1e-6");
  command.flag("--export", options->rules.exports, "Also export each graph to ONNX, import it again and run it");
  command.option("--json", options->json, "Write the result of every model; - for standard output")
      .type("OUT")
      .example("out.json");
  command.option("--filter", options->filter, "Only models whose name contains the text").type("TEXT").example("conv");
  command.option("--expectations", options->expectations, "Lines NAME<tab>REASON: models that WebNN cannot express")
      .type("FILE")
      .example("expected.txt");
  command.flag("--list-failures", options->listFailures, "Show every failure, not only the first ones");
  command.flag("--verbose", options->verbose, "Print a line for every model");
  command.flag("--quiet", options->quiet, "Print totals only");
  command.footer(
      "Examples:\n"
      "  webnn verify squeezenet/\n"
      "  webnn verify onnx-node-tests/ --filter test_conv --list-failures");
  command.action([options, rtol, &status] {
    if (rtol.isGiven()) options->rules.halfRtol = options->rules.rtol;
    status = run(*options);
  });
}

}  // namespace webnn::cli
