// Kernels that move elements.
#include "backends/webgpu/kernels/kernels.h"

namespace webnn::webgpu {

namespace {

void planCopy(const Operand& input, Planner& planner) {
  Shader shader;
  const Shader::Input x = shader.read(input, Lane::bits);
  planner.elements(shader, planner.output(), Lane::bits, "  return " + x.at("i") + ";", "copy");
}

}  // namespace

void plan(const compiler::Copy& op, Planner& planner) { planCopy(op.input, planner); }
void plan(const ops::Reshape& op, Planner& planner) { planCopy(op.input, planner); }

void plan(const compiler::Repack& op, Planner& planner) {
  const Lane lane = laneOf(planner.output().dataType());
  Shader shader;
  const Shader::Input x = shader.read(op.input, lane);
  planner.elements(shader, planner.output(), lane, "  return " + x.at("i") + ";", "repack");
}

}  // namespace webnn::webgpu
