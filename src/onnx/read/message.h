// Reads a protobuf message of an ONNX file field by field, with 64-bit lengths and checked wire types.
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

// Reads a message's fields in order. Throws if the load has been cancelled or has exceeded its limits of time or memory. Keeps a
// reference to the enclosing message for error texts; the enclosing message must outlive this object. protozero's pbf_reader is
// not used, because it cuts lengths to 32 bits and only asserts wire types.
class Message {
 public:
  // Opens the whole file as a message.
  Message(std::string_view bytes, std::string_view what);
  // Opens the message in the current field of `outer`. Errors call it `what` number `index`.
  Message(Message& outer, std::string_view what, std::size_t index = kOnly);

  // Moves to the next field; false at the end. A field's value may be read once; unread fields are skipped.
  bool next();
  std::uint32_t field() const { return field_; }

  // Each function returns the value of the current field. Throws DataError if the field has another wire type.
  std::uint64_t varint();
  std::int64_t integer() { return static_cast<std::int64_t>(varint()); }
  std::int32_t integer32() { return static_cast<std::int32_t>(varint()); }
  float float32();
  std::string_view bytes();

  // Appends the elements of the current field, which holds repeated numbers in packed or unpacked form.
  void appendVarints(std::vector<std::int64_t>& values);
  // Returns the number of varints in the current field and skips it.
  std::size_t countVarints();
  // Returns the little-endian bytes of the current field of repeated numbers of `size` bytes (4 or 8).
  std::string_view fixedBytes(std::size_t size);

  // Calls `each` with each element of the current field, which holds repeated numbers.
  template <typename Each>
  void eachVarint(Each each);

  // Returns the number of remaining fields with this field number. The position does not change.
  std::size_t count(std::uint32_t field) const;
  // Returns the number of varints in the remaining fields with this field number.
  std::size_t countVarints(std::uint32_t field) const;

  std::string_view all() const { return all_; }
  // Sets the message's name. Errors then print it after the index, as in `node 5 "conv1"`. Called when the name field has been
  // read.
  void setName(std::string_view name) { name_ = name; }

  // Throws a DataError that begins with the position in the file.
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
  Progress progress_;    // counts fields and numbers for the budget
  bool unread_ = false;  // the current field's value has not been read, so next() must skip it
};

template <typename Each>
void Message::eachVarint(Each each) {
  if (wire_ != Wire::length) {
    each(varint());
    return;
  }
  const std::string_view packed = bytes();
  const char* end = std::exchange(end_, at_);  // a number must not extend past the packed field
  at_ = packed.data();
  while (at_ != end_) {
    each(decode());
    progress_.count();
  }
  end_ = end;
}

}  // namespace webnn::formats::onnx
