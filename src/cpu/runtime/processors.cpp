#include "cpu/runtime/processors.h"

#include <algorithm>

#if defined(__linux__)
#include <pthread.h>
#include <sched.h>
#endif

namespace webnn::cpu {

#if defined(__linux__)

unsigned usableProcessors() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return static_cast<unsigned>(std::max(CPU_COUNT(&allowed), 1));
  return std::max(std::thread::hardware_concurrency(), 1U);
}

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
  cpu_set_t allowed, one;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  i %= static_cast<unsigned>(std::max(CPU_COUNT(&allowed), 1));
  for (unsigned processor = 0; processor < CPU_SETSIZE; ++processor) {
    if (!CPU_ISSET(processor, &allowed) || i-- != 0) continue;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    pthread_setaffinity_np(thread.native_handle(), sizeof one, &one);
    return;
  }
}

#else

unsigned usableProcessors() { return std::max(std::thread::hardware_concurrency(), 1U); }
std::vector<unsigned> usableProcessorNumbers() { return {}; }
void bindToProcessor(std::thread&, unsigned) {}

#endif

}  // namespace webnn::cpu
