// Tests private services in programs that fork, handle or ignore signals, lack descriptors, or end in different ways.
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <memory>
#include <thread>

#include "service/clients.h"
#include "service/processes.h"
#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using namespace test;

const ContextOptions kPrivate{.service = "private", .threads = 2};

std::string yesOrNo(bool is) { return is ? "yes" : "no"; }

// Runs `work` in a new process. Its services must end with the process; otherwise, the result says that they did not.
std::string inProgram(const std::function<std::string()>& work) {
  Pipe services;  // the services inherit the pipe as descriptor 2
  const std::string text = inChild([&] {
    ::dup2(services.write.get(), 2);
    services.write.close();
    services.read.close();
    return work();
  });
  services.write.close();
  try {
    readAll(services.read.get());
  } catch (const std::runtime_error&) {
    return text + " and left processes";
  }
  return text;
}

template <typename Call>
bool isRefusedAfterFork(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.kind() == ErrorKind::invalidStateError && std::string(error.what()).find("fork") != std::string::npos;
  }
  return false;
}

TEST(Embedding, AForkedChildLetsGoOfContextsAndTheParentGoesOn) {
  for (const Execution execution : {Execution::worker, Execution::callerThread}) {
    ContextOptions options = kPrivate;
    options.execution = execution;
    auto client = std::make_unique<Client>(makeClient(options));
    ASSERT_TRUE(computes(*client, 1));
    EXPECT_EQ(inChild([&] {
                client->context.destroy();
                client.reset();
                Client own = makeClient(kPrivate);
                return yesOrNo(computes(own, 2));
              }),
              "yes");
    EXPECT_EQ(inChild([&] {
                client.reset();
                return std::string("released");
              }),
              "released");
    EXPECT_TRUE(computes(*client, 3));
  }
}

TEST(Embedding, AForkedChildCannotUseTheContext) {
  for (const Execution execution : {Execution::worker, Execution::callerThread}) {
    ContextOptions options = kPrivate;
    options.execution = execution;
    Client client = makeClient(options);
    ASSERT_TRUE(computes(client, 1));
    EXPECT_EQ(inChild([&] {
                std::vector<float> in(16, 100), out(16);
                const std::span<const std::byte> inputs[] = {std::as_bytes(std::span(in))};
                const std::span<std::byte> outputs[] = {std::as_writable_bytes(std::span(out))};
                return yesOrNo(isRefusedAfterFork([&] { client.context.write(client.x, in); })) +
                       yesOrNo(isRefusedAfterFork([&] { client.context.readTensor(client.y); })) +
                       yesOrNo(isRefusedAfterFork([&] { client.context.read<float>(client.y); })) +
                       yesOrNo(isRefusedAfterFork([&] {
                         client.context.dispatch(client.graph, {{"x", client.x}}, {{"y", client.y}});
                       })) +
                       yesOrNo(isRefusedAfterFork([&] { client.graph.compute(inputs, outputs); })) +
                       yesOrNo(isRefusedAfterFork([&] { buildGraph(client.context, 4, 1); })) + yesOrNo(isRefusedAfterFork([&] {
                         client.context.createTensor({DataType::float32, {4}});
                       }));
              }),
              "yesyesyesyesyesyesyes");
    client.context.dispatch(client.graph, {{"x", client.x}}, {{"y", client.y}});
    EXPECT_TRUE(isExpected(client.context.read<float>(client.y), 16, 1, 3)) << "the child has written its tensor";
  }
}

TEST(Embedding, AForkedChildHasNoDescriptorOfTheContext) {
  const std::size_t before = openDescriptors();
  Client client = makeClient(kPrivate, 100'000);
  EXPECT_GT(openDescriptors(), before);
  // The number includes the pipe for the answer.
  EXPECT_EQ(inChild([&] { return std::to_string(openDescriptors()); }), std::to_string(before + 2));
}

TEST(Embedding, TheServiceEndsWithTheParentThoughAForkedChildGoesOn) {
  Pipe services, child;
  EXPECT_EQ(inChild([&] {
              ::dup2(services.write.get(), 2);
              services.write.close();
              auto* const client = new Client(makeClient(kPrivate));
              const std::string text = yesOrNo(computes(*client, 1));
              child.write.close();
              if (::fork() == 0) {
                ::alarm(60);
                ::dup2(child.read.get(), 0);
                for (int number = 1; number < 256; ++number) {
                  std::error_code error;
                  const auto file = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(number), error);
                  if (file.string().starts_with("pipe:")) ::close(number);
                }
                char byte = 0;
                ::_exit(static_cast<int>(::read(0, &byte, 1)));  // waits until the test ends this process
              }
              return text;  // the process ends without calling destructors
            }),
            "yes");
  services.write.close();
  EXPECT_NO_THROW(readAll(services.read.get()));
}

