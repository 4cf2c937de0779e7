#include "formats/document/dimensions.h"

#include <algorithm>

#include "base/text.h"

namespace webnn::formats {

void addDimension(DimensionLimits& limits, const std::string& name, std::uint32_t largest) {
  const auto [found, isNew] = limits.try_emplace(name, largest);
  if (!isNew) found->second = std::min(found->second, largest);
}

void checkDimensions(const DimensionLimits& limits, const std::map<std::string, std::uint32_t>& sizes) {
  constexpr std::size_t kMost = 10;  // maximum number of names in an error text, because a hostile graph may have very many
  std::string list;
  std::size_t count = 0;
  for (const auto& [name, limit] : limits) {
    if (++count > kMost) continue;
    list += formatText("{}{} (1 to {})", list.empty() ? "" : ", ", webnn::quoted(name), limit);
  }
  if (count > kMost) list += formatText(" and {} more", count - kMost);
  const std::string all =
      list.empty() ? "The graph has no dynamic dimensions." : "The graph's dynamic dimensions are " + list + ".";
  for (const auto& [name, size] : sizes) {
    if (!limits.contains(name)) fail(ErrorKind::typeError, "the dimension {} is not in the graph. {}", webnn::quoted(name), all);
  }
  for (const auto& [name, limit] : limits) {
    const auto found = sizes.find(name);
    if (found == sizes.end())
      fail(ErrorKind::typeError, "the dimension {} has no size: none is given in \"dimensions\". {}", webnn::quoted(name), all);
    if (found->second < 1 || found->second > limit) {
      fail(ErrorKind::typeError, "the size ({}) of the dimension {} is not allowed. {}", found->second, webnn::quoted(name), all);
    }
  }
}

}  // namespace webnn::formats
