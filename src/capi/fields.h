// The arguments of a call in C as the fields of an operation: one overload for each type of field that ops/operation_base.h
// lists; nothing here knows an operation.
#pragma once

#include <initializer_list>
#include <type_traits>
#include <variant>

#include "capi/values.h"
#include "webnn/webnn.h"

namespace webnn::capi {

// An enumeration or a list of one, whichever it is.
struct EnumValue {
  std::uint32_t bits = 0;
};
struct EnumList {
  std::size_t count = 0;
  const void* items = nullptr;
};

// An argument or an option as C has it.
using ValueVariant = std::variant<WebnnOperand, WebnnOperandList, std::uint32_t, std::int32_t, double, WebnnNumber, WebnnUint32List,
                                  WebnnFloatList, WebnnSplits, EnumValue, EnumList>;
struct Value : ValueVariant {
  using ValueVariant::ValueVariant;
  template <typename Enum>
    requires std::is_enum_v<Enum>
  Value(const Enum& value) : ValueVariant(EnumValue{bitsOf(value)}) {}  // implicit on purpose, as are the others
  template <typename List>
    requires std::is_enum_v<std::remove_cvref_t<decltype(*List::items)>>
  Value(const List& list) : ValueVariant(EnumList{list.count, list.items}) {}
};

// A call of an operation: `values` are its arguments and options in the order of visitFields.
struct OperationCall {
  std::string_view method;
  const WebnnChainedStruct* nextInChain;
  WebnnStringView label;
  std::initializer_list<Value> values;
};
WebnnStatus append(WebnnGraphBuilder builder, const OperationCall& call, WebnnOperand* result, WebnnError* error) noexcept;
WebnnStatus append(WebnnGraphBuilder builder, const OperationCall& call, WebnnOperandList* results, WebnnError* error) noexcept;

template <typename Options, typename Result>
WebnnStatus append(WebnnGraphBuilder builder, std::string_view method, const Options& options,
                   std::initializer_list<Value> values, Result* result, WebnnError* error) noexcept {
  return append(builder, OperationCall{method, options.nextInChain, options.label, values}, result, error);
}

}  // namespace webnn::capi
