// Code that the fuzz targets for weights files share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

#include "formats/document/weights.h"
#include "webnn/error.h"

namespace webnn::fuzz {

// Returns a copy of exactly the text's length, so that AddressSanitizer reports any access beyond its end.
inline ExternalBytes copyOf(std::string_view text) {
  const std::shared_ptr<std::byte[]> copy(new std::byte[text.size()]);
  if (!text.empty()) std::memcpy(copy.get(), text.data(), text.size());
  return {{copy.get(), text.size()}, copy};
}

// Looks up keys that occur in the seeds, with every data type and several shapes, and reads all bytes found.
inline void findAll(const formats::WeightsReader& reader) {
  static volatile unsigned sink;  // keeps the compiler from removing the reads
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
