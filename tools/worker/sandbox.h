// The worker's isolation before it reads its client's first byte: beforeLibraries, beforeThreads, lockSystemCalls. In between, it
// does everything that needs files: loads libraries, examines the processor, requests AMX.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace webnn::service {

struct SandboxReport {
  std::vector<std::string> layers;   // what protects: "Landlock (ABI 7)"
  std::vector<std::string> missing;  // refused by the system: "Landlock: Function not implemented"
};

// A worker's first step. It leaves no core file, other processes of its user cannot trace it, and all descriptors except 0 to 2
// and these are closed, before libraries open their own. It exits with kAbortStatus instead of aborting, which the system ignores
// for process 1 of a namespace.
void beforeLibraries(SandboxReport& report, const std::vector<int>& descriptors);
constexpr int kAbortStatus = 134;  // as shells show a process that aborted

// Restricts this thread and its later threads to reading files below `readable`. Existing threads are not restricted, so
// libraries that start threads when loaded are loaded afterwards, from a readable path. May be called again with fewer paths.
void beforeThreads(SandboxReport& report, const std::vector<std::filesystem::path>& readable = {});

// Restricts all threads to the system calls of computation: open descriptors, non-executable memory, threads, clocks. Others kill
// the process (SIGSYS), except calls that libraries only try, which fail with EPERM; clone3 fails with ENOSYS, for which C
// libraries use clone. See system_calls.cpp. fstat(3) of older C libraries fails: use fileSize.
void lockSystemCalls(SandboxReport& report);

// The size of an open file, by a system call that is left. Throws Error.
std::uint64_t fileSize(int descriptor);

// Returns whether all steps were performed and nothing is missing.
bool isFull(const SandboxReport& report);

}  // namespace webnn::service
