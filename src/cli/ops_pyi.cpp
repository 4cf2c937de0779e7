#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "cli/ops_printers.h"

namespace webnn::cli {

namespace {

// "Literal["nchw", "nhwc"]" has a name: "InputOperandLayout".
std::string aliasOf(const Field& field) { return field.enumType.substr(2); }

std::string typeText(const Field& field) {
  switch (field.kind) {
    case FieldKind::operand: return "MLOperand";
    case FieldKind::operands: return "Sequence[MLOperand]";
    case FieldKind::boolean: return "bool";
    case FieldKind::unsignedInteger:
    case FieldKind::integer: return "int";
    case FieldKind::real: return "float";
    case FieldKind::number: return "int | float";
    case FieldKind::sizes: return "Sequence[int]";
    case FieldKind::reals: return "Sequence[float]";
    case FieldKind::splits: return "int | Sequence[int]";
    case FieldKind::enumeration: return aliasOf(field);
    case FieldKind::enumerations: return "Sequence[" + aliasOf(field) + "]";
  }
  return "";
}

std::string defaultText(const Field& field) {
  if (field.defaultValue.is_boolean()) return field.defaultValue.get<bool>() ? "True" : "False";
  return field.defaultValue.is_null() ? "None" : field.defaultValue.dump();
}

std::string parameters(const Method& method) {
  std::string text = "self";
  for (const Field& field : method.fields) {
    if (field.argument) text += webnn::format(", {}: {}", snakeCase(field.name), typeText(field));
  }
  text += ", *";
  for (const Field& field : method.fields) {
    if (field.argument) continue;
    const bool optional = field.defaultValue.is_null();
    text +=
        webnn::format(", {}: {}{} = {}", snakeCase(field.name), typeText(field), optional ? " | None" : "", defaultText(field));
  }
  return text + ", label: str = \"\"";
}

// The aliases of all enumerations that the methods use, each once.
std::string aliases(std::span<const Method> methods) {
  std::string text;
  std::vector<std::string> seen;
  for (const Method& method : methods) {
    for (const Field& field : method.fields) {
      if (field.enumType.empty() || std::ranges::find(seen, field.enumType) != seen.end()) continue;
      seen.push_back(field.enumType);
      std::string names;
      for (std::string_view name : field.enumNames) names += webnn::format("{}\"{}\"", names.empty() ? "" : ", ", name);
      text += webnn::format("{} = Literal[{}]\n", aliasOf(field), names);
    }
  }
  return text;
}

}  // namespace

std::string snakeCase(std::string_view camelCase) {
  std::string text;
  for (std::size_t i = 0; i < camelCase.size(); ++i) {
    const char c = camelCase[i];
    const auto isUpper = [&](std::size_t at) { return std::isupper(static_cast<unsigned char>(camelCase[at])) != 0; };
    // A word starts at a capital letter after a small one, so that the ND of gatherND is one word; so does the NaN of
    // isNaN, which is one word too.
    if (i > 0 && isUpper(i) && !isUpper(i - 1) && camelCase.substr(i - 1, 2) != "aN") text += '_';
    text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return text;
}

std::string printPyi(std::span<const Method> methods) {
  std::string text =
      "# Printed by `webnn ops --format=pyi` from the operation table.\nfrom collections.abc import Sequence\nfrom typing import "
      "Literal\n\n";
  text += aliases(methods);
  text += "\nclass MLOperand: ...\n\nclass MLGraphBuilder:\n";
  for (const Method& method : methods) {
    text += webnn::format("    def {}({}) -> {}:\n", snakeCase(method.name()), parameters(method),
                          method.returnsList ? "list[MLOperand]" : "MLOperand");
    text += webnn::format("        \"\"\"{}. {}\"\"\"\n", method.row->summary, specificationUrl(method));
  }
  return text;
}

}  // namespace webnn::cli
