// Copies of a few bytes without a library call, and of many bytes with checks for cancellation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "backends/cpu/runtime/run_watch.h"

namespace webnn::cpu {

// A 16-byte word for copyWord() and copyTwoWords().
struct Bytes16 {
  std::uint64_t low, high;
};

template <typename Word>
void copyWord(std::byte* to, const std::byte* from) {
  Word word;
  std::memcpy(&word, from, sizeof(Word));
  std::memcpy(to, &word, sizeof(Word));
}

// Copies `bytes` bytes, which must be sizeof(Word) to 2 * sizeof(Word), as a first and a last word that may overlap.
template <typename Word>
void copyTwoWords(std::byte* to, const std::byte* from, std::size_t bytes) {
  Word first, last;
  std::memcpy(&first, from, sizeof(Word));
  std::memcpy(&last, from + bytes - sizeof(Word), sizeof(Word));
  std::memcpy(to, &first, sizeof(Word));
  std::memcpy(to + bytes - sizeof(Word), &last, sizeof(Word));
}

// Copies like memcpy, but stops early once the run should end (isRunOver).
inline void copyMany(std::byte* to, const std::byte* from, std::size_t bytes) {
  constexpr std::size_t kAtOnce = std::size_t{1} << 20;
  for (; bytes > kAtOnce; bytes -= kAtOnce, to += kAtOnce, from += kAtOnce) {
    std::memcpy(to, from, kAtOnce);
    if (isRunOver()) return;
  }
  std::memcpy(to, from, bytes);
}

// Copies like copyMany(), but without a library call for up to 32 bytes.
inline void copyBlock(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes > 32) {
    copyMany(to, from, bytes);
  } else if (bytes >= 16) {
    copyTwoWords<Bytes16>(to, from, bytes);
  } else if (bytes >= 8) {
    copyTwoWords<std::uint64_t>(to, from, bytes);
  } else if (bytes >= 4) {
    copyTwoWords<std::uint32_t>(to, from, bytes);
  } else if (bytes >= 2) {
    copyTwoWords<std::uint16_t>(to, from, bytes);
  } else if (bytes == 1) {
    *to = *from;
  }
}

}  // namespace webnn::cpu
