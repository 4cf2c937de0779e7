// The interface by which kernels append the dispatches of one node.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "backends/webgpu/shaders/shader.h"
#include "compiler/ir/module.h"

namespace webnn::webgpu {

// Properties of the device on which shaders may depend.
struct KernelLimits {
  std::uint32_t maxBindings = 8;        // buffers per dispatch
  std::uint32_t maxWorkgroups = 65535;  // workgroups in each dimension of a dispatch
  std::uint32_t maxInvocations = 256;   // invocations per workgroup
  std::uint32_t workgroupBytes = 16384;
  // Mesa's software adapter silently ends the loops of an invocation after 65535 iterations in total.
  std::uint64_t maxIterations = std::numeric_limits<std::uint64_t>::max();
};

class Planner {
 public:
  Planner(compiler::Module& module, const KernelLimits& limits, const compiler::ModuleNode& node, std::vector<Dispatch>& to)
      : module_(module), limits_(limits), node_(node), to_(to) {}

  const KernelLimits& limits() const { return limits_; }
  const Operand& output(std::size_t i = 0) const { return node_.outputs[i]; }
  std::size_t outputCount() const { return node_.outputs.size(); }
  // Makes a value for the dispatches of this node.
  Operand scratch(OperandDescriptor descriptor) { return module_.intermediate(std::move(descriptor)); }
  // Returns an operand to which a kernel can write the float results of `output` one by one: the output itself if it is
  // float32; otherwise a float32 value of the same shape, because several elements of `output` share a word. Afterwards, call
  // narrow(), which rounds this value to the output.
  Operand wholeWords(const Operand& output);
  void narrow(const Operand& from, const Operand& output);
  // Makes a constant that the kernels need: a table, for example.
  Operand constant(OperandDescriptor descriptor, std::vector<std::byte> bytes) {
    return module_.constant(std::move(descriptor), std::move(bytes));
  }

  // Throws NotSupportedError if the loops of an invocation may have more iterations than the device executes.
  void requireIterations(std::uint64_t iterations) const;

  // Appends a dispatch. `kernel` names the kernel in profiles.
  void add(Dispatch dispatch, std::string_view kernel);

  // Call the function of `shader` with the same name, and append the dispatch that it returns.
  void elements(Shader& shader, const Operand& output, Lane lane, std::string_view body, std::string_view kernel,
                std::uint64_t work = 1) {
    add(shader.elements(output, lane, body, work, limits_.maxWorkgroups), kernel);
  }
  void groups(Shader& shader, const Operand& output, Lane lane, std::uint32_t size, std::string_view body,
              std::string_view kernel, std::uint64_t work = 1) {
    add(shader.groups(output, lane, size, body, work, limits_.maxWorkgroups), kernel);
  }

 private:
  compiler::Module& module_;
  const KernelLimits& limits_;
  const compiler::ModuleNode& node_;
  std::vector<Dispatch>& to_;
};

}  // namespace webnn::webgpu
