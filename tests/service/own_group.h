// Creates a cgroup (version 2) for processes under test.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "broker/control_groups.h"

namespace webnn::test {

inline std::set<std::string> wordsOf(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istream_iterator<std::string>(file), {}};
}
inline void writeLine(const std::filesystem::path& path, const std::string& line) { std::ofstream(path) << line << std::flush; }

// A child of this process's cgroup, with the controller "cpu". Requires permission to create it.
class OwnGroup {
 public:
  OwnGroup() {
    if (parent_.empty()) return;
    writeLine(parent_ / "cgroup.subtree_control", "+cpu");
    path_ = parent_ / ("webnn-test-" + std::to_string(::getpid()));
    std::error_code error;
    std::filesystem::create_directory(path_, error);
    if (wordsOf(path_ / "cgroup.controllers").contains("cpu") && ::access((path_ / "cgroup.procs").c_str(), W_OK) == 0) return;
    ::rmdir(path_.c_str());
    path_.clear();
  }
  OwnGroup(const OwnGroup&) = delete;
  OwnGroup& operator=(const OwnGroup&) = delete;
  ~OwnGroup() {
    if (path_.empty()) return;
    for (const std::string& part : parts()) ::rmdir((path_ / part).c_str());
    ::rmdir(path_.c_str());
  }

  // Returns the path, which is empty if the cgroup could not be created.
  const std::filesystem::path& path() const { return path_; }
  // Moves the calling process into the cgroup, or into its child `part`.
  void enter(const std::string& part = "") const { writeLine(path_ / part / "cgroup.procs", "0"); }
  void leave() const { writeLine(parent_ / "cgroup.procs", "0"); }
  std::set<std::string> parts() const {
    std::set<std::string> names;
    for (const auto& item : std::filesystem::directory_iterator(path_)) {
      if (item.is_directory()) names.insert(item.path().filename().string());
    }
    return names;
  }

 private:
  const std::filesystem::path parent_ = service::ownControlGroup();
  std::filesystem::path path_;
};

}  // namespace webnn::test
