// webnn diff: runs a graph, or random graphs, with the same inputs on several backends, or two graphs on one backend, and
// compares.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <set>

#include "base/text.h"
#include "cli/command.h"
#include "cli/diff/compare.h"
#include "cli/diff/diff_bisect.h"
#include "cli/diff/diff_random.h"
#include "cli/inputs.h"
#include "cli/model_session.h"
#include "cli/terminal.h"
#include "context/graph_state.h"

namespace webnn::cli {

namespace {

enum class Unit { relative, absolute, ulp };

struct DiffOptions {
  ModelOptions model;
  std::filesystem::path other;  // second model, to compare with `model` on one backend
  std::vector<std::string> backends;
  std::vector<std::string> inputs;
  std::string tolerance, json;
  std::filesystem::path bisect;
  std::uint64_t random = 0, seed = 1;
  bool all = false, quiet = false, coverage = false, eachPass = false;
};

struct Limit {
  Unit unit = Unit::relative;
  double value = 0;
};

// Parses a tolerance such as "1e-4rel", "1e-6abs" or "16ulp".
Limit parseLimit(const std::string& text) {
  Limit limit;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit.value);
  const std::string_view unit(end, text.data() + text.size());
  if (error != std::errc() || !(limit.value >= 0) || (unit != "rel" && unit != "abs" && unit != "ulp")) {
    throw Misuse(formatText("--tolerance: {} is not a number followed by rel, abs or ulp.", webnn::quoted(text)));
  }
  limit.unit = unit == "rel" ? Unit::relative : unit == "abs" ? Unit::absolute : Unit::ulp;
  return limit;
}

// Returns the given tolerance, or the type's default: 1e-4 (float32) or 1e-2 (float16) times the largest element, else 0.
Limit limitFor(DataType type, const std::string& tolerance) {
  if (!tolerance.empty()) return parseLimit(tolerance);
  if (type == DataType::float32) return {Unit::relative, 1e-4};
  return type == DataType::float16 ? Limit{Unit::relative, 1e-2} : Limit{Unit::absolute, 0};
}

bool isWithin(const Distance& distance, const Limit& limit) {
  switch (limit.unit) {
    case Unit::relative: return distance.relative <= limit.value;
    case Unit::absolute: return distance.absolute <= limit.value;
    case Unit::ulp: break;
  }
  return static_cast<double>(distance.ulp) <= limit.value;
}

struct Row {
  std::string operand;
  OperandDescriptor descriptor;
  Distance distance;
  bool agrees = false;
};

struct Comparison {
  std::string backend;
  std::vector<Row> rows;

