#include "describe/ops_python.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "base/text.h"
#include "describe/field_texts.h"
#include "describe/python_examples.h"

namespace webnn::describe {

namespace {

// A method whose options may be positional in pywebnn, and these options in pywebnn's order.
struct PositionalOptions {
  std::string_view method, options;
};
constexpr PositionalOptions kPositionalOptions[] = {
    {"argMax", "keep_dimensions output_data_type"},
    {"argMin", "keep_dimensions output_data_type"},
    {"averagePool2d", "window_dimensions strides dilations pads layout"},
    {"batchNormalization", "scale bias epsilon axis"},
    {"clamp", "min_value max_value"},
    {"conv2d", "strides dilations pads groups input_layout filter_layout bias"},
    {"convTranspose2d", "strides dilations pads output_padding output_sizes groups input_layout filter_layout bias"},
    {"elu", "alpha"},
    {"gather", "axis"},
    {"gemm", "c alpha beta a_transpose b_transpose"},
    {"hardSigmoid", "alpha beta"},
    {"instanceNormalization", "scale bias epsilon layout"},
    {"layerNormalization", "scale bias epsilon axes"},
    {"leakyRelu", "alpha"},
    {"maxPool2d", "window_dimensions strides dilations pads layout"},
    {"pad", "mode value"},
    {"reduceL1", "axes keep_dimensions"},
    {"reduceL2", "axes keep_dimensions"},
    {"reduceLogSum", "axes keep_dimensions"},
    {"reduceLogSumExp", "axes keep_dimensions"},
    {"reduceMax", "axes keep_dimensions"},
    {"reduceMean", "axes keep_dimensions"},
    {"reduceMin", "axes keep_dimensions"},
    {"reduceProduct", "axes keep_dimensions"},
    {"reduceSum", "axes keep_dimensions"},
    {"reduceSumSquare", "axes keep_dimensions"},
    {"scatterElements", "axis"},
    {"slice", "strides"},
    {"split", "axis"},
    {"transpose", "permutation"},
    {"triangular", "upper diagonal"},
};
constexpr std::string_view kPads = "pads", kPadding = "padding";  // pywebnn's "pads" has another order

// Returns the name of an enumeration's Literal alias, such as "InputOperandLayout".
std::string aliasOf(const Field& field) { return field.enumType.substr(2); }

std::string typeText(const Field& field) {
  switch (field.kind) {
    case FieldKind::operand: return "OperandLike";
    case FieldKind::operands: return "Sequence[OperandLike]";
    case FieldKind::boolean: return "bool";
    case FieldKind::unsignedInteger: return field.mayBeOpen ? "int | str" : "int";
    case FieldKind::integer: return "int";
    case FieldKind::real: return "float";
    case FieldKind::number: return "int | float";
    case FieldKind::sizes: return field.mayBeOpen ? "Sequence[int | str]" : "Sequence[int]";
    case FieldKind::reals: return "Sequence[float]";
    case FieldKind::splits: return "int | Sequence[int | str]";
    case FieldKind::enumeration: return aliasOf(field);
    case FieldKind::enumerations: return "Sequence[" + aliasOf(field) + "]";
  }
  return "";
}

std::string defaultText(const Field& field) {
  if (field.defaultValue.isBoolean()) return field.defaultValue.asBoolean() ? "True" : "False";
  return field.defaultValue.isNull() ? "None" : field.defaultValue.dump();
}

std::size_t fieldOf(const Method& method, std::string_view parameter) {
  const std::string_view name = parameter == kPads ? kPadding : parameter;
  const auto found = std::ranges::find_if(method.fields, [&](const Field& field) { return snakeCase(field.name) == name; });
  return static_cast<std::size_t>(found - method.fields.begin());
}

std::string joined(const std::vector<std::string_view>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + std::string(names[i]);
  }
  return text;
}

// Returns an operand's rule as text: "float32 or float16, rank 4" or "the type of input, the rank of input".
std::string ruleText(const ops::OperandRule& rule) {
  const std::string rank = rule.ranks.min == rule.ranks.max ? formatText("rank {}", rule.ranks.min)
                                                            : formatText("rank {} to {}", rule.ranks.min, rule.ranks.max);
  const std::string types =
      rule.sameTypeAs.empty() ? joined(dataTypeNames(rule.types)) : "the type of " + snakeCase(rule.sameTypeAs);
  return types + ", " + (rule.sameRankAs.empty() ? rank : "the rank of " + snakeCase(rule.sameRankAs));
}

std::string parameterLine(const Method& method, const PythonParameter& parameter) {
  const Field& field = method.fields[parameter.field];
  std::string text(fieldText(method, field)), values;
  if (parameter.beginningsFirst) {
    text = "the padding as [beginning height, beginning width, ending height, ending width]";
  } else if (const ops::OperandRule* rule = method.row->find(field.name)) {
    values = ruleText(*rule);
  } else if (!field.enumNames.empty() && field.enumType != "MLOperandDataType") {
    values = joined({field.enumNames.begin(), field.enumNames.end()});
  }
  if (text.empty()) return formatText("    {}: {}\n", parameter.name, values);
  return formatText("    {}: {}{}\n", parameter.name, text, values.empty() ? "" : " (" + values + ")");
}

}  // namespace

std::vector<PythonParameter> pythonParameters(const Method& method) {
  std::vector<PythonParameter> parameters;
  const auto add = [&](std::string name, bool positional) {
    const bool known = std::ranges::any_of(parameters, [&](const PythonParameter& other) { return other.name == name; });
    if (!known) parameters.push_back({name, fieldOf(method, name), positional, name == kPads});
  };
  for (const Field& field : method.fields) {
    if (field.argument) add(snakeCase(field.name), true);
  }
  for (const PositionalOptions& entry : kPositionalOptions) {
    if (entry.method != method.name()) continue;
    std::istringstream names{std::string(entry.options)};
    for (std::string name; names >> name;) add(name, true);
  }
  for (const Field& field : method.fields) {
    add(snakeCase(field.name), false);
    if (field.name == kPadding) add(std::string(kPads), false);
  }
  return parameters;
}

std::string pythonSignature(const Method& method) {
  std::string text = snakeCase(method.name()) + "(self";
  bool keywords = false;
  for (const PythonParameter& parameter : pythonParameters(method)) {
    const Field& field = method.fields[parameter.field];
    if (!parameter.positional && !std::exchange(keywords, true)) text += ", *";
    text += formatText(", {}: {}", parameter.name, typeText(field));
    if (!field.argument) text += (field.defaultValue.isNull() ? " | None = " : " = ") + defaultText(field);
  }
  if (!keywords) text += ", *";
  return text + ", label: str = \"\") -> " + (method.returnsList ? "list[MLOperand]" : "MLOperand");
}

std::string pythonDocstring(const Method& method) {
  std::string text = formatText("{}.\n\n", method.row->summary);
  for (const PythonParameter& parameter : pythonParameters(method)) text += parameterLine(method, parameter);
  text += "    label: names the operation in errors and printed graphs\n\n";
  for (const ops::OperandRule& rule : method.row->rules()) {
    if (rule.output) text += formatText("Returns {}: {}.\n", snakeCase(rule.name), ruleText(rule));
  }
  text += "Raises ArgumentError if an argument breaks a rule, InvalidStateError once the graph is built or the context lost.\n";
  if (const PythonExample* example = pythonExample(snakeCase(method.name())))
    text += formatText("\n>>> builder.{}\n{}\n\n", example->call, example->result);
  return text + specificationUrl(method) + "\n";
}

}  // namespace webnn::describe
