// Aligns tensors for libraries that require memory to be aligned to the element size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "base/copy_bytes.h"
#include "base/progress.h"

namespace webnn {

inline bool isAligned(const std::byte* bytes, std::size_t elementSize) {
  return reinterpret_cast<std::uintptr_t>(bytes) % elementSize == 0;
}

// The memory of tensors, with aligned copies of unaligned tensors. Byte is const for tensors that are only read.
template <typename Byte>
class AlignedTensors {
 public:
  // elementSize(i) must return the element size of tensor i.
  template <typename ElementSize>
  AlignedTensors(std::span<const std::span<Byte>> tensors, ElementSize elementSize) : tensors_(tensors), copies_(tensors.size()) {
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      Byte* data = tensors[i].data();
      if (!isAligned(data, elementSize(i))) {
        copies_[i] = std::make_unique<std::byte[]>(tensors[i].size());
        if constexpr (std::is_const_v<Byte>) copyInParts(copies_[i].get(), data, tensors[i].size());
        data = copies_[i].get();
      }
      data_.push_back(data);
    }
  }

  Byte* operator[](std::size_t i) const { return data_[i]; }

  // Copies the contents of the aligned copies back to the tensors.
  void copyBack() const {
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      if (copies_[i]) copyBytes({copies_[i].get(), tensors_[i].size()}, tensors_[i].data());
    }
  }

 private:
  std::span<const std::span<Byte>> tensors_;
  std::vector<std::unique_ptr<std::byte[]>> copies_;
  std::vector<Byte*> data_;
};

}  // namespace webnn
