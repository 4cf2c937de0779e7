#include "onnx/read/message.h"

#include <algorithm>
#include <cstring>
#include <protozero/varint.hpp>

namespace webnn::formats::onnx {

Message::Message(std::string_view bytes, std::string_view what)
    : what_(what), all_(bytes), at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

Message::Message(Message& outer, std::string_view what, std::size_t index)
    : outer_(&outer), what_(what), index_(index), all_(outer.bytes()), at_(all_.data()), end_(at_ + all_.size()) {}

std::string Message::place() const {
  std::string place = outer_ ? outer_->place() : std::string();
  if (outer_ && outer_->outer_) place += ", ";
  if (!outer_) return place;
  place += what_;
  if (index_ != kOnly) place += formatText(" {}", index_);
  if (!name_.empty()) place += " " + webnn::quoted(name_);
  return place;
}

void Message::throwAt(const std::string& what) const {
  const Message* file = this;
  while (file->outer_) file = file->outer_;
  const std::string inside = place();
  webnn::fail(ErrorKind::dataError, "{}{}{} at byte {}: {}", file->what_, inside.empty() ? "" : ", ", inside,
              at_ - file->all_.data(), what);
}

bool Message::next() {
  if (unread_) skip();
  if (at_ == end_) return false;
  progress_.count();
  const std::uint64_t key = decode();
  const std::uint64_t number = key >> 3;
  if (number == 0 || number >= 1u << 29) fail("the field number ({}) is not valid.", number);
  field_ = static_cast<std::uint32_t>(number);
  wire_ = static_cast<Wire>(key & 7);
  if (wire_ != Wire::varint && wire_ != Wire::fixed64 && wire_ != Wire::length && wire_ != Wire::fixed32) {
    fail("field {} has the wire type {}, which nothing has.", field_, key & 7);
  }
  unread_ = true;
  return true;
}

void Message::require(Wire wire) const {
  if (wire_ == wire) return;
  fail("field {} has the wire type {}, not {}.", field_, static_cast<unsigned>(wire_), static_cast<unsigned>(wire));
}

std::uint64_t Message::decode() {
  try {
    return protozero::decode_varint(&at_, end_);
  } catch (const protozero::exception&) {
    fail("a number does not end.");
  }
}

std::string_view Message::take(std::uint64_t length) {
  const auto left = static_cast<std::uint64_t>(end_ - at_);
  if (length > left) fail("field {} takes {} bytes, but {} are left.", field_, length, left);
  const std::string_view taken(at_, static_cast<std::size_t>(length));
  at_ += length;
  return taken;
}

std::string_view Message::takeLength() { return take(decode()); }

void Message::skip() {
  unread_ = false;
  switch (wire_) {
    case Wire::varint: decode(); break;
    case Wire::fixed64: take(8); break;
    case Wire::fixed32: take(4); break;
    case Wire::length: takeLength(); break;
  }
}

std::uint64_t Message::varint() {
  require(Wire::varint);
  unread_ = false;
  return decode();
}

float Message::float32() {
  require(Wire::fixed32);
  unread_ = false;
  float value = 0;
  std::memcpy(&value, take(sizeof value).data(), sizeof value);
  return value;
}

std::string_view Message::bytes() {
  require(Wire::length);
  unread_ = false;
  return takeLength();
}

void Message::appendVarints(std::vector<std::int64_t>& values) {
  eachVarint([&](std::uint64_t value) { values.push_back(static_cast<std::int64_t>(value)); });
}

std::string_view Message::fixedBytes(std::size_t size) {
  if (wire_ != Wire::length) {
    require(size == 4 ? Wire::fixed32 : Wire::fixed64);
    unread_ = false;
    return take(size);
  }
  const std::string_view packed = bytes();
  if (packed.size() % size != 0) fail("field {} takes {} bytes, no multiple of {}.", field_, packed.size(), size);
  return packed;
}

std::size_t Message::countVarints() {
  if (wire_ != Wire::length) {
    varint();
    return 1;
  }
  const std::string_view packed = bytes();
  std::size_t count = 0;
  inParts(packed.size(), [&](std::size_t begin, std::size_t end) {
    const auto isLast = [](char c) { return static_cast<signed char>(c) >= 0; };
    count += static_cast<std::size_t>(std::ranges::count_if(packed.substr(begin, end - begin), isLast));
  });
  return count;
}

std::size_t Message::count(std::uint32_t field) const {
  Message rest = *this;
  std::size_t count = 0;
  while (rest.next()) count += rest.field() == field;
  return count;
}

std::size_t Message::countVarints(std::uint32_t field) const {
  Message rest = *this;
  std::size_t count = 0;
  while (rest.next()) {
    if (rest.field() == field) count += rest.countVarints();
  }
  return count;
}

}  // namespace webnn::formats::onnx
