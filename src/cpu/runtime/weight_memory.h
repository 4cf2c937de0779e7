// Memory of packed weights: in large pages where there are any, freed as a whole.
#pragma once

#include <cstddef>
#include <vector>

namespace webnn::cpu {

class WeightMemory {
 public:
  WeightMemory() = default;
  ~WeightMemory();
  WeightMemory(const WeightMemory&) = delete;
  WeightMemory& operator=(const WeightMemory&) = delete;

  // Zeros, aligned to 64. UnknownError if there is no memory.
  std::byte* take(std::size_t bytes);
  // The same as a block of its own, with small pages at its end rather than a large one that is used for less than half.
  std::byte* takeAlone(std::size_t bytes);
  std::size_t bytesTaken() const { return taken_; }

 private:
  struct Block {
    std::byte* data = nullptr;
    std::size_t size = 0, used = 0;
  };
  std::vector<Block> blocks_;
  std::size_t taken_ = 0;
};

}  // namespace webnn::cpu
