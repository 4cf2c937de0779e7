// The fields of an operation from a request: one overload for each type of field that ops/operation_base.h lists; nothing here
// knows an operation. lib/ has converted the values as WebIDL specifies.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/text.h"
#include "message.h"
#include "webnn/enums.h"
#include "webnn/operand.h"
#include "webnn/options.h"

namespace webnn::web {

using Operands = std::unordered_map<std::uint32_t, Operand>;  // by the number that JavaScript gave them

// What a value begins with.
enum class Tag : std::uint8_t { absent, boolean, real, integer, unsignedInteger, text, operand, list };

// Sets the fields of an operation from values in the order of visitFields.
class FieldSetter {
 public:
  FieldSetter(Request& request, const Operands& operands) : request_(request), operands_(operands) {}

  template <typename Field>
  void argument(std::string_view, Field& field) {
    if (const Tag tag = nextTag(); tag != Tag::absent) set(field, tag);
  }
  template <typename Field>
  void option(std::string_view name, Field& field) {
    argument(name, field);
  }

 private:
  Tag nextTag() { return static_cast<Tag>(request_.byte()); }

  void set(bool& field, Tag) { field = request_.byte() != 0; }
  void set(std::uint32_t& field, Tag) { field = static_cast<std::uint32_t>(request_.real()); }
  void set(std::int32_t& field, Tag) { field = static_cast<std::int32_t>(request_.real()); }
  void set(double& field, Tag) { field = request_.real(); }
  void set(float& field, Tag) { field = static_cast<float>(request_.real()); }
  void set(Number& field, Tag tag);
  void set(Operand& field, Tag) { field = operands_.at(request_.word()); }
  void set(DataType& field, Tag) { field = dataTypeFromName(request_.text()).value(); }
  void set(Splits& field, Tag tag);
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
  template <typename Item>
  void set(OptionalSequence<Item>& field, Tag tag) {
    set(static_cast<std::optional<std::vector<Item>>&>(field), tag);
  }

  Request& request_;
  const Operands& operands_;
};

}  // namespace webnn::web
