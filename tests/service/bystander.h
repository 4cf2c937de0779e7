// The tenants of a service under test. One of them must not notice the actions of the others.
#pragma once

#include <poll.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "broker/broker_config.h"
#include "service/clients.h"

namespace webnn::test {

using Milliseconds = std::chrono::duration<double, std::milli>;

// Returns how often to repeat a test: the value of an environment variable (`make faults`), or `usual`.
inline int times(const char* variable, int usual) {
  const char* const value = std::getenv(variable);
  return value ? std::atoi(value) : usual;
}

inline const nlohmann::json kManyLines{{"limits", {{"logLinesPerSecond", 1'000'000}, {"contexts", 64}}}};

// A client of another tenant, which computes continuously.
class Bystander {
 public:
  explicit Bystander(ContextOptions options) : client_(makeClient(std::move(options))) {
    thread_ = std::thread([this] {
      while (!isOver_) {
        const auto begin = std::chrono::steady_clock::now();
        try {
          if (!computes(client_, static_cast<float>(times_.size() % 7))) ++errors_;
        } catch (const Error& error) {
          ++errors_;
        }
        times_.push_back(Milliseconds(std::chrono::steady_clock::now() - begin).count());
        // A pair of threads that wake each other without a pause can keep other threads from a processor for seconds. (This was
        // seen with Linux 6.18 on two processors: a new process was ready but did not run.)
        if (times_.size() % 64 == 0) ::poll(nullptr, 0, 1);
      }
    });
  }
  ~Bystander() { end(); }
  Bystander(const Bystander&) = delete;
  Bystander& operator=(const Bystander&) = delete;
  void end() {
    isOver_ = true;
    if (thread_.joinable()) thread_.join();
    std::sort(times_.begin(), times_.end());
  }
  int errors() const { return errors_; }
  std::size_t count() const { return times_.size(); }
  double quantile(double part) const {
    return times_.at(static_cast<std::size_t>(part * static_cast<double>(times_.size() - 1)));
  }
  std::string text() const {
    std::ostringstream text;
    text << count() << " round trips, median " << quantile(0.5) << " ms, p99 " << quantile(0.99) << " ms, longest " << quantile(1)
         << " ms";
    return text.str();
  }

 private:
  Client client_;
  std::atomic<bool> isOver_{false};
  int errors_ = 0;
  std::vector<double> times_;
  std::thread thread_;
};

struct Tenants {
  std::string victim = service::makeToken(), other = service::makeToken();
  nlohmann::json config() const {
    const auto tenant = [](const std::string& name, const std::string& token) {
      return nlohmann::json{{"name", name}, {"token", "sha256:" + service::hashOfToken(token)}};
    };
    nlohmann::json config = kManyLines;
    config["tenants"] = {tenant("victim", victim), tenant("other", other)};
    return config;
  }
};

}  // namespace webnn::test
