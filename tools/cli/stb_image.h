// Limits the memory for decoding a picture.
#pragma once

#include <cstddef>

namespace webnn::cli {

// During its lifetime, the decoder on this thread may allocate at most `bytes`.
class DecoderMemory {
 public:
  explicit DecoderMemory(std::size_t bytes);
  DecoderMemory(const DecoderMemory&) = delete;
  DecoderMemory& operator=(const DecoderMemory&) = delete;
  ~DecoderMemory();
};

}  // namespace webnn::cli
