#include "formats/code/javascript.h"

#include <cmath>

#include "base/text.h"

namespace webnn::formats {

namespace {

constexpr std::string_view kTensorsInJavaScript = R"(
// The bytes of a tensor of a safetensors file, by its name. `file` is the whole file, an ArrayBuffer or a view.
function tensorsOf(file) {
  const bytes = ArrayBuffer.isView(file) ? new Uint8Array(file.buffer, file.byteOffset, file.byteLength) : new Uint8Array(file);
  const begin = 8 + Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, begin)));
  return (name) => {
    if (!Object.hasOwn(header, name)) throw new Error(`the weights have no tensor ${name}`);
    const [from, to] = header[name].data_offsets;
    return bytes.slice(begin + from, begin + to).buffer;
  };
}
)";

std::string specialInJavaScript(double value) { return std::isnan(value) ? "NaN" : value < 0 ? "-Infinity" : "Infinity"; }

// Typed array for the elements of a constant written in the program, by DataType.
constexpr std::string_view kViews[] = {
    "Float32Array", "", "Int32Array", "Uint32Array", "BigInt64Array", "BigUint64Array", "Int8Array", "Uint8Array", "", ""};

std::string useInPage(bool hasWeights) {
  return formatText(
      "//\n"
      "//   const context = await navigator.ml.createContext();\n"
      "//   const graph = await build(context{}\n",
      hasWeights ? ", await (await fetch(url)).arrayBuffer());  // in Node.js: await readFile(path)" : ");");
}

// Only the Node.js package has sessions.
std::string useInNode(bool hasWeights) {
  return formatText(
      "// Browsers have no sessions, but the Node.js package webnn has:\n"
      "//\n"
      "//   import {{install}} from 'webnn';\n"
      "{}"
      "//   install();\n"
      "//   const context = await navigator.ml.createContext();\n"
      "//   const session = await build(context{});\n",
      hasWeights ? "//   import {readFile} from 'node:fs/promises';\n" : "", hasWeights ? ", await readFile(path)" : "");
}

}  // namespace

std::string JavaScriptWriter::text(std::string_view utf8) const {
  // Escapes "<", so that a program inside an HTML page contains no tags.
  return literal(
      utf8, '\'', [](std::uint32_t c) { return formatText("\\u{{{:x}}}", c); }, "<");
}

std::string JavaScriptWriter::number(const Number& number) const {
  if (const double* value = std::get_if<double>(&number.value()))
    return std::isfinite(*value) ? decimal(*value, false) : specialInJavaScript(*value);
  const bool isSmall = std::fabs(number.toDouble()) < 0x1p53;
  return std::visit([&](auto value) { return formatText("{}{}", value, isSmall ? "" : "n"); }, number.value());
}

std::string JavaScriptWriter::real(float value) const {
  return std::isfinite(value) ? decimal(value, false) : specialInJavaScript(value);
}

std::string JavaScriptWriter::dimension(const std::string& name, std::uint32_t min, std::uint32_t max) const {
  return formatText("{{name: {}, minSize: {}, maxSize: {}}}", text(name), min, max);
}

std::string JavaScriptWriter::constant(const Operand& constant) const {
  const auto& [type, sizes] = constant.descriptor();
  const std::string descriptor = formatText("{{dataType: '{}', shape: {}}}", webnn::name(type), shape(sizes));
  if (isWeight(constant)) return formatText("{}, tensor({})", descriptor, text(weightName(constant)));
  const std::vector<Number> numbers = *elements(constant);
  if (sizes.empty()) return formatText("'{}', {}", webnn::name(type), element(type, numbers[0]));
  const bool isLong = bitsPerElement(type) == 64;
  std::vector<std::string> items;
  for (const Number& number : numbers) {
    items.push_back(element(type, number));
    if (isLong && items.back().back() != 'n') items.back() += 'n';
  }
  return formatText("{}, new {}([{}])", descriptor, kViews[static_cast<std::size_t>(type)], joined(items));
}

std::string JavaScriptWriter::statement(const Node& node) const {
  const Call made = call(node);
  std::vector<std::string> arguments, options, results;
  for (const Value& argument : made.arguments) arguments.push_back(value(argument));
  for (const auto& [key, option] : made.options) options.push_back(formatText("{}: {}", key, value(option)));
  if (!options.empty()) arguments.push_back("{" + joined(options) + "}");
  for (const Operand& output : node.outputs) results.push_back(identifier(output));
  return formatText("  const {} = builder.{}({});\n", made.returnsList ? "[" + joined(results) + "]" : results[0], made.method,
                    joined(arguments));
}

std::string JavaScriptWriter::write() {
  std::string code = title("//");
  code += isOpen_ ? useInNode(!weights().empty()) : useInPage(!weights().empty());
  if (!weights().empty()) code += kTensorsInJavaScript;
  code += formatText("\n/** A promise of the {}. `Builder` is for programs that import MLGraphBuilder from a package. */\n",
                     isOpen_ ? "InferenceSession" : "MLGraph");
  code +=
      "export async function build(context, weights, Builder = globalThis.MLGraphBuilder) {\n"
      "  const builder = new Builder(context);\n";
  if (!weights().empty()) code += "  const tensor = tensorsOf(weights);\n";
  code += "\n";
  for (const Operand& input : graph_.inputs) {
    code += formatText("  const {} = builder.input({}, {{dataType: '{}', shape: {}}});\n", identifier(input),
                       text(input.record().name), webnn::name(input.dataType()), inputShape(input.shape()));
  }
  if (!graph_.constants.empty()) code += "\n";
  for (const Operand& operand : graph_.constants) {
    code += formatText("  const {} = builder.constant({});\n", identifier(operand), constant(operand));
  }
  code += "\n";
  for (const Node& node : graph_.nodes) code += statement(node);
  std::vector<std::string> outputs;
  for (const auto& [name, operand] : graph_.outputs) {
    // The key __proto__ would set the prototype, so it is written as a computed key: ['__proto__'].
    const std::string key = text(name);
    outputs.push_back(formatText("{}: {}", name == "__proto__" ? "[" + key + "]" : key, identifier(operand)));
  }
  return code + "\n  return builder." + (isOpen_ ? "buildSession" : "build") + "({" + joined(outputs) + "});\n}\n";
}

}  // namespace webnn::formats
