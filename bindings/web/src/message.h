// Requests from JavaScript and replies to it: sequences of little-endian values. lib/message.js is the counterpart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "webnn/error.h"

namespace webnn::web {

class Request {
 public:
  explicit Request(std::span<const std::byte> bytes) : rest_(bytes) {}

  std::uint8_t byte() { return number<std::uint8_t>(); }
  std::uint32_t word() { return number<std::uint32_t>(); }
  double real() { return number<double>(); }
  std::int64_t integer() { return number<std::int64_t>(); }
  std::string_view text() {
    const std::span<const std::byte> bytes = take(word());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  std::vector<std::uint32_t> words() {
    std::vector<std::uint32_t> all;
    for (std::uint32_t count = word(); count > 0; --count) all.push_back(word());
    return all;
  }

 private:
  template <typename T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::span<const std::byte> take(std::size_t size) {
    if (size > rest_.size()) throw Error(ErrorKind::unknownError, "a request ends early.");
    const std::span<const std::byte> taken = rest_.first(size);
    rest_ = rest_.subspan(size);
    return taken;
  }

  std::span<const std::byte> rest_;
};

class Reply {
 public:
  void clear() { bytes_.clear(); }
  Reply& byte(std::uint8_t value) { return add(&value, sizeof value); }
  Reply& integer(std::int64_t value) { return add(&value, sizeof value); }
  Reply& word(std::uint32_t value) { return add(&value, sizeof value); }
  Reply& real(double value) { return add(&value, sizeof value); }
  Reply& text(std::string_view text) { return word(static_cast<std::uint32_t>(text.size())).add(text.data(), text.size()); }
  Reply& words(std::span<const std::uint32_t> values) {
    return word(static_cast<std::uint32_t>(values.size())).add(values.data(), values.size_bytes());
  }
  Reply& address(const void* memory) { return word(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(memory))); }
  std::span<const char> bytes() const { return bytes_; }

 private:
  Reply& add(const void* data, std::size_t size) {
    bytes_.append(static_cast<const char*>(data), size);
    return *this;
  }
  std::string bytes_;
};

}  // namespace webnn::web
