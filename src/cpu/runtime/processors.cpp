#include "cpu/runtime/processors.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <functional>
#include <utility>

#include "base/control_group.h"
#include "base/text.h"

#if defined(__linux__)
#include <pthread.h>
#include <sched.h>
#endif

namespace webnn::cpu {

namespace {

#if defined(__linux__)

unsigned allowedProcessors() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return static_cast<unsigned>(std::max(CPU_COUNT(&allowed), 1));
  return std::max(std::thread::hardware_concurrency(), 1U);
}

#else

unsigned allowedProcessors() { return std::max(std::thread::hardware_concurrency(), 1U); }

#endif

// 0 where there is no such file.
unsigned long numberIn(const std::filesystem::path& path) {
  unsigned long number = 0;
  std::ifstream(path) >> number;
  return number;
}

}  // namespace

unsigned processorsWithin(std::optional<double> quota, unsigned processors) {
  if (!quota || *quota >= processors) return processors;
  return std::max(static_cast<unsigned>(std::ceil(*quota)), 1U);
}

unsigned usableProcessors() {
#if defined(__linux__)
  static const std::optional<double> quota = processorQuota(ownMounts(), ownGroups());
  return processorsWithin(quota, allowedProcessors());
#else
  return allowedProcessors();
#endif
}

std::vector<unsigned> processorsIn(std::string_view list) {
  std::vector<unsigned> numbers;
  const char *at = list.data(), *const end = at + list.size();
  const auto read = [&](unsigned& number) {
    const auto [rest, error] = std::from_chars(at, end, number);
    at = rest;
    return error == std::errc() && number < 1U << 20;
  };
  for (unsigned first = 0; at != end && read(first); at += at != end && *at == ',') {
    unsigned last = first;
    if (at != end && *at == '-' && (++at, !read(last))) break;
    for (unsigned number = first; number <= last; ++number) numbers.push_back(number);
    if (at != end && *at != ',') break;
  }
  return numbers;
}

std::vector<unsigned> fastestFirst(const std::filesystem::path& folder, std::span<const unsigned> processors) {
  std::vector<std::pair<unsigned long, unsigned>> ranked;
  for (const unsigned processor : processors)
    ranked.emplace_back(numberIn(folder / formatText("cpu{}", processor) / "cpu_capacity"), processor);
  std::ranges::stable_sort(ranked, std::greater(), &std::pair<unsigned long, unsigned>::first);
  std::vector<unsigned> sorted;
  for (const auto& [capacity, processor] : ranked) sorted.push_back(processor);
  return sorted;
}

#if defined(__linux__)

std::vector<unsigned> usableProcessorNumbers() {
  cpu_set_t allowed;
  std::vector<unsigned> numbers;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return numbers;
  for (unsigned processor = 0; processor < CPU_SETSIZE; ++processor) {
    if (CPU_ISSET(processor, &allowed)) numbers.push_back(processor);
  }
  return numbers;
}

void bindToProcessor(std::thread& thread, unsigned i) {
  const std::vector<unsigned> processors = fastestFirst("/sys/devices/system/cpu", usableProcessorNumbers());
  if (processors.empty()) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processors[i % processors.size()], &one);
  pthread_setaffinity_np(thread.native_handle(), sizeof one, &one);
}

#else

std::vector<unsigned> usableProcessorNumbers() { return {}; }
void bindToProcessor(std::thread&, unsigned) {}

#endif

}  // namespace webnn::cpu
