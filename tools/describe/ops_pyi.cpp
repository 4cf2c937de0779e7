#include <algorithm>

#include "base/text.h"
#include "describe/ops_printers.h"

namespace webnn::describe {

namespace {

// Returns type aliases for all enumerations that the methods use.
std::string aliases(std::span<const Method> methods) {
  std::string text;
  std::vector<std::string> seen;
  for (const Method& method : methods) {
    for (const Field& field : method.fields) {
      if (field.enumType.empty() || std::ranges::find(seen, field.enumType) != seen.end()) continue;
      seen.push_back(field.enumType);
      std::string names;
      for (std::string_view name : field.enumNames) names += formatText("{}\"{}\"", names.empty() ? "" : ", ", name);
      text += formatText("{} = Literal[{}]\n", field.enumType.substr(2), names);
    }
  }
  return text;
}

// Inserts `margin` before each line except the first line and empty lines.
std::string indented(std::string_view text, std::string_view margin) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    if (text[i] == '\n' && i + 1 < text.size() && text[i + 1] != '\n') result += margin;
  }
  return result;
}

}  // namespace

std::string printPyi(std::span<const Method> methods) {
  std::string text =
      "# Printed by `webnn ops --format=pyi` from the operation table.\nfrom collections.abc import Sequence\nfrom typing import "
      "Literal\n\nfrom webnn._types import OperandLike\nfrom webnn._webnn import MLOperand\n\n";
  text += aliases(methods);
  text += "\nclass Operations:\n";
  for (const Method& method : methods) {
    text += formatText("    def {}:\n        \"\"\"{}\"\"\"\n", pythonSignature(method),
                       indented(pythonDocstring(method), "        "));
  }
  return text;
}

}  // namespace webnn::describe
