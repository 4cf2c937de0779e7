// Session: a model that is loaded once and can be run with any sizes of its open dimensions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "webnn/context.h"
#include "webnn/element_type.h"
#include "webnn/formats.h"
#include "webnn/onnx_types.h"

namespace webnn {

namespace detail {

// Returns whether T is the C++ type of an ONNX element type that WebNN lacks. False for std::uint16_t, because it may also hold
// the bits of float16.
template <typename T>
constexpr bool isForeignElement() {
  return std::is_same_v<T, double> || std::is_same_v<T, std::int16_t>;
}
template <typename T>
constexpr onnx::ElementType foreignTypeOf() {
  return std::is_same_v<T, double> ? onnx::ElementType::float64 : onnx::ElementType::int16;
}
[[noreturn]] void failForeignElement(std::string_view method, onnx::ElementType wanted, onnx::ElementType actual);

}  // namespace detail

// Packed, row-major elements with their data type and shape.
struct Array {
  OperandDescriptor descriptor;
  std::vector<std::byte> bytes;
  // Set if the elements have an ONNX type that WebNN lacks, such as float64. The descriptor's data type is then unused.
  onnx::ElementType elementType{};
  std::vector<std::string> strings = {};  // the elements, if their type is string
  // Whether this is an ONNX sequence. Its items are `elements`, and the other members are unused.
  bool isSequence = false;
  bool isNone = false;  // whether this is an ONNX optional without a value; the other members are then unused
  std::vector<Array> elements = {};
  // For an ONNX map, such as a classifier's probabilities by class: one array that holds the key of each element. Else empty.
  std::vector<Array> keys = {};

  // Returns the elements as T, or the packed bytes if T is std::byte. Throws TypeError unless
  // isElementOf<T>(descriptor.dataType), or elementType is float64, int16 or uint16 and T is double, std::int16_t or
  // std::uint16_t, respectively.
  template <typename T>
  std::span<const T> as() const {
    if constexpr (detail::isForeignElement<T>()) {
      if (elementType != detail::foreignTypeOf<T>()) detail::failForeignElement("as", detail::foreignTypeOf<T>(), elementType);
    } else if (std::is_same_v<T, std::uint16_t> && elementType == onnx::ElementType::uint16) {
      // T matches the element type
    } else {
      if (elementType != onnx::ElementType::undefined && !std::is_same_v<T, std::byte>)
        detail::failForeignElement("as", onnx::ElementType::undefined, elementType);
      requireElementOf<T>("as", descriptor.dataType);
    }
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
};

// Packed, row-major elements in memory that the caller owns.
struct ArrayView {
  OperandDescriptor descriptor;
  std::span<const std::byte> bytes;
  // Set if the elements have an ONNX type that WebNN lacks. The descriptor's data type is then unused.
  onnx::ElementType elementType{};
  std::span<const std::string> strings{};  // the elements, if their type is string
  // isSequence: an ONNX sequence of `elements`. isNone: an ONNX optional without a value. Other members are then unused.
  bool isSequence = false, isNone = false;
  std::vector<ArrayView> elements = {};
  std::vector<ArrayView> keys = {};  // for an ONNX map: one array that holds the key of each element; else empty

