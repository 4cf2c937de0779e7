#pragma once

#include <memory>

#include "base/files/file_descriptor.h"

namespace webnn::service {

// A file descriptor that a child closes after fork(2), because an inherited copy would keep the parent's connection open. It is
// never 0, 1 or 2: programs that have closed these may reopen and write to them.
class LocalDescriptor {
 public:
  explicit LocalDescriptor(FileDescriptor descriptor);
  LocalDescriptor(LocalDescriptor&&) noexcept = default;
  LocalDescriptor& operator=(LocalDescriptor&&) noexcept = default;
  // Returns -1 in a forked child.
  int get() const { return entry_ ? entry_->descriptor.get() : -1; }

  struct Entry {
    explicit Entry(FileDescriptor owned);
    ~Entry();
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;
    FileDescriptor descriptor;
    Entry *previous = nullptr, *next = nullptr;
  };

 private:
  std::unique_ptr<Entry> entry_;
};

}  // namespace webnn::service
