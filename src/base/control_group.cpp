#include "base/control_group.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <sstream>

namespace webnn {

namespace {

std::string readAll(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Decodes a path in mountinfo, where characters may be escaped as octal numbers: \040.
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

// Returns the part of a cgroup path below `root`, the mounted cgroup; nullopt if the cgroup is not below it.
std::optional<std::string> below(const std::string& root, const std::string& group) {
  if (root == "/") return group.substr(1);
  if (!group.starts_with(root) || (group.size() > root.size() && group[root.size()] != '/')) return std::nullopt;
  return group.substr(std::min(group.size(), root.size() + 1));
}

bool isInList(std::string_view list, std::string_view word) {
  for (std::size_t end = 0; end != list.npos; list.remove_prefix(end == list.npos ? 0 : end + 1)) {
    end = list.find(',');
    if (list.substr(0, end) == word) return true;
  }
  return false;
}

// The two versions of cgroups that limit CPU time.
enum class Version { first, second };

// Returns the cgroup path in a line "4:cpu,cpuacct:/group" (version 1) or "0::/group" (version 2). Empty if there is no such
// line, or if the path is outside this process's cgroup namespace: "/../other".
std::string groupOf(std::string_view groups, Version version) {
  std::istringstream lines{std::string(groups)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1), group = line.substr(second + 1);
    const bool isOfVersion = version == Version::second ? line.starts_with("0::") : isInList(controllers, "cpu");
    if (isOfVersion && group.starts_with('/') && !group.starts_with("/..")) return group;
  }
  return {};
}

struct GroupFolder {
  std::filesystem::path mount;
  std::string group;  // below `mount`
};

std::vector<GroupFolder> foldersOf(std::string_view mounts, std::string_view groups, Version version) {
  const std::string group = groupOf(groups, version);
  std::vector<GroupFolder> folders;
  std::istringstream lines{std::string(mounts)};
  for (std::string line; !group.empty() && std::getline(lines, line);) {
    std::istringstream words(line);
    std::string number, parent, device, root, folder, word, type, source, options;
    words >> number >> parent >> device >> root >> folder;
    while (words >> word && word != "-") {  // skips any number of optional fields
    }
    if (!(words >> type) || type != (version == Version::second ? "cgroup2" : "cgroup")) continue;
    words >> source >> options;
    if (version == Version::first && !isInList(options, "cpu")) continue;
    if (auto rest = below(unescaped(root), group)) folders.push_back({unescaped(folder), std::move(*rest)});
  }
  return folders;
}

// Parses the next word as a positive integer; nullopt for any other word.
std::optional<double> numberOf(std::istream& words) {
  std::string word;
  std::int64_t number = 0;
  if (!(words >> word)) return std::nullopt;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size() || number <= 0) return std::nullopt;
  return static_cast<double>(number);
}

// Returns the quota of one cgroup in processors; nullopt if it has no limit ("max 100000", or -1 in version 1).
std::optional<double> quotaOf(const std::filesystem::path& group, Version version) {
  std::optional<double> quota, period;
  if (version == Version::second) {
    std::ifstream file(group / "cpu.max");
    quota = numberOf(file);
    period = numberOf(file);
  } else {
    std::ifstream quotaFile(group / "cpu.cfs_quota_us"), periodFile(group / "cpu.cfs_period_us");
    quota = numberOf(quotaFile);
    period = numberOf(periodFile);
  }
  if (!quota || !period) return std::nullopt;
  return *quota / *period;
}

}  // namespace

std::string ownMounts() { return readAll("/proc/self/mountinfo"); }
std::string ownGroups() { return readAll("/proc/self/cgroup"); }

std::vector<std::filesystem::path> controlGroupFolders(std::string_view mounts, std::string_view groups) {
  std::vector<std::filesystem::path> folders;
  for (const auto& [mount, group] : foldersOf(mounts, groups, Version::second)) folders.push_back(mount / group);
  return folders;
}

std::optional<double> processorQuota(std::string_view mounts, std::string_view groups) {
  std::optional<double> least;
  for (const Version version : {Version::first, Version::second}) {
    for (const auto& [mount, group] : foldersOf(mounts, groups, version)) {
      std::filesystem::path folder = mount;
      const auto look = [&] {
        const std::optional<double> quota = quotaOf(folder, version);
        if (quota && (!least || *quota < *least)) least = quota;
      };
      look();
      for (const auto& part : std::filesystem::path(group)) {
        folder /= part;
        look();
      }
    }
  }
  return least;
}

}  // namespace webnn
