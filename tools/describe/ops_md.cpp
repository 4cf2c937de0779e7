#include "base/text.h"
#include "describe/field_texts.h"
#include "describe/ops_printers.h"

namespace webnn::describe {

namespace {

std::string join(std::span<const std::string_view> parts, std::string_view separator) {
  std::string text;
  for (std::string_view part : parts) text += (text.empty() ? "" : std::string(separator)) + std::string(part);
  return text;
}

std::string enumText(const Field& field) {
  std::string text;
  for (std::string_view name : field.enumNames) text += formatText("{}`{}`", text.empty() ? "" : ", ", name);
  return text;
}

std::string typeText(const Field& field) {
  switch (field.kind) {
    case FieldKind::operand: return "operand";
    case FieldKind::operands: return "list of operands";
    case FieldKind::boolean: return "boolean";
    case FieldKind::unsignedInteger: return "unsigned integer";
    case FieldKind::integer: return "integer";
    case FieldKind::real: return "number";
    case FieldKind::number: return "number of any data type";
    case FieldKind::sizes: return "list of unsigned integers";
    case FieldKind::reals: return "list of numbers";
    case FieldKind::splits: return "unsigned integer, or a list of them";
    case FieldKind::enumeration: return enumText(field);
    case FieldKind::enumerations: return "list of " + enumText(field);
  }
  return "";
}

std::string defaultText(const Field& field) {
  if (field.argument) return "required";
  if (field.defaultValue.isNull()) return "absent";
  return "`" + (field.defaultValue.isText() ? field.defaultValue.asText() : field.defaultValue.dump()) + "`";
}

std::string rankText(ops::RankRange ranks) {
  return ranks.min == ranks.max ? formatText("{}", ranks.min) : formatText("{} to {}", ranks.min, ranks.max);
}

void printFields(std::string& text, const Method& method) {
  text += "| argument | type | default | meaning |\n| --- | --- | --- | --- |\n";
  for (const Field& field : method.fields) {
    text += formatText("| {}`{}` | {} | {} | {} |\n", field.argument ? "" : "options.", field.name, typeText(field),
                       defaultText(field), fieldText(method, field));
  }
  text += formatText("| options.`label` | text | empty | {} |\n", kLabelText);
}

void printOperands(std::string& text, const Method& method) {
  text += "\n| operand | data types | ranks |\n| --- | --- | --- |\n";
  for (const ops::OperandRule& rule : method.row->rules()) {
    const std::string types =
        rule.sameTypeAs.empty() ? join(dataTypeNames(rule.types), ", ") : formatText("that of `{}`", rule.sameTypeAs);
    const std::string ranks = rule.sameRankAs.empty() ? rankText(rule.ranks) : formatText("that of `{}`", rule.sameRankAs);
    text += formatText("| `{}`{} | {} | {} |\n", rule.name, rule.output ? " (result)" : "", types, ranks);
  }
}

void printMethod(std::string& text, const Method& method) {
  std::string arguments;
  for (const Field& field : method.fields) {
    if (field.argument) arguments += std::string(field.name) + ", ";
  }
  text += formatText("\n## {}\n\n{}. [Specification]({})\n\n", method.name(), method.row->summary, specificationUrl(method));
  text +=
      formatText("    {}({}options) -> {}\n\n", method.name(), arguments, method.returnsList ? "list of operands" : "operand");
  printFields(text, method);
  printOperands(text, method);
}

}  // namespace

std::string printMarkdown(std::span<const Method> methods) {
  std::string text = "# Operations\n\nPrinted by `webnn ops --format=md` from the operation table.\n";
  for (const Method& method : methods) printMethod(text, method);
  return text;
}

}  // namespace webnn::describe
