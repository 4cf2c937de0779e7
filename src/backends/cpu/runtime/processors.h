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

// How many threads of this process may run at once: as many as it may use processors, or less where its control group has less of
// their time, but at least 1. The group is looked up once.
unsigned usableProcessors();
// Their numbers; empty where the system does not provide them.
std::vector<unsigned> usableProcessorNumbers();

// Binds a thread to the i-th of those processors (modulo their number), the fastest first where they differ, if the system can do
// that.
void bindToProcessor(std::thread& thread, unsigned i);

// The parts of these functions, for tests.
// Processors whose time is `quota`, if that is less.
unsigned processorsWithin(std::optional<double> quota, unsigned processors);
// "0-3,8": the numbers in a list of the system.
std::vector<unsigned> processorsIn(std::string_view list);
// By files as in /sys/devices/system/cpu, the fastest first; those of the same kind, and all where it does not say, in their
// order.
std::vector<unsigned> fastestFirst(const std::filesystem::path& folder, std::span<const unsigned> processors);

// Waits while `word` has the value, and may return early; wakes all that wait. libc++ polls in WebAssembly.
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
