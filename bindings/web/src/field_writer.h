// The reverse of FieldSetter: the fields of an operation into a reply, as lib/message.js reads them.
#pragma once

#include <optional>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/text.h"
#include "fields.h"

namespace webnn::web {

struct FieldCounter {
  std::uint32_t& count;
  void argument(std::string_view, const auto&) { ++count; }
  void option(std::string_view, const auto&) { ++count; }
};

// Writes the fields of an operation in the order of visitFields; operands by their index in the graph's builder.
class FieldWriter {
 public:
  explicit FieldWriter(Reply& reply) : reply_(reply) {}

  template <typename Field>
  void argument(std::string_view, const Field& field) {
    put(field);
  }
  template <typename Field>
  void option(std::string_view, const Field& field) {
    put(field);
  }

 private:
  Reply& tag(Tag tag) { return reply_.byte(static_cast<std::uint8_t>(tag)); }

  void put(bool field) { tag(Tag::boolean).byte(field); }
  template <typename T>
  requires std::is_arithmetic_v<T>
  void put(T field) { tag(Tag::real).real(static_cast<double>(field)); }  // at most 32 bits
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
