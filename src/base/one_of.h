// Tests whether a type is one of several.
#pragma once

#include <type_traits>

namespace webnn {

template <typename T, typename... Ts>
concept OneOf = (std::is_same_v<T, Ts> || ...);

}  // namespace webnn
