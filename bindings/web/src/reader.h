// The modules that read graph files. webnn-reader.wasm reads all formats that load() accepts. webnn-onnx.wasm, which is smaller,
// reads only ONNX models of common operators. If it throws NotSupportedError, JavaScript code tries the other module.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/budget.h"
#include "message.h"
#include "onnx/read/repertoire.h"
#include "webnn/context.h"
#include "webnn/formats.h"

namespace webnn::web {

struct ReaderModule {
  ExternalBytes graph;
  std::optional<ExternalBytes> weights, manifest;
  std::map<std::string, ExternalBytes, std::less<>> external;  // external data, by location
  LoadOptions options;
  Context context;
  Graph result;
};

inline std::string_view textOf(const ExternalBytes& file) {
  return {reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()};
}

// Reads the graph from the files. Defined in read_any.cpp and read_common.cpp.
Graph load(ReaderModule& module, const std::shared_ptr<Budget>& budget);

// Reads an ONNX model, using the operators in `repertoire`.
Graph readModel(ReaderModule& module, const std::shared_ptr<Budget>& budget, const formats::onnx::Repertoire& repertoire);

}  // namespace webnn::web
