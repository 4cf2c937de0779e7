#define FMT_HEADER_ONLY  // the only file that compiles fmt: see formatArguments
#include <fmt/format.h>

#include "base/text.h"

namespace webnn {

std::string formatArguments(fmt::string_view format, fmt::format_args arguments) { return fmt::vformat(format, arguments); }

}  // namespace webnn
