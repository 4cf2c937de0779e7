#include "backends/cpu/runtime/sleeping_workers.h"

namespace webnn::cpu {

void SleepingWorkers::fallAsleep(std::size_t i) {
  const std::optional<unsigned> processor = currentProcessor();
  places_[i].processor.store(processor ? static_cast<int>(*processor) : kNone, std::memory_order_relaxed);
}

void SleepingWorkers::wakeUp(std::size_t i) {
  places_[i].processor.store(kNone, std::memory_order_relaxed);
  if (places_[i].isMoved.load(std::memory_order_acquire)) {
    setProcessors(places_[i].usual);
    places_[i].isMoved.store(false, std::memory_order_release);
  }
}

void SleepingWorkers::spread(std::span<std::thread> workers, bool mayFollow) {
  const std::optional<unsigned> own = currentProcessor();
  if (!own) return;
  ProcessorSet taken;
  taken.add(*own);
  for (std::size_t i = 0; i < workers.size(); ++i) {
    Place& place = places_[i];
    const int processor = place.processor.load(std::memory_order_relaxed);
    if (processor == kNone) continue;
    const auto number = static_cast<unsigned>(processor);
    if (mayFollow || taken.contains(number)) keepOff(workers[i], place, taken);
    taken.add(number);
  }
}

void SleepingWorkers::keepOff(std::thread& worker, Place& place, const ProcessorSet& taken) {
  if (place.isMoved.load(std::memory_order_acquire)) return;
  const std::optional<ProcessorSet> usual = processorsOf(worker);
  if (!usual || usual->without(taken).isEmpty()) return;
  place.usual = *usual;
  // The worker may wake at any time. If it wakes before isMoved is set, it returns to its usual processors the next time.
  if (setProcessors(worker, usual->without(taken))) place.isMoved.store(true, std::memory_order_release);
}

}  // namespace webnn::cpu
