// The sizes of the processor's caches, which decide how work is split into blocks.
// Results must not depend on them, not even in the last bit: cache sizes may decide the thread and the order of blocks, but not
// how a sum is split. Blocks of rows that become the M of a GEMM therefore have constant sizes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace webnn::cpu {

// Bytes of a processor's data caches. The defaults apply if the system reports nothing.
struct CacheSizes {
  std::size_t level1 = std::size_t{32} << 10, level2 = std::size_t{1} << 20;
  friend bool operator==(const CacheSizes&, const CacheSizes&) = default;
};

// Returns the caches of the processors that this process may use, the smallest if they differ. Looked up once.
const CacheSizes& systemCaches();

// For tests: the parts of systemCaches(). Reads the caches of `processors` from files as in /sys/devices/system/cpu; 0 if a file
// is missing. `usable` cores that share a second level get equal parts of it. The threads of a core count once, because they
// mostly read the same weights.
CacheSizes cachesInFolder(const std::filesystem::path& folder, std::span<const unsigned> processors,
                          std::span<const unsigned> usable);
// Replaces 0 by the default, and clamps other sizes between those of the smallest processors and one processor's share of a
// cache.
CacheSizes saneCaches(CacheSizes reported);

}  // namespace webnn::cpu
