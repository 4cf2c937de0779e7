#pragma once

#include <string>
#include <string_view>

namespace webnn {

// Returns "conv_transpose2d" for "convTranspose2d", "gather_nd" for "gatherND", "is_nan" for "isNaN".
std::string snakeCase(std::string_view camelCase);

}  // namespace webnn
