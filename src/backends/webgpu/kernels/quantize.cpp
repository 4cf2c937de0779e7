// Conversions between quantized integers and floats.
#include "backends/webgpu/kernels/kernels.h"
#include "base/text.h"

namespace webnn::webgpu {

namespace {

// Returns an expression for the scale or zero point of element `i` of a tensor of the given shape. Each element of `blocks` holds
// for a block of the tensor's elements. https://www.w3.org/TR/webnn/#blockwise-broadcastable
std::string blockAt(Shader& shader, const Shader::Input& blocks, const Shape& blocksShape, const Shape& shape) {
  const Strides own = stridesOf(blocksShape);
  Shape split;
  Strides strides;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    split.push_back(blocksShape[d]);
    strides.push_back(own[d]);
    split.push_back(shape[d] / blocksShape[d]);
    strides.push_back(0);
  }
  return blocks.at(shader.offset(split, strides, "i"));
}

}  // namespace

void plan(const ops::DequantizeLinear& op, Planner& planner) {
  const Operand& output = planner.output();
  const DataType type = op.input.dataType();
  const Lane lane = laneOf(type);
  Shader shader;
  const Shader::Input x = shader.read(op.input, lane), zero = shader.read(op.zeroPoint, lane),
                      scale = shader.read(op.scale, Lane::f32);
  // A difference of 32-bit integers may exceed int32, so it is computed as a uint32 magnitude and a sign. settled() keeps shader
  // compilers from replacing (x - x) * scale, which is NaN for an infinite scale, by 0.
  shader.use("settled");
  const std::string difference = bitsPerElement(type) < 32
                                     ? "settled(f32(i32(x) - i32(z)))"
                                     : "settled(select(f32(u32(x) - u32(z)), -f32(u32(z) - u32(x)), x < z))";
  planner.elements(shader, output, Lane::f32,
                   formatText("  let x = {};\n  let z = {};\n  return {} * {};", x.at("i"),
                              blockAt(shader, zero, op.zeroPoint.shape(), output.shape()), difference,
                              blockAt(shader, scale, op.scale.shape(), output.shape())),
                   "dequantize");
}

void plan(const ops::QuantizeLinear& op, Planner& planner) {
  const Operand& output = planner.output();
  const DataType type = output.dataType();
  const std::size_t bits = bitsPerElement(type);
  const Lane lane = laneOf(type);
  const bool isSigned = lane == Lane::i32;
  Shader shader;
  const Shader::Input x = shader.read(op.input, Lane::f32), scale = shader.read(op.scale, Lane::f32);
  const Shader::Input zero = shader.read(op.zeroPoint, bits == 32 ? Lane::bits : Lane::f32);
  std::string result;
  if (bits < 32) {
    shader.use("codeOf");
    const int low = isSigned ? -(1 << (bits - 1)) : 0, high = isSigned ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
    result = formatText("codeOf(q, z, {}, {})", literal(static_cast<float>(low)), literal(static_cast<float>(high)));
  } else {
    shader.use("roundEven");
    shader.use("int64Of");
    shader.use("extended");
    shader.use("nearestInt");
    shader.declare(
        formatText("fn shifted(q: f32, z: u32) -> {0} {{\n"
                   "  if (isNaN(q)) {{ return {0}(0); }}\n"
                   "  let v = int64Of(clamp(roundEven(q), -1e12f, 1e12f));\n"
                   "  let w = {1};\n"
                   "  let low = v.x + w.x;\n"
                   "  let sum = vec2<u32>(low, v.y + w.y + select(0u, 1u, low < v.x));\n"
                   "  return {2};\n}}\n",
                   isSigned ? "i32" : "u32", isSigned ? "extended(z)" : "vec2<u32>(z, 0u)",
                   isSigned ? "nearestInt(sum)" : "select(select(4294967295u, 0u, (sum.y >> 31u) == 1u), sum.x, sum.y == 0u)"));
    result = "shifted(q, z)";
  }
  planner.elements(shader, output, bits < 32 ? Lane::f32 : lane,
                   formatText("  let q = {} / {};\n  let z = {};\n  return {};", x.at("i"),
                              blockAt(shader, scale, op.scale.shape(), output.shape()),
                              blockAt(shader, zero, op.zeroPoint.shape(), output.shape()), result),
                   "quantize");
}

}  // namespace webnn::webgpu
