// The set of operators that an importer knows. An executable links only the operators of the repertoires that its code names, so
// that executables can be small, for example in browsers.
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

  // Returns null if the repertoire lacks the operator, or if `version` is later than OperatorImport::last.
  const OperatorImport* find(std::string_view domain, std::string_view opType, std::int64_t version) const;

  std::unordered_map<std::string, const OperatorImport*> rows;  // keys: "DOMAIN:TYPE"
  reference::Compute compute;                                   // computes operations on constants
};

const Repertoire& wholeRepertoire();

}  // namespace webnn::formats::onnx