  static ArrayView sequence(std::vector<ArrayView> arrays) {
    ArrayView view(OperandDescriptor{}, {});
    view.isSequence = true;
    view.elements = std::move(arrays);
    return view;
  }
  // Returns an ONNX map. `keys` has an int64 or a string for each element of `values`.
  static ArrayView map(ArrayView keys, ArrayView values) {
    values.keys.push_back(std::move(keys));
    return values;
  }
  static ArrayView none() {
    ArrayView view(OperandDescriptor{}, {});
    view.isNone = true;
    return view;
  }
  ArrayView(OperandDescriptor type, std::span<const std::byte> packed) : descriptor(std::move(type)), bytes(packed) {}
  ArrayView(onnx::ElementType type, Shape shape, std::span<const std::byte> packed)
      : descriptor{DataType::uint8, std::move(shape)}, bytes(packed), elementType(type) {}
  ArrayView(const Array& array)
      : descriptor(array.descriptor),
        bytes(array.bytes),
        elementType(array.elementType),
        strings(array.strings),
        isSequence(array.isSequence),
        isNone(array.isNone),
        elements(array.elements.begin(), array.elements.end()),
        keys(array.keys.begin(), array.keys.end()) {}
  // Refers to the elements of a vector, array or span. The element type determines the data type; double, std::int16_t and
  // std::string become ONNX types that WebNN lacks.
  template <std::ranges::contiguous_range Values>
  ArrayView(const Values& values, Shape shape) {
    using Element = std::ranges::range_value_t<Values>;
    if constexpr (std::is_same_v<Element, std::string>) {
      descriptor = {DataType::uint8, std::move(shape)};
      elementType = onnx::ElementType::string;
      strings = values;
    } else {
      bytes = std::as_bytes(std::span(values));
      if constexpr (detail::isForeignElement<Element>()) {
        descriptor = {DataType::uint8, std::move(shape)};
        elementType = detail::foreignTypeOf<Element>();
      } else {
        descriptor = {dataTypeOf<Element>(), std::move(shape)};
      }
    }
  }
  // Refers to the elements as a one-dimensional array.
  template <std::ranges::contiguous_range Values>
  ArrayView(const Values& values) : ArrayView(values, {static_cast<std::uint32_t>(std::ranges::size(values))}) {}
};

// Returns the size of each open dimension, by name, as determined by the `shapes` of the inputs. `fixed` has sizes that are
// already known. Inputs may be missing from `shapes` if the others determine all open dimensions. Throws TypeError, which names
// the input, for an undeclared input, a rank or size that differs from the declaration, two different sizes of one dimension, a
// size outside of the declared bounds, or a dimension whose size remains unknown. With `allowsZero`, an open dimension may be 0
// whatever its declared minimum is, because the models of some sessions accept arrays without elements. With `allowsZero`, if the
// inputs give a dimension both the size 0 and another size, the other size counts.
std::map<std::string, std::uint32_t> dimensionsOf(std::span<const DeclaredInput> inputs,
                                                  const std::map<std::string, Shape>& shapes,
                                                  const std::map<std::string, std::uint32_t>& fixed = {},
                                                  bool allowsZero = false);

struct SessionOptions {
  // Options for reading the model. `dimensions` may fix some open dimensions; the inputs of each run determine the others.
  // Throws TypeError for a dimension that the model does not have.
  LoadOptions load;
  // The maximum number of cached graphs; 0: none is kept if the model has open dimensions. Each is compiled for different sizes
  // of the open dimensions; the least recently used graph is evicted first. On backend "cpu", the graphs share equal weights. If
  // a model needs several graphs for one run, each of its parts caches up to this many graphs (4 if this is 0). Each section
  // (docs/reference/onnx.md) caches at least up to 16 graphs.
  std::size_t graphs = 4;
  // The seed of operators that generate random numbers. Absent: a different seed for each session. See docs/reference/onnx.md.
  std::optional<std::uint64_t> seed;
  // If true, an element type that WebNN lacks throws a NotSupportedError with the name of the input (when loading) or of the
  // output (in run()). An output that is a sequence, or an optional without a value, throws the same error in run().
  bool onlyWebnnTypes = false;
  // If true, the inputs of a run may give a dimension of an ONNX model different sizes, as in ONNX Runtime, which takes names of
  // dimensions as notes. If the graph cannot be built for such sizes, the error names the inputs.
  bool inputsMayDisagree = false;
};

// Returns memory for an output, of the descriptor's byte length. An empty span: the run allocates the memory.
using OutputMemory = std::function<std::span<std::byte>(std::string_view name, const OperandDescriptor& descriptor)>;

struct SessionState;  // src/formats/session.cpp
struct OpenGraph;     // src/builder/open_graph.h

// A reference-counted handle of a model. Unlike a Graph, a session can also run ONNX models with branches, loops, shapes that
// depend on values, and dimensions of size 0: see docs/reference/onnx.md. Thread safe. Several threads may run the same session
// concurrently; runs do not wait for the context's timeline.
//
//   webnn::Session session = webnn::Session::load("model.onnx");
//   std::map<std::string, webnn::Array> outputs = session.run({{"image", {pixels, {1, 3, 224, 224}}}});
//   std::span<const float> scores = outputs.at("scores").as<float>();
class Session {
 public:
  // Opens a model and keeps its files open. Throws the errors of webnn::load(). A model without open dimensions is compiled
  // immediately; other models are compiled by the first run with new sizes.
  static Session load(Context context, const std::filesystem::path& path, const SessionOptions& options = {});
  static Session load(Context context, ExternalBytes content, const SessionOptions& options = {});
  // Loads a model with a new default context.
  static Session load(const std::filesystem::path& path, const SessionOptions& options = {});

