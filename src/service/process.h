// Starts processes and observes their end.
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
  FileDescriptor pidfd{-1};          // readable after the process has ended
  std::vector<std::string> missing;  // isolation that the system denied: "user namespace: Operation not permitted"
};

struct ProgramOptions {
  std::filesystem::path program;       // an absolute path
  std::vector<std::string> arguments;  // arguments after argv[0], which is `program`
  // pairs (a descriptor of this process, its number in the program). Apart from 0 to 2 (see spawnProgram), the program gets no
  // other descriptors.
  std::vector<std::pair<int, int>> descriptors;
  std::vector<std::string> environment;  // the complete environment: "NAME=value"
};

// Starts a program. May be called in applications that have threads and wait for their own children. The program is not a child
// of the application, so it causes no SIGCHLD and no results of wait(2). The program has its own session (the terminal sends it
// no Ctrl-C), default signal handlers, the null device as input and output unless `descriptors` has others, and this process's
// descriptor 2 unless `descriptors` has another. Throws an Error with the reason if the program does not start. waitFor()
// observes its end.
Spawned spawnProgram(const ProgramOptions& options);

// The exit status or signal of a process that has ended.
struct ProcessEnd {
  std::optional<int> status, signal;  // neither is set if the process is not a child of this process: only its parent knows them
  std::string text() const;           // "exit status 3", "signal 31 (SIGSYS)"
};

// Returns whether `pidfd` refers to a child of this process. A child that has ended counts until it is reaped.
bool isChild(int pidfd);

// Returns the variables of this process's environment that a process with backends is given; none in setuid programs.
std::vector<std::string> environmentOfBackends();

// Returns how the process ended, and reaps it if it is a child of this process. Returns nullopt while it runs.
std::optional<ProcessEnd> endOf(int pidfd);
// Waits until the process has ended, then works like endOf().
ProcessEnd waitFor(int pidfd);

}  // namespace webnn::service
