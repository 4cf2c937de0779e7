// Names as Python and C spell them.
#pragma once

#include <string>
#include <string_view>

namespace webnn {

// "conv_transpose2d" of "convTranspose2d", "gather_nd" of "gatherND", "is_nan" of "isNaN".
std::string snakeCase(std::string_view camelCase);

}  // namespace webnn
