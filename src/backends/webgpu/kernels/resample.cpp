// Resampling. The host computes the neighbours of each coordinate, in integers of 64 bits.
#include <bit>
#include <cstring>

#include "backends/webgpu/kernels/kernels.h"
#include "base/text.h"
#include "ops/resample_samples.h"

namespace webnn::webgpu {

namespace {

// Makes a table of the samples of both axes: for each coordinate, the lower neighbour (or the nearest one) and the fraction's
// bits.
Operand samplesOf(const ops::Resample2d& op, const Shape& output, Planner& planner) {
  std::vector<std::uint32_t> table;
  for (std::size_t i = 0; i < 2; ++i) {
    for (const ops::Sample& sample : ops::samplesOf(op, i, output)) {
      const bool isLinear = op.options.mode == InterpolationMode::linear;
      table.push_back(static_cast<std::uint32_t>(isLinear ? sample.lower : ops::nearest(sample)));
      table.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(sample.fraction)));
    }
  }
  std::vector<std::byte> bytes(table.size() * 4);
  std::memcpy(bytes.data(), table.data(), bytes.size());
  return planner.constant({DataType::uint32, {static_cast<std::uint32_t>(table.size() / 2), 2}}, std::move(bytes));
}

}  // namespace

void plan(const ops::Resample2d& op, Planner& planner) {
  const Operand& output = planner.output();
  const std::uint32_t axisY = (*op.options.axes)[0], axisX = (*op.options.axes)[1];
  Strides strides = stridesOf(op.input.shape());
  const Strides out = stridesOf(output.shape());
  const std::int64_t strideY = strides[axisY], strideX = strides[axisX];
  strides[axisY] = strides[axisX] = 0;
  const bool isLinear = op.options.mode == InterpolationMode::linear;
  Shader shader;
  const Shader::Input x = shader.read(op.input, isLinear ? Lane::f32 : Lane::bits),
                      samples = shader.read(samplesOf(op, output.shape(), planner), Lane::bits);
  std::string body =
      formatText("  let base = {};\n  let sy = i / {}u % {}u * 2u;\n  let sx = {}u + i / {}u % {}u * 2u;\n",
                 shader.offset(output.shape(), strides, "i"), out[axisY], output.shape()[axisY], 2 * output.shape()[axisY],
                 out[axisX], output.shape()[axisX]) +
      formatText("  let y = {} * {}u;\n  let x = {} * {}u;\n", samples.at("sy"), strideY, samples.at("sx"), strideX);
  if (!isLinear) return planner.elements(shader, output, Lane::bits, body + "  return " + x.at("base + y + x") + ";", "resample");
  body += formatText(
      "  let fy = bitcast<f32>({});\n  let fx = bitcast<f32>({});\n"
      "  let y1 = y + select(0u, {}u, fy > 0.0f);\n  let x1 = x + select(0u, {}u, fx > 0.0f);\n"
      "  let upper = settled({} * (1.0f - fx)) + {} * fx;\n  let lower = settled({} * (1.0f - fx)) + {} * fx;\n"
      "  let result = settled(upper * (1.0f - fy)) + lower * fy;\n",
      samples.at("sy + 1u"), samples.at("sx + 1u"), strideY, strideX, x.at("base + y + x"), x.at("base + y + x1"),
      x.at("base + y1 + x"), x.at("base + y1 + x1"));
  shader.use("settled");
  const DataType type = output.dataType();
  if (isFloat(type)) {
    body += "  return result;";
  } else {
    shader.use("roundEven");
    body += type == DataType::int8 ? "  return clamp(roundEven(result), -128.0f, 127.0f);"
                                   : "  return clamp(roundEven(result), 0.0f, 255.0f);";
  }
  planner.elements(shader, output, Lane::f32, body, "resample", 8);
}

}  // namespace webnn::webgpu
