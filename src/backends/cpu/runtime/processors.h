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

// Returns how many threads of this process can run concurrently: the number of processors that it may use, limited by the
// CPU quota of its cgroup, but at least 1. The cgroup is read once.
unsigned usableProcessors();
// Returns the system's numbers of the processors that this process may use; empty if the system does not report them.
std::vector<unsigned> usableProcessorNumbers();

// Binds a thread to the i-th usable processor (modulo their number), counted from the fastest. Does nothing if unsupported.
void bindToProcessor(std::thread& thread, unsigned i);

// Exposed for tests. Returns `processors`, limited to the cgroup's CPU quota, which is in processors (such as 1.5) and is rounded
// up.
unsigned processorsWithin(std::optional<double> quota, unsigned processors);
// Parses a list such as "0-3,8" into numbers.
std::vector<unsigned> processorsIn(std::string_view list);
// Exposed for tests. Sorts processors by descending cpu_capacity, read from files as in /sys/devices/system/cpu. Processors of
// equal capacity keep their order, and so do all if the files are missing.
std::vector<unsigned> fastestFirst(const std::filesystem::path& folder, std::span<const unsigned> processors);

// Blocks while `word` equals `value`; may return early. On WebAssembly it uses the wait instruction, because libc++ would poll.
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

// Hints to the processor that this is a spin-wait loop.
inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace webnn::cpu
