// Tenants' shares of the processors. That they get them: `make fairness`.
#include <gtest/gtest.h>

#include "service/own_group.h"
#include "service/raw_client.h"
#include "support/support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

const std::string kTenants =
    "\"tenants\": [{\"name\": \"../a\", \"token\": \"" + kHashA + "\"}, {\"name\": \"b\", \"token\": \"" + kHashB + "\"}]";

// What the system says of a process's group.
std::string groupOf(pid_t process) {
  const std::string text = readText("/proc/" + std::to_string(process) + "/cgroup");
  const std::size_t begin = text.find("0::/");
  return begin == std::string::npos ? "(none)" : text.substr(begin + 3, text.find('\n', begin) - begin - 3);
}
bool isIn(pid_t process, const OwnGroup& group, const std::string& part = "") {
  return groupOf(process).ends_with("/" + group.path().filename().string() + (part.empty() ? "" : "/" + part));
}

pid_t lastWorker(TestService& service) {
  const std::string log = service.log();
  const std::size_t place = log.rfind("\"worker\":");
  return place == std::string::npos ? -1 : std::stoi(log.substr(place + 9));
}

#define SKIP_WITHOUT_GROUPS(group) \
  if ((group).path().empty()) GTEST_SKIP() << "needs cgroup v2 with the controller of processors, and the right to make groups"

const std::string kUnified = "29 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";

// "; "-separated.
std::string foldersOf(const std::string& mounts, const std::string& groups) {
  std::string text;
  for (const auto& folder : service::controlGroupFolders(mounts, groups)) text += (text.empty() ? "" : "; ") + folder.string();
  return text;
}

TEST(ControlGroups, AreWhereTheSystemSays) {
  EXPECT_EQ(foldersOf(kUnified, "0::/system.slice/webnn.service\n"), "/sys/fs/cgroup/system.slice/webnn.service");
  EXPECT_EQ(foldersOf(kUnified, "0::/\n"), "/sys/fs/cgroup/");
  EXPECT_EQ(foldersOf(kUnified, "0::/a b\n"), "/sys/fs/cgroup/a b");  // as it is called
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
  // A part of all groups, as in a container without a namespace for them.
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
  EXPECT_EQ(foldersOf(kUnified, "0::/../other\n"), "");  // outside of the process's namespace
  EXPECT_EQ(foldersOf(kUnified, "0::\n0:\n\n0::g\n"), "");
  for (const char* mounts : {"\n", "29\n", "29 23 0:26 / /sys/fs/cgroup rw\n", "29 23 0:26 / /sys/fs/cgroup rw -\n",
                             "29 23 0:26 / /cgroup2 rw - tmpfs cgroup2 rw\n", "- cgroup2\n"})
    EXPECT_EQ(foldersOf(mounts, "0::/g\n"), "") << mounts;
}

TEST(ControlGroups, EachTenantHasOneAsLongAsItHasWorkers) {
  const OwnGroup group;
  SKIP_WITHOUT_GROUPS(group);
  const TestService::Prepare enter = [&](const auto&) { group.enter(); };
  TestService service(kTenants, enter);
  EXPECT_NE(service.log().find(R"("shares":"of control groups")"), std::string::npos) << service.log();
  EXPECT_TRUE(isIn(service.process(), group, "broker"));
  EXPECT_EQ(group.parts(), std::set<std::string>{"broker"});
  {
    const RawClient a(service.path(), kTokenA);
    EXPECT_EQ(a.welcome(), "W");
    EXPECT_TRUE(isIn(lastWorker(service), group, "tenant-0"));
    const RawClient again(service.path(), kTokenA);
    EXPECT_EQ(again.welcome(), "W");
    EXPECT_TRUE(isIn(lastWorker(service), group, "tenant-0"));
    {
      const RawClient b(service.path(), kTokenB);
      EXPECT_EQ(b.welcome(), "W");
      EXPECT_TRUE(isIn(lastWorker(service), group, "tenant-1"));
      EXPECT_EQ(group.parts(), (std::set<std::string>{"broker", "tenant-0", "tenant-1"}));
      EXPECT_EQ(readText(group.path() / "tenant-0/cpu.weight"), readText(group.path() / "tenant-1/cpu.weight"));
    }
    EXPECT_TRUE(becomesTrue([&] { return group.parts() == std::set<std::string>{"broker", "tenant-0"}; }));
  }
  EXPECT_TRUE(becomesTrue([&] { return group.parts() == std::set<std::string>{"broker"}; }));
  EXPECT_EQ(service.kill(SIGTERM), 0);
  EXPECT_EQ(group.parts(), std::set<std::string>{});
  EXPECT_EQ(wordsOf(group.path() / "cgroup.subtree_control"), std::set<std::string>{});
}

TEST(ControlGroups, OfABrokerThatWasKilledAreRemoved) {
  const OwnGroup group;
  SKIP_WITHOUT_GROUPS(group);
  const TestService::Prepare enter = [&](const auto&) { group.enter(); };
  TestService service(kTenants, enter);
  const RawClient client(service.path(), kTokenB);
  EXPECT_EQ(client.welcome(), "W");
  service.kill(SIGKILL);
  EXPECT_EQ(group.parts(), (std::set<std::string>{"broker", "tenant-1"}));
  EXPECT_TRUE(becomesTrue([&] { return wordsOf(group.path() / "tenant-1/cgroup.procs").empty(); }));
  writeLine(group.path() / "cgroup.subtree_control", "-cpu");  // as systemd does
  service.start(kTenants, enter);
  EXPECT_EQ(group.parts(), std::set<std::string>{"broker"});
  EXPECT_EQ(service.kill(SIGTERM), 0);
}

TEST(ControlGroups, AreLeftAloneWhereTheBrokerIsNotTheOnlyProcess) {
  const OwnGroup group;
  SKIP_WITHOUT_GROUPS(group);
  const TestService other;
  writeLine(group.path() / "cgroup.procs", std::to_string(other.process()));
  TestService service("", [&](const auto&) { group.enter(); });
  EXPECT_NE(service.log().find("none: the broker is not alone in its control group"), std::string::npos) << service.log();
  EXPECT_EQ(group.parts(), std::set<std::string>{});
  const RawClient client(service.path());
  EXPECT_EQ(client.welcome(), "W");
  EXPECT_TRUE(isIn(lastWorker(service), group));
}

// As this test runs with others in a group.
TEST(ControlGroups, ThatAreMissingAreSaidOnce) {
  TestService service;
  const RawClient first(service.path()), second(service.path());
  EXPECT_EQ(second.welcome(), "W");
  const std::string log = service.log();
  const std::size_t place = log.find(R"("shares":"none: )");
  EXPECT_NE(place, std::string::npos) << log;
  EXPECT_EQ(log.find("shares", place + 10), std::string::npos);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
