#include "measure/bench_buffers.h"

#include <algorithm>
#include <cstdint>

#include "measure/random_elements.h"

namespace webnn::measure {

BenchBuffers::BenchBuffers(const Graph& graph) {
  for (const auto& [name, descriptor] : graph.inputs()) {
    const std::span<std::byte> bytes = take(byteLength(descriptor));
    fillRandomly(bytes, descriptor, 1);  // uses no temporary memory, because the benchmark reports the process's peak
    inputs_.push_back(bytes);
  }
  for (const auto& [name, descriptor] : graph.outputs()) {
    outputs_.push_back(take(byteLength(descriptor)));
    std::ranges::fill(outputs_.back(), std::byte{0});  // touch the pages now, so that no timed run pays for page faults
  }
}

std::size_t BenchBuffers::bytes() const {
  std::size_t sum = 0;
  for (const auto& input : inputs_) sum += input.size();
  for (const auto& output : outputs_) sum += output.size();
  return sum;
}

std::span<std::byte> BenchBuffers::take(std::size_t size) {
  constexpr std::size_t kAlignment = 64;
  memory_.push_back(std::make_unique_for_overwrite<std::byte[]>(size + kAlignment));
  std::byte* start = memory_.back().get();
  const std::size_t past = reinterpret_cast<std::uintptr_t>(start) % kAlignment;
  return {start + (past == 0 ? 0 : kAlignment - past), size};
}

}  // namespace webnn::measure
