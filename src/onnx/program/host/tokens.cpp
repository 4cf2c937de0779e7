// Computes RegexFullMatch and com.microsoft.Tokenizer on the host.
#include <algorithm>
#include <memory>
#include <string>

#include "onnx/program/host/regular_expression.h"
#include "onnx/program/host_node.h"

namespace webnn::formats::onnx {

namespace {

void runRegexFullMatch(HostNode& node) {
  const RegularExpression& pattern =
      node.prepared<RegularExpression>([&] { return RegularExpression(node.text("pattern", "")); });
  std::byte* to = nullptr;
  Value result = node.make(ElementType::boolean, node.dims(0), to);
  const auto tick = [&](std::size_t work) { node.tick(work); };
  for (const std::string& text : node.strings(0)) {
    const MemoryCharge room = node.roomFor(text.size(), sizeof(char32_t));
    *to++ = std::byte{pattern.matchesAll(decoded(text), tick)};
  }
  node.set(0, std::move(result));
}

struct TokenRules {
  std::vector<RegularExpression> separators;
  std::optional<RegularExpression> token;  // matches tokens; only set without separators
  std::size_t least = 1;                   // least number of characters of a token
  bool splitsAll = false;                  // each character is a token

  explicit TokenRules(const HostNode& node) {
    const Attribute* const given = node.find("separators");
    const std::string_view expression = node.text("tokenexp", "");
    const std::int64_t fewest = node.integer("mincharnum", 1);
    if (fewest < 1) fail(ErrorKind::dataError, "its mincharnum is {}.", fewest);
    least = static_cast<std::size_t>(fewest);
    if ((given && !given->strings.empty()) == !expression.empty())
      fail(ErrorKind::dataError, "it has neither separators nor a tokenexp, or both.");
    if (!expression.empty()) {
      token.emplace(expression);
      return;
    }
    splitsAll = given->strings.size() == 1 && given->strings[0].empty();
    if (splitsAll && least > 1) fail(ErrorKind::dataError, "its mincharnum is {}, but its tokens are characters.", least);
    if (splitsAll) return;
    for (const std::string_view separator : given->strings) {
      if (separator.empty()) fail(ErrorKind::dataError, "one of its separators is empty.");
      separators.emplace_back(separator);
    }
  }
};

using Texts = std::vector<std::u32string_view>;

// Calls `found` with the beginning and the length of each match: the leftmost match, and of several that begin there the longest.
// After an empty match, the search continues one character later.
void eachMatch(const HostNode& node, const RegularExpression& expression, std::u32string_view text, auto found) {
  const auto tick = [&](std::size_t work) { node.tick(work); };
  PatternSearch search(expression, text, tick);
  for (auto match = search.next(0); match; match = search.next(match->begin + std::max<std::size_t>(match->length, 1)))
    found(match->begin, match->length);
}

Texts splitAt(const HostNode& node, const RegularExpression& separator, const Texts& texts, std::size_t least) {
  Texts parts;
  for (const std::u32string_view text : texts) {
    std::size_t begin = 0;
    const auto add = [&](std::size_t end) {
      if (end - begin >= least) parts.push_back(text.substr(begin, end - begin));
    };
    eachMatch(node, separator, text, [&](std::size_t at, std::size_t length) {
      add(at);
      begin = at + std::max<std::size_t>(length, 1);  // as in ONNX Runtime, an empty match also drops the next character
    });
    add(text.size());
  }
  return parts;
}

Texts tokensOf(const HostNode& node, const TokenRules& rules, std::u32string_view text) {
  Texts tokens;
  if (rules.splitsAll) {
    for (std::size_t i = 0; i < text.size(); ++i) tokens.push_back(text.substr(i, 1));
  } else if (rules.token) {
    eachMatch(node, *rules.token, text, [&](std::size_t at, std::size_t length) {
      if (length >= rules.least) tokens.push_back(text.substr(at, length));
    });
  } else {
    tokens = {text};
    for (const RegularExpression& separator : rules.separators) tokens = splitAt(node, separator, tokens, rules.least);
  }
  return tokens;
}

void runTokenizer(HostNode& node) {
  const TokenRules& rules = node.prepared<TokenRules>([&] { return TokenRules(node); });
  const bool isMarked = node.integer("mark", 0) != 0;
  Dims dims = node.dims(0);
  if (dims.empty() || dims.size() > 2) fail(ErrorKind::dataError, "its input has the rank {}, not 1 or 2.", dims.size());
  const std::vector<std::string>& texts = node.strings(0);
  StringList tokens(node);  // tokens of all texts
  std::vector<std::size_t> counts;
  node.takeRoom(texts.size(), sizeof(std::size_t));
  for (const std::string& text : texts) {
    const MemoryCharge room = node.roomFor(text.size(), 2 * sizeof(std::u32string_view) + sizeof(char32_t));
    const std::u32string characters = decoded(text);
    const Texts own = tokensOf(node, rules, characters);
    for (const std::u32string_view token : own) tokens.add(encoded(token));
    counts.push_back(own.size());
  }
  const std::size_t longest = counts.empty() ? 0 : *std::ranges::max_element(counts);
  const std::size_t width = longest == 0 ? 0 : longest + (isMarked ? 2 : 0);
  dims.push_back(static_cast<std::int64_t>(width));
  StringList strings(node, elementCount(dims));
  std::size_t next = 0;
  for (const std::size_t count : counts) {
    if (width == 0) break;
    if (isMarked) strings.add("\x02");
    for (std::size_t i = 0; i < count; ++i) strings.add(tokens[next++]);
    if (isMarked) strings.add("\x03");
    for (std::size_t i = count; i < longest; ++i) strings.add(node.text("pad_value", ""));
  }
  node.set(0, node.makeStrings(std::move(dims), std::move(strings)));
}

}  // namespace

std::span<const HostOperator> tokenSteps() {
  static constexpr HostOperator kSteps[]{{"", "RegexFullMatch", runRegexFullMatch}, {"com.microsoft", "Tokenizer", runTokenizer}};
  return kSteps;
}

}  // namespace webnn::formats::onnx
