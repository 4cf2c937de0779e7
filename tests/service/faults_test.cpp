// Kills, stops and occupies workers and brokers at many moments. Every call must have exactly one result, and no resources may
// remain. Clients of other workers must notice nothing when a worker dies.
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <filesystem>
#include <future>
#include <iostream>
#include <random>
#include <set>

#include "service/bystander.h"
#include "service/ledger.h"
#include "service/running_service.h"
#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using namespace test;
using Clock = std::chrono::steady_clock;

// Returns whether a thread of this process sleeps in the system call `call`, or true if the system does not tell.
bool sleepsIn(pid_t thread, long call) {
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/syscall");
  std::string number;
  return !(file >> number) || number == std::to_string(call);
}
#ifdef SYS_poll
constexpr long kPoll = SYS_poll;
#else
constexpr long kPoll = SYS_ppoll;
#endif

// ---- Tests in which a worker stops at a stop point ----

struct Point {
  const char* place;  // the stop point, as service_program.cpp names it
  const char* what;
  bool clientSleeps = false;  // whether the worker is killed only while the client sleeps
};

// The points are in the order in which a worker reaches them: while it starts, and while it serves the calls of
// AccountedClient::run().
const Point kPoints[] = {
    {"main before 1", "before it is ready"},
    {"prctl before 1", "before it loads anything"},
    {"prctl before 2", "before it is locked up"},
    {"recvmsg before 1", "before it reads a request"},
    {"recvmsg after 1", "the first request is read"},
    {"mmap before 2", "before it maps the mailbox"},
    {"mmap after 2", "the mailbox is mapped"},
    {"sendmsg before 1", "before the first reply"},
    {"sendmsg after 1", "after the first reply"},
    {"recvmsg after 2", "the context is asked for"},
    {"sendmsg before 2", "the context is made"},
    {"sendmsg after 2", "the context is announced"},
    {"recvmsg after 3", "a tensor's memory has come"},
    {"mmap before 3", "before it maps a tensor"},
    {"mmap after 3", "a tensor is mapped"},
    {"sendmsg before 3", "before it says that it has the tensor"},
    {"recvmsg after 5", "a graph's message has come"},
    {"recvmsg after 6", "a graph's constants have come"},
    {"recvmsg after 7", "a compile begins"},
    {"sendmsg before 7", "a compile has ended"},
    {"sendmsg after 7", "the graph is announced"},
    {"wait before 1", "before it sleeps"},
    {"wait after 1", "woken for a dispatch"},
    {"sin before 1", "a dispatch begins"},
    {"sin before 4", "in a dispatch, while the client sleeps", true},
    {"sin before 8", "at the end of a step"},
    {"wake before 1", "a dispatch is done, before the client is woken"},
    {"wake after 1", "the client was woken"},
    {"sin before 12", "in the second dispatch", true},
    {"recvmsg after 8", "memory is to be dropped"},
    {"munmap before 1", "before it unmaps"},
    {"munmap after 1", "it has unmapped"},
    {"sendmsg before 9", "before it tells of what it has dropped"},
    {"sin before 20", "in a dispatch of the second graph", true},
};

constexpr std::string_view kNotReached = "the place is not reached; ", kNotLost = "the context is not lost; ";

std::string runStopped(RunningService& service, const Point& point, Execution execution) {
  const std::size_t first = service.lines().size();
  service.stopNextWorker(point.place);
  Ledger ledger;
  ContextOptions options = service.options();
  options.backend = "reference";  // the reference backend calls sin once per element; each call is a stop point
  options.execution = execution;
  AccountedClient client(ledger, options);
  std::atomic<pid_t> thread{0};
  std::future<void> done = std::async(std::launch::async, [&] {
    thread = ::gettid();
    client.run();
  });
  const auto isStopped = [](const std::string& line) { return line == "stopped"; };
  std::string fault;
  while (!service.waitForLine(first, isStopped, 20)) {
    if (done.wait_for(std::chrono::seconds(0)) == std::future_status::ready) break;
  }
  if (!service.waitForLine(first, isStopped, 0)) fault = kNotReached;
  service.stopNoWorker();
  if (point.clientSleeps && execution == Execution::callerThread && !becomesTrue([&] { return sleepsIn(thread, SYS_futex); }))
    fault += "the client does not sleep; ";
  for (const pid_t worker : service.workers()) OtherProcess(worker).kill();
  if (done.wait_for(std::chrono::milliseconds(kDeadline)) != std::future_status::ready) {
    std::cerr << point.place << ": a call does not return" << std::endl;
    std::abort();  // cannot stop the thread of the call
  }
  done.get();
  fault += ledger.faults();
  if (fault.empty() && !client.isLost()) fault = kNotLost;
  if (client.isLost() && client.reason().find("worker was killed by signal 9 (SIGKILL)") == std::string::npos)
    fault += "the reason is " + client.reason();
  return fault;
}

