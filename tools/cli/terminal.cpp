#include "cli/terminal.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "base/terminal.h"

namespace webnn::cli {

std::size_t terminalColumns() {
  constexpr std::size_t kElse = 100, kFewest = 40;
  return std::max(columnsOf(kStandardOutput).value_or(kElse), kFewest);
}

bool hasColours(int descriptor) {
  const char* const none = std::getenv("NO_COLOR");
  return !(none && *none) && takesEscapeSequences(descriptor);
}

std::string emphasized(Emphasis emphasis, std::string_view text) {
  if (!hasColours(kStandardOutput)) return std::string(text);
  static constexpr const char* kCodes[] = {"1", "32", "1;31", "2"};
  return "\033[" + std::string(kCodes[static_cast<std::size_t>(emphasis)]) + "m" + std::string(text) + "\033[0m";
}

std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent) {
  std::string result;
  std::size_t column = indent;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    if (column > indent && column + 1 + word.size() > columns) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      result += ' ';
      ++column;
    }
    result += word;
    column += word.size();
  }
  return result;
}

}  // namespace webnn::cli
