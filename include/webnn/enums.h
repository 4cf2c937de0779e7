// The specification's spelling of the enumerations in webnn/options.h.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "webnn/options.h"
#include "webnn/types.h"

namespace webnn {

// Returns the specification's text of an enumeration value: "nchw", "nearest-neighbor", ...
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

// Returns the enumeration value that is spelled `text`, or nullopt. Enum is DataType or one of the enumerations above.
template <typename Enum>
std::optional<Enum> fromName(std::string_view text);

// Returns the text of all values, in their order. Enum is DataType or one of the enumerations above.
template <typename Enum>
std::span<const std::string_view> enumNames();

}  // namespace webnn
