// The limit of memory for decoding a picture.
#pragma once

#include <cstddef>

namespace webnn::cli {

// While it lives, the decoder on this thread has no more memory than `bytes`.
class DecoderMemory {
 public:
  explicit DecoderMemory(std::size_t bytes);
  DecoderMemory(const DecoderMemory&) = delete;
  DecoderMemory& operator=(const DecoderMemory&) = delete;
  ~DecoderMemory();
};

}  // namespace webnn::cli
