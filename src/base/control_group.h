// Control groups (cgroups) of a process, and what they leave to it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace webnn {

// What the system says of this process's mounts and its groups (/proc/self/mountinfo and /proc/self/cgroup); empty where it does
// not.
std::string ownMounts();
std::string ownGroups();

// Where the control group (cgroup v2) of a process may be seen, by what the system says of its mounts and its groups: once for
// each place where such groups are mounted.
std::vector<std::filesystem::path> controlGroupFolders(std::string_view mounts, std::string_view groups);

// How many processors' time the groups of a process leave to it, of both versions: the least of its group and the groups around
// that, as far as they can be seen; nullopt if it is not limited.
std::optional<double> processorQuota(std::string_view mounts, std::string_view groups);

}  // namespace webnn
