// An ONNX model as parsed from its file. Most strings are views into the mapped bytes; only form and bounds are checked.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/read/derived_constants.h"
#include "onnx/schema.h"
#include "webnn/graph_builder.h"

namespace webnn::formats::onnx {

using webnn::onnx::AttributeType;
using webnn::onnx::ElementType;

class ExternalFiles;

struct TensorProto {
  std::string_view name;
  ElementType type{};
  std::vector<std::int64_t> dims;  // none is negative, and the product is below 2^63
  std::string_view proto;          // the encoded message, which bytesOf() decodes
  // The raw bytes, if the message has them and nothing else says where the elements are.
  std::optional<std::string_view> raw;
};

struct Graph;

struct Attribute {
  std::string_view name;
  AttributeType type{};
  float f = 0;
  std::int64_t i = 0;
  std::string_view s;
  std::vector<float> floats;
  std::vector<std::int64_t> ints;
  std::vector<std::string_view> strings;
  std::optional<TensorProto> t;
  std::shared_ptr<const Graph> g;
  std::string_view reference;  // in a function's node: the name of the call's attribute that replaces this one
};

using OperatorSets = std::map<std::string_view, std::int64_t>;  // version by domain
inline constexpr std::int64_t kNewestOperatorSet = 28;
// Returns the version of a domain's operators. If the model does not declare the domain, returns kNewestOperatorSet for ONNX's
// own domain, and 1 for others.
std::int64_t versionOfDomain(const OperatorSets& sets, std::string_view domain);

// Returns the approximate bytes that a copy of the attribute takes, except its tensor and graph.
std::uint64_t bytesIn(const Attribute& attribute);

struct NodeProto {
  std::string_view name, opType, domain, overload;  // the domain "ai.onnx" is stored as ""
  std::vector<std::string_view> inputs, outputs;    // an empty name means absent
  std::vector<Attribute> attributes;
  // The operator sets of the function, for a node of an inlined function. Null: the operator sets of the scope.
  const OperatorSets* operatorSets = nullptr;
};

// A dimension of an input or output: a fixed value, a named parameter, or neither.
struct Dimension {
  std::optional<std::int64_t> value;
  std::string_view parameter;
};

struct ValueInfo {
  enum class Kind { none, tensor, sequence, map, optional, sparseTensor };
  std::string_view name;
  Kind kind = Kind::none;
  ElementType type{};
  std::optional<std::vector<Dimension>> shape;
  // Only for a map, a sequence or an optional. `element`: the type of its tensors or of the map's values. `key`: the type of the
  // keys of a map or of a sequence's maps. `holdsSequence`: true for a sequence and for an optional sequence.
  ElementType element{}, key{};
  bool holdsSequence = false;

  bool isOptional() const { return kind == Kind::optional; }
};

struct Graph {
  std::string_view name, docString;
  std::vector<NodeProto> nodes;
  std::vector<TensorProto> initializers;
  std::vector<ValueInfo> inputs, outputs;
  bool hasSparseInitializers = false;
};

using Properties = std::map<std::string_view, std::string_view>;

// A function that the model itself defines.
struct Function {
  std::string_view domain, name, overload;
  std::vector<std::string_view> inputs, outputs;
  std::vector<Attribute> defaultAttributes;  // defaults of attributes that a call may omit
  std::vector<NodeProto> nodes;
  OperatorSets operatorSets;
};

// The functions of a model, found by the nodes that call them.
class Functions {
 public:
  void reserve(std::size_t count) { all_.reserve(count); }
  void add(Function function);
  // Returns the first function with the node's domain, operator and overload; null if there is none.
  const Function* find(const NodeProto& node) const;
  bool empty() const { return all_.empty(); }
  std::size_t size() const { return all_.size(); }
  auto begin() { return all_.begin(); }
  auto end() { return all_.end(); }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

 private:
  std::vector<Function> all_;
  std::map<std::array<std::string_view, 3>, std::size_t> indices_;  // keyed by domain, name and overload
};

struct Model {
  ExternalBytes file;  // keeps the bytes that all views point to, except the names of the graph's initializers
  // Keeps the names of the graph's initializers. In the file, each name lies beside the initializer's bytes, so that looking the
  // name up in the file would load pages of weights each time a graph is built for new sizes.
  std::shared_ptr<const std::string> names;
  std::shared_ptr<ExternalFiles> external;
  std::int64_t irVersion = 0, modelVersion = 0;
  std::string_view producerName, producerVersion, domain, docString;
  Properties properties;
  OperatorSets operatorSets;
  Graph graph;
  Functions functions;
  std::shared_ptr<DerivedConstants> derived = std::make_shared<DerivedConstants>();
};

// Returns whether the bytes form a ModelProto with a graph. Checks the whole top level; used to detect the format.
bool looksLikeModel(std::span<const std::byte> file);

// Parses a model. Allocates at most ImportLimits::modelBytes, which grow with the file size. Graphs nest at most 32 deep. A
// DataError gives the position.
Model readModel(ExternalBytes file);
// Parses a model with external data files in `folder`.
Model readModel(ExternalBytes file, const std::filesystem::path& folder);

// Parses a file that holds a single TensorProto, such as `input_0.pb`.
TensorProto readTensor(std::string_view file);

// Returns a tensor's packed little-endian bytes, as a view of the file or external data or decoded from typed fields. Booleans
// take one byte; 4-bit types store the low nibble first. Throws DataError if the element count does not match the shape, the type
// has no packed form (strings), or external data lies outside the model's directory. If `external` is null, external data is also
// an error.
ExternalBytes bytesOf(const TensorProto& tensor, const ExternalBytes& file, ExternalFiles* external);

// Returns the elements of a tensor of strings. Throws DataError if their number does not match the shape.
std::vector<std::string> stringsOf(const TensorProto& tensor);

// Returns the location of a tensor's external data, relative to the model's directory; nullopt if the tensor has no external
// data.
std::optional<std::string_view> locationOf(const TensorProto& tensor);

}  // namespace webnn::formats::onnx
