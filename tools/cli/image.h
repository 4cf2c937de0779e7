// Converts pictures to input tensors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "webnn/types.h"

namespace webnn::cli {

// The way to fit a picture to the tensor's height and width.
enum class ResizeMode {
  none,        // the picture must have the tensor's size
  stretch,     // resized to the tensor's size; proportions may change
  centreCrop,  // resized to cover the tensor's size times cropMargin, then cropped in the middle
};

enum class ChannelOrder { rgb, bgr };
enum class ImageLayout { nchw, nhwc };

// Values of black and white, before `mean` and `std` are applied.
enum class ValueRange { zeroToOne, zeroTo255 };

struct ImageOptions {
  ResizeMode resize = ResizeMode::stretch;
  double cropMargin = 1.0;                 // 1 to 16
  std::array<double, 3> mean{0, 0, 0};     // subtracted from red, green and blue; a tensor of one channel uses the first
  std::array<double, 3> std{1, 1, 1};      // divisor of each channel, after subtracting the mean
  ChannelOrder order = ChannelOrder::rgb;  // order of the tensor's channels
  std::optional<ImageLayout> layout;       // absent: nchw if dimension 1 is 1 or 3, else nhwc if dimension 3 is 1 or 3
  std::optional<ValueRange> range;         // absent: 0 to 1 for floats, 0 to 255 for integers

  // Returns the usual preprocessing of ImageNet networks: for a 224 x 224 tensor, the shorter side is resized to 256.
  static ImageOptions imagenet();
};

// Returns the picture's height and width. Throws DataError if the file is not a picture.
std::array<std::uint32_t, 2> imageSize(std::span<const std::byte> file);

// Decodes a JPEG, PNG or BMP file into the packed bytes of `descriptor`, which must have the shape [1, C, H, W] or [1, H, W, C]
// with C 1 or 3, and the type float32, float16, uint8 or int8. Resizing uses a triangle filter, which averages more pixels the
// more the picture shrinks. Integers are rounded and saturate. Transparency is dropped. Throws TypeError for an unsuitable
// descriptor, option or (without resizing) size. Throws DataError if the file cannot be decoded, if a side exceeds 32768 pixels,
// or if decoding needs more than 96 MiB plus 3 bytes for each byte of the file.
std::vector<std::byte> imageToTensor(std::span<const std::byte> file, const OperandDescriptor& descriptor,
                                     const ImageOptions& options);

}  // namespace webnn::cli
