// Imports the nodes of a model in order and builds the WebNN graph.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "onnx/read/fold.h"
#include "onnx/read/import.h"
#include "onnx/read/index_bounds.h"
#include "onnx/read/limits.h"
#include "onnx/read/node_context.h"
#include "onnx/read/part.h"
#include "onnx/read/repertoire.h"

namespace webnn::formats::onnx {

// The attributes of a call of a function that the model defines, by name.
using CallAttributes = std::unordered_map<std::string_view, const Attribute*>;

// The names visible to the nodes of one graph or one function call. References to values stay valid while values are added.
struct Scope {
  Scope* outer = nullptr;  // the enclosing graph's scope, for a subgraph; otherwise null
  const OperatorSets* operatorSets = nullptr;
  const CallAttributes* attributes = nullptr;
  std::unordered_map<std::string_view, const TensorProto*> initializers;  // also kept after find() has added them to `values`
  std::unordered_set<std::string_view> absent;                            // function inputs that the call omits; empty optionals
  std::unordered_map<std::string_view, ImportedValue> values;
};

class Importer {
 public:
  Importer(Context& context, const Model& model, const LoadOptions& options, std::shared_ptr<Budget> budget,
           const Repertoire& repertoire);
  webnn::Graph run();
  ImportedPart runPart(const PartRequest& request);
  std::optional<std::unordered_map<std::string_view, ValueForm>> forms(const PartRequest& request);

  // Only NodeContext may call the functions below.
  GraphBuilder& builder() { return builder_; }
  const Scope& scope() const { return *scope_; }
  Operand operandOf(const ImportedValue& value);  // throws Unsupported if WebNN cannot hold the value
  ImportedValue valueOf(const TensorProto& tensor) const;
  std::optional<ExternalBytes> bytesOf(const ImportedValue& value) const;  // the bytes of a constant, else nullopt
  [[noreturn]] void failUnknown(const ImportedValue& value, std::string_view what) const;
  std::vector<ImportedValue> importSubgraph(const Graph& graph, std::vector<ImportedValue> inputs);
  const ImportLimits& limits() const { return limits_; }
  DerivedConstants& derivedConstants() const { return *model_.derived; }
  bool isPart() const { return computeEmpty_ != nullptr; }
  // Charge the limits: spend() for elements of constants that the file does not hold, read() for elements of constants that
  // handlers inspect, walk() for bytes that the import inspects or keeps. Throws NotSupportedError if too few are left.
  void spend(std::uint64_t elements);
  void read(std::uint64_t elements);
  void walk(std::uint64_t bytes) const;
  ImportedValue call(const NodeProto& node, std::vector<const ImportedValue*> inputs);
  void readIndices(const NodeProto& node, const Operand& indices, Shape sizes);

 private:
  // A node, an input or an output that WebNN cannot express.
  struct UnsupportedNode {
    std::string subject, reason;
    std::vector<std::string> inputs;
    std::string_view needed;
  };
  struct Unknown {};  // thrown if a result of a subgraph is unknown because an operator is unsupported

  ImportedPart importKnown(const PartRequest& request);
  void declareInputs();
  void declareInput(const ValueInfo& input);
  Shape shapeOf(const ValueInfo& input);
  void checkDimensions() const;
  void spendNodes(std::size_t count);
  void walkAttributes(const NodeProto& node) const;
  void importNodes(const std::vector<NodeProto>& nodes);
  void importNode(const NodeProto& node);
  void runHandler(const NodeProto& node, const OperatorImport& row, std::vector<const ImportedValue*> inputs);
  std::optional<std::vector<ImportedValue>> emptyResults(const NodeProto& node, const OperatorImport& row,
                                                         const std::vector<const ImportedValue*>& inputs);
  void callFunction(const NodeProto& node, const Function& function, const std::vector<const ImportedValue*>& inputs);
  void define(std::string_view name, ImportedValue value);
  void defineUnknown(const NodeProto& node);
  // Returns the value of a name; null if nothing has the name; absent() if `absent` of a scope has the name.
  const ImportedValue* find(std::string_view name);
  std::vector<ImportedValue> importIn(Scope& scope, const std::vector<NodeProto>& nodes,
                                      const std::vector<std::string_view>& outputs);
  CallAttributes attributesOf(const NodeProto& call, const Function& function) const;
  std::int64_t versionOf(std::string_view domain) const;
  std::vector<NamedOperand> outputs();
  Operand outputOf(const ValueInfo& output);
  std::vector<std::string> inputsBehind(const Operand& operand) const;
  std::string subjectOf(const NodeProto& node) const;
  ImportedValue declareKnown(const ImportedValue& value, ValuePath path, bool isConstant);
  PartResult resultOf(const ImportedValue& value, std::string_view name, std::vector<NamedOperand>& outputs);
  static bool isUnknown(const ImportedValue& value) { return !value.operand && !value.bytes && !value.sequence; }
  std::string_view nameOfValue(const Operand& operand) const;
  void addUnsupported(std::string subject, Unsupported unsupported);
  [[noreturn]] void failUnsupported() const;

  const Model& model_;
  const LoadOptions& options_;
  const Repertoire& repertoire_;
  GraphBuilder builder_;
  mutable ImportLimits limits_;  // the remaining nodes, walkBytes, elements and reads
  Folder folder_;
  Scope main_;
  Scope* scope_ = &main_;
  std::vector<std::string> unsized_;        // names of dimensions without a size, in input order
  std::map<std::string, bool> dimensions_;  // all named dimensions; the value is true if the options give a size
  std::vector<UnsupportedNode> unsupported_;
  std::size_t unsupportedCount_ = 0;  // number of unsupported nodes, including those that the error does not list
  std::size_t depth_ = 0;             // nesting of subgraphs and functions
  std::vector<IndexRead> indexReads_;
  // Points to emptyResults() if a part is imported (part.h), else null. Set at run time, so that executables that import no parts
  // do not link emptyResults().
  decltype(&Importer::emptyResults) computeEmpty_ = nullptr;
  std::unordered_map<std::uint32_t, ValuePath> known_;  // graph inputs of a part, keyed by operand index
  // cached bytes, so that a repeated subgraph decodes each tensor once
  mutable std::unordered_map<const TensorProto*, ExternalBytes> decoded_;
};

}  // namespace webnn::formats::onnx
