// What the operating system says of processors and threads. Systems that do not say have a plain answer.
#pragma once

#include <cstddef>
#include <thread>
#include <vector>

namespace webnn {

// Whether the system tells of processors in files, /proc and /sys. Who asks it first leaves what reads files out of WebAssembly.
#if defined(__linux__)
inline constexpr bool kTellsInFiles = true;
#else
inline constexpr bool kTellsInFiles = false;
#endif

// How many processors this process may use; at least 1.
unsigned allowedProcessors();

// Their numbers; empty where the system does not provide them.
std::vector<unsigned> allowedProcessorNumbers();

// Lets the thread run on the processor of such a number alone.
void bindThread(std::thread& thread, unsigned processor);

// The time of this thread, without what others took of it; where the system does not know, the time that has passed.
double threadSeconds();

// Asks for the tiles of AMX: once per process, before its threads use them.
bool permitTiles();

// Features of 64-bit Arm that programs cannot ask the processor for.
struct ArmFeatures {
  bool dotprod = false, i8mm = false;
};
ArmFeatures armFeatures();

// Bytes of the caches of first and second level of data, as the C library knows them, or 0.
struct DataCaches {
  std::size_t level1 = 0, level2 = 0;
};
DataCaches dataCachesOfLibrary();

}  // namespace webnn
