// Copies pixels of 8-bit channels into the layout that convolution kernels read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "backends/cpu/runtime/step.h"
#include "backends/cpu/simd/bytes/quantized_conv.h"

namespace webnn::cpu {

// The pixel format that the kernels read. Each byte is copied `repeats` times, XOR `flip` (0x80 turns int8 into uint8); each
// group's channels are zero-padded to `groupBytes`. If `isWide`, each byte becomes an int16 instead, minus the zero point. If
// `isCopied` is false, the kernels read the original image.
struct BytePixels {
  bool isCopied = false, isWide = false;
  bool isSigned = false;  // whether the original image is signed; zeroPoint is also that of the original image
  std::int32_t zeroPoint = 0;
  std::uint8_t flip = 0;
  std::size_t channels = 0, groups = 1, repeats = 1, groupBytes = 0;
  std::size_t givenBytes() const { return channels * groups; }
  std::size_t bytes() const { return isCopied ? groups * groupBytes : givenBytes(); }
  // Returns the bytes that kernels may read after the last pixel, because they read whole vectors of int16.
  std::size_t readOn() const { return isWide ? 64 : 0; }

  void copy(const QuantizedConvKernels& kernels, const std::uint8_t* from, std::size_t pixels, std::uint8_t* to) const {
    if (isWide) return kernels.widen(from, pixels * givenBytes(), isSigned, zeroPoint, reinterpret_cast<std::int16_t*>(to));
    if (channels == groupBytes) return copyAll(from, pixels * groups * channels, to);
    if (groups == 1 && repeats >= 2 && repeats <= 4 && channels * repeats == groupBytes)
      return kernels.repeatBytes(from, pixels * channels, repeats, flip, to);
    if (channels == 3 && repeats == 1 && groupBytes == 4) return kernels.widenPixels(from, pixels * groups, flip, to);
    for (std::size_t i = pixels * groups; i-- > 0; from += channels) {
      std::uint8_t* at = to;
      for (std::size_t c = 0; c < channels; ++c) at = std::fill_n(at, repeats, from[c] ^ flip);
      to = std::fill_n(at, groupBytes - channels * repeats, std::uint8_t{0});
    }
  }

  // Copies `count` pixels that are `step` bytes apart.
  void pick(const QuantizedConvKernels& kernels, const std::uint8_t* from, std::size_t step, std::size_t count,
            std::uint8_t* to) const {
    const std::size_t size = bytes();
    if (size == 16 && channels == 16 && flip == 0) return pickBlocks<16>(from, step, count, to);
    if (size == 32 && channels == 32 && flip == 0) return pickBlocks<32>(from, step, count, to);
    for (; count > 0; --count, from += step, to += size) copy(kernels, from, 1, to);
  }

 private:
  template <std::size_t kBytes>
  static void pickBlocks(const std::uint8_t* from, std::size_t step, std::size_t count, std::uint8_t* to) {
    for (; count > 0; --count, from += step, to += kBytes) std::memcpy(to, from, kBytes);
  }
  void copyAll(const std::uint8_t* from, std::size_t bytes, std::uint8_t* to) const {
    if (flip == 0) return void(std::memcpy(to, from, bytes));
    const std::uint64_t flips = flip * 0x0101010101010101U;
    std::size_t i = 0;
    for (; i + 8 <= bytes; i += 8) storeUnaligned(to + i, loadUnaligned<std::uint64_t>(from + i) ^ flips);
    for (; i < bytes; ++i) to[i] = from[i] ^ flip;
  }
};

// The position of an image of `height` x `width` pixels in a padded copy: it begins at line `top` and column `left`. If `phases`
// > 1 (the stride of a convolution), the columns of each line are stored in the order of column % phases. Example for 2: columns
// 0, 2, 4, ..., then 1, 3, 5, ...
struct PaddedImage {
  std::size_t height = 0, width = 0, top = 0, left = 0, phases = 1;
};

}  // namespace webnn::cpu
