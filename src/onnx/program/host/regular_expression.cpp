#include "onnx/program/host/regular_expression.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

#include "base/escape.h"
#include "base/text.h"

namespace webnn::formats::onnx {

namespace {

constexpr char32_t kLastCharacter = 0x10FFFF, kReplacement = 0xFFFD;

using Ranges = std::vector<std::pair<char32_t, char32_t>>;
const Ranges kDigits{{'0', '9'}}, kWord{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}},
    kSpace{{'\t', '\n'}, {'\f', '\r'}, {' ', ' '}};

const std::array<std::pair<std::u32string_view, Ranges>, 14> kNamed{{{U"alnum", {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}},
                                                                     {U"alpha", {{'A', 'Z'}, {'a', 'z'}}},
                                                                     {U"ascii", {{0, 127}}},
                                                                     {U"blank", {{'\t', '\t'}, {' ', ' '}}},
                                                                     {U"cntrl", {{0, 31}, {127, 127}}},
                                                                     {U"digit", kDigits},
                                                                     {U"graph", {{'!', '~'}}},
                                                                     {U"lower", {{'a', 'z'}}},
                                                                     {U"print", {{' ', '~'}}},
                                                                     {U"punct", {{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}},
                                                                     {U"space", {{'\t', '\r'}, {' ', ' '}}},
                                                                     {U"upper", {{'A', 'Z'}}},
                                                                     {U"word", kWord},
                                                                     {U"xdigit", {{'0', '9'}, {'A', 'F'}, {'a', 'f'}}}}};

bool isIn(const Ranges& ranges, char32_t c) {
  return std::ranges::any_of(ranges, [&](const auto& range) { return c >= range.first && c <= range.second; });
}

}  // namespace

std::u32string decoded(std::string_view text) {
  std::u32string result;
  while (!text.empty()) {
    const CodePoint c = decodeUtf8(text);
    result.push_back(c.length > 0 ? static_cast<char32_t>(c.value) : kReplacement);
    text.remove_prefix(std::max<std::size_t>(c.length, 1));
  }
  return result;
}

std::string encoded(std::u32string_view text) {
  std::string result;
  for (const char32_t c : text) {
    const auto tail = [&](int shift) { result += static_cast<char>(0x80 | ((c >> shift) & 0x3F)); };
    if (c < 0x80) {
      result += static_cast<char>(c);
    } else if (c < 0x800) {
      result += static_cast<char>(0xC0 | (c >> 6));
      tail(0);
    } else if (c < 0x10000) {
      result += static_cast<char>(0xE0 | (c >> 12));
      tail(6), tail(0);
    } else {
      result += static_cast<char>(0xF0 | (c >> 18));
      tail(12), tail(6), tail(0);
    }
  }
  return result;
}

namespace {

[[noreturn]] void failUnsupported(std::string_view pattern, std::string_view what) {
  fail(ErrorKind::notSupportedError, "the pattern {} has {}, which the host does not match.", webnn::quoted(pattern), what);
}

using Set = RegularExpression::Set;
using Step = RegularExpression::Step;

// A node of a pattern's syntax tree. `set`: index of a set of characters; `least`, `most`: repetitions; `parts`: the children.
struct Tree {
  enum class Kind { set, assertion, sequence, alternatives, repeat };
  Kind kind = Kind::sequence;
  std::size_t set = 0;
  Step::Kind assertion{};
  std::size_t least = 0;
  std::optional<std::size_t> most = {};
  std::vector<Tree> parts = {};
};

// Compiles a tree to steps. A repetition compiles its part several times.
class PatternCompiler {
 public:
  PatternCompiler(std::vector<Step>& steps, std::string_view pattern) : steps_(steps), source_(pattern) {}

  void run(const Tree& tree) {
    compile(tree);
    add({Step::Kind::match});
  }

 private:
  static constexpr std::size_t kMostSteps = 100'000;

  std::size_t add(Step step) {
    if (steps_.size() >= kMostSteps) failUnsupported(source_, "too many repetitions");
    steps_.push_back(step);
    return steps_.size() - 1;
  }
  std::size_t here() const { return steps_.size(); }

  void compile(const Tree& tree) {
    if (++compiled_ > kMostSteps) failUnsupported(source_, "too many repetitions");  // counts empty parts too, which add no steps
    switch (tree.kind) {
      case Tree::Kind::set: add({Step::Kind::set, tree.set}); break;
      case Tree::Kind::assertion: add({tree.assertion}); break;
      case Tree::Kind::sequence:
        for (const Tree& part : tree.parts) compile(part);
        break;
      case Tree::Kind::alternatives: compileAlternatives(tree.parts); break;
      case Tree::Kind::repeat: compileRepeat(tree); break;
    }
  }

