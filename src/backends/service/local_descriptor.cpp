#include "backends/service/local_descriptor.h"

#include <pthread.h>

#include <mutex>
#include <utility>

#include "service/exec_plan.h"

namespace webnn::service {

namespace {

using Entry = LocalDescriptor::Entry;

// A list of all LocalDescriptors in this process, and its lock. Neither is destroyed at exit, because static contexts may be
// destroyed later than static objects of this file.
constinit std::mutex mutex;
constinit Entry* first = nullptr;

void closeInChild() {
  for (Entry* entry = first; entry; entry = entry->next) entry->descriptor.close();
  mutex.unlock();
}

[[maybe_unused]] const int registered = ::pthread_atfork([] { mutex.lock(); }, [] { mutex.unlock(); }, closeInChild);

}  // namespace

LocalDescriptor::Entry::Entry(FileDescriptor owned) : descriptor(std::move(owned)) {
  const std::lock_guard lock(mutex);
  next = std::exchange(first, this);
  if (next) next->previous = this;
}

LocalDescriptor::Entry::~Entry() {
  const std::lock_guard lock(mutex);
  (previous ? previous->next : first) = next;
  if (next) next->previous = previous;
}

LocalDescriptor::LocalDescriptor(FileDescriptor descriptor)
    : entry_(std::make_unique<Entry>(aboveStandard(std::move(descriptor)))) {}

}  // namespace webnn::service
