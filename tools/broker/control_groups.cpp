#include "broker/control_groups.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>

#include "base/control_group.h"
#include "base/files/file_descriptor.h"
#include "base/text.h"

namespace webnn::service {

namespace {

constexpr const char* kProcesses = "cgroup.procs";
constexpr const char* kDivided = "cgroup.subtree_control";

// Writes `text` to an existing file. Returns 0 or the errno.
int writeTo(const std::filesystem::path& path, const std::string& text) {
  const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file) return errno;
  const ssize_t written = ::write(file.get(), text.data(), text.size());
  return written < 0 ? errno : written == static_cast<ssize_t>(text.size()) ? 0 : EIO;
}

template <typename Item>
std::set<Item> itemsOf(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istream_iterator<Item>(file), {}};
}

}  // namespace

std::filesystem::path ownControlGroup() {
  for (const auto& folder : controlGroupFolders(ownMounts(), ownGroups())) {
    std::error_code error;
    if (std::filesystem::exists(folder / kProcesses, error)) return folder;
  }
  return {};
}

ControlGroups::ControlGroups() {
  const std::filesystem::path group = ownControlGroup();
  if (group.empty()) {
    missing_ = "there is no cgroup v2";
  } else if (!itemsOf<std::string>(group / "cgroup.controllers").contains("cpu")) {
    missing_ = "the broker's control group has no controller of processors";
  } else if (::access((group / kDivided).c_str(), W_OK) != 0) {
    missing_ = "the broker's control group is not its own";
  } else if (itemsOf<pid_t>(group / kProcesses) != std::set{::getpid()}) {
    missing_ = "the broker is not alone in its control group";
  }
  if (!missing_.empty()) return;
  std::error_code error;
  for (const auto& left : std::filesystem::directory_iterator(group, error)) {
    if (left.path().filename().string().starts_with("tenant-")) ::rmdir(left.path().c_str());
  }
  const std::filesystem::path broker = group / "broker";
  std::filesystem::create_directory(broker, error);
  int failure = error ? error.value() : writeTo(broker / kProcesses, "0");
  if (failure == 0) failure = writeTo(group / kDivided, "+cpu");
  if (failure == 0) {
    own_ = group;
    return;
  }
  missing_ = "the broker's control group cannot be divided: " + std::generic_category().message(failure);
  writeTo(group / kProcesses, "0");
  ::rmdir(broker.c_str());
}

ControlGroups::~ControlGroups() {
  if (own_.empty()) return;
  removeUnused([](std::size_t) { return false; });
  writeTo(own_ / kDivided, "-cpu");
  writeTo(own_ / kProcesses, "0");
  ::rmdir((own_ / "broker").c_str());
}

std::filesystem::path ControlGroups::folderOf(std::size_t tenant) {
  if (own_.empty()) return {};
  if (tenants_.insert(tenant).second) ::mkdir(pathOf(tenant).c_str(), 0755);
  return pathOf(tenant);
}

bool ControlGroups::remove(std::size_t tenant) const { return ::rmdir(pathOf(tenant).c_str()) == 0 || errno == ENOENT; }

}  // namespace webnn::service
