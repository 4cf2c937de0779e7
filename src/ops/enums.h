// The specification's spelling of the enumerations of webnn/options.h, and of the data types.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "webnn/options.h"
#include "webnn/types.h"

namespace webnn::ops {

namespace internal {

// Texts in the order of the enumerators, and the name of the enumeration in the specification.
template <typename E>
struct EnumTexts;

template <>
struct EnumTexts<DataType> {
  static constexpr std::string_view type = "MLOperandDataType";
  static constexpr auto names = std::to_array<std::string_view>(
      {"float32", "float16", "int32", "uint32", "int64", "uint64", "int8", "uint8", "int4", "uint4"});
};
template <>
struct EnumTexts<InputOperandLayout> {
  static constexpr std::string_view type = "MLInputOperandLayout";
  static constexpr auto names = std::to_array<std::string_view>({"nchw", "nhwc"});
};
template <>
struct EnumTexts<Conv2dFilterOperandLayout> {
  static constexpr std::string_view type = "MLConv2dFilterOperandLayout";
  static constexpr auto names = std::to_array<std::string_view>({"oihw", "hwio", "ohwi", "ihwo"});
};
template <>
struct EnumTexts<ConvTranspose2dFilterOperandLayout> {
  static constexpr std::string_view type = "MLConvTranspose2dFilterOperandLayout";
  static constexpr auto names = std::to_array<std::string_view>({"iohw", "hwoi", "ohwi"});
};
template <>
struct EnumTexts<GruWeightLayout> {
  static constexpr std::string_view type = "MLGruWeightLayout";
  static constexpr auto names = std::to_array<std::string_view>({"zrn", "rzn"});
};
template <>
struct EnumTexts<LstmWeightLayout> {
  static constexpr std::string_view type = "MLLstmWeightLayout";
  static constexpr auto names = std::to_array<std::string_view>({"iofg", "ifgo"});
};
template <>
struct EnumTexts<RecurrentNetworkActivation> {
  static constexpr std::string_view type = "MLRecurrentNetworkActivation";
  static constexpr auto names = std::to_array<std::string_view>({"relu", "sigmoid", "tanh"});
};
template <>
struct EnumTexts<RecurrentNetworkDirection> {
  static constexpr std::string_view type = "MLRecurrentNetworkDirection";
  static constexpr auto names = std::to_array<std::string_view>({"forward", "backward", "both"});
};
template <>
struct EnumTexts<PaddingMode> {
  static constexpr std::string_view type = "MLPaddingMode";
  static constexpr auto names = std::to_array<std::string_view>({"constant", "edge", "reflection"});
};
template <>
struct EnumTexts<RoundingType> {
  static constexpr std::string_view type = "MLRoundingType";
  static constexpr auto names = std::to_array<std::string_view>({"floor", "ceil"});
};
template <>
struct EnumTexts<InterpolationMode> {
  static constexpr std::string_view type = "MLInterpolationMode";
  static constexpr auto names = std::to_array<std::string_view>({"nearest-neighbor", "linear"});
};

}  // namespace internal

// All texts of an enumeration, in the order of its enumerators.
template <typename E>
constexpr std::span<const std::string_view> enumNames() {
  return internal::EnumTexts<E>::names;
}

// The name of the enumeration itself: "MLPaddingMode".
template <typename E>
constexpr std::string_view enumTypeName() {
  return internal::EnumTexts<E>::type;
}

// The text of an enumerator: "nearest-neighbor".
template <typename E>
  requires std::is_enum_v<E>
constexpr std::string_view name(E value) {
  return internal::EnumTexts<E>::names[static_cast<std::size_t>(value)];
}

// The enumerator of a text; nullopt if there is none.
template <typename E>
constexpr std::optional<E> fromName(std::string_view text) {
  const auto names = enumNames<E>();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == text) return static_cast<E>(i);
  }
  return std::nullopt;
}

}  // namespace webnn::ops