  std::size_t disagreements() const { return static_cast<std::size_t>(std::ranges::count(rows, false, &Row::agrees)); }
};

std::map<std::string, std::string> sourcesOf(const std::vector<NamedDescriptor>& inputs, const DiffOptions& options) {
  std::map<std::string, std::string> sources;
  for (const NamedDescriptor& input : inputs) sources[input.first] = "random:1";
  for (const std::string& text : options.inputs) {
    const auto [index, source] = resolveInput(knownInputs(inputs), "--input", text);
    sources[inputs[index].first] = source;
  }
  return sources;
}

std::vector<NamedBytes> makeInputs(const Graph& graph, const DiffOptions& options) {
  const std::vector<NamedDescriptor> inputs = graph.inputs();
  const std::map<std::string, std::string> sources = sourcesOf(inputs, options);
  std::vector<NamedBytes> bytes;
  for (const NamedDescriptor& input : inputs)
    bytes.push_back({input.first, input.second, readInput(input, sources.at(input.first))});
  return bytes;
}

std::vector<NamedBytes> makeInputs(const ModelSession& session, const DiffOptions& options) {
  const std::map<std::string, std::string> sources = sourcesOf(session.descriptors(), options);
  return session.inputs([&](const std::string& input) { return sources.at(input); });
}

constexpr std::string_view kDiffers = "  DIFFERS";

Comparison compareWith(const std::string& backend, const std::vector<NamedBytes>& actual, const std::vector<NamedBytes>& expected,
                       const DiffOptions& options) {
  Comparison comparison{backend, {}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const NamedBytes& wanted = expected[i];
    const bool isEmpty = wanted.bytes.empty();  // only outputs of sessions may have no elements
    const Distance distance = isEmpty ? Distance() : measure(wanted.descriptor, actual[i].bytes, wanted.bytes);
    const bool agrees = isWithin(distance, limitFor(wanted.descriptor.dataType, options.tolerance));
    comparison.rows.push_back({wanted.name, wanted.descriptor, distance, agrees});
  }
  return comparison;
}

// Formats the results as a table. A name that is too long gets a line of its own.
std::string tableText(const Comparison& comparison, const std::string& trusted) {
  constexpr std::string_view kHeader = "operand";
  std::size_t typeWidth = 5;
  for (const Row& row : comparison.rows) typeWidth = std::max(typeWidth, toString(row.descriptor).size());
  const auto numbers = [](const auto&... texts) { return formatText("  {:<{}}  {:>10}  {:>9}  {:>9}", texts...); };
  const std::size_t others = numbers("", typeWidth, "", "", "").size() + kDiffers.size();
  const std::size_t widest = std::max(terminalColumns(), others + kHeader.size()) - others;
  std::size_t width = kHeader.size();
  for (const Row& row : comparison.rows) {
    const std::size_t size = sanitized(row.operand).size();
    if (size <= widest) width = std::max(width, size);
  }
  std::string text = formatText("{} against {}\n{:<{}}{}\n", comparison.backend, trusted, kHeader, width,
                                numbers("type", typeWidth, "ULP", "absolute", "relative"));
  for (const Row& row : comparison.rows) {
    const std::string name = sanitized(row.operand);
    text += name.size() > width ? name + "\n" + std::string(width, ' ') : formatText("{:<{}}", name, width);
    text += numbers(toString(row.descriptor), typeWidth, formatText("{}", row.distance.ulp),
                    formatText("{:.3g}", row.distance.absolute), formatText("{:.3g}", row.distance.relative));
    text += row.agrees ? "\n" : formatText("{}\n", kDiffers);
  }
  return text;
}

std::string totalText(const Comparison& comparison, const std::string& trusted) {
  const std::size_t wrong = comparison.disagreements();
  return formatText("{}: {} of {} operands agree with {}{}\n", comparison.backend, comparison.rows.size() - wrong,
                    comparison.rows.size(), trusted, wrong == 0 ? "" : "; the others differ");
}

// Returns a number, or "Infinity" as text, because JSON has no infinity.
Json distanceJson(double distance) { return std::isfinite(distance) ? Json(distance) : Json("Infinity"); }

Json comparisonJson(const Comparison& comparison) {
  Json json{{"backend", comparison.backend}, {"operands", Json::array()}};
  for (const Row& row : comparison.rows) {
    Json item = descriptorJson(row.descriptor);
    item["name"] = row.operand;
    item["ulp"] = row.distance.ulp;
    item["absolute"] = distanceJson(row.distance.absolute);
    item["relative"] = distanceJson(row.distance.relative);
    item["agrees"] = row.agrees;
    json["operands"].push(std::move(item));
  }
  return json;
}

void writeFailing(const std::filesystem::path& folder, const Failing& failing) {
  makeFolders(folder);
  save(failing.graph, folder / "model.webnn");
  const auto writeAll = [&](const char* name, const std::vector<NamedBytes>& tensors) {
    makeFolders(folder / name);
    std::set<std::string> used;
    for (const NamedBytes& tensor : tensors)
      writeOutput(folder / name / fileNameOf(tensor.name, used), tensor.descriptor, tensor.bytes);
  };
  writeAll("inputs", failing.inputs);
  writeAll("expected", failing.expected);
  writeAll("actual", failing.actual);
}

// Writes the smallest failing part of the graph, for the first backend that differs.
void bisectInto(const DiffOptions& options, const std::vector<Comparison>& comparisons, Context& trusted, const Graph& graph,
                const std::vector<NamedBytes>& inputs) {
  const auto wrong = std::ranges::find_if(comparisons, [](const Comparison& one) { return one.disagreements() > 0; });
  if (wrong == comparisons.end()) return;
  Context other = makeContext(backendOf(wrong->backend, options.model.backend));
  const auto agree = [&](const NamedBytes& actual, const NamedBytes& expected) {
    return isWithin(measure(expected.descriptor, actual.bytes, expected.bytes),
                    limitFor(expected.descriptor.dataType, options.tolerance));
  };
  const auto failing = bisect(trusted, other, definitionOf(graph), inputs, agree);
  const bool tells = options.json != "-";
  if (!failing) return tells ? print("no part fails by itself: the backends differ on the graph's outputs only\n") : void();
  writeFailing(options.bisect, *failing);
  if (!tells) return;
  print(formatText("{} of {} nodes fail alone on {}: wrote {} with inputs, expected and actual results\n", failing->nodes,
                   definitionOf(graph).nodes.size(), wrong->backend, (options.bisect / "model.webnn").string()));
}

// Handles --random: compares all other backends with the reference.
int runRandom(const DiffOptions& options) {
  if (!options.model.model.empty()) throw Misuse("--random: give no MODEL with it.");
  if (!options.json.empty()) throw Misuse("--random: it has no --json.");
  RandomDiffOptions random{.common = options.model.backend,
                           .seed = options.seed,
                           .count = options.random,
                           .failures = options.bisect,
                           .quiet = options.quiet,
                           .hasCoverage = options.coverage,
                           .hasPasses = options.eachPass};
  for (const std::string& backend : options.backends) {
    if (backend != "reference") random.backends.push_back(backend);
  }
  if (random.backends.empty() && !random.hasCoverage) throw Misuse("--backends: give one other than reference.");
  return diffRandom(random);
}

// Prints the differences. Returns the exit status.
int report(const DiffOptions& options, const std::vector<Comparison>& comparisons, const std::string& trusted) {
  Json json{{"trusted", trusted}, {"comparisons", Json::array()}};
  bool agree = true;
  for (const Comparison& comparison : comparisons) {
    json["comparisons"].push(comparisonJson(comparison));
    agree = agree && comparison.disagreements() == 0;
  }
  if (!options.json.empty()) writeText(options.json, jsonText(json));
  if (options.json != "-") {
    for (const Comparison& comparison : comparisons) {
      if (!options.quiet) print(tableText(comparison, trusted));
      print(totalText(comparison, trusted));
    }
  }
  return agree ? kFine : kFailed;
}

// Returns the operands of `actual` that match operands of `expected` in name and type. Throws DataError if an output of the
// model has no match.
std::vector<NamedBytes> matching(const std::vector<NamedBytes>& expected, const std::vector<NamedBytes>& actual,
                                 const std::vector<NamedDescriptor>& outputs, const DiffOptions& options) {
  std::vector<NamedBytes> matched;
  for (const NamedBytes& wanted : expected) {
    const auto found = std::ranges::find(actual, wanted.name, &NamedBytes::name);
    if (found != actual.end() && found->descriptor == wanted.descriptor) {
      matched.push_back(*found);
    } else if (std::ranges::find(outputs, wanted.name, &NamedDescriptor::first) != outputs.end()) {
      fail(ErrorKind::dataError, "the models cannot be compared: {} of {} is {}, but {} has {}.", webnn::quoted(wanted.name),
           webnn::quoted(options.model.model.string()), toString(wanted.descriptor), webnn::quoted(options.other.string()),
           found == actual.end() ? "none of that name" : toString(found->descriptor));
    }
  }
  return matched;
}

std::set<std::string> namesOf(const Graph& graph) {
  const std::vector<std::string> names = definitionOf(graph).operandNames();
  return {names.begin(), names.end()};
}

// Throws DataError unless the input is one of `inputs`.
void requireInput(const NamedDescriptor& input, const std::vector<NamedBytes>& inputs, const DiffOptions& options) {
  const auto& [name, descriptor] = input;
  const auto found = std::ranges::find(inputs, name, &NamedBytes::name);
  if (found != inputs.end() && found->descriptor == descriptor) return;
  fail(ErrorKind::dataError, "the models cannot be compared: the input {} ({}) of {} is not that of {}.", webnn::quoted(name),
       toString(descriptor), webnn::quoted(options.other.string()), webnn::quoted(options.model.model.string()));
}

// Compares two models on one backend if no single graph can hold one of them.
int runModelSessions(const DiffOptions& options, Context& context, const ModelOptions& otherModel) {
  refuseForSession(options.all, "--all", options.model);
  const ModelSession first(context, options.model, options.seed), second(context, otherModel, options.seed);
  const std::vector<NamedBytes> inputs = makeInputs(first, options);
  for (const NamedDescriptor& input : second.descriptors()) requireInput(input, inputs, options);
  const std::vector<NamedBytes> expected = first.run(inputs);
  std::vector<NamedDescriptor> outputs;
  for (const NamedBytes& output : expected) outputs.emplace_back(output.name, output.descriptor);
  const std::vector<NamedBytes> actual = matching(expected, second.run(inputs), outputs, options);
  return report(options, {compareWith(options.other.string(), actual, expected, options)}, options.model.model.string());
}

// Compares two models on one backend. With --all, also compares inner operands of equal name and type.
int runModels(const DiffOptions& options) {
  if (options.backends.size() > 1) throw Misuse("--backends: two models are compared on one backend.");
  if (!options.bisect.empty()) throw Misuse("--bisect: it needs one model and several backends.");
  if (!options.tolerance.empty()) parseLimit(options.tolerance);
  Context context = makeContext(backendOf(options.backends.empty() ? "" : options.backends[0], options.model.backend));
  ModelOptions otherModel = options.model;
  otherModel.model = options.other;
  otherModel.weights.clear();  // weights and manifest apply to MODEL only
  otherModel.manifest.clear();
  const std::optional<Graph> firstLoaded = tryLoadModel(context, options.model);
  const std::optional<Graph> secondLoaded = firstLoaded ? tryLoadModel(context, otherModel) : std::nullopt;
  if (!secondLoaded) return runModelSessions(options, context, otherModel);
  Graph first = *firstLoaded, second = *secondLoaded;
  const std::vector<NamedBytes> inputs = makeInputs(first, options);
  for (const NamedDescriptor& input : second.inputs()) requireInput(input, inputs, options);
  const std::vector<NamedDescriptor> outputs = first.outputs();
  if (options.all) {
    const std::set<std::string> firstNames = namesOf(first), secondNames = namesOf(second);
    first = withOutputs(context, definitionOf(first), secondNames);
    second = withOutputs(context, definitionOf(second), firstNames);
  }
  std::vector<NamedBytes> expected = runOnce(context, first, inputs);
  const std::vector<NamedBytes> actual = matching(expected, runOnce(context, second, inputs), outputs, options);
  std::erase_if(expected, [&](const NamedBytes& wanted) {
    return std::ranges::find(actual, wanted.name, &NamedBytes::name) == actual.end();
  });
  return report(options, {compareWith(options.other.string(), actual, expected, options)}, options.model.model.string());
}

// Compares several backends on a model that no single graph can hold.
int runSessions(const DiffOptions& options, const std::string& trustedName, Context& trusted) {
  refuseForSession(options.all, "--all", options.model);
  refuseForSession(!options.bisect.empty(), "--bisect", options.model);
  const ModelSession session(trusted, options.model, options.seed);
  const std::vector<NamedBytes> inputs = makeInputs(session, options), expected = session.run(inputs);
  std::vector<Comparison> comparisons;
  for (const std::string& backend : options.backends) {
    if (backend == trustedName) continue;
    Context context = makeContext(backendOf(backend, options.model.backend));
    const std::vector<NamedBytes> actual = ModelSession(context, options.model, options.seed).run(inputs);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (actual[i].descriptor == expected[i].descriptor) continue;
      fail(ErrorKind::dataError, "the results cannot be compared: {} is {} on {}, and {} on {}.", webnn::quoted(expected[i].name),
           toString(expected[i].descriptor), trustedName, toString(actual[i].descriptor), backend);
    }
    comparisons.push_back(compareWith(backend, actual, expected, options));
  }
  return report(options, comparisons, trustedName);
}

