// Pictures as input tensors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "webnn/types.h"

namespace webnn::cli {

// Fits a picture to the tensor's height and width.
enum class ResizeMode {
  none,        // it must have them
  stretch,     // resized to them, whatever the proportions
  centreCrop,  // resized so that it just covers them times cropMargin, then cut out of the middle
};

enum class ChannelOrder { rgb, bgr };
enum class ImageLayout { nchw, nhwc };

// The range of black to white before `mean` and `std`.
enum class ValueRange { zeroToOne, zeroTo255 };

struct ImageOptions {
  ResizeMode resize = ResizeMode::stretch;
  double cropMargin = 1.0;                 // at least 1
  std::array<double, 3> mean{0, 0, 0};     // of red, green and blue, subtracted; a grey picture uses the first
  std::array<double, 3> std{1, 1, 1};      // and then divided by
  ChannelOrder order = ChannelOrder::rgb;  // of the tensor's channels
  std::optional<ImageLayout> layout;       // absent: nchw if dimension 1 is 1 or 3, else nhwc if dimension 3 is
  std::optional<ValueRange> range;         // absent: 0 to 1 for floats, 0 to 255 for integers

  // The preset for ImageNet networks: for 224 x 224, the shorter side becomes 256.
  static ImageOptions imagenet();
};

// Height and width of a picture. DataError for a file that is none.
std::array<std::uint32_t, 2> imageSize(std::span<const std::byte> file);

// Decodes a JPEG, PNG or BMP file and makes it the packed bytes of `descriptor`, which is [1, C, H, W] or [1, H, W, C] of
// 1 or 3 channels and of type float32, float16, uint8 or int8. Resizes with a triangle filter that widens as the picture
// shrinks. Integers are rounded and saturate. Transparency is dropped. TypeError for an unsuitable descriptor, option or
// (if not resized) size; DataError for a file that cannot be decoded or is above 2^26 pixels or 32768 a side.
std::vector<std::byte> imageToTensor(std::span<const std::byte> file, const OperandDescriptor& descriptor,
                                     const ImageOptions& options);

}  // namespace webnn::cli
