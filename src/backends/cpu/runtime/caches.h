// The sizes of the processor's caches, which decide how work is split into blocks.
//
// Results must not depend on them, not even in the last bit: sizes may decide which thread computes what and in which order
// blocks are visited, but not how a sum is split. Where they would, as for blocks of rows that become the M of a GEMM, a constant
// is used instead.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace webnn::cpu {

// Bytes of a processor's data caches. The defaults are assumed where the system reports nothing.
struct CacheSizes {
  std::size_t level1 = std::size_t{32} << 10, level2 = std::size_t{1} << 20;
  friend bool operator==(const CacheSizes&, const CacheSizes&) = default;
};

// The caches of the processors that this process may use; the smallest ones where they differ. Looked up once.
const CacheSizes& systemCaches();

// The parts of systemCaches(), for tests.
// Those of `processors`, from files as in /sys/devices/system/cpu; 0 where they do not say. Cores that share a second level have
// an equal part of it each, if they are `usable`. The threads of a core are not counted apart: mostly they read the same weights.
CacheSizes cachesInFolder(const std::filesystem::path& folder, std::span<const unsigned> processors,
                          std::span<const unsigned> usable);
// Replaces 0 by the default. Clamps other sizes to at least what the smallest processors have, and at most what one of several
// processors that share a cache may take.
CacheSizes saneCaches(CacheSizes reported);

}  // namespace webnn::cpu
