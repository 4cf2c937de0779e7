// The page of memory through which a worker reports to its broker.
#pragma once

#include <atomic>
#include <cstdint>

namespace webnn::service {

enum class Phase : std::uint32_t { starting, idle, building, running };

// The worker, which is not trusted, writes this page. The broker therefore measures memory and time itself. It uses only values
// of this page that, if they are wrong, can harm only the worker's own work.
struct WorkerStatus {
  std::atomic<Phase> run;           // idle or running
  std::atomic<Phase> build;         // starting, idle or building
  std::atomic<std::uint32_t> runs;  // number of started runs
  std::atomic<std::uint32_t> builds;
  std::atomic<std::uint64_t> sharedBytes;
  std::atomic<std::uint32_t> hasContext;
  char text[1024];  // the reason why the worker ends, if it ends by itself
};

}  // namespace webnn::service
