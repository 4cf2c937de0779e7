// Kernels that move elements.
#include <algorithm>
#include <bit>

#include "backends/webgpu/kernels/kernels.h"
#include "base/text.h"

namespace webnn::webgpu {

namespace {

void planCopy(const Operand& input, Planner& planner) {
  Shader shader;
  const Shader::Input x = shader.read(input, Lane::bits);
  planner.elements(shader, planner.output(), Lane::bits, "  return " + x.at("i") + ";", "copy");
}

// Plans a kernel that moves elements. The result at coordinates c in `shape` is the element start + dot(c, strides) of `input`.
void planMove(const Operand& input, const Shape& shape, const Strides& strides, std::int64_t start, const Operand& output,
              Planner& planner) {
  Shader shader;
  const Shader::Input x = shader.read(input, Lane::bits);
  planner.elements(shader, output, Lane::bits, "  return " + x.at(shader.offset(shape, strides, "i", start)) + ";", "move");
}

// Returns a number as the bits of an element of `type`, in WGSL.
std::string bitsOf(const Number& number, DataType type) {
  const Number cast = webnn::cast(number, type);
  std::uint64_t bits = 0;
  if (type == DataType::float32) {
    bits = std::bit_cast<std::uint32_t>(static_cast<float>(cast.toDouble()));
  } else if (type == DataType::float16) {
    bits = Half(cast.toDouble()).bits();
  } else {
    bits = std::visit([](auto value) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(value)); }, cast.value());
    if (const auto* large = std::get_if<std::uint64_t>(&cast.value())) bits = *large;
    if (bitsPerElement(type) < 64) bits &= (std::uint64_t{1} << bitsPerElement(type)) - 1;
  }
  if (bitsPerElement(type) < 64) return formatText("{}u", bits);
  return formatText("vec2<u32>({}u, {}u)", bits & 0xFFFFFFFF, bits >> 32);
}

}  // namespace

void plan(const ops::Transpose& op, Planner& planner) {
  const Operand& output = planner.output();
  const Strides own = stridesOf(op.input.shape());
  Strides strides;
  for (const std::uint32_t axis : *op.options.permutation) strides.push_back(own[axis]);
  planMove(op.input, output.shape(), strides, 0, output, planner);
}

void plan(const ops::Expand& op, Planner& planner) {
  const Operand& output = planner.output();
  planMove(op.input, output.shape(), broadcastStrides(op.input.shape(), output.shape()), 0, output, planner);
}

void plan(const ops::Slice& op, Planner& planner) {
  const Operand& output = planner.output();
  Strides strides = stridesOf(op.input.shape());
  std::int64_t start = 0;
  for (std::size_t d = 0; d < strides.size(); ++d) {
    start += strides[d] * op.starts[d];
    if (op.options.strides) strides[d] *= (*op.options.strides)[d];
  }
  planMove(op.input, output.shape(), strides, start, output, planner);
}

void plan(const ops::Split& op, Planner& planner) {
  const Strides strides = stridesOf(op.input.shape());
  std::int64_t start = 0;
  for (std::size_t i = 0; i < planner.outputCount(); ++i) {
    const Operand& output = planner.output(i);
    planMove(op.input, output.shape(), strides, start, output, planner);
    start += strides[op.options.axis] * output.shape()[op.options.axis];
  }
}

void plan(const ops::Reverse& op, Planner& planner) {
  const Operand& output = planner.output();
  Strides strides = stridesOf(op.input.shape());
  std::int64_t start = 0;
  for (const std::uint32_t axis : *op.options.axes) {
    start += strides[axis] * (output.shape()[axis] - std::int64_t{1});
    strides[axis] = -strides[axis];
  }
  planMove(op.input, output.shape(), strides, start, output, planner);
}

void plan(const ops::Tile& op, Planner& planner) {
  const Strides own = stridesOf(op.input.shape());
  Shape split;
  Strides strides;
  for (std::size_t d = 0; d < own.size(); ++d) {
    split.insert(split.end(), {op.repetitions[d], op.input.shape()[d]});
    strides.insert(strides.end(), {0, own[d]});
  }
  planMove(op.input, split, strides, 0, planner.output(), planner);
}

