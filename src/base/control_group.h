// The cgroups of a process and their CPU limits.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace webnn {

// Returns this process's /proc/self/mountinfo and /proc/self/cgroup; empty if absent.
std::string ownMounts();
std::string ownGroups();

// Returns the directories in which the process's cgroup (v2) may be visible, one per cgroup mount.
std::vector<std::filesystem::path> controlGroupFolders(std::string_view mounts, std::string_view groups);

// Returns how many processors' time the process's cgroups (v1 and v2) allow: the minimum over its group and the visible enclosing
// groups; nullopt without a limit.
std::optional<double> processorQuota(std::string_view mounts, std::string_view groups);

}  // namespace webnn
