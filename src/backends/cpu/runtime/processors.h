// The processors that this process may use.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <thread>
#include <vector>

namespace webnn::cpu {

// Returns how many threads of this process can run at once: the number of processors that it may use, limited by the CPU time of
// its cgroup, but at least 1. The cgroup is read once.
unsigned usableProcessors();
// Returns their numbers; empty if the system does not provide them.
std::vector<unsigned> usableProcessorNumbers();

// Binds a thread to the i-th of those processors (modulo their number), fastest first, if the system supports it.
void bindToProcessor(std::thread& thread, unsigned i);

// Exposed for tests: limits a number of processors to the CPU time `quota`.
unsigned processorsWithin(std::optional<double> quota, unsigned processors);
// Parses a list such as "0-3,8".
std::vector<unsigned> processorsIn(std::string_view list);
// Sorts by files as in /sys/devices/system/cpu, fastest first. Equal processors, and all if the files are missing, keep their
// order.
std::vector<unsigned> fastestFirst(const std::filesystem::path& folder, std::span<const unsigned> processors);

// Waits while `word` has the value; may return early and wakes all waiters. libc++ polls in WebAssembly.
inline void waitWhile(const std::atomic<std::uint32_t>& word, std::uint32_t value) {
#if defined(__EMSCRIPTEN_PTHREADS__)
  __builtin_wasm_memory_atomic_wait32(reinterpret_cast<int*>(const_cast<std::atomic<std::uint32_t>*>(&word)),
                                      static_cast<int>(value), -1);
#else
  word.wait(value);
#endif
}
inline void wakeAll(std::atomic<std::uint32_t>& word) {
#if defined(__EMSCRIPTEN_PTHREADS__)
  __builtin_wasm_memory_atomic_notify(reinterpret_cast<int*>(&word), ~0U);
#else
  word.notify_all();
#endif
}

// The pause hint of spin-wait loops.
inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace webnn::cpu
