// Starts and observes processes in tests of the service.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/files/file_descriptor.h"
#include "service/process.h"

namespace webnn::test {

constexpr int kDeadline = 60'000;  // in milliseconds; long, because the machine may be busy

struct Pipe {
  Pipe() : read(-1), write(-1) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe2 failed");
    read = FileDescriptor(ends[0]);
    write = FileDescriptor(ends[1]);
  }
  FileDescriptor read, write;
};

inline bool isReadable(int descriptor, int milliseconds = kDeadline) {
  pollfd readable{descriptor, POLLIN, 0};
  return ::poll(&readable, 1, milliseconds) > 0;
}

// Polls a condition, for events without a notification. Returns whether it became true in time.
inline bool becomesTrue(const std::function<bool()>& is, int milliseconds = kDeadline) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  while (!is()) {
    if (std::chrono::steady_clock::now() > end) return false;
    ::poll(nullptr, 0, 1);
  }
  return true;
}

inline std::vector<pid_t> childrenOf(pid_t process) {
  const std::string path = "/proc/" + std::to_string(process);
  std::ifstream file(path + "/task/" + std::to_string(process) + "/children");
  return {std::istream_iterator<pid_t>(file), {}};
}

// Reads until all writers have closed the pipe. Throws if no data arrive before the deadline.
inline std::string readAll(int descriptor) {
  std::string text;
  char bytes[4096];
  for (;;) {
    if (!isReadable(descriptor)) throw std::runtime_error("nobody writes, and somebody may; so far: " + text);
    const ssize_t size = ::read(descriptor, bytes, sizeof bytes);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return text;
    text.append(bytes, static_cast<std::size_t>(size));
  }
}

// Reads one line. Returns what came until the end of the line, the end of the pipe or the deadline.
inline std::string readLine(int descriptor) {
  std::string line;
  for (char byte = 0; isReadable(descriptor) && ::read(descriptor, &byte, 1) == 1 && byte != '\n';) line += byte;
  return line;
}

// Lines of the form "name value", by name.
using Lines = std::map<std::string, std::vector<std::string>>;
inline Lines linesOf(const std::string& text) {
  Lines lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size()), space = std::min(text.find(' ', begin), end);
    lines[text.substr(begin, space - begin)].push_back(text.substr(std::min(space + 1, end), end - std::min(space + 1, end)));
    begin = end + 1;
  }
  return lines;
}
inline std::string only(const Lines& lines, const std::string& name) {
  const auto found = lines.find(name);
  return found == lines.end() ? "(none)" : found->second.size() == 1 ? found->second[0] : "(several)";
}

// Runs `work` in a forked child. Returns its result or the text of its exception.
inline std::string inChild(const std::function<std::string()>& work) {
  const Pipe pipe;
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    std::string text;
    try {
      text = work();
    } catch (const std::exception& error) {
      text = std::string("error: ") + error.what();
    }
    ::_exit(::write(pipe.write.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 1);
  }
  const_cast<FileDescriptor&>(pipe.write).close();
  std::string text = readAll(pipe.read.get());
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) text += "(signal " + std::to_string(WTERMSIG(status)) + ")";
  return text;
}

// Returns whether a child process can change to another user. Root can, except in a container without other users.
inline bool canBecome(uid_t user) {
  return ::geteuid() == 0 && inChild([=] { return std::string(::setresuid(user, user, user) == 0 ? "yes" : "no"); }) == "yes";
}

inline std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += text + ";";
  return all;
}

}  // namespace webnn::test