  // Makes a session of a graph with open dimensions; the builder cannot build again. Uses only options.graphs, and the dimensions
  // and limits of options.load. As in a Graph, inputs that no output depends on are left out, unless they determine a dimension.
  // Sizes may be 0: docs/guides/open_dimensions.md lists the results. Throws the errors of GraphBuilder::build(), and a TypeError
  // for a dimension that no input determines.
  static Session build(GraphBuilder& builder, std::vector<NamedOperand> outputs, const SessionOptions& options = {});

  Session() = default;
  // The same as load().
  explicit Session(const std::filesystem::path& path, const SessionOptions& options = {}) : Session(load(path, options)) {}
  Session(Context context, const std::filesystem::path& path, const SessionOptions& options = {})
      : Session(load(std::move(context), path, options)) {}
  // Creates a session that runs a compiled graph, which has no open dimensions.
  explicit Session(Graph graph);

  // Returns the declared inputs in the file's order, including inputs that no output depends on. An ONNX input of any rank, a
  // sequence, a map or an optional is declared with one dimension named "..."; an optional may be missing in run().
  const std::vector<DeclaredInput>& inputs() const;
  const std::vector<DeclaredOutput>& outputs() const;
  // Returns whether an input is a sequence of tensors, or an optional sequence.
  bool takesSequence(std::string_view input) const;

  // Runs the model on the calling thread and returns the outputs by name. Inputs that no output depends on may be missing if the
  // other inputs determine all open dimensions. Throws TypeError, which names the input, if an input is missing, unknown, or has
  // the wrong type, shape or length. Also throws the errors of Graph::compute(), and those of load() if the sizes are new.
  std::map<std::string, Array> run(const std::map<std::string, ArrayView>& inputs, const CallOptions& options = {}) const;

  // For internal use. The same as run(), but computes outputs in the memory that `memory` returns. Their arrays have no bytes.
  std::map<std::string, Array> runInto(const std::map<std::string, ArrayView>& inputs, const OutputMemory& memory,
                                       const CallOptions& options = {}) const;
  // For internal use. Returns whether run() suits inputs of these shapes better than graph(), because a model that needs
  // several graphs then compiles less. Call it once for each new set of shapes, before graph().
  bool prefersRun(const std::map<std::string, Shape>& shapes, const CallOptions& options = {}) const;

  // Returns the graph for inputs of these shapes, from the cache or newly compiled. For callers that dispatch the graph with
  // tensors, or provide output memory. Throws NotSupportedError if the model cannot be expressed as a single graph.
  Graph graph(const std::map<std::string, Shape>& shapes, const CallOptions& options = {}) const;

  // For internal use. Returns the graph with its open dimensions; null for an ONNX model or a compiled graph.
  std::shared_ptr<const OpenGraph> openGraph() const;

 private:
  explicit Session(std::shared_ptr<SessionState> state) : state_(std::move(state)) {}

  std::shared_ptr<SessionState> state_;
};

// Writes the graph of a session like save() of a Graph, with the names of open dimensions. ONNX does not keep their bounds.
// Throws NotSupportedError if ONNX or Core ML cannot compute the sizes. Throws TypeError for a session that was loaded from an
// ONNX model with open dimensions.
void save(const Session& session, const std::filesystem::path& path, const SaveOptions& options = {});

}  // namespace webnn
