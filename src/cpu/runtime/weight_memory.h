// Memory for packed weights: in huge pages where available, freed as a whole.
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

  // Zeroed, aligned to 64. UnknownError if there is not enough memory.
  std::byte* take(std::size_t bytes);
  // The same in a block of its own, which ends in small pages where its last huge page would not be nearly full.
  std::byte* takeAlone(std::size_t bytes);
  // Once all is taken: gives back what is unused of the last huge page, where that is much.
  void trim();
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
