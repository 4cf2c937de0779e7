// Tests the search for cgroups and their limits, with given contents of the system's files.
#include "base/control_group.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "support/files.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

const std::string kUnified = "29 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";

// Returns the directories, separated by "; ".
std::string foldersOf(const std::string& mounts, const std::string& groups) {
  std::string text;
  for (const auto& folder : controlGroupFolders(mounts, groups)) text += (text.empty() ? "" : "; ") + folder.string();
  return text;
}

TEST(ControlGroups, AreWhereTheSystemSays) {
  EXPECT_EQ(foldersOf(kUnified, "0::/system.slice/webnn.service\n"), "/sys/fs/cgroup/system.slice/webnn.service");
  EXPECT_EQ(foldersOf(kUnified, "0::/\n"), "/sys/fs/cgroup/");
  EXPECT_EQ(foldersOf(kUnified, "0::/a b\n"), "/sys/fs/cgroup/a b");  // paths in /proc/self/cgroup have no escape sequences
  EXPECT_EQ(foldersOf(kUnified, "0::/a\\040b"), "/sys/fs/cgroup/a\\040b");
  const std::string deep = std::string(2000, 'x') + "/" + std::string(3000, 'y');
  EXPECT_EQ(foldersOf(kUnified, "0::/" + deep), "/sys/fs/cgroup/" + deep);
}

TEST(ControlGroups, OfBothVersionsSideBySide) {
  const std::string first =
      "30 29 0:27 / /sys/fs/cgroup/cpu rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
      "31 29 0:28 / /sys/fs/cgroup/systemd rw shared:8 - cgroup systemd rw,name=systemd\n";
  const std::string second = "32 29 0:29 / /sys/fs/cgroup/unified rw shared:7 - cgroup2 cgroup2 rw\n";
  const std::string groups = "4:cpu,cpuacct:/first\n1:name=systemd:/user.slice\n";
  EXPECT_EQ(foldersOf(first, groups), "");
  EXPECT_EQ(foldersOf(first, groups + "0::/second\n"), "");
  EXPECT_EQ(foldersOf(first + second, groups), "");
  EXPECT_EQ(foldersOf(first + second, groups + "0::/second\n"), "/sys/fs/cgroup/unified/second");
}

TEST(ControlGroups, OfPlacesWithOddNames) {
  const auto mounted = [](const std::string& root, const std::string& folder, const std::string& options = "rw") {
    return "29 23 0:26 " + root + " " + folder + " " + options + " - cgroup2 cgroup2 rw\n";
  };
  EXPECT_EQ(foldersOf(mounted("/", "/mnt/a\\040b\\011\\134040"), "0::/g\n"), "/mnt/a b\t\\040/g");
  EXPECT_EQ(foldersOf(mounted("/", "/mnt/\\04"), "0::/g\n"), "/mnt/\\04/g");
  EXPECT_EQ(foldersOf(mounted("/", "/mnt", "ro shared:1 master:2 propagate_from:3 unbindable"), "0::/g\n"), "/mnt/g");
  // These lines mount only a part of the cgroup hierarchy, as in a container without a cgroup namespace.
  EXPECT_EQ(foldersOf(mounted("/docker/1", "/mnt"), "0::/docker/1\n"), "/mnt/");
  EXPECT_EQ(foldersOf(mounted("/docker/1", "/mnt"), "0::/docker/1/g\n"), "/mnt/g");
  EXPECT_EQ(foldersOf(mounted("/docker\\0401", "/mnt"), "0::/docker 1/g\n"), "/mnt/g");
  for (const char* other : {"0::/docker/12\n", "0::/docker\n", "0::/\n"})
    EXPECT_EQ(foldersOf(mounted("/docker/1", "/mnt"), other), "") << other;
  EXPECT_EQ(foldersOf(mounted("/docker/1", "/other") + kUnified, "0::/docker/1/g\n"), "/other/g; /sys/fs/cgroup/docker/1/g");
}

TEST(ControlGroups, ThatCannotBeSeenAreNone) {
  EXPECT_EQ(foldersOf("", "0::/g\n"), "");
  EXPECT_EQ(foldersOf(kUnified, ""), "");
  EXPECT_EQ(foldersOf(kUnified, "0::/../other\n"), "");  // outside the process's cgroup namespace
  EXPECT_EQ(foldersOf(kUnified, "0::\n0:\n\n0::g\n"), "");
  for (const char* mounts : {"\n", "29\n", "29 23 0:26 / /sys/fs/cgroup rw\n", "29 23 0:26 / /sys/fs/cgroup rw -\n",
                             "29 23 0:26 / /cgroup2 rw - tmpfs cgroup2 rw\n", "- cgroup2\n"})
    EXPECT_EQ(foldersOf(mounts, "0::/g\n"), "") << mounts;
}

// --- The CPU quota

