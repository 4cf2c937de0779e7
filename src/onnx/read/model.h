// An ONNX model as it stands in its file: views into the mapped bytes, checked for their form and bounds only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/schema.h"
#include "webnn/graph_builder.h"

namespace webnn::formats::onnx {

using webnn::onnx::AttributeType;
using webnn::onnx::ElementType;

class ExternalFiles;

// A TensorProto.
struct TensorProto {
  std::string_view name;
  ElementType type{};
  std::vector<std::int64_t> dims;  // none is negative, and their product is below 2^63
  std::string_view proto;          // the message itself, for bytesOf
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
  std::string_view reference;  // in a function: the name of the attribute of the call that takes its place
};

struct NodeProto {
  std::string_view name, opType, domain, overload;  // the domain "ai.onnx" reads as ""
  std::vector<std::string_view> inputs, outputs;    // an empty name is an absent one
  std::vector<Attribute> attributes;
};

// A dimension of an input: fixed, or with a name, or neither.
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
};

struct Graph {
  std::string_view name, docString;
  std::vector<NodeProto> nodes;
  std::vector<TensorProto> initializers;
  std::vector<ValueInfo> inputs, outputs;
  bool hasSparseInitializers = false;
};

using OperatorSets = std::map<std::string_view, std::int64_t>;  // version by domain
using Properties = std::map<std::string_view, std::string_view>;

// A function of the model itself.
struct Function {
  std::string_view domain, name, overload;
  std::vector<std::string_view> inputs, outputs;
  std::vector<std::string_view> attributes;  // that a call must give
  std::vector<Attribute> defaultAttributes;  // that a call may give
  std::vector<NodeProto> nodes;
  OperatorSets operatorSets;
};

struct Model {
  ExternalBytes file;  // all views point into it
  std::shared_ptr<ExternalFiles> external;
  std::int64_t irVersion = 0, modelVersion = 0;
  std::string_view producerName, producerVersion, domain, docString;
  Properties properties;
  OperatorSets operatorSets;
  Graph graph;
  std::vector<Function> functions;
};

// Returns whether the bytes can be an ONNX model, to detect formats: a whole ModelProto with a graph, at the top level.
bool looksLikeModel(std::span<const std::byte> file);

// Reads a model. Allocates in proportion to the file; graphs nest at most 32 deep. DataError gives the place of the error.
Model readModel(ExternalBytes file);
// Reads a file whose external data lies in `folder`.
Model readModel(ExternalBytes file, const std::filesystem::path& folder);

// A TensorProto in a file of its own (`input_0.pb`).
TensorProto readTensor(std::string_view file);

// Returns a tensor's packed little-endian bytes: views of the mapped file or external data, or decoded from typed fields.
// Booleans take a byte, 4-bit types the low nibble first. DataError if the count differs from the shape, the type has no packed
// form (strings), or external data lies outside the model's directory (canonical paths, so no symbolic link leads out). If
// `external` is null, external data is a DataError.
ExternalBytes bytesOf(const TensorProto& tensor, const ExternalBytes& file, ExternalFiles* external);

// Returns the location of a tensor's external data, relative to the model's directory.
std::optional<std::string_view> locationOf(const TensorProto& tensor);

}  // namespace webnn::formats::onnx
