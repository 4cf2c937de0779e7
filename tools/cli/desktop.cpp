#include "cli/desktop.h"

#include <spawn.h>
#include <sys/wait.h>

#include <array>
#include <cstdlib>
#include <string>

extern char** environ;

namespace webnn::cli {

#ifdef __APPLE__
std::string_view fileOpener() { return "open"; }
bool hasDisplay() { return true; }
#else
std::string_view fileOpener() { return "xdg-open"; }
bool hasDisplay() {
  const auto isSet = [](const char* name) {
    const char* const value = std::getenv(name);
    return value && *value;
  };
  return isSet("DISPLAY") || isSet("WAYLAND_DISPLAY");
}
#endif

bool openFile(const std::filesystem::path& file) {
  std::string name = std::filesystem::absolute(file).string(), opener(fileOpener());
  std::array<char*, 3> arguments{opener.data(), name.data(), nullptr};
  pid_t id = 0;
  if (::posix_spawnp(&id, opener.c_str(), nullptr, nullptr, arguments.data(), environ) != 0) return false;
  int status = 0;
  return ::waitpid(id, &status, 0) == id && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace webnn::cli
