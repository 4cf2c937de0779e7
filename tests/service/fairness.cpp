// Measures how much a tenant that exhausts its quotas (the attacker) slows down another tenant (the victim): `make fairness`.
//
//   fairness [MINUTES]
//
// Measures how often the victim computes alone and beside the attacker. Fails if the victim gets an error or, if tenants have
// cgroups, if it computes less than half as often beside the attacker.
#include <spawn.h>

#include <iostream>

#include "service/bystander.h"
#include "service/own_group.h"
#include "service/running_service.h"

extern char** environ;

namespace webnn {
namespace {

using namespace test;
using Clock = std::chrono::steady_clock;

// Builds repeated matrix products, which take `count` times as long as one.
Graph buildProducts(const Context& context, std::uint32_t size, int count) {
  GraphBuilder builder(context);
  const Operand x = builder.input("x", {DataType::float32, {size, size}});
  Operand y = x;
  for (int i = 0; i < count; ++i) y = builder.matmul(y, x);
  return builder.build({{"y", y}});
}

struct Computing {
  Context context;
  Graph graph;
  Tensor x, y;

  Computing(const ContextOptions& options, std::uint32_t size, int count)
      : context(Context::create(options)), graph(buildProducts(context, size, count)) {
    x = context.createTensor({DataType::float32, {size, size}, false, true});
    y = context.createTensor({DataType::float32, {size, size}, true, false});
    context.write(x, std::vector<float>(std::size_t{size} * size, 0));
  }
  void run() {
    context.dispatch(graph, {{"x", x}}, {{"y", y}});
    if (context.read<float>(y)[0] != 0) throw Error(ErrorKind::operationError, "a product of zeros is not 0.");
  }
};

// ---- The attacker ----

// Exhausts the attacker's quotas: keeps as many graphs as possible, computes with many threads, and sends as many messages as are
// answered.
void takeAll(const ContextOptions& options) {
  Computing computing(options, 512, 32);
  std::vector<Graph> graphs;
  for (;;) {
    try {
      graphs.push_back(buildProducts(computing.context, 32, 100));
    } catch (const Error&) {
      if (graphs.empty()) throw;
      graphs.clear();
    }
    for (int i = 0; i < 16; ++i) computing.run();
    try {
      for (int i = 0; i < 200; ++i) computing.context.createTensor({DataType::float32, {32768}}).destroy();
    } catch (const Error&) {
    }
  }
}

[[noreturn]] void attack(const std::string& address, const std::string& token) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const ContextOptions options{
      .backend = "cpu", .execution = Execution::callerThread, .service = address, .serviceToken = token, .threads = 64};
  std::vector<std::thread> threads;
  for (int i = 0; i < 20; ++i) {  // more than its limit of contexts
    threads.emplace_back([&] {
      for (;;) {
        try {
          takeAll(options);
        } catch (const std::exception&) {
          std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
      }
    });
  }
  for (;;) ::pause();
}

class Attacker {
 public:
  Attacker(const RunningService& service, const std::string& token) {
    const std::string address = service.address();
    const char* const arguments[] = {"fairness", "attack", address.c_str(), token.c_str(), nullptr};
    if (::posix_spawn(&pid_, "/proc/self/exe", nullptr, nullptr, const_cast<char**>(arguments), environ) != 0)
      throw std::runtime_error("the attacker does not start");
  }
  Attacker(const Attacker&) = delete;
  Attacker& operator=(const Attacker&) = delete;
  ~Attacker() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = -1;
};

// ---- The victim ----

struct Measured {
  double perSecond = 0, p99 = 0;
  int errors = 0;
};

Measured measure(Computing& victim, std::chrono::duration<double> time, const char* when) {
  Measured measured;
  std::vector<double> times;
  const auto begin = Clock::now();
  while (Clock::now() - begin < time) {
    const auto start = Clock::now();
    try {
      victim.run();
    } catch (const Error& error) {
      std::cerr << error.what() << std::endl;
      if (++measured.errors > 10) break;
    }
    times.push_back(Milliseconds(Clock::now() - start).count());
  }
  std::ranges::sort(times);
  measured.perSecond = static_cast<double>(times.size()) / std::chrono::duration<double>(Clock::now() - begin).count();
  measured.p99 = times.at(times.size() * 99 / 100);
  std::cout << when << ": " << measured.perSecond << " runs per second, median " << times.at(times.size() / 2) << " ms, p99 "
            << measured.p99 << " ms, longest " << times.back() << " ms, " << measured.errors << " errors" << std::endl;
  return measured;
}

// The groups of processes, with their shares of CPU time: the service, the attacker's clients and the victim's client. The
// service does not divide the CPU time of clients, so this test gives the attacker's clients a small share.
constexpr std::pair<const char*, const char*> kParts[] = {{"service", "100"}, {"attacker", "10"}, {"victim", "100"}};

bool isFair(double minutes) {
  const OwnGroup group;
  const bool isDivided = !group.path().empty();
  if (isDivided) {
    writeLine(group.path() / "cgroup.subtree_control", "+cpu");
    for (const auto& [part, weight] : kParts) {
      std::filesystem::create_directory(group.path() / part);
      writeLine(group.path() / part / "cpu.weight", weight);
    }
  }
  const Tenants tenants;
  nlohmann::json config = tenants.config();
  config.erase("limits");
  RunningService service(config, tenants.victim, [&] {
    if (isDivided) group.enter("service");
  });
  const auto line = service.waitForLine(0, [](const std::string& text) { return text.find("\"shares\"") != std::string::npos; });
  const std::string shares = nlohmann::json::parse(line.value_or("{}")).value("shares", "?");
  std::cout << "shares " << shares << std::endl;
  if (isDivided) group.enter("victim");
  bool isFair = false;
  {
    Computing victim(
        {.backend = "cpu", .execution = Execution::callerThread, .service = service.address(), .serviceToken = tenants.victim},
        256, 8);
    const std::chrono::duration<double, std::ratio<60>> time(minutes);
    const Measured alone = measure(victim, time / 10, "alone");
    const Attacker attacker(service, tenants.other);
    if (isDivided) writeLine(group.path() / "attacker/cgroup.procs", std::to_string(attacker.pid()));
    const bool hasBegun = becomesTrue([&] { return service.workers().size() >= 17; });
    const Measured beside = measure(victim, time, "beside another at all its quotas");
    std::cout << beside.perSecond / alone.perSecond << " of its runs are left, p99 is " << beside.p99 / alone.p99
              << " times as long\n";
    constexpr double kHalf = 0.45;  // half, within the accuracy of the measurement
    isFair = hasBegun && alone.errors + beside.errors == 0 &&
             (shares != "of control groups" || beside.perSecond >= kHalf * alone.perSecond);
  }
  service.end(SIGTERM);
  if (isDivided) group.leave();
  return isFair;
}

}  // namespace
}  // namespace webnn

int main(int argc, char** argv) {
  if (argc == 4 && std::string_view(argv[1]) == "attack") webnn::attack(argv[2], argv[3]);
  const bool isFair = webnn::isFair(argc > 1 ? std::atof(argv[1]) : 10);
  std::cout << (isFair ? "fair" : "UNFAIR") << std::endl;
  return isFair ? 0 : 1;
}
