// The interface for importing one node. Each operator family has a file of handlers in operators/:
//   void importSoftsign(NodeContext& node) { node.set(0, node.builder.softsign(node.operand(0))); }
// Handlers need not fold constants: the builder immediately computes small operations on constants, and returns constants, which
// isConstant(), integers() and numbers() can read. Node names become labels automatically. All shapes are known.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "base/text.h"
#include "onnx/read/limits.h"
#include "onnx/read/model.h"
#include "webnn/graph_builder.h"

namespace webnn::formats::onnx {

class Importer;
struct OperatorImport;

struct ImportedValue;
using Sequence = std::vector<std::shared_ptr<const ImportedValue>>;

// A tensor, a sequence or a map during the import. WebNN lacks empty tensors and some ONNX types (such as int16). Constants of
// such types have bytes, and no operand until a handler needs one. Empty tensors have no operand.
struct ImportedValue {
  ElementType type{};
  std::vector<std::int64_t> dims;
  // The operand; may be absent, and is then made from `bytes` on first use. If WebNN lacks `type`, the operand has a WebNN type
  // that holds the elements (int32 for int16), and only operators that move, cast or dequantize elements take it
  // (OperatorImport::moves).
  mutable Operand operand;
  std::optional<ExternalBytes> bytes = {};         // packed bytes of a constant; absent if it was made as operand
  std::shared_ptr<const Sequence> sequence = {};   // set for a sequence; the other members are then unused
  std::string_view name = {};                      // name for the operand made of `bytes`; may be empty
  std::shared_ptr<const ImportedValue> keys = {};  // set for a map: its keys; the elements are its values, in the same order
  std::shared_ptr<const std::vector<std::string>> strings = {};  // the elements of a tensor of strings, which has no bytes

  bool isNone = false;  // an optional without a value
  // Only for an int32 product of 8-bit matrices (MatMulInteger): the same product in float32, which a cast to float32 returns. A
  // backend with 8-bit GEMMs rounds each element once; other backends may also round intermediate sums.
  Operand asFloat = {};

  bool isEmpty() const;
};

// Thrown by a handler if WebNN cannot express the node; `reason` says why. The importer collects these and adds the node's name.
struct Unsupported {
  std::string reason;
  std::vector<std::string> inputs;  // graph inputs whose values must be known to import the node
  std::string_view needed = {};     // the value that must be known to import the node; set only in parts
};

class NodeContext {
 public:
  NodeContext(Importer& importer, const NodeProto& node, std::int64_t version, const OperatorImport& row,
              std::vector<const ImportedValue*> inputs);

  GraphBuilder& builder;
  const NodeProto& node;
  const std::int64_t version;  // version of the operator set of the node's domain

  // Accessors of inputs. An absent required input throws Unsupported.
  std::size_t inputCount() const { return inputs_.size(); }
  bool has(std::size_t index) const { return index < inputs_.size() && inputs_[index] != nullptr; }
  const ImportedValue& value(std::size_t index) const;             // throws DataError if the input is a sequence
  const ImportedValue& tensorOrSequence(std::size_t index) const;  // for operators that pass values on unchanged
  const Sequence& sequence(std::size_t index) const;
  // Returns an operand. Throws Unsupported if WebNN cannot hold the value (empty, or a type that WebNN lacks).
  Operand operand(std::size_t index) const;
  Operand operand(const ImportedValue& value) const;
  std::optional<Operand> optionalOperand(std::size_t index) const;
  const Shape& shape(std::size_t index) const { return operand(index).shape(); }
  std::size_t rank(std::size_t index) const { return value(index).dims.size(); }
  // Return the elements of an input that must be constant because it determines, for example, a shape or an axis. Throw
  // Unsupported ("the value of ... must be known when the graph is built") if the input is not constant. integers() takes
  // integers and booleans, numbers() any numeric type.
  bool isConstant(std::size_t index) const;
  std::vector<std::int64_t> integers(std::size_t index) const;
  std::vector<double> numbers(std::size_t index) const;
  // Returns the elements of a weight. Unlike numbers(), accepts constants of any size.
  std::vector<double> allNumbers(const ImportedValue& constant) const;
  double number(std::size_t index) const;  // throws Unsupported unless the constant has exactly one element
  // Return the elements of a value that is not an input of the node, such as a subgraph's result. Errors call the value `what`.
  bool isConstant(const ImportedValue& value) const;
  std::vector<std::int64_t> integers(const ImportedValue& value, std::string_view what) const;

