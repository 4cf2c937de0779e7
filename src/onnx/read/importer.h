// The walk over a model's nodes.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "onnx/read/fold.h"
#include "onnx/read/import.h"
#include "onnx/read/limits.h"
#include "onnx/read/node_context.h"
#include "onnx/read/part.h"
#include "onnx/read/repertoire.h"

namespace webnn::formats::onnx {

// The attributes of a call of one of the model's functions, by name.
using CallAttributes = std::unordered_map<std::string_view, const Attribute*>;

// The names that nodes of one graph, or of one call of a function, see. Values never move.
struct Scope {
  Scope* outer = nullptr;  // of a subgraph: the graph around it
  const OperatorSets* operatorSets = nullptr;
  const CallAttributes* attributes = nullptr;
  std::unordered_map<std::string_view, const TensorProto*> initializers;  // not yet used
  std::unordered_set<std::string_view> absent;                            // inputs of a function that its call leaves out
  std::unordered_map<std::string_view, ImportedValue> values;
};

class Importer {
 public:
  Importer(Context& context, const Model& model, const LoadOptions& options, std::shared_ptr<Budget> budget,
           const Repertoire& repertoire);
  webnn::Graph run();
  ImportedPart runPart(const PartRequest& request);

  // The functions below are for NodeContext only.
  GraphBuilder& builder() { return builder_; }
  const Scope& scope() const { return *scope_; }
  Operand operandOf(const ImportedValue& value);  // Unsupported if WebNN cannot hold it
  ImportedValue valueOf(const TensorProto& tensor) const;
  std::optional<ExternalBytes> bytesOf(const ImportedValue& value) const;  // of a constant
  [[noreturn]] void failUnknown(const ImportedValue& value, std::string_view what) const;
  std::vector<ImportedValue> importSubgraph(const Graph& graph, std::vector<ImportedValue> inputs);
  const ImportLimits& limits() const { return limits_; }
  bool isPart() const { return computeEmpty_ != nullptr; }
  // Charges elements of constants beyond the file, elements of constants to inspect, and bytes that the walk inspects or keeps.
  // NotSupportedError if too few are left.
  void spend(std::uint64_t elements);
  void read(std::uint64_t elements);
  void walk(std::uint64_t bytes) const;
  ImportedValue call(const NodeProto& node, std::vector<const ImportedValue*> inputs);

 private:
  // A node, an input or an output that WebNN cannot express.
  struct UnsupportedNode {
    std::string subject, reason;
    std::vector<std::string> inputs;
    std::string_view needed;
  };
  struct Unknown {};  // thrown where a value depends on an unsupported operator's result

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
  const ImportedValue* find(std::string_view name);  // null if nothing has the name, absent() if a call leaves the input out
  std::vector<ImportedValue> importIn(Scope& scope, const std::vector<NodeProto>& nodes,
                                      const std::vector<std::string_view>& outputs);
  CallAttributes attributesOf(const NodeProto& call, const Function& function) const;
  std::int64_t versionOf(std::string_view domain) const;
  const Function* functionOf(const NodeProto& node) const;
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
  mutable ImportLimits limits_;  // what is left of nodes, walkBytes, elements and reads
  Folder folder_;
  Scope main_;
  Scope* scope_ = &main_;
  std::vector<std::string> unsized_;        // dimensions without a size, in the order of the inputs
  std::map<std::string, bool> dimensions_;  // all that have a name; whether a size is given
  std::vector<UnsupportedNode> unsupported_;
  std::size_t unsupportedCount_ = 0;  // all, including those that are not listed
  std::size_t depth_ = 0;
  // Null unless a part is imported, so that programs that import no parts do not link it.
  decltype(&Importer::emptyResults) computeEmpty_ = nullptr;
  std::unordered_map<std::uint32_t, ValuePath> known_;  // of a part: the graph's inputs, by index
  std::unordered_map<std::string, const Function*> functions_;
  mutable std::unordered_map<const TensorProto*, ExternalBytes> decoded_;  // once, however often a subgraph is imported
};

}  // namespace webnn::formats::onnx
