// Tests attacks on the broker: invalid first packets, and many clients.
#include <sys/resource.h>

#include "service/attacks.h"

namespace webnn::service {
namespace WEBNN_TEST_FILE {

// ---- First packets ----

struct HelloAttack {
  const char* name;
  std::function<std::string(const FileDescriptor& control)> run;
  const char* answer;
};

constexpr const char* kNoHello = "Rthe hello is not one of this protocol.";

std::string sayBytes(const FileDescriptor& control, std::size_t size) {
  std::vector<std::byte> bytes(size, std::byte{0x41});
  const Hello hello = helloWith(kTokenA);
  std::memcpy(bytes.data(), &hello, std::min(size, sizeof hello));
  return answerTo(control, bytes);
}

std::string sayChanged(const FileDescriptor& control, const std::function<void(Hello&)>& change) {
  Hello hello = helloWith(kTokenA);
  change(hello);
  return answerTo(control, hello);
}

std::string sayWithDescriptors(const FileDescriptor& control, std::size_t count) {
  const Hello hello = helloWith(kTokenA);
  const std::vector<int> descriptors(count, 0);
  if (!RawClient::sendWith(control.get(), std::as_bytes(std::span(&hello, 1)), descriptors)) return "(not sent)";
  std::string notice = nextNotice(control);
  return notice[0] == 'R' ? notice.erase(1, 1) : notice;
}

// Sends more data after the hello, so that the broker closes the connection. Returns the welcome, followed by "(closed)".
std::string sayMore(const FileDescriptor& control, std::span<const std::byte> more) {
  const Hello hello = helloWith(kTokenA);
  sendPacket(control.get(), std::as_bytes(std::span(&hello, 1)));
  sendPacket(control.get(), more);
  // Both must arrive, in any order.
  std::vector<std::string> notices{nextNotice(control), nextNotice(control)};
  std::ranges::sort(notices, std::greater<>());
  return notices[0] + notices[1];
}

const std::vector<HelloAttack> kHelloAttacks{
    {"an empty packet", [](const auto& control) { return sayBytes(control, 0); }, "(closed)"},
    {"one byte", [](const auto& control) { return sayBytes(control, 1); }, kNoHello},
    {"half a hello", [](const auto& control) { return sayBytes(control, 24); }, kNoHello},
    {"all but a byte", [](const auto& control) { return sayBytes(control, 47); }, kNoHello},
    {"a byte more", [](const auto& control) { return sayBytes(control, 49); }, kNoHello},
    {"4 KiB", [](const auto& control) { return sayBytes(control, 4096); }, kNoHello},
    {"128 KiB", [](const auto& control) { return sayBytes(control, 128 << 10); }, kNoHello},
    {"another program's first bytes", [](const auto& control) { return sayChanged(control, [](Hello& h) { h.magic[7] = 'D'; }); },
     kNoHello},
    {"version 0", [](const auto& control) { return sayChanged(control, [](Hello& h) { h.protocol = 0; }); },
     "Rthe client speaks version 0 of the protocol, the service version 1."},
    {"the next version", [](const auto& control) { return sayChanged(control, [](Hello& h) { h.protocol = 2; }); },
     "Rthe client speaks version 2 of the protocol, the service version 1."},
    {"the last version", [](const auto& control) { return sayChanged(control, [](Hello& h) { h.protocol = ~0U; }); },
     "Rthe client speaks version 4294967295 of the protocol, the service version 1."},
    {"wish 0", [](const auto& control) { return sayChanged(control, [](Hello& h) { h.wish = Wish{0}; }); }, kNoHello},
    {"wish 4", [](const auto& control) { return sayChanged(control, [](Hello& h) { h.wish = Wish{4}; }); }, kNoHello},
    {"the last wish", [](const auto& control) { return sayChanged(control, [](Hello& h) { h.wish = Wish{~0U}; }); }, kNoHello},
    {"a token of control characters",
     [](const auto& control) { return sayChanged(control, [](Hello& h) { h.token.fill('\n'); }); }, "or not this token."},
    {"a token that is its hash's beginning",
     [](const auto& control) { return sayChanged(control, [](Hello& h) { kHashA.copy(h.token.data(), 32, 7); }); },
     "or not this token."},
    {"a descriptor", [](const auto& control) { return sayWithDescriptors(control, 1); }, kNoHello},
    {"4 descriptors", [](const auto& control) { return sayWithDescriptors(control, 4); }, kNoHello},
    {"253 descriptors", [](const auto& control) { return sayWithDescriptors(control, 253); }, kNoHello},
    {"a second hello",
     [](const auto& control) {
       const Hello hello = helloWith(kTokenA);
       return sayMore(control, std::as_bytes(std::span(&hello, 1)));
     },
     "W(closed)"},
    {"64 KiB after the hello",
     [](const auto& control) { return sayMore(control, std::vector<std::byte>(65536, std::byte{0xff})); }, "W(closed)"},
    {"no hello, and the end of its side",
     [](const auto& control) {
       ::shutdown(control.get(), SHUT_WR);
       return nextNotice(control);
     },
     "(closed)"},
};

TEST_F(Attacks, OfFirstPackets) {
  for (const HelloAttack& attack : kHelloAttacks) {
    SCOPED_TRACE(attack.name);
    const FileDescriptor control = dial(service_.path());
    const std::string answer = attack.run(control);
    EXPECT_NE(answer.find(attack.answer), std::string::npos) << answer;
    EXPECT_TRUE(isPrintable(answer)) << answer;
    expectUnharmed(std::as_bytes(std::span(answer)));
  }
}

// ---- Many clients ----

TEST_F(Attacks, OfManyClientsThatComeAndGo) {
  for (int i = 0; i < 300; ++i) {
    const FileDescriptor control = dial(service_.path());
    if (i % 3 == 0) continue;
    const Hello hello = helloWith(i % 3 == 1 ? kTokenA : "x", Wish::status);
    sendPacket(control.get(), std::as_bytes(std::span(&hello, 1)));
  }
  expectUnharmed({});
}

// Opens more connections than the limit of descriptors at the same time, and sends nothing. The service must stay awake and serve
// others.
TEST(AttacksOnDescriptors, LeaveTheServiceAwakeAndWell) {
  TestService service("\"unauthenticated\": 1000, \"unauthenticatedPerUser\": 1000", [](const auto&) {
    const rlimit few{40, 40};
    ::setrlimit(RLIMIT_NOFILE, &few);
  });
  ASSERT_TRUE(service.isListening()) << service.log();
  std::vector<FileDescriptor> clients;
  for (int i = 0; i < 60; ++i) clients.push_back(dial(service.path()));
  EXPECT_TRUE(service.waitForLog("the service has as many open files as it may"));
  clients.clear();
  EXPECT_TRUE(isServed(service));
  Context context = Context::create(service.options());
  EXPECT_EQ(context.backend(), "cpu");
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::service
