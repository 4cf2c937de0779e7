// The packets between client and broker. They are not Cap'n Proto messages, to keep the broker's parsing minimal.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace webnn::service {

inline constexpr std::uint32_t kProtocol = 1;
inline constexpr std::array<char, 8> kHelloMagic{'W', 'E', 'B', 'N', 'N', 'S', 'V', 'C'};

enum class Wish : std::uint32_t { context = 1, status = 2, stop = 3 };

// The first packet of a client.
struct Hello {
  std::array<char, 8> magic = kHelloMagic;
  std::uint32_t protocol = kProtocol;
  Wish wish = Wish::context;
  std::array<char, 32> token{};  // hexadecimal; zeros: no token
};
static_assert(sizeof(Hello) == 48);

// The first byte of each packet from the broker, which is followed by text. Clients send nothing after the Hello.
enum class Notice : char {
  welcome = 'W',  // the packet carries the client's end of the socket that connects it to its worker
  status = 'S',   // JSON
  refused = 'R',  // the text begins with '0' + the index of the error kind in ErrorKind
  lost = 'L',     // the text says why the worker ended. It is the last packet.
};
inline constexpr std::size_t kMostNoticeBytes = 65536;
inline constexpr std::size_t kMostReasonBytes = 4096;

}  // namespace webnn::service