  void compileAlternatives(const std::vector<Tree>& parts) {
    std::vector<std::size_t> ends;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const bool isLast = i + 1 == parts.size();
      const std::size_t split = isLast ? 0 : add({Step::Kind::split, here() + 1});
      compile(parts[i]);
      if (isLast) break;
      ends.push_back(add({Step::Kind::jump}));
      steps_[split].second = here();
    }
    for (const std::size_t end : ends) steps_[end].first = here();
  }

  void compileRepeat(const Tree& tree) {
    for (std::size_t i = 0; i < tree.least; ++i) compile(tree.parts[0]);
    if (!tree.most) {
      const std::size_t split = add({Step::Kind::split, here() + 1});
      compile(tree.parts[0]);
      add({Step::Kind::jump, split});
      steps_[split].second = here();
      return;
    }
    std::vector<std::size_t> splits;
    for (std::size_t i = tree.least; i < *tree.most; ++i) {
      splits.push_back(add({Step::Kind::split, here() + 1}));
      compile(tree.parts[0]);
    }
    for (const std::size_t split : splits) steps_[split].second = here();
  }

  std::vector<Step>& steps_;
  const std::string_view source_;
  std::size_t compiled_ = 0;
};

class PatternReader {
 public:
  explicit PatternReader(std::string_view pattern) : source_(pattern), pattern_(decoded(pattern)) {}

 protected:
  [[noreturn]] void wrong(std::string_view why) const {
    fail(ErrorKind::dataError, "the pattern {} is wrong: {}.", webnn::quoted(source_), why);
  }
  [[noreturn]] void unsupported(std::string_view what) const { failUnsupported(source_, what); }

  bool isNext(char32_t c) const { return at_ < pattern_.size() && pattern_[at_] == c; }
  bool take(char32_t c) { return isNext(c) && (++at_, true); }
  bool take(std::u32string_view text) {
    if (std::u32string_view(pattern_).substr(at_, text.size()) != text) return false;
    at_ += text.size();
    return true;
  }
  char32_t next() {
    if (at_ == pattern_.size()) wrong("it ends too early");
    return pattern_[at_++];
  }

  // Reads the digits of \x41 or \x{1F600}.
  char32_t hexadecimal() {
    const bool isBraced = take('{');
    char32_t value = 0;
    for (std::size_t digits = 0; isBraced ? !take('}') : digits < 2; ++digits) {
      const char32_t c = next();
      const int digit = c >= '0' && c <= '9'                     ? static_cast<int>(c - '0')
                        : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? static_cast<int>((c | 0x20) - 'a' + 10)
                                                                 : -1;
      if (digit < 0 || value > kLastCharacter) wrong("a hexadecimal number is wrong");
      value = value * 16 + static_cast<char32_t>(digit);
    }
    if (value > kLastCharacter) wrong("a hexadecimal number is wrong");
    return value;
  }

  const std::string_view source_;
  const std::u32string pattern_;
  std::size_t at_ = 0;
};

// Parses a pattern. Stores the pattern's sets of characters in `sets`.
class PatternParser : PatternReader {
 public:
  PatternParser(std::vector<Set>& sets, std::string_view pattern) : PatternReader(pattern), sets_(sets) {}

  Tree run() {
    Tree tree = alternatives();
    if (at_ < pattern_.size()) wrong("a parenthesis is closed that was not opened");
    return tree;
  }

 private:
  static constexpr std::size_t kMostRepeats = 1000, kDeepest = 200;

  Tree alternatives() {
    if (++depth_ > kDeepest) unsupported("too many nested parentheses");
    Tree tree{.kind = Tree::Kind::alternatives};
    do tree.parts.push_back(sequence());
    while (take('|'));
    --depth_;
    if (tree.parts.size() > 1) return tree;
    return std::move(tree.parts[0]);
  }

  Tree sequence() {
    Tree tree;
    while (at_ < pattern_.size() && !isNext('|') && !isNext(')')) tree.parts.push_back(repeated(atom()));
    return tree;
  }

  Tree repeated(Tree tree) {
    bool isRepeated = false;
    while (true) {
      const std::size_t before = at_;
      std::size_t least = 0;
      std::optional<std::size_t> most;
      if (take('*')) {
      } else if (take('+')) {
        least = 1;
      } else if (take('?')) {
        most = 1;
      } else if (!takeCounts(least, most)) {
        at_ = before;
        return tree;
      }
      if (isRepeated) wrong("a repetition is repeated");
      isRepeated = true;
      (void)take('?');  // lazy repetition: only changes which match is preferred, and a search always takes the longest
      Tree repeat{.kind = Tree::Kind::repeat, .least = least, .most = most};
      repeat.parts.push_back(std::move(tree));
      tree = std::move(repeat);
    }
  }

