#define FMT_HEADER_ONLY  // only here, see formatArguments
#include <fmt/format.h>

#include "base/text.h"

namespace webnn {

std::string formatArguments(fmt::string_view format, fmt::format_args arguments) { return fmt::vformat(format, arguments); }

}  // namespace webnn
