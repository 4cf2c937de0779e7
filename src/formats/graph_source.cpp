#include "formats/graph_source.h"

#include <mutex>

#include "context/context_state.h"
#include "formats/capnp/binary_file.h"
#include "formats/document/document.h"
#include "formats/document/weights.h"
#include "onnx/read/external_files.h"
#include "onnx/read/model.h"
#include "onnx/read/order.h"
#include "onnx/read/repertoire.h"

namespace webnn::formats {

namespace {

bool refersToWeights(const GraphDocument& document) {
  for (const ConstantDeclaration& constant : document.constants) {
    if (std::holds_alternative<WeightsReference>(constant.source)) return true;
  }
  return false;
}

std::filesystem::path folderOf(const std::filesystem::path& path) {
  return path.empty() ? "" : path.has_parent_path() ? path.parent_path() : ".";
}

GraphDocument documentOf(const ExternalBytes& file) {
  return readDocument({reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()});
}

void requireNoValues(const LoadOptions& options) {
  if (!options.values.empty()) fail(ErrorKind::typeError, "only inputs of ONNX models can be given values.");
}

bool needsWeights(bool isReferredTo, const std::filesystem::path& path, const LoadOptions& options) {
  const bool isNeeded = isReferredTo || options.weights || options.manifest;
  if (isNeeded && path.empty() && !options.weights)
    fail(ErrorKind::notFoundError, "the weights of a graph that is no file must be named.");
  return isNeeded;
}

std::unique_ptr<WeightsReader> weightsOf(bool isReferredTo, const std::filesystem::path& path, const LoadOptions& options) {
  return needsWeights(isReferredTo, path, options) ? openWeights(path, options) : nullptr;
}

// `keys` maps the name of a dimension to its key if they differ (see dimensionKeys()).
FileDescription descriptionOf(const std::vector<InputDeclaration>& inputs, const std::map<std::string, std::string>& keys = {}) {
  FileDescription description;
  for (const InputDeclaration& input : inputs) {
    DeclaredInput& declared = description.inputs.emplace_back(DeclaredInput{input.name, input.dataType, {}});
    for (const Dimension& dimension : input.shape) {
      const auto key = keys.find(dimension.name);
      const bool isKey = !dimension.name.empty() && key != keys.end();
      declared.shape.push_back({dimension.size, isKey ? key->second : dimension.name, dimension.min});
    }
  }
  return description;
}

FileDescription descriptionOf(const GraphDocument& document) {
  FileDescription description =
      descriptionOf(document.inputs, needsOpenGraph(document) ? dimensionKeys(document) : std::map<std::string, std::string>());
  for (const OutputDeclaration& output : document.outputs) description.outputs.push_back({output.name, {}, {}});
  return description;
}

FileDescription descriptionOf(const MessageDescription& message) {
  FileDescription description = descriptionOf(message.inputs);
  for (const std::string& output : message.outputs) description.outputs.push_back({output, {}, {}});
  return description;
}

constexpr const char* kSessionCure =
    "\n  The model needs a session, which may run it as several graphs: Session in C++, InferenceSession in Python, webnn run.";

class OnnxSource final : public GraphSource {
 public:
  OnnxSource(ExternalBytes file, const std::filesystem::path& path, const LoadOptions& options)
      : model_(onnx::readModel(std::move(file))), values_{.values = options.values} {
    model_.external = onnx::externalFilesIn(folderOf(path), accessOf(options), options.namedFilesOnly);
    onnx::orderNodes(model_);
  }
  FileDescription declarations() const override { return onnx::declarationsOf(model_, values_); }
  void check() const override {
    onnx::checkValues(model_);
    onnx::Program::requireOperators(model_);
  }
  Graph build(Context& context, const LoadOptions& options, std::shared_ptr<Budget> budget) const override {
    try {
      return onnx::importModel(context, model_, options, std::move(budget), onnx::wholeRepertoire());
    } catch (const onnx::ValuesNeeded& needed) {
      throw onnx::ValuesNeeded(withCure(needed), needed.inputs());
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::notSupportedError) throw;
      throw Error(error.kind(), withCure(error));
    }
  }
  bool takesPlaces() const override { return true; }
  bool takesSequence(std::string_view input) const override {
    const auto found = std::ranges::find(model_.graph.inputs, input, &onnx::ValueInfo::name);
    return found != model_.graph.inputs.end() && found->holdsSequence;
  }
  std::unique_ptr<onnx::Program> program(Context context, onnx::ProgramOptions options) const override {
    return std::make_unique<onnx::Program>(std::move(context), model_, std::move(options));
  }

 private:
  std::string withCure(const Error& error) const {
    return std::string(error.what()) + (onnx::Program::knowsOperators(model_) ? kSessionCure : "");
  }

  onnx::Model model_;
  LoadOptions values_;
};

// Base of the sources that can build graphs with open dimensions.
class NamingSource : public GraphSource {
 public:
  Graph build(Context& context, const LoadOptions& options, std::shared_ptr<Budget> budget) const final {
    if (needsOpenGraph()) return buildFixed(context, options, std::move(budget)).whole();
    return buildSized(context, options.dimensions, std::move(budget));
  }
  FixedGraph buildFixed(Context& context, const LoadOptions& options, std::shared_ptr<Budget> budget) const final {
    if (!needsOpenGraph()) return {buildSized(context, options.dimensions, std::move(budget)), {}};
    return fixGraph(context, *open(context, budget), options.dimensions, budget);
  }
  std::shared_ptr<const OpenGraph> openGraph(const Context& context, std::shared_ptr<Budget> budget) const final {
    return open(context, std::move(budget));
  }

