// webnn backends and webnn info: print the features of this build and machine.
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/cpu/runtime/caches.h"
#include "backends/cpu/runtime/features.h"
#include "backends/cpu/runtime/isa.h"
#include "backends/cpu/runtime/processors.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "context/select_backend.h"
#include "measure/peak.h"

namespace webnn::cli {

namespace {

// Returns why the backend cannot create a context; empty if it can.
std::string whyNot(const BackendEntry& entry) {
  if (!entry.unavailable.empty()) return entry.unavailable;
  try {
    static_cast<void>(entry.make({.threads = 1}));
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

std::string joined(std::span<const std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) text.append(text.empty() ? "" : " ").append(word);
  return text;
}

std::string backendsText(std::size_t width) {
  std::string text;
  for (const BackendEntry& entry : knownBackends()) {
    const std::string reason = whyNot(entry);
    text += formatText("{:<{}}{}\n", entry.name, width,
                       reason.empty() ? emphasized(Emphasis::good, "available")
                                      : emphasized(Emphasis::bad, "not available") + ":\n" + std::string(width, ' ') +
                                            wrapped(reason, terminalColumns(), width));
    if (entry.devices) {
      for (const std::string& device : entry.devices())
        text += std::string(width, ' ') + wrapped("device " + device, terminalColumns(), width) + "\n";
    }
    if (!entry.options.empty()) {
      text += std::string(width, ' ') + wrapped("options " + joined(entry.options), terminalColumns(), width) + "\n";
    }
  }
  return text;
}

std::string processorText() {
  const cpu::CacheSizes& caches = cpu::systemCaches();
  std::string text = formatText("processor    {}\n", measure::processorName());
  text += formatText("isa          {}\n", cpu::spelling(cpu::chooseIsa({})));
  text += formatText("features     {}\n", cpu::namesOf(cpu::processorFeatures()));
  text += formatText("caches       {} KiB first level, {} KiB second level, for each core\n", caches.level1 >> 10,
                     caches.level2 >> 10);
  return text + formatText("threads      {}\n", cpu::usableProcessors());
}

constexpr std::size_t kLeft = 13;

// Returns the backend that a context gets if none is named, or "none: " and the error.
std::string defaultBackend() {
  try {
    return std::string(Context::create({.execution = Execution::callerThread, .threads = 1}).backend());
  } catch (const Error& error) {
    return formatText("none: {}", error.what());
  }
}

std::vector<std::pair<std::string, std::string>> variables() {
  std::vector<std::pair<std::string, std::string>> set;
  for (const char* name :
       {"WEBNN_BACKEND", "WEBNN_CPU_ISA", "WEBNN_SERVICE", "WEBNN_ONNXRUNTIME", "WEBNN_OPENVINO", "WEBNN_WEBGPU"}) {
    if (const char* const value = std::getenv(name); value && *value) set.emplace_back(name, value);
  }
  return set;
}

std::string infoText() {
  std::string text = formatText("version      {}\n", programVersion());
#ifdef WEBNN_SERVICE
  text += "service      yes: --service runs graphs in a process of their own\n";
#else
  text += "service      no: this build has none\n";
#endif
  for (const auto& [name, value] : variables()) text += formatText("environment  {}={}\n", name, sanitized(value));
  text += "\n" + processorText();
  text += formatText("\nbackend      {} if none is named\n", defaultBackend());
  return text + "\n" + backendsText(kLeft);
}

Json infoJson() {
  Json json{{"version", programVersion()}};
#ifdef WEBNN_SERVICE
  json["service"] = true;
#else
  json["service"] = false;
#endif
  json["processor"] = measure::processorName();
  json["isa"] = cpu::spelling(cpu::chooseIsa({}));
  json["features"] = cpu::namesOf(cpu::processorFeatures());
  json["threads"] = cpu::usableProcessors();
  json["backends"] = Json::object();
  for (const BackendEntry& entry : knownBackends()) {
    const std::string reason = whyNot(entry);
    Json& backend = json["backends"][entry.name] = Json{{"available", reason.empty()}};
    if (!reason.empty()) backend["reason"] = reason;
    if (entry.devices) backend["devices"] = entry.devices();
  }
  json["environment"] = Json::object();
  for (const auto& [name, value] : variables()) json["environment"][name] = value;
  return json;
}

}  // namespace

void addBackends(const Command& app, int& status) {
  const Command command =
      app.subcommand("backends", "Print the backends, and the processor's features that the CPU engine detects");
  command.footer(
      "threads is the default of --threads: the number of processors that the process may use, or fewer if its control\n"
      "group limits their CPU time.\n"
      "Examples:\n"
      "  webnn backends\n"
      "  WEBNN_CPU_ISA=avx2,-vnni webnn backends");
  command.action([&status] {
    print(backendsText(kLeft) + "\n" + processorText());
    status = kFine;
  });
}

void addInfo(const Command& app, int& status) {
  auto isJson = std::make_shared<bool>(false);
  const Command command = app.subcommand("info", "Print the version, the processor and the backends, for bug reports");
  command.flag("--json", *isJson, "Machine-readable result");
  command.footer("Examples:\n  webnn info\n  webnn info --json");
  command.action([isJson, &status] {
    print(*isJson ? jsonText(infoJson()) : infoText());
    status = kFine;
  });
}

}  // namespace webnn::cli
