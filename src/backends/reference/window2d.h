// Strides of images, for convolution and pooling.
#pragma once

#include "backends/reference/tensor.h"
#include "ops/window2d.h"

namespace webnn::reference {

// The strides of the four dimensions in elements, named by meaning for both layouts.
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

using ops::Steps;
using ops::stepsInside;

}  // namespace webnn::reference
