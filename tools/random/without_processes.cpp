// For systems where isolation.cpp starts no processes.
#include "base/text.h"
#include "random/isolation.h"

namespace webnn::random {

namespace {

[[noreturn]] void failProcesses() {
  fail(ErrorKind::notSupportedError, "random graphs run in processes of their own, which is not supported on this system.");
}

}  // namespace

std::string isolated(const std::function<void(const std::function<void(std::string_view)>& tell)>&,
                     const std::function<void(std::string_view)>&) {
  failProcesses();
}

void setDeadline(unsigned) {}

SharedNumber::SharedNumber() { failProcesses(); }
SharedNumber::~SharedNumber() = default;

}  // namespace webnn::random
