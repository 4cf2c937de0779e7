// Names of types as the source spells them.
#pragma once

#include <string_view>

namespace webnn {

// "PaddingMode" of webnn::PaddingMode, for types of that namespace alone.
template <typename T>
std::string_view typeName() {
  const std::string_view signature =
      __PRETTY_FUNCTION__;  // "... [with T = webnn::PaddingMode; ...]" or "... [T = webnn::PaddingMode]"
  const std::string_view marker = "T = webnn::";
  const std::size_t begin = signature.find(marker) + marker.size();
  return signature.substr(begin, signature.find_first_of(";]", begin) - begin);
}

}  // namespace webnn
