// Converts JavaScript values to the fields of operations: one overload for each field type in ops/operation_base.h. JavaScript
// has already converted the values as WebIDL specifies.
#pragma once

#include <napi.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "values.h"
#include "webnn/enums.h"
#include "webnn/operand.h"
#include "webnn/options.h"

namespace webnn::node {

inline void setField(bool& field, const Napi::Value& value) { field = value.As<Napi::Boolean>(); }
inline void setField(std::uint32_t& field, const Napi::Value& value) { field = value.As<Napi::Number>().Uint32Value(); }
inline void setField(std::int32_t& field, const Napi::Value& value) { field = value.As<Napi::Number>().Int32Value(); }
inline void setField(double& field, const Napi::Value& value) { field = value.As<Napi::Number>().DoubleValue(); }
inline void setField(float& field, const Napi::Value& value) { field = value.As<Napi::Number>().FloatValue(); }
inline void setField(Number& field, const Napi::Value& value) {
  if (!value.IsBigInt()) {
    field = value.As<Napi::Number>().DoubleValue();
    return;
  }
  const auto number = value.As<Napi::BigInt>();
  bool isExact = false;
  field = number.Int64Value(&isExact);
  if (!isExact) field = number.Uint64Value(&isExact);  // the conversion in JavaScript leaves no integers beyond 64 bits
}
inline void setField(Operand& field, const Napi::Value& value) { field = handled<Operand>(value); }
inline void setField(DataType& field, const Napi::Value& value) { field = dataTypeOf(value); }
inline void setField(Splits& field, const Napi::Value& value) {
  if (value.IsArray()) {
    field = shapeOf(value);
  } else {
    field = value.As<Napi::Number>().Uint32Value();
  }
}

template <typename Enum>
requires std::is_enum_v<Enum>
void setField(Enum& field, const Napi::Value& value) {
  const std::string text = textOf(value);
  const std::optional<Enum> known = fromName<Enum>(text);
  if (!known) fail(ErrorKind::typeError, "{} is no value of the enumeration.", webnn::quoted(text));
  field = *known;
}

template <typename Item>
void setField(std::vector<Item>& field, const Napi::Value& value) {
  const auto items = value.As<Napi::Array>();
  field.resize(items.Length());
  for (std::uint32_t i = 0; i < field.size(); ++i) setField(field[i], items.Get(i));
}

template <typename T>
void setField(std::optional<T>& field, const Napi::Value& value) {
  setField(field.emplace(), value);
}

// Sets the fields of an operation from an array of values in the order of visitFields. Skips undefined.
struct FieldSetter {
  Napi::Array values;
  std::uint32_t index = 0;

  void argument(std::string_view, auto& field) {
    const Napi::Value value = values.Get(index++);
    if (!value.IsUndefined()) setField(field, value);
  }
  void option(std::string_view name, auto& field) { argument(name, field); }
};

}  // namespace webnn::node
