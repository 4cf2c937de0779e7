// What an importer knows. Programs that must be small, such as those of browsers, link a part of it: repertoires that no code
// names are not linked.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "backends/reference/reference_backend.h"
#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

struct Repertoire {
  Repertoire(std::span<const std::span<const OperatorImport>> families, reference::Compute compute);

  // Null if there is no such operator.
  const OperatorImport* find(std::string_view domain, std::string_view opType) const;

  std::unordered_map<std::string, const OperatorImport*> rows;  // by "DOMAIN:TYPE"
  reference::Compute compute;                                   // operations of constants
};

// All operators.
const Repertoire& wholeRepertoire();

}  // namespace webnn::formats::onnx
