#include "compiler/ir/element_program.h"

#include <array>
#include <string_view>

#include "base/text.h"

namespace webnn::compiler {

namespace {

struct Row {
  std::string_view name;
  unsigned operands;
  unsigned immediates = 0;
};

// Indexed by ElementCode.
constexpr std::array<Row, 55> kRows{{
    {"add", 2},
    {"sub", 2},
    {"mul", 2},
    {"div", 2},
    {"max", 2},
    {"min", 2},
    {"pow", 2},
    {"equal", 2},
    {"notEqual", 2},
    {"greater", 2},
    {"greaterOrEqual", 2},
    {"lesser", 2},
    {"lesserOrEqual", 2},
    {"logicalAnd", 2},
    {"logicalOr", 2},
    {"logicalXor", 2},
    {"logicalNot", 1},
    {"isNaN", 1},
    {"isInfinite", 1},
    {"where", 3},
    {"prelu", 2},
    {"abs", 1},
    {"ceil", 1},
    {"cos", 1},
    {"erf", 1},
    {"exp", 1},
    {"floor", 1},
    {"log", 1},
    {"neg", 1},
    {"reciprocal", 1},
    {"roundEven", 1},
    {"sin", 1},
    {"sign", 1},
    {"sqrt", 1},
    {"tan", 1},
    {"gelu", 1},
    {"hardSwish", 1},
    {"geluOfProduct", 1, 2},
    {"hardSwishOfProduct", 1, 2},
    {"relu", 1},
    {"sigmoid", 1},
    {"silu", 1},
    {"cubicSilu", 1, 2},
    {"softplus", 1},
    {"softsign", 1},
    {"tanh", 1},
    {"elu", 1, 1},
    {"leakyRelu", 1, 1},
    {"hardSigmoid", 1, 2},
    {"linear", 1, 2},
    {"clamp", 1, 2},
    {"toHalf", 1},
    {"dequantize", 1, 2},
    {"quantizeInt8", 1, 2},
    {"quantizeUint8", 1, 2},
}};

const Row& rowOf(ElementCode code) { return kRows[static_cast<std::size_t>(code)]; }

}  // namespace

std::string_view name(ElementCode code) { return rowOf(code).name; }
unsigned operandCount(ElementCode code) { return rowOf(code).operands; }

std::string toString(const ElementProgram& program) {
  std::string text;
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const ElementInstruction& instruction = program.instructions[i];
    const Row& row = rowOf(instruction.code);
    text += formatText("{}v{} = {}", i == 0 ? "" : "; ", program.inputs + i, row.name);
    const std::array<std::uint16_t, 3> operands{instruction.a, instruction.b, instruction.c};
    for (unsigned j = 0; j < row.operands; ++j) text += formatText(" v{}", operands[j]);
    if (row.immediates > 0) text += formatText(" {}", instruction.p);
    if (row.immediates > 1) text += formatText(" {}", instruction.q);
  }
  return text;
}

}  // namespace webnn::compiler
