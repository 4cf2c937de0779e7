#include "cli/similar_names.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace webnn::cli {

namespace {

// Returns the number of replaced, missing, added and swapped letters, ignoring case.
std::size_t editDistance(std::string_view a, std::string_view b) {
  const auto same = [&](std::size_t i, std::size_t j) {
    return std::tolower(static_cast<unsigned char>(a[i])) == std::tolower(static_cast<unsigned char>(b[j]));
  };
  std::vector<std::size_t> before, above(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    before = std::exchange(above, row);
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({above[j] + (same(i, j) ? 0 : 1), row[j] + 1, above[j + 1] + 1});
      if (i > 0 && j > 0 && same(i, j - 1) && same(i - 1, j)) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::string> similarNames(std::string_view text, const std::vector<std::string_view>& known) {
  std::vector<std::pair<std::size_t, std::string>> close;
  for (std::string_view candidate : known) {
    const std::size_t distance = editDistance(text, candidate);
    if (distance <= std::max<std::size_t>(1, std::min(text.size(), candidate.size()) / 3))
      close.emplace_back(distance, candidate);
  }
  std::ranges::sort(close);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, close.size()); ++i) names.push_back(close[i].second);
  return names;
}

std::string didYouMean(std::string_view text, const std::vector<std::string_view>& known) {
  std::string names;
  for (const std::string& name : similarNames(text, known)) names += (names.empty() ? "" : " or ") + name;
  return names.empty() ? "." : "; did you mean " + names + "?";
}

}  // namespace webnn::cli
