#include "describe/ops_c.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "base/text.h"
#include "describe/ops_python.h"
#include "formats/document/json_fields.h"
#include "webnn/enums.h"

namespace webnn::describe {

namespace {

constexpr std::size_t kColumns = 130;

constexpr std::string_view kHeaderStart =
    R"(// The operations in the C API: include webnn/webnn.h, which says what all functions have in common.
// Printed by `webnn ops --format=c-header` from the operation table.
// clang-format off
#pragma once

#ifndef WEBNN_EXPORT
#error "include webnn/webnn.h instead"
#endif

#ifdef __cplusplus
extern "C" {
#endif

// ---- Enumerations. 0 in options means the default. ----

)";

constexpr std::string_view kHeaderEnd = R"(
#ifdef __cplusplus
}
#endif
)";

std::string capitalised(std::string_view text) {
  std::string result(text);
  result[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(result[0])));
  return result;
}

// Converts "MLConv2dOptions" to "WebnnConv2dOptions".
std::string cType(std::string_view type) { return "Webnn" + std::string(type.substr(2)); }

// Converts "MLConv2dOptions" to "WEBNN_CONV2D_OPTIONS_INIT".
std::string initMacro(std::string_view type) {
  std::string text = "webnn_" + snakeCase(type.substr(2)) + "_init";
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

// Returns an enumerator's name, such as "WebnnInterpolationMode_NearestNeighbor".
std::string enumerator(std::string_view enumType, std::string_view name) {
  std::string text = cType(enumType) + "_";
  bool isStart = true;
  for (const char c : name) {
    if (c != '-') text += isStart ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    isStart = c == '-';
  }
  return text;
}

std::string functionName(const Method& method) { return "webnnGraphBuilder" + capitalised(method.name()); }

std::string typeText(const Field& field) {
  switch (field.kind) {
    case FieldKind::operand: return "WebnnOperand";
    case FieldKind::operands: return "WebnnOperandList";
    case FieldKind::boolean: return "WebnnBool";
    case FieldKind::unsignedInteger: return "uint32_t";
    case FieldKind::integer: return "int32_t";
    case FieldKind::real: return "double";
    case FieldKind::number: return "WebnnNumber";
    case FieldKind::sizes: return "WebnnUint32List";
    case FieldKind::reals: return "WebnnFloatList";
    case FieldKind::splits: return "WebnnSplits";
    case FieldKind::enumeration: return cType(field.enumType);
    case FieldKind::enumerations: return cType(field.enumType) + "List";
  }
  return "";
}

std::string initialValue(const Field& field) {
  switch (field.kind) {
    case FieldKind::operand: return "NULL";
    case FieldKind::boolean: return field.defaultValue.asBoolean() ? "1" : "0";
    case FieldKind::unsignedInteger:
    case FieldKind::integer:
    case FieldKind::real: return field.defaultValue.dump();
    case FieldKind::number:
      if (field.defaultValue.isNull()) return "WEBNN_NUMBER_INIT";
      return formatText("{{WebnnNumberType_Double, {{{}}}}}",
                        formats::Json(formats::numberOf(field.defaultValue)->toDouble()).dump());
    case FieldKind::enumeration: return enumerator(field.enumType, field.defaultValue.asText());
    case FieldKind::enumerations: return initMacro(field.enumType + "List");
    case FieldKind::sizes: return "WEBNN_UINT32_LIST_INIT";
    case FieldKind::reals: return "WEBNN_FLOAT_LIST_INIT";
    case FieldKind::operands:
    case FieldKind::splits: break;  // only arguments have this kind, never options
  }
  return "";
}

// Joins `parts` with commas after `start` and before `end`. Breaks lines at kColumns; further lines begin with `margin`.
std::string filled(std::string start, std::span<const std::string> parts, std::string_view end, std::string_view margin) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string part = parts[i] + (i + 1 == parts.size() ? std::string(end) : ",");
    if (start.size() + part.size() + 1 > kColumns) {
      text += start + "\n";
      start = margin;
    } else if (i > 0) {
      start += " ";
    }
    start += part;
  }
  return text + start + "\n";
}

std::string signature(std::string_view prefix, const Method& method, std::string_view end) {
  std::vector<std::string> parts{"WebnnGraphBuilder builder"};
  for (const Field& field : method.fields) {
    if (field.argument) parts.push_back(formatText("{} {}", typeText(field), field.name));
  }
  parts.push_back(formatText("const {}* options", cType(method.optionsType)));
  parts.emplace_back(method.returnsList ? "WebnnOperandList* results" : "WebnnOperand* result");
  parts.emplace_back("WebnnError* error");
  return filled(formatText("{}WebnnStatus {}(", prefix, functionName(method)), parts, end, "    ");
}

void printEnum(std::string& text, std::string_view type, std::span<const std::string_view> names) {
  text += formatText("// https://www.w3.org/TR/webnn/#enumdef-{}\n", lowerCase(type));
  text += formatText("typedef enum {} {{\n  {}_Undefined = 0,\n", cType(type), cType(type));
  for (std::size_t i = 0; i < names.size(); ++i) text += formatText("  {} = {},\n", enumerator(type, names[i]), i + 1);
  text += formatText("  {}_Force32 = 0x7FFFFFFF\n}} {};\n\n", cType(type), cType(type));
}

