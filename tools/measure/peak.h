// Measures the processor's peak for reports.
#pragma once

#include <string>

#include "backends/cpu/runtime/isa.h"

namespace webnn::measure {

// Returns how many processors this process can use at once.
unsigned availableProcessors();

// Returns the system's name of the processor, or "unknown".
std::string processorName();

// Returns float32 operations per second of multiply-adds in registers, on that many threads for that many seconds of CPU time.
// The peak follows the clock rate, so measure it close to the compared values, and often.
double measurePeak(cpu::Isa isa, unsigned threads, double seconds);

}  // namespace webnn::measure
