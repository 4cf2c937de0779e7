// Shares of the processor.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <set>
#include <string>

namespace webnn::service {

// The folder of this process's control group; empty if it cannot be seen.
std::filesystem::path ownControlGroup();

// A control group for each tenant that has workers, inside of the broker's own one. They weigh the same: a tenant
// with work to do gets its share of the processors, however many threads others have.
//
// For that the broker's group must be its own: delegated by systemd (Delegate=cpu), or by whoever else started it. It is if the
// broker may write it, is alone in it, and it has the controller "cpu".
class ControlGroups {
 public:
  // Of this process, which moves into a group "broker" inside of its own, since a group that is divided holds no processes. What
  // a broker that was killed has left is removed.
  ControlGroups();
  ControlGroups(const ControlGroups&) = delete;
  ControlGroups& operator=(const ControlGroups&) = delete;
  // Everything is as before, if all workers have ended.
  ~ControlGroups();

  // Why there are none; empty if there are.
  const std::string& missing() const { return missing_; }
  // The folder of the tenant with this number, made if it is not there; empty if there are none.
  std::filesystem::path folderOf(std::size_t tenant);
  // Removes those of the tenants without a worker.
  template <typename HasWorkers>
  void removeUnused(HasWorkers&& hasWorkers) {
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
