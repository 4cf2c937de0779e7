#include "backends/cpu/runtime/processors.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <functional>
#include <utility>

#include "base/control_group.h"
#include "base/processors.h"
#include "base/text.h"

namespace webnn::cpu {

namespace {

// Returns the number in a file, or 0 if the file cannot be read.
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
  if constexpr (!kTellsInFiles) return allowedProcessors();
  static const std::optional<double> quota = processorQuota(ownMounts(), ownGroups());
  return processorsWithin(quota, allowedProcessors());
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

std::vector<unsigned> usableProcessorNumbers() { return allowedProcessorNumbers(); }

void bindToProcessor(std::thread& thread, unsigned i) {
  if constexpr (!kTellsInFiles) return;
  const std::vector<unsigned> processors = fastestFirst("/sys/devices/system/cpu", usableProcessorNumbers());
  if (!processors.empty()) bindThread(thread, processors[i % processors.size()]);
}

}  // namespace webnn::cpu
