#include <algorithm>

#include "base/progress.h"
#include "base/text.h"
#include "formats/document/document.h"
#include "formats/document/foreign.h"
#include "formats/document/json_parse.h"
#include "formats/json/graph_info.h"
#include "formats/json/graph_json.h"
#include "formats/text/reader.h"

namespace webnn::formats {

namespace {

// Returns `content` without the byte order mark, blanks and comments at its start.
std::string_view skipBlanks(std::string_view content) {
  if (content.starts_with("\xEF\xBB\xBF")) content.remove_prefix(3);
  Progress progress;
  while (!content.empty()) {
    progress.count();
    if (content[0] == '#') {
      content.remove_prefix(std::min(content.find('\n'), content.size()));
    } else if (std::string_view(" \t\r\n").find(content[0]) != std::string_view::npos) {
      content.remove_prefix(1);
    } else {
      break;
    }
  }
  return content;
}

GraphDocument readAny(std::string_view content, ReadBudget& budget) {
  const std::string_view start = skipBlanks(content);
  if (!start.starts_with('{')) return readText(content, budget);
  const Json root = parseJson(start, {}, budget);
  if (root.contains("format") && !root.contains("tensors")) return readGraphJson(root, budget);
  if (root.contains("operands")) return readGraphInfo(root, budget);
  refuseForeignJson(root);
}

}  // namespace

GraphDocument readDocument(std::string_view content) {
  refuseForeign(content);
  ReadBudget budget(content.size());
  GraphDocument document = readAny(content, budget);
  document.nodeLimit = kMaxNodes + content.size() / kBytesPerNode;
  return document;
}

}  // namespace webnn::formats
