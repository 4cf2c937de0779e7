#include "webnn/enums.h"

#include <array>

#include "base/enum_table.h"

namespace webnn {

namespace {

// The names of an enumeration's values, specialized for each enumeration.
template <typename Enum>
constexpr int kNames = 0;
template <>
constexpr EnumNames<InputOperandLayout, 2> kNames<InputOperandLayout>{{
    {InputOperandLayout::nchw, "nchw"},
    {InputOperandLayout::nhwc, "nhwc"},
}};
template <>
constexpr EnumNames<Conv2dFilterOperandLayout, 4> kNames<Conv2dFilterOperandLayout>{{
    {Conv2dFilterOperandLayout::oihw, "oihw"},
    {Conv2dFilterOperandLayout::hwio, "hwio"},
    {Conv2dFilterOperandLayout::ohwi, "ohwi"},
    {Conv2dFilterOperandLayout::ihwo, "ihwo"},
}};
template <>
constexpr EnumNames<ConvTranspose2dFilterOperandLayout, 3> kNames<ConvTranspose2dFilterOperandLayout>{{
    {ConvTranspose2dFilterOperandLayout::iohw, "iohw"},
    {ConvTranspose2dFilterOperandLayout::hwoi, "hwoi"},
    {ConvTranspose2dFilterOperandLayout::ohwi, "ohwi"},
}};
template <>
constexpr EnumNames<GruWeightLayout, 2> kNames<GruWeightLayout>{{
    {GruWeightLayout::zrn, "zrn"},
    {GruWeightLayout::rzn, "rzn"},
}};
template <>
constexpr EnumNames<LstmWeightLayout, 2> kNames<LstmWeightLayout>{{
    {LstmWeightLayout::iofg, "iofg"},
    {LstmWeightLayout::ifgo, "ifgo"},
}};
template <>
constexpr EnumNames<RecurrentNetworkActivation, 3> kNames<RecurrentNetworkActivation>{{
    {RecurrentNetworkActivation::relu, "relu"},
    {RecurrentNetworkActivation::sigmoid, "sigmoid"},
    {RecurrentNetworkActivation::tanh, "tanh"},
}};
template <>
constexpr EnumNames<RecurrentNetworkDirection, 3> kNames<RecurrentNetworkDirection>{{
    {RecurrentNetworkDirection::forward, "forward"},
    {RecurrentNetworkDirection::backward, "backward"},
    {RecurrentNetworkDirection::both, "both"},
}};
template <>
constexpr EnumNames<PaddingMode, 3> kNames<PaddingMode>{{
    {PaddingMode::constant, "constant"},
    {PaddingMode::edge, "edge"},
    {PaddingMode::reflection, "reflection"},
}};
template <>
constexpr EnumNames<RoundingType, 2> kNames<RoundingType>{{
    {RoundingType::floor, "floor"},
    {RoundingType::ceil, "ceil"},
}};
template <>
constexpr EnumNames<InterpolationMode, 2> kNames<InterpolationMode>{{
    {InterpolationMode::nearestNeighbor, "nearest-neighbor"},
    {InterpolationMode::linear, "linear"},
}};

}  // namespace

std::string_view name(InputOperandLayout value) { return kNames<InputOperandLayout>[value]; }
std::string_view name(Conv2dFilterOperandLayout value) { return kNames<Conv2dFilterOperandLayout>[value]; }
std::string_view name(ConvTranspose2dFilterOperandLayout value) { return kNames<ConvTranspose2dFilterOperandLayout>[value]; }
std::string_view name(GruWeightLayout value) { return kNames<GruWeightLayout>[value]; }
std::string_view name(LstmWeightLayout value) { return kNames<LstmWeightLayout>[value]; }
std::string_view name(RecurrentNetworkActivation value) { return kNames<RecurrentNetworkActivation>[value]; }
std::string_view name(RecurrentNetworkDirection value) { return kNames<RecurrentNetworkDirection>[value]; }
std::string_view name(PaddingMode value) { return kNames<PaddingMode>[value]; }
std::string_view name(RoundingType value) { return kNames<RoundingType>[value]; }
std::string_view name(InterpolationMode value) { return kNames<InterpolationMode>[value]; }

template <typename Enum>
std::optional<Enum> fromName(std::string_view text) {
  return kNames<Enum>.fromName(text);
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
  return kNames<Enum>.values;
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
