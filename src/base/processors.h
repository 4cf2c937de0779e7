// Queries the operating system about processors and threads, binds threads to processors, and requests permission to use AMX.
// If the system does not provide the information, the queries return defaults.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

namespace webnn {

// True if the system describes processors in the files of /proc and /sys. Other builds omit the code that reads these files.
#if defined(__linux__)
inline constexpr bool kTellsInFiles = true;
#else
inline constexpr bool kTellsInFiles = false;
#endif

// Returns the number of processors that this process may use; at least 1.
unsigned allowedProcessors();

// Returns the numbers of the processors that this process may use; empty if the system does not provide them.
std::vector<unsigned> allowedProcessorNumbers();

// A set of processors.
class ProcessorSet {
 public:
  void add(unsigned processor) { words_[processor / 64] |= std::uint64_t{1} << processor % 64; }
  bool contains(unsigned processor) const { return (words_[processor / 64] >> processor % 64 & 1) != 0; }
  bool isEmpty() const { return words_ == Words{}; }
  ProcessorSet without(const ProcessorSet& others) const {
    ProcessorSet rest;
    for (std::size_t i = 0; i < words_.size(); ++i) rest.words_[i] = words_[i] & ~others.words_[i];
    return rest;
  }

 private:
  using Words = std::array<std::uint64_t, 16>;  // as many processors as the C library supports
  Words words_{};
};

// Returns whether the processor says that a hypervisor runs this system; false on other architectures than x86.
bool isVirtualMachine();

// Returns the number of the processor that runs this thread, or nullopt if the system does not tell.
std::optional<unsigned> currentProcessor();
// Returns the processors that a thread may use, or nullopt if the system does not tell.
std::optional<ProcessorSet> processorsOf(std::thread& thread);
// Set the processors that a thread, or this thread, may use. Return whether the system does so.
bool setProcessors(std::thread& thread, const ProcessorSet& processors);
bool setProcessors(const ProcessorSet& processors);

// Binds a thread to one processor. Does nothing on systems that do not support it.
void bindThread(std::thread& thread, unsigned processor);

// Returns the CPU time of this thread, or the elapsed time if the system does not measure it.
double threadSeconds();

// Requests permission for the process to use AMX tiles, and returns whether it is granted. Must be called before a thread uses
// tiles.
bool permitTiles();

// Arm64 features that only the system can report.
struct ArmFeatures {
  bool dotprod = false, i8mm = false;
};
ArmFeatures armFeatures();

// The sizes of the first-level and second-level data caches in bytes according to the C library, or 0.
struct DataCaches {
  std::size_t level1 = 0, level2 = 0;
};
DataCaches dataCachesOfLibrary();

}  // namespace webnn
