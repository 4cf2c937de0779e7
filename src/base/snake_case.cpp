#include "base/snake_case.h"

#include <cctype>

namespace webnn {

std::string snakeCase(std::string_view camelCase) {
  std::string text;
  for (std::size_t i = 0; i < camelCase.size(); ++i) {
    const char c = camelCase[i];
    const auto isUpper = [&](std::size_t at) { return std::isupper(static_cast<unsigned char>(camelCase[at])) != 0; };
    // A word starts at a capital letter that does not follow a capital letter, so ND in gatherND is one word. Exception: NaN is
    // one word.
    if (i > 0 && isUpper(i) && !isUpper(i - 1) && camelCase.substr(i - 1, 2) != "aN") text += '_';
    text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return text;
}

}  // namespace webnn