int run(const DiffOptions& options) {
  if (options.random > 0) return runRandom(options);
  if (options.model.model.empty()) throw Misuse("give a MODEL, or --random COUNT.");
  if (!options.other.empty()) return runModels(options);
  if (options.backends.size() < 2) throw Misuse("--backends: give two or more, with commas between, or a second model.");
  if (std::set<std::string>(options.backends.begin(), options.backends.end()).size() < options.backends.size()) {
    throw Misuse("--backends: one is given twice.");
  }
  if (!options.tolerance.empty()) parseLimit(options.tolerance);
  // Trust the reference backend (the oracle) if it is given, else the first backend.
  const auto oracle = std::ranges::find(options.backends, "reference");
  const std::string trustedName = oracle == options.backends.end() ? options.backends.front() : *oracle;
  Context trusted = makeContext(backendOf(trustedName, options.model.backend));
  const std::optional<Graph> loaded = tryLoadModel(trusted, options.model);
  if (!loaded) return runSessions(options, trustedName, trusted);
  const Graph& model = *loaded;
  const Graph graph = options.all ? withAllOutputs(trusted, definitionOf(model)) : model;
  const std::vector<NamedBytes> inputs = makeInputs(model, options);
  const std::vector<NamedBytes> expected = runOnce(trusted, graph, inputs);

  std::vector<Comparison> comparisons;
  for (const std::string& backend : options.backends) {
    if (backend == trustedName) continue;
    Context context = makeContext(backendOf(backend, options.model.backend));
    comparisons.push_back(compareWith(backend, runOnce(context, context.compile(graph), inputs), expected, options));
  }
  const int status = report(options, comparisons, trustedName);
  if (!options.bisect.empty()) bisectInto(options, comparisons, trusted, model, inputs);
  return status;
}

}  // namespace

