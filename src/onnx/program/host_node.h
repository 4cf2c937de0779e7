// A node that the host computes: its inputs, attributes and results. Each family of operators has a file of functions in host/.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "onnx/program/program.h"
#include "onnx/program/runner.h"
#include "onnx/read/compose.h"

namespace webnn::formats::onnx {

class StringList;

class HostNode {
 public:
  HostNode(Program& program, Runner& runner, const NodeProto& proto, std::vector<const Value*> inputs,
           const Environment& environment, ProgramCall& call, std::shared_ptr<const Sequence> ownSequence = nullptr)
      : node(proto),
        version(program.versionOf(proto)),
        program_(program),
        runner_(runner),
        environment_(environment),
        call_(call),
        inputs_(std::move(inputs)),
        ownSequence_(std::move(ownSequence)),
        working_(call.budget.memory()) {}

  const NodeProto& node;
  const std::int64_t version;

  // Access to inputs. Functions with an index, except has() and valueOrNone(), throw DataError if the input is absent.
  std::size_t inputCount() const { return inputs_.size(); }
  bool has(std::size_t index) const { return index < inputs_.size() && inputs_[index] && !inputs_[index]->isNone; }
  const Value& valueOrNone(std::size_t index) const;
  const Value& value(std::size_t index) const;
  const Dims& dims(std::size_t index) const { return value(index).dims; }
  std::vector<double> numbers(std::size_t index) const;              // the input has any numeric type
  std::vector<std::int64_t> integers(std::size_t index) const;       // the input has integers or booleans
  std::int64_t integer(std::size_t index) const;                     // the input has one element
  const std::vector<std::string>& strings(std::size_t index) const;  // throws DataError if the input has no strings
  // Returns the elements of input 0, a sequence. Copies them only if another node, value or thread has the sequence too, so that
  // a loop that appends an element in each iteration takes linear time.
  Sequence takeSequence();

  const Attribute* find(std::string_view name) const;
  std::int64_t integer(std::string_view name, std::int64_t absent) const;
  double number(std::string_view name, double absent) const;
  std::string_view text(std::string_view name, std::string_view absent) const;
  std::vector<std::int64_t> integers(std::string_view name) const;
  std::vector<float> floats(std::string_view name) const;
  std::optional<Value> tensor(std::string_view name) const;
  const Graph& graph(std::string_view name) const;
  // Returns the initializer that input `index` is in every run; null if the input may have another value.
  const TensorProto* initializer(std::size_t index) const;

  bool wants(std::size_t index) const { return index < node.outputs.size() && !node.outputs[index].empty(); }
  void set(std::size_t index, Value result);
  // Returns a tensor of zeros, whose bytes the caller may fill. Its memory counts against the session's limits as long as it
  // exists. Throws OperationError if the memory exceeds them.
  Value make(ElementType type, Dims dims, std::byte*& bytes) const;
  template <typename T>
  Value makeScalar(ElementType type, T element) const {
    std::byte* bytes = nullptr;
    Value value = make(type, {}, bytes);
    std::memcpy(bytes, &element, sizeof(T));
    return value;
  }
  // Returns a tensor of the numbers, cast to the type.
  Value makeNumbers(ElementType type, Dims dims, std::span<const double> numbers) const;
  Value makeIntegers(Dims dims, std::span<const std::int64_t> elements) const;  // int64
  Value makeStrings(Dims dims, StringList strings) const;
  // Charges working memory of `elements` times `bytes` bytes until the node is computed. Call it before the allocation. Ends the
  // run if it is cancelled or out of time. Throws OperationError if the memory exceeds the session's limits, DataError above 1
  // TiB.
  void takeRoom(std::size_t elements, std::size_t bytes) const;
  // Counts working memory like takeRoom(), but only as long as the result exists.
  MemoryCharge roomFor(std::size_t elements, std::size_t bytes) const;

  // Returns the result of make(), which the program keeps for the node. If the result depends on more than the node's attributes,
  // the caller must check that it fits the run. make() is called again only if several threads run the node for the first time at
  // once; then one of the results is kept.
  template <typename T>
  const T& prepared(auto make) const {
    const auto makeAny = [&]() -> std::shared_ptr<const void> { return std::make_shared<const T>(make()); };
    return *static_cast<const T*>(program_.prepared(node, makeAny));
  }

