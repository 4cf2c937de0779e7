// Tests isolation without privileges, and on systems that deny namespaces: limits on namespaces, containers without privileges.
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cstddef>
#include <fstream>

#include "broker/spawn.h"
#include "service/processes.h"
#include "support/files.h"

namespace webnn::service {
namespace WEBNN_TEST_FILE {

using namespace test;

constexpr unsigned long kAllNamespaces =
    CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWCGROUP;

SpawnOptions optionsFor(const std::filesystem::path& program, int report) {
  SpawnOptions options;
  options.program = program;
  options.arguments = {"describe"};
  options.descriptors = {{report, 3}};
  return options;
}

// Starts a program. Returns the missing layers, and whether the process has the id 1 and privileges; or the error.
std::string start(bool requireFull = false, const std::filesystem::path& program = WEBNN_ISOLATED_PROGRAM) {
  Pipe pipe;
  SpawnOptions options = optionsFor(program, pipe.write.get());
  options.requireFull = requireFull;
  options.limits.processes = 100'000;
  try {
    const Spawned spawned = spawnIsolated(options);
    pipe.write.close();
    const Lines lines = linesOf(readAll(pipe.read.get()));
    std::string text = joined(spawned.missing) + (only(lines, "pid") == "1" ? " as 1" : " as another");
    for (const std::string& line : lines.at("status")) {
      if (line.rfind("CapEff:", 0) == 0) text += line.find_first_not_of('0', 8) == std::string::npos ? "" : " with privileges";
    }
    return text;
  } catch (const Error& error) {
    return error.what();
  }
}

// Makes this process root in a new user namespace.
bool becomeRootOfNamespace() {
  const uid_t user = ::geteuid();
  const gid_t group = ::getegid();
  if (::unshare(CLONE_NEWUSER) != 0) return false;
  std::ofstream("/proc/self/setgroups") << "deny";
  std::ofstream("/proc/self/uid_map") << "0 " << user << " 1";
  std::ofstream("/proc/self/gid_map") << "0 " << group << " 1";
  return ::geteuid() == 0;
}

bool forbidMore(const char* kind) {
  std::ofstream file(std::string("/proc/sys/user/max_") + kind + "_namespaces");
  file << "0" << std::flush;
  return file.good();
}

bool dropCapabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const __user_cap_data_struct none[2] = {};
  return ::syscall(SYS_capset, &header, none) == 0;
}

// Makes the system return EPERM for new namespaces, as in containers.
bool forbidNamespaces() {
  const unsigned flags = static_cast<unsigned>(kAllNamespaces);
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_unshare, 3, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args)),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, flags, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{sizeof filter / sizeof *filter, filter};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

#define SKIP_WITHOUT_USER_NAMESPACES()                                                      \
  if (inChild([] { return std::string(becomeRootOfNamespace() ? "yes" : "no"); }) != "yes") \
  GTEST_SKIP() << "this system has no user namespaces for this user"

TEST(SpawnDenied, WithoutUserNamespacesAPrivilegedProcessIsolatesWithTheOthers) {
  SKIP_WITHOUT_USER_NAMESPACES();
  EXPECT_EQ(inChild([] {
              if (!becomeRootOfNamespace() || !forbidMore("user")) return std::string("no limit");
              return start();
            }),
            "user namespace: No space left on device;limit of processes: it would count all of the user's; as 1");
}

TEST(SpawnDenied, EachNamespaceCanBeRefused) {
  SKIP_WITHOUT_USER_NAMESPACES();
  EXPECT_EQ(inChild([] {
              if (!becomeRootOfNamespace() || !forbidMore("net") || !forbidMore("cgroup")) return std::string("no limit");
              return start();
            }),
            "network namespace: No space left on device;cgroup namespace: No space left on device; as 1");
  EXPECT_EQ(inChild([] {
              if (!becomeRootOfNamespace() || !forbidMore("pid")) return std::string("no limit");
              return start();
            }),
            "pid namespace: No space left on device; as another");
}

TEST(SpawnDenied, FullIsolationIsRefusedAndTheLayersNamed) {
  SKIP_WITHOUT_USER_NAMESPACES();
  const std::string text = inChild([] {
    if (!becomeRootOfNamespace() || !forbidMore("net") || !forbidMore("cgroup")) return std::string("no limit");
    return start(true);
  });
  EXPECT_NE(text.find("cannot be isolated fully (network namespace: No space left on device; cgroup namespace: No space left on "
                      "device)"),
            std::string::npos)
      << text;
}

TEST(SpawnDenied, AContainerWithoutPrivilegesStartsWithoutNamespaces) {
  const auto inContainer = [](bool requireFull) {
    return inChild([=] {
      if (!dropCapabilities() || !forbidNamespaces()) return std::string("no container");
      return start(requireFull);
    });
  };
  const std::string refused = ": Operation not permitted";
  EXPECT_EQ(inContainer(false), "user namespace" + refused + ";pid namespace" + refused + ";network namespace" + refused +
                                    ";IPC namespace" + refused + ";mount namespace" + refused + ";UTS namespace" + refused +
                                    ";cgroup namespace" + refused +
                                    ";limit of processes: it would count all of the user's; as another");
  EXPECT_NE(inContainer(true).find("cannot be isolated fully (user namespace" + refused + "; pid namespace"), std::string::npos);
}

TEST(SpawnDenied, WithoutCapabilitiesUserNamespacesGiveAllOthers) {
  SKIP_WITHOUT_USER_NAMESPACES();
  EXPECT_EQ(inChild([] { return dropCapabilities() ? start(true) : "error"; }), " as 1");
}

TEST(SpawnDenied, AnOrdinaryUserIsolatesFully) {
  if (!canBecome(65534)) GTEST_SKIP() << "needs root, to become an ordinary user; the other tests then run as one";
  SKIP_WITHOUT_USER_NAMESPACES();
  const TemporaryFolder folder;
  ::chmod(folder.path().c_str(), 0711);
  std::filesystem::copy_file(WEBNN_ISOLATED_PROGRAM, folder / "program");
  ::chmod((folder / "program").c_str(), 0755);
  EXPECT_EQ(inChild([&] {
              if (::setresgid(65534, 65534, 65534) != 0 || ::setresuid(65534, 65534, 65534) != 0) return std::string("error");
              return start(true, folder / "program");
            }),
            " as 1");
}

TEST(SpawnDenied, AnotherUserNeedsPrivileges) {
  EXPECT_NE(inChild([] {
              if (!dropCapabilities()) return std::string("error");
              SpawnOptions options = optionsFor(WEBNN_ISOLATED_PROGRAM, 2);
              options.user = UserIds{54321, 54321};
              spawnIsolated(options);
              return std::string("started");
            }).find("does not start ("),
            std::string::npos);
}

TEST(SpawnDenied, WithoutANamespaceTheProcessStillDiesWithItsParent) {
  Pipe pipe;
  const pid_t parent = ::fork();
  if (parent == 0) {
    if (!dropCapabilities() || !forbidNamespaces()) ::_exit(1);
    SpawnOptions options = optionsFor(WEBNN_ISOLATED_PROGRAM, pipe.write.get());
    options.arguments = {"linger"};
    const Spawned spawned = spawnIsolated(options);
    for (;;) ::pause();
  }
  pipe.write.close();
  EXPECT_EQ(readLine(pipe.read.get()).rfind("ready", 0), 0);
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  EXPECT_EQ(readAll(pipe.read.get()), "");
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::service
