// Work in a process of its own, which may crash or hang without harm to this one.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace webnn::random {

// Runs `work` in a child process. `tell` sends text to `hear` here, in pieces of any length. Returns how the process ended: empty
// if `work` returned, else "died of signal 11 (Segmentation fault)" or the like. No thread of this process may hold locks that
// `work` needs.
std::string isolated(const std::function<void(const std::function<void(std::string_view)>& tell)>& work,
                     const std::function<void(std::string_view)>& hear);

// A number in memory that this process and its children share; 0 at first.
class SharedNumber {
 public:
  SharedNumber();
  ~SharedNumber();
  SharedNumber(const SharedNumber&) = delete;
  SharedNumber& operator=(const SharedNumber&) = delete;
  volatile std::uint64_t& operator*() { return *static_cast<volatile std::uint64_t*>(memory_); }

 private:
  void* memory_ = nullptr;
};

// In a child process: ends it unless this is called again within so many seconds.
void setDeadline(unsigned seconds);

}  // namespace webnn::random
