// Descriptors that a forked child does not keep.
#pragma once

#include <memory>

#include "base/files/file_descriptor.h"

namespace webnn::service {

// A descriptor of this process: fork(2) closes it in the child, which would keep the connection of its parent open. It is none
// of the standard ones, which a program that has closed them may open and write to.
class LocalDescriptor {
 public:
  explicit LocalDescriptor(FileDescriptor descriptor);
  LocalDescriptor(LocalDescriptor&&) noexcept = default;
  LocalDescriptor& operator=(LocalDescriptor&&) noexcept = default;
  // -1 in a child that was forked since.
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
