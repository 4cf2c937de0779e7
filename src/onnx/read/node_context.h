// The interface of a node's import. Each family of operators has a file of handlers in this directory:
// void importSoftsign(NodeContext& node) { node.set(0, node.builder.softsign(node.operand(0))); }
// std::span<const OperatorImport> activationOperators() { static constexpr OperatorImport kOperators[]{{"", "Softsign",
// importSoftsign}}; return kOperators; }
// Handlers need not fold: operations on constants of modest size are computed when they are built, so the builder returns
// constants again (isConstant, integers() and numbers() see them). Node names become labels automatically. Shapes are always
// known.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "onnx/read/limits.h"
#include "onnx/read/model.h"
#include "webnn/graph_builder.h"

namespace webnn::formats::onnx {

class Importer;
struct OperatorImport;

struct ImportedValue;
using Sequence = std::vector<std::shared_ptr<const ImportedValue>>;

// A tensor during the import, or a sequence of them. WebNN has no empty tensors and not all of ONNX's types: such values, if
// constant, have bytes but no operand.
struct ImportedValue {
  ElementType type{};
  std::vector<std::int64_t> dims;
  // May be absent; made from `bytes` on first use. For a type that WebNN lacks: a WebNN type that holds all elements, for
  // operators that only move them.
  mutable Operand operand;
  std::optional<ExternalBytes> bytes = {};        // packed; of a constant that has no operand (yet)
  std::shared_ptr<const Sequence> sequence = {};  // of a sequence, which has nothing else
  std::string_view name = {};                     // that the operand made of `bytes` gets; may be empty

  bool isEmpty() const;  // has no elements
};

// Thrown by handlers: why a node cannot be expressed. The importer collects them and names the node.
struct Unsupported {
  std::string reason;
  std::vector<std::string> inputs;  // graph inputs whose values would have to be known
  std::string_view needed = {};     // of a part: the value that would have to be known
};

class NodeContext {
 public:
  NodeContext(Importer& importer, const NodeProto& node, std::int64_t version, const OperatorImport& row,
              std::vector<const ImportedValue*> inputs);

  GraphBuilder& builder;
  const NodeProto& node;
  const std::int64_t version;  // of the operator set of the node's domain

  // Inputs. A required input that is absent, or beyond the last, is Unsupported.
  std::size_t inputCount() const { return inputs_.size(); }
  bool has(std::size_t index) const { return index < inputs_.size() && inputs_[index] != nullptr; }
  const ImportedValue& value(std::size_t index) const;             // a tensor
  const ImportedValue& tensorOrSequence(std::size_t index) const;  // for operators that pass values on
  const Sequence& sequence(std::size_t index) const;
  // Returns an operand; Unsupported if WebNN cannot hold the value (empty, or of another type).
  Operand operand(std::size_t index) const;
  Operand operand(const ImportedValue& value) const;
  std::optional<Operand> optionalOperand(std::size_t index) const;
  const Shape& shape(std::size_t index) const { return operand(index).shape(); }
  std::size_t rank(std::size_t index) const { return value(index).dims.size(); }
  // Read the elements of a constant that determines a shape or the like; Unsupported ("the value of ... must be known when the
  // graph is built") for other values. integers() takes integers and booleans, numbers() any numeric type.
  bool isConstant(std::size_t index) const;
  std::vector<std::int64_t> integers(std::size_t index) const;
  std::vector<double> numbers(std::size_t index) const;
  std::vector<double> allNumbers(const ImportedValue& constant) const;  // also of weights, which are more than a few
  double number(std::size_t index) const;                               // of a constant with one element
  // The same for a subgraph's result; `what` names it.
  bool isConstant(const ImportedValue& value) const;
  std::vector<std::int64_t> integers(const ImportedValue& value, std::string_view what) const;

  // Attributes. Another type than the requested one is a DataError.
  const Attribute* find(std::string_view name) const;
  std::int64_t integer(std::string_view name, std::int64_t absent) const;
  double number(std::string_view name, double absent) const;
  std::string_view text(std::string_view name, std::string_view absent) const;
  std::optional<std::vector<std::int64_t>> integers(std::string_view name) const;
  std::optional<std::vector<float>> floats(std::string_view name) const;
  std::optional<ImportedValue> tensor(std::string_view name) const;
  const Graph& graph(std::string_view name) const;  // must be there
  bool flag(std::string_view name, bool absent = false) const { return integer(name, absent ? 1 : 0) != 0; }

  // Results. wants(i): somebody may use result i. A result that is wanted and not set is Unsupported.
  std::size_t outputCount() const { return node.outputs.size(); }
  bool wants(std::size_t index) const { return index < node.outputs.size() && !node.outputs[index].empty(); }
  void set(std::size_t index, Operand result);         // of the ONNX type that the operand's type stands for
  void setBoolean(std::size_t index, Operand result);  // uint8 of 0 and 1 that ONNX calls bool
  void set(std::size_t index, ImportedValue result);

