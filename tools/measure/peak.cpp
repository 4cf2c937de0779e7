#include "measure/peak.h"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <thread>
#include <vector>

#include "backends/cpu/runtime/processors.h"
#include "backends/cpu/simd/peak.h"
#include "base/processors.h"
#include "base/text.h"

namespace webnn::measure {

namespace {

// Returns operations per second of one thread, measured for `seconds` of CPU time.
double rate(const cpu::PeakKernels& kernels, double seconds) {
  constexpr std::size_t kIterations = 10'000;  // one call takes some tens of microseconds
  volatile float sink = kernels.multiplyAdd(kIterations);
  std::size_t calls = 0;
  const double start = threadSeconds();
  double passed = 0;
  do {
    sink = kernels.multiplyAdd(kIterations);
    ++calls;
    passed = threadSeconds() - start;
  } while (passed < seconds);
  static_cast<void>(sink);
  return static_cast<double>(calls * kIterations * kernels.flopPerIteration) / passed;
}

}  // namespace

unsigned availableProcessors() { return cpu::usableProcessors(); }

std::string processorName() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != line.npos) return sanitized(line.substr(colon + 2));
  }
  return "unknown";
}

double measurePeak(cpu::Isa isa, unsigned threads, double seconds) {
  const cpu::PeakKernels& kernels = cpu::peakKernels(isa);
  const unsigned others = threads > 1 ? threads - 1 : 0;
  std::vector<double> rates(others + 1);
  std::atomic<unsigned> ready = 0;
  {
    std::vector<std::jthread> helpers;
    for (unsigned i = 0; i < others; ++i) {
      helpers.emplace_back([&, i] {
        for (++ready; ready <= others;) std::this_thread::yield();
        rates[i + 1] = rate(kernels, seconds);
      });
    }
    while (ready < others) std::this_thread::yield();
    ++ready;
    rates[0] = rate(kernels, seconds);
  }
  double sum = 0;
  for (const double one : rates) sum += one;
  return sum;
}

}  // namespace webnn::measure
