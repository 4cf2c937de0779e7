// What a worker does to itself before it reads the first byte of its client: beforeLibraries, beforeThreads, lockSystemCalls.
// In between it does what needs files: loads libraries, examines the processor, asks for AMX.
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

// The first that a worker does. It leaves no core file, other processes of its user cannot trace it, and all descriptors but 0
// to 2 and these are closed: not later, for libraries open some of their own. It ends with kAbortStatus where it would abort,
// which the system does not let process 1 of a namespace do.
void beforeLibraries(SandboxReport& report, const std::vector<int>& descriptors);
constexpr int kAbortStatus = 134;  // as shells show a process that aborted

// From now on this thread and those that it makes open no file but those below `readable`, and these only to read. Threads that
// are there already are not bound: a library that starts some when it is loaded is loaded after this, from a readable path. May
// be called again, with less.
void beforeThreads(SandboxReport& report, const std::vector<std::filesystem::path>& readable = {});

// Leaves all threads, also those made later, with the system calls that computing needs: descriptors that are open, memory
// that is not executable, threads, clocks. Others kill the process (SIGSYS), except for those that libraries try and can do
// without, which fail with EPERM; clone3 is ENOSYS, for which C libraries use clone. See
// system_calls.cpp. fstat(3) of older C libraries is one that fails: use fileSize.
void lockSystemCalls(SandboxReport& report);

// The size of an open file, by a system call that is left. Throws Error.
std::uint64_t fileSize(int descriptor);

// Whether all of them were called and nothing is missing.
bool isFull(const SandboxReport& report);

}  // namespace webnn::service
