#include <map>
#include <set>

#include "base/text.h"
#include "describe/ops_printers.h"
#include "onnx/read/import.h"

namespace webnn::describe {

std::string printOnnx() {
  std::map<std::string_view, std::set<std::string_view>> domains;
  for (const formats::onnx::KnownOperator& known : formats::onnx::knownOperators()) domains[known.domain].insert(known.opType);
  std::string text;
  for (const auto& [domain, operators] : domains) {
    text += formatText("{}`{}` ({}):", text.empty() ? "" : "\n", domain.empty() ? "ai.onnx" : domain, operators.size());
    std::size_t column = 200;
    for (std::string_view opType : operators) {
      const bool wraps = column + opType.size() > 148;
      text += formatText("{}{}", wraps ? "\n" : " ", opType);
      column = (wraps ? 0 : column + 1) + opType.size();
    }
    text += "\n";
  }
  return text;
}

}  // namespace webnn::describe
