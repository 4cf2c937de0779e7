// Regular expressions in RE2's syntax (https://github.com/google/re2/wiki/Syntax). The time of one search is linear in the text:
// all states of an automaton advance together (K. Thompson, Regular expression search algorithm, CACM 11, 1968). Not supported:
// flags, look-around, classes of Unicode, \Q, \C and octal escapes.
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
    std::size_t first = 0, second = 0;  // set: index in sets_; split: both next steps; jump: the next step
  };

  // Throws DataError for an invalid pattern, NotSupportedError for a valid pattern that is too large or has unsupported syntax.
  explicit RegularExpression(std::string_view pattern);

  bool matchesAll(std::u32string_view text, FunctionRef<void(std::size_t)> tick) const;

 private:
  friend class PatternSearch;
  std::vector<Set> sets_;
  std::vector<Step> steps_;
};

// Searches one text. `tick` is called with the work done. The expression, the text and `tick` must outlive the search.
class PatternSearch {
 public:
  struct Match {
    std::size_t begin = 0, length = 0;
  };

  PatternSearch(const RegularExpression& expression, std::u32string_view text, FunctionRef<void(std::size_t)> tick);
  // Returns the longest of the leftmost matches that begin at or after `from` and before the text's end; nullopt if there is
  // none.
  std::optional<Match> next(std::size_t from);
  // Returns the longest match that begins at `begin`.
  std::optional<Match> at(std::size_t begin);

 private:
  // A state that waits for a character. `begin` is where its match would begin.
  struct Waiting {
    std::size_t place = 0, begin = 0;
  };

  std::optional<Match> run(std::size_t from, std::size_t lastBegin);
  void reach(Waiting first, std::size_t at, std::vector<Waiting>& waiting);
  bool holds(RegularExpression::Step::Kind assertion, std::size_t at) const;

  const RegularExpression& expression_;
  const std::u32string_view text_;
  const FunctionRef<void(std::size_t)> tick_;
  std::vector<Waiting> now_, next_;  // in the order of `begin`: the leftmost match reaches a state first
  std::vector<std::size_t> open_;    // states to follow
  std::vector<std::size_t> seen_;    // the turn in which a state was last reached
  std::size_t turn_ = 0, work_ = 0;
  std::optional<Match> best_;
};

// Decodes UTF-8. Bytes that are no valid character become U+FFFD.
std::u32string decoded(std::string_view text);
std::string encoded(std::u32string_view text);

}  // namespace webnn::formats::onnx
