// Fuzzes the packets that any process may send to the broker without authentication, and the broker's configuration.
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>

#include "broker/broker.h"
#include "random/choices.h"
#include "service/hello.h"
#include "service/packet.h"
#include "webnn/error.h"

namespace {

using namespace webnn;
using random::Choices;

void require(bool holds) {
  if (!holds) __builtin_trap();
}

std::vector<std::byte> makeHello(Choices& choices) {
  service::Hello hello{.wish = static_cast<service::Wish>(choices.below(5))};
  for (char& digit : hello.token) digit = choices.pick({'\0', '0', 'f', '\xFF'});
  const auto bytes = std::as_bytes(std::span(&hello, 1));
  std::vector<std::byte> packet(bytes.begin(), bytes.end());
  for (std::uint32_t damages = choices.below(3); damages > 0; --damages) {
    packet[choices.below(packet.size())] = static_cast<std::byte>(choices.below(256));
  }
  if (choices.oneIn(4)) packet.resize(choices.below(2 * packet.size()));
  return packet;
}

// Returns a configuration that allows no contexts, so that the broker starts no worker.
service::BrokerConfig configOfNone() {
  service::BrokerConfig config;
  config.tenants.push_back({.name = "tenant", .limits = {.contexts = 0}});
  return config;
}

void greet(Choices& choices) {
  static const service::BrokerConfig config = configOfNone();
  auto [broker, client] = service::packetSocketPair();
  for (std::uint32_t packets = 1 + choices.below(4); packets > 0; --packets) {
    const std::vector<std::byte> packet = makeHello(choices);
    const std::vector<int> descriptors(choices.oneIn(4) ? choices.below(5) : 0, client.get());
    service::sendPacket(client.get(), packet, descriptors);
  }
  ::shutdown(client.get(), SHUT_WR);
  ::fcntl(broker.get(), F_SETFL, O_NONBLOCK);
  service::runPrivateBroker(std::move(broker), config, "/nonexistent");
  // The broker may send at most one answer.
  service::Packet answer;
  if (service::receivePacket(client.get(), answer, service::kMostNoticeBytes, 0) != service::Received::packet) return;
  const auto notice = static_cast<service::Notice>(answer.bytes.at(0));
  require(notice == service::Notice::refused || notice == service::Notice::status);
  require(service::receivePacket(client.get(), answer, service::kMostNoticeBytes, 0) == service::Received::closed);
}

void readConfig(std::string_view json) {
  try {
    const service::BrokerConfig config = service::readConfig(json);
    for (const service::Tenant& tenant : config.tenants)
      service::equalInConstantTime(tenant.tokenHash, service::hashOfToken("0"));
  } catch (const Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 0 && data[0] == '{') {
    readConfig({reinterpret_cast<const char*>(data), size});
  } else {
    Choices choices{std::span(data, size)};
    greet(choices);
  }
  return 0;
}
