// Runs eight tenants of a service for a long time, while models are loaded and released and workers are killed: `make soak`.
//
//   soak [SECONDS [SECONDS BETWEEN KILLS]]
//
// Each call must have exactly one result, each result must be bit-identical to the result of the same graph in this process,
// and memory, descriptors and processes must not grow. Prints the figures. Fails if a condition is violated.
#include <malloc.h>

#include <iostream>
#include <random>

#include "random/random_graph.h"
#include "service/bystander.h"
#include "service/ledger.h"
#include "service/running_service.h"
#include "webnn/formats.h"

namespace webnn {
namespace {

using namespace test;
using Clock = std::chrono::steady_clock;
using Bytes = std::vector<std::byte>;

constexpr int kTenants = 8;
constexpr std::size_t kModels = 40;

struct Model {
  Graph graph;
  std::vector<Bytes> inputs, outputs;
};

const ContextOptions kHere{.backend = "cpu", .execution = Execution::callerThread, .service = "", .threads = 1};

template <typename Byte>
std::vector<std::span<Byte>> spansOf(auto& tensors) {
  std::vector<std::span<Byte>> spans;
  for (auto& tensor : tensors) spans.emplace_back(tensor.data(), tensor.size());
  return spans;
}

void run(const Graph& graph, const std::vector<Bytes>& inputs, std::vector<Bytes>& outputs) {
  outputs.clear();
  for (const auto& [name, descriptor] : graph.outputs()) outputs.emplace_back(byteLength(descriptor));
  graph.compute(spansOf<const std::byte>(inputs), spansOf<std::byte>(outputs));
}

// Returns the example network and random graphs, with their results in this process.
std::vector<Model> makeModels() {
  std::vector<Model> models;
  Context context = Context::create(kHere);
  Graph digits = load(context, std::filesystem::path(WEBNN_SOURCE_DIR) / "examples/digits/digits.webnn");
  std::vector<Bytes> inputs;
  for (const auto& [name, descriptor] : digits.inputs()) inputs.emplace_back(byteLength(descriptor), std::byte{0x3e});
  models.push_back({digits, inputs, {}});
  for (std::uint64_t seed = 1; models.size() < kModels; ++seed) {
    random::Choices choices(seed);
    random::RandomGraph made = random::makeRandomGraph(context, choices);
    if (made.graph.memoryEstimate().intermediates < (1 << 20)) models.push_back({made.graph, made.inputs, {}});
  }
  for (Model& model : models) run(model.graph, model.inputs, model.outputs);
  return models;
}

struct Totals {
  std::atomic<std::uint64_t> contexts{0}, lost{0}, builds{0}, dispatches{0}, calls{0}, errors{0}, faults{0};
};

// Uses one context after another.
class Tenant {
 public:
  Tenant(ContextOptions options, const std::vector<Model>& models, Totals& totals, unsigned seed)
      : options_(std::move(options)), models_(models), totals_(totals), random_(seed) {
    options_.backend = "cpu";
  }

  void run(const std::atomic<bool>& isOver) {
    while (!isOver) {
      Ledger ledger;
      live(ledger, isOver);
      const std::string faults = ledger.faults();
      if (!faults.empty()) {
        ++totals_.faults;
        std::cerr << faults << std::endl;
      }
      ++totals_.contexts;
      totals_.calls += ledger.count();
      totals_.errors += ledger.count(Answer::error);
    }
  }

 private:
  struct Compiled {
    const Model* model = nullptr;
    Graph graph;
    std::vector<NamedTensor> inputs, outputs;
  };

  std::size_t below(std::size_t limit) { return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_); }

