// How large the processor's caches are: by that, work is cut into blocks.
//
// What is computed must not depend on it, in no bit: sizes may decide which thread computes what and in which order blocks are
// visited, but not how a sum is cut. Where they would, as in blocks of rows that become the M of a GEMM, a constant takes their
// place.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace webnn::cpu {

// Bytes of a processor's data caches; unless said otherwise, what is assumed where the system does not say.
struct CacheSizes {
  std::size_t level1 = std::size_t{32} << 10, level2 = std::size_t{1} << 20;
  friend bool operator==(const CacheSizes&, const CacheSizes&) = default;
};

// Of the processors that this process may use, the smallest where they differ. Looked up once.
const CacheSizes& systemCaches();

// What systemCaches() consists of, for tests.
// From files as in /sys/devices/system/cpu; 0 where they do not say.
CacheSizes cachesInFolder(const std::filesystem::path& folder, std::span<const unsigned> processors);
// The default for 0; else at least what the least of processors have, and at most what one of several that share a cache may
// take.
CacheSizes saneCaches(CacheSizes reported);

}  // namespace webnn::cpu
