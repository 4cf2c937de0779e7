// The cgroups of a process and their CPU limits.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace webnn {

// Return the contents of /proc/self/mountinfo and /proc/self/cgroup, which the functions below parse; empty if absent.
std::string ownMounts();
std::string ownGroups();

// Returns the directories in which the process's cgroup (version 2) may be visible, one per cgroup mount.
std::vector<std::filesystem::path> controlGroupFolders(std::string_view mounts, std::string_view groups);

// Returns the CPU time that the process's cgroups (versions 1 and 2) allow, in processors: the minimum over its cgroup and all
// visible enclosing cgroups. Returns nullopt if none has a limit.
std::optional<double> processorQuota(std::string_view mounts, std::string_view groups);

}  // namespace webnn
