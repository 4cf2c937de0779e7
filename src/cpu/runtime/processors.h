// The processors that this process may use. Hides the differences between operating systems.
#pragma once

#include <thread>
#include <vector>

namespace webnn::cpu {

// How many threads of this process may run at once: at least 1.
unsigned usableProcessors();
// Their numbers; empty where the system does not provide them.
std::vector<unsigned> usableProcessorNumbers();

// Binds a thread to the i-th of those processors (modulo their number), where the system can do that.
void bindToProcessor(std::thread& thread, unsigned i);

// The pause hint of spin-wait loops.
inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace webnn::cpu