  // Reads the counts of a repetition, {n}, {n,} or {n,m}. Returns false for other braces, which are ordinary characters.
  bool takeCounts(std::size_t& least, std::optional<std::size_t>& most) {
    if (!take('{')) return false;
    const auto number = [&](std::size_t& to) {
      const std::size_t begin = at_;
      for (to = 0; at_ < pattern_.size() && pattern_[at_] >= '0' && pattern_[at_] <= '9'; ++at_)
        to = std::min<std::size_t>(to * 10 + (pattern_[at_] - '0'), kMostRepeats + 1);
      return at_ > begin;
    };
    if (!number(least)) return false;
    most = least;
    if (take(',')) {
      std::size_t count = 0;
      most = number(count) ? std::optional(count) : std::nullopt;
    }
    if (!take('}')) return false;
    if (least > kMostRepeats || most.value_or(0) > kMostRepeats || most.value_or(least) < least)
      wrong("its counts are above 1000, or the second is below the first");
    return true;
  }

  bool isCountsAt(std::size_t place) {
    std::size_t least = 0;
    std::optional<std::size_t> most;
    const std::size_t before = std::exchange(at_, place);
    const bool isCounts = takeCounts(least, most);
    at_ = before;
    return isCounts;
  }

  Tree atom() {
    const char32_t c = next();
    if (c == '(') return group();
    if (c == '[') return ofSet(bracket());
    if (c == '.') return ofSet({{{'\n', '\n'}}, true});
    if (c == '^') return ofAssertion(Step::Kind::begin);
    if (c == '$') return ofAssertion(Step::Kind::end);
    if (c == '*' || c == '+' || c == '?' || (c == '{' && isCountsAt(at_ - 1))) wrong("there is nothing to repeat");
    if (c != '\\') return ofSet({{{c, c}}});
    if (take('b')) return ofAssertion(Step::Kind::boundary);
    if (take('B')) return ofAssertion(Step::Kind::noBoundary);
    if (take('A')) return ofAssertion(Step::Kind::begin);
    if (take('z')) return ofAssertion(Step::Kind::end);
    Set set;
    addEscape(set);
    return ofSet(std::move(set));
  }

  Tree group() {
    if (take(U"?<=") || take(U"?<!") || take(U"?=") || take(U"?!")) unsupported("look-around");
    if (take(U"?P<") || take(U"?<")) {
      if (isNext('>')) wrong("a group has an empty name");
      for (char32_t c = next(); c != '>'; c = next()) {
        if (!isIn(kWord, c)) wrong("the name of a group has a character that is not of a word");
      }
    } else if (isNext('?') && !take(U"?:")) {
      unsupported("flags of a group");
    }
    Tree tree = alternatives();
    if (!take(')')) wrong("a parenthesis is not closed");
    return tree;
  }

  static Tree ofAssertion(Step::Kind assertion) { return {.kind = Tree::Kind::assertion, .assertion = assertion}; }
  Tree ofSet(Set set) {
    sets_.push_back(std::move(set));
    return {.kind = Tree::Kind::set, .set = sets_.size() - 1};
  }

  // Adds the characters of an escape, after its backslash. Returns the character if it is a single one, else nullopt.
  std::optional<char32_t> addEscape(Set& set) {
    const char32_t c = next();
    const auto one = [&](char32_t character) {
      set.ranges.emplace_back(character, character);
      return character;
    };
    switch (c) {
      case 'd': add(set, kDigits, false); return std::nullopt;
      case 'D': add(set, kDigits, true); return std::nullopt;
      case 'w': add(set, kWord, false); return std::nullopt;
      case 'W': add(set, kWord, true); return std::nullopt;
      case 's': add(set, kSpace, false); return std::nullopt;
      case 'S': add(set, kSpace, true); return std::nullopt;
      case 'a': return one('\a');
      case 'f': return one('\f');
      case 'n': return one('\n');
      case 'r': return one('\r');
      case 't': return one('\t');
      case 'v': return one('\v');
      case 'x': return one(hexadecimal());
      default: break;
    }
    if (isIn(kWord, c) && c != '_') unsupported(formatText("the escape \\{}", encoded(std::u32string(1, c))));
    return one(c);
  }

  // Adds sorted ranges to the set, or the characters outside of them if `isNegated`.
  static void add(Set& set, const Ranges& ranges, bool isNegated) {
    if (!isNegated) return (void)set.ranges.insert(set.ranges.end(), ranges.begin(), ranges.end());
    char32_t from = 0;
    for (const auto& [first, last] : ranges) {
      if (first > from) set.ranges.emplace_back(from, first - 1);
      from = last + 1;
    }
    set.ranges.emplace_back(from, kLastCharacter);
  }

