// Descriptors that are closed in forked children.
#pragma once

#include <memory>

#include "base/files/file_descriptor.h"

namespace webnn::service {

// A descriptor of this process, closed by a child after fork(2), which would otherwise keep the parent's connection open. Never a
// standard descriptor, which a program that has closed them may reopen and write to.
class LocalDescriptor {
 public:
  explicit LocalDescriptor(FileDescriptor descriptor);
  LocalDescriptor(LocalDescriptor&&) noexcept = default;
  LocalDescriptor& operator=(LocalDescriptor&&) noexcept = default;
  // Returns -1 in a child forked since.
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
