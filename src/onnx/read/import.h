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

// Thrown instead of a plain Error if the import fails only because shapes depend on the values of the graph inputs `inputs()`.
class ValuesNeeded : public Error {
 public:
  ValuesNeeded(const std::string& message, std::vector<std::string> inputs)
      : Error(ErrorKind::notSupportedError, message), inputs_(std::move(inputs)) {}
  const std::vector<std::string>& inputs() const { return inputs_; }

 private:
  std::vector<std::string> inputs_;
};

// Builds a model's graph for `context`. The graph keeps `file` mapped. Throws a NotSupportedError that lists up to 100 nodes that
// WebNN cannot express, or a TypeError that names the first dimension without a size.
webnn::Graph importModel(Context& context, ExternalBytes file, const std::filesystem::path& folder, const LoadOptions& options,
                         std::shared_ptr<Budget> budget = nullptr);

class ExternalFiles;
// Imports a model, and opens external data files with `external` instead of from a directory.
webnn::Graph importModel(Context& context, ExternalBytes file, std::shared_ptr<ExternalFiles> external,
                         const LoadOptions& options, std::shared_ptr<Budget> budget);

struct Model;
struct Repertoire;
// Imports a parsed model with the operators of a repertoire. Several threads may import one model concurrently.
webnn::Graph importModel(Context& context, const Model& model, const LoadOptions& options, std::shared_ptr<Budget> budget,
                         const Repertoire& repertoire);

struct Dimension;
// Returns the key of LoadOptions::dimensions that gives the size of one axis of one input, whatever the name of the dimension is.
// The key begins with a null character.
std::string keyOfPlace(std::string_view input, std::size_t axis);
// Returns the declaration of an input's dimension. Unnamed dimensions are called "INPUT.AXIS". Throws DataError if the size is
// negative or exceeds WebNN's limit.
DeclaredDimension declarationOf(std::string_view input, std::size_t axis, const Dimension& dimension);

// The name of the only dimension of an input whose shape is not declared: a tensor of any rank, a sequence, a map or an optional
// value.
constexpr std::string_view kAnyShape = "...";

// Returns the declared outputs and inputs of a model; inputs that are initializers or set by `options.values` are left out.
// Throws the errors of webnn::describeFile().
FileDescription declarationsOf(const Model& model, const LoadOptions& options);
// Returns the declarations of a model file and the paths of the external data files in `folder` that it names.
FileDescription describeModel(ExternalBytes file, const std::filesystem::path& folder, const LoadOptions& options);

// The domain and name of an importable operator.
struct KnownOperator {
  std::string_view domain, opType;
};
std::vector<KnownOperator> knownOperators();

}  // namespace webnn::formats::onnx
