// Converts Python values to fields of operations, with one overload for each field type in ops/operation_base.h. Each function
// throws a TypeError (Error) for a value that does not fit. `what` names the argument in the error's text.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "webnn/enums.h"
#include "webnn/operand.h"
#include "webnn/options.h"

namespace nb = nanobind;

namespace webnn::python {

std::string_view utf8Of(nb::handle text);
// Returns the name of a value's type, such as "int" or "numpy.ndarray".
std::string typeNameOf(nb::handle value);

void setField(bool& field, nb::handle value, std::string_view what);
void setField(std::uint32_t& field, nb::handle value, std::string_view what);
void setField(std::int32_t& field, nb::handle value, std::string_view what);
// Accepts only finite numbers, like WebIDL's double.
void setField(double& field, nb::handle value, std::string_view what);
void setField(float& field, nb::handle value, std::string_view what);
// Keeps 64-bit integers and floats exactly, also NaN and infinities. A larger integer becomes a float.
void setField(Number& field, nb::handle value, std::string_view what);
void setField(std::string& field, nb::handle value, std::string_view what);
void setField(Operand& field, nb::handle value, std::string_view what);
void setField(DataType& field, nb::handle value, std::string_view what);
void setField(Splits& field, nb::handle value, std::string_view what);

// Returns the items of a sequence. Refuses text.
std::vector<nb::object> itemsOf(nb::handle sequence, std::string_view what);

// Converts "conv2d: layout" to "conv2d: Invalid layout".
std::string invalid(std::string_view what);

template <typename Enum>
requires std::is_enum_v<Enum>
void setField(Enum& field, nb::handle value, std::string_view what) {
  std::string names;
  for (const std::string_view known : enumNames<Enum>()) names += (names.empty() ? "" : ", ") + webnn::quoted(known);
  if (!PyUnicode_Check(value.ptr())) fail(ErrorKind::typeError, "{} must be one of {}, not {}.", what, names, typeNameOf(value));
  const std::optional<Enum> known = fromName<Enum>(utf8Of(value));
  if (!known) fail(ErrorKind::typeError, "{}: {} is not one of {}.", invalid(what), webnn::quoted(utf8Of(value)), names);
  field = *known;
}

template <typename Item>
void setField(std::vector<Item>& field, nb::handle value, std::string_view what) {
  std::vector<Item> items;
  for (const nb::object& item : itemsOf(value, what)) {
    Item made{};
    setField(made, item, what);
    items.push_back(made);
  }
  field = std::move(items);
}

template <typename T>
void setField(std::optional<T>& field, nb::handle value, std::string_view what) {
  T made{};
  setField(made, value, what);
  field = std::move(made);
}

template <typename Item>
void setField(OptionalSequence<Item>& field, nb::handle value, std::string_view what) {
  setField(static_cast<std::optional<std::vector<Item>>&>(field), value, what);
}

}  // namespace webnn::python
