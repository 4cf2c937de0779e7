#include "backends/webgpu/kernels/planner.h"

#include "base/text.h"
#include "webnn/error.h"

namespace webnn::webgpu {

void Planner::add(Dispatch dispatch, std::string_view kernel) {
  const std::size_t bindings = dispatch.reads.size() + dispatch.writes.size();
  if (bindings > limits_.maxBindings) {
    fail(ErrorKind::notSupportedError, "build: {} {} needs {} buffers, and the WebGPU device allows {} in a dispatch.",
         compiler::name(node_.operation), webnn::quoted(compiler::label(node_.operation)), bindings, limits_.maxBindings);
  }
  dispatch.kernel = kernel;
  to_.push_back(std::move(dispatch));
}

void Planner::requireIterations(std::uint64_t iterations) const {
  if (iterations <= limits_.maxIterations) return;
  fail(ErrorKind::notSupportedError,
       "build: {} {} adds up or compares too many elements for the software adapter: {} iterations of loops in one invocation, "
       "of which it executes {}.",
       compiler::name(node_.operation), webnn::quoted(compiler::label(node_.operation)), iterations, limits_.maxIterations);
}

Operand Planner::wholeWords(const Operand& output) {
  return output.dataType() == DataType::float32 ? output : scratch({DataType::float32, output.shape()});
}

void Planner::narrow(const Operand& from, const Operand& output) {
  if (from == output) return;
  Shader shader;
  const Shader::Input x = shader.read(from, Lane::f32);
  elements(shader, output, Lane::f32, "  return " + x.at("i") + ";", "round");
}

}  // namespace webnn::webgpu
