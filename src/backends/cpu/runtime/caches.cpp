#include "backends/cpu/runtime/caches.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>
#include <vector>

#include "backends/cpu/runtime/processors.h"
#include "base/processors.h"
#include "base/text.h"

namespace webnn::cpu {

namespace {

// Returns the first word of a file, or an empty string if the file cannot be read.
std::string wordOf(const std::filesystem::path& path) {
  std::string word;
  std::ifstream(path) >> word;
  return word;
}

// Parses a size such as "32K", "2M" or "49152" (bytes). Returns 0 for other text.
std::size_t bytesOf(const std::string& text) {
  std::size_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || number > std::uint64_t{1} << 32 || end - rest > 1) return 0;
  if (rest == end) return number;
  return *rest == 'K' ? number << 10 : *rest == 'M' ? number << 20 : 0;
}

std::size_t smallestKnown(std::size_t a, std::size_t b) { return a == 0 ? b : b == 0 ? a : std::min(a, b); }

// Limits how many processors of a CPU that may be hybrid are examined; more would usually repeat the same kinds of core.
constexpr std::size_t kMostProcessors = 32;

CacheSizes reportedCaches() {
  if constexpr (!kTellsInFiles) return {0, 0};
  std::vector<unsigned> processors = usableProcessorNumbers();
  // Reading one processor suffices unless the CPU is hybrid. Linux has the directory cpu_atom on hybrid x86 CPUs; CPUs of other
  // architectures are assumed to be hybrid.
#if defined(__x86_64__)
  std::error_code error;
  const bool isHybrid = std::filesystem::exists("/sys/devices/cpu_atom", error);
#else
  constexpr bool isHybrid = true;
#endif
  const std::size_t read = std::min(processors.size(), isHybrid ? kMostProcessors : 1);
  CacheSizes sizes = cachesInFolder("/sys/devices/system/cpu", std::span(processors).first(read), processors);
  // In some containers, the files are missing; ask the C library instead.
  const DataCaches known = dataCachesOfLibrary();
  if (sizes.level1 == 0) sizes.level1 = known.level1;
  if (sizes.level2 == 0) sizes.level2 = known.level2;
  return sizes;
}

}  // namespace

CacheSizes cachesInFolder(const std::filesystem::path& folder, std::span<const unsigned> processors,
                          std::span<const unsigned> usable) {
  CacheSizes sizes{0, 0};
  for (const unsigned processor : processors) {
    const std::filesystem::path caches = folder / formatText("cpu{}", processor) / "cache";
    std::size_t threads = 1;  // usable hardware threads of a core, which share its first-level cache
    for (unsigned i = 0;; ++i) {
      const std::filesystem::path index = caches / formatText("index{}", i);
      const std::string level = wordOf(index / "level");
      if (level != "1" && level != "2") break;  // indexes are in ascending order of cache levels
      if (wordOf(index / "type") == "Instruction") continue;
      const std::vector<unsigned> sharing = processorsIn(wordOf(index / "shared_cpu_list"));
      const auto sharers = static_cast<std::size_t>(
          std::ranges::count_if(sharing, [&](unsigned other) { return std::ranges::find(usable, other) != usable.end(); }));
      if (level == "1") threads = std::max<std::size_t>(sharers, 1);
      const std::size_t cores = level == "1" ? 1 : std::max<std::size_t>(sharers / threads, 1);
      std::size_t& size = level == "1" ? sizes.level1 : sizes.level2;
      size = smallestKnown(size, bytesOf(wordOf(index / "size")) / cores);
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
