// Pools the windows of one row of the output.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "backends/cpu/runtime/isa.h"
#include "webnn/types.h"

namespace webnn::cpu {

enum class Pooling { average, l2, max };

// The taps of a window in one dimension that lie inside the input: first, first + step, ...
struct PoolTaps {
  std::size_t first = 0, count = 0, step = 0;
};

// One row of output positions, of an image (nhwc) or of a plane (nchw). Strides are in bytes.
struct PoolRow {
  const std::byte* from;    // the image (nhwc) or the plane (nchw)
  std::byte* to;            // the row's first output
  PoolTaps rows;            // the window's rows of the input
  const PoolTaps* columns;  // the window's columns of the input, for each output position
  std::size_t positions;
  std::ptrdiff_t rowStride;     // distance between rows of the input
  std::ptrdiff_t pixelStride;   // distance between pixels of the input (nhwc)
  std::ptrdiff_t outputStride;  // distance between output positions (nhwc)
  std::size_t channels;         // nhwc
  std::size_t width;            // nchw: width of the input
  std::byte* line;              // nchw: memory for `width` floats or elements, and for kPoolPadding bytes; see also `padded`
  // The input rows may lie in a ring buffer: row r is at r % ring. rows.first is less than `ring`, and a window fits in the
  // buffer.
  std::size_t ring = std::numeric_limits<std::size_t>::max();
  // nchw: number of columns of a window that lies inside the input; stride between windows.
  std::size_t fullCount = 0, stride = 1;
  // nchw, max: if `padded` is positive, `line` has room for `padded` floats. The kernel stores the line from index `padding` on,
  // and sets the other floats to -infinity. Windows begin at 0, stride, 2 * stride, ... , and no load of a vector of
  // windows ends after `padded`. `dilation` is the distance between the taps of a window.
  std::size_t padding = 0, padded = 0, dilation = 1;
};

// Returns the number of floats that the windows need. PoolRow::padded is this number or padding + width, whichever is greater.
constexpr std::size_t paddedPoolLine(std::size_t positions, std::size_t stride, std::size_t windowReach) {
  constexpr std::size_t kLanes = 16;
  return (std::max(positions, kLanes) - 1) * stride + windowReach + kLanes;
}

// Bytes after a line that kernels may read.
inline constexpr std::size_t kPoolPadding = 64;

using PoolKernel = void (*)(const PoolRow& row);

// Returns the kernel for a data type; integers have only max. With `isLong`, for rows that take milliseconds, the kernel returns
// early with incomplete results if the run is cancelled or out of time.
PoolKernel poolPixels(Isa isa, Pooling kind, DataType type, bool isLong = false);  // nhwc: adjacent channels
PoolKernel poolPlane(Isa isa, Pooling kind, DataType type, bool isLong = false);   // nchw

// The form of a pooling kernel. `isPlane`: for nchw, else for nhwc; `isLong`: see poolPixels().
struct PoolForm {
  bool isPlane, isLong;
};

}  // namespace webnn::cpu
