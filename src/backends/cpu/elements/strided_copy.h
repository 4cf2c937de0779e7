// Copies between two strided layouts. concat, split, slice, expand, tile, pad, reverse and transpose all become such copies.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "backends/cpu/runtime/isa.h"
#include "backends/cpu/runtime/threads.h"
#include "backends/cpu/simd/transpose.h"
#include "webnn/types.h"

namespace webnn::cpu {

// One loop of a copy: its count, and the bytes between elements in source and target. Source steps may be 0 (repeat) or negative.
struct CopyDimension {
  std::size_t count;
  std::ptrdiff_t from, to;
};

// A copy of elements of any size over any number of dimensions, prepared once: dimensions that move together are merged, and the
// kernel is chosen by the size of contiguous pieces. Every target element must be written once.
class StridedCopy {
 public:
  // `dimensions` from the outermost loop to the innermost, in the order in which the target is best written.
  StridedCopy(Isa isa, std::size_t elementBytes, std::vector<CopyDimension> dimensions, std::ptrdiff_t fromStart = 0,
              std::ptrdiff_t toStart = 0);

  void run(const std::byte* from, std::byte* to, Team& team) const;

  // How the elements move: "runs of 256 bytes", "transpose of 4 bytes", ...
  const std::string& description() const { return description_; }

 private:
  void chooseRuns(std::size_t bytes);
  void chooseElements(Isa isa, std::size_t bytes);
  bool chooseTranspose(Isa isa, std::size_t bytes);
  void takePlane(std::size_t bytes);
  void cutPlane(std::size_t bytes);
  void runUnits(const std::byte* from, std::byte* to, std::size_t begin, std::size_t end) const;

  std::vector<CopyDimension> outer_;  // the loops around the plane
  CopyPlane plane_;
  CopyKernel kernel_ = nullptr;
  std::ptrdiff_t fromStart_, toStart_;
  std::size_t pieces_ = 1, pieceSize_ = 0;  // the plane is cut along n1 or n0
  bool cutsInner_ = false;
  std::size_t units_ = 1, grain_ = 1;  // pieces of planes, and how many a thread takes at once
  std::string description_;
};

// Bytes from an element to the next along each dimension of a tensor without gaps.
std::vector<std::ptrdiff_t> byteStrides(const Shape& shape, std::size_t elementBytes);

// The approximate bytes that a thread moves before it takes more work.
inline constexpr std::size_t kBytesPerChunk = 64 * 1024;

}  // namespace webnn::cpu
