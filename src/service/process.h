// Starts other processes and observes their end.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/files/file_descriptor.h"

namespace webnn::service {

// A started process.
struct Spawned {
  pid_t pid = -1;
  FileDescriptor pidfd{-1};          // readable when the process has ended
  std::vector<std::string> missing;  // isolation that the system refused: "user namespace: Operation not permitted"
};

struct ProgramOptions {
  std::filesystem::path program;                 // absolute
  std::vector<std::string> arguments;            // without the program's name, which is its path
  std::vector<std::pair<int, int>> descriptors;  // pairs of our descriptor and its number in the program, which gets no others
  std::vector<std::string> environment;          // all of it: "NAME=value"
};

// Starts a program from within any application, which may have threads and wait for its own children: the program is not the
// application's child, so it causes neither SIGCHLD nor wait(2) results. It has its own session (no Ctrl-C from the terminal),
// default signals, the null device as input and output unless given, and this process's descriptor 2 unless given. Throws Error
// with the reason if it does not start; its end is observed by waitFor.
Spawned spawnProgram(const ProgramOptions& options);

// The end of a process.
struct ProcessEnd {
  std::optional<int> status, signal;  // neither: another process is its parent
  std::string text() const;           // "exit status 3", "signal 31 (SIGSYS)"
};

// Returns whether the process is a child of this one, possibly ended but not reaped.
bool isChild(int pidfd);

// Returns the environment variables that backends read, for a process that runs them; none in setuid programs.
std::vector<std::string> environmentOfBackends();

// Reaps the process if it has ended and is a child of this one; nullopt while it runs.
std::optional<ProcessEnd> endOf(int pidfd);
// Waits for its end.
ProcessEnd waitFor(int pidfd);

}  // namespace webnn::service
