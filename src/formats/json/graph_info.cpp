#include "formats/json/graph_info.h"

#include <unordered_set>

#include "base/text.h"
#include "formats/json/fields.h"
#include "formats/json/parse.h"

namespace webnn::formats {

namespace {

// The six bits of a character of standard base64, -1 if it is none.
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
  std::uint32_t bits = 0, count = 0;
  for (char c : text) {
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
  explicit GraphInfoReader(const Json& json) : root_(json, ""), operands_(root_.member("operands").items()) {}

  GraphDocument read() {
    nameOperands();
    document_.numbering = names_;
    if (const auto quantized = root_.find("quantized")) readField(quantized->path(), quantized->json(), document_.quantized);
    readInputs();
    readConstants();
    if (const auto operations = root_.find("operations")) {
      for (const JsonAt& operation : operations->items()) readOperation(operation);
    }
    if (const auto outputs = root_.find("output_operands")) {
      for (const JsonAt& output : outputs->items()) document_.outputs.push_back({nameOf(output), nameOf(output), output.path()});
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
    if (id >= operands_.size()) json.fail(webnn::format("there is no operand {}; there are {}.", id, operands_.size()));
    return id;
  }
  const std::string& nameOf(const JsonAt& json) const { return names_[idOf(json)]; }
  bool isOfKind(std::size_t id, std::string_view kind) const { return operands_[id].member("kind").text() == kind; }

  // The descriptor's "data_type" and "shape".
  std::pair<JsonAt, JsonAt> descriptorOf(std::size_t id) const {
    static const Json kScalar = Json::array();
    const JsonAt descriptor = operands_[id].member("descriptor");
    if (const auto pending = descriptor.find("pending_permutation"); pending && !pending->items().empty()) {
      throw Error(ErrorKind::notSupportedError, pending->path() + ": pending permutations are not supported.");
    }
    const auto shape = descriptor.find("shape");
    return {descriptor.member("data_type"), shape ? *shape : JsonAt(kScalar, descriptor.path() + ".shape")};
  }

  JsonAt root_;
  std::vector<JsonAt> operands_;
  std::vector<std::string> names_;  // by id
  GraphDocument document_;
};

void GraphInfoReader::nameOperands() {
  std::unordered_set<std::string> taken;
  for (const JsonAt& operand : operands_) {
    const auto name = operand.find("name");
    names_.push_back(name ? name->text() : std::string());
    if (names_.back().empty() || !taken.insert(names_.back()).second) names_.back().clear();
  }
  for (std::size_t id = 0; id < names_.size(); ++id) {
    if (!names_[id].empty()) continue;
    names_[id] = webnn::format("operand_{}", id);
    while (!taken.insert(names_[id]).second) names_[id] += "_";
  }
}

void GraphInfoReader::readInputs() {
  const auto inputs = root_.find("input_operands");
  if (!inputs) return;
  for (const JsonAt& input : inputs->items()) {
    const std::uint32_t id = idOf(input);
    if (!isOfKind(id, "input")) input.fail(webnn::format("operand {} is not an input.", id));
    const auto [dataType, shape] = descriptorOf(id);
    document_.inputs.push_back({names_[id], dataType.dataType(), readShape(shape), operands_[id].path()});
  }
}

// By id, because the bytes are in an object with ids as keys.
void GraphInfoReader::readConstants() {
  std::map<std::string, ConstantSource> sources;
  if (const auto handles = root_.find("constant_operand_ids_to_handles")) {
    for (const auto& [id, handle] : handles->members()) sources.emplace(id, readBase64(handle.member("data")));
  }
  if (const auto tensors = root_.find("id_to_constant_tensor_operand_map")) {
    for (const auto& [id, key] : tensors->members()) sources.emplace(id, WeightsReference{key.text()});
  }
  for (std::size_t id = 0; id < operands_.size(); ++id) {
    if (!isOfKind(id, "constant")) continue;
    const auto source = sources.find(std::to_string(id));
    if (source == sources.end()) operands_[id].fail("the constant has no data.");
    const auto [dataType, shape] = descriptorOf(id);
    document_.constants.push_back({names_[id], readDescriptor(dataType, shape), source->second, operands_[id].path()});
  }
}

void GraphInfoReader::readOperation(const JsonAt& json) {
  NodeDeclaration node{.op = json.member("type").text(), .where = json.path()};
  for (const JsonAt& input : json.member("input_operands").items()) node.inputs.push_back(nameOf(input));
  if (const auto attributes = json.find("attributes")) {
    if (!attributes->json().is_object()) attributes->fail(excerpt(attributes->json()) + " is not an object.");
    node.options = attributes->json();
  }
  if (const auto label = json.find("label")) node.options["label"] = label->text();
  if (const auto outputs = json.find("output_operands")) {
    for (const JsonAt& output : outputs->items()) node.outputs.push_back(nameOf(output));
  }
  if (node.outputs.empty()) node.outputs.push_back(nameOf(json.member("output_operand")));
  node.id = node.outputs[0];
  document_.nodes.push_back(std::move(node));
}

}  // namespace

GraphDocument readGraphInfo(const Json& root) { return GraphInfoReader(root).read(); }

}  // namespace webnn::formats
