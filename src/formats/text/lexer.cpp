#include "formats/text/lexer.h"

#include <algorithm>

#include "base/text.h"
#include "formats/document/values.h"

namespace webnn::formats {

namespace {

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool startsName(char c) { return isLetter(c) || c == '_' || c == '/' || c == '$'; }
bool continuesName(char c) { return startsName(c) || isDigit(c) || c == '.'; }

}  // namespace

Lexer::Lexer(std::string_view text) : rest_(text) {
  // Zero bytes are valid UTF-8, but are refused first, because a sparse file has very many.
  const std::string_view start = text.substr(0, zeroByte(text));
  const std::size_t valid = validUtf8Length(start);
  if (valid < text.size()) {
    advance(valid);
    fail(Token{.line = line_, .column = column_}, valid < start.size() ? "the text is not UTF-8." : "there is a zero byte.");
  }
  if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
  next_ = scan();
}

Token Lexer::take() {
  Token token = std::move(next_);
  next_ = scan();
  return token;
}

bool Lexer::skip(char symbol) {
  if (!next_.is(symbol)) return false;
  take();
  return true;
}

std::string Lexer::where(const Token& token) { return formatText("line {}, column {}", token.line, token.column); }

void Lexer::fail(const Token& token, const std::string& message) {
  throw Error(ErrorKind::dataError, where(token) + ": " + message);
}

std::string Lexer::describe(const Token& token) {
  return token.kind == Token::Kind::end ? "the end of the file" : webnn::quoted(token.value);
}

void Lexer::advance(std::size_t count) {
  for (char c : rest_.substr(0, count)) {
    progress_.count();
    ++column_;
    if (c == '\n') ++line_, column_ = 1;
  }
  rest_.remove_prefix(count);
}

void Lexer::skipBlanks() {
  while (!rest_.empty()) {
    if (rest_[0] == '#') {
      advance(std::min(rest_.find('\n'), rest_.size()));
    } else if (rest_[0] == ' ' || rest_[0] == '\t' || rest_[0] == '\r' || rest_[0] == '\n') {
      advance(1);
    } else {
      break;
    }
  }
}

std::size_t Lexer::nameLength() const {
  std::size_t length = rest_[0] == '%' ? 1 : 0;
  if (length >= rest_.size() || !startsName(rest_[length])) return 0;
  for (Progress progress; length < rest_.size(); progress.count()) {
    if (continuesName(rest_[length])) {
      ++length;
    } else if (rest_.substr(length).starts_with("::")) {
      length += 2;
    } else {
      break;
    }
  }
  return length;
}

void Lexer::scanText(Token& token) {
  std::size_t length = 1;
  for (; length < rest_.size() && rest_[length] != '"'; ++length) {
    const bool isEscape =
        rest_[length] == '\\' && length + 1 < rest_.size() && (rest_[length + 1] == '"' || rest_[length + 1] == '\\');
    if (isEscape) ++length;
    progress_.count();
    token.value += rest_[length];
  }
  if (length >= rest_.size()) fail(token, "the text that starts here has no end.");
  advance(length + 1);
}

Token Lexer::scan() {
  skipBlanks();
  Token token{.line = line_, .column = column_};
  if (rest_.empty()) return token;
  if (rest_[0] == '"') {
    token.kind = Token::Kind::text;
    scanText(token);
    return token;
  }
  std::size_t length = nameLength();
  if (length > 0) {
    token.kind = Token::Kind::name;
    token.value = rest_.substr(rest_[0] == '%' ? 1 : 0, length - (rest_[0] == '%' ? 1 : 0));
  } else if (length = numberLength(rest_); length > 0) {
    token.kind = Token::Kind::number;
    token.value = rest_.substr(0, length);
    if (length < rest_.size() && continuesName(rest_[length])) fail(token, "the number is followed by a letter.");
  } else if (std::string_view("{}[]():;,=@").find(rest_[0]) != std::string_view::npos) {
    token.kind = Token::Kind::symbol;
    token.value = rest_[0];
    length = 1;
  } else {
    fail(token, "the character " + webnn::quoted(rest_.substr(0, 1)) + " is not expected here.");
  }
  advance(length);
  return token;
}

bool isPlainName(std::string_view name) {
  if (name.empty() || !startsName(name[0]) || name == "true" || name == "false" || name == "null") return false;
  return std::ranges::all_of(name.substr(1), [](char c) { return c != '$' && continuesName(c); });
}

}  // namespace webnn::formats
