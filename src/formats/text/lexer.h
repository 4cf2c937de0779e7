// Tokens of .webnn text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/progress.h"

namespace webnn::formats {

struct Token {
  enum class Kind { name, text, number, symbol, end };
  Kind kind = Kind::end;
  std::string value;  // a text without its quotes and escapes, a name without a leading %
  std::size_t line = 1, column = 1;

  bool is(char symbol) const { return kind == Kind::symbol && value[0] == symbol; }
  bool isName(std::string_view name) const { return kind == Kind::name && value == name; }
  // Returns whether the token is a name, bare or in quotes.
  bool isAnyName() const { return kind == Kind::name || kind == Kind::text; }
};

// Splits text into tokens, with one token of lookahead. Blanks and comments (# to the end of the line) separate tokens.
// A name is [%] (letter | _ | / | $) { letter | digit | _ | . | / | $ | :: }.
class Lexer {
 public:
  // The text must outlive the lexer. Throws DataError if it is not UTF-8 or contains a zero byte.
  explicit Lexer(std::string_view text);

  const Token& peek() const { return next_; }
  // Returns the next token and reads the one after it. Throws DataError with line and column if that one is not a valid token.
  Token take();
  // Takes the next token if it is `symbol`. Returns whether it is.
  bool skip(char symbol);

  // Throws a DataError with the text "line 3, column 7: <message>".
  [[noreturn]] static void fail(const Token& token, const std::string& message);
  // Returns the position of a token, such as "line 3, column 7".
  static std::string where(const Token& token);
  static std::string describe(const Token& token);

 private:
  void skipBlanks();
  void advance(std::size_t count);
  Token scan();
  void scanText(Token& token);
  std::size_t nameLength() const;

  std::string_view rest_;
  std::size_t line_ = 1, column_ = 1;
  Token next_;
  Progress progress_;
};

// Returns whether every reader of .webnn text accepts `name` without quotes.
bool isPlainName(std::string_view name);

}  // namespace webnn::formats
