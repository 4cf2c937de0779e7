// Regular expressions in RE2's syntax (https://github.com/google/re2/wiki/Syntax). The time is linear in the text: all states of
// an automaton advance together (K. Thompson, Regular expression search algorithm, CACM 11, 1968). Not supported: flags, classes
// of Unicode, \Q, \C and octal escapes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/function_ref.h"

namespace webnn::formats::onnx {

class RegularExpression {
 public:
  struct Set {
    std::vector<std::pair<char32_t, char32_t>> ranges;
    bool isNegated = false;
    bool contains(char32_t c) const;
  };
  // A state of the automaton.
  struct Step {
    enum class Kind : std::uint8_t { set, split, jump, begin, end, boundary, noBoundary, match };
    Kind kind = Kind::match;
    std::size_t first = 0, second = 0;  // set: the set; split: both next steps; jump: the next step
  };

  // DataError for a pattern that is wrong, NotSupportedError for one that is not supported or too large.
  explicit RegularExpression(std::string_view pattern);

  // Returns the length of the longest match that begins at `start`; nullopt if there is no match. `tick` is called with the work
  // done.
  std::optional<std::size_t> longestAt(std::u32string_view text, std::size_t start, FunctionRef<void(std::size_t)> tick) const;
  bool matchesAll(std::u32string_view text, FunctionRef<void(std::size_t)> tick) const;

 private:
  bool holds(Step::Kind assertion, std::u32string_view text, std::size_t at) const;

  std::vector<Set> sets_;
  std::vector<Step> steps_;
};

// Decodes UTF-8. Bytes that are no valid character become U+FFFD.
std::u32string decoded(std::string_view text);
std::string encoded(std::u32string_view text);

}  // namespace webnn::formats::onnx
