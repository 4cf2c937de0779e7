// Inserts the data into the page of `webnn view`.
#include "base/text.h"
#include "cli/view/view.h"
#include "webnn/error.h"

namespace webnn::cli {

namespace {

#ifdef WEBNN_VIEWER
constexpr std::string_view kPage =
#include WEBNN_VIEWER
    ;
#else
constexpr std::string_view kPage;
#endif
constexpr std::string_view kPlace = "@DATA@";

// Returns ASCII JSON in which no text can end the HTML element that contains it.
std::string embedded(const formats::Json& json) {
  std::string text;
  for (const char c : json.dump({.ascii = true, .replaces = true})) {
    if (c == '<' || c == '>' || c == '&') {
      text += formatText("\\u{:04x}", static_cast<unsigned>(c));  // outside strings, JSON has none of these
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

bool hasViewer() { return !kPage.empty(); }

std::string viewPage(const formats::Json& data) {
  if (!hasViewer())
    fail(
        ErrorKind::notSupportedError,
        "view: this program was built without the page. With Node.js, scripts/viewer.sh makes it; then build again (make tool).");
  const std::size_t place = kPage.find(kPlace);
  return std::string(kPage.substr(0, place)) + embedded(data) + std::string(kPage.substr(place + kPlace.size()));
}

}  // namespace webnn::cli
