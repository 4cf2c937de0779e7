#include "formats/suffix.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

namespace webnn::formats {

namespace {

constexpr std::array<std::pair<std::string_view, GraphFormat>, 5> kSuffixes{{{".webnn", GraphFormat::webnnText},
                                                                             {".webnnb", GraphFormat::webnnBinary},
                                                                             {".json", GraphFormat::graphJson},
                                                                             {".onnx", GraphFormat::onnx},
                                                                             {".mlpackage", GraphFormat::coreMl}}};

}  // namespace

std::string lowerSuffix(const std::filesystem::path& path) {
  std::string suffix = path.extension().string();
  std::ranges::transform(suffix, suffix.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return suffix;
}

std::optional<GraphFormat> formatOfSuffix(const std::filesystem::path& path) {
  const std::string suffix = lowerSuffix(path.has_filename() ? path : path.parent_path());  // "x.mlpackage/" is a folder
  const auto found = std::ranges::find(kSuffixes, suffix, &std::pair<std::string_view, GraphFormat>::first);
  return found == kSuffixes.end() ? std::nullopt : std::optional(found->second);
}

std::string listSuffixes() {
  std::string list;
  for (std::size_t i = 0; i < kSuffixes.size(); ++i)
    list.append(i == 0 ? "" : i + 1 == kSuffixes.size() ? " or " : ", ").append(kSuffixes[i].first);
  return list;
}

}  // namespace webnn::formats
