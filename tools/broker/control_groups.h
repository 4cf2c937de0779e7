// One cgroup per tenant, for fair CPU shares.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <set>
#include <string>

namespace webnn::service {

// Returns the directory of this process's cgroup; empty if it is not visible.
std::filesystem::path ownControlGroup();

// One cgroup per tenant that has workers, inside the broker's cgroup. All groups have equal weight, so that a tenant gets its
// fair CPU share, however many threads other tenants run. Requires that systemd (Delegate=cpu) or another starter gave the broker
// a cgroup of its own: writable, without other processes, and with the controller "cpu".
class ControlGroups {
 public:
  // Moves this process into a child group "broker", because a cgroup with divided controllers may hold no processes. Removes
  // groups that remain from an earlier broker that was killed.
  ControlGroups();
  ControlGroups(const ControlGroups&) = delete;
  ControlGroups& operator=(const ControlGroups&) = delete;
  // Undoes the constructor's changes if all workers have ended.
  ~ControlGroups();

  // Returns the reason why there are no groups; empty if there are groups.
  const std::string& missing() const { return missing_; }
  // Returns the cgroup directory of tenant number `tenant`, created if necessary; empty if there are no groups.
  std::filesystem::path folderOf(std::size_t tenant);
  // Removes the groups of tenants without a worker.
  void removeUnused(auto&& hasWorkers) {
    std::erase_if(tenants_, [&](std::size_t tenant) { return !hasWorkers(tenant) && remove(tenant); });
  }

 private:
  std::filesystem::path pathOf(std::size_t tenant) const { return own_ / ("tenant-" + std::to_string(tenant)); }
  bool remove(std::size_t tenant) const;

  std::filesystem::path own_;
  std::set<std::size_t> tenants_;
  std::string missing_;
};

}  // namespace webnn::service
