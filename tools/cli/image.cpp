#include "cli/image.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>

#define STBI_NO_STDIO
#include <stb/stb_image.h>

#include "base/text.h"
#include "cli/stb_image.h"

namespace webnn::cli {

namespace {

constexpr std::uint64_t kMaxSide = 32768;  // pixels; STBI_MAX_DIMENSIONS in stb_image.cpp is the same
// Decoding may use kDecoderMemory plus kMemoryPerByte for each byte of the file.
constexpr std::uint64_t kDecoderMemory = std::uint64_t{96} << 20, kMemoryPerByte = 3;
constexpr std::size_t kChannels = 3;  // red, green, blue

struct Picture {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::unique_ptr<stbi_uc, void (*)(void*)> pixels{nullptr, stbi_image_free};  // interleaved red, green, blue
};

// The layout and sizes of the tensor.
struct Target {
  ImageLayout layout = ImageLayout::nchw;
  std::uint32_t channels = 0;
  std::uint32_t height = 0;
  std::uint32_t width = 0;
};

// The input pixels that contribute to one output pixel: from index `first` on, with one weight each.
struct Taps {
  std::uint32_t first = 0;
  std::vector<double> weights;
};

bool isChannels(std::uint32_t dimension) { return dimension == 1 || dimension == 3; }

Target targetOf(const OperandDescriptor& descriptor, const ImageOptions& options) {
  const DataType type = descriptor.dataType;
  if (!isFloat(type) && type != DataType::uint8 && type != DataType::int8) {
    fail(ErrorKind::typeError, "an image cannot become {}: its type is none of float32, float16, uint8 and int8.",
         toString(descriptor));
  }
  byteLength(descriptor);  // throws for an invalid shape
  const Shape& shape = descriptor.shape;
  if (shape.size() != 4 || shape[0] != 1) {
    fail(ErrorKind::typeError, "an image cannot become {}: its shape is not [1, C, H, W] or [1, H, W, C].", toString(descriptor));
  }
  const ImageLayout layout = options.layout.value_or(isChannels(shape[1]) ? ImageLayout::nchw : ImageLayout::nhwc);
  const Target target =
      layout == ImageLayout::nchw ? Target{layout, shape[1], shape[2], shape[3]} : Target{layout, shape[3], shape[1], shape[2]};
  if (!isChannels(target.channels)) {
    fail(ErrorKind::typeError, "an image cannot become {}: its number of channels is not 1 or 3.", toString(descriptor));
  }
  return target;
}

Picture decode(std::span<const std::byte> file) {
  if (file.size() > std::numeric_limits<int>::max()) fail(ErrorKind::dataError, "the image file has more than 2^31 - 1 bytes.");
  const auto* bytes = reinterpret_cast<const stbi_uc*>(file.data());
  const int size = static_cast<int>(file.size());
  const std::uint64_t memory = kDecoderMemory + kMemoryPerByte * file.size();
  const DecoderMemory bounded(memory);
  int width = 0, height = 0, channels = 0;
  if (!stbi_info_from_memory(bytes, size, &width, &height, &channels)) {
    fail(ErrorKind::dataError, "the file is no JPEG, PNG or BMP image ({}).", stbi_failure_reason());
  }
  if (width <= 0 || height <= 0) fail(ErrorKind::dataError, "the image ({} x {}) is empty.", width, height);
  const auto columns = static_cast<std::uint32_t>(width), rows = static_cast<std::uint32_t>(height);
  if (columns > kMaxSide || rows > kMaxSide)
    fail(ErrorKind::dataError, "the image ({} x {}) is above {} a side.", width, height, kMaxSide);
  const auto failTooLarge = [&] {
    fail(ErrorKind::dataError, "the image ({} x {}) takes more than {} bytes of memory, too much for a file of {} bytes.",
         columns, rows, memory, file.size());
  };
  if (std::uint64_t{columns} * rows * kChannels > memory) failTooLarge();
  Picture picture{columns, rows};
  picture.pixels.reset(stbi_load_from_memory(bytes, size, &width, &height, &channels, static_cast<int>(kChannels)));
  if (!picture.pixels && std::string_view(stbi_failure_reason()) == "outofmem") failTooLarge();
  if (!picture.pixels) fail(ErrorKind::dataError, "the image cannot be decoded ({}).", stbi_failure_reason());
  if (static_cast<std::uint32_t>(width) != columns || static_cast<std::uint32_t>(height) != rows) {
    fail(ErrorKind::dataError, "the image changes its size while it is decoded.");
  }
  return picture;
}

// Returns the taps of output pixels `offset` to `offset + count` for a line resized from `in` to `out` pixels.
std::vector<Taps> tapsOf(std::uint32_t in, std::uint64_t out, std::uint64_t offset, std::uint32_t count) {
  const double scale = static_cast<double>(in) / static_cast<double>(out);
  const double support = std::max(scale, 1.0);  // half-width of the triangle filter; averages when shrinking
  std::vector<Taps> taps(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const double centre = (static_cast<double>(offset + i) + 0.5) * scale;
    const double first = std::max(0.0, std::floor(centre - support + 0.5));
    const double last = std::min<double>(in, std::floor(centre + support + 0.5));
    taps[i].first = static_cast<std::uint32_t>(first);
    double sum = 0;
    for (double x = first; x < last; ++x) {
      sum += taps[i].weights.emplace_back(std::max(0.0, 1.0 - std::fabs((x + 0.5 - centre) / support)));
    }
    for (double& weight : taps[i].weights) weight /= sum;
  }
  return taps;
}

// One dimension of a resized picture: it becomes `out` pixels long, and the tensor takes pixels from `offset` on.
struct Side {
  std::uint64_t out = 0;
  std::uint64_t offset = 0;
};

struct Placement {
  Side x;
  Side y;
};

Placement placementOf(const Picture& picture, const Target& target, const ImageOptions& options) {
  if (options.resize == ResizeMode::none && (picture.width != target.width || picture.height != target.height)) {
    fail(ErrorKind::typeError, "the image ({} x {}) does not have the tensor's size ({} x {}), and is not to be resized.",
         picture.width, picture.height, target.width, target.height);
  }
  if (options.resize != ResizeMode::centreCrop) return {{target.width, 0}, {target.height, 0}};
  if (!(options.cropMargin >= 1 && options.cropMargin <= 16)) {
    fail(ErrorKind::typeError, "the crop margin is not between 1 and 16.");
  }
  const auto widened = [&](std::uint32_t size) { return static_cast<std::uint64_t>(std::nearbyint(size * options.cropMargin)); };
  // The widened sizes are below 2^35, and the picture's sides below 2^16, so products fit in 64 bits.
  std::uint64_t width = widened(target.width), height = widened(target.height);
  if (picture.width * height >= picture.height * width) {
    width = height * picture.width / picture.height;
  } else {
    height = width * picture.height / picture.width;
  }
  const auto margin = [](std::uint64_t size, std::uint32_t cut) {
    return static_cast<std::uint64_t>(std::nearbyint(static_cast<double>(size - cut) / 2));
  };
  return {{width, margin(width, target.width)}, {height, margin(height, target.height)}};
}

// Resizes one output row at a time, to need little memory. Calls `emit(y, row)` for each row of the tensor. A row has interleaved
// channels, 0 to 255.
template <typename Emit>
void resample(const Picture& picture, const Target& target, const Placement& placement, Emit emit) {
  const std::vector<Taps> columns = tapsOf(picture.width, placement.x.out, placement.x.offset, target.width);
  const std::vector<Taps> rows = tapsOf(picture.height, placement.y.out, placement.y.offset, target.height);
  const std::size_t stride = std::size_t{picture.width} * kChannels;
  std::vector<double> line(stride), row(std::size_t{target.width} * kChannels);
  for (std::uint32_t y = 0; y < target.height; ++y) {
    std::fill(line.begin(), line.end(), 0.0);
    for (std::size_t tap = 0; tap < rows[y].weights.size(); ++tap) {
      const stbi_uc* source = picture.pixels.get() + (rows[y].first + tap) * stride;
      for (std::size_t i = 0; i < stride; ++i) line[i] += rows[y].weights[tap] * source[i];
    }
    std::fill(row.begin(), row.end(), 0.0);
    for (std::size_t x = 0; x < target.width; ++x) {
      for (std::size_t i = 0; i < columns[x].weights.size() * kChannels; ++i) {
        row[x * kChannels + i % kChannels] += columns[x].weights[i / kChannels] * line[columns[x].first * kChannels + i];
      }
    }
    emit(y, row);
  }
}

void store(std::byte* to, DataType type, double value) {
  switch (type) {
    case DataType::float32: {
      const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
      std::memcpy(to, &bits, sizeof bits);
      return;
    }
    case DataType::float16: {
      const std::uint16_t bits = Half(value).bits();
      std::memcpy(to, &bits, sizeof bits);
      return;
    }
    default: *to = static_cast<std::byte>(static_cast<int>(cast(value, type).toDouble()));
  }
}

// Returns a pixel's value, 0 to 255, for colour 0 (red), 1 (green) or 2 (blue); its grey value if `channels` is 1.
double channelOf(const double* pixel, std::uint32_t channels, std::size_t colour) {
  constexpr double kRed = 0.299, kGreen = 0.587, kBlue = 0.114;  // luma weights of ITU-R BT.601
  return channels == 1 ? kRed * pixel[0] + kGreen * pixel[1] + kBlue * pixel[2] : pixel[colour];
}

}  // namespace

ImageOptions ImageOptions::imagenet() {
  return {.resize = ResizeMode::centreCrop,
          .cropMargin = 256.0 / 224.0,
          .mean = {0.485, 0.456, 0.406},
          .std = {0.229, 0.224, 0.225},
          .range = ValueRange::zeroToOne};
}

std::array<std::uint32_t, 2> imageSize(std::span<const std::byte> file) {
  const Picture picture = decode(file);
  return {static_cast<std::uint32_t>(picture.height), static_cast<std::uint32_t>(picture.width)};
}

std::vector<std::byte> imageToTensor(std::span<const std::byte> file, const OperandDescriptor& descriptor,
                                     const ImageOptions& options) {
  const Target target = targetOf(descriptor, options);
  for (const double divisor : options.std) {
    if (!(divisor != 0 && std::isfinite(divisor))) fail(ErrorKind::typeError, "a value of std is 0 or not finite.");
  }
  const Picture picture = decode(file);
  const DataType type = descriptor.dataType;
  const ValueRange range = options.range.value_or(isFloat(type) ? ValueRange::zeroToOne : ValueRange::zeroTo255);
  const double scale = range == ValueRange::zeroToOne ? 1.0 / 255 : 1.0;
  const std::size_t elementSize = bitsPerElement(type) / 8;
  std::vector<std::byte> bytes(byteLength(descriptor));
  resample(picture, target, placementOf(picture, target, options), [&](std::size_t y, const std::vector<double>& row) {
    for (std::size_t x = 0; x < target.width; ++x) {
      for (std::size_t c = 0; c < target.channels; ++c) {
        const std::size_t colour = options.order == ChannelOrder::bgr ? target.channels - 1 - c : c;
        const double value = channelOf(&row[x * kChannels], target.channels, colour) * scale;
        const std::size_t index = target.layout == ImageLayout::nchw ? (c * target.height + y) * target.width + x
                                                                     : (y * target.width + x) * target.channels + c;
        store(bytes.data() + index * elementSize, type, (value - options.mean[colour]) / options.std[colour]);
      }
    }
  });
  return bytes;
}

}  // namespace webnn::cli