  // Accessors of attributes. Except find(), they throw DataError if the attribute has another type; `absent` is the default.
  const Attribute* find(std::string_view name) const;
  std::int64_t integer(std::string_view name, std::int64_t absent) const;
  double number(std::string_view name, double absent) const;
  std::string_view text(std::string_view name, std::string_view absent) const;
  std::optional<std::vector<std::int64_t>> integers(std::string_view name) const;
  std::optional<std::vector<float>> floats(std::string_view name) const;
  std::optional<ImportedValue> tensor(std::string_view name) const;
  const Graph& graph(std::string_view name) const;  // throws DataError if absent
  bool flag(std::string_view name, bool absent = false) const { return integer(name, absent ? 1 : 0) != 0; }

  // Results. wants(i) tells whether result i has a name and may be used. If a wanted result is not set, the node is Unsupported.
  std::size_t outputCount() const { return node.outputs.size(); }
  bool wants(std::size_t index) const { return index < node.outputs.size() && !node.outputs[index].empty(); }
  void set(std::size_t index, Operand result);         // takes the ONNX type from the operand's type
  void setBoolean(std::size_t index, Operand result);  // sets a uint8 operand of 0 and 1, which ONNX calls bool
  void set(std::size_t index, ImportedValue result);

  // Constants and shapes. spend() charges elements of generated constants, and throws NotSupportedError if their sum is too large
  // for the model's size.
  void spend(std::uint64_t elements) const;
  void walk(std::uint64_t bytes) const;  // charges bytes that a handler inspects or keeps outside operands
  const ImportLimits& limits() const;
  bool isPart() const;  // whether the node belongs to a part (part.h), so that the host can compute it between two graphs instead
  DerivedConstants& derivedConstants() const;  // of the model
  Operand scalar(DataType type, Number value);
  Operand constant(DataType type, Shape shape, std::span<const double> values);  // each value is cast to the type
  ImportedValue integersValue(std::span<const std::int64_t> values);             // 1-D int64, may be empty
  Operand reshape(Operand operand, Shape shape);                                 // returns `operand` if it already has the shape
  Operand transpose(Operand operand, std::vector<std::uint32_t> permutation);    // returns `operand` if nothing moves
  Operand cast(Operand operand, DataType type);                                  // returns `operand` if it already has the type
  Operand expand(Operand operand, Shape shape);                                  // returns `operand` if it already has the shape
  std::uint32_t axis(std::int64_t axis, std::size_t rank) const;                 // negative axes count from the end
  std::vector<std::uint32_t> axes(std::span<const std::int64_t> axes, std::size_t rank) const;

  // Makes runs refuse indices beyond the sizes if an input of the graph gives the indices: see index_bounds.h. Throws DataError
  // if the indices are a constant beyond the sizes.
  void readIndices(const Operand& indices, Shape sizes);

  // Imports a subgraph (of If, Loop, Scan) in the node's scope. Takes one value per input and returns one per output.
  std::vector<ImportedValue> importSubgraph(const Graph& graph, std::vector<ImportedValue> inputs);
  // Imports another operator with the node's attributes and returns its result 0. A default-constructed input is absent.
  ImportedValue call(std::string_view domain, std::string_view opType, std::vector<ImportedValue> inputs);

  // Throws Unsupported. The reason names what WebNN lacks: "mode \"cubic\": WebNN has no cubic interpolation".
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
  using Description = FunctionRef<std::string()>;  // makes the text that names a value in errors
  template <typename T>
  std::vector<T> elements(const ImportedValue& constant, Description describe, std::size_t most) const;
  std::vector<std::int64_t> integersOf(const ImportedValue& value, Description describe) const;
  std::string describe(std::size_t index) const;

  Importer& importer_;
  bool takesHeld_;  // whether OperatorImport::moves is set
  std::vector<const ImportedValue*> inputs_;
  std::vector<std::optional<ImportedValue>> outputs_;
};

// An importable operator. The handler serves all versions and checks NodeContext::version.
struct OperatorImport {
  std::string_view domain, opType;
  void (*handler)(NodeContext&);
  // Whether the handler also takes inputs of types that WebNN lacks, held in another type. Set if it copies, casts or
  // dequantizes.
  bool moves = false;
  // The last version of the operator set that has the operator. Nodes of later versions may call a function of this name.
  std::int64_t last = std::numeric_limits<std::int64_t>::max();
};

// Each returns the table of a family's operators.
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
std::span<const OperatorImport> formerOperators();
std::span<const OperatorImport> gatherScatterOperators();
std::span<const OperatorImport> lossOperators();
std::span<const OperatorImport> matmulOperators();
std::span<const OperatorImport> matMulBnb4Operators();
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