  // Constants and shapes. spend() charges elements of generated constants: NotSupportedError once a model has made too many for
  // its size.
  void spend(std::uint64_t elements) const;
  void walk(std::uint64_t bytes) const;  // charges memory beside operands
  const ImportLimits& limits() const;
  bool isPart() const;  // the model may become several graphs, so that conditions need not become operations
  Operand scalar(DataType type, Number value);
  Operand constant(DataType type, Shape shape, std::span<const double> values);  // each cast to the type
  ImportedValue integersValue(std::span<const std::int64_t> values);             // 1-D int64, may be empty
  Operand reshape(Operand operand, Shape shape);                                 // the operand itself if it has the shape
  Operand transpose(Operand operand, std::vector<std::uint32_t> permutation);    // the operand itself if nothing moves
  Operand cast(Operand operand, DataType type);                                  // the operand itself if it has the type
  Operand expand(Operand operand, Shape shape);                                  // the operand itself if it has the shape
  std::uint32_t axis(std::int64_t axis, std::size_t rank) const;                 // negative ones count from the end
  std::vector<std::uint32_t> axes(std::span<const std::int64_t> axes, std::size_t rank) const;

  // Runs a subgraph (of If, Loop, Scan) in the scope of the node. Takes one value per input and returns one per output.
  std::vector<ImportedValue> importSubgraph(const Graph& graph, std::vector<ImportedValue> inputs);
  // Result 0 of another operator with the same attributes; a default-made input is absent.
  ImportedValue call(std::string_view domain, std::string_view opType, std::vector<ImportedValue> inputs);

  // Fails with a reason, a phrase that names what WebNN lacks: "mode \"cubic\": WebNN has no cubic interpolation".
  template <typename... Args>
  [[noreturn]] void unsupported(fmt::format_string<Args...> format, Args&&... args) const {
    throw Unsupported{formatArguments(format, fmt::make_format_args(args...)), {}};
  }
  template <typename... Args>
  void require(bool condition, fmt::format_string<Args...> format, Args&&... args) const {
    if (!condition) throw Unsupported{formatArguments(format, fmt::make_format_args(args...)), {}};
  }

 private:
  friend class Importer;
  const Attribute* find(std::string_view name, AttributeType type) const;
  template <typename T>
  std::vector<T> elements(const ImportedValue& constant, std::string_view what, std::size_t most) const;
  std::string describe(std::size_t index) const;

  Importer& importer_;
  bool takesHeld_;  // OperatorImport::moves
  std::vector<const ImportedValue*> inputs_;
  std::vector<std::optional<ImportedValue>> outputs_;
};

// An importable operator in all versions; handlers check NodeContext::version.
struct OperatorImport {
  std::string_view domain, opType;
  void (*handler)(NodeContext&);
  bool moves = false;  // copies, casts or dequantizes: it takes elements of types that WebNN lacks in a type that holds them
};

// The operators of each family.
std::span<const OperatorImport> activationOperators();
std::span<const OperatorImport> arrayOperators();
std::span<const OperatorImport> attentionOperators();
std::span<const OperatorImport> bitwiseOperators();
std::span<const OperatorImport> columnOperators();
std::span<const OperatorImport> controlFlowOperators();
std::span<const OperatorImport> convOperators();
std::span<const OperatorImport> cropOperators();
std::span<const OperatorImport> deformConvOperators();
std::span<const OperatorImport> einsumOperators();
std::span<const OperatorImport> elementwiseBinaryOperators();
std::span<const OperatorImport> elementwiseUnaryOperators();
std::span<const OperatorImport> gatherScatterOperators();
std::span<const OperatorImport> lossOperators();
std::span<const OperatorImport> matmulOperators();
std::span<const OperatorImport> matMulNBitsOperators();
std::span<const OperatorImport> normalizationOperators();
std::span<const OperatorImport> poolOperators();
std::span<const OperatorImport> quantizeOperators();
std::span<const OperatorImport> recurrentOperators();
std::span<const OperatorImport> reduceOperators();
std::span<const OperatorImport> regionOperators();
std::span<const OperatorImport> resampleOperators();
std::span<const OperatorImport> samplingOperators();
std::span<const OperatorImport> scatterOperators();
std::span<const OperatorImport> selectionOperators();
std::span<const OperatorImport> sequenceOperators();
std::span<const OperatorImport> shapeOperators();
std::span<const OperatorImport> slicePadOperators();
std::span<const OperatorImport> sourceOperators();
std::span<const OperatorImport> spectrumOperators();
std::span<const OperatorImport> trigonometryOperators();

}  // namespace webnn::formats::onnx
