#include "backends/cpu/conv/conv_images.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/divide_up.h"

namespace webnn::cpu {

namespace {

// Transpositions proceed in blocks of kBlock pixels by kBlock channels.
constexpr std::size_t kBlock = 32;
constexpr std::size_t kGrain = 16 * 1024;  // elements per chunk

void toFloats(const ConvKernels& kernels, DataType type, const std::byte* from, std::size_t first, float* to, std::size_t count) {
  if (type == DataType::float16) return kernels.fromHalf(reinterpret_cast<const std::uint16_t*>(from) + first, to, count);
  std::memcpy(to, from + first * sizeof(float), count * sizeof(float));
}

void fromFloats(const ConvKernels& kernels, DataType type, const float* from, std::byte* to, std::size_t first,
                std::size_t count) {
  if (type == DataType::float16) return kernels.toHalf(from, reinterpret_cast<std::uint16_t*>(to) + first, count);
  std::memcpy(to + first * sizeof(float), from, count * sizeof(float));
}

struct PixelBlock {
  std::size_t pixel, pixels, channel, channels, image;
};

// Calls visit(block) for each block of all images, on the team's threads.
void forBlocks(Team& team, const ImageFormat& format, auto visit) {
  const std::size_t parts = divideUp(format.pixels, kBlock);
  team.forRanges(format.batch * parts, 1 + kGrain / (kBlock * format.channels),
                 [&](std::size_t begin, std::size_t end, unsigned) {
                   for (std::size_t part = begin; part < end; ++part) {
                     const std::size_t pixel = part % parts * kBlock, pixels = std::min(kBlock, format.pixels - pixel);
                     for (std::size_t channel = 0; channel < format.channels; channel += kBlock) {
                       visit(PixelBlock{pixel, pixels, channel, std::min(kBlock, format.channels - channel), part / parts});
                     }
                   }
                 });
}

}  // namespace

void readImages(const ConvKernels& kernels, Team& team, const ImageFormat& format, const std::byte* from, float* to) {
  if (format.layout == InputOperandLayout::nhwc) {
    return team.forRanges(format.elements(), kGrain, [&](std::size_t begin, std::size_t end, unsigned) {
      toFloats(kernels, format.type, from, begin, to + begin, end - begin);
    });
  }
  forBlocks(team, format, [&](const PixelBlock& block) {
    std::array<float, kBlock> line;
    for (std::size_t c = 0; c < block.channels; ++c) {
      const std::size_t plane = block.image * format.channels + block.channel + c;
      toFloats(kernels, format.type, from, plane * format.pixels + block.pixel, line.data(), block.pixels);
      float* out = to + (block.image * format.pixels + block.pixel) * format.channels + block.channel + c;
      for (std::size_t i = 0; i < block.pixels; ++i) out[i * format.channels] = line[i];
    }
  });
}

void writeImages(const ConvKernels& kernels, Team& team, const ImageFormat& format, const float* from, std::byte* to) {
  if (format.layout == InputOperandLayout::nhwc) {
    return team.forRanges(format.elements(), kGrain, [&](std::size_t begin, std::size_t end, unsigned) {
      fromFloats(kernels, format.type, from + begin, to, begin, end - begin);
    });
  }
  forBlocks(team, format, [&](const PixelBlock& block) {
    std::array<float, kBlock> line;
    for (std::size_t c = 0; c < block.channels; ++c) {
      const std::size_t plane = block.image * format.channels + block.channel + c;
      const float* in = from + (block.image * format.pixels + block.pixel) * format.channels + block.channel + c;
      for (std::size_t i = 0; i < block.pixels; ++i) line[i] = in[i * format.channels];
      fromFloats(kernels, format.type, line.data(), to, plane * format.pixels + block.pixel, block.pixels);
    }
  });
}

}  // namespace webnn::cpu
