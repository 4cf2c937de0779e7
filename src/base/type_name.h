#pragma once

#include <string_view>

namespace webnn {

// Returns "PaddingMode" for webnn::PaddingMode; for types of that namespace only.
template <typename T>
std::string_view typeName() {
  // "... [with T = webnn::PaddingMode; ...]" or "... [T = webnn::PaddingMode]", or without the namespace, as this one is in it
  std::string_view name = __PRETTY_FUNCTION__;
  const std::string_view marker = "T = ", space = "webnn::";
  name.remove_prefix(name.find(marker) + marker.size());
  name = name.substr(0, name.find_first_of(";]"));
  return name.starts_with(space) ? name.substr(space.size()) : name;
}

}  // namespace webnn
