#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace webnn::cli {

// Returns at most three known names that resemble `text`, the closest first.
std::vector<std::string> similarNames(std::string_view text, const std::vector<std::string_view>& known);

// Returns the end of a message about an unknown name: "; did you mean relu or elu?", or "." if no name is similar.
std::string didYouMean(std::string_view text, const std::vector<std::string_view>& known);

}  // namespace webnn::cli
