#include "formats/json/graph_info.h"

#include <unordered_set>

#include "base/progress.h"
#include "base/text.h"
#include "formats/document/json_fields.h"
#include "formats/document/json_parse.h"

namespace webnn::formats {

namespace {

// Returns the six bits of a character of standard base64, or -1 for other characters.
int base64Value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

ExternalBytes readBase64(const JsonAt& json) {
  std::string_view text = json.text();
  if (text.size() % 4 != 0) json.fail("the length of the base64 text is not a multiple of 4.");
  for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
  auto bytes = std::make_shared<std::vector<std::byte>>();
  bytes->reserve(text.size() / 4 * 3 + 2);
  Progress progress;
  std::uint32_t bits = 0, count = 0;
  for (char c : text) {
    progress.count();
    const int value = base64Value(c);
    if (value < 0) json.fail("the text is not base64.");
    bits = (bits << 6) | static_cast<std::uint32_t>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes->push_back(static_cast<std::byte>((bits >> count) & 0xFF));
  }
  if ((bits & ((1u << count) - 1)) != 0) json.fail("the base64 text does not end with zero bits.");
  return {*bytes, bytes};
}

class GraphInfoReader {
 public:
  GraphInfoReader(const Json& json, ReadBudget& budget) : root_(json, ""), operands_(root_.member("operands")), budget_(budget) {}

  GraphDocument read() {
    nameOperands();
    document_.numbering = names_;
    if (const auto quantized = root_.find("quantized")) readField(quantized->path(), quantized->json(), document_.quantized);
    readInputs();
    readConstants();
    if (const auto operations = root_.find("operations")) {
      operations->forEachItem([&](const JsonAt& operation) { readOperation(operation); });
    }
    if (const auto outputs = root_.find("output_operands")) {
      outputs->forEachItem([&](const JsonAt& output) {
        budget_.chargeItem<OutputDeclaration>(2 * nameOf(output).size() + output.path().size() + kListedBytes);
        document_.outputs.push_back({nameOf(output), nameOf(output), output.path()});
      });
    }
    return std::move(document_);
  }

 private:
  void nameOperands();
  void readInputs();
  void readConstants();
  void readOperation(const JsonAt& json);

  std::uint32_t idOf(const JsonAt& json) const {
    const std::uint32_t id = json.integer();
    if (id >= names_.size()) json.fail(formatText("there is no operand {}; there are {}.", id, names_.size()));
    return id;
  }
  const std::string& nameOf(const JsonAt& json) const { return names_[idOf(json)]; }
  std::string chargedNameOf(const JsonAt& json) {
    budget_.chargeItem<std::string>(nameOf(json).size());
    return nameOf(json);
  }
  bool isOfKind(std::size_t id, std::string_view kind) const { return operands_.item(id).member("kind").text() == kind; }

  // Returns the descriptor's "data_type" and "shape"; a missing shape means a scalar.
  std::pair<JsonAt, JsonAt> descriptorOf(std::size_t id) const {
    static const Json kScalar = Json::array();
    const JsonAt descriptor = operands_.item(id).member("descriptor");
    if (const auto pending = descriptor.find("pending_permutation"); pending && pending->listSize() > 0) {
      throw Error(ErrorKind::notSupportedError, pending->path() + ": pending permutations are not supported.");
    }
    const auto shape = descriptor.find("shape");
    return {descriptor.member("data_type"), shape ? *shape : JsonAt(kScalar, descriptor.path() + ".shape")};
  }

  JsonAt root_, operands_;
  ReadBudget& budget_;
  std::vector<std::string> names_;  // indexed by operand id
  GraphDocument document_;
};

void GraphInfoReader::nameOperands() {
  std::unordered_set<std::string_view> taken;
  names_.reserve(operands_.listSize());  // without reallocation, the views in `taken` stay valid
  operands_.forEachItem([&](const JsonAt& operand) {
    const auto name = operand.find("name");
    budget_.charge(128 + (name ? name->text().size() : 0));
    names_.push_back(name ? name->text() : std::string());
    if (names_.back().empty() || !taken.insert(names_.back()).second) names_.back().clear();
  });
  for (std::size_t id = 0; id < names_.size(); ++id) {
    if (!names_[id].empty()) continue;
    std::string name = formatText("operand_{}", id);
    while (taken.contains(name)) name += "_";
    names_[id] = std::move(name);
    taken.insert(names_[id]);
  }
}

void GraphInfoReader::readInputs() {
  const auto inputs = root_.find("input_operands");
  if (!inputs) return;
  inputs->forEachItem([&](const JsonAt& input) {
    const std::uint32_t id = idOf(input);
    if (!isOfKind(id, "input")) input.fail(formatText("operand {} is not an input.", id));
    const auto [dataType, shape] = descriptorOf(id);
    budget_.chargeItem<InputDeclaration>(names_[id].size() + kMaxRank * sizeof(Dimension));
    document_.inputs.push_back({names_[id], dataType.dataType(), readShape(shape), operands_.item(id).path()});
  });
}

// Finds constants by id, because their bytes are in objects with ids as keys.
void GraphInfoReader::readConstants() {
  std::map<std::string, ConstantSource> sources;
  const auto charge = [&](const std::string& id, const JsonAt& text) {
    budget_.charge(sizeof(std::pair<std::string, ConstantSource>) + 64 + id.size() + text.text().size());
  };
  if (const auto handles = root_.find("constant_operand_ids_to_handles")) {
    handles->forEachMember([&](const std::string& id, const JsonAt& handle) {
      const JsonAt data = handle.member("data");
      charge(id, data);
      sources.emplace(id, readBase64(data));
    });
  }
  if (const auto tensors = root_.find("id_to_constant_tensor_operand_map")) {
    tensors->forEachMember([&](const std::string& id, const JsonAt& key) {
      charge(id, key);
      sources.emplace(id, WeightsReference{key.text()});
    });
  }
  for (std::size_t id = 0; id < names_.size(); ++id) {
    if (!isOfKind(id, "constant")) continue;
    const auto source = sources.find(std::to_string(id));
    if (source == sources.end()) operands_.item(id).fail("the constant has no data.");
    const auto [dataType, shape] = descriptorOf(id);
    budget_.chargeItem<ConstantDeclaration>(names_[id].size() + kMaxRank * sizeof(Dimension));
    document_.constants.push_back(
        {names_[id], readDescriptor(dataType, shape), std::move(source->second), operands_.item(id).path()});
  }
}

void GraphInfoReader::readOperation(const JsonAt& json) {
  budget_.chargeItem<NodeDeclaration>(sizeof(Json::Object));
  NodeDeclaration node{.op = json.member("type").text(), .where = json.path()};
  json.member("input_operands").forEachItem([&](const JsonAt& input) { node.inputs.push_back(chargedNameOf(input)); });
  if (const auto attributes = json.find("attributes")) node.options = attributes->object();
  if (const auto label = json.find("label")) node.options["label"] = label->text();
  if (const auto outputs = json.find("output_operands")) {
    outputs->forEachItem([&](const JsonAt& output) { node.outputs.push_back(chargedNameOf(output)); });
  }
  if (node.outputs.empty()) node.outputs.push_back(chargedNameOf(json.member("output_operand")));
  node.id = node.outputs[0];
  document_.nodes.push_back(std::move(node));
}

}  // namespace

GraphDocument readGraphInfo(const Json& root, ReadBudget& budget) { return GraphInfoReader(root, budget).read(); }

}  // namespace webnn::formats
