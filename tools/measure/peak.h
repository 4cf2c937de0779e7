// Measures the processor's peak arithmetic rate, with which reports compare results.
#pragma once

#include <string>

#include "backends/cpu/runtime/isa.h"

namespace webnn::measure {

// Returns the number of processors that this process may use.
unsigned availableProcessors();

// Returns the processor's model name as the system reports it, or "unknown".
std::string processorName();

// Returns the peak float32 operations per second of multiply-adds in registers, on `threads` threads for `seconds` of CPU time
// each. The clock rate varies, so measure directly before or after the values to compare.
double measurePeak(cpu::Isa isa, unsigned threads, double seconds);

}  // namespace webnn::measure
