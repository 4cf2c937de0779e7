// The modules that read files of graphs. webnn-reader.wasm reads all; webnn-onnx.wasm, which is half as large, ONNX models of the
// operators that are in most: a NotSupportedError of it means that the other is to be asked.
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
  std::map<std::string, ExternalBytes, std::less<>> external;  // by location
  LoadOptions options;
  Context context;
  Graph result;
};

inline std::string_view textOf(const ExternalBytes& file) {
  return {reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()};
}

// The graph of the files for the module's context. Each module has its own.
Graph load(ReaderModule& module, const std::shared_ptr<Budget>& budget);

// That of an ONNX model.
Graph readModel(ReaderModule& module, const std::shared_ptr<Budget>& budget, const formats::onnx::Repertoire& repertoire);

}  // namespace webnn::web
