#include "onnx/write/open_export.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>

#include "base/text.h"
#include "onnx/names.h"
#include "onnx/write/exporter.h"
#include "onnx/write/model_writer.h"

namespace webnn::onnx {

namespace {

using Values = std::vector<std::int64_t>;  // one for each sample

// Appends nodes that compute sizes as 1-D tensors of one int64.
class SizeNodes final : public SizeSink {
 public:
  SizeNodes(const GraphDefinition& graph, const OpenSizes& sizes, CollectedModel& model) : model_(model) {
    for (const ValueInfo& value : model.inputs) names_.unique(value.name);
    for (const Initializer& value : model.initializers) names_.unique(value.name);
    for (const OperatorNode& node : model.nodes) {
      for (const std::string& output : node.outputs) names_.unique(output);
    }
    for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
      const Shape& shape = graph.inputs[i].shape();
      for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        const std::optional<std::string> name = sizes.has(shape[axis]) ? sizes.nameOf(shape[axis]) : std::nullopt;
        if (name) places_.try_emplace(*name, model.inputs[i].name, static_cast<std::int64_t>(axis));
      }
    }
  }

  std::string number(std::int64_t value) override { return vector({value}); }
  std::string named(const std::string& name) override {
    const auto place = places_.find(name);
    if (place == places_.end()) {
      fail(ErrorKind::notSupportedError, "no input has the dimension {} by itself, from which ONNX could compute sizes.",
           webnn::quoted(name));
    }
    const auto& [input, axis] = place->second;
    return add("Shape", {input}, {{"start", axis}, {"end", axis + 1}});
  }
  std::string sum(const std::string& a, const std::string& b) override { return add("Add", {a, b}); }
  std::string product(const std::string& a, const std::string& b) override { return add("Mul", {a, b}); }
  std::string quotient(const std::string& a, const std::string& b) override { return add("Div", {a, b}); }
  std::string broadcast(const std::string& a, const std::string& b) override {
    return add("Where", {add("Equal", {a, number(1)}), b, a});
  }
  std::string scaled(const std::string& a, float scale) override {
    const auto cast = [&](const std::string& value, ElementType type) {
      return add("Cast", {value}, {{"to", std::int64_t{static_cast<std::int32_t>(type)}}});
    };
    const double factor = static_cast<double>(scale);
    const std::string by = constant(ElementType::float64, {1}, std::as_bytes(std::span(&factor, 1)));
    return cast(add("Floor", {add("Mul", {cast(a, ElementType::float64), by})}), ElementType::int64);
  }

  std::string vector(const std::vector<std::int64_t>& items) {
    return constant(ElementType::int64, {static_cast<std::int64_t>(items.size())}, std::as_bytes(std::span(items)));
  }
  std::string concatenated(const std::vector<std::string>& parts) { return add("Concat", parts, {{"axis", std::int64_t{0}}}); }

  // Inserts the nodes before those of the operations.
  void finish() {
    model_.nodes.insert(model_.nodes.begin(), std::make_move_iterator(nodes_.begin()), std::make_move_iterator(nodes_.end()));
  }

 private:
  std::string add(std::string_view opType, std::vector<std::string> inputs,
                  std::vector<std::pair<std::string, AttributeValue>> attributes = {}) {
    std::string key(opType);
    for (const std::string& input : inputs) key += "\n" + input;
    if (opType == "Shape" || opType == "Cast") key += formatText("\n{}", std::get<std::int64_t>(attributes[0].second));
    std::string& known = made_[key];
    if (!known.empty()) return known;
    known = names_.unique(formatText("sizes/{}", opType));
    nodes_.push_back({.opType = std::string(opType),
                      .name = {},
                      .inputs = std::move(inputs),
                      .outputs = {known},
                      .attributes = std::move(attributes),
                      .operation = kOfNone});
    return known;
  }
  std::string constant(ElementType type, std::vector<std::int64_t> dims, std::span<const std::byte> bytes) {
    std::string& known = made_[formatText("{}\n", static_cast<int>(type)) +
                               std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())];
    if (!known.empty()) return known;
    known = names_.unique("sizes/constant");
    model_.storage.push_back(std::make_shared<std::vector<std::byte>>(bytes.begin(), bytes.end()));
    model_.initializers.push_back({known, type, std::move(dims), *model_.storage.back(), false});
    return known;
  }

  static constexpr std::size_t kOfNone = static_cast<std::size_t>(-1);

  CollectedModel& model_;
  Names names_;
  std::vector<OperatorNode> nodes_;
  std::map<std::string, std::pair<std::string, std::int64_t>> places_;  // by name: an input and an axis that have this size
  std::map<std::string, std::string> made_;
};

