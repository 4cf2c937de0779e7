// Writes the graph, the CPU engine's steps and measurements as JSON for the page of `webnn view`.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

#include "backends/cpu/compile/executable.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/view/view.h"
#include "context/graph_state.h"
#include "formats/document/document.h"
#include "formats/document/json_fields.h"
#include "formats/document/json_parse.h"
#include "formats/document/options.h"
#include "formats/dot/picture.h"
#include "ops/sizes/open_sizes.h"

namespace webnn::cli {

namespace {

using formats::JsonAt;
using formats::PictureEdge;
using formats::PictureKind;
using formats::PictureNode;

constexpr std::size_t kMostBytes = 4096;  // longest name or option value; longer ones are cut

std::string cut(std::string text) {
  if (text.size() <= kMostBytes) return text;
  std::size_t end = kMostBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // back to the start of a UTF-8 character
  return text.replace(end, text.npos, "…");
}

// Returns a type as [data type, sizes...]. Open sizes are texts.
Json typeJson(const OperandDescriptor& descriptor) {
  Json json = Json::array({name(descriptor.dataType)});
  for (const std::uint32_t size : descriptor.shape) {
    if (!isOpen(size)) {
      json.push(size);
      continue;
    }
    const std::string text = OpenScope::current()->text(size);
    json.push(text.find(' ') == std::string::npos ? text : "(" + text + ")");
  }
  return json;
}

Json typesJson(const std::vector<const OperandDescriptor*>& types) {
  Json json = Json::array();
  for (const OperandDescriptor* type : types) json.push(typeJson(*type));
  return json;
}

// Returns which constants get a picture: the largest ones, as far as `most` bytes suffice.
std::vector<bool> picturedConstants(const GraphDefinition& graph, std::size_t most) {
  constexpr std::size_t kBytes = kPictureSide * kPictureSide * 4 / 3 + 12 * kHistogramBins;  // base64 picture and histogram
  std::vector<std::size_t> order(graph.constants.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](std::size_t i) { return byteLength(graph.constants[i].descriptor()); });
  std::vector<bool> pictured(order.size());
  for (std::size_t i = 0; i < std::min(order.size(), most / kBytes); ++i) pictured[order[i]] = true;
  return pictured;
}

// Returns the options that differ from their defaults, as texts, without the label and operands.
Json optionsJson(const formats::NodeDeclaration& node) {
  Json json = Json::object();
  const Json options = formats::withoutDefaults(node.op, node.options);
  const std::vector<std::string_view> operands = formats::operandOptions(node.op);
  for (const auto& [key, value] : options.members()) {
    const bool isShown = key != "label" && std::ranges::find(operands, key) == operands.end();
    if (isShown) json[key] = cut(value.isText() ? value.asText() : formats::withNamesOnly(value).dump());
  }
  return json;
}

Json edgesJson(const PictureNode& node) {
  Json edges = Json::array();
  for (const PictureEdge& edge : node.edges) edges.push(Json::array({edge.from, edge.argument, typeJson(*edge.type)}));
  return edges;
}

Json nodesJson(const GraphDefinition& graph, const std::vector<PictureNode>& picture, const ViewOptions& options) {
  static constexpr std::string_view kKinds[] = {"input", "constant", "operation", "output"};
  const formats::GraphDocument document = formats::documentOf(graph);
  const std::vector<bool> pictured = picturedConstants(graph, options.pictureBytes);
  Json nodes = Json::array();
  for (const PictureNode& node : picture) {
    Json json{{"kind", kKinds[static_cast<std::size_t>(node.kind)]}, {"name", cut(node.name)}};
    if (!node.results.empty()) json["types"] = typesJson(node.results);
    if (!node.edges.empty()) json["inputs"] = edgesJson(node);
    if (node.kind == PictureKind::operation) {
      const formats::NodeDeclaration& declaration = document.nodes[node.number];
      json["family"] = static_cast<std::size_t>(node.family);
      json["label"] = cut(node.label);
      json["named"] = node.hasLabel;
      json["brief"] = cut(node.options);
      json["options"] = optionsJson(declaration);
      json["results"] = Json::array();
      for (const std::string& result : declaration.outputs) json["results"].push(cut(result));
    }
    if (node.kind == PictureKind::constant) {
      const Operand& constant = graph.constants[node.number];
      json["bytes"] = byteLength(constant.descriptor());
      if (options.pictureBytes > 0)
        json["weights"] = weightsJson(constant.descriptor(), constant.record().bytes, pictured[node.number]);
    }
    nodes.push(std::move(json));
  }
  return nodes;
}

std::shared_ptr<const Executable> executableOf(const Graph& graph) {
  return graph.state() ? graph.state()->executable() : nullptr;
}

cpu::StepGraph stepGraphOf(const Graph& graph) {
  const auto executable = executableOf(graph);
  return executable ? cpu::stepGraphOf(*executable) : cpu::StepGraph();
}

Json sourcesJson(const std::vector<cpu::StepSource>& sources, const cpu::StepGraph& steps, const GraphDefinition& graph) {
  Json json = Json::array();
  for (const cpu::StepSource& source : sources) {
    const OperandDescriptor& type =
        source.isInput ? graph.inputs[source.index].descriptor() : steps.steps[source.index].links.outputs[source.result];
    json.push(Json::array({source.isInput ? 1 : 0, source.index, typeJson(type)}));
  }
  return json;
}

Json stepsJson(const cpu::StepGraph& steps, const GraphDefinition& graph) {
  Json json{{"steps", Json::array()}, {"outputs", Json::array()}};
  for (const cpu::GraphStep& step : steps.steps) {
    Json types = Json::array();
    for (const OperandDescriptor& output : step.links.outputs) types.push(typeJson(output));
    json["steps"].push({{"name", cut(step.operation)},
                        {"label", cut(step.label)},
                        {"kernel", step.kernel},
                        {"types", std::move(types)},
                        {"inputs", sourcesJson(step.links.inputs, steps, graph)}});
  }
  for (const auto& sources : steps.outputs) json["outputs"].push(sourcesJson(sources, steps, graph));
  return json;
}

// Returns the placement of each operation: numbers of its steps if the page has the steps, else names of its kernels.
Json placementsJson(const Graph& graph, bool hasSteps) {
  static constexpr std::string_view kStates[] = {"runs", "constant", "removed"};
  Json json = Json::array();
  for (const OperationPlacement& placed : graph.placement()) {
    Json item{{"state", kStates[static_cast<std::size_t>(placed.state)]}};
    if (!placed.device.empty()) item["device"] = placed.device;
    if (hasSteps && !placed.steps.empty()) {
      item["steps"] = placed.steps;
    } else if (!placed.kernels.empty()) {
      item["kernels"] = placed.kernels;
    }
    if (!placed.notes.empty()) item["notes"] = placed.notes;
    json.push(std::move(item));
  }
  return json;
}

// Returns a time or difference. Throws DataError unless it is 0 or more, because anybody may have written the file.
double amountAt(const JsonAt& json) {
  double value = 0;
  formats::readField(json.path(), json.json(), value);
  if (!(value >= 0)) json.fail(formatText("{} is not 0 or more.", json.json().dump()));
  return value;
}

// Returns the step events of the trace's first process, in order.
std::vector<JsonAt> stepEvents(const JsonAt& trace) {
  std::vector<JsonAt> events;
  std::optional<std::uint64_t> process;
  trace.member("traceEvents").forEachItem([&](const JsonAt& event) {
    if (event.member("ph").text() != "X") return;
    const std::uint64_t id = event.member("pid").integer64();
    if (!process) process = id;
    if (id == *process) events.push_back(event);
  });
  return events;
}

}  // namespace

