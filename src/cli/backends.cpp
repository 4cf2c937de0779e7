// webnn backends: what this build and this machine have.
#include <span>
#include <string>
#include <string_view>

#include "base/text.h"
#include "cli/command.h"
#include "context/select_backend.h"
#include "cpu/runtime/caches.h"
#include "cpu/runtime/features.h"
#include "cpu/runtime/isa.h"
#include "cpu/runtime/processors.h"
#include "measure/peak.h"

namespace webnn::cli {

namespace {

// Why a context cannot be had; empty if it can.
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

int run() {
  std::string text;
  for (const BackendEntry& entry : knownBackends()) {
    const std::string reason = whyNot(entry);
    text += formatText("{:<12} {}\n", entry.name, reason.empty() ? "available" : "not available: " + reason);
    if (!entry.options.empty()) text += formatText("{:<12} options {}\n", "", joined(entry.options));
  }
  const cpu::CacheSizes& caches = cpu::systemCaches();
  text += formatText("\nprocessor    {}\n", measure::processorName());
  text += formatText("isa          {}\n", cpu::spelling(cpu::chooseIsa({})));
  text += formatText("features     {}\n", cpu::namesOf(cpu::processorFeatures()));
  text += formatText("caches       {} KiB first level, {} KiB second level, for each core\n", caches.level1 >> 10,
                     caches.level2 >> 10);
  text += formatText("threads      {}\n", cpu::usableProcessors());
  writeText({}, text);
  return kFine;
}

}  // namespace

void addBackends(const Command& app, int& status) {
  const Command command = app.subcommand("backends", "Print the backends, and what the CPU engine knows of the processor");
  command.footer(
      "threads is the default of --threads: the processors that the process may use, or less where its control group has\n"
      "less of their time.\n"
      "Examples:\n"
      "  webnn backends\n"
      "  WEBNN_CPU_ISA=avx2,-vnni webnn backends");
  command.action([&status] { status = run(); });
}

}  // namespace webnn::cli
