#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/text.h"
#include "worker/worker.h"

namespace webnn::service {

namespace {

using Limit = std::pair<std::string_view, std::uint64_t WorkerLimits::*>;
constexpr std::array<Limit, 8> kLimits{{{"graphs", &WorkerLimits::graphs},
                                        {"memories", &WorkerLimits::memories},
                                        {"operations", &WorkerLimits::operations},
                                        {"operands", &WorkerLimits::operands},
                                        {"message-bytes", &WorkerLimits::messageBytes},
                                        {"constant-bytes", &WorkerLimits::constantBytes},
                                        {"memory", &WorkerLimits::memory},
                                        {"messages-per-second", &WorkerLimits::messagesPerSecond}}};

std::uint64_t numberOf(std::string_view name, std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    fail(ErrorKind::typeError, "{} is {}, no number.", name, webnn::quoted(text));
  return value;
}

}  // namespace

std::vector<std::string> toArguments(const WorkerSettings& settings) {
  std::vector<std::string> arguments;
  for (const auto& [name, limit] : kLimits) arguments.push_back(formatText("{}={}", name, settings.limits.*limit));
  arguments.push_back(formatText("threads={}", settings.limits.threads));
  if (settings.requiresFullSandbox) arguments.emplace_back("sandbox=full");
  for (const auto& [backend, options] : settings.backends) {
    arguments.push_back("backend=" + backend);
    for (const auto& [name, value] : options) arguments.push_back("option=" + name + "=" + value);
  }
  return arguments;
}

WorkerSettings workerSettingsOf(const std::vector<std::string>& arguments) {
  WorkerSettings settings;
  std::map<std::string, std::string>* backend = nullptr;
  for (const std::string& argument : arguments) {
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : argument.substr(equals + 1);
    const auto limit = std::ranges::find(kLimits, name, &Limit::first);
    if (limit != kLimits.end()) {
      settings.limits.*(limit->second) = numberOf(name, value);
    } else if (name == "threads") {
      settings.limits.threads = static_cast<std::uint32_t>(numberOf(name, value));
    } else if (name == "sandbox") {
      settings.requiresFullSandbox = value == "full";
    } else if (name == "backend") {
      backend = &settings.backends[value];
    } else if (name == "option" && backend) {
      const std::size_t second = value.find('=');
      (*backend)[value.substr(0, second)] = second == std::string::npos ? "" : value.substr(second + 1);
    } else {
      fail(ErrorKind::typeError, "a worker has no setting {}.", webnn::quoted(name));
    }
  }
  return settings;
}

}  // namespace webnn::service
