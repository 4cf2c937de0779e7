// Support for tests that attack the service: a victim, and checks after each attempt. The broker must still run, another tenant's
// client must compute correctly, and the attacker must not have received any byte of the other tenant.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "service/raw_client.h"

namespace webnn::service {

using namespace test;

inline constexpr std::int32_t kSecret = 0x5EC4E7A1;
inline constexpr std::uint32_t kSecrets = 1024;

// The tenant that others try to harm. Computes y = x - secret, where x is secret, too.
class Victim {
 public:
  explicit Victim(const TestService& service) : context_(Context::create(service.options(kTokenB))) {
    GraphBuilder builder(context_);
    const OperandDescriptor type{DataType::int32, {kSecrets}};
    const std::vector<std::int32_t> values(kSecrets, kSecret);
    graph_ =
        builder.build({{"y", builder.sub(builder.input("x", type), builder.constant(type, std::as_bytes(std::span(values))))}});
    x_ = context_.createTensor({DataType::int32, {kSecrets}, false, true});
    y_ = context_.createTensor({DataType::int32, {kSecrets}, true, false});
    context_.write(x_, values);
  }
  bool computes() {
    context_.dispatch(graph_, {{"x", x_}}, {{"y", y_}});
    return context_.read<std::int32_t>(y_) == std::vector<std::int32_t>(kSecrets, 0);
  }

 private:
  Context context_;
  Graph graph_;
  Tensor x_, y_;
};

// Returns whether the broker answers a status request. Retries, because the broker may still count clients that have just left.
inline bool isServed(const TestService& service) {
  for (int i = 0; i < 1000; ++i) {
    if (answerTo(dial(service.path()), helloWith("", Wish::status))[0] == 'S') return true;
  }
  return false;
}

inline bool holdsSecret(std::span<const std::byte> bytes) {
  const std::array<std::int32_t, 2> secret{kSecret, kSecret};
  const auto pattern = std::as_bytes(std::span(secret));
  return std::search(bytes.begin(), bytes.end(), pattern.begin(), pattern.end()) != bytes.end();
}

// Contains bytes that would end a log line, control a terminal or end a JSON string.
inline constexpr const char* kHostileText = "a\n{\"event\":\"stop\"}\r\x1b[2J\x7f\xff\",\"x\":\"\xe2\x80\xae";
// The names in a graph must be UTF-8.
inline constexpr const char* kHostileName = "a\n{\"event\":\"stop\"}\r\x1b[2J\x7f\",\"x\":\"\xe2\x80\xae";

inline bool isPrintable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f; }) &&
         text.find("\xe2\x80\xae") == std::string_view::npos;
}

class Attacks : public ::testing::Test {
 protected:
  static std::string configuration() {
    return "\"tenants\": [{\"name\": \"attacker\", \"token\": \"" + kHashA +
           "\", \"limits\": {\"memory\": 268435456, \"contexts\": 4, \"graphs\": 4, \"tensors\": 16}}, "
           "{\"name\": \"victim\", \"token\": \"" +
           kHashB + "\"}]";
  }
  void expectUnharmed(std::span<const std::byte> heard) {
    EXPECT_TRUE(victim_.computes());
    EXPECT_TRUE(isServed(service_));
    EXPECT_FALSE(holdsSecret(heard));
    EXPECT_FALSE(holdsSecret(std::as_bytes(std::span(service_.log()))));
  }
  void TearDown() override {
    EXPECT_EQ(service_.log().find("\"event\":\"stop\""), std::string::npos);
    for (const char c : service_.log()) ASSERT_TRUE(c == '\n' || (c >= 0x20 && c < 0x7f));
  }

  TestService service_{configuration()};
  Victim victim_{service_};
};

}  // namespace webnn::service
