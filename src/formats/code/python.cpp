#include "formats/code/python.h"

#include <cmath>

#include "base/snake_case.h"
#include "base/text.h"

namespace webnn::formats {

namespace {

constexpr std::string_view kTensorsInPython = R"(

def tensors_of(path: str | os.PathLike[str]) -> dict[str, memoryview]:
    """The bytes of the tensors of a safetensors file, which is mapped, by name."""
    file = np.memmap(path, np.uint8, "r").data
    begin = 8 + int.from_bytes(file[:8], "little")
    header = json.loads(bytes(file[8:begin]))
    return {name: file[begin:][slice(*entry["data_offsets"])] for name, entry in header.items()}
)";

std::string specialInPython(double value) {
  return std::isnan(value) ? "float(\"nan\")" : value < 0 ? "-float(\"inf\")" : "float(\"inf\")";
}

}  // namespace

std::string PythonWriter::text(std::string_view utf8) const {
  return literal(utf8, '"', [](std::uint32_t c) { return formatText("\\U{:08x}", c); });
}

std::string PythonWriter::number(const Number& number) const {
  if (const double* value = std::get_if<double>(&number.value()))
    return std::isfinite(*value) ? decimal(*value, true) : specialInPython(*value);
  return std::visit([](auto value) { return formatText("{}", value); }, number.value());
}

std::string PythonWriter::real(float value) const { return std::isfinite(value) ? decimal(value, true) : specialInPython(value); }

std::string PythonWriter::dimension(const std::string& name, std::uint32_t min, std::uint32_t max) const {
  return formatText("webnn.MLDynamicDimension({}, {}, min_size={})", text(name), max, min);
}

std::string PythonWriter::constant(const Operand& constant) const {
  const auto& [type, sizes] = constant.descriptor();
  if (isWeight(constant)) {
    return formatText("{{\"dataType\": \"{}\", \"shape\": {}}}, tensors[{}]", webnn::name(type), shape(sizes),
                      text(weightName(constant)));
  }
  const std::vector<Number> numbers = *elements(constant);
  std::vector<std::string> items;
  for (const Number& number : numbers) items.push_back(element(type, number));
  if (sizes.empty()) return formatText("\"{}\", {}", webnn::name(type), items[0]);
  return formatText("[{}], {}, \"{}\"", joined(items), shape(sizes), webnn::name(type));
}

std::string PythonWriter::statement(const Node& node) const {
  const Call made = call(node);
  std::vector<std::string> arguments, results;
  for (const Value& argument : made.arguments) arguments.push_back(value(argument));
  for (const auto& [key, option] : made.options) arguments.push_back(formatText("{}={}", snakeCase(key), value(option)));
  for (const Operand& output : node.outputs) results.push_back(identifier(output));
  return formatText("    {} = builder.{}({})\n", made.returnsList ? "[" + joined(results) + "]" : results[0],
                    snakeCase(made.method), joined(arguments));
}

std::string PythonWriter::write() {
  std::string body;
  for (const Operand& input : graph_.inputs) {
    body += formatText("    {} = builder.input({}, {}, \"{}\")\n", identifier(input), text(input.record().name),
                       inputShape(input.shape()), webnn::name(input.dataType()));
  }
  if (!graph_.constants.empty()) body += "\n";
  for (const Operand& operand : graph_.constants) {
    body += formatText("    {} = builder.constant({})\n", identifier(operand), constant(operand));
  }
  body += "\n";
  for (const Node& node : graph_.nodes) body += statement(node);
  std::vector<std::string> outputs;
  for (const auto& [name, operand] : graph_.outputs) outputs.push_back(formatText("{}: {}", text(name), identifier(operand)));

  std::string code = title("#");
  // If the title contains "coding:", Python takes the next word for the file's encoding. Declare the encoding before it.
  if (code.find("coding:") != code.npos || code.find("coding=") != code.npos) code = title("# coding: utf-8 --");
  const std::string_view result = isOpen_ ? "InferenceSession" : "MLGraph";
  code += formatText("#\n#     {} = build(webnn.ML().create_context())\n\n", isOpen_ ? "session" : "graph");
  if (!weights().empty()) code += "import json\nimport os\nfrom pathlib import Path\n\nimport numpy as np\n";
  code += "import webnn\n";
  if (weights().empty()) {
    code += formatText("\n\ndef build(context: webnn.MLContext) -> webnn.{}:\n", result);
  } else {
    code += kTensorsInPython;
    code += formatText(
        "\n\ndef build(context: webnn.MLContext, weights: str | os.PathLike[str] | None = None) -> webnn.{}:\n"
        "    \"\"\"The graph. `weights` is the path of their file, which lies beside this one otherwise.\"\"\"\n",
        result);
    code += formatText("    tensors = tensors_of(weights or Path(__file__).with_name({}))\n", text(weightsFile()));
  }
  return code + "    builder = context.create_graph_builder()\n\n" + body + "\n    return builder." +
         (isOpen_ ? "build_session" : "build") + "({" + joined(outputs) + "})\n";
}

}  // namespace webnn::formats
