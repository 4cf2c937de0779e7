// What the processor can do at most, for reports of measurements.
#pragma once

#include <string>

#include "backends/cpu/runtime/isa.h"

namespace webnn::measure {

// How many processors this process may run on at once.
unsigned availableProcessors();

// As the system calls it, or "unknown".
std::string processorName();

// Float32 operations per second of multiply-adds in registers, on that many threads at once, measured for that many seconds of
// their own time. It follows the processor's clock: measure beside what is compared with it, and often.
double measurePeak(cpu::Isa isa, unsigned threads, double seconds);

}  // namespace webnn::measure