class OpenExport {
 public:
  OpenExport(const GraphDefinition& graph, const OpenSizes& sizes, std::span<const SizedGraph> samples,
             const ExportOptions& options)
      : graph_(graph), sizes_(sizes), samples_(samples) {
    for (const SizedGraph& sample : samples) {
      Exporter& exporter = exporters_.emplace_back(*sample.graph, options);
      for (const Node& node : sample.graph->nodes) exporter.append(node);
      models_.push_back(&exporter.collect());
    }
    for (const Operand& input : graph.inputs) std::ranges::for_each(input.shape(), [&](std::uint32_t size) { know(size); });
    for (const Node& node : graph.nodes) {
      visitSizes(node.operation, [&](std::string_view, std::uint32_t size) { know(size); });
      for (const Operand& output : node.outputs) std::ranges::for_each(output.shape(), [&](std::uint32_t size) { know(size); });
    }
  }

  ExportedModel write() {
    compareNodes();
    CollectedModel& model = *models_[0];
    declareInputs(model);
    SizeNodes nodes(graph_, sizes_, model);
    std::map<std::string, std::string> replaced;  // names of vectors by the initializers that they replace
    const std::size_t count = model.initializers.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (!isSame(i)) replaced[model.initializers[i].name] = computed(i, nodes);
    }
    for (OperatorNode& node : model.nodes) {
      for (std::string& input : node.inputs) {
        if (const auto found = replaced.find(input); found != replaced.end()) input = found->second;
      }
    }
    std::erase_if(model.initializers, [&](const Initializer& value) { return replaced.contains(value.name); });
    nodes.finish();
    name(model);
    return exporters_[0].takeModel();
  }

 private:
  [[noreturn]] void refuse(std::size_t operation) const {
    const std::string what =
        operation < graph_.nodes.size() ? webnn::quoted(name(graph_.nodes[operation].operation)) : "an output";
    fail(ErrorKind::notSupportedError,
         "save: {} depends on the sizes of open dimensions in a way that ONNX operators do not; give the sizes.", what);
  }

  void compareNodes() const {
    const CollectedModel& first = *models_[0];
    for (const CollectedModel* model : models_) {
      for (std::size_t i = 0; i < first.nodes.size(); ++i) {
        const bool isThere = i < model->nodes.size();
        if (!isThere || !isSame(first.nodes[i], model->nodes[i])) refuse(first.nodes[i].operation);
      }
      const bool isLonger = model->nodes.size() != first.nodes.size() || model->initializers.size() != first.initializers.size();
      if (isLonger) refuse(first.nodes.empty() ? 0 : first.nodes.back().operation);
    }
  }
  static bool isSame(const OperatorNode& a, const OperatorNode& b) {
    return a.opType == b.opType && a.inputs == b.inputs && a.outputs == b.outputs && a.attributes == b.attributes;
  }
  // Whether an initializer is the same in all models.
  bool isSame(std::size_t index) const {
    const Initializer& first = models_[0]->initializers[index];
    return std::ranges::all_of(models_, [&](const CollectedModel* model) {
      const Initializer& other = model->initializers[index];
      const bool areBytesSame = first.bytes.data() == other.bytes.data() || std::ranges::equal(first.bytes, other.bytes);
      return first.dims == other.dims && first.bytes.size() == other.bytes.size() && areBytesSame;
    });
  }
  std::size_t userOf(const std::string& name) const {
    for (const OperatorNode& node : models_[0]->nodes) {
      if (std::ranges::find(node.inputs, name) != node.inputs.end()) return node.operation;
    }
    return graph_.nodes.size();
  }

  // Returns a vector that has the elements of an initializer for all sizes.
  std::string computed(std::size_t index, SizeNodes& nodes) const {
    const Initializer& first = models_[0]->initializers[index];
    const std::size_t user = userOf(first.name);
    for (const CollectedModel* model : models_) {
      const Initializer& other = model->initializers[index];
      if (other.type != ElementType::int64 || other.dims != first.dims || first.dims.size() != 1) refuse(user);
    }
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < first.bytes.size() / sizeof(std::int64_t); ++i) {
      Values values;
      for (const CollectedModel* model : models_) {
        std::int64_t value = 0;
        std::memcpy(&value, model->initializers[index].bytes.data() + i * sizeof value, sizeof value);
        values.push_back(value);
      }
      const auto part = partOf(values, nodes);
      if (!part) refuse(user);
      parts.push_back(*part);
    }
    return parts.size() == 1 ? parts[0] : nodes.concatenated(parts);
  }

  // Returns the size with these values: a number, a known size, one multiplied by or added to a number, or a sum or product of
  // two.
  std::optional<std::string> partOf(const Values& values, SizeNodes& nodes) const {
    if (std::ranges::all_of(values, [&](std::int64_t value) { return value == values[0]; })) return nodes.number(values[0]);
    const auto build = [&](std::uint32_t handle) { return sizes_.build(handle, nodes); };
    if (const auto handle = find(values)) return build(*handle);
    for (const auto& [own, handle] : known_) {
      if (handle == kAmbiguous) continue;
      Values differences, quotients;
      for (std::size_t i = 0; i < values.size(); ++i) {
        differences.push_back(values[i] - own[i]);
        quotients.push_back(own[i] != 0 && values[i] % own[i] == 0 ? values[i] / own[i] : -1 - static_cast<std::int64_t>(i));
      }
      const auto isNumber = [](const Values& all) { return std::ranges::count(all, all[0]) == std::ranges::ssize(all); };
      if (isNumber(differences)) return nodes.sum(build(handle), nodes.number(differences[0]));
      if (isNumber(quotients)) return nodes.product(build(handle), nodes.number(quotients[0]));
      if (const auto other = find(differences)) return nodes.sum(build(handle), build(*other));
      if (const auto other = find(quotients)) return nodes.product(build(handle), build(*other));
    }
    return std::nullopt;
  }

  std::optional<std::uint32_t> find(const Values& values) const {
    const auto found = known_.find(values);
    return found == known_.end() || found->second == kAmbiguous ? std::nullopt : std::optional(found->second);
  }

  void know(std::uint32_t size) {
    if (!sizes_.has(size)) return;
    Values values;
    for (const SizedGraph& sample : samples_) values.push_back(sizes_.evaluate(size, sample.sizes).value_or(0));
    const auto [known, isNew] = known_.try_emplace(values, size);
    if (!isNew && known->second != size && !sizes_.areSame(known->second, size)) known->second = kAmbiguous;
  }

  // The samples lack inputs that no operation reads. Such inputs may determine dimensions of others.
  void declareInputs(CollectedModel& model) const {
    model.inputs.clear();
    for (const Operand& input : graph_.inputs) {
      const Shape& shape = input.shape();
      model.inputs.push_back({input.record().name, elementTypeOf(input.dataType()), {shape.begin(), shape.end()}});
    }
  }

  // Declares the names of dimensions. Values in between whose shapes differ are not declared.
  void name(CollectedModel& model) const {
    const auto rename = [&](ValueInfo& value, const Operand& operand) {
      for (std::size_t axis = 0; axis < value.dims.size(); ++axis) {
        const std::uint32_t size = operand.shape()[axis];
        if (!sizes_.has(size)) continue;
        value.names.resize(value.dims.size());
        value.names[axis] = sizes_.nameOf(size).value_or(sizes_.text(size));
      }
    };
    for (std::size_t i = 0; i < model.inputs.size(); ++i) rename(model.inputs[i], graph_.inputs[i]);
    for (std::size_t i = 0; i < model.outputs.size(); ++i) rename(model.outputs[i], graph_.outputs[i].second);
    std::set<std::string> differing;
    for (const CollectedModel* other : models_) {
      for (std::size_t i = 0; i < std::min(model.values.size(), other->values.size()); ++i) {
        if (other->values[i].dims != model.values[i].dims) differing.insert(model.values[i].name);
      }
    }
    std::erase_if(model.values, [&](const ValueInfo& value) { return differing.contains(value.name); });
  }
  static std::string_view name(const Operation& operation) { return webnn::name(operation); }

  const GraphDefinition& graph_;
  const OpenSizes& sizes_;
  const std::span<const SizedGraph> samples_;
  std::vector<Exporter> exporters_;
  std::vector<CollectedModel*> models_;
  static constexpr std::uint32_t kAmbiguous = 0;  // several sizes have the same values
  std::map<Values, std::uint32_t> known_;         // handles of sizes by their values
};

}  // namespace

ExportedModel exportOpen(const GraphDefinition& graph, const OpenSizes& sizes, std::span<const SizedGraph> samples,
                         const ExportOptions& options) {
  return OpenExport(graph, sizes, samples, options).write();
}

}  // namespace webnn::onnx
