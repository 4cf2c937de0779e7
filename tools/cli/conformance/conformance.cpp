// webnn conformance: runs the conformance vectors (tests as JSON).
#include <algorithm>
#include <map>
#include <memory>

#include "base/text.h"
#include "cli/command.h"
#include "cli/conformance/conformance_case.h"
#include "cli/progress.h"
#include "formats/document/json_parse.h"

namespace webnn::cli {

namespace {

constexpr std::size_t kShownFailures = 20;

struct ConformanceOptions {
  std::vector<std::filesystem::path> paths;
  BackendOptions backend;
  std::string filter;
  std::filesystem::path json, expectations;
  bool listFailures = false, quiet = false;
};

enum class Outcome { passed, failed, excused };

struct CaseResult {
  std::string file, name, message;
  Outcome outcome = Outcome::passed;
};

using Expectations = std::map<std::string, std::string>;  // maps a case's name to the reason why it fails

struct TestFile {
  std::string name;
  std::vector<ConformanceCase> cases;
};

std::vector<std::filesystem::path> filesOf(const std::vector<std::filesystem::path>& paths) {
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path& path : paths) {
    if (!std::filesystem::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    const std::size_t before = files.size();
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(before), files.end());
  }
  return files;
}

std::vector<TestFile> readFiles(const ConformanceOptions& options) {
  std::vector<TestFile> files;
  for (const std::filesystem::path& path : filesOf(options.paths)) {
    TestFile file{path.filename().string(), {}};
    const std::string text = readText(path);
    file.cases = readingFrom(path, [&] { return readCases(text); });
    const bool wholeFile = file.name.find(options.filter) != std::string::npos;
    std::erase_if(file.cases,
                  [&](const ConformanceCase& test) { return !wholeFile && test.name.find(options.filter) == std::string::npos; });
    if (!file.cases.empty()) files.push_back(std::move(file));
  }
  return files;
}

Expectations readExpectations(const std::filesystem::path& path) {
  if (path.empty()) return {};
  const std::string text = readText(path);
  try {
    Expectations expectations;
    const Json json = formats::parseJson(text);
    formats::JsonAt(json, {}).forEachMember(
        [&](const std::string& name, const formats::JsonAt& reason) { expectations[name] = reason.text(); });
    return expectations;
  } catch (const Error& error) {
    fail(ErrorKind::dataError, "{} is not a JSON object of reasons by case name: {}", sanitized(path.string()), error.what());
  }
}

CaseResult resultOf(Context& context, const OpSupportLimits& limits, const ConformanceCase& test, const std::string& file,
                    const Expectations& expectations) {
  const auto failure = runCase(context, limits, test);
  const auto listed = expectations.find(test.name);
  if (listed == expectations.end()) return {file, test.name, failure.value_or(""), failure ? Outcome::failed : Outcome::passed};
  if (failure) return {file, test.name, listed->second, Outcome::excused};
  return {file, test.name, "passes, but is listed as one that must fail", Outcome::failed};
}

std::vector<CaseResult> runAll(const std::vector<TestFile>& files, const ConformanceOptions& options) {
  Context context = makeContext(options.backend);
  const OpSupportLimits limits = context.opSupportLimits();
  const Expectations expectations = readExpectations(options.expectations);
  std::size_t total = 0;
  for (const TestFile& file : files) total += file.cases.size();
  Progress progress("conformance", total, options.quiet);
  std::vector<CaseResult> results;
  for (const TestFile& file : files) {
    for (const ConformanceCase& test : file.cases) {
      results.push_back(resultOf(context, limits, test, file.name, expectations));
      progress.step();
    }
  }
  return results;
}

std::size_t countOf(const std::vector<CaseResult>& results, Outcome outcome, const std::string* file = nullptr) {
  return static_cast<std::size_t>(std::ranges::count_if(
      results, [&](const CaseResult& result) { return result.outcome == outcome && (!file || result.file == *file); }));
}

std::string tableText(const std::vector<TestFile>& files, const std::vector<CaseResult>& results) {
  std::string text;
  for (const TestFile& file : files) {
    const std::size_t excused = countOf(results, Outcome::excused, &file.name);
    text += formatText("{:<32} {:>4} passed {:>4} failed", file.name, countOf(results, Outcome::passed, &file.name),
                       countOf(results, Outcome::failed, &file.name));
    text += excused == 0 ? "\n" : formatText(" {:>4} excused\n", excused);
  }
  return text;
}

std::string failuresText(const std::vector<CaseResult>& results, bool all) {
  std::string text;
  std::size_t shown = 0;
  for (const CaseResult& result : results) {
    if (result.outcome == Outcome::excused) {
      text += formatText("excused: {}: {}: {}\n", result.file, result.name, result.message);
    } else if (result.outcome == Outcome::failed && (all || shown < kShownFailures)) {
      ++shown;
      text += formatText("FAILED {}: {}: {}\n", result.file, result.name, result.message);
    }
  }
  const std::size_t hidden = countOf(results, Outcome::failed) - shown;
  return hidden == 0 ? text : text + formatText("and {} more; --list-failures shows all\n", hidden);
}

std::string reportJson(const std::vector<CaseResult>& results) {
  static constexpr std::string_view kOutcomes[] = {"passed", "failed", "excused"};
  Json json{{"passed", countOf(results, Outcome::passed)},
            {"failed", countOf(results, Outcome::failed)},
            {"excused", countOf(results, Outcome::excused)},
            {"cases", Json::array()}};
  for (const CaseResult& result : results) {
    Json item{{"file", result.file}, {"name", result.name}, {"outcome", kOutcomes[static_cast<std::size_t>(result.outcome)]}};
    if (!result.message.empty()) item["message"] = result.message;
    json["cases"].push(std::move(item));
  }
  return json.dump({.indent = 1}) + "\n";
}

int run(const ConformanceOptions& options) {
  const std::vector<TestFile> files = readFiles(options);
  if (files.empty()) throw Misuse("there is no case to run.");
  const std::vector<CaseResult> results = runAll(files, options);
  const std::size_t failed = countOf(results, Outcome::failed);
  if (!options.json.empty()) writeText(options.json, reportJson(results));
  if (options.json == "-") return failed == 0 ? kFine : kFailed;
  if (!options.quiet) print(tableText(files, results));
  print(failuresText(results, options.listFailures));
  print(formatText("{} passed, {} failed\n", countOf(results, Outcome::passed), failed));
  return failed == 0 ? kFine : kFailed;
}

}  // namespace

void addConformance(const Command& app, int& status) {
  auto options = std::make_shared<ConformanceOptions>();
  const Command command = app.subcommand("conformance", "Run conformance vectors of web-platform-tests");
  command.option("PATH", options->paths, "Files of vectors, or folders of them").required().type("DIR|FILE");
  addBackendOptions(command, options->backend);
  command.option("--json", options->json, "Write the result of every case; - for standard output")
      .type("OUT")
      .example("out.json");
  command.option("--filter", options->filter, "Only cases or files whose name contains the text").type("TEXT").example("conv");
  command.option("--expectations", options->expectations, "JSON: names of cases that must fail, and why")
      .type("FILE")
      .example("expected.txt");
  command.flag("--list-failures", options->listFailures, "Show every failure, not only the first ones");
  command.flag("--quiet", options->quiet, "Failures and totals only");
  command.footer(
      "Examples:\n"
      "  webnn conformance wpt/\n"
      "  webnn conformance wpt/conv2d.json --filter nhwc --list-failures");
  command.action([options, &status] { status = run(*options); });
}

}  // namespace webnn::cli
