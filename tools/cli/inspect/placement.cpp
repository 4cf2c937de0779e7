#include "cli/inspect/placement.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/escape.h"
#include "base/text.h"

namespace webnn::cli {

namespace {

using formats::Json;

constexpr std::size_t kWidth = 100, kMostNameBytes = 24;

std::string_view nameOf(PlacementState state) {
  switch (state) {
    case PlacementState::runs: return "runs";
    case PlacementState::constant: return "constant";
    case PlacementState::removed: return "removed";
  }
  return "";  // unreachable
}

// Returns the distinct operators in order, with counts: "Cast x2, Add".
std::string operatorsText(const std::vector<std::string>& operators) {
  std::vector<std::pair<std::string, std::size_t>> counts;
  for (const std::string& name : operators) {
    const auto found = std::ranges::find(counts, name, &std::pair<std::string, std::size_t>::first);
    if (found == counts.end()) {
      counts.emplace_back(name, 1);
    } else {
      ++found->second;
    }
  }
  std::string text;
  for (const auto& [name, count] : counts) {
    text += (text.empty() ? "" : ", ") + sanitized(name) + (count > 1 ? formatText(" x{}", count) : "");
  }
  return text;
}

std::string cell(const std::string& text) { return escaped(text, kMostNameBytes); }

using Row = std::array<std::string, 4>;

// Returns the table rows of an operation: operation, label (or first result), device and kernel. There is a row for each step, or
// one row if there are no steps, and then a row for each note.
std::vector<Row> rowsOf(const OperationPlacement& placed, std::string_view backend) {
  const Row names{placed.operation, cell(placed.label.empty() ? placed.outputs.front() : placed.label), "", ""};
  std::vector<Row> rows;
  for (std::size_t i = 0; i < placed.steps.size(); ++i) {
    const std::string kernel = i < placed.kernels.size() ? sanitized(placed.kernels[i]) : std::string();
    rows.push_back({i == 0 ? names[0] : "", i == 0 ? names[1] : "", formatText("step {}", placed.steps[i]), kernel});
  }
  if (rows.empty()) {
    std::string_view device = placed.device;
    if (device.starts_with(backend) && device.substr(backend.size()).starts_with(" ")) device.remove_prefix(backend.size() + 1);
    const std::string where(placed.state == PlacementState::runs ? device : nameOf(placed.state));
    rows.push_back({names[0], names[1], sanitized(where), operatorsText(placed.kernels)});
  }
  for (const std::string& note : placed.notes) rows.push_back({"", "", "", "note: " + sanitized(note)});
  return rows;
}

std::vector<std::string_view> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string_view> lines;
  while (text.size() > width) {
    const std::size_t space = text.rfind(' ', width);
    const std::size_t end = space == std::string_view::npos || space == 0 ? width : space;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
    if (text.starts_with(' ')) text.remove_prefix(1);
  }
  lines.push_back(text);
  return lines;
}

std::string tableText(const std::vector<Row>& rows) {
  std::array<std::size_t, 3> widths{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], row[i].size() + 2);
  }
  constexpr std::size_t kLeast = 24;
  const std::size_t indent = widths[0] + widths[1] + widths[2];
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < widths.size(); ++i) line += formatText("{:<{}}", row[i], widths[i]);
    for (const std::string_view part : wrapped(row[3], indent + kLeast > kWidth ? kLeast : kWidth - indent)) {
      line += part;
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
      line.assign(indent, ' ');
    }
  }
  return text;
}

}  // namespace

std::string placementText(const Context& context, const Graph& graph) {
  const std::vector<OperationPlacement> placement = graph.placement();
  std::array<std::size_t, 3> counts{};
  std::set<std::uint32_t> steps;
  std::vector<Row> rows{{"operation", "label or result", "where", "as"}};
  for (const OperationPlacement& placed : placement) {
    ++counts[static_cast<std::size_t>(placed.state)];
    steps.insert(placed.steps.begin(), placed.steps.end());
    std::ranges::move(rowsOf(placed, context.backend()), std::back_inserter(rows));
  }
  std::string text = formatText("{} operations on backend {}: {} run", placement.size(), sanitized(context.backend()), counts[0]);
  if (!steps.empty()) text += formatText(" in {} steps", steps.size());
  text += formatText(", {} constant, {} removed\n\n", counts[1], counts[2]);
  return text + tableText(rows);
}

Json placementJson(const Context& context, const Graph& graph) {
  Json json{{"backend", context.backend()}, {"operations", Json::array()}};
  if (!context.service().empty()) json["service"] = context.service();
  for (const OperationPlacement& placed : graph.placement()) {
    Json item{{"operation", placed.operation}, {"label", placed.label}, {"outputs", placed.outputs}};
    item["state"] = nameOf(placed.state);
    item["device"] = placed.device;
    item["kernels"] = placed.kernels;
    item["steps"] = placed.steps;
    item["notes"] = placed.notes;
    json["operations"].push(std::move(item));
  }
  return json;
}

}  // namespace webnn::cli
