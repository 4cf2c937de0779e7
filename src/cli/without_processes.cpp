// For systems where bench_process.cpp starts no processes.
#include <stdexcept>

#include "base/text.h"
#include "cli/bench.h"
#include "cli/bench_process.h"

namespace webnn::cli {

namespace {

[[noreturn]] void failProcesses() {
  fail(ErrorKind::notSupportedError, "bench measures in processes of their own, which is not supported on this system.");
}

}  // namespace

std::vector<std::string>& ownCommand() {
  static std::vector<std::string> command;
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

}  // namespace webnn::cli
