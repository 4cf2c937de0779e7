// Reads expressions over open dimensions, such as `batch * 12`. OpenSizes prints them in the same grammar.
#include <algorithm>
#include <charconv>

#include "ops/sizes/open_sizes.h"

namespace webnn {

// Parses expressions. Names become dimensions of `sizes`.
class SizeParser {
 public:
  SizeParser(OpenSizes& sizes, std::string_view text) : sizes_(sizes), text_(text) {}

  Size parse() {
    const Size size = sum();
    if (!peek().empty()) failExpected("an operator");
    return size;
  }

 private:
  static constexpr int kMaxDepth = 32;

  // Returns the rest of the text from the next token on.
  std::string_view peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return text_.substr(at_);
  }
  bool take(std::string_view token) {
    if (!peek().starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (!take(token)) failExpected(token);
  }
  [[noreturn]] void failExpected(std::string_view what) {
    fail(ErrorKind::typeError, "the size {} is no expression: it should have {} at character {}.", webnn::quoted(text_), what,
         at_ + 1);
  }

  Size sum() {
    if (++depth_ > kMaxDepth) fail(ErrorKind::typeError, "the size {} is nested too deeply.", webnn::quoted(text_));
    Size result = take("-") ? Size(std::int64_t{0}) - product() : product();
    for (;;) {
      if (take("+")) {
        result = result + product();
      } else if (take("-")) {
        result = result - product();
      } else {
        --depth_;
        return result;
      }
    }
  }

  Size product() {
    Size result = factor();
    while (take("*")) result = result * factor();
    return result;
  }

  Size factor() {
    const std::string_view rest = peek();
    if (take("(")) {
      const Size inner = sum();
      expect(")");
      return inner;
    }
    if (!rest.empty() && rest[0] >= '0' && rest[0] <= '9') return Size(number<std::int64_t>());
    if (take("'")) return Size(sizes_.dimension(quotedName()));
    const std::string name = identifier();
    if (!take("(")) return Size(sizes_.dimension(name));
    Size first = sum();
    if (name == "floor" || name == "ceil") {
      if (name == "floor" && take(")")) return first;  // a size is an integer, so floor(n) is n
      expect("/");
      const Size divisor = factor();
      expect(")");
      if (!divisor.isOpen() && divisor.number() <= 0) failExpected("a positive divisor");
      if (name == "ceil") first = first + divisor - Size(std::int64_t{1});
      return floorQuotient(first, divisor);
    }
    expect(",");
    if (name == "scaled") {
      peek();
      const auto scale = number<float>();
      if (!(scale > 0)) failExpected("a positive scale");
      expect(")");
      return scaled(first, scale);
    }
    if (name != "broadcast") failExpected("the function floor, ceil, broadcast or scaled");
    const Size second = sum();
    expect(")");
    const auto result = broadcastSize(first, second, true);
    if (!result) failExpected("two sizes that can be broadcast");
    return *result;
  }

  template <typename Value>
  Value number() {
    Value value{};
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) failExpected("a number in range");
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  std::string identifier() {
    const std::size_t start = at_;
    const auto isPart = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == ':';
    };
    while (at_ < text_.size() && isPart(text_[at_])) ++at_;
    if (at_ == start) failExpected("a name or number");
    return std::string(text_.substr(start, at_ - start));
  }

  // Reads up to the closing quote. Two quotes stand for one.
  std::string quotedName() {
    std::string name;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c != '\'') {
        name += c;
      } else if (at_ < text_.size() && text_[at_] == '\'') {
        name += text_[at_++];
      } else {
        return name;
      }
    }
    failExpected("a closing quote");
  }

  OpenSizes& sizes_;
  const std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

std::uint32_t OpenSizes::parse(std::string_view text) {
  constexpr std::size_t kMostCharacters = 4096;  // the text may come from an untrusted file
  if (text.size() > kMostCharacters) fail(ErrorKind::notSupportedError, "a size has more than {} characters.", kMostCharacters);
  const OpenScope scope(*this);
  const Size size = SizeParser(*this, text).parse();
  if (size.isOpen()) return size.handle();
  if (size.number() < 0 || size.number() > static_cast<std::int64_t>(kMaxDimension))
    fail(ErrorKind::typeError, "the size {} is {}, not between 0 and {}.", webnn::quoted(text), size.number(), kMaxDimension);
  return static_cast<std::uint32_t>(size.number());
}

bool OpenSizes::isExpression(const std::string& text, const std::set<std::string>& names) try {
  OpenSizes sizes;
  (void)sizes.parse(text);
  return std::ranges::all_of(sizes.named(), [&](const Named& part) { return part.name != text && names.contains(part.name); });
} catch (const Error&) {
  return false;
}

std::optional<std::uint32_t> OpenSizes::valueOf(std::string_view text, const std::map<std::string, std::uint32_t>& given) try {
  OpenSizes sizes;
  const std::uint32_t size = sizes.parse(text);
  std::vector<std::int64_t> values;
  for (const Named& part : sizes.named()) {
    const auto found = given.find(part.name);
    values.push_back(found == given.end() ? -1 : std::int64_t{found->second});
  }
  return sizes.evaluate(size, values);
} catch (const Error&) {
  return std::nullopt;
}

}  // namespace webnn