  // Uses a context with several models at a time, for at most 60 turns or until it is lost.
  void live(Ledger& ledger, const std::atomic<bool>& isOver) {
    options_.execution = below(2) == 0 ? Execution::worker : Execution::callerThread;
    Context context;
    std::shared_future<ContextLostInfo> lost;
    const auto attempt = [&](const char* name, auto&& work) {
      const Ledger::Call call = ledger.accept(name);
      try {
        work();
      } catch (const Error& error) {
        ledger.answer(call, Answer::error);
        if (lost.valid() && lost.wait_for(std::chrono::milliseconds(kDeadline)) != std::future_status::ready)
          ledger.blame(std::string(name) + ": " + error.what());
        return false;
      }
      ledger.answer(call, Answer::result);
      return true;
    };
    if (!attempt("create", [&] { context = Context::create(options_); })) return;
    lost = context.lost();
    std::vector<Compiled> compiled;
    bool goesOn = true;
    for (int turn = 0; turn < 60 && goesOn && !isOver; ++turn) {
      if (compiled.size() < 4 && below(3) != 0) {
        goesOn = attempt("build", [&] { compiled.push_back(compile(context)); });
      } else if (!compiled.empty()) {
        if (compiled.size() == 4) compiled.erase(compiled.begin() + static_cast<std::ptrdiff_t>(below(4)));
        const Compiled& chosen = compiled[below(compiled.size())];
        for (int times = 0; times < 20 && goesOn; ++times)
          goesOn = attempt("dispatch", [&] { dispatch(ledger, context, chosen); });
      }
    }
    if (!goesOn) ++totals_.lost;
    if (below(2) == 0) attempt("destroy", [&] { context.destroy(); });
    compiled.clear();
    context = Context();
    attempt("lost", [&] { lost.get(); });
  }

  Compiled compile(Context& context) {
    Compiled compiled{.model = &models_[below(models_.size())]};
    compiled.graph = context.compile(compiled.model->graph);
    for (const auto& [name, descriptor] : compiled.graph.inputs())
      compiled.inputs.emplace_back(name, context.createTensor({descriptor.dataType, descriptor.shape, false, true}));
    for (const auto& [name, descriptor] : compiled.graph.outputs())
      compiled.outputs.emplace_back(name, context.createTensor({descriptor.dataType, descriptor.shape, true, false}));
    ++totals_.builds;
    return compiled;
  }

  void dispatch(Ledger& ledger, Context& context, const Compiled& compiled) {
    for (std::size_t i = 0; i < compiled.inputs.size(); ++i)
      context.writeTensor(compiled.inputs[i].second, compiled.model->inputs[i]);
    context.dispatch(compiled.graph, compiled.inputs, compiled.outputs);
    std::vector<std::future<Bytes>> reads;
    for (const auto& [name, tensor] : compiled.outputs) reads.push_back(context.readTensor(tensor));
    for (std::size_t i = 0; i < reads.size(); ++i) {
      if (reads[i].get() != compiled.model->outputs[i]) ledger.blame("a wrong result");
    }
    ++totals_.dispatches;
  }

  ContextOptions options_;
  const std::vector<Model>& models_;
  Totals& totals_;
  std::mt19937 random_;
};

// ---- Resources that must not grow ----

// Returns the field `name` of a file in /proc, converted from KiB to MiB; 0 if the field is missing.
double mebibytes(const std::string& path, const std::string& name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(name + ":", 0) == 0) return std::atof(line.c_str() + name.size() + 1) / 1024;
  }
  return 0;
}

// Returns the memory that is shared with workers and mapped, in MiB. (Shmem of the whole machine would include other programs.)
double mappedShared() {
  std::ifstream file("/proc/self/maps");
  double bytes = 0;
  for (std::string line; std::getline(file, line);) {
    unsigned long begin = 0, end = 0;
    if (line.find("/memfd:webnn") != std::string::npos && std::sscanf(line.c_str(), "%lx-%lx", &begin, &end) == 2)
      bytes += static_cast<double>(end - begin);
  }
  return bytes / (1 << 20);
}

struct Sample {
  double brokerMemory, clientMemory, shared, brokerDescriptors, clientDescriptors, workers;
};
struct Measure {
  const char* name;
  double Sample::*value;
  double mayGrow;
};
const Measure kMeasures[] = {{"broker, private memory (MiB)", &Sample::brokerMemory, 4},
                             {"clients, private memory (MiB)", &Sample::clientMemory, 32},
                             {"memory shared with workers (MiB)", &Sample::shared, 32},
                             {"broker, descriptors", &Sample::brokerDescriptors, 4},
                             {"clients, descriptors", &Sample::clientDescriptors, 8},
                             // Each tenant may have a worker that is ending and a worker that replaces it.
                             {"workers", &Sample::workers, kTenants}};

