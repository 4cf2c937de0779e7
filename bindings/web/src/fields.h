// Encodes an operation's fields in requests and replies, with one overload for each field type in ops/operation_base.h.
// JavaScript code has already converted the values as WebIDL specifies.
#pragma once

#include <optional>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <variant>
#include <vector>

#include "base/text.h"
#include "message.h"
#include "webnn/enums.h"
#include "webnn/operand.h"
#include "webnn/options.h"

namespace webnn::web {

using Operands = std::unordered_map<std::uint32_t, Operand>;  // keyed by the number that JavaScript has assigned

// The type of a field's value, encoded as its first byte.
enum class Tag : std::uint8_t { absent, boolean, real, integer, unsignedInteger, text, operand, list };

// Sets an operation's fields from a request, in the order of visitFields.
class FieldSetter {
 public:
  FieldSetter(Request& request, const Operands& operands) : request_(request), operands_(operands) {}

  void argument(std::string_view, auto& field) {
    if (const Tag tag = nextTag(); tag != Tag::absent) set(field, tag);
  }
  void option(std::string_view name, auto& field) { argument(name, field); }

 private:
  Tag nextTag() { return static_cast<Tag>(request_.byte()); }

  void set(bool& field, Tag) { field = request_.byte() != 0; }
  void set(std::uint32_t& field, Tag) { field = static_cast<std::uint32_t>(request_.real()); }
  void set(std::int32_t& field, Tag) { field = static_cast<std::int32_t>(request_.real()); }
  void set(double& field, Tag) { field = request_.real(); }
  void set(float& field, Tag) { field = static_cast<float>(request_.real()); }
  void set(Number& field, Tag tag) {
    switch (tag) {
      case Tag::real: field = request_.real(); break;
      case Tag::integer: field = request_.integer(); break;
      default: field = static_cast<std::uint64_t>(request_.integer());
    }
  }
  void set(Operand& field, Tag) { field = operands_.at(request_.word()); }
  void set(DataType& field, Tag) { field = dataTypeFromName(request_.text()).value(); }
  void set(Splits& field, Tag tag) {
    if (tag == Tag::list) {
      set(field.emplace<std::vector<std::uint32_t>>(), tag);
    } else {
      set(field.emplace<std::uint32_t>(), tag);
    }
  }
  template <typename Enum>
  requires std::is_enum_v<Enum>
  void set(Enum& field, Tag) { field = fromName<Enum>(request_.text()).value(); }
  template <typename Item>
  void set(std::vector<Item>& field, Tag) {
    field.resize(request_.word());
    for (Item& item : field) set(item, nextTag());
  }
  template <typename T>
  void set(std::optional<T>& field, Tag tag) {
    set(field.emplace(), tag);
  }

  Request& request_;
  const Operands& operands_;
};

struct FieldCounter {
  std::uint32_t& count;
  void argument(std::string_view, const auto&) { ++count; }
  void option(std::string_view, const auto&) { ++count; }
};

// Writes an operation's fields to a reply, in the order of visitFields. An operand is written as its index in the builder.
class FieldWriter {
 public:
  explicit FieldWriter(Reply& reply) : reply_(reply) {}

  void argument(std::string_view, const auto& field) { put(field); }
  void option(std::string_view, const auto& field) { put(field); }

 private:
  Reply& tag(Tag tag) { return reply_.byte(static_cast<std::uint8_t>(tag)); }

  void put(bool field) { tag(Tag::boolean).byte(field); }
  template <typename T>
  requires std::is_arithmetic_v<T>
  void put(T field) { tag(Tag::real).real(static_cast<double>(field)); }  // exact: integers have at most 32 bits
  void put(const Number& field) {
    std::visit([&](auto value) { putNumber(value); }, field.value());
  }
  void putNumber(double value) { put(value); }
  void putNumber(std::int64_t value) { tag(Tag::integer).integer(value); }
  void putNumber(std::uint64_t value) { tag(Tag::unsignedInteger).integer(static_cast<std::int64_t>(value)); }
  void put(const Operand& field) { tag(Tag::operand).word(field.record().index); }
  template <typename Enum>
  requires std::is_enum_v<Enum>
  void put(Enum field) { tag(Tag::text).text(name(field)); }
  void put(const Splits& field) {
    std::visit([&](const auto& value) { put(value); }, field);
  }
  template <typename Item>
  void put(const std::vector<Item>& field) {
    tag(Tag::list).word(static_cast<std::uint32_t>(field.size()));
    for (const Item& item : field) put(item);
  }
  template <typename T>
  void put(const std::optional<T>& field) {
    if (field) {
      put(*field);
    } else {
      tag(Tag::absent);
    }
  }

  Reply& reply_;
};

}  // namespace webnn::web
