// Shares of the processor.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <set>
#include <string>

namespace webnn::service {

// Returns the directory of this process's cgroup; empty if it is not visible.
std::filesystem::path ownControlGroup();

// A cgroup per tenant with workers, inside the broker's. All have equal weight: a tenant gets its fair CPU share, however many
// threads others have.
// Requires a dedicated cgroup for the broker, delegated by systemd (Delegate=cpu) or another starter: writable, without other
// processes, and with the controller "cpu".
class ControlGroups {
 public:
  // Moves this process into a child group "broker", because a divided cgroup may hold no processes. Removes the groups that a
  // killed broker left.
  ControlGroups();
  ControlGroups(const ControlGroups&) = delete;
  ControlGroups& operator=(const ControlGroups&) = delete;
  // Everything is as before, if all workers have ended.
  ~ControlGroups();

  // Returns the reason if there are no groups; else empty.
  const std::string& missing() const { return missing_; }
  // Returns the directory of the tenant with this number, created if necessary; empty if there are no groups.
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
