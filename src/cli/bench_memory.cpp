// The memory that a model takes on a backend, measured in a process of its own so that peaks do not mix.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <fstream>

#include "cli/bench.h"
#include "cli/bench_buffers.h"
#include "context/graph_state.h"

extern char** environ;

namespace webnn::cli {

namespace {

// A line "NAME:   1234 kB" of /proc/self/status, in bytes; 0 if there is none.
std::uint64_t statusBytes(std::string_view name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name) && line[name.size()] == ':') return std::stoull(line.substr(name.size() + 1)) * 1024;
  }
  return 0;
}

// What the program writes to its standard output; empty if it fails. Its complaints are dropped: who runs it does the same
// work again and meets them.
std::string outputOf(const std::vector<std::string>& arguments) {
  int ends[2];
  if (::pipe(ends) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t child = 0;
  const int failed = ::posix_spawn(&child, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  std::string text;
  char bytes[256];
  for (ssize_t count = 0; failed == 0 && (count = ::read(ends[0], bytes, sizeof(bytes))) > 0;)
    text.append(bytes, static_cast<std::size_t>(count));
  ::close(ends[0]);
  int status = 0;
  if (failed != 0 || ::waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != kFine) return {};
  return text;
}

}  // namespace

std::uint64_t peakMemoryOf(const BenchOptions& options, const std::filesystem::path& model, const std::string& backend,
                           std::uint32_t threads) {
  std::vector<std::string> arguments{"webnn", "bench",     "--measure-memory",     "--backends",
                                     backend, "--threads", std::to_string(threads)};
  const auto add = [&](const char* option, const std::vector<std::string>& values) {
    for (const std::string& value : values) arguments.insert(arguments.end(), {option, value});
  };
  add("--backend-option", options.settings);
  add("--dim", options.dimensions);
  add("--value", options.values);
  arguments.insert(arguments.end(), {"--", model.string()});
  const std::string text = outputOf(arguments);
  std::uint64_t bytes = 0;
  std::from_chars(text.data(), text.data() + text.size(), bytes);
  return bytes;
}

std::uint64_t measurePeakMemory(const BenchOptions& options) {
  Context context = makeContext(backendOf(options, options.backends.at(0), options.threads.at(0)));
  const std::uint64_t before = statusBytes("VmRSS");
  ModelOptions model;
  model.model = options.models.at(0);
  model.dimensions = options.dimensions;
  model.values = options.values;
  const Graph graph = loadModel(context, model);
  BenchBuffers(graph).run(*graph.state()->executable());
  const std::uint64_t peak = statusBytes("VmHWM");
  return peak > before ? peak - before : 0;
}

}  // namespace webnn::cli
