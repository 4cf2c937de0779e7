#include "onnx/write/composition.h"

#include <algorithm>
#include <array>

#include "onnx/write/compose.h"

namespace webnn::onnx {

namespace {

using Composition = OnnxValue (*)(const std::vector<OnnxValue>& inputs, Exporter& out);

// Returns the greater elements of two integer operands. Not for floats, because NaN would not propagate.
OnnxValue maximum(const std::vector<OnnxValue>& inputs, Exporter& out) {
  return out.add("Where", {compare("Less", inputs[0], inputs[1], out), inputs[1], inputs[0]});
}

OnnxValue minimum(const std::vector<OnnxValue>& inputs, Exporter& out) {
  return out.add("Where", {compare("Less", inputs[0], inputs[1], out), inputs[0], inputs[1]});
}

OnnxValue clip(const std::vector<OnnxValue>& inputs, Exporter& out) {
  const OnnxValue raised = inputs[1].name.empty() ? inputs[0] : out.add("Max", {inputs[0], inputs[1]});
  return inputs.size() < 3 || inputs[2].name.empty() ? raised : out.add("Min", {raised, inputs[2]});
}

OnnxValue sign(const std::vector<OnnxValue>& inputs, Exporter& out) {
  const OnnxValue zero = out.scalar(inputs[0].type, 0);
  const OnnxValue isPositive = out.cast(compare("Greater", inputs[0], zero, out), inputs[0].type);
  return out.add("Sub", {isPositive, out.cast(compare("Less", inputs[0], zero, out), inputs[0].type)});
}

struct Row {
  std::string_view opType;
  std::size_t inputs;
  Composition composition;
};
constexpr std::array<Row, 5> kRows{{
    {"Clip", 2, clip},
    {"Clip", 3, clip},
    {"Max", 2, maximum},
    {"Min", 2, minimum},
    {"Sign", 1, sign},
}};

}  // namespace

std::optional<OnnxValue> decompose(std::string_view opType, const std::vector<OnnxValue>& inputs, Exporter& out) {
  for (const Row& row : kRows) {
    if (row.opType == opType && row.inputs == inputs.size()) return row.composition(inputs, out);
  }
  return std::nullopt;
}

}  // namespace webnn::onnx