Sample takeSample(const RunningService& service) {
  const std::string broker = std::to_string(service.pid());
  return {mebibytes("/proc/" + broker + "/status", "RssAnon"),
          mebibytes("/proc/self/status", "RssAnon"),
          mappedShared(),
          static_cast<double>(openDescriptors(broker)),
          static_cast<double>(openDescriptors()),
          static_cast<double>(service.workers().size())};
}

// Returns the maximum of `value` over the samples between the fractions `from` and `to`. soak() compares an early and a late
// maximum to detect growth, because the values fluctuate.
double largest(const std::vector<Sample>& samples, double Sample::*value, double from, double to) {
  const auto at = [&](double part) { return static_cast<std::size_t>(part * static_cast<double>(samples.size())); };
  double most = 0;
  for (std::size_t i = at(from); i < std::max(at(to), at(from) + 1) && i < samples.size(); ++i)
    most = std::max(most, samples[i].*value);
  return most;
}

int soak(double seconds, double betweenKills) {
  ::mallopt(M_ARENA_MAX, 2);  // one arena per thread would grow for hours
  const std::vector<Model> models = makeModels();
  std::vector<std::string> tokens;
  nlohmann::json config = kManyLines;
  for (int i = 0; i < kTenants; ++i) {
    tokens.push_back(service::makeToken());
    config["tenants"].push_back(
        {{"name", "tenant" + std::to_string(i)}, {"token", "sha256:" + service::hashOfToken(tokens.back())}});
  }
  RunningService service(config, tokens[0]);
  const std::size_t descriptors = openDescriptors();
  const double machine = mebibytes("/proc/meminfo", "Shmem");
  Totals totals;
  std::atomic<bool> isOver{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < kTenants; ++i) {
    threads.emplace_back([&, i] {
      Tenant(service.options(tokens[static_cast<std::size_t>(i)]), models, totals, static_cast<unsigned>(i)).run(isOver);
    });
  }
  std::vector<Sample> samples;
  std::mt19937 random(1);
  const auto begin = Clock::now();
  int kills = 0;
  for (double now = 0; now < seconds; now = std::chrono::duration<double>(Clock::now() - begin).count()) {
    ::poll(nullptr, 0, 500);
    samples.push_back(takeSample(service));
    const std::vector<pid_t> workers = service.workers();
    if (now >= betweenKills * (kills + 1) && !workers.empty() && OtherProcess(workers[random() % workers.size()]).kill()) ++kills;
  }
  isOver = true;
  for (std::thread& thread : threads) thread.join();

  bool isFine = totals.faults == 0 && totals.dispatches > 0;
  std::cout << seconds << " s, " << kills << " workers killed\n"
            << totals.contexts << " contexts (" << totals.lost << " lost), " << totals.builds << " builds, " << totals.dispatches
            << " dispatches; " << totals.calls << " calls, " << totals.errors << " errors, " << totals.faults
            << " contexts with a wrong ledger\n";
  for (const Measure& measure : kMeasures) {
    const double early = largest(samples, measure.value, 0.2, 0.5), late = largest(samples, measure.value, 0.7, 1);
    const bool grows = late > early + measure.mayGrow;
    std::cout << measure.name << ": " << early << ", in the end " << late << (grows ? " GROWS" : "") << "\n";
    isFine = isFine && !grows;
  }
  std::cout << "shared memory of the machine (MiB): " << machine << " before, " << mebibytes("/proc/meminfo", "Shmem")
            << " after\n";
  const bool isEmpty = becomesTrue([&] { return service.workers().empty(); }) && openDescriptors() == descriptors;
  std::cout << (isEmpty ? "nothing is left behind\n" : "SOMETHING IS LEFT BEHIND\n");
  return isFine && isEmpty ? 0 : 1;
}

}  // namespace
}  // namespace webnn

int main(int argc, char** argv) { return webnn::soak(argc > 1 ? std::atof(argv[1]) : 3600, argc > 2 ? std::atof(argv[2]) : 60); }
