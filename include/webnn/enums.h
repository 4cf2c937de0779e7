// The specification's spelling of the enumerations in webnn/options.h.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "webnn/options.h"
#include "webnn/types.h"

namespace webnn {

// "nchw", "nearest-neighbor", ...
std::string_view name(InputOperandLayout value);
std::string_view name(Conv2dFilterOperandLayout value);
std::string_view name(ConvTranspose2dFilterOperandLayout value);
std::string_view name(GruWeightLayout value);
std::string_view name(LstmWeightLayout value);
std::string_view name(RecurrentNetworkActivation value);
std::string_view name(RecurrentNetworkDirection value);
std::string_view name(PaddingMode value);
std::string_view name(RoundingType value);
std::string_view name(InterpolationMode value);

// Returns the value with that name, for the enumerations above and DataType; nullopt for other text.
template <typename Enum>
std::optional<Enum> fromName(std::string_view text);

// All names of an enumeration above or of DataType, in the order of its values.
template <typename Enum>
std::span<const std::string_view> enumNames();

}  // namespace webnn
