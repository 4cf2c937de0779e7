// Runs work in a separate process, so that a crash or hang does not affect this process.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace webnn::random {

// Runs `work` in a child process. Text passed to `tell` there is passed to `hear` here, in pieces of any length. Returns how the
// process ended: empty if `work` returned, else text such as "died of signal 11 (Segmentation fault)". When called, no other
// thread may hold a lock that `work` needs.
std::string isolated(const std::function<void(const std::function<void(std::string_view)>& tell)>& work,
                     const std::function<void(std::string_view)>& hear);

// A number in memory shared with child processes; initially 0.
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

// Call in a child process. Ends the process unless setDeadline() is called again within `seconds`.
void setDeadline(unsigned seconds);

}  // namespace webnn::random
