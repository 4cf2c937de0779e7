// Tests the cgroups of tenants. `make fairness` tests whether they have an effect.
#include <gtest/gtest.h>

#include "service/own_group.h"
#include "service/raw_client.h"
#include "support/support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

const std::string kTenants =
    "\"tenants\": [{\"name\": \"../a\", \"token\": \"" + kHashA + "\"}, {\"name\": \"b\", \"token\": \"" + kHashB + "\"}]";

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
  writeLine(group.path() / "cgroup.subtree_control", "-cpu");  // systemd does the same
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

// The service reports missing cgroups once. It cannot use the cgroup of this test, because other processes run in it.
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
