#include "webnn/enums.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace webnn {

namespace {

// The names of an enumeration's values, in order.
template <typename Enum>
constexpr std::string_view kNames[] = {""};
template <>
constexpr std::string_view kNames<InputOperandLayout>[] = {"nchw", "nhwc"};
template <>
constexpr std::string_view kNames<Conv2dFilterOperandLayout>[] = {"oihw", "hwio", "ohwi", "ihwo"};
template <>
constexpr std::string_view kNames<ConvTranspose2dFilterOperandLayout>[] = {"iohw", "hwoi", "ohwi"};
template <>
constexpr std::string_view kNames<GruWeightLayout>[] = {"zrn", "rzn"};
template <>
constexpr std::string_view kNames<LstmWeightLayout>[] = {"iofg", "ifgo"};
template <>
constexpr std::string_view kNames<RecurrentNetworkActivation>[] = {"relu", "sigmoid", "tanh"};
template <>
constexpr std::string_view kNames<RecurrentNetworkDirection>[] = {"forward", "backward", "both"};
template <>
constexpr std::string_view kNames<PaddingMode>[] = {"constant", "edge", "reflection"};
template <>
constexpr std::string_view kNames<RoundingType>[] = {"floor", "ceil"};
template <>
constexpr std::string_view kNames<InterpolationMode>[] = {"nearest-neighbor", "linear"};

template <typename Enum>
std::string_view nameOf(Enum value) {
  return kNames<Enum>[static_cast<std::size_t>(value)];
}

}  // namespace

std::string_view name(InputOperandLayout value) { return nameOf(value); }
std::string_view name(Conv2dFilterOperandLayout value) { return nameOf(value); }
std::string_view name(ConvTranspose2dFilterOperandLayout value) { return nameOf(value); }
std::string_view name(GruWeightLayout value) { return nameOf(value); }
std::string_view name(LstmWeightLayout value) { return nameOf(value); }
std::string_view name(RecurrentNetworkActivation value) { return nameOf(value); }
std::string_view name(RecurrentNetworkDirection value) { return nameOf(value); }
std::string_view name(PaddingMode value) { return nameOf(value); }
std::string_view name(RoundingType value) { return nameOf(value); }
std::string_view name(InterpolationMode value) { return nameOf(value); }

template <typename Enum>
std::optional<Enum> fromName(std::string_view text) {
  const auto& names = kNames<Enum>;
  const auto found = std::find(std::begin(names), std::end(names), text);
  if (found == std::end(names)) return std::nullopt;
  return static_cast<Enum>(found - std::begin(names));
}
template <>
std::optional<DataType> fromName<DataType>(std::string_view text) {
  return dataTypeFromName(text);
}

template std::optional<InputOperandLayout> fromName(std::string_view);
template std::optional<Conv2dFilterOperandLayout> fromName(std::string_view);
template std::optional<ConvTranspose2dFilterOperandLayout> fromName(std::string_view);
template std::optional<GruWeightLayout> fromName(std::string_view);
template std::optional<LstmWeightLayout> fromName(std::string_view);
template std::optional<RecurrentNetworkActivation> fromName(std::string_view);
template std::optional<RecurrentNetworkDirection> fromName(std::string_view);
template std::optional<PaddingMode> fromName(std::string_view);
template std::optional<RoundingType> fromName(std::string_view);
template std::optional<InterpolationMode> fromName(std::string_view);

template <typename Enum>
std::span<const std::string_view> enumNames() {
  return kNames<Enum>;
}
template <>
std::span<const std::string_view> enumNames<DataType>() {
  static const auto names = [] {
    std::array<std::string_view, kDataTypeCount> all;
    for (std::size_t i = 0; i < kDataTypeCount; ++i) all[i] = name(static_cast<DataType>(i));
    return all;
  }();
  return names;
}

template std::span<const std::string_view> enumNames<InputOperandLayout>();
template std::span<const std::string_view> enumNames<Conv2dFilterOperandLayout>();
template std::span<const std::string_view> enumNames<ConvTranspose2dFilterOperandLayout>();
template std::span<const std::string_view> enumNames<GruWeightLayout>();
template std::span<const std::string_view> enumNames<LstmWeightLayout>();
template std::span<const std::string_view> enumNames<RecurrentNetworkActivation>();
template std::span<const std::string_view> enumNames<RecurrentNetworkDirection>();
template std::span<const std::string_view> enumNames<PaddingMode>();
template std::span<const std::string_view> enumNames<RoundingType>();
template std::span<const std::string_view> enumNames<InterpolationMode>();

}  // namespace webnn
