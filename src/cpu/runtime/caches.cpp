#include "cpu/runtime/caches.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>
#include <vector>

#include "base/text.h"
#include "cpu/runtime/processors.h"

#if defined(__linux__)
#include <unistd.h>
#endif

namespace webnn::cpu {

namespace {

// The first word of a small file, or nothing.
std::string wordOf(const std::filesystem::path& path) {
  std::string word;
  std::ifstream(path) >> word;
  return word;
}

// "32K", "2M" or bytes; 0 for anything else.
std::size_t bytesOf(const std::string& text) {
  std::size_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || number > std::size_t{1} << 32 || end - rest > 1) return 0;
  if (rest == end) return number;
  return *rest == 'K' ? number << 10 : *rest == 'M' ? number << 20 : 0;
}

std::size_t smallestKnown(std::size_t a, std::size_t b) { return a == 0 ? b : b == 0 ? a : std::min(a, b); }

#if defined(__linux__)

// Reading the files of more processors would only find more of the same kinds.
constexpr std::size_t kMostProcessors = 32;

CacheSizes reportedCaches() {
  CacheSizes sizes{0, 0};
#if defined(_SC_LEVEL1_DCACHE_SIZE) && defined(_SC_LEVEL2_CACHE_SIZE)
  sizes.level1 = static_cast<std::size_t>(std::max(::sysconf(_SC_LEVEL1_DCACHE_SIZE), 0L));
  sizes.level2 = static_cast<std::size_t>(std::max(::sysconf(_SC_LEVEL2_CACHE_SIZE), 0L));
#endif
  // sysconf describes the processor that it runs on. Reading the files takes longer; they are needed where sysconf reports
  // nothing, and for hybrid processors, for which Linux has separate event counters per kind of core.
  const bool isHybrid = ::access("/sys/devices/cpu_atom", F_OK) == 0;
  if (sizes.level1 != 0 && sizes.level2 != 0 && !isHybrid) return sizes;
  std::vector<unsigned> processors = usableProcessorNumbers();
  if (processors.size() > kMostProcessors) processors.resize(kMostProcessors);
  const CacheSizes inFiles = cachesInFolder("/sys/devices/system/cpu", processors);
  return {smallestKnown(sizes.level1, inFiles.level1), smallestKnown(sizes.level2, inFiles.level2)};
}

#else

CacheSizes reportedCaches() { return {0, 0}; }

#endif

}  // namespace

CacheSizes cachesInFolder(const std::filesystem::path& folder, std::span<const unsigned> processors) {
  CacheSizes sizes{0, 0};
  for (const unsigned processor : processors) {
    const std::filesystem::path caches = folder / formatText("cpu{}", processor) / "cache";
    for (unsigned i = 0;; ++i) {
      const std::filesystem::path index = caches / formatText("index{}", i);
      const std::string level = wordOf(index / "level");
      if (level != "1" && level != "2") break;  // indexes are in ascending order of levels
      if (wordOf(index / "type") == "Instruction") continue;
      std::size_t& size = level == "1" ? sizes.level1 : sizes.level2;
      size = smallestKnown(size, bytesOf(wordOf(index / "size")));
    }
  }
  return sizes;
}

CacheSizes saneCaches(CacheSizes reported) {
  constexpr std::size_t kKiB = 1024;
  const auto sane = [](std::size_t size, std::size_t otherwise, std::size_t least, std::size_t most) {
    return size == 0 ? otherwise : std::clamp(size, least, most);
  };
  const CacheSizes assumed;
  return {sane(reported.level1, assumed.level1, 16 * kKiB, 128 * kKiB),
          sane(reported.level2, assumed.level2, 256 * kKiB, 2048 * kKiB)};
}

const CacheSizes& systemCaches() {
  static const CacheSizes sizes = saneCaches(reportedCaches());
  return sizes;
}

}  // namespace webnn::cpu
