// Which elements a sliding window meets, for convolution and pooling.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ops/window2d.h"
#include "reference/tensor.h"

namespace webnn::reference {

// Elements of a tensor from one of its images, channels, rows or columns to the next.
struct ImageStrides {
  ImageStrides(const Shape& shape, InputOperandLayout layout) {
    const ops::ImageAxes axes = ops::axesOf(layout);
    const std::vector<std::size_t> strides = stridesOf(shape);
    batch = strides[axes.batch];
    channel = strides[axes.channel];
    height = strides[axes.height];
    width = strides[axes.width];
  }
  std::size_t batch, channel, height, width;
};

// The indices i of [begin, end) at the positions first, first + step, ... of a dimension.
struct Steps {
  std::uint64_t begin = 0, end = 0, first = 0, step = 0;
  std::uint64_t count() const { return end - begin; }
};

// The indices i of [0, count) whose position, start + i * step, is in [0, size) and not on padding.
inline Steps stepsInside(std::int64_t start, std::uint64_t step, std::uint64_t count, std::uint64_t size) {
  const auto limit = static_cast<std::int64_t>(size);
  if (start >= limit) return {};
  const std::uint64_t begin = start >= 0 ? 0 : (static_cast<std::uint64_t>(-start) + step - 1) / step;
  const std::uint64_t end = std::min(static_cast<std::uint64_t>(limit - 1 - start) / step + 1, count);
  if (begin >= end) return {};
  return {begin, end, static_cast<std::uint64_t>(start + static_cast<std::int64_t>(begin * step)), step};
}

}  // namespace webnn::reference
