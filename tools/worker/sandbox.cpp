#include "worker/sandbox.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <iterator>
#include <system_error>

#include "base/files/file_descriptor.h"
#include "base/text.h"

namespace webnn::service {

namespace {

// landlock_ruleset_attr as in ABI 6. The system's headers may be older.
struct LandlockRules {
  std::uint64_t files, network, scopes;
};
// The ABI that added each feature.
constexpr int kLandlockTruncate = 3, kLandlockNetwork = 4, kLandlockDevices = 5, kLandlockScopes = 6;
constexpr int kLandlockLeast = 2;  // ABI of Linux 6.1

LandlockRules landlockRules(int abi) {
  LandlockRules rules{(std::uint64_t{1} << 14) - 1, 0, 0};
  if (abi >= kLandlockTruncate) rules.files |= std::uint64_t{1} << 14;
  if (abi >= kLandlockDevices) rules.files |= std::uint64_t{1} << 15;
  if (abi >= kLandlockNetwork) rules.network = 3;  // TCP bind and connect
  if (abi >= kLandlockScopes) rules.scopes = 3;    // abstract Unix sockets and signals
  return rules;
}

std::size_t landlockRulesSize(int abi) {
  return (abi >= kLandlockScopes ? 3 : abi >= kLandlockNetwork ? 2 : 1) * sizeof(std::uint64_t);
}

// Appends "layer: error text" to report.missing.
void addMissing(SandboxReport& report, std::string_view layer, int error) {
  report.missing.push_back(formatText("{}: {}", layer, std::generic_category().message(error)));
}

void addLayer(SandboxReport& report, const std::string& layer) {
  if (std::find(report.layers.begin(), report.layers.end(), layer) == report.layers.end()) report.layers.push_back(layer);
}

int allowReading(int ruleset, const std::filesystem::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!file) return errno;
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return errno;
  landlock_path_beneath_attr rule{};
  rule.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE | (S_ISDIR(status.st_mode) ? LANDLOCK_ACCESS_FS_READ_DIR : 0);
  rule.parent_fd = file.get();
  return ::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0 ? 0 : errno;
}

void refuseFiles(SandboxReport& report, const std::vector<std::filesystem::path>& readable) {
  const long abi = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (abi < kLandlockLeast) return addMissing(report, "Landlock", abi < 0 ? errno : ENOSYS);
  const LandlockRules rules = landlockRules(static_cast<int>(abi));
  const FileDescriptor ruleset(
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &rules, landlockRulesSize(static_cast<int>(abi)), 0)));
  if (!ruleset) return addMissing(report, "Landlock", errno);
  for (const std::filesystem::path& path : readable) {
    if (const int error = allowReading(ruleset.get(), path); error != 0 && !isAbsent(error))
      return addMissing(report, formatText("Landlock, {}", webnn::quoted(path.string())), error);
  }
  if (::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0) return addMissing(report, "Landlock", errno);
  addLayer(report, formatText("Landlock (ABI {})", abi));
}

void closeOthers(SandboxReport& report, std::vector<int> kept) {
  kept.insert(kept.end(), {0, 1, 2});
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  unsigned first = 0;
  for (const int descriptor : kept) {
    const unsigned number = static_cast<unsigned>(descriptor);
    if (number > first && ::syscall(SYS_close_range, first, number - 1, 0) != 0)
      return addMissing(report, "closed descriptors", errno);
    first = number + 1;
  }
  if (::syscall(SYS_close_range, first, ~0U, 0) != 0) return addMissing(report, "closed descriptors", errno);
  addLayer(report, "closed descriptors");
}

void endInsteadOfAbort(int) { ::_exit(kAbortStatus); }

}  // namespace

void beforeLibraries(SandboxReport& report, const std::vector<int>& descriptors) {
  const rlimit none{};
  if (::prctl(PR_SET_DUMPABLE, 0) != 0 || ::setrlimit(RLIMIT_CORE, &none) != 0) {
    addMissing(report, "untraceable", errno);
  } else {
    addLayer(report, "untraceable");
  }
  struct sigaction action {};
  action.sa_handler = endInsteadOfAbort;
  ::sigaction(SIGABRT, &action, nullptr);
  closeOthers(report, descriptors);
}

void beforeThreads(SandboxReport& report, const std::vector<std::filesystem::path>& readable) {
  std::error_code error;
  const auto threads = std::distance(std::filesystem::directory_iterator("/proc/self/task", error), {});
  const bool isBound = std::ranges::any_of(report.layers, [](const std::string& layer) { return layer.starts_with("Landlock"); });
  if (threads > 1 && !isBound) report.missing.push_back(formatText("Landlock: other threads began before it ({})", threads - 1));
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return addMissing(report, "no new privileges", errno);
  refuseFiles(report, readable);
}

std::uint64_t fileSize(int descriptor) {
  struct stat status {};
  if (::syscall(SYS_fstat, descriptor, &status) != 0)
    fail(ErrorKind::operationError, "the size of a file is not known ({}).", std::generic_category().message(errno));
  return static_cast<std::uint64_t>(status.st_size);
}

bool isFull(const SandboxReport& report) {
  constexpr std::size_t kLayers = 4;  // untraceable, closed descriptors, Landlock, system calls
  return report.missing.empty() && report.layers.size() == kLayers;
}

}  // namespace webnn::service
