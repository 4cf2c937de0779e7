#include "formats/code/cpp.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "formats/code/identifiers.h"
#include "ops/returns_list.h"

namespace webnn::formats {

namespace {

constexpr std::size_t kMostStatements = 100;  // maximum number of statements of one function

constexpr std::string_view kElementTypes[] = {
    "float", "", "std::int32_t", "std::uint32_t", "std::int64_t", "std::uint64_t", "std::int8_t", "std::uint8_t", "", ""};

constexpr std::string_view kTensor = R"(
// The constant that begins at `offset` of the file of weights.
webnn::Operand tensor(webnn::GraphBuilder& builder, const webnn::ExternalBytes& weights, const webnn::OperandDescriptor& descriptor,
                      std::size_t offset) {
  return builder.constant(descriptor,
                          webnn::ExternalBytes{weights.bytes.subspan(offset, webnn::byteLength(descriptor)), weights.keepAlive});
}
)";
constexpr std::string_view kResults = R"(
template <std::size_t count>
std::array<webnn::Operand, count> results(const std::vector<webnn::Operand>& list) {
  std::array<webnn::Operand, count> operands;
  for (std::size_t i = 0; i < count; ++i) operands[i] = list.at(i);
  return operands;
}
)";
constexpr std::string_view kAssign = R"(
void assign(const std::vector<webnn::Operand*>& operands, const std::vector<webnn::Operand>& results) {
  for (std::size_t i = 0; i < operands.size(); ++i) *operands[i] = results.at(i);
}
)";

std::string specialInCpp(double value, std::string_view type) {
  if (std::isnan(value)) return formatText("std::numeric_limits<{}>::quiet_NaN()", type);
  return formatText("{}std::numeric_limits<{}>::infinity()", value < 0 ? "-" : "", type);
}

// Converts "nearest-neighbor" to "nearestNeighbor".
std::string camelCase(std::string_view name) {
  std::string result;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '-' && i + 1 < name.size()) {
      result += static_cast<char>(name[++i] - 'a' + 'A');
    } else {
      result += name[i];
    }
  }
  return result;
}

}  // namespace

CppWriter::CppWriter(const GraphDefinition& graph, std::string_view weightsFile, std::string_view space)
    : CodeWriter(graph, weightsFile),
      space_(Identifiers().add(space, "model")),
      count_(addIdentifier("count")),
      isLarge_(graph.inputs.size() + graph.constants.size() + graph.nodes.size() > 2 * kMostStatements),
      offsets_(graph.indexLimit) {
  const SafetensorsLayout layout = safetensorsLayout(weights());
  fileSize_ = layout.size;
  std::size_t next = 0;
  for (const Operand& constant : graph.constants) {
    if (isWeight(constant)) offsets_[constant.record().index] = layout.offsets[next++];
  }
}

std::string CppWriter::text(std::string_view utf8) const {
  // Writes bytes of UTF-8 as octal escapes of three digits. A hexadecimal escape would absorb following digits, and \u would
  // depend on the compiler's execution character set.
  const auto escape = [](std::uint32_t c) {
    if (c == '?') return std::string("\\?");  // "??" would begin a trigraph
    std::string bytes;
    const auto add = [&](std::uint32_t byte) { bytes += formatText("\\{:03o}", byte); };
    if (c < 0x80) {
      add(c);
    } else if (c < 0x800) {
      add(0xC0 | (c >> 6));
    } else if (c < 0x10000) {
      add(0xE0 | (c >> 12));
      add(0x80 | ((c >> 6) & 0x3F));
    } else {
      add(0xF0 | (c >> 18));
      add(0x80 | ((c >> 12) & 0x3F));
      add(0x80 | ((c >> 6) & 0x3F));
    }
    if (c >= 0x80) add(0x80 | (c & 0x3F));
    return bytes;
  };
  const std::string body = literal(utf8, '"', escape, "?");
  return utf8.find('\0') == std::string_view::npos ? body : formatText("std::string({}, {})", body, utf8.size());
}

