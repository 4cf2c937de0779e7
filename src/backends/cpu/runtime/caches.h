// Data cache sizes, which decide how work is split into blocks.
// Results must be bit-identical for all cache sizes. Cache sizes may decide which thread computes a block, and in which order,
// but not how a sum is split. The M of a GEMM can decide which kernel computes it (amx_choice.h), and kernels round differently.
// Blocks of rows that become the M of a GEMM therefore have constant sizes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace webnn::cpu {

// Data cache sizes of one processor in bytes. The defaults are used if the system reports nothing.
struct CacheSizes {
  std::size_t level1 = std::size_t{32} << 10, level2 = std::size_t{1} << 20;
  friend bool operator==(const CacheSizes&, const CacheSizes&) = default;
};

// Returns the data cache sizes of the processors that this process may use; on hybrid CPUs, the smallest ones. Determined once.
const CacheSizes& systemCaches();

// Exposed for tests. Returns the smallest cache sizes of `processors`, read from files as in /sys/devices/system/cpu; a size is 0
// if its file is missing. Cores in `usable` that share a second-level cache get equal parts of it. Hardware threads of one core
// count once, because they mostly read the same weights.
CacheSizes cachesInFolder(const std::filesystem::path& folder, std::span<const unsigned> processors,
                          std::span<const unsigned> usable);
// Exposed for tests. Replaces 0 by the default size and limits other sizes to a plausible range: L1 16 to 128 KiB, L2 256 KiB to
// 2 MiB.
CacheSizes saneCaches(CacheSizes reported);

}  // namespace webnn::cpu
