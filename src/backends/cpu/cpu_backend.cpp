#include "backends/cpu/cpu_backend.h"

#include <algorithm>
#include <map>

#include "backends/cpu/compile/executable.h"
#include "backends/cpu/runtime/processors.h"
#include "base/text.h"

namespace webnn::cpu {

namespace {

class CpuBackend final : public Backend {
 public:
  CpuBackend(CompileOptions options, std::shared_ptr<TeamPool> pool) : options_(std::move(options)), pool_(std::move(pool)) {
    options_.weights = std::make_shared<SharedWeights>();
    if constexpr (kLendsArenas) options_.arenas = std::make_shared<ArenaPool>();
  }

  std::string_view name() const override { return "cpu"; }
  bool accelerated() const override { return false; }
  OpSupportLimits opSupportLimits() const override { return tableLimits(); }
  std::unique_ptr<Executable> compile(std::shared_ptr<const GraphDefinition> graph, const Budget& budget) const override {
    return cpu::compile(std::move(graph), options_, pool_, budget);
  }

 private:
  CompileOptions options_;
  std::shared_ptr<TeamPool> pool_;
};

// Splits a comma-separated list of passes. "all" stands for every pass that may be disabled.
std::vector<std::string> passesOf(std::string_view list) {
  std::vector<std::string> names;
  if (list == "all") {
    for (const Pass& pass : allPasses()) {
      if (!pass.required) names.emplace_back(pass.name);
    }
    return names;
  }
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view name = list.substr(0, comma);
    const auto passes = allPasses();
    const auto pass = std::ranges::find(passes, name, &Pass::name);
    if (pass == passes.end()) fail(ErrorKind::typeError, "backend \"cpu\": disable: there is no pass {}.", webnn::quoted(name));
    if (pass->required) fail(ErrorKind::typeError, "backend \"cpu\": disable: pass {} is needed.", webnn::quoted(name));
    names.emplace_back(name);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return names;
}

bool truthOf(std::string_view name, std::string_view value) {
  if (value == "true") return true;
  if (value == "false") return false;
  fail(ErrorKind::typeError, "backend \"cpu\": {} ({}) is neither true nor false.", name, webnn::quoted(value));
}

MemoryMode memoryOf(std::string_view value) {
  if (value == "planned") return MemoryMode::planned;
  if (value == "watched") return MemoryMode::watched;
  if (value == "apart") return MemoryMode::apart;
  fail(ErrorKind::typeError, "backend \"cpu\": memory ({}) is not one of planned, watched, apart.", webnn::quoted(value));
}

Precision precisionOf(std::string_view value) {
  if (value == "float32") return Precision::float32;
  if (value == "bfloat16" || value == "bf16") return Precision::bfloat16;
  fail(ErrorKind::typeError, "backend \"cpu\": precision ({}) is not one of float32, bfloat16.", webnn::quoted(value));
}

std::shared_ptr<TeamPool> teamOf(unsigned threads, bool pin) {
#ifdef __EMSCRIPTEN__
  // In the web package, one web worker (or the page) computes for all contexts, one run at a time, so that contexts with equal
  // thread counts can share a team. bindings/web/lib/engine.js has already started the web workers on which the threads will run.
  static std::map<unsigned, std::shared_ptr<TeamPool>> teams;
  std::shared_ptr<TeamPool>& team = teams[threads == 0 ? usableProcessors() : threads];
  if (!team) team = std::make_shared<TeamPool>(threads, pin);
  return team;
#else
  return std::make_shared<TeamPool>(threads, pin);
#endif
}

}  // namespace

Settings settingsOf(const ContextOptions& options) {
  Settings settings;
  std::string isa;
  for (const auto& [name, value] : options.backendOptions) {
    if (name == "isa") {
      isa = value;
    } else if (name == "disable") {
      settings.compile.disabledPasses = passesOf(value);
    } else if (name == "memory") {
      settings.compile.memory = memoryOf(value);
    } else if (name == "pin") {
      settings.pin = truthOf(name, value);
    } else if (name == "precision") {
      settings.compile.precision = precisionOf(value);
    } else {
      fail(ErrorKind::typeError, "backend \"cpu\" has no option {}; it has: disable, isa, memory, pin, precision.",
           webnn::quoted(name));
    }
  }
  settings.compile.isa = chooseIsa(isa);
  return settings;
}

std::shared_ptr<const Backend> makeBackend(const ContextOptions& options) {
  Settings settings = settingsOf(options);
  return std::make_shared<const CpuBackend>(std::move(settings.compile), teamOf(options.threads, settings.pin));
}

}  // namespace webnn::cpu
