// Writes element programs in WGSL.
#include "backends/webgpu/shaders/shader.h"
#include "base/text.h"

namespace webnn::webgpu {

namespace {

using compiler::ElementCode;
using compiler::ElementInstruction;

std::string truth(const std::string& condition) { return "select(0.0f, 1.0f, " + condition + ")"; }
// Every value that is not 0 is true, also NaN.
std::string isTrue(const std::string& value) { return "((bitcast<u32>(" + value + ") & 0x7fffffffu) != 0u)"; }

// Returns whether an instruction does float arithmetic, which rounds, and which shader compilers may combine with the
// arithmetic of other instructions. The other instructions select, compare or change bits.
bool isRounded(ElementCode code) {
  switch (code) {
    case ElementCode::max:
    case ElementCode::min:
    case ElementCode::equal:
    case ElementCode::notEqual:
    case ElementCode::greater:
    case ElementCode::greaterOrEqual:
    case ElementCode::lesser:
    case ElementCode::lesserOrEqual:
    case ElementCode::logicalAnd:
    case ElementCode::logicalOr:
    case ElementCode::logicalXor:
    case ElementCode::logicalNot:
    case ElementCode::isNaN:
    case ElementCode::isInfinite:
    case ElementCode::where:
    case ElementCode::abs:
    case ElementCode::ceil:
    case ElementCode::floor:
    case ElementCode::neg:
    case ElementCode::roundEven:
    case ElementCode::sign:
    case ElementCode::relu:
    case ElementCode::clamp:
    case ElementCode::toHalf: return false;
    default: return true;
  }
}

// Returns the WGSL expression of an instruction with the operands a, b and c, which are expressions. Calls library functions for
// x - x, x / x and 0 * x, because shader compilers replace these by constants, although the result is NaN for some x.
std::string expression(Shader& shader, const ElementInstruction& x, const std::string& a, const std::string& b,
                       const std::string& c) {
  const std::string p = literal(x.p), q = literal(x.q);
  const auto call = [&](std::string_view function, const std::string& arguments) {
    shader.use(function);
    return std::string(function) + "(" + arguments + ")";
  };
  switch (x.code) {
    case ElementCode::add: return a + " + " + b;
    case ElementCode::sub: return a == b ? call("zeroTimes", a) : a + " - " + b;
    case ElementCode::mul: return a + " * " + b;
    case ElementCode::div: return a == b ? call("ownQuotient", a) : a + " / " + b;
    case ElementCode::max: return call("maximum", a + ", " + b);
    case ElementCode::min: return call("minimum", a + ", " + b);
    case ElementCode::pow: return call("power", a + ", " + b);
    case ElementCode::equal: return truth(call("same", a + ", " + b));
    case ElementCode::notEqual: return truth("!" + call("same", a + ", " + b));
    case ElementCode::greater: return truth(call("below", b + ", " + a));
    case ElementCode::greaterOrEqual: return truth(call("below", b + ", " + a) + " || " + call("same", a + ", " + b));
    case ElementCode::lesser: return truth(call("below", a + ", " + b));
    case ElementCode::lesserOrEqual: return truth(call("below", a + ", " + b) + " || " + call("same", a + ", " + b));
    case ElementCode::logicalAnd: return truth(isTrue(a) + " && " + isTrue(b));
    case ElementCode::logicalOr: return truth(isTrue(a) + " || " + isTrue(b));
    case ElementCode::logicalXor: return truth(isTrue(a) + " != " + isTrue(b));
    case ElementCode::logicalNot: return truth("!" + isTrue(a));
    case ElementCode::isNaN: return truth(call("isNaN", a));
    case ElementCode::isInfinite: return truth(call("isInfinite", a));
    case ElementCode::where: return "select(" + c + ", " + b + ", " + isTrue(a) + ")";
    case ElementCode::prelu: return call("prelu", a + ", " + b);
    case ElementCode::abs: return "bitcast<f32>(bitcast<u32>(" + a + ") & 0x7fffffffu)";
    case ElementCode::ceil: return "-" + call("roundDown", "-" + a);
    case ElementCode::cos: return call("cosine", a);
    case ElementCode::erf: return call("errorFunction", a);
    case ElementCode::exp: return call("exponential", a);
    case ElementCode::floor: return call("roundDown", a);
    case ElementCode::log: return call("logarithm", a);
    case ElementCode::neg: return "bitcast<f32>(bitcast<u32>(" + a + ") ^ 0x80000000u)";
    case ElementCode::reciprocal: return "1.0f / " + a;
    case ElementCode::roundEven: return call("roundEven", a);
    case ElementCode::sin: return call("sine", a);
    case ElementCode::sign: return call("signOf", a);
    case ElementCode::sqrt: return call("squareRoot", a);
    case ElementCode::tan: return call("tangent", a);
    case ElementCode::gelu: return call("gelu", a);
    case ElementCode::hardSwish: return call("hardSwish", a);
    case ElementCode::geluOfProduct: return call("settled", call("gelu", a) + " * " + p) + " * " + q;
    case ElementCode::hardSwishOfProduct: return call("settled", call("hardSwish", a) + " * " + p) + " * " + q;
    case ElementCode::relu: return call("maximum", a + ", 0.0f");
    case ElementCode::sigmoid: return call("sigmoid", a);
    case ElementCode::silu: return a + " * " + call("sigmoid", a);
    case ElementCode::cubicSilu: return a + " * " + call("sigmoid", a + " * (" + q + " * " + a + " * " + a + " + " + p + ")");
    case ElementCode::softplus: return call("softplus", a);
    case ElementCode::softsign: return call("softsign", a);
    case ElementCode::tanh: return call("hyperbolicTangent", a);
    case ElementCode::elu: return call("elu", a + ", " + p);
    case ElementCode::leakyRelu:
      if (x.p == 0) return call("zeroTimes", call("minimum", a + ", 0.0f")) + " + " + call("maximum", a + ", 0.0f");
      return call("prelu", a + ", " + p);
    case ElementCode::hardSigmoid:
      return call("clamped", (x.p == 0 ? call("zeroTimes", a) : p + " * " + a) + " + " + q + ", 0.0f, 1.0f");
    case ElementCode::linear: return (x.p == 0 ? call("zeroTimes", a) : p + " * " + a) + " + " + q;
    case ElementCode::clamp: return call("clamped", a + ", " + p + ", " + q);
    case ElementCode::toHalf: {
      shader.use("fromHalf");
      return "fromHalf(" + call("toHalf", a) + ")";
    }
    case ElementCode::dequantize: return "(" + a + " - " + q + ") * " + p;
    case ElementCode::quantizeInt8: return call("codeOf", a + " / " + p + ", " + q + ", -128.0f, 127.0f");
    case ElementCode::quantizeUint8: return call("codeOf", a + " / " + p + ", " + q + ", 0.0f, 255.0f");
  }
  return a;
}

}  // namespace

std::string Shader::program(const compiler::ElementProgram& program) {
  std::string function = uniqueName("program"), parameters, body;
  std::vector<std::string> names;  // names of inputs and results; equal values share a name, so that x - x is recognized
  for (unsigned i = 0; i < program.inputs; ++i) {
    names.push_back(formatText("v{}", i));
    parameters += (i == 0 ? "" : ", ") + names.back() + ": f32";
  }
  for (const ElementInstruction& x : program.instructions) {
    const auto value = [&](std::uint16_t number) { return number < names.size() ? names[number] : std::string(); };
    if (x.code == ElementCode::linear && x.p == 1 && x.q == 0) {
      names.push_back(value(x.a));
      continue;
    }
    std::string result = expression(*this, x, value(x.a), value(x.b), value(x.c));
    if (isRounded(x.code) && &x != &program.instructions.back()) {
      use("settled");
      result = "settled(" + result + ")";
    }
    names.push_back(formatText("v{}", names.size()));
    body += formatText("  let {} = {};\n", names.back(), result);
  }
  const std::string& result = names[program.empty() ? 0 : program.result()];
  declare(formatText("fn {}({}) -> f32 {{\n{}  return {};\n}}\n", function, parameters, body, result));
  return function;
}

}  // namespace webnn::webgpu
