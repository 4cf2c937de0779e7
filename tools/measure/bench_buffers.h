// Input and output buffers for running a graph without a context.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "graph/backend.h"
#include "webnn/graph.h"

namespace webnn::measure {

// Random inputs and zeroed outputs, aligned so that every backend accepts them without a copy.
class BenchBuffers {
 public:
  explicit BenchBuffers(const Graph& graph);

  void run(const Executable& executable) const { executable.run(inputs_, outputs_); }
  std::vector<StepTime> profile(const Executable& executable) const { return executable.profile(inputs_, outputs_); }
  std::size_t bytes() const;  // sum over inputs and outputs

 private:
  std::span<std::byte> take(std::size_t size);

  std::vector<std::unique_ptr<std::byte[]>> memory_;
  std::vector<std::span<const std::byte>> inputs_;
  std::vector<std::span<std::byte>> outputs_;
};

}  // namespace webnn::measure