void addDiff(const Command& app, int& status) {
  auto options = std::make_shared<DiffOptions>();
  const Command command = app.subcommand("diff", "Compare the results of backends for a model, or of two models");
  addGraphOptions(command, options->model);
  command.find("MODEL").required(false);
  command.option("OTHER", options->other, "Another model to compare with MODEL on one backend").type("FILE");
  command.option("--backends", options->backends, "Backends; reference is trusted if it is among them, else the first")
      .commas()
      .type("NAME[:KEY=VALUE...][:service[=ADDRESS]],...")
      .example("cpu,reference");
  command.option("--input", options->inputs, "Input from a .npy file, raw bytes, random:SEED, zeros or ones (random:1)")
      .type("[NAME=]SOURCE")
      .repeatable()
      .example("x=random:1");
  command.flag("--all", options->all, "Compare every operand, not only the outputs");
  command
      .option("--tolerance", options->tolerance,
              "The largest difference: 1e-4rel (of the largest element), 1e-6abs or 16ulp "
              "(1e-4rel; float16 1e-2rel; integers equal)")
      .type("LIMIT")
      .example("1e-4rel");
  command.option("--threads", options->model.backend.threads, "Maximum number of threads of a run; 0: the backend chooses")
      .type("N")
      .example("4");
  addCommonOptions(command, options->model.backend);
  command
      .option("--bisect,--failures", options->bisect,
              "Write the smallest part of the graph whose results differ, with its inputs")
      .type("DIR")
      .example("smallest/");
  command.option("--random", options->random, "Instead of MODEL, compare COUNT random graphs with reference")
      .range(0, 1'000'000'000'000)
      .type("COUNT")
      .example("1000");
  command.option("--seed", options->seed, "Seed of the random graphs, or of a model's random numbers (1)").type("N").example("7");
  command.flag("--coverage", options->coverage, "List what random graphs contained, and what none contained");
  command.flag("--each-pass", options->eachPass, "Also validate each pass of the CPU engine's compiler on the random graphs");
  command.option("--json", options->json, "Write all differences; - for standard output").type("OUT").example("out.json");
  command.flag("--quiet", options->quiet, "Totals only");
  command.footer(
      "Examples:\n"
      "  webnn diff model.onnx --backends reference,onnxruntime\n"
      "  webnn diff model.webnn --backends reference,onnxruntime --all --bisect smallest/\n"
      "  webnn diff model.onnx --backends cpu,cpu:service\n"
      "  webnn diff model.onnx quantized.onnx --dim batch=1 --tolerance 1e-2rel\n"
      "  webnn diff --random 20000 --backends reference,cpu --backend-option isa=avx2");
  command.action([options, &status] { status = run(*options); });
}

}  // namespace webnn::cli
