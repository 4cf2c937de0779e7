// Reads C arguments into the fields of operations. fields.cpp has an overload of read() for each field type (see
// ops/operation_base.h), and no code for single operations.
#pragma once

#include <initializer_list>
#include <type_traits>
#include <variant>

#include "capi/values.h"
#include "webnn/webnn.h"

namespace webnn::capi {

// The value of an enumeration, and a list of such values.
struct EnumValue {
  std::uint32_t bits = 0;
};
struct EnumList {
  std::size_t count = 0;
  const void* items = nullptr;
};

// The value of an argument or option of an operation: in its C type, or as bits for enumerations and lists of enumerations.
using ValueVariant = std::variant<WebnnOperand, WebnnOperandList, std::uint32_t, std::int32_t, double, WebnnNumber,
                                  WebnnUint32List, WebnnFloatList, WebnnSplits, EnumValue, EnumList>;
struct FieldValue : ValueVariant {
  template <typename T>
  FieldValue(const T& value) : ValueVariant(wrapped(value)) {}  // implicit on purpose

 private:
  // A template prevents implicit conversions: without it, a C enumeration would be converted to an integer.
  template <typename T>
  static ValueVariant wrapped(const T& value) {
    if constexpr (std::is_enum_v<T>) {
      return EnumValue{bitsOf(value)};
    } else if constexpr (requires { requires std::is_enum_v<std::remove_cvref_t<decltype(*value.items)>>; }) {
      return EnumList{value.count, value.items};
    } else {
      return ValueVariant(std::in_place_type<T>, value);
    }
  }
};

// A call. `values` are its arguments and options in the order of visitFields.
struct OperationCall {
  std::string_view method;
  const WebnnChainedStruct* nextInChain;
  WebnnStringView label;
  std::initializer_list<FieldValue> values;
};
WebnnStatus append(WebnnGraphBuilder builder, const OperationCall& call, WebnnOperand* result, WebnnError* error) noexcept;
WebnnStatus append(WebnnGraphBuilder builder, const OperationCall& call, WebnnOperandList* results, WebnnError* error) noexcept;

template <typename Options, typename Result>
WebnnStatus append(WebnnGraphBuilder builder, std::string_view method, const Options& options,
                   std::initializer_list<FieldValue> values, Result* result, WebnnError* error) noexcept {
  return append(builder, OperationCall{method, options.nextInChain, options.label, values}, result, error);
}

// Appends an operation whose only option is the label.
template <typename Result>
WebnnStatus append(WebnnGraphBuilder builder, std::string_view method, const WebnnOperatorOptions* options,
                   std::initializer_list<FieldValue> values, Result* result, WebnnError* error) noexcept {
  return append(builder, method, options ? *options : WEBNN_OPERATOR_OPTIONS_INIT, values, result, error);
}

}  // namespace webnn::capi
