#include "base/text.h"
#include "describe/field_texts.h"
#include "describe/ops_printers.h"

namespace webnn::describe {

namespace {

using formats::Json;

std::string_view kindText(FieldKind kind) {
  switch (kind) {
    case FieldKind::operand: return "MLOperand";
    case FieldKind::operands: return "sequence<MLOperand>";
    case FieldKind::boolean: return "boolean";
    case FieldKind::unsignedInteger: return "unsigned long";
    case FieldKind::integer: return "long";
    case FieldKind::real: return "double";
    case FieldKind::number: return "MLNumber";
    case FieldKind::sizes: return "sequence<unsigned long>";
    case FieldKind::reals: return "sequence<float>";
    case FieldKind::splits: return "unsigned long or sequence<unsigned long>";
    case FieldKind::enumeration: return "{}";
    case FieldKind::enumerations: return "sequence<{}>";
  }
  return "";
}

std::string typeText(const Field& field) {
  std::string text(kindText(field.kind));
  const std::size_t hole = text.find("{}");
  return hole == std::string::npos ? text : text.replace(hole, 2, field.enumType);
}

Json fieldJson(const Method& method, const Field& field) {
  Json json{{"name", field.name}, {"type", typeText(field)}};
  if (field.mayBeOpen) json["mayBeOpen"] = true;
  if (!field.enumNames.empty()) json["values"] = std::vector(field.enumNames.begin(), field.enumNames.end());
  if (!field.defaultValue.isNull()) json["default"] = field.defaultValue;
  if (const std::string_view meaning = fieldText(method, field); !meaning.empty()) json["meaning"] = meaning;
  return json;
}

Json operandJson(const ops::OperationRow& row, const ops::OperandRule& rule) {
  const ops::RankRange ranks = row.ranksOf(rule);
  Json json{{"name", rule.name},
            {"dataTypes", dataTypeNames(row.typesOf(rule))},
            {"rankRange", {{"min", ranks.min}, {"max", ranks.max}}}};
  if (!rule.sameTypeAs.empty()) json["sameTypeAs"] = rule.sameTypeAs;
  if (!rule.sameRankAs.empty()) json["sameRankAs"] = rule.sameRankAs;
  return json;
}

Json methodJson(const Method& method) {
  Json json{{"name", method.name()},
            {"summary", method.row->summary},
            {"specification", specificationUrl(method)},
            {"arguments", Json::array()},
            {"optionsType", method.optionsType},
            {"options", Json::array()},
            {"inputs", Json::array()},
            {"outputs", Json::array()},
            {"returns", method.returnsList ? "sequence<MLOperand>" : "MLOperand"}};
  for (const Field& field : method.fields) json[field.argument ? "arguments" : "options"].push(fieldJson(method, field));
  json["options"].push({{"name", "label"}, {"type", "USVString"}, {"default", ""}, {"meaning", kLabelText}});
  for (const ops::OperandRule& rule : method.row->rules()) {
    json[rule.output ? "outputs" : "inputs"].push(operandJson(*method.row, rule));
  }
  return json;
}

}  // namespace

std::string printJson(std::span<const Method> methods) {
  Json json = Json::array();
  for (const Method& method : methods) json.push(methodJson(method));
  return Json{{"operations", json}}.dump({.indent = 2}) + "\n";
}

}  // namespace webnn::describe
