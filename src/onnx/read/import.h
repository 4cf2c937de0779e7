// Importing an ONNX model.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "webnn/error.h"
#include "webnn/formats.h"
#include "webnn/graph_builder.h"

namespace webnn::formats::onnx {

// Thrown instead of a plain Error if the only trouble is that shapes depend on the values of graph inputs.
class ValuesNeeded : public Error {
 public:
  ValuesNeeded(const std::string& message, std::vector<std::string> inputs)
      : Error(ErrorKind::notSupportedError, message), inputs_(std::move(inputs)) {}
  const std::vector<std::string>& inputs() const { return inputs_; }

 private:
  std::vector<std::string> inputs_;
};

// Builds the graph of a model for `context`. `file` stays mapped as long as the graph lives. NotSupportedError lists every
// node that WebNN cannot express; TypeError names the dimensions that have no size.
webnn::Graph importModel(Context& context, ExternalBytes file, const std::filesystem::path& folder, const LoadOptions& options,
                         std::shared_ptr<Budget> budget = nullptr);

class ExternalFiles;
// The same with a function that opens files of external data.
webnn::Graph importModel(Context& context, ExternalBytes file, std::shared_ptr<ExternalFiles> external,
                         const LoadOptions& options, std::shared_ptr<Budget> budget);

struct Model;
struct Repertoire;
// Imports a model that has been read, with a repertoire's operators. Several threads may import the same model.
webnn::Graph importModel(Context& context, const Model& model, const LoadOptions& options, std::shared_ptr<Budget> budget,
                         const Repertoire& repertoire);

struct Dimension;
// Returns a dimension of an input; an unnamed one is called "INPUT.AXIS". DataError for a size beyond the specification's limit.
DeclaredDimension declarationOf(std::string_view input, std::size_t axis, const Dimension& dimension);

// Returns a model's declared inputs, without initializers and those of `values`, and its outputs. Throws as
// webnn::describeFile().
FileDescription declarationsOf(const Model& model, const LoadOptions& options);
// The same with external data files below `folder`.
FileDescription describeModel(ExternalBytes file, const std::filesystem::path& folder, const LoadOptions& options);

// An operator that the importer knows.
struct KnownOperator {
  std::string_view domain, opType;
};
std::vector<KnownOperator> knownOperators();

}  // namespace webnn::formats::onnx
