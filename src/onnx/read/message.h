// A protobuf message of an ONNX file: fields in order, with 64-bit lengths and checked wire types.
// https://protobuf.dev/programming-guides/encoding/
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "base/text.h"

namespace webnn::formats::onnx {

// Reads a message's fields in order, and checks the thread's budget. A message refers to its outer one for error messages, so the
// outer one must outlive it.
// protozero's pbf_reader cuts lengths to 32 bits and only asserts wire types, so only its varints are used.
class Message {
 public:
  // The whole file.
  Message(std::string_view bytes, std::string_view what);
  // Opens the message in the current field of `outer`: its `index`-th of the kind `what`.
  Message(Message& outer, std::string_view what, std::size_t index = kOnly);

  // Moves to the next field. The caller reads a known field once; others are skipped.
  bool next();
  std::uint32_t field() const { return field_; }

  // The value of the current field. DataError if it is of another wire type.
  std::uint64_t varint();
  std::int64_t integer() { return static_cast<std::int64_t>(varint()); }
  std::int32_t integer32() { return static_cast<std::int32_t>(varint()); }
  float float32();
  std::string_view bytes();

  // Appends the elements of the current field of a repeated number, one or packed.
  void appendVarints(std::vector<std::int64_t>& values);
  // Returns their number and skips the field.
  std::size_t countVarints();
  // Returns the little-endian bytes of the current field of repeated numbers of `size` bytes (4 or 8).
  std::string_view fixedBytes(std::size_t size);

  // Calls `each` with the elements of the current field of a repeated number.
  template <typename Each>
  void eachVarint(Each each);

  // Returns how many remaining fields have this number, without moving.
  std::size_t count(std::uint32_t field) const;
  // Returns how many varints they hold.
  std::size_t countVarints(std::uint32_t field) const;

  std::string_view all() const { return all_; }
  // Sets the name that errors mention besides the index, once it is known.
  void setName(std::string_view name) { name_ = name; }

  // Throws DataError with the place in front.
  template <typename... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    throwAt(formatArguments(format, fmt::make_format_args(args...)));
  }

 private:
  static constexpr std::size_t kOnly = static_cast<std::size_t>(-1);
  enum class Wire : std::uint32_t { varint = 0, fixed64 = 1, length = 2, fixed32 = 5 };

  [[noreturn]] void throwAt(const std::string& what) const;
  std::string place() const;
  void require(Wire wire) const;
  std::uint64_t decode();
  std::string_view take(std::uint64_t length);
  std::string_view takeLength();
  void skip();
  const Message* outer_ = nullptr;
  std::string_view what_, name_;
  std::size_t index_ = kOnly;
  std::string_view all_;
  const char* at_;
  const char* end_;
  std::uint32_t field_ = 0;
  Wire wire_ = Wire::varint;
  Progress progress_;    // fields and numbers
  bool unread_ = false;  // next() must skip the current field
};

template <typename Each>
void Message::eachVarint(Each each) {
  if (wire_ != Wire::length) {
    each(varint());
    return;
  }
  const std::string_view packed = bytes();
  const char* end = std::exchange(end_, at_);  // a number must not reach past the packed ones
  at_ = packed.data();
  while (at_ != end_) {
    each(decode());
    progress_.count();
  }
  end_ = end;
}

}  // namespace webnn::formats::onnx