Json viewData(const GraphDefinition& definition, const ViewOptions& options) {
  const std::vector<PictureNode> picture = formats::pictureOf(definition);
  Json data{{"name", cut(definition.name)}, {"file", options.file}};
  data["version"] = programVersion();
  data["nodes"] = nodesJson(definition, picture, options);
  data["heats"] = options.heats;
  return data;
}

Json viewData(const Graph& graph, const ViewOptions& options) {
  const GraphDefinition& definition = definitionOf(graph, "view");
  Json data = viewData(definition, options);
  const cpu::StepGraph steps = stepGraphOf(graph);
  const bool hasSteps = !steps.steps.empty();
  if (hasSteps) data["compiled"] = stepsJson(steps, definition);
  if (executableOf(graph)) data["placement"] = placementsJson(graph, hasSteps);
  return data;
}

Json timesOf(std::string_view text, const Graph& graph) {
  const Json parsed = formats::parseJson(text);
  const JsonAt trace(parsed, "");
  const std::vector<JsonAt> events = stepEvents(trace);
  const cpu::StepGraph steps = stepGraphOf(graph);
  constexpr std::string_view kCure = "Measure it on this machine, with the same options: webnn bench MODEL --trace FILE.";
  if (events.size() != steps.steps.size())
    fail(ErrorKind::dataError, "it has {} steps, and the graph {}. {}", events.size(), steps.steps.size(), kCure);
  Json heat{{"kind", "time"}, {"steps", Json::array()}};
  for (std::size_t i = 0; i < events.size(); ++i) {
    const std::string& operation = events[i].member("args").member("op_name").text();
    if (operation != steps.steps[i].operation)
      events[i].fail(formatText("it is {}, and step {} of the graph is {}. {}", webnn::quoted(operation), i,
                                webnn::quoted(steps.steps[i].operation), kCure));
    const double microseconds = amountAt(events[i].member("dur"));
    if (!std::isfinite(microseconds)) events[i].fail("its \"dur\" is no time.");
    heat["steps"].push(microseconds);
  }
  return heat;
}

