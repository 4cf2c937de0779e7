#include "formats/dot/picture.h"

#include <algorithm>
#include <optional>
#include <type_traits>
#include <utility>

#include "formats/document/document.h"
#include "formats/document/json_fields.h"
#include "formats/document/needed_options.h"
#include "formats/document/options.h"

namespace webnn::formats {

namespace {

// Maps parts of operation names to families; the first part that a name contains decides.
constexpr std::pair<Family, std::string_view> kParts[] = {{Family::multiplication, "conv"},
                                                          {Family::multiplication, "matmul"},
                                                          {Family::multiplication, "gemm"},
                                                          {Family::recurrent, "gru"},
                                                          {Family::recurrent, "lstm"},
                                                          {Family::normalization, "Normalization"},
                                                          {Family::normalization, "softmax"},
                                                          {Family::window, "Pool2d"},
                                                          {Family::window, "resample2d"},
                                                          {Family::reduction, "reduce"},
                                                          {Family::reduction, "argM"},
                                                          {Family::reduction, "cumulativeSum"},
                                                          {Family::quantization, "quantizeLinear"},
                                                          {Family::movement, "gather"},
                                                          {Family::movement, "scatter"},
                                                          {Family::movement, "concat"},
                                                          {Family::movement, "expand"},
                                                          {Family::movement, "pad"},
                                                          {Family::movement, "reshape"},
                                                          {Family::movement, "reverse"},
                                                          {Family::movement, "slice"},
                                                          {Family::movement, "split"},
                                                          {Family::movement, "tile"},
                                                          {Family::movement, "transpose"},
                                                          {Family::movement, "triangular"}};

Family familyOf(std::string_view op) {
  for (const auto& [family, part] : kParts) {
    if (op.find(part) != std::string_view::npos) return family;
  }
  return Family::elementWise;
}

// Collects the names of an operation's arguments, and of its needed options that are not operands.
struct FieldCollector {
  const std::vector<bool>& isNeeded;
  std::vector<std::string_view> fields{};
  std::size_t next = 0;
  template <typename T>
  void argument(std::string_view name, const T&) {
    fields.push_back(name);
  }
  template <typename T>
  void option(std::string_view name, const T&) {
    if (isNeeded[next++] && !std::is_same_v<T, std::optional<Operand>>) fields.push_back(name);
  }
};

class PictureMaker {
 public:
  explicit PictureMaker(const GraphDefinition& graph)
      : graph_(graph), names_(graph.operandNames()), document_(documentOf(graph)), sources_(graph.indexLimit) {}

  std::vector<PictureNode> make() {
    for (std::size_t i = 0; i < graph_.inputs.size(); ++i)
      operand(PictureKind::input, i, document_.inputs[i].name, graph_.inputs[i]);
    for (std::size_t i = 0; i < graph_.constants.size(); ++i)
      operand(PictureKind::constant, i, document_.constants[i].name, graph_.constants[i]);
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) operation(i, graph_.nodes[i]);
    for (std::size_t i = 0; i < graph_.outputs.size(); ++i) {
      const auto& [name, operand] = graph_.outputs[i];
      PictureNode node{.kind = PictureKind::output, .number = i, .name = name};
      node.edges.push_back({sources_[operand.record().index], {}, false, &operand.descriptor()});
      nodes_.push_back(std::move(node));
    }
    return std::move(nodes_);
  }

 private:
  std::string optionsText(const Operation& operation, const Json& options) const {
    const std::vector<bool> isNeeded = neededOptions(operation, names_);
    FieldCollector collector{isNeeded};
    visitFields(operation, collector);
    std::string text;
    for (const std::string_view field : collector.fields) {
      if (const Json* const value = options.find(field))
        text += (text.empty() ? "" : ", ") + std::string(field) + "=" + withNamesOnly(*value).dump();
    }
    return text;
  }
  void operand(PictureKind kind, std::size_t number, const std::string& name, const Operand& operand) {
    sources_[operand.record().index] = nodes_.size();
    nodes_.push_back({.kind = kind, .number = number, .name = name, .results = {&operand.descriptor()}});
  }
  void operation(std::size_t number, const Node& node) {
    const NodeDeclaration& declaration = document_.nodes[number];
    const std::string& ownLabel = webnn::label(node.operation);
    const auto optional = operandOptions(declaration.op);
    PictureNode made{.kind = PictureKind::operation,
                     .number = number,
                     .family = familyOf(declaration.op),
                     .name = declaration.op,
                     .label = ownLabel.empty() ? declaration.id : ownLabel,
                     .hasLabel = !ownLabel.empty() || !node.outputs[0].record().name.empty(),
                     .options = optionsText(node.operation, declaration.options)};
    visitOperands(node.operation, [&](std::string_view name, const Operand& operand) {
      const bool isOption = std::ranges::find(optional, name) != optional.end();
      made.edges.push_back({sources_[operand.record().index], name, isOption, &operand.descriptor()});
    });
    for (const Operand& output : node.outputs) {
      sources_[output.record().index] = nodes_.size();
      made.results.push_back(&output.descriptor());
    }
    nodes_.push_back(std::move(made));
  }

  const GraphDefinition& graph_;
  const std::vector<std::string> names_;
  const GraphDocument document_;
  std::vector<std::size_t> sources_;  // index of the node that makes each operand, by operand index
  std::vector<PictureNode> nodes_;
};

}  // namespace

std::vector<PictureNode> pictureOf(const GraphDefinition& graph) { return PictureMaker(graph).make(); }

}  // namespace webnn::formats
