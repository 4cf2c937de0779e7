// Element-wise kernels: fused programs on floats, and the specification's operations on integers.
#include "backends/webgpu/kernels/kernels.h"
#include "base/text.h"
#include "webnn/error.h"

namespace webnn::webgpu {

namespace {

using ops::BinaryKind;

// Reads an operand broadcast to `shape`, for the element `i` of the result.
std::string broadcastAt(Shader& shader, const Operand& operand, Lane lane, const Shape& shape) {
  const Shader::Input x = shader.read(operand, lane);
  return x.at(shader.offset(shape, broadcastStrides(operand.shape(), shape), "i"));
}

// Returns an expression for an operation on the integers a and b. int64 and uint64 have no arithmetic here.
std::string integerOperation(Shader& shader, BinaryKind kind, bool isSigned) {
  switch (kind) {
    case BinaryKind::add: return "a + b";
    case BinaryKind::sub: return "a - b";
    case BinaryKind::mul: return "a * b";
    case BinaryKind::div:
      // x / 0 is 0 here, and lowest / -1 is lowest.
      return isSigned ? "select(select(a / select(b, 1, b == 0 || b == -1), -a, b == -1), 0, b == 0)"
                      : "select(a / max(b, 1u), 0u, b == 0u)";
    case BinaryKind::max: return "max(a, b)";
    case BinaryKind::min: return "min(a, b)";
    case BinaryKind::pow: {
      const std::string_view type = isSigned ? "i32" : "u32";
      // A negative exponent gives 1 / a^-b, truncated.
      shader.declare(formatText(
          "fn wholePower(a: {0}, b: {0}) -> {0} {{\n"
          "{1}"
          "  var result = {0}(1);\n  var base = a;\n"
          "  for (var n = b; n != 0; n = n / 2) {{ if (n % 2 != 0) {{ result = result * base; }} base = base * base; }}\n"
          "  return result;\n}}\n",
          type, isSigned ? "  if (b < 0) { return select(select(0, select(-1, 1, b % 2 == 0), a == -1), 1, a == 1); }\n" : ""));
      return "wholePower(a, b)";
    }
    case BinaryKind::equal: return "a == b";
    case BinaryKind::notEqual: return "a != b";
    case BinaryKind::greater: return "a > b";
    case BinaryKind::greaterOrEqual: return "a >= b";
    case BinaryKind::lesser: return "a < b";
    case BinaryKind::lesserOrEqual: return "a <= b";
    case BinaryKind::logicalAnd: return "a != 0 && b != 0";
    case BinaryKind::logicalOr: return "a != 0 || b != 0";
    case BinaryKind::logicalXor: return "(a != 0) != (b != 0)";
  }
  return "a";
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
  const Lane lane = laneOf(op.a.dataType());
  const bool isSigned = lane == Lane::i32;
  Shader shader;
  std::string result = integerOperation(shader, op.kind, isSigned);
  if (isTruth(op.kind)) result = "select(0u, 1u, " + result + ")";
  const std::string body =
      formatText("  let a = {};\n  let b = {};\n  return {};", broadcastAt(shader, op.a, lane, output.shape()),
                 broadcastAt(shader, op.b, lane, output.shape()), result);
  planner.elements(shader, output, isTruth(op.kind) ? Lane::u32 : lane, body, "elements");
}

void plan(const ops::Unary& op, Planner& planner) {
  const Lane lane = laneOf(op.input.dataType());
  Shader shader;
  std::string_view result = "x";
  switch (op.kind) {
    case ops::UnaryKind::identity: {
      const Shader::Input x = shader.read(op.input, Lane::bits);
      return planner.elements(shader, planner.output(), Lane::bits, "  return " + x.at("i") + ";", "copy");
    }
    case ops::UnaryKind::abs: result = lane == Lane::i32 ? "select(x, -x, x < 0)" : "x"; break;
    case ops::UnaryKind::neg: result = lane == Lane::i32 ? "-x" : "0u - x"; break;
    case ops::UnaryKind::sign: result = lane == Lane::i32 ? "sign(x)" : "min(x, 1u)"; break;
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

// Casts truncate floats toward zero; values beyond the range become its ends, and NaN becomes 0. Integers wrap.
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
    // The low word wraps to each narrower type.
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
    // The ends of the range. 2^31 - 1 and 2^32 - 1 are no floats, so the comparison is with the next float above.
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
    // Zero-extended, also if the result is int64.
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
  const Lane lane = laneOf(op.input.dataType());
  Shader shader;
  const auto bound = [&](const Number& number) {
    const Number cast = webnn::cast(number, op.input.dataType());
    return std::visit(
        [&](auto value) {
          const auto bits = static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
          return lane == Lane::i32 ? formatText("bitcast<i32>({}u)", bits) : formatText("{}u", bits);
        },
        cast.value());
  };
  planUnary(op.input, lane, shader, formatText("min(max(x, {}), {})", bound(*op.options.minValue), bound(*op.options.maxValue)),
            planner);
}

void plan(const ops::Where& op, Planner& planner) {
  const Operand& output = planner.output();
  Shader shader;
  const std::string condition = broadcastAt(shader, op.condition, Lane::u32, output.shape()),
                    yes = broadcastAt(shader, op.trueValue, Lane::bits, output.shape()),
                    no = broadcastAt(shader, op.falseValue, Lane::bits, output.shape());
  planner.elements(shader, output, Lane::bits, formatText("  return select({}, {}, {} != 0u);", no, yes, condition), "where");
}

void plan(const ops::Activation& op, Planner& planner) {  // only relu takes integers
  const Lane lane = laneOf(op.input.dataType());
  Shader shader;
  planUnary(op.input, lane, shader, lane == Lane::i32 ? "max(x, 0)" : "x", planner);
}

void plan(const ops::Prelu& op, Planner& planner) {  // of integers
  const Operand& output = planner.output();
  const Lane lane = laneOf(op.input.dataType());
  Shader shader;
  const std::string x = broadcastAt(shader, op.input, lane, output.shape()),
                    slope = broadcastAt(shader, op.slope, lane, output.shape());
  planner.elements(shader, output, lane,
                   lane == Lane::i32 ? formatText("  let x = {};\n  return max(x, 0) + {} * min(x, 0);", x, slope)
                                     : formatText("  return {};", x),
                   "elements");
}

}  // namespace webnn::webgpu
