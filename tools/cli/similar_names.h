// Suggestions for misspelt names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace webnn::cli {

// Known names that `text` may have been meant to be, the closest first; at most three.
std::vector<std::string> similarNames(std::string_view text, const std::vector<std::string_view>& known);

// The end of a message about an unknown name: "; did you mean relu or elu?", or "." if no name is similar.
std::string didYouMean(std::string_view text, const std::vector<std::string_view>& known);

}  // namespace webnn::cli