TEST(Embedding, SigchldMayBeIgnoredOrHandled) {
  EXPECT_EQ(inProgram([] {
              ::signal(SIGCHLD, SIG_IGN);
              Client client = makeClient(kPrivate);
              return yesOrNo(computes(client, 1));
            }),
            "yes");
  EXPECT_EQ(inProgram([] {
              static std::atomic<int> signals{0};
              ::signal(SIGCHLD, [](int) { ++signals; });
              auto client = std::make_unique<Client>(makeClient(kPrivate));
              const std::string text = yesOrNo(computes(*client, 1));
              client.reset();
              return text + std::to_string(signals) + yesOrNo(::waitpid(-1, nullptr, WNOHANG | __WALL) < 0 && errno == ECHILD);
            }),
            "yes0yes");
}

TEST(Embedding, SigpipeStaysAsItWasAndIsNotRaised) {
  for (const auto disposition : {SIG_DFL, SIG_IGN}) {
    EXPECT_EQ(inProgram([&] {
                ::signal(SIGPIPE, disposition);
                Client client = makeClient(kPrivate);
                const std::string text = yesOrNo(computes(client, 1));
                client.context.destroy();
                for (int i = 0; i < 3; ++i) {
                  try {
                    buildGraph(client.context, 4, 1);
                  } catch (const Error&) {
                  }
                }
                struct sigaction now {};
                ::sigaction(SIGPIPE, nullptr, &now);
                return text + yesOrNo(now.sa_handler == disposition);
              }),
              "yesyes");
  }
}