// Makes temporary directories in place of /sys/fs/cgroup.
class Quotas : public testing::Test {
 protected:
  void add(const std::string& group, const std::string& file, const std::string& text) {
    std::filesystem::create_directories(folder_.path() / group);
    test::writeText(folder_.path() / group / file, text);
  }
  std::string mountOf(const std::string& folder, const std::string& type, const std::string& root = "/") const {
    return "29 23 0:26 " + root + " " + (folder_.path() / folder).string() + " rw shared:4 - " + type + "\n";
  }
  static std::optional<double> quota(const std::string& mounts, const std::string& groups) {
    return processorQuota(mounts, groups);
  }

 private:
  test::TemporaryFolder folder_;
};

TEST_F(Quotas, OfTheSecondVersionAreTheLeastOfNestedGroups) {
  const std::string mounts = mountOf("", "cgroup2 cgroup2 rw");
  add("a/b/c", "cpu.max", "max 100000\n");
  EXPECT_EQ(quota(mounts, "0::/a/b/c\n"), std::nullopt);
  add("a/b", "cpu.max", "150000 100000\n");
  EXPECT_EQ(quota(mounts, "0::/a/b/c\n"), 1.5);
  EXPECT_EQ(quota(mounts, "0::/a/b\n"), 1.5);
  EXPECT_EQ(quota(mounts, "0::/a\n"), std::nullopt);
  add("a", "cpu.max", "800000 100000\n");
  add("a/b/c", "cpu.max", "20000 10000\n");
  EXPECT_EQ(quota(mounts, "0::/a/b/c\n"), 1.5);
  EXPECT_EQ(quota(mounts, "0::/a\n"), 8);
  add("a/b/c", "cpu.max", "5000 10000\n");
  EXPECT_EQ(quota(mounts, "0::/a/b/c\n"), 0.5);
  EXPECT_EQ(quota(mounts, "0::/a/b/gone\n"), 1.5);
  // Reads the quota as in a container, with and without a cgroup namespace.
  add("", "cpu.max", "300000 100000\n");
  EXPECT_EQ(quota(mounts, "0::/\n"), 3);
  EXPECT_EQ(quota(mountOf("", "cgroup2 cgroup2 rw", "/docker/1"), "0::/docker/1\n"), 3);
  EXPECT_EQ(quota(mountOf("", "cgroup2 cgroup2 rw", "/docker/1"), "0::/docker/2\n"), std::nullopt);
}

TEST_F(Quotas, OfTheFirstVersionAreThoseOfTheControllerOfProcessors) {
  const std::string groups = "9:memory:/m\n4:cpu,cpuacct:/a/b\n2:cpuset:/s\n1:name=systemd:/user.slice\n0::/second\n";
  const std::string mounts = mountOf("cpu", "cgroup cgroup rw,cpu,cpuacct") + mountOf("cpuset", "cgroup cgroup rw,cpuset") +
                             mountOf("memory", "cgroup cgroup rw,memory");
  for (const char* other : {"cpuset", "cpuset/a/b", "memory/a/b", "cpu/s", "cpu/m"}) {
    add(other, "cpu.cfs_quota_us", "1\n");
    add(other, "cpu.cfs_period_us", "100000\n");
  }
  EXPECT_EQ(quota(mounts, groups), std::nullopt);
  add("cpu/a/b", "cpu.cfs_quota_us", "-1\n");
  add("cpu/a/b", "cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(mounts, groups), std::nullopt);
  add("cpu/a", "cpu.cfs_quota_us", "250000\n");
  add("cpu/a", "cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(mounts, groups), 2.5);
  // Both versions of cgroups are mounted. Version 2 has other controllers or, with a service manager, its own limit.
  const std::string both = mounts + mountOf("unified", "cgroup2 cgroup2 rw");
  EXPECT_EQ(quota(both, groups), 2.5);
  add("unified/second", "cpu.max", "100000 100000\n");
  EXPECT_EQ(quota(both, groups), 1);
  // Docker mounts a cgroup like this if there is no cgroup namespace.
  EXPECT_EQ(quota(mountOf("cpu/a", "cgroup cgroup rw,cpuacct,cpu", "/docker/1"), "3:cpuacct,cpu:/docker/1\n"), 2.5);
}

TEST_F(Quotas, ThatMakeNoSenseAreNone) {
  const std::string mounts = mountOf("", "cgroup2 cgroup2 rw");
  EXPECT_EQ(quota("", "0::/g\n"), std::nullopt);
  EXPECT_EQ(quota(mounts, "0::/g\n"), std::nullopt);
  for (const char* text : {"", "\n", "100000", "max", "0 100000", "100000 0", "-5 100000", "x 100000", "1e5 100000",
                           "99999999999999999999 100000"}) {
    add("g", "cpu.max", text);
    EXPECT_EQ(quota(mounts, "0::/g\n"), std::nullopt) << text;
  }
  for (const char* group : {":", "::", "0:", "cpu", "4:cpu", "4:cpu:", "4:cpu:g", "0::/../g"})
    EXPECT_EQ(quota(mounts, group), std::nullopt) << group;
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
