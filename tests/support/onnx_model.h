// Writes ONNX models for tests. Shares no code with the library's own writer.
//
//   Graph graph;
//   graph.nodes = {{"Add", {"x", "b"}, {"y"}}};
//   graph.initializers = {tensor("b", {2}, std::vector<float>{1, 2})};
//   graph.inputs = {{"x", kFloat, {{"batch", 2}}}};
//   graph.outputs = {{"y", kFloat, {{"batch", 2}}}};
//   writeText(folder / "model.onnx", modelBytes({graph}));
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "support/files.h"

namespace webnn::test::onnx {

// This is TensorProto.DataType, with the numbers of onnx.proto.
enum Type : std::int32_t {
  kUndefined,
  kFloat,
  kUint8,
  kInt8,
  kUint16,
  kInt16,
  kInt32,
  kInt64,
  kString,
  kBool,
  kFloat16,
  kDouble,
  kUint32,
  kUint64,
  kComplex64,
  kComplex128,
  kBfloat16,
  kFloat8e4m3fn,
  kFloat8e4m3fnuz,
  kFloat8e5m2,
  kFloat8e5m2fnuz,
  kUint4,
  kInt4,
  kFloat4e2m1,
  kFloat8e8m0,
  kUint2,
  kInt2,
};

using Dims = std::vector<std::int64_t>;

// A serialized TensorProto.
struct TensorMessage {
  std::string bytes;
};

// Returns a tensor whose elements are in raw_data.
TensorMessage rawTensor(const std::string& name, Type type, const Dims& dims, const std::string& data);
template <typename T>
constexpr Type typeFor();
template <typename T>
TensorMessage tensor(const std::string& name, const Dims& dims, const std::vector<T>& values) {
  return rawTensor(name, typeFor<T>(), dims, raw(values));
}
using Elements = std::variant<std::vector<float>, std::vector<std::int32_t>, std::vector<std::int64_t>, std::vector<double>,
                              std::vector<std::uint64_t>>;
enum class Packing { packed, oneByOne };
// Returns a tensor whose elements are in the field for their type: float_data, int32_data, int64_data, double_data or
// uint64_data.
TensorMessage typedTensor(const std::string& name, Type type, const Dims& dims, const Elements& elements,
                          Packing packing = Packing::packed);
// Returns a tensor whose elements are in a file beside the model. `entries` are "location", "offset" and so on.
TensorMessage externalTensor(const std::string& name, Type type, const Dims& dims,
                             const std::map<std::string, std::string>& entries);
// Returns a tensor whose elements are in string_data.
TensorMessage textTensor(const std::string& name, const Dims& dims, const std::vector<std::string>& values);

struct Graph;

using AttributeValue =
    std::variant<std::monostate, float, std::int64_t, std::string, std::vector<float>, std::vector<std::int64_t>,
                 std::vector<std::string>, TensorMessage, std::shared_ptr<const Graph>>;
struct Attribute {
  std::string name;
  AttributeValue value = {};   // {}: no value, for attributes that refer to an attribute of the function's call
  std::string reference = {};  // ref_attr_name
  bool hasType = true;         // whether the field `type` is written
};

struct Node {
  std::string opType;
  std::vector<std::string> inputs, outputs;
  std::vector<Attribute> attributes = {};
  std::string domain = {}, name = {}, overload = {};
};

// Holds a dimension: a size, a name, or neither.
struct Dimension {
  Dimension() = default;
  Dimension(std::int64_t size) : value(size) {}
  Dimension(int size) : value(size) {}
  Dimension(const char* parameter) : value(std::string(parameter)) {}
  std::variant<std::monostate, std::int64_t, std::string> value;
};

struct ValueInfo {
  std::string name;
  Type type = kFloat;
  std::optional<std::vector<Dimension>> shape = {};
};

struct Graph {
  std::string name = "test";
  std::vector<Node> nodes;
  std::vector<TensorMessage> initializers;
  std::vector<ValueInfo> inputs, outputs;
};

// Makes the graph of an attribute: {"then_branch", subgraph(graph)}.
inline std::shared_ptr<const Graph> subgraph(Graph graph) { return std::make_shared<const Graph>(std::move(graph)); }

struct Function {
  std::string domain, name;
  std::vector<std::string> inputs, outputs;
  std::vector<Node> nodes;
  std::vector<std::string> attributes = {};
  std::vector<Attribute> defaultAttributes = {};
  std::map<std::string, std::int64_t> operatorSets = {{"", 21}};
  std::string overload = {};
};

struct Model {
  Graph graph;
  std::map<std::string, std::int64_t> operatorSets = {{"", 21}};
  std::vector<Function> functions = {};
  std::int64_t irVersion = 10;
};

// These functions return the bytes of a ModelProto and of its parts.
std::string modelBytes(const Model& model);
std::string graphBytes(const Graph& graph);

template <typename T>
constexpr Type typeFor() {
  if constexpr (std::is_same_v<T, float>) return kFloat;
  if constexpr (std::is_same_v<T, double>) return kDouble;
  if constexpr (std::is_same_v<T, std::uint8_t>) return kUint8;
  if constexpr (std::is_same_v<T, std::int8_t>) return kInt8;
  if constexpr (std::is_same_v<T, std::uint16_t>) return kUint16;
  if constexpr (std::is_same_v<T, std::int16_t>) return kInt16;
  if constexpr (std::is_same_v<T, std::uint32_t>) return kUint32;
  if constexpr (std::is_same_v<T, std::int32_t>) return kInt32;
  if constexpr (std::is_same_v<T, std::uint64_t>) return kUint64;
  if constexpr (std::is_same_v<T, std::int64_t>) return kInt64;
}

}  // namespace webnn::test::onnx
