#include "base/as_errors.h"
#include "base/file.h"
#include "base/open_file.h"
#include "base/text.h"
#include "context/context_state.h"
#include "context/reading_context.h"
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
  const auto budget =
      std::make_shared<Budget>("load", stricter(owner.limits, options.limits), std::move(memory), owner.lostFlag);
  budget->limitCall("load", options.call);
  budget->check();
  return budget;
}

// `path` is empty for content without a file.
Graph loadContent(Context& context, const ExternalBytes& file, const std::filesystem::path& path, const LoadOptions& options,
                  std::shared_ptr<Budget> budget) {
  const BudgetScope scope(*budget);
  if (formats::onnx::looksLikeModel(file.bytes)) {
    const std::filesystem::path folder = path.empty() ? "" : path.has_parent_path() ? path.parent_path() : ".";
    return formats::onnx::importModel(context, file, folder, options, std::move(budget));
  }
  if (!options.values.empty()) fail(ErrorKind::typeError, "only inputs of ONNX models can be given values.");
  const std::string_view content(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
  const formats::GraphDocument document = formats::readDocument(content);
  const bool needsWeights = refersToWeights(document) || options.weights || options.manifest;
  if (needsWeights && path.empty() && !options.weights)
    fail(ErrorKind::notFoundError, "the weights of a graph that is no file must be named.");
  const auto weights = needsWeights ? formats::openWeights(path, options) : nullptr;
  return formats::buildGraph(context, document, weights.get(), options.dimensions, std::move(budget));
}

}  // namespace

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
