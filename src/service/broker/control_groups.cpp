#include "service/broker/control_groups.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>

#include "base/file_descriptor.h"
#include "base/text.h"

namespace webnn::service {

namespace {

constexpr const char* kProcesses = "cgroup.procs";
constexpr const char* kDivided = "cgroup.subtree_control";

// 0, or the error.
int writeTo(const std::filesystem::path& path, const std::string& text) {
  const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  return file && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : errno;
}

// A path of mountinfo, where what is special is three octal digits: \040.
std::string unescaped(std::string_view word) {
  const auto isOctal = [](char c) { return c >= '0' && c <= '7'; };
  std::string text;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] != '\\' || word.size() - i < 4 || !std::all_of(word.begin() + i + 1, word.begin() + i + 4, isOctal)) {
      text += word[i];
      continue;
    }
    text += static_cast<char>((word[i + 1] - '0') * 64 + (word[i + 2] - '0') * 8 + (word[i + 3] - '0'));
    i += 3;
  }
  return text;
}

// What of the group is below `root`, which is mounted; nullopt if it is elsewhere.
std::optional<std::string> below(const std::string& root, const std::string& group) {
  if (root == "/") return group.substr(1);
  if (!group.starts_with(root) || (group.size() > root.size() && group[root.size()] != '/')) return std::nullopt;
  return group.substr(std::min(group.size(), root.size() + 1));
}

// Of cgroup v2; empty if there is none. It may be outside of what this process's namespace shows: "/../other".
std::string groupOf(std::string_view groups) {
  std::istringstream lines{std::string(groups)};
  for (std::string line; std::getline(lines, line);) {
    constexpr std::string_view kPrefix = "0::";
    if (line.starts_with("0::/") && !line.starts_with("0::/..")) return line.substr(kPrefix.size());
  }
  return {};
}

std::string readAll(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

template <typename Item>
std::set<Item> itemsOf(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istream_iterator<Item>(file), {}};
}

}  // namespace

std::vector<std::filesystem::path> controlGroupFolders(std::string_view mounts, std::string_view groups) {
  const std::string group = groupOf(groups);
  std::vector<std::filesystem::path> folders;
  std::istringstream lines{std::string(mounts)};
  for (std::string line; !group.empty() && std::getline(lines, line);) {
    std::istringstream words(line);
    std::string number, parent, device, root, folder, word, type;
    words >> number >> parent >> device >> root >> folder;
    while (words >> word && word != "-") {  // options, of which there are any number
    }
    if (!(words >> type) || type != "cgroup2") continue;
    if (const auto rest = below(unescaped(root), group)) folders.push_back(std::filesystem::path(unescaped(folder)) / *rest);
  }
  return folders;
}

std::filesystem::path ownControlGroup() {
  for (const auto& folder : controlGroupFolders(readAll("/proc/self/mountinfo"), readAll("/proc/self/cgroup"))) {
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
