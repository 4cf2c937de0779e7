#include "broker/broker_config.h"

#include <sha2.h>
#include <sys/random.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "base/text.h"
#include "context/select_backend.h"
#include "formats/document/json_parse.h"

namespace webnn::service {

namespace {

using formats::Json;
using formats::JsonAt;

// Reads a positive number. Refuses 0, because it could mean "nothing" or "no limit".
void readNumber(const JsonAt& object, std::string_view key, auto& value) {
  const auto found = object.find(key);
  if (!found) return;
  using Value = std::remove_reference_t<decltype(value)>;
  const std::uint64_t number = found->integer64();
  if (number == 0 || number > std::numeric_limits<Value>::max())
    found->fail(formatText("it is not between 1 and {}.", std::numeric_limits<Value>::max()));
  value = static_cast<Value>(number);
}

void readSeconds(const JsonAt& object, std::string_view key, std::chrono::milliseconds& value) {
  const auto found = object.find(key);
  if (!found) return;
  constexpr double kMost = 1e9;
  const Json& json = found->json();
  const double seconds = json.isDouble() ? json.asDouble() : json.isUnsigned() ? static_cast<double>(json.asUnsigned()) : -1;
  if (!(seconds == 0 || (seconds >= 0.001 && seconds <= kMost)))
    found->fail("it is not 0 or between 0.001 and 1000000000 seconds.");
  value = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

std::uint64_t machineMemory() {
  struct sysinfo info {};
  return ::sysinfo(&info) == 0 ? std::uint64_t{info.totalram} * info.mem_unit : std::uint64_t{4} << 30;
}

// Throws DataError for an unknown key. Otherwise a misspelled limit would be ignored silently.
void requireKnown(const JsonAt& object, std::span<const std::string_view> known) {
  object.forEachMember([&](std::string_view key, const JsonAt& value) {
    if (std::ranges::find(known, key) == known.end()) value.fail("there is no such setting.");
  });
}

void requireKnown(const JsonAt& object, std::initializer_list<std::string_view> known) {
  requireKnown(object, std::span(known.begin(), known.end()));
}

TenantLimits readLimits(const JsonAt& json, TenantLimits limits) {
  requireKnown(json, {"contexts", "memory", "buildSeconds", "dispatchSeconds", "idleSeconds", "logLinesPerSecond", "graphs",
                      "tensors", "operations", "operands", "messageBytes", "constantBytes", "messagesPerSecond", "threads"});
  readNumber(json, "contexts", limits.contexts);
  readNumber(json, "memory", limits.memory);
  readSeconds(json, "buildSeconds", limits.buildTime);
  readSeconds(json, "dispatchSeconds", limits.dispatchTime);
  readSeconds(json, "idleSeconds", limits.idleTime);
  readNumber(json, "logLinesPerSecond", limits.logLinesPerSecond);
  readNumber(json, "graphs", limits.worker.graphs);
  readNumber(json, "tensors", limits.worker.memories);
  readNumber(json, "operations", limits.worker.operations);
  readNumber(json, "operands", limits.worker.operands);
  readNumber(json, "messageBytes", limits.worker.messageBytes);
  readNumber(json, "constantBytes", limits.worker.constantBytes);
  readNumber(json, "messagesPerSecond", limits.worker.messagesPerSecond);
  readNumber(json, "threads", limits.worker.threads);
  return limits;
}

// Refuses (uid_t)-1: setresuid(2) reads it as "no change", so the worker would keep the broker's user.
uid_t readUser(const JsonAt& json) {
  const std::uint32_t user = json.integer();
  if (user == static_cast<uid_t>(-1)) json.fail("it is no user's.");
  return user;
}

// Refuses a path that contains a NUL byte, because the system would use only the part before it.
std::string readPath(const JsonAt& json) {
  if (json.text().find('\0') != std::string::npos) json.fail("it is no path.");
  return json.text();
}

Tenant readTenant(const JsonAt& json, const TenantLimits& defaults) {
  requireKnown(json, {"name", "uid", "token", "user", "limits"});
  Tenant tenant{.name = json.member("name").text(), .limits = defaults};
  if (tenant.name.empty()) json.member("name").fail("it is empty.");
  if (const auto uid = json.find("uid")) tenant.uid = readUser(*uid);
  if (const auto user = json.find("user")) tenant.user = readUser(*user);
  if (const auto token = json.find("token")) {
    constexpr std::string_view kPrefix = "sha256:";
    const std::string& text = token->text();
    if (!text.starts_with(kPrefix) || text.size() != kPrefix.size() + 64 ||
        text.find_first_not_of("0123456789abcdef", kPrefix.size()) != std::string::npos)
      token->fail("it is not \"sha256:\" and 64 hexadecimal digits, as `webnn service token` prints them.");
    tenant.tokenHash = text.substr(kPrefix.size());
  }
  if (!tenant.uid && tenant.tokenHash.empty()) json.fail("a tenant needs a uid or a token.");
  if (const auto limits = json.find("limits")) tenant.limits = readLimits(*limits, defaults);
  return tenant;
}

mode_t readMode(const JsonAt& json) {
  const std::string& text = json.text();
  if (text.size() != 4 || text[0] != '0' || text.find_first_not_of("01234567") != std::string::npos)
    json.fail("it is not a mode like \"0600\".");
  return static_cast<mode_t>(std::stoul(text, nullptr, 8));
}

}  // namespace

BrokerConfig readConfig(std::string_view text) {
  const Json json = formats::parseJson(text, "the configuration");
  const JsonAt root(json, "configuration");
  requireKnown(root, {"socket", "mode", "connections", "unauthenticated", "unauthenticatedPerUser", "helloSeconds", "backends",
                      "sandbox", "tenants", "limits", "log"});
  BrokerConfig config;
  if (const auto socket = root.find("socket")) config.socket = readPath(*socket);
  if (const auto log = root.find("log")) config.log = readPath(*log);
  if (const auto mode = root.find("mode")) config.mode = readMode(*mode);
  readNumber(root, "connections", config.connections);
  readNumber(root, "unauthenticated", config.unauthenticated);
  readNumber(root, "unauthenticatedPerUser", config.unauthenticatedPerUser);
  readSeconds(root, "helloSeconds", config.helloTime);
  if (config.helloTime.count() == 0) root.fail("helloSeconds is 0: nobody could say a hello.");
  if (const auto sandbox = root.find("sandbox")) {
    if (sandbox->text() != "full" && sandbox->text() != "best") sandbox->fail("it is neither \"full\" nor \"best\".");
    config.requiresFullSandbox = sandbox->text() == "full";
  }
  if (const auto backends = root.find("backends")) {
    config.backends.clear();
    backends->forEachMember([&](const std::string& name, const JsonAt& options) {
      const auto backend = std::ranges::find(knownBackends(), name, &BackendEntry::name);
      if (backend == knownBackends().end()) options.fail("there is no such backend in this build.");
      requireKnown(options, backend->options);
      auto& settings = config.backends[name];
      options.forEachMember([&](const std::string& option, const JsonAt& value) { settings[option] = value.text(); });
    });
    if (config.backends.empty()) backends->fail("it is empty: nobody could compute.");
  }
  TenantLimits limits{.memory = machineMemory() / 4};
  if (const auto found = root.find("limits")) limits = readLimits(*found, limits);
  if (const auto tenants = root.find("tenants")) {
    tenants->forEachItem([&](const JsonAt& item) {
      Tenant tenant = readTenant(item, limits);
      for (const Tenant& other : config.tenants) {
        if (other.name == tenant.name) item.member("name").fail("another tenant has this name.");
        if (other.uid == tenant.uid && other.tokenHash == tenant.tokenHash)
          item.fail(formatText("tenant {} has the same uid and token: nobody would be this one.", webnn::quoted(other.name)));
      }
      config.tenants.push_back(std::move(tenant));
    });
  }
  if (config.tenants.empty()) config.tenants.push_back({.name = "owner", .uid = ::geteuid(), .limits = limits});
  return config;
}

std::string hashOfToken(std::string_view token) {
  SHA2_CTX context;
  SHA256Init(&context);
  SHA256Update(&context, reinterpret_cast<const std::uint8_t*>(token.data()), token.size());
  std::array<std::uint8_t, SHA256_DIGEST_LENGTH> digest{};
  SHA256Final(digest.data(), &context);
  std::string text;
  for (const std::uint8_t byte : digest) text += formatText("{:02x}", byte);
  return text;
}

std::string makeToken() {
  std::array<std::uint8_t, 16> bits{};
  if (::getrandom(bits.data(), bits.size(), 0) != static_cast<ssize_t>(bits.size()))
    fail(ErrorKind::unknownError, "the system has no random numbers.");
  std::string text;
  for (const std::uint8_t byte : bits) text += formatText("{:02x}", byte);
  return text;
}

bool equalInConstantTime(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return difference == 0;
}

}  // namespace webnn::service