  // Runs a subgraph in the node's environment.
  std::vector<Value> runBody(const Graph& body, std::vector<Value> inputs) const;
  void withRandom(const std::function<void(std::mt19937_64&)>& draw) const { program_.withRandom(draw); }
  // Ends the run if it is cancelled or out of time.
  void check() const { call_.budget.check(); }
  // Counts iterations, and calls check() every 65536 of them. Call tick() in each iteration of a loop, with the number of
  // iterations of its inner loops.
  void tick(std::size_t turns = 1) const {
    constexpr std::size_t kTurnsBetweenChecks = 65536;
    if ((turns_ += turns) < kTurnsBetweenChecks) return;
    turns_ = 0;
    check();
  }

  std::vector<Value> results;

 private:
  friend StringList;
  Program& program_;
  Runner& runner_;
  const Environment& environment_;
  ProgramCall& call_;
  std::vector<const Value*> inputs_;
  std::shared_ptr<const Sequence> ownSequence_;  // input 0 if it is a sequence that no later node reads
  mutable MemoryCharge working_;                 // the memory of takeRoom()
  mutable std::size_t turns_ = 0;
};

// Strings that a node makes. Each string counts against the session's limit of memory before it is copied, and as long as the
// list, or the value made of it, exists. Throws OperationError if the memory exceeds the limit.
class StringList {
 public:
  // Reserves space for `count` strings and counts its memory.
  explicit StringList(const HostNode& node, std::size_t count = 0);
  StringList(const HostNode& node, const auto& texts) : StringList(node, texts.size()) {
    for (const auto& text : texts) add(text);
  }
  // Adds one string, the concatenation of `begin` and `end`.
  std::string& add(std::string_view begin, std::string_view end = {});
  void replace(std::size_t index, std::string_view text);
  std::size_t size() const { return strings_.size(); }
  const std::string& operator[](std::size_t index) const { return strings_[index]; }
  // Returns the strings of a complete list. Their memory counts as long as they exist.
  static std::shared_ptr<const std::vector<std::string>> shared(StringList list);

 private:
  void reserve(std::size_t count);
  void count(std::size_t bytes);

  const HostNode& node_;
  MemoryCharge charge_;
  std::vector<std::string> strings_;
};

// A tensor's shape around an axis, as [outer, size, inner]: element (o, i, k) is at position (o * size + i) * inner + k. If the
// tensor has no elements, `outer` is 0, so that no loop runs over the other extents, which may be huge.
struct Extents {
  Extents(const Dims& dims, std::size_t axis);
  std::size_t outer = 1, size = 0, inner = 1;
};

// Returns the size of an element in bytes. Throws NotSupportedError for types smaller than a byte, and for strings.
std::size_t elementBytes(ElementType type);
std::size_t elementCount(const Dims& dims);
std::size_t axisOf(const HostNode& node, std::int64_t axis, std::size_t rank);

struct HostOperator {
  std::string_view domain, opType;
  void (*run)(HostNode&);
  bool onlyIfNeeded = false;  // prefer a graph, which can compute the operator if the values that it needs become constants
};
// Returns null if the host does not compute the operator.
const HostOperator* findHostOperator(std::string_view domain, std::string_view opType);

// Each function returns the operators of one family.
std::span<const HostOperator> castSteps();
std::span<const HostOperator> controlFlowSteps();
std::span<const HostOperator> mapSteps();
std::span<const HostOperator> selectionSteps();
std::span<const HostOperator> linearSteps();
std::span<const HostOperator> quantizedLstmSteps();
std::span<const HostOperator> randomSteps();
std::span<const HostOperator> scatterSteps();
std::span<const HostOperator> sequenceSteps();
std::span<const HostOperator> stringSteps();
std::span<const HostOperator> suppressionSteps();
std::span<const HostOperator> supportVectorSteps();
std::span<const HostOperator> tokenSteps();
std::span<const HostOperator> treeSteps();

}  // namespace webnn::formats::onnx