 protected:
  // Returns whether build() must build the graph with open dimensions first, because it has expressions or bounds.
  virtual bool needsOpenGraph() const = 0;
  virtual Graph buildSized(Context& context, const std::map<std::string, std::uint32_t>& dimensions,
                           std::shared_ptr<Budget> budget) const = 0;
  virtual std::shared_ptr<const OpenGraph> buildOpen(Context& context, std::shared_ptr<Budget> budget) const = 0;

 private:
  std::shared_ptr<const OpenGraph> open(Context context, std::shared_ptr<Budget> budget) const {
    const std::lock_guard lock(mutex_);
    if (!open_) open_ = buildOpen(context, std::move(budget));
    return open_;
  }

  mutable std::mutex mutex_;
  mutable std::shared_ptr<const OpenGraph> open_;  // made when it is first needed
};

class BinarySource final : public NamingSource {
 public:
  BinarySource(ExternalBytes file, const std::filesystem::path& path, const LoadOptions& options)
      : file_(std::move(file)),
        description_(describeBinary(file_.bytes)),
        weights_(weightsOf(description_.refersToWeights, path, options)) {}
  FileDescription declarations() const override { return descriptionOf(description_); }

 private:
  bool needsOpenGraph() const override { return description_.needsOpenGraph; }
  Graph buildSized(Context& context, const std::map<std::string, std::uint32_t>& dimensions,
                   std::shared_ptr<Budget> budget) const override {
    return buildBinary(context, file_, weights_.get(), dimensions, std::move(budget));
  }
  std::shared_ptr<const OpenGraph> buildOpen(Context& context, std::shared_ptr<Budget> budget) const override {
    return openBinary(context, file_, weights_.get(), std::move(budget));
  }

  ExternalBytes file_;
  MessageDescription description_;
  std::unique_ptr<WeightsReader> weights_;
};

class DocumentSource final : public NamingSource {
 public:
  DocumentSource(const ExternalBytes& file, const std::filesystem::path& path, const LoadOptions& options)
      : document_(documentOf(file)), weights_(weightsOf(refersToWeights(document_), path, options)) {}
  FileDescription declarations() const override { return descriptionOf(document_); }

 private:
  bool needsOpenGraph() const override { return formats::needsOpenGraph(document_); }
  Graph buildSized(Context& context, const std::map<std::string, std::uint32_t>& dimensions,
                   std::shared_ptr<Budget> budget) const override {
    return buildGraph(context, document_, weights_.get(), dimensions, std::move(budget));
  }
  std::shared_ptr<const OpenGraph> buildOpen(Context& context, std::shared_ptr<Budget> budget) const override {
    return openGraphOf(context, document_, weights_.get(), std::move(budget));
  }

  GraphDocument document_;
  std::unique_ptr<WeightsReader> weights_;
};

}  // namespace

std::unique_ptr<GraphSource> openGraph(ExternalBytes file, const std::filesystem::path& path, const LoadOptions& options) {
  if (onnx::looksLikeModel(file.bytes)) return std::make_unique<OnnxSource>(std::move(file), path, options);
  requireNoValues(options);
  if (isBinaryGraph(file.bytes)) return std::make_unique<BinarySource>(std::move(file), path, options);
  return std::make_unique<DocumentSource>(file, path, options);
}

FileDescription describeGraph(const ExternalBytes& file, const std::filesystem::path& path, const LoadOptions& options) {
  if (onnx::looksLikeModel(file.bytes)) return onnx::describeModel(file, folderOf(path), options);
  requireNoValues(options);
  FileDescription description;
  bool isReferredTo = false;
  if (isBinaryGraph(file.bytes)) {
    const MessageDescription message = describeBinary(file.bytes);
    description = descriptionOf(message);
    isReferredTo = message.refersToWeights;
  } else {
    const GraphDocument document = documentOf(file);
    description = descriptionOf(document);
    isReferredTo = refersToWeights(document);
  }
  if (!needsWeights(isReferredTo, path, options)) return description;
  if (const auto weights = findWeights(path, options)) {
    description.files.push_back(weights->weights.name);
    if (weights->manifest) description.files.push_back(weights->manifest->name);
  }
  return description;
}

std::shared_ptr<MemoryAccount> memoryFor(const Context& context, const LoadOptions& options) {
  if (!context.state()) fail(ErrorKind::typeError, "load: the context refers to nothing.");
  const ContextState& owner = *context.state();
  if (options.limits.maxMemory >= owner.limits.maxMemory) return owner.memory;
  return std::make_shared<MemoryAccount>(options.limits.maxMemory, owner.memory);
}

std::shared_ptr<Budget> loadBudget(const Context& context, const LoadOptions& options, std::shared_ptr<MemoryAccount> memory) {
  if (!memory) memory = memoryFor(context, options);
  const ContextState& owner = *context.state();
  const auto budget = std::make_shared<Budget>("load", stricter(owner.limits, options.limits), std::move(memory), owner.lostFlag);
  budget->limitCall("load", options.call);
  budget->check();
  return budget;
}

}  // namespace webnn::formats