void printEnumList(std::string& text, std::string_view type) {
  const std::string list = cType(type) + "List";
  text += formatText("typedef struct {} {{\n  size_t count;\n  const {}* items;\n}} {};\n", list, cType(type), list);
  text += formatText("#define {} WEBNN_MAKE({}, {{WEBNN_ABSENT, NULL}})\n\n", initMacro(std::string(type) + "List"), list);
}

void printEnums(std::string& text, std::span<const Method> methods) {
  std::set<std::string> printed{"MLOperandDataType"};
  printEnum(text, "MLOperandDataType", enumNames<DataType>());
  for (const Method& method : methods) {
    for (const Field& field : method.fields) {
      if (field.enumType.empty()) continue;
      if (printed.insert(field.enumType).second) printEnum(text, field.enumType, field.enumNames);
      if (field.kind == FieldKind::enumerations && printed.insert(field.enumType + "List").second)
        printEnumList(text, field.enumType);
    }
  }
}

void printOptions(std::string& text, std::span<const Method> methods) {
  std::set<std::string> printed;
  text += "// ---- Options ----\n\n";
  for (const Method& method : methods) {
    if (!printed.insert(method.optionsType).second) continue;
    const std::string type = cType(method.optionsType);
    text += formatText("// https://www.w3.org/TR/webnn/#dictdef-{}\n", lowerCase(method.optionsType));
    text += formatText("typedef struct {} {{\n  WebnnChainedStruct* nextInChain;\n", type);
    std::vector<std::string> values{"NULL"};
    for (const Field& field : method.fields) {
      if (field.argument) continue;
      text += formatText("  {} {};\n", typeText(field), field.name);
      values.push_back(initialValue(field));
    }
    values.emplace_back("WEBNN_STRING_VIEW_INIT");
    text += formatText("  WebnnStringView label;\n}} {};\n", type);
    text += formatText("#define {} \\\n", initMacro(method.optionsType));
    std::string body = filled(formatText("  WEBNN_MAKE({}, {{", type), values, "})", "    ");
    for (std::size_t at = body.find('\n'); at + 1 < body.size(); at = body.find('\n', at + 3)) body.replace(at, 1, " \\\n");
    text += body + "\n";
  }
}

// Returns the fields as C++ expressions: arguments by name, options as members of `o`.
std::vector<std::string> fieldExpressions(const Method& method) {
  std::vector<std::string> parts;
  for (const Field& field : method.fields) parts.push_back((field.argument ? "" : "o.") + std::string(field.name));
  return parts;
}

}  // namespace

std::string printCHeader(std::span<const Method> methods) {
  std::string text(kHeaderStart);
  printEnums(text, methods);
  printOptions(text, methods);
  text += "// ---- Operations ----\n\n";
  for (const Method& method : methods) {
    text += formatText("// {}. {}\n", method.row->summary, specificationUrl(method));
    text += signature("WEBNN_EXPORT ", method, ");");
  }
  return text + std::string(kHeaderEnd);
}

std::string printCSource(std::span<const Method> methods) {
  std::string text =
      "// Printed by `webnn ops --format=c-source` from the operation table: each function hands its arguments over in the\n"
      "// table's order, and `append` reads them into the operation's fields.\n// clang-format off\n"
      "#include \"capi/fields.h\"\n\nusing webnn::capi::append;\n";
  for (const Method& method : methods) {
    const std::string type = cType(method.optionsType);
    text += "\n" + signature("", method, ") {");
    const bool hasOptions = type != "WebnnOperatorOptions";
    if (hasOptions) text += formatText("  const {} o = options ? *options : {};\n", type, initMacro(method.optionsType));
    const std::vector<std::string> fields = fieldExpressions(method);
    text += filled(formatText("  return append(builder, \"{}\", {}, {{", method.name(), hasOptions ? "o" : "options"), fields,
                   method.returnsList ? "}, results, error);" : "}, result, error);", "      ");
    text += "}\n";
  }
  return text;
}

std::string printCCalls(std::span<const Method> methods) {
  std::string text = "// Printed by `webnn ops --format=c-calls`. Call: tests/capi/operations_test.cpp\n";
  for (const Method& method : methods) {
    text += formatText("{{\"{}\", [](Call& call) {{\n", method.name());
    text += formatText("  {} options = {};\n  call.get(\"label\", options.label);\n", cType(method.optionsType),
                       initMacro(method.optionsType));
    std::string arguments = "call.builder";
    for (const Field& field : method.fields) {
      if (field.argument) text += formatText("  {} {}{{}};\n", typeText(field), field.name);
      text += formatText("  call.get(\"{}\", {}{});\n", field.name, field.argument ? "" : "options.", field.name);
      if (field.argument) arguments += ", " + std::string(field.name);
    }
    text += formatText("  return {}({}, &options, {}, &call.error);\n}}}},\n", functionName(method), arguments,
                       method.returnsList ? "&call.results" : "&call.result");
  }
  return text;
}

}  // namespace webnn::describe
