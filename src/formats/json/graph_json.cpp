#include "formats/json/graph_json.h"

#include "base/progress.h"
#include "base/text.h"
#include "formats/document/json_fields.h"
#include "formats/document/json_parse.h"
#include "formats/document/options.h"

namespace webnn::formats {

namespace {

void readHeader(const JsonAt& root, GraphDocument& document) {
  const JsonAt format = root.member("format");
  if (format.text() != "webnn-graph-json") format.fail(excerpt(format.json()) + " is not \"webnn-graph-json\".");
  const JsonAt version = root.member("version");
  if (version.integer() != 1 && version.integer() != 2) version.fail(excerpt(version.json()) + " is not 1 or 2.");
  if (const auto name = root.find("name")) document.name = name->text();
  if (const auto quantized = root.find("quantized")) readField(quantized->path(), quantized->json(), document.quantized);
}

ExternalBytes readInlineBytes(const JsonAt& json) {
  auto bytes = std::make_shared<std::vector<std::byte>>();
  if (json.json().isBytes()) {
    const std::vector<std::byte>& list = json.json().asBytes();
    bytes->reserve(list.size());
    inParts(list.size(),
            [&](std::size_t begin, std::size_t end) { bytes->insert(bytes->end(), &list[begin], list.data() + end); });
  } else {
    Progress progress;
    json.forEachItem([&](const JsonAt& item) {
      progress.count();
      if (!item.json().isUnsigned() || item.json().asUnsigned() > 255) json.fail(excerpt(item.json()) + " is not a byte.");
      bytes->push_back(static_cast<std::byte>(item.json().asUnsigned()));
    });
  }
  return {*bytes, bytes};
}

ConstantSource readSource(const JsonAt& init, ReadBudget& budget) {
  const std::string kind = init.member("kind").text();
  if (kind == "weights") return WeightsReference{init.member("ref").text()};
  if (kind == "inlineBytes") {
    const JsonAt bytes = init.member("bytes");
    budget.charge(bytes.json().size());
    return readInlineBytes(bytes);
  }
  if (kind != "scalar") init.fail("the kind " + webnn::quoted(kind) + " is not weights, scalar or inlineBytes.");
  const JsonAt value = init.member("value");
  const auto number = numberOf(value.json());
  if (!number) value.fail(excerpt(value.json()) + " is not a number.");
  return ScalarFill{*number};
}

NodeDeclaration readNode(const JsonAt& json, ReadBudget& budget) {
  NodeDeclaration node{.id = json.member("id").text(), .op = json.member("op").text(), .where = json.path()};
  node.inputs = json.member("inputs").texts(budget);
  if (const auto options = json.find("options")) node.options = options->object();
  const auto outputs = json.find("outputs");
  node.outputs = outputs ? outputs->texts(budget) : std::vector{node.id};
  return node;
}

// Begins the lines of a list in a document, and separates them by commas.
class Lines {
 public:
  explicit Lines(std::string& text) : text_(text) {}
  std::string& next(std::string_view indent) {
    text_ += isFirst_ ? "\n" : ",\n";
    isFirst_ = false;
    return text_ += indent;
  }

 private:
  std::string& text_;
  bool isFirst_ = true;
};

std::string key(const std::string& name) { return Json(name).dump() + ": "; }

Json shapeToJson(const std::vector<Dimension>& shape) {
  Json list = Json::array();
  for (const Dimension& dimension : shape) list.push(dimensionToJson(dimension));
  return list;
}

// Writes the text directly, because a list of Json values would take 16 bytes for each byte of the constant.
void writeBytes(std::string& text, std::span<const std::byte> bytes) {
  text += "{\"kind\":\"inlineBytes\",\"bytes\":[";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i > 0) text += ',';
    text += std::to_string(std::to_integer<int>(bytes[i]));
  }
  text += "]}";
}

void writeConstant(std::string& text, const ConstantDeclaration& constant) {
  const Json descriptor{{"dataType", name(constant.descriptor.dataType)}, {"shape", constant.descriptor.shape}};
  std::string start = descriptor.dump();
  start.pop_back();
  text += key(constant.name) + start + ",\"init\":";
  if (const auto* reference = std::get_if<WeightsReference>(&constant.source)) {
    text += Json{{"kind", "weights"}, {"ref", reference->key}}.dump();
  } else if (const auto* fill = std::get_if<ScalarFill>(&constant.source)) {
    text += Json{{"kind", "scalar"}, {"value", toJson(fill->value)}}.dump();
  } else {
    writeBytes(text, std::get<ExternalBytes>(constant.source).bytes);
  }
  text += "}";
}

Json nodeToJson(const NodeDeclaration& node) {
  Json json{{"id", node.id}, {"op", node.op}, {"inputs", node.inputs}};
  if (!node.options.empty()) json["options"] = node.options;
  if (node.outputs.size() != 1 || node.outputs.front() != node.id) json["outputs"] = node.outputs;
  return json;
}

}  // namespace

GraphDocument readGraphJson(const Json& json, ReadBudget& budget) {
  const JsonAt root(json, "");
  GraphDocument document;
  readHeader(root, document);
  root.member("inputs").forEachMember([&](const std::string& name, const JsonAt& input) {
    budget.chargeItem<InputDeclaration>(name.size() + input.path().size());
    document.inputs.push_back({name, input.member("dataType").dataType(), readShape(input.member("shape")), input.path()});
  });
  if (const auto constants = root.find("consts")) {
    constants->forEachMember([&](const std::string& name, const JsonAt& constant) {
      budget.chargeItem<ConstantDeclaration>(name.size() + constant.path().size());
      document.constants.push_back({name, readDescriptor(constant.member("dataType"), constant.member("shape")),
                                    readSource(constant.member("init"), budget), constant.path()});
    });
  }
  root.member("nodes").forEachItem([&](const JsonAt& node) {
    budget.chargeItem<NodeDeclaration>(sizeof(Json::Object));
    document.nodes.push_back(readNode(node, budget));
  });
  root.member("outputs").forEachMember([&](const std::string& name, const JsonAt& value) {
    budget.chargeItem<OutputDeclaration>(name.size() + value.text().size() + value.path().size() + kListedBytes);
    document.outputs.push_back({name, value.text(), value.path()});
  });
  return document;
}

std::string writeGraphJson(const GraphDocument& document) {
  std::string text = "{\n  \"format\": \"webnn-graph-json\",\n  \"version\": 2";
  if (!document.name.empty()) text += ",\n  \"name\": " + Json(document.name).dump();
  if (document.quantized) text += ",\n  \"quantized\": true";
  text += ",\n  \"inputs\": {";
  for (Lines lines(text); const auto& input : document.inputs) {
    lines.next("    ") += key(input.name) + Json{{"dataType", name(input.dataType)}, {"shape", shapeToJson(input.shape)}}.dump();
  }
  text += "\n  },\n  \"consts\": {";
  for (Lines lines(text); const auto& constant : document.constants) writeConstant(lines.next("    "), constant);
  text += "\n  },\n  \"nodes\": [";
  for (Lines lines(text); const auto& node : document.nodes) lines.next("    ") += nodeToJson(node).dump();
  text += "\n  ],\n  \"outputs\": {";
  for (Lines lines(text); const auto& output : document.outputs)
    lines.next("    ") += key(output.name) + Json(output.value).dump();
  return text + "\n  }\n}\n";
}

}  // namespace webnn::formats