namespace {

// Plans a concatenation. If there are more inputs than a dispatch may read, first concatenates groups of inputs.
void planConcat(std::span<const Operand> inputs, std::uint32_t axis, const Operand& output, Planner& planner) {
  const std::size_t most = planner.limits().maxBindings - 1;
  if (inputs.size() > most) {
    std::vector<Operand> joined;
    for (std::size_t begin = 0; begin < inputs.size(); begin += most) {
      const auto some = inputs.subspan(begin, std::min(most, inputs.size() - begin));
      Shape shape = output.shape();
      shape[axis] = 0;
      for (const Operand& input : some) shape[axis] += input.shape()[axis];
      joined.push_back(planner.scratch({output.dataType(), shape}));
      planConcat(some, axis, joined.back(), planner);
    }
    return planConcat(joined, axis, output, planner);
  }
  const std::int64_t inner = stridesOf(output.shape())[axis];
  const std::uint32_t size = output.shape()[axis];
  Shader shader;
  std::string body =
      formatText("  let inner = i % {0}u;\n  let outer = i / {1}u;\n  let c = (i / {0}u) % {2}u;\n", inner, inner * size, size);
  std::uint32_t begin = 0;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const std::uint32_t own = inputs[k].shape()[axis];
    const std::string value =
        shader.read(inputs[k], Lane::bits).at(formatText("(outer * {}u + c - {}u) * {}u + inner", own, begin, inner));
    begin += own;
    body += k + 1 < inputs.size() ? formatText("  if (c < {}u) {{ return {}; }}\n", begin, value) : "  return " + value + ";";
  }
  planner.elements(shader, output, Lane::bits, body, "concat");
}

}  // namespace

void plan(const ops::Concat& op, Planner& planner) { planConcat(op.inputs, op.axis, planner.output(), planner); }

void plan(const ops::Triangular& op, Planner& planner) {
  const Operand& output = planner.output();
  const std::uint32_t columns = output.shape().back(), rows = output.shape()[output.rank() - 2];
  Shader shader;
  const Shader::Input x = shader.read(op.input, Lane::bits);
  // The diagonal may exceed int32. Clamping it does not change the comparisons with column - row.
  const std::int64_t diagonal = std::clamp<std::int64_t>(op.options.diagonal, -std::int64_t{rows}, columns);
  planner.elements(
      shader, output, Lane::bits,
      formatText("  let d = i32(i % {0}u) - i32((i / {0}u) % {1}u);\n  if (d {2} {3}) {{ return {4}; }}\n  return {5};", columns,
                 rows, op.options.upper ? ">=" : "<=", diagonal, x.at("i"), bitsOf(0, output.dataType())),
      "triangular");
}

void plan(const ops::Pad& op, Planner& planner) {
  const Operand& output = planner.output();
  const Shape& from = op.input.shape();
  const Strides strides = stridesOf(from), outer = stridesOf(output.shape());
  Shader shader;
  const Shader::Input x = shader.read(op.input, Lane::bits);
  std::string body = "  var at = 0u;\n";
  for (std::size_t d = 0; d < from.size(); ++d) {
    body += formatText("  var c{0} = i32((i / {1}u) % {2}u) - {3};\n", d, outer[d], output.shape()[d], op.beginningPadding[d]);
    const std::uint32_t last = from[d] - 1;
    switch (op.options.mode) {
      case PaddingMode::constant:
        body +=
            formatText("  if (c{0} < 0 || c{0} > {1}) {{ return {2}; }}\n", d, last, bitsOf(op.options.value, output.dataType()));
        break;
      case PaddingMode::edge: body += formatText("  c{0} = clamp(c{0}, 0, {1});\n", d, last); break;
      case PaddingMode::reflection:
        body += formatText("  c{0} = abs(c{0});\n  if (c{0} > {1}) {{ c{0} = 2 * {1} - c{0}; }}\n", d, last);
        break;
    }
    body += formatText("  at = at + u32(c{}) * {}u;\n", d, strides[d]);
  }
  planner.elements(shader, output, Lane::bits, body + "  return " + x.at("at") + ";", "pad");
}

void plan(const compiler::Copy& op, Planner& planner) { planCopy(op.input, planner); }
void plan(const ops::Reshape& op, Planner& planner) { planCopy(op.input, planner); }

void plan(const compiler::Repack& op, Planner& planner) {
  const Lane lane = laneOf(planner.output().dataType());
  Shader shader;
  const Shader::Input x = shader.read(op.input, lane);
  planner.elements(shader, planner.output(), lane, "  return " + x.at("i") + ";", "repack");
}

}  // namespace webnn::webgpu
