// Other processes: how they are started and how they ended.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/files/file_descriptor.h"

namespace webnn::service {

// A process that was started.
struct Spawned {
  pid_t pid = -1;
  FileDescriptor pidfd{-1};          // readable when the process has ended
  std::vector<std::string> missing;  // isolation that the system refused: "user namespace: Operation not permitted"
};

struct ProgramOptions {
  std::filesystem::path program;                 // absolute
  std::vector<std::string> arguments;            // without the program's name, which is its path
  std::vector<std::pair<int, int>> descriptors;  // ours, and its number in the program, which gets no others
  std::vector<std::string> environment;          // all of it: "NAME=value"
};

// Starts a program from inside of any application, which may have threads and wait for children of its own: the program is
// nobody's child, so that neither SIGCHLD nor wait(2) tells the application of it. It has a session of its own (Ctrl-C in a
// terminal is not for it), default signals, the null device as input and output unless given, and this process's descriptor 2
// unless given. Throws Error with the reason if it does not start; knows nothing of how it ends (see waitFor).
Spawned spawnProgram(const ProgramOptions& options);

// How a process ended.
struct ProcessEnd {
  std::optional<int> status, signal;  // neither: somebody else is its parent
  std::string text() const;           // "exit status 3", "signal 31 (SIGSYS)"
};

// Whether the process is a child of this one, which may have ended and is not reaped yet.
bool isChild(int pidfd);

// What backends read of this process's environment, for a process that runs them; nothing where the program is setuid.
std::vector<std::string> environmentOfBackends();

// Reaps the process if it has ended and is a child of this one; nothing while it runs.
std::optional<ProcessEnd> endOf(int pidfd);
// Waits for its end.
ProcessEnd waitFor(int pidfd);

}  // namespace webnn::service
