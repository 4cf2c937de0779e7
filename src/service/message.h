// Encodes and decodes Cap'n Proto messages.
#pragma once

#include <capnp/message.h>
#include <capnp/serialize.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "service/protocol.capnp.h"

namespace webnn::service {

// Builds a message in this process and returns it as the bytes of a packet.
template <typename Root, typename Fill>
std::vector<std::byte> encode(Fill&& fill) {
  capnp::MallocMessageBuilder message;
  fill(message.initRoot<Root>());
  const kj::Array<capnp::word> words = capnp::messageToFlatArray(message);
  const auto bytes = std::as_bytes(std::span(words.begin(), words.size()));
  return {bytes.begin(), bytes.end()};
}

// A packet from another process. Reading never exceeds the packet's bytes. Texts may be invalid UTF-8.
class Decoded {
 public:
  explicit Decoded(std::span<const std::byte> bytes) : words_(aligned(bytes)), reader_(wordsOf(words_), options()) {}
  template <typename Root>
  typename Root::Reader root() {
    return reader_.getRoot<Root>();
  }

 private:
  static std::vector<std::uint64_t> aligned(std::span<const std::byte> bytes) {
    std::vector<std::uint64_t> words(bytes.size() / sizeof(std::uint64_t));
    if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * sizeof(std::uint64_t));
    return words;
  }
  static kj::ArrayPtr<const capnp::word> wordsOf(const std::vector<std::uint64_t>& words) {
    return kj::arrayPtr(reinterpret_cast<const capnp::word*>(words.data()), words.size());
  }
  static capnp::ReaderOptions options() {
    capnp::ReaderOptions options;
    options.traversalLimitInWords = 1 << 18;
    options.nestingLimit = 16;
    return options;
  }
  const std::vector<std::uint64_t> words_;
  capnp::FlatArrayMessageReader reader_;
};

inline std::string_view textOf(capnp::Text::Reader text) { return {text.cStr(), text.size()}; }

// Calls `read` and returns its result. If the message is malformed, throws a DataError that begins with `what`.
auto reading(std::string_view what, auto&& read) {
  try {
    return read();
  } catch (const Error&) {
    throw;
  } catch (const kj::Exception& exception) {
    fail(ErrorKind::dataError, "{} is malformed: {}", what, std::string_view(exception.getDescription().cStr()));
  }
}

}  // namespace webnn::service
