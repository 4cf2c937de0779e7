#pragma once

#include <string_view>

namespace webnn {

// Returns "PaddingMode" for webnn::PaddingMode. T must be in namespace webnn.
template <typename T>
std::string_view typeName() {
  // __PRETTY_FUNCTION__ is "... [with T = webnn::PaddingMode; ...]" or "... [T = webnn::PaddingMode]". The namespace may be
  // missing, because this function is in it.
  std::string_view name = __PRETTY_FUNCTION__;
  const std::string_view marker = "T = ", space = "webnn::";
  name.remove_prefix(name.find(marker) + marker.size());
  name = name.substr(0, name.find_first_of(";]"));
  return name.starts_with(space) ? name.substr(space.size()) : name;
}

}  // namespace webnn