TEST(Faults, EveryCallHasOneAnswerWhereverTheWorkerDies) {
#ifdef WEBNN_SANITIZED
  GTEST_SKIP() << "sanitizers call the functions at which workers stop";
#endif
  RunningService service(kManyLines);
  Client healthy = makeClient(service.options());
  healthy = Client();
  Milliseconds longest{0};
  for (const Point& point : kPoints) {
    for (const Execution execution : {Execution::worker, Execution::callerThread}) {
      // A client is woken only if it already sleeps, which depends on timing. Points "wake" therefore get up to 50 attempts.
      std::string fault;
      for (int i = 0; i < (std::string_view(point.place).starts_with("wake") ? 50 : 1); ++i) {
        if (fault = runStopped(service, point, execution); fault != kNotReached && fault != kNotLost) break;
      }
      EXPECT_EQ(fault, "") << point.place << ": " << point.what;
      const auto begin = Clock::now();
      healthy = makeClient(service.options());
      longest = std::max<Milliseconds>(longest, Clock::now() - begin);
      EXPECT_TRUE(computes(healthy, 1)) << point.place;
      healthy = Client();
    }
  }
  std::cout << std::size(kPoints)
            << " places, each for both kinds of clients; a new context, with its worker and graph, took at most "
            << longest.count() << " ms\n";
}

TEST(Faults, ANewWorkerMayBeKilledAtOnceAgain) {
#ifdef WEBNN_SANITIZED
  GTEST_SKIP() << "sanitizers call the functions at which workers stop";
#endif
  RunningService service(kManyLines);
  for (const char* place : {"sin before 4", "main before 1", "recvmsg after 1", "sendmsg before 2", "sin before 4"})
    EXPECT_EQ(runStopped(service, {place, "in succession"}, Execution::worker), "") << place;
  Client healthy = makeClient(service.options());
  EXPECT_TRUE(computes(healthy, 1));
}

TEST(Faults, AWorkerThatDiesWhileItsClientGoesAwayLeavesNothing) {
#ifdef WEBNN_SANITIZED
  GTEST_SKIP() << "sanitizers call the functions at which workers stop";
#endif
  RunningService service(kManyLines);
  service.stopNextWorker("close after 1");
  Client client = makeClient(service.options());
  service.stopNoWorker();
  const pid_t worker = service.workers().at(0);
  // The broker is stopped, because it would kill the worker before the worker notices the closed connection.
  ::kill(service.pid(), SIGSTOP);
  client = Client();
  EXPECT_TRUE(service.waitForLine(0, [](const std::string& line) { return line == "stopped"; }));
  OtherProcess(worker).kill();
  ::kill(service.pid(), SIGCONT);
  EXPECT_TRUE(becomesTrue([&] { return service.workers().empty(); }));
  client = makeClient(service.options());
  EXPECT_TRUE(computes(client, 1));
}

