// The operating system's information about processors and threads, with defaults for systems without it.
#pragma once

#include <cstddef>
#include <thread>
#include <vector>

namespace webnn {

// Defined if the system describes processors in files, /proc and /sys. WebAssembly leaves out code that reads them.
#if defined(__linux__)
inline constexpr bool kTellsInFiles = true;
#else
inline constexpr bool kTellsInFiles = false;
#endif

// Returns how many processors this process may use; at least 1.
unsigned allowedProcessors();

// Returns their numbers; empty if the system does not provide them.
std::vector<unsigned> allowedProcessorNumbers();

// Binds the thread to one processor.
void bindThread(std::thread& thread, unsigned processor);

// Returns this thread's CPU time, or the elapsed time if the system has none.
double threadSeconds();

// Requests permission for AMX tiles: once per process, before threads use them.
bool permitTiles();

// Arm64 features that programs can only learn from the system.
struct ArmFeatures {
  bool dotprod = false, i8mm = false;
};
ArmFeatures armFeatures();

// Bytes of the first and second-level data caches according to the C library, or 0.
struct DataCaches {
  std::size_t level1 = 0, level2 = 0;
};
DataCaches dataCachesOfLibrary();

}  // namespace webnn
