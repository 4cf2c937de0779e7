// Copies between two strided layouts, for steps that only move elements, such as concat, slice and transpose.
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

// One loop of a copy: its count, and the distance in bytes between its elements in source and target. Source distances may be 0
// (the element repeats) or negative.
struct CopyDimension {
  std::size_t count;
  std::ptrdiff_t from, to;
};

// A copy of elements by nested loops. The constructor merges dimensions that one loop can traverse, and chooses a kernel by the
// size of contiguous runs and by the distances. Loops must write each target element exactly once.
class StridedCopy {
 public:
  // `dimensions` go from the outermost loop to the innermost. The order should make writes to the target as sequential as
  // possible.
  StridedCopy(Isa isa, std::size_t elementBytes, std::vector<CopyDimension> dimensions, std::ptrdiff_t fromStart = 0,
              std::ptrdiff_t toStart = 0);

  void run(const std::byte* from, std::byte* to, Team& team) const;

  // Describes how elements are copied, such as "runs of 256 bytes" or "transpose of 4 bytes 64x64".
  const std::string& description() const { return description_; }

 private:
  void chooseRuns(std::size_t bytes);
  void chooseElements(Isa isa, std::size_t bytes);
  bool chooseTranspose(Isa isa, std::size_t bytes);
  void takePlane(std::size_t bytes);
  void cutPlane(std::size_t bytes);
  void runUnits(const std::byte* from, std::byte* to, std::size_t begin, std::size_t end) const;

  std::vector<CopyDimension> outer_;  // the loops around the kernel's two loops (plane_)
  CopyPlane plane_;
  CopyKernel kernel_ = nullptr;
  std::ptrdiff_t fromStart_, toStart_;
  // Threads share the pieces of a plane: its inner loop (if cutsInner_) or outer loop is divided into `pieces_` pieces of at most
  // `pieceSize_` steps.
  std::size_t pieces_ = 1, pieceSize_ = 0;
  bool isTranspose_ = false, cutsInner_ = false;
  // `units_`: the pieces of all planes; `grain_`: the number of pieces that a thread takes at a time.
  std::size_t units_ = 1, grain_ = 1;
  std::string description_;
};

// Returns the distance in bytes between neighbors along each dimension of a contiguous row-major tensor.
std::vector<std::ptrdiff_t> byteStrides(const Shape& shape, std::size_t elementBytes);

// The approximate number of bytes that a thread copies before it takes more work.
inline constexpr std::size_t kBytesPerChunk = 64 * 1024;

}  // namespace webnn::cpu
