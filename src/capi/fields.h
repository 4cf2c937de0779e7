// Reads C arguments into an operation's fields: one overload per field type listed in ops/operation_base.h, independent of
// operations.
#pragma once

#include <initializer_list>
#include <type_traits>
#include <variant>

#include "capi/values.h"
#include "webnn/webnn.h"

namespace webnn::capi {

// An enumerator or a list of enumerators.
struct EnumValue {
  std::uint32_t bits = 0;
};
struct EnumList {
  std::size_t count = 0;
  const void* items = nullptr;
};

// An argument or option in its C type.
using ValueVariant = std::variant<WebnnOperand, WebnnOperandList, std::uint32_t, std::int32_t, double, WebnnNumber,
                                  WebnnUint32List, WebnnFloatList, WebnnSplits, EnumValue, EnumList>;
struct FieldValue : ValueVariant {
  template <typename T>
  FieldValue(const T& value) : ValueVariant(wrapped(value)) {}  // implicit on purpose

 private:
  // Prevents conversions: a C enumeration would become an integer.
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

// A call of an operation: its arguments and options in the order of visitFields.
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

// For methods whose only option is the label.
template <typename Result>
WebnnStatus append(WebnnGraphBuilder builder, std::string_view method, const WebnnOperatorOptions* options,
                   std::initializer_list<FieldValue> values, Result* result, WebnnError* error) noexcept {
  return append(builder, method, options ? *options : WEBNN_OPERATOR_OPTIONS_INIT, values, result, error);
}

}  // namespace webnn::capi
