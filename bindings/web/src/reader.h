// The modules that read graph files. webnn-reader.wasm reads all formats. webnn-onnx.wasm, which is half as large, reads ONNX
// models of common operators; if it throws NotSupportedError, JavaScript tries the other module.
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

// Reads the graph from the files. read_any.cpp and read_common.cpp define it.
Graph load(ReaderModule& module, const std::shared_ptr<Budget>& budget);

// Reads the graph of an ONNX model.
Graph readModel(ReaderModule& module, const std::shared_ptr<Budget>& budget, const formats::onnx::Repertoire& repertoire);

}  // namespace webnn::web
