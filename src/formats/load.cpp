#include "base/as_errors.h"
#include "base/file.h"
#include "base/open_file.h"
#include "base/text.h"
#include "context/context_state.h"
#include "context/reading_context.h"
#include "formats/capnp/binary_file.h"
#include "formats/document/document.h"
#include "formats/document/weights.h"
#include "onnx/read/import.h"
#include "onnx/read/model.h"
#include "webnn/formats.h"

namespace webnn {

namespace {

bool refersToWeights(const formats::GraphDocument& document) {
  for (const formats::ConstantDeclaration& constant : document.constants) {
    if (std::holds_alternative<formats::WeightsReference>(constant.source)) return true;
  }
  return false;
}

FileAccess accessOf(const LoadOptions& options) { return options.mapFiles ? FileAccess::map : FileAccess::read; }

std::shared_ptr<Budget> budgetOf(const Context& context, const LoadOptions& options) {
  if (!context.state()) fail(ErrorKind::typeError, "load: the context refers to nothing.");
  const ContextState& owner = *context.state();
  std::shared_ptr<MemoryAccount> memory = owner.memory;
  if (options.limits.maxMemory < owner.limits.maxMemory)
    memory = std::make_shared<MemoryAccount>(options.limits.maxMemory, std::move(memory));
  const auto budget = std::make_shared<Budget>("load", stricter(owner.limits, options.limits), std::move(memory), owner.lostFlag);
  budget->limitCall("load", options.call);
  budget->check();
  return budget;
}

std::filesystem::path folderOf(const std::filesystem::path& path) {
  return path.empty() ? "" : path.has_parent_path() ? path.parent_path() : ".";
}

void requireNoValues(const LoadOptions& options) {
  if (!options.values.empty()) fail(ErrorKind::typeError, "only inputs of ONNX models can be given values.");
}

formats::GraphDocument documentOf(const ExternalBytes& file) {
  return formats::readDocument({reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()});
}

bool needsWeights(bool isReferredTo, const std::filesystem::path& path, const LoadOptions& options) {
  const bool isNeeded = isReferredTo || options.weights || options.manifest;
  if (isNeeded && path.empty() && !options.weights)
    fail(ErrorKind::notFoundError, "the weights of a graph that is no file must be named.");
  return isNeeded;
}

// `path` is empty for content without a file.
Graph loadContent(Context& context, const ExternalBytes& file, const std::filesystem::path& path, const LoadOptions& options,
                  std::shared_ptr<Budget> budget) {
  const BudgetScope scope(*budget);
  if (formats::onnx::looksLikeModel(file.bytes))
    return formats::onnx::importModel(context, file, folderOf(path), options, std::move(budget));
  requireNoValues(options);
  const auto weightsIf = [&](bool isReferredTo) {
    return needsWeights(isReferredTo, path, options) ? formats::openWeights(path, options) : nullptr;
  };
  if (formats::isBinaryGraph(file.bytes)) {
    const auto weights = weightsIf(formats::describeBinary(file.bytes).refersToWeights);
    return formats::buildBinary(context, file, weights.get(), options.dimensions, std::move(budget));
  }
  const formats::GraphDocument document = documentOf(file);
  const auto weights = weightsIf(refersToWeights(document));
  return formats::buildGraph(context, document, weights.get(), options.dimensions, std::move(budget));
}

formats::MessageDescription declarationsOf(const ExternalBytes& file) {
  if (formats::isBinaryGraph(file.bytes)) return formats::describeBinary(file.bytes);
  formats::GraphDocument document = documentOf(file);
  return {std::move(document.inputs), refersToWeights(document)};
}

FileDescription describeContent(const ExternalBytes& file, const std::filesystem::path& path, const LoadOptions& options) {
  if (formats::onnx::looksLikeModel(file.bytes)) return formats::onnx::describeModel(file, folderOf(path), options);
  requireNoValues(options);
  const formats::MessageDescription graph = declarationsOf(file);
  FileDescription description;
  for (const formats::InputDeclaration& input : graph.inputs) {
    DeclaredInput& declared = description.inputs.emplace_back(DeclaredInput{input.name, input.dataType, {}, false});
    for (const auto& [size, name] : input.shape) declared.shape.push_back({size, name});
  }
  if (!needsWeights(graph.refersToWeights, path, options)) return description;
  if (const auto weights = formats::findWeights(path, options)) {
    description.files.push_back(weights->weights.name);
    if (weights->manifest) description.files.push_back(weights->manifest->name);
  }
  return description;
}

// Describes what `open` gives within the limits and the time of the options.
template <typename Open>
FileDescription describe(const Open& open, const std::filesystem::path& path, const LoadOptions& options) try {
  const std::shared_ptr<Budget> budget = budgetOf(makeReadingContext(options.limits), options);
  const BudgetScope scope(*budget);
  const ExternalBytes file = open();
  try {
    return describeContent(file, path, options);
  } catch (const Error& error) {
    if (path.empty()) throw;
    throw Error(error.kind(), sanitized(path.string()) + ": " + error.what());
  }
} catch (...) {
  throwAsError("describeFile");
}

}  // namespace

FileDescription describeFile(const std::filesystem::path& path, const LoadOptions& options) {
  FileDescription description = describe([&] { return mapFile(path, accessOf(options)); }, path, options);
  description.files.insert(description.files.begin(), path);
  return description;
}

FileDescription describeFile(const ExternalBytes& content, const LoadOptions& options) {
  return describe([&] { return content; }, {}, options);
}

Graph load(Context& context, const ExternalBytes& content, const LoadOptions& options) try {
  return loadContent(context, content, {}, options, budgetOf(context, options));
} catch (...) {
  throwAsError("load");
}

Graph load(Context& context, OpenFile file, const LoadOptions& options) try {
  const std::shared_ptr<Budget> budget = budgetOf(context, options);
  return loadContent(context, readOpenFile(file.descriptor, *budget, accessOf(options)), {}, options, budget);
} catch (...) {
  throwAsError("load");
}

Graph load(Context& context, const std::filesystem::path& path, const LoadOptions& options) try {
  const std::shared_ptr<Budget> budget = budgetOf(context, options);
  const BudgetScope scope(*budget);
  const ExternalBytes file = mapFile(path, accessOf(options));
  try {
    return loadContent(context, file, path, options, budget);
  } catch (const formats::onnx::ValuesNeeded& error) {
    throw formats::onnx::ValuesNeeded(sanitized(path.string()) + ": " + error.what(), error.inputs());
  } catch (const Error& error) {
    throw Error(error.kind(), sanitized(path.string()) + ": " + error.what());
  }
} catch (...) {
  throwAsError("load");
}

MemoryEstimate estimateMemory(const std::filesystem::path& path, const LoadOptions& options) {
  Context context = makeReadingContext(options.limits);
  return load(context, path, options).memoryEstimate();
}

}  // namespace webnn
