#include "base/processors.h"

#include <algorithm>
#include <bit>
#include <chrono>

#if defined(__linux__)
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#if defined(__aarch64__)
#include <sys/auxv.h>
#endif
#endif

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace webnn {

bool isVirtualMachine() {
#if defined(__x86_64__)
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx >> 31 & 1) != 0;
#else
  return false;
#endif
}

#if defined(__linux__)

unsigned allowedProcessors() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return static_cast<unsigned>(std::max(CPU_COUNT(&allowed), 1));
  return std::max(std::thread::hardware_concurrency(), 1U);
}

std::vector<unsigned> allowedProcessorNumbers() {
  cpu_set_t allowed;
  std::vector<unsigned> numbers;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return numbers;
  for (unsigned processor = 0; processor < CPU_SETSIZE; ++processor) {
    if (CPU_ISSET(processor, &allowed)) numbers.push_back(processor);
  }
  return numbers;
}

static_assert(sizeof(cpu_set_t) == sizeof(ProcessorSet));

std::optional<unsigned> currentProcessor() {
  const int processor = sched_getcpu();
  return processor >= 0 && processor < CPU_SETSIZE ? std::optional(static_cast<unsigned>(processor)) : std::nullopt;
}

std::optional<ProcessorSet> processorsOf(std::thread& thread) {
  cpu_set_t allowed;
  if (pthread_getaffinity_np(thread.native_handle(), sizeof allowed, &allowed) != 0) return std::nullopt;
  return std::bit_cast<ProcessorSet>(allowed);
}

bool setProcessors(std::thread& thread, const ProcessorSet& processors) {
  const auto allowed = std::bit_cast<cpu_set_t>(processors);
  return pthread_setaffinity_np(thread.native_handle(), sizeof allowed, &allowed) == 0;
}
bool setProcessors(const ProcessorSet& processors) {
  const auto allowed = std::bit_cast<cpu_set_t>(processors);
  return sched_setaffinity(0, sizeof allowed, &allowed) == 0;  // 0: this thread
}

void bindThread(std::thread& thread, unsigned processor) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  pthread_setaffinity_np(thread.native_handle(), sizeof one, &one);
}

double threadSeconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

bool permitTiles() {
#if defined(__x86_64__)
  constexpr int kArchReqXcompPerm = 0x1023, kTileData = 18;
  return ::syscall(SYS_arch_prctl, kArchReqXcompPerm, kTileData) == 0;
#else
  return false;
#endif
}

ArmFeatures armFeatures() {
#if defined(__aarch64__)
  constexpr unsigned long kDotprod = 1UL << 20, kI8mm = 1UL << 13;  // HWCAP_ASIMDDP and HWCAP2_I8MM
  return {.dotprod = (getauxval(AT_HWCAP) & kDotprod) != 0, .i8mm = (getauxval(AT_HWCAP2) & kI8mm) != 0};
#else
  return {};
#endif
}

DataCaches dataCachesOfLibrary() {
#if defined(_SC_LEVEL1_DCACHE_SIZE) && defined(_SC_LEVEL2_CACHE_SIZE)
  const auto known = [](int name) { return static_cast<std::size_t>(std::max(::sysconf(name), 0L)); };
  return {known(_SC_LEVEL1_DCACHE_SIZE), known(_SC_LEVEL2_CACHE_SIZE)};
#else
  return {};
#endif
}

#else

unsigned allowedProcessors() { return std::max(std::thread::hardware_concurrency(), 1U); }
std::vector<unsigned> allowedProcessorNumbers() { return {}; }
std::optional<unsigned> currentProcessor() { return std::nullopt; }
std::optional<ProcessorSet> processorsOf(std::thread&) { return std::nullopt; }
bool setProcessors(std::thread&, const ProcessorSet&) { return false; }
bool setProcessors(const ProcessorSet&) { return false; }
void bindThread(std::thread&, unsigned) {}
double threadSeconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
bool permitTiles() { return false; }
ArmFeatures armFeatures() { return {}; }
DataCaches dataCachesOfLibrary() { return {}; }

#endif

}  // namespace webnn
