// Shared by the fuzzers of weights files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

#include "formats/document/weights.h"
#include "webnn/error.h"

namespace webnn::fuzz {

// A copy of exactly its length, so that the sanitizer sees any step beyond it.
inline ExternalBytes copyOf(std::string_view text) {
  const std::shared_ptr<std::byte[]> copy(new std::byte[text.size()]);
  if (!text.empty()) std::memcpy(copy.get(), text.data(), text.size());
  return {{copy.get(), text.size()}, copy};
}

// Requests tensors with the seeds' names and matching and other types, and reads all bytes.
inline void findAll(const formats::WeightsReader& reader) {
  static volatile unsigned sink;  // so that the reads happen
  for (const std::string_view key : {"w", "a.b", "a_b", "x::y", "c"}) {
    for (std::size_t type = 0; type < kDataTypeCount; ++type) {
      for (const Shape& shape : {Shape{}, Shape{2}, Shape{2, 3}}) {
        try {
          const ExternalBytes found = reader.find(key, {static_cast<DataType>(type), shape});
          for (const std::byte byte : found.bytes) sink = sink + std::to_integer<unsigned>(byte);
        } catch (const Error&) {
        }
      }
    }
  }
}

}  // namespace webnn::fuzz
