// Element-wise kernels: fused programs on floats, casts, and the specification's operations on integers.
#include "backends/webgpu/kernels/integers.h"
#include "backends/webgpu/kernels/kernels.h"
#include "base/text.h"
#include "webnn/error.h"

namespace webnn::webgpu {

namespace {

using ops::BinaryKind;

// Returns an expression for the element of an operand that is broadcast to element `i` of `shape`.
std::string broadcastAt(Shader& shader, const Operand& operand, Lane lane, const Shape& shape) {
  const Shader::Input x = shader.read(operand, lane);
  return x.at(shader.offset(shape, broadcastStrides(operand.shape(), shape), "i"));
}

// Returns whether the result of an operation is a truth value, which is stored as uint8.
bool isTruth(BinaryKind kind) { return kind >= BinaryKind::equal && kind != BinaryKind::pow; }

// Plans a kernel that computes `expression` from `x`, an element of `input` in `lane`.
void planUnary(const Operand& input, Lane lane, Shader& shader, std::string_view expression, Planner& planner) {
  const Shader::Input x = shader.read(input, lane);
  planner.elements(shader, planner.output(), lane, formatText("  let x = {};\n  return {};", x.at("i"), expression), "elements");
}

}  // namespace

void plan(const compiler::FusedElementwise& op, Planner& planner) {
  const Operand& output = planner.output();
  Shader shader;
  std::string arguments;
  for (const Operand& input : op.inputs)
    arguments += (arguments.empty() ? "" : ", ") + broadcastAt(shader, input, Lane::f32, output.shape());
  const std::string program = shader.program(op.program);
  planner.elements(shader, output, Lane::f32, formatText("  return {}({});", program, arguments), "elements",
                   1 + op.program.instructions.size());
}

void plan(const ops::Binary& op, Planner& planner) {
  const Operand& output = planner.output();
  const Lane lane = arithmeticLane(op.a.dataType());
  Shader shader;
  std::string result = integerOperation(shader, op.kind, op.a.dataType(), "a", "b");
  if (isTruth(op.kind)) result = "select(0u, 1u, " + result + ")";
  const std::string body =
      formatText("  let a = {};\n  let b = {};\n  return {};", broadcastAt(shader, op.a, lane, output.shape()),
                 broadcastAt(shader, op.b, lane, output.shape()), result);
  planner.elements(shader, output, isTruth(op.kind) ? Lane::u32 : lane, body, "elements");
}

void plan(const ops::Unary& op, Planner& planner) {
  const Lane lane = arithmeticLane(op.input.dataType());
  const bool isWide = webgpu::isWide(op.input.dataType()), isSigned = laneOf(op.input.dataType()) == Lane::i32;
  Shader shader;
  if (isWide) {
    for (const std::string_view function : {"abs64", "neg64", "sign64"}) shader.use(function);
  }
  std::string_view result = "x";
  switch (op.kind) {
    case ops::UnaryKind::identity: {
      const Shader::Input x = shader.read(op.input, Lane::bits);
      return planner.elements(shader, planner.output(), Lane::bits, "  return " + x.at("i") + ";", "copy");
    }
    case ops::UnaryKind::abs: result = !isSigned ? "x" : isWide ? "abs64(x)" : "select(x, -x, x < 0)"; break;
    case ops::UnaryKind::neg: result = isWide ? "neg64(x)" : isSigned ? "-x" : "0u - x"; break;
    case ops::UnaryKind::sign: result = isWide ? "sign64(x)" : isSigned ? "sign(x)" : "min(x, 1u)"; break;
    default:
      fail(ErrorKind::unknownError, "the WebGPU backend has no kernel for {} of integers.",
           compiler::name(compiler::EngineOperation(Operation(op))));
  }
  planUnary(op.input, lane, shader, result, planner);
}

void plan(const ops::LogicalUnary& op, Planner& planner) {
  Shader shader;
  const Shader::Input input = shader.read(op.a, laneOf(op.a.dataType()));
  const std::string test = op.kind == ops::LogicalUnaryKind::logicalNot ? input.at("i") + " == 0" : "false";
  planner.elements(shader, planner.output(), Lane::u32, "  return select(0u, 1u, " + test + ");", "elements");
}

// Casts truncate floats toward zero; values out of range saturate, and NaN becomes 0. Integers wrap.
void plan(const ops::Cast& op, Planner& planner) {
  const Operand& output = planner.output();
  const DataType from = op.input.dataType(), to = output.dataType();
  Shader shader;
  if (from == to) {
    const Shader::Input x = shader.read(op.input, Lane::bits);
    return planner.elements(shader, output, Lane::bits, "  return " + x.at("i") + ";", "copy");
  }
  const Lane fromLane = laneOf(from), toLane = laneOf(to);
  const std::size_t bits = bitsPerElement(to);
  if (bitsPerElement(from) == 64 && !isFloat(to)) {
    // Narrower integers take the low bits of the low word.
    const Shader::Input x = shader.read(op.input, Lane::bits);
    if (bits == 64) return planner.elements(shader, output, Lane::bits, "  return " + x.at("i") + ";", "copy");
    return planner.elements(shader, output, Lane::u32, "  return " + x.at("i") + ".x;", "cast");
  }
  const Shader::Input x = shader.read(op.input, bitsPerElement(from) == 64 ? Lane::bits : fromLane);
  std::string value = x.at("i");
  const auto convert = [&](std::string_view function, Lane lane) {
    shader.use(function);
    planner.elements(shader, output, lane, formatText("  return {}({});", function, value), "cast");
  };
  if (bitsPerElement(from) == 64) return convert(from == DataType::int64 ? "floatOfInt64" : "floatOfUint64", Lane::f32);
  if (isFloat(from) && bits == 64) return convert(to == DataType::int64 ? "int64Of" : "uint64Of", Lane::bits);
  if (fromLane == Lane::f32 && toLane != Lane::f32) {
    shader.use("isNaN");
    const bool isSigned = toLane == Lane::i32;
    const std::size_t width = std::min<std::size_t>(bits, 32);
    // The ends of the range. 2^31 - 1 and 2^32 - 1 are not float32 numbers, so x is compared with the next float above.
    const double low = isSigned ? -static_cast<double>(1ULL << (width - 1)) : 0,
                 above = static_cast<double>(1ULL << (isSigned ? width - 1 : width));
    const std::string highest = isSigned ? formatText("{}", (1ULL << (width - 1)) - 1) : formatText("{}u", (1ULL << width) - 1);
    const std::string lowest = isSigned ? formatText("(-{} - 1)", (1ULL << (width - 1)) - 1) : "0u";
    shader.declare(formatText(
        "fn truncated(x: f32) -> {0} {{\n"
        "  if (isNaN(x)) {{ return {0}(0); }}\n"
        "  if (x <= {1}) {{ return {2}; }}\n"
        "  if (x >= {3}) {{ return {4}; }}\n"
        "  return {0}(x);\n}}\n",
        isSigned ? "i32" : "u32", literal(static_cast<float>(low)), lowest, literal(static_cast<float>(above)), highest));
    value = "truncated(" + value + ")";
  } else if (toLane == Lane::f32 && fromLane != Lane::f32) {
    value = "f32(" + value + ")";
  } else if (fromLane == Lane::u32 && bits == 64) {
    // Extends the value with zeros, also for int64.
    return planner.elements(shader, output, Lane::bits, "  return vec2<u32>(" + value + ", 0u);", "cast");
  } else if (fromLane == Lane::i32 && bits == 64) {
    shader.use("extended");
    return planner.elements(shader, output, Lane::bits, "  return extended(bitcast<u32>(" + value + "));", "cast");
  } else if (fromLane != toLane) {
    value = (toLane == Lane::i32 ? "bitcast<i32>(" : "bitcast<u32>(") + value + ")";
  }
  planner.elements(shader, output, toLane, "  return " + value + ";", "cast");
}

void plan(const ops::Clamp& op, Planner& planner) {
  const DataType type = op.input.dataType();
  Shader shader;
  const std::string low = integerOperation(shader, BinaryKind::max, type, "x", integerLiteral(*op.options.minValue, type)),
                    result = integerOperation(shader, BinaryKind::min, type, low, integerLiteral(*op.options.maxValue, type));
  planUnary(op.input, arithmeticLane(type), shader, result, planner);
}

void plan(const ops::Where& op, Planner& planner) {
  const Operand& output = planner.output();
  Shader shader;
  const std::string condition = broadcastAt(shader, op.condition, Lane::u32, output.shape()),
                    yes = broadcastAt(shader, op.trueValue, Lane::bits, output.shape()),
                    no = broadcastAt(shader, op.falseValue, Lane::bits, output.shape());
  planner.elements(shader, output, Lane::bits, formatText("  return select({}, {}, {} != 0u);", no, yes, condition), "where");
}

void plan(const ops::Activation& op, Planner& planner) {  // relu of integers; activations of floats are lowered
  const DataType type = op.input.dataType();
  Shader shader;
  planUnary(op.input, arithmeticLane(type), shader, integerOperation(shader, BinaryKind::max, type, "x", integerLiteral(0, type)),
            planner);
}

void plan(const ops::Prelu& op, Planner& planner) {  // prelu of integers; prelu of floats is lowered
  const Operand& output = planner.output();
  const DataType type = op.input.dataType();
  const Lane lane = arithmeticLane(type);
  Shader shader;
  const std::string zero = integerLiteral(0, type);
  const std::string product = integerOperation(shader, BinaryKind::mul, type, "slope",
                                               formatText("({})", integerOperation(shader, BinaryKind::min, type, "x", zero)));
  const std::string result =
      integerOperation(shader, BinaryKind::add, type, integerOperation(shader, BinaryKind::max, type, "x", zero), product);
  planner.elements(
      shader, output, lane,
      formatText("  let x = {};\n  let slope = {};\n  return {};", broadcastAt(shader, op.input, lane, output.shape()),
                 broadcastAt(shader, op.slope, lane, output.shape()), result),
      "elements");
}

}  // namespace webnn::webgpu
