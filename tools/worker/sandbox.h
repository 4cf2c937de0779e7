// Isolates a worker before it reads the first byte from its client. Call beforeLibraries, beforeThreads and lockSystemCalls in
// this order. Between these calls, the worker does all work that needs files: it loads libraries, examines the processor and
// requests AMX.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace webnn::service {

struct SandboxReport {
  std::vector<std::string> layers;   // active protections, such as "Landlock (ABI 7)"
  std::vector<std::string> missing;  // protections that the system refused: "Landlock: Function not implemented"
};

// Must be called first in a worker. Disables core files and tracing by processes of the same user. Closes all descriptors except
// 0 to 2 and `descriptors`, before libraries open their own. Makes abort() exit with kAbortStatus, because the system ignores
// SIGABRT for process 1 of a namespace.
void beforeLibraries(SandboxReport& report, const std::vector<int>& descriptors);
constexpr int kAbortStatus = 134;  // the status by which shells show an abort: 128 + SIGABRT

// Restricts this thread, and threads that it creates later, to reading files below `readable`. Threads that already run are not
// restricted. Libraries that start threads when they are loaded must therefore be loaded afterwards, from a readable path. A
// second call may remove paths. Also sets no_new_privs, which lockSystemCalls needs.
void beforeThreads(SandboxReport& report, const std::vector<std::filesystem::path>& readable = {});

// Restricts all threads to the system calls that computing needs: open descriptors, non-executable memory, threads, clocks. Calls
// that libraries try but do not need fail with EPERM. clone3, and calls newer than Linux 5.15, fail with ENOSYS, so that C
// libraries use older calls. All other calls kill the process (SIGSYS). See system_calls.cpp. fstat(3) of older C libraries
// fails: use fileSize.
void lockSystemCalls(SandboxReport& report);

// Returns the size of an open file, using a permitted system call. Throws Error.
std::uint64_t fileSize(int descriptor);

// Returns whether all four protections are active and none is missing.
bool isFull(const SandboxReport& report);

}  // namespace webnn::service
