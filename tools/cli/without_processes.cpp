// Stubs for systems without bench_process.cpp and desktop.cpp, where the tool starts no other processes.
#include <stdexcept>

#include "base/text.h"
#include "cli/bench/bench.h"
#include "cli/bench/bench_process.h"
#include "cli/desktop.h"

namespace webnn::cli {

namespace {

[[noreturn]] void failProcesses() {
  fail(ErrorKind::notSupportedError, "bench measures in processes of their own, which is not supported on this system.");
}

}  // namespace

std::vector<std::string>& ownCommand() {
  static std::vector<std::string> command{"webnn"};  // BenchProcess reads the first element
  return command;
}

BenchProcess::BenchProcess(const std::filesystem::path&, std::vector<std::string>, std::chrono::duration<double> most)
    : most_(most) {
  failProcesses();
}

BenchProcess::~BenchProcess() = default;
std::string BenchProcess::ask(std::string_view) { failProcesses(); }
std::string BenchProcess::answer() { failProcesses(); }

void contend(const BenchOptions&) { failProcesses(); }

std::string_view fileOpener() { return {}; }
bool hasDisplay() { return false; }
bool openFile(const std::filesystem::path&) { return false; }

}  // namespace webnn::cli