TEST(Embedding, TheStandardDescriptorsMayBeClosed) {
  EXPECT_EQ(inChild([] {
              for (int number = 0; number < 3; ++number) ::close(number);
              Client client = makeClient(kPrivate, 100'000);
              const std::string text = yesOrNo(computes(client, 1));
              return text + yesOrNo(::fcntl(0, F_GETFD) < 0 && ::fcntl(1, F_GETFD) < 0 && ::fcntl(2, F_GETFD) < 0);
            }),
            "yesyes");
}

// For any number of available descriptors, a context is created, or an error says that descriptors are missing. In both cases, no
// descriptor stays open.
TEST(Embedding, FewDescriptorsAreAnErrorThatSaysSo) {
#ifdef WEBNN_SANITIZED
  GTEST_SKIP() << "sanitizers need descriptors to look at exceptions";
#endif
  EXPECT_EQ(inProgram([] {
              // Does not count the descriptor of the directory that is being read.
              const std::size_t before = openDescriptors() - 1;
              const int first = ::dup(0);
              ::close(first);
              std::string wrong;
              bool isMade = false;
              for (rlim_t left = 0; left < 30; ++left) {
                rlimit limit{};
                ::getrlimit(RLIMIT_NOFILE, &limit);
                const rlimit all = limit;
                limit.rlim_cur = static_cast<rlim_t>(first) + left;
                ::setrlimit(RLIMIT_NOFILE, &limit);
                try {
                  Client client = makeClient(kPrivate, 100'000);
                  isMade = computes(client, 1);
                } catch (const Error& error) {
                  if (std::string(error.what()).find("Too many open files") == std::string::npos || isMade)
                    wrong += std::to_string(left) + ": " + error.what() + "\n";
                }
                ::setrlimit(RLIMIT_NOFILE, &all);
                if (openDescriptors() - 1 != before) wrong += std::to_string(left) + ": descriptors are left\n";
              }
              return wrong + (isMade ? "made" : "never made");
            }),
            "made");
}

TEST(Embedding, ATensorForWhichThereIsNoDescriptorLeavesTheContextUsable) {
  EXPECT_EQ(inProgram([] {
              Client client = makeClient(kPrivate);
              rlimit limit{};
              ::getrlimit(RLIMIT_NOFILE, &limit);
              const rlimit all = limit;
              limit.rlim_cur = 3;
              ::setrlimit(RLIMIT_NOFILE, &limit);
              std::string text;
              try {
                client.context.createTensor({DataType::float32, {100'000}});
              } catch (const Error& error) {
                text = yesOrNo(std::string(error.what()).find("Too many open files") != std::string::npos);
              }
              text += yesOrNo(computes(client, 1));
              ::setrlimit(RLIMIT_NOFILE, &all);
              client.context.createTensor({DataType::float32, {100'000}});
              return text + yesOrNo(computes(client, 2));
            }),
            "yesyesyes");
}

// The system kills a program with SIGXFSZ if it exceeds the limit of the file size, which also applies to shared memory. The
// library must report an error instead.
TEST(Embedding, ALimitOfTheSizeOfFilesIsAnError) {
  EXPECT_EQ(inProgram([] {
              const auto setLimit = [](rlim_t size) {
                const rlimit limit{size, RLIM_INFINITY};
                ::setrlimit(RLIMIT_FSIZE, &limit);
              };
              const auto errorOf = [](auto&& call) -> std::string {
                try {
                  call();
                  return "none;";
                } catch (const Error& error) {
                  return yesOrNo(std::string(error.what()).find("File too large") != std::string::npos);
                }
              };
              std::string text;
              for (const rlim_t size : {0, 1000, 100'000}) {
                setLimit(size);
                text += errorOf([] { Context::create(kPrivate); });
              }
              setLimit(4 << 20);
              Client client = makeClient(kPrivate);
              text += errorOf([&] { client.context.createTensor({DataType::float32, {2 << 20}}); });
              text += errorOf([&] { buildGraph(client.context, 2 << 20, 1); });
              return text + yesOrNo(computes(client, 1));
            }),
            "yesyesyesyesyesyes");
}

TEST(Embedding, WorksWithoutProc) {
  const std::string text = inProgram([]() -> std::string {
    if (::unshare(CLONE_NEWNS) != 0 || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::umount2("/proc", MNT_DETACH) != 0)
      return "not allowed";
    Client client = makeClient(kPrivate);
    return yesOrNo(computes(client, 1));
  });
  if (text == "not allowed") GTEST_SKIP() << "needs the right to unmount";
  EXPECT_EQ(text, "yes");
}

TEST(Embedding, TheServiceOutlivesTheThreadThatStartedIt) {
  Client client;
  std::thread([&] { client = makeClient(kPrivate); }).join();
  EXPECT_TRUE(computes(client, 1));
}

// Frequent signals interrupt system calls. All calls must still succeed.
TEST(Embedding, SignalsMayInterruptEveryCall) {
  EXPECT_EQ(inProgram([] {
              static std::atomic<int> signals{0};
              struct sigaction action {};
              action.sa_handler = [](int) { ++signals; };  // SA_RESTART is not set, so that calls are interrupted
              ::sigaction(SIGALRM, &action, nullptr);
              const itimerval often{{0, 2000}, {0, 2000}};
              ::setitimer(ITIMER_REAL, &often, nullptr);
              ContextOptions options = kPrivate;
              options.execution = Execution::callerThread;
              for (int round = 0; round < 5; ++round) {
                Client client = makeClient(options, 1'000'000);
                client.context.createTensor({DataType::float32, {64'000'000}});  // takes longer than the time between two signals
                if (!computes(client, static_cast<float>(round))) return std::string("wrong");
              }
              return yesOrNo(signals > 5);
            }),
            "yes");
}

// A program that adopts orphans, such as the first process in a container, must get no zombies from the library.
TEST(Embedding, AnApplicationThatAdoptsOrphansHasNoZombies) {
  EXPECT_EQ(inProgram([] {
              ::prctl(PR_SET_CHILD_SUBREAPER, 1);
              for (int round = 0; round < 3; ++round) {
                Client client = makeClient(kPrivate);
                if (!computes(client, 1)) return std::string("wrong");
              }
              return yesOrNo(::waitpid(-1, nullptr, WNOHANG | __WALL) < 0 && errno == ECHILD);
            }),
            "yes");
}

// ---- Programs that end ----

std::string endOfProgram(const std::function<void()>& work) {
  return inProgram([&] {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(30);
      work();
      std::exit(7);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? std::to_string(WEXITSTATUS(status)) : "signal " + std::to_string(WTERMSIG(status));
  });
}

Client earlyClient;  // destroyed after the library's static objects that are created later

TEST(Embedding, ProgramsExitWithLiveContexts) {
  EXPECT_EQ(endOfProgram([] {
              earlyClient = makeClient(kPrivate);
              computes(earlyClient, 1);
            }),
            "7");
  EXPECT_EQ(endOfProgram([] {
              static Client late = makeClient(kPrivate);
              computes(late, 1);
            }),
            "7");
  EXPECT_EQ(endOfProgram([] { static_cast<void>(new Client(makeClient(kPrivate))); }), "7");
  EXPECT_EQ(endOfProgram([] {  // while work is in progress
              static Client late = makeClient(kPrivate, 1'000'000);
              late.context.dispatch(late.graph, {{"x", late.x}}, {{"y", late.y}});
            }),
            "7");
}

TEST(Embedding, ProgramsThatAreKilledTakeTheirServicesWithThem) {
  EXPECT_EQ(endOfProgram([] {
              Client client = makeClient(kPrivate, 1'000'000);
              client.context.dispatch(client.graph, {{"x", client.x}}, {{"y", client.y}});
              ::kill(::getpid(), SIGKILL);
            }),
            "signal 9");
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