// A worker answers requests one after the other, so creating a tensor that needs memory waits for a build. Dispatches do not
// wait.
TEST(Faults, DispatchesGoOnWhileATensorWaitsForABuild) {
#ifdef WEBNN_SANITIZED
  GTEST_SKIP() << "sanitizers call the functions at which workers stop";
#endif
  RunningService service(kManyLines);
  service.stopNextWorker("recvmsg after 8");  // stops the worker during the second build
  Client client = makeClient(service.options());
  service.stopNoWorker();
  const auto fails = [](auto&& call) {
    try {
      call();
      return false;
    } catch (const Error&) {
      return true;
    }
  };
  std::atomic<pid_t> thread{0};
  std::future<bool> build = std::async(std::launch::async, [&] { return fails([&] { buildGraph(client.context, 4, 1); }); });
  EXPECT_TRUE(service.waitForLine(0, [](const std::string& line) { return line == "stopped"; }));
  std::future<bool> tensor = std::async(std::launch::async, [&] {
    thread = ::gettid();
    return fails([&] { client.context.createTensor({DataType::float32, {100'000}}); });
  });
  EXPECT_TRUE(becomesTrue([&] { return thread != 0 && sleepsIn(thread, SYS_futex); }));
  std::future<bool> dispatch = std::async(std::launch::async, [&] { return computes(client, 1); });
  EXPECT_EQ(dispatch.wait_for(std::chrono::milliseconds(kDeadline)), std::future_status::ready);
  for (const pid_t worker : service.workers()) OtherProcess(worker).kill();
  EXPECT_TRUE(build.get());
  EXPECT_TRUE(tensor.get());
  EXPECT_TRUE(dispatch.get());
}

// ---- Tests that kill the worker at random times ----

// Kills workers of one tenant at random times, until enough have been killed.
class Killer {
 public:
  Killer(RunningService& service, int kills) : left_(kills) {
    service.whenWorkerStarts([this](pid_t worker, const std::string& tenant) {
      if (tenant != "victim") return;
      const std::lock_guard lock(mutex_);
      due_.emplace(Clock::now() + std::chrono::microseconds(
                                      std::uniform_int_distribution(0, random_() % 3 == 0 ? 250'000 : 25'000)(random_)),
                   worker);
    });
    thread_ = std::thread([this] {
      while (!isOver()) {
        ::poll(nullptr, 0, 1);
        const std::lock_guard lock(mutex_);
        for (; !due_.empty() && due_.begin()->first <= Clock::now(); due_.erase(due_.begin())) {
          if (due_.begin()->second.kill() && left_ > 0) --left_;
        }
      }
    });
  }
  ~Killer() { thread_.join(); }
  Killer(const Killer&) = delete;
  Killer& operator=(const Killer&) = delete;
  bool isOver() const { return left_ <= 0; }

 private:
  std::atomic<int> left_;
  std::mutex mutex_;
  std::multimap<Clock::time_point, OtherProcess> due_;
  std::mt19937 random_{1};
  std::thread thread_;
};

TEST(Faults, EveryCallHasOneAnswerAndOthersNoticeNothingWhenWorkersDieAtAnyMoment) {
  const int kills = times("WEBNN_FAULT_KILLS", 200);
  const Tenants tenants;
  RunningService service(tenants.config(), tenants.other);
  double quiet = 0;
  {
    Bystander alone(service.options(tenants.other));
    becomesTrue([&] { return false; }, kills > 200 ? 5000 : 500);
    alone.end();
    quiet = alone.quantile(0.99);
  }
  ASSERT_TRUE(becomesTrue([&] { return service.workers().empty(); }));
  const std::size_t brokerBefore = openDescriptors(std::to_string(service.pid())), ownBefore = openDescriptors();
  std::size_t calls = 0, errors = 0, contexts = 0, lost = 0;
  std::mutex mutex;
  {
    Bystander other(service.options(tenants.other));
    {
      Killer killer(service, kills);
      std::vector<std::thread> clients;
      for (int i = 0; i < 4; ++i) {
        clients.emplace_back([&, i] {
          for (int round = 0; !killer.isOver(); ++round) {
            Ledger ledger;
            ContextOptions options = service.options(tenants.victim);
            options.execution = (round + i) % 2 == 0 ? Execution::worker : Execution::callerThread;
            AccountedClient client(ledger, options);
            client.run();
            const std::string faults = ledger.faults();
            const std::lock_guard lock(mutex);
            EXPECT_EQ(faults, "");
            calls += ledger.count();
            errors += ledger.count(Answer::error);
            ++contexts;
            lost += client.isLost() ? 1 : 0;
          }
        });
      }
      for (std::thread& client : clients) client.join();
    }
    other.end();
    EXPECT_EQ(other.errors(), 0);
    EXPECT_GT(other.count(), 0u);
    std::cout << kills << " workers killed: " << contexts << " contexts, " << lost << " lost; " << calls << " calls, " << errors
              << " of them errors\nanother tenant: " << other.text() << "; alone, p99 " << quiet << " ms\n";
  }
  // No workers and no descriptors remain.
  EXPECT_TRUE(becomesTrue([&] { return service.workers().empty(); }));
  EXPECT_TRUE(becomesTrue([&] { return openDescriptors(std::to_string(service.pid())) <= brokerBefore; }));
  EXPECT_EQ(openDescriptors(), ownBefore);
}

// ---- Tests that kill, stop or occupy the broker or a worker ----

std::vector<OtherProcess> processesOf(const RunningService& service) {
  std::vector<OtherProcess> processes;
  for (const pid_t worker : service.workers()) processes.emplace_back(worker);
  return processes;
}

TEST(Faults, WithTheBrokerAllContextsAreLostAndAllWorkersEnd) {
  RunningService service(kManyLines);
  for (const int signal : {SIGKILL, SIGTERM, SIGINT}) {
    std::vector<Client> clients;
    for (int i = 0; i < 4; ++i) clients.push_back(makeClient(service.options()));
    const std::vector<OtherProcess> workers = processesOf(service);
    ASSERT_EQ(workers.size(), clients.size());
    clients[0].context.dispatch(clients[0].graph, {{"x", clients[0].x}}, {{"y", clients[0].y}});
    const int status = service.end(signal);  // waits until all processes have closed its output
    EXPECT_TRUE(signal == SIGKILL ? WIFSIGNALED(status) : WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    for (const OtherProcess& worker : workers) EXPECT_TRUE(worker.hasEnded(2000));
    for (Client& client : clients) {
      ASSERT_EQ(client.context.lost().wait_for(std::chrono::milliseconds(kDeadline)), std::future_status::ready);
      EXPECT_NE(
          client.context.lost().get().message.find(signal == SIGKILL ? "the service does not answer" : "the service was stopped"),
          std::string::npos)
          << client.context.lost().get().message;
      EXPECT_THROW(client.context.createTensor({DataType::float32, {4}}), Error);
    }
    service.start();  // uses the same path
    Client client = makeClient(service.options());
    EXPECT_TRUE(computes(client, 1));
  }
}

// Builds a graph that applies y = x + sin(y) 300 times to a million elements.
Graph buildSlowGraph(const Context& context) {
  GraphBuilder builder(context);
  const Operand x = builder.input("x", {DataType::float32, {1 << 20}});
  Operand y = x;
  for (int i = 0; i < 300; ++i) y = builder.add(x, builder.sin(y));
  return builder.build({{"y", y}});
}

void computeOnce(const Graph& graph, std::size_t size, const CallOptions& options = {}) {
  const std::vector<float> x(size);
  std::vector<float> y(size);
  const std::array inputs{std::as_bytes(std::span(x))};
  const std::array outputs{std::as_writable_bytes(std::span(y))};
  graph.compute(inputs, outputs, options);
}

// A worker runs one dispatch and builds one graph at a time. The time limit of a call includes the time in the queue.
TEST(Faults, ACallThatWaitsForAnotherEndsInItsTime) {
  const Context context = Context::create({.backend = "reference", .service = "private", .threads = 1});
  const Graph slow = buildSlowGraph(context), quick = buildGraph(context, 16, 1);
  computeOnce(quick, 16);
  std::future<void> run = std::async(std::launch::async, [&] { computeOnce(slow, 1 << 20); });
  std::string text = "(none)";
  while (run.wait_for(std::chrono::milliseconds(5)) != std::future_status::ready && text == "(none)") {
    try {
      computeOnce(quick, 16, {.timeout = std::chrono::milliseconds(20)});
    } catch (const Error& error) {
      text = name(error.kind());
    }
  }
  EXPECT_EQ(text, "TimeoutError");
  EXPECT_NE(run.wait_for(std::chrono::seconds(0)), std::future_status::ready);
  EXPECT_NO_THROW(run.get());
}

// A dispatch must end even if the broker is stopped and cannot report that the worker has ended.
TEST(Faults, ADispatchEndsThoughNobodySaysThatItsWorkerHasEnded) {
  RunningService service(kManyLines);
  for (const bool isRunning : {false, true}) {
    Client client = makeClient(service.options());
    const std::vector<pid_t> workers = service.workers();
    ASSERT_EQ(workers.size(), 1U);
    ::kill(service.pid(), SIGSTOP);
    const OtherProcess process(workers[0]);
    process.kill(isRunning ? SIGSTOP : SIGKILL);
    const auto isInState = [&](const char* state) {
      std::ifstream file("/proc/" + std::to_string(workers[0]) + "/stat");
      return std::string(std::istreambuf_iterator<char>(file), {}).find(state) != std::string::npos;
    };
    ASSERT_TRUE(becomesTrue([&] { return isInState(isRunning ? ") T" : ") Z"); }));
    std::future<std::string> error = std::async(std::launch::async, [&]() -> std::string {
      try {
        return computes(client, 1) ? "none" : "wrong values";
      } catch (const Error& thrown) {
        return thrown.what();
      }
    });
    if (isRunning) {
      EXPECT_EQ(error.wait_for(std::chrono::milliseconds(100)), std::future_status::timeout);
      process.kill();
    }
    const bool isOver = error.wait_for(std::chrono::milliseconds(kDeadline)) == std::future_status::ready;
    EXPECT_TRUE(isOver);
    ::kill(service.pid(), SIGCONT);
    EXPECT_NE(error.get().find("the context is lost"), std::string::npos);
  }
}

// Returns whether all threads of a process are stopped, for instance by its user. A stopped process can neither begin a request
// nor report an error. A thread stops when it is scheduled next; until then, other threads may continue.
bool isStopped(pid_t pid) {
  std::error_code hasEnded;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task", hasEnded)) {
    const std::string line = readText(thread.path() / "stat");  // the state follows the name, which may contain any characters
    if (line.substr(line.rfind(')') + 2, 1) != "T") return false;
  }
  return true;
}

TEST(Faults, AWorkerThatIsStoppedIsALostContext) {
  RunningService service(nlohmann::json{{"limits", {{"dispatchSeconds", 0.5}}}});
  for (const bool isDispatch : {false, true}) {
    Client client = makeClient(service.options());
    const std::vector<pid_t> workers = service.workers();
    ASSERT_EQ(workers.size(), 1U);
    const OtherProcess process(workers[0]);
    process.kill(SIGSTOP);
    ASSERT_TRUE(becomesTrue([&] { return isStopped(workers[0]); }));
    std::future<void> call = std::async(std::launch::async, [&] {
      if (isDispatch) {
        computes(client, 1);
      } else {
        client.context.createTensor({DataType::float32, {1 << 20}});
      }
    });
    const bool isOver = call.wait_for(std::chrono::milliseconds(kDeadline)) == std::future_status::ready;
    EXPECT_TRUE(isOver);
    if (!isOver) process.kill();
    expectError(ErrorKind::invalidStateError, {"worker was killed: it was stopped for more than 0.5 s"}, [&] { call.get(); });
    client = Client();
    EXPECT_TRUE(becomesTrue([&] { return service.workers().empty(); }));
  }
}

// If the broker accepts nobody, waiting clients fill the queue of its socket. Later clients wait for room in the queue, and must
// get an error in time.
TEST(Faults, ABrokerThatTakesNobodyIsAnError) {
  RunningService service(kManyLines);
  ::kill(service.pid(), SIGSTOP);
  const std::string path = service.address().substr(std::string_view("unix:").size());
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  path.copy(name.sun_path, sizeof name.sun_path - 1);
  std::vector<FileDescriptor> waiting;
  for (bool isFull = false; !isFull;) {
    waiting.emplace_back(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    isFull = ::connect(waiting.back().get(), reinterpret_cast<const sockaddr*>(&name), sizeof name) != 0;
  }
  std::future<std::string> error = std::async(std::launch::async, [&]() -> std::string {
    try {
      Context::create(service.options());
      return "none";
    } catch (const Error& thrown) {
      return thrown.what();
    }
  });
  const bool isOver = error.wait_for(std::chrono::milliseconds(kDeadline)) == std::future_status::ready;
  ::kill(service.pid(), isOver ? SIGCONT : SIGKILL);
  EXPECT_TRUE(isOver);
  EXPECT_NE(error.get().find("does not answer"), std::string::npos);
}

TEST(Faults, ABrokerThatDiesDuringTheHelloIsAnError) {
  RunningService service(kManyLines);
  ::kill(service.pid(), SIGSTOP);
  std::atomic<pid_t> thread{0};
  std::future<std::string> error = std::async(std::launch::async, [&]() -> std::string {
    thread = ::gettid();
    try {
      Context::create(service.options());
      return "none";
    } catch (const Error& thrown) {
      return thrown.what();
    }
  });
  EXPECT_TRUE(becomesTrue([&] { return thread != 0 && sleepsIn(thread, kPoll); }));  // waits for the answer
  ::kill(service.pid(), SIGKILL);
  EXPECT_NE(error.get().find("service"), std::string::npos);
}

// ---- A service without faults ----

TEST(Faults, AnUndisturbedServiceLeavesNothingBehind) {
  RunningService service(kManyLines);
  const auto use = [&] {
    Ledger ledger;
    AccountedClient client(ledger, service.options());
    client.run();
    EXPECT_EQ(ledger.faults(), "");
    EXPECT_FALSE(client.isLost()) << client.reason();
  };
  use();
  ASSERT_TRUE(becomesTrue([&] { return service.workers().empty(); }));
  const std::size_t broker = openDescriptors(std::to_string(service.pid())), own = openDescriptors();
  for (int i = 0; i < 10; ++i) use();
  EXPECT_EQ(openDescriptors(), own);
  EXPECT_TRUE(becomesTrue([&] { return service.workers().empty(); }));
  EXPECT_TRUE(becomesTrue([&] { return openDescriptors(std::to_string(service.pid())) <= broker; }));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