  void addNamed(Set& set) {
    const bool isNegated = take('^');
    for (const auto& [name, ranges] : kNamed) {
      if (std::u32string_view(pattern_).substr(at_, name.size() + 2) != std::u32string(name) + U":]") continue;
      at_ += name.size() + 2;
      return add(set, ranges, isNegated);
    }
    wrong("a class has an unknown name");
  }

  Set bracket() {
    Set set;
    set.isNegated = take('^');
    for (bool isFirst = true; isFirst || !take(']'); isFirst = false) {
      if (take(U"[:")) {
        addNamed(set);
        continue;
      }
      const auto character = [&](Set& to) -> std::optional<char32_t> {
        const char32_t c = next();
        if (c == '\\') return addEscape(to);
        to.ranges.emplace_back(c, c);
        return c;
      };
      const auto from = character(set);
      if (!from || !isNext('-') || at_ + 1 >= pattern_.size() || pattern_[at_ + 1] == ']') continue;
      ++at_;
      Set end;
      const auto last = character(end);
      if (!last || *last < *from) wrong("a range of characters is wrong");
      set.ranges.back().second = *last;
    }
    return set;
  }

  std::vector<Set>& sets_;
  std::size_t depth_ = 0;
};

}  // namespace

RegularExpression::RegularExpression(std::string_view pattern) {
  PatternCompiler(steps_, pattern).run(PatternParser(sets_, pattern).run());
}

bool RegularExpression::Set::contains(char32_t c) const { return isIn(ranges, c) != isNegated; }

bool RegularExpression::matchesAll(std::u32string_view text, FunctionRef<void(std::size_t)> tick) const {
  const std::optional<PatternSearch::Match> match = PatternSearch(*this, text, tick).at(0);
  return match && match->length == text.size();
}

PatternSearch::PatternSearch(const RegularExpression& expression, std::u32string_view text, FunctionRef<void(std::size_t)> tick)
    : expression_(expression), text_(text), tick_(tick), seen_(expression.steps_.size()) {}

std::optional<PatternSearch::Match> PatternSearch::next(std::size_t from) {
  return from < text_.size() ? run(from, text_.size() - 1) : std::nullopt;
}

std::optional<PatternSearch::Match> PatternSearch::at(std::size_t begin) { return run(begin, begin); }

std::optional<PatternSearch::Match> PatternSearch::run(std::size_t from, std::size_t lastBegin) {
  best_.reset();
  now_.clear();
  for (std::size_t at = from;; ++at) {
    // `now_` holds the states that the characters before `at` reach, leftmost beginning first. A match that begins at `at` comes
    // last.
    if (at == from) ++turn_;
    if (!best_ && at <= lastBegin) reach({0, at}, at, now_);
    if (at >= text_.size() || (now_.empty() && (best_ || at >= lastBegin))) return best_;
    ++turn_;
    next_.clear();
    for (const Waiting& state : now_) {
      if (best_ && state.begin > best_->begin) break;
      const RegularExpression::Set& set = expression_.sets_[expression_.steps_[state.place].first];
      work_ += 1 + set.ranges.size();
      if (set.contains(text_[at])) reach({state.place + 1, state.begin}, at + 1, next_);
    }
    now_.swap(next_);
    tick_(std::exchange(work_, 0) + 1);
  }
}

// Follows, from `first` at `at`, all steps that consume no character. Appends the states that consume one to `waiting`.
void PatternSearch::reach(Waiting first, std::size_t at, std::vector<Waiting>& waiting) {
  open_.push_back(first.place);
  while (!open_.empty()) {
    const std::size_t place = open_.back();
    open_.pop_back();
    if (std::exchange(seen_[place], turn_) == turn_) continue;
    ++work_;
    const Step& step = expression_.steps_[place];
    switch (step.kind) {
      case Step::Kind::set: waiting.push_back({place, first.begin}); break;
      case Step::Kind::match:
        if (!best_ || first.begin <= best_->begin) best_ = {first.begin, at - first.begin};
        break;
      case Step::Kind::jump: open_.push_back(step.first); break;
      case Step::Kind::split:
        open_.push_back(step.second);
        open_.push_back(step.first);
        break;
      default:
        if (holds(step.kind, at)) open_.push_back(place + 1);
    }
  }
}

bool PatternSearch::holds(Step::Kind assertion, std::size_t at) const {
  const bool isBefore = at > 0 && isIn(kWord, text_[at - 1]), isAfter = at < text_.size() && isIn(kWord, text_[at]);
  switch (assertion) {
    case Step::Kind::begin: return at == 0;
    case Step::Kind::end: return at == text_.size();
    case Step::Kind::boundary: return isBefore != isAfter;
    default: return isBefore == isAfter;
  }
}

}  // namespace webnn::formats::onnx