std::vector<Json> differencesOf(std::string_view text, const Graph& graph) {
  const Json parsed = formats::parseJson(text);
  const JsonAt diff(parsed, "");
  const GraphDefinition& definition = definitionOf(graph, "view");
  const std::vector<std::string> names = definition.operandNames();
  std::unordered_map<std::string_view, std::size_t> operations;  // maps an operand's name to its operation's index
  for (std::size_t i = 0; i < definition.nodes.size(); ++i) {
    for (const Operand& output : definition.nodes[i].outputs) operations.emplace(names[output.record().index], i);
  }
  for (const auto& [outputName, operand] : definition.outputs) {
    const auto made = operations.find(names[operand.record().index]);
    if (made != operations.end()) operations.emplace(outputName, made->second);
  }
  std::vector<Json> heats;
  diff.member("comparisons").forEachItem([&](const JsonAt& comparison) {
    std::vector<Json> found(definition.nodes.size());
    comparison.member("operands").forEachItem([&](const JsonAt& operand) {
      const JsonAt named = operand.member("name");
      const auto operation = operations.find(named.text());
      if (operation == operations.end())
        named.fail(formatText("no operation of the graph makes {}.", webnn::quoted(named.text())));
      const double relative = amountAt(operand.member("relative")), absolute = amountAt(operand.member("absolute"));
      const Json& agrees = operand.member("agrees").json();
      if (!agrees.isBoolean()) operand.member("agrees").fail("it is neither true nor false.");
      Json& item = found[operation->second];
      const bool isWorse = item.isNull() || relative > amountAt(JsonAt(*item.find("relative"), ""));
      if (!isWorse) return;
      item = Json{{"relative", formats::toJson(Number(relative))}, {"absolute", formats::toJson(Number(absolute))}};
      item["ulp"] = operand.member("ulp").integer64();
      item["agrees"] = agrees;
    });
    heats.push_back({{"kind", "difference"},
                     {"backend", cut(comparison.member("backend").text())},
                     {"trusted", cut(diff.member("trusted").text())},
                     {"operations", found}});
  });
  return heats;
}

}  // namespace webnn::cli