std::string CppWriter::number(const Number& number) const {
  if (const double* value = std::get_if<double>(&number.value()))
    return std::isfinite(*value) ? decimal(*value, true) : specialInCpp(*value, "double");
  if (const auto* value = std::get_if<std::int64_t>(&number.value())) {
    if (*value == std::numeric_limits<std::int64_t>::min()) return "std::numeric_limits<std::int64_t>::min()";
    return formatText("{}", *value);
  }
  const std::uint64_t value = std::get<std::uint64_t>(number.value());
  return formatText("{}{}", value, value > std::numeric_limits<std::int64_t>::max() ? "u" : "");
}

std::string CppWriter::real(float value) const {
  return std::isfinite(value) ? decimal(value, true) + "f" : specialInCpp(value, "float");
}

std::string CppWriter::enumerator(const Enumerator& value) const {
  return formatText("webnn::{}::{}", value.type, camelCase(value.name));
}

std::string CppWriter::list(const ValueList& list) const {
  return (list.type.empty() ? "{" : formatText("std::vector<{}>{{", list.type)) + items(list) + "}";
}

std::string CppWriter::openSize(const std::string& expression) const {
  return formatText("builder.openSize({})", text(expression));
}

std::string CppWriter::dimension(const std::string& name, std::uint32_t min, std::uint32_t max) const {
  return formatText("{{{}, {}, {}}}", text(name), min, max);
}

std::string CppWriter::name(const Operand& operand) const {
  return isLarge_ ? "v[" + identifier(operand) + "]" : identifier(operand);
}

std::string CppWriter::formatCount(std::uint32_t count) { return formatText("{}u", count); }

std::string CppWriter::descriptor(const OperandDescriptor& descriptor) const {
  return formatText("{{webnn::DataType::{}, {}}}", webnn::name(descriptor.dataType), shape(descriptor.shape));
}

std::string CppWriter::constant(const Operand& constant) const {
  const auto& [type, sizes] = constant.descriptor();
  if (isWeight(constant)) {
    return formatText("tensor(builder, weights, {}, {})", descriptor(constant.descriptor()), offsets_[constant.record().index]);
  }
  const std::vector<Number> numbers = *elements(constant);
  if (sizes.empty()) return formatText("builder.constant(webnn::DataType::{}, {})", webnn::name(type), element(type, numbers[0]));
  std::vector<std::string> items;
  for (const Number& number : numbers) items.push_back(element(type, number));
  return formatText("builder.constant<{}>({}, {{{}}})", kElementTypes[static_cast<std::size_t>(type)],
                    descriptor(constant.descriptor()), joined(items));
}

std::string CppWriter::define(const Operand& operand, const std::string& value) const {
  return formatText("  {}{} = {};\n", isLarge_ ? "" : "const webnn::Operand ", name(operand), value);
}

std::string CppWriter::statement(const Node& node) const {
  const Call made = call(node);
  std::vector<std::string> arguments, options;
  for (const Value& argument : made.arguments) arguments.push_back(value(argument));
  for (const auto& [key, option] : made.options) options.push_back(formatText(".{} = {}", key, value(option)));
  if (!options.empty()) arguments.push_back("{" + joined(options) + "}");
  const std::string result = formatText("builder.{}({})", made.method, joined(arguments));
  if (!made.returnsList) return define(node.outputs[0], result);
  std::vector<std::string> names;
  for (const Operand& output : node.outputs) names.push_back((isLarge_ ? "&" : "") + name(output));
  return isLarge_ ? formatText("  assign({{{}}}, {});\n", joined(names), result)
                  : formatText("  const auto [{}] = results<{}>({});\n", joined(names), names.size(), result);
}

