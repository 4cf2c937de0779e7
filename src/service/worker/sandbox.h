// What a worker does to itself before it reads the first byte of its client.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace webnn::service {

struct SandboxReport {
  std::vector<std::string> layers;   // what protects: "Landlock (ABI 7)"
  std::vector<std::string> missing;  // what the system refused: "Landlock: Function not implemented"
};

// To be called while this process has one thread, and after all that needs files: libraries are loaded, the processor is
// examined, AMX is asked for. The process then leaves no core file, other processes of its user cannot trace it, all descriptors
// but 0 to 2 and these are closed, and it opens no file but those below `readable`. It ends with kAbortStatus where it would
// abort, which the system does not let process 1 of a namespace do.
void beforeThreads(SandboxReport& report, const std::vector<int>& descriptors,
                   const std::vector<std::filesystem::path>& readable = {});
constexpr int kAbortStatus = 134;  // as shells show a process that aborted

// Leaves all threads, also those made later, with the system calls that computing needs: descriptors that are open, memory
// that is not executable, threads, clocks. Others kill the process (SIGSYS), except for those that libraries try and can do
// without, which fail with EPERM; clone3 is ENOSYS, for which C libraries use clone. See
// system_calls.cpp. fstat(3) of older C libraries is one that fails: use fileSize.
void lockSystemCalls(SandboxReport& report);

// The size of an open file, by a system call that is left. Throws Error.
std::uint64_t fileSize(int descriptor);

// Whether both functions were called and nothing is missing.
bool isFull(const SandboxReport& report);

}  // namespace webnn::service
