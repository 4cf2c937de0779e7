// The fixed packets between client and broker, which keep the broker's parsing minimal.
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
  std::array<char, 32> token{};  // in hexadecimal; zeros: none
};
static_assert(sizeof(Hello) == 48);

// The first byte of each broker packet; text follows. Clients send nothing after their hello.
enum class Notice : char {
  welcome = 'W',  // carries the client's end of the worker's socket
  status = 'S',   // JSON
  refused = 'R',  // the text begins with '0' + the index in ErrorKind
  lost = 'L',     // why the worker ended; the last packet
};
inline constexpr std::size_t kMostNoticeBytes = 65536;
inline constexpr std::size_t kMostReasonBytes = 4096;

}  // namespace webnn::service