std::vector<std::string> CppWriter::statements() const {
  std::vector<std::string> result;
  for (const Operand& input : graph_.inputs) {
    const std::string call = formatText("builder.{}({}, {{webnn::DataType::{}, {}}})", isOpen_ ? "openInput" : "input",
                                        text(input.record().name), webnn::name(input.dataType()), inputShape(input.shape()));
    result.push_back(define(input, call));
  }
  for (const Operand& operand : graph_.constants) result.push_back(define(operand, constant(operand)));
  for (const Node& node : graph_.nodes) result.push_back(statement(node));
  return result;
}

bool CppWriter::hasLists() const {
  return std::ranges::any_of(graph_.nodes, [](const Node& node) { return ops::returnsList(rowOf(node.operation)); });
}

// Returns helper functions that build() calls.
std::string CppWriter::helpers() {
  std::string code;
  if (!weights().empty()) code += kTensor;
  if (hasLists()) code += isLarge_ ? kAssign : kResults;
  if (isLarge_) code += operandList() + functions();
  return code.empty() ? code : "\nnamespace {\n" + code + "\n}  // namespace\n";
}

std::string CppWriter::operandList() const {
  std::string code = "\n// Where the operands are in their list.\nenum : std::size_t {\n";
  const auto add = [&](const Operand& operand) { code += "  " + identifier(operand) + ",\n"; };
  for (const Operand& input : graph_.inputs) add(input);
  for (const Operand& constant : graph_.constants) add(constant);
  for (const Node& node : graph_.nodes) {
    for (const Operand& output : node.outputs) add(output);
  }
  return code + "  " + count_ + "\n};\n";
}

// Splits the statements into functions and makes body_ call them.
std::string CppWriter::functions() {
  std::string code;
  const std::vector<std::string> all = statements();
  body_ = formatText("  std::vector<webnn::Operand> v({});\n", count_);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i % kMostStatements == 0) {
      const std::string function = addIdentifier("part");
      code += formatText("{}\nvoid {}(webnn::GraphBuilder& builder, {}std::vector<webnn::Operand>& v) {{\n", i == 0 ? "" : "}\n",
                         function, weights().empty() ? "" : "[[maybe_unused]] const webnn::ExternalBytes& weights, ");
      body_ += formatText("  {}(builder, {}v);\n", function, weights().empty() ? "" : "weights, ");
    }
    code += all[i];
  }
  return code + "}\n";
}

std::string CppWriter::write() {
  std::string code = title("//");
  code +=
      "#include <webnn/webnn.hpp>\n\n#include <array>\n#include <cstdint>\n#include <limits>\n#include <stdexcept>\n#include "
      "<string>\n"
      "#include <vector>\n\n";
  code += formatText("namespace {} {{\n", space_);
  code += helpers();
  if (!isLarge_) {
    for (const std::string& statement : statements()) body_ += statement;
  }
  const std::string_view title = isOpen_ ? "session, which compiles a graph for each set of sizes" : "compiled graph";
  const std::string_view type = isOpen_ ? "Session" : "Graph";
  if (weights().empty()) {
    code += formatText("\n// The {}.\nwebnn::{} build(const webnn::Context& context) {{\n", title, type);
  } else {
    code += formatText(
        "\n// The {}. `weights` is the whole file of the weights, which it refers to.\n"
        "webnn::{} build(const webnn::Context& context, const webnn::ExternalBytes& weights) {{\n",
        title, type);
    code +=
        formatText("  if (weights.bytes.size() != {}) throw std::invalid_argument(\"these are not the weights of the graph\");\n",
                   fileSize_);
  }
  code += "  webnn::GraphBuilder builder(context);\n\n" + body_;
  std::vector<std::string> outputs;
  for (const auto& [key, operand] : graph_.outputs) outputs.push_back(formatText("{{{}, {}}}", text(key), name(operand)));
  return code + "\n  return " + (isOpen_ ? "webnn::Session::build(builder, {" : "builder.build({") + joined(outputs) +
         "});\n}\n\n}  // namespace " + space_ + "\n";
}

}  // namespace webnn::formats
