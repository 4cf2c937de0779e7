// Stubs for systems without isolation.cpp, where no processes are started.
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
