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

}  // namespace webnn::webgpu
