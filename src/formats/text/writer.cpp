#include "formats/text/writer.h"

#include <algorithm>

#include "base/text.h"
#include "formats/document/json_fields.h"
#include "formats/document/values.h"
#include "formats/text/lexer.h"
#include "webnn/error.h"

namespace webnn::formats {

namespace {

std::string inQuotes(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) {
    fail(ErrorKind::dataError, ".webnn text has no zero bytes, but the name or label {} has one; JSON can hold it.",
         webnn::quoted(text));
  }
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string nameText(const std::string& name) { return isPlainName(name) ? name : inQuotes(name); }

std::string joined(const auto& range, auto&& textOf) {
  std::string result;
  for (const auto& item : range) {
    if (!result.empty()) result += ", ";
    result += textOf(item);
  }
  return result;
}

std::string dimensionText(const Dimension& dimension) {
  if (dimension.name.empty()) return std::to_string(dimension.size);
  const std::string least = dimension.min == 1 ? "" : formatText(", {}", dimension.min);
  return formatText("dyn({}, {}{})", inQuotes(dimension.name), dimension.size, least);
}

std::string valueText(const Json& value) {
  if (value.isText()) return inQuotes(value.asText());
  if (value.isArray()) return "[" + joined(value.items(), valueText) + "]";
  if (!value.isObject()) return value.dump();
  return "{" + joined(value.members(), [](const auto& item) { return nameText(item.first) + ": " + valueText(item.second); }) +
         "}";
}

std::string sourceText(const ConstantSource& source) {
  if (const auto* reference = std::get_if<WeightsReference>(&source)) return "@weights(" + inQuotes(reference->key) + ")";
  if (const auto* fill = std::get_if<ScalarFill>(&source)) return "@scalar(" + valueText(toJson(fill->value)) + ")";
  const auto& bytes = std::get<ExternalBytes>(source).bytes;
  return "@bytes([" + joined(bytes, [](std::byte byte) { return std::to_string(std::to_integer<int>(byte)); }) + "])";
}

std::string constantText(const ConstantDeclaration& constant) {
  const OperandDescriptor& descriptor = constant.descriptor;
  return formatText("{}: {}{} {};", nameText(constant.name), shortName(descriptor.dataType), toString(descriptor.shape),
                    sourceText(constant.source));
}

std::string inputText(const InputDeclaration& input) {
  return formatText("{}: {}[{}];", nameText(input.name), shortName(input.dataType), joined(input.shape, dimensionText));
}

std::string nodeText(const NodeDeclaration& node) {
  std::string text = nameText(node.outputs.empty() ? node.id : node.outputs[0]);
  if (node.outputs.size() > 1) text = "[" + joined(node.outputs, nameText) + "]";
  text += " = " + node.op + "(" + joined(node.inputs, nameText);
  bool isFirst = node.inputs.empty();
  const auto operands = operandOptions(node.op);
  const Json options = withoutDefaults(node.op, node.options);
  for (const auto& [key, value] : options.members()) {
    const bool isOperand = value.isText() && std::ranges::find(operands, key) != operands.end();
    text += (isFirst ? "" : ", ") + key + "=" + (isOperand ? nameText(value.asText()) : valueText(value));
    isFirst = false;
  }
  return text + ");";
}

std::string outputText(const OutputDeclaration& output) {
  return nameText(output.name) + (output.name == output.value ? ";" : " = " + nameText(output.value) + ";");
}

void writeSection(std::string& text, std::string_view keyword, const auto& range, auto&& lineOf) {
  if (range.empty()) return;
  text += formatText("  {} {{\n", keyword);
  for (const auto& item : range) text += "    " + lineOf(item) + "\n";
  text += "  }\n";
}

}  // namespace

std::string writeText(const GraphDocument& document) {
  std::string text = "webnn_graph " + inQuotes(document.name) + " v2 " + (document.quantized ? "@quantized " : "") + "{\n";
  writeSection(text, "inputs", document.inputs, inputText);
  writeSection(text, "consts", document.constants, constantText);
  writeSection(text, "nodes", document.nodes, nodeText);
  writeSection(text, "outputs", document.outputs, outputText);
  return text + "}\n";
}

}  // namespace webnn::formats
