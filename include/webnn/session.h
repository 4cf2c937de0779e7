// Sessions: a model that is loaded once and run on arrays of any sizes of its open dimensions.
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

// Element types that only ONNX has.
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

// Packed, row-major elements with their type and shape.
struct Array {
  OperandDescriptor descriptor;
  std::vector<std::byte> bytes;
  // A type of ONNX that WebNN lacks, such as float64; the descriptor's data type then means nothing.
  onnx::ElementType elementType{};
  std::vector<std::string> strings = {};  // the elements, if their type is string
  // The arrays of a sequence of ONNX; the other members then mean nothing. Only sessions return sequences.
  bool isSequence = false;
  std::vector<Array> elements = {};
  // Of a map of ONNX, such as a classifier's probabilities by class: its keys, an array of as many elements as this one.
  std::vector<Array> keys = {};

  // The elements. TypeError unless their type is T, as isElementOf() says; std::byte: as they are. double, std::int16_t and
  // std::uint16_t are elements of the types of ONNX that WebNN lacks.
  template <typename T>
  std::span<const T> as() const {
    if constexpr (detail::isForeignElement<T>()) {
      if (elementType != detail::foreignTypeOf<T>()) detail::failForeignElement("as", detail::foreignTypeOf<T>(), elementType);
    } else if (std::is_same_v<T, std::uint16_t> && elementType == onnx::ElementType::uint16) {
      // as they are
    } else {
      if (elementType != onnx::ElementType::undefined && !std::is_same_v<T, std::byte>)
        detail::failForeignElement("as", onnx::ElementType::undefined, elementType);
      requireElementOf<T>("as", descriptor.dataType);
    }
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
};

// Elements in memory that the caller owns.
struct ArrayView {
  OperandDescriptor descriptor;
  std::span<const std::byte> bytes;
  // A type of ONNX that WebNN lacks; the descriptor's data type then means nothing.
  onnx::ElementType elementType{};
  std::span<const std::string> strings{};  // the elements, if their type is string

  ArrayView(OperandDescriptor type, std::span<const std::byte> packed) : descriptor(std::move(type)), bytes(packed) {}
  ArrayView(onnx::ElementType type, Shape shape, std::span<const std::byte> packed)
      : descriptor{DataType::uint8, std::move(shape)}, bytes(packed), elementType(type) {}
  ArrayView(const Array& array)
      : descriptor(array.descriptor), bytes(array.bytes), elementType(array.elementType), strings(array.strings) {}
  // Wraps a vector, array or span; the element type determines the data type. double, std::int16_t and std::string stand for the
  // types of ONNX that WebNN lacks.
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
  // Wraps a vector as one dimension.
  template <std::ranges::contiguous_range Values>
  ArrayView(const Values& values) : ArrayView(values, {static_cast<std::uint32_t>(std::ranges::size(values))}) {}
};

// Returns the sizes that inputs of these shapes give to the open dimensions, by name. `fixed` sizes are known already. TypeError,
// which names the input, for a shape of another rank or size than declared, a dimension with two sizes, 0, or a size above its
// largest; for undeclared inputs, and for open dimensions without a size. Other inputs may be missing.
std::map<std::string, std::uint32_t> dimensionsOf(std::span<const DeclaredInput> inputs,
                                                  const std::map<std::string, Shape>& shapes,
                                                  const std::map<std::string, std::uint32_t>& fixed = {});

struct SessionOptions {
  // How to read the model. Dimensions named here are fixed; the inputs of each run give the others. TypeError for a name that the
  // model lacks.
  LoadOptions load;
  // The number of graphs kept, each compiled for other sizes of the open dimensions; the most recently used stay. The backend
  // "cpu" shares equal weights among them. A model that no single graph can hold keeps so many for each of its parts, and 4 if
  // this is 0.
  std::size_t graphs = 4;
  // The seed of operators with random numbers; absent: another one for each session. See docs/reference/onnx.md.
  std::optional<std::uint64_t> seed;
  // Refuses models with inputs or results of element types that WebNN lacks, and of sequences: NotSupportedError, which names them.
  bool onlyWebnnTypes = false;
};

struct SessionState;  // src/formats/session.cpp

// A handle of a model, which may be one that no single graph can hold: ONNX models with branches and loops, with shapes that depend
// on values, or with sizes of 0. See docs/reference/onnx.md. Thread safe; runs of several threads are concurrent, and do not wait for the context's timeline.
//
//   webnn::Session session = webnn::Session::load("model.onnx");
//   std::map<std::string, webnn::Array> outputs = session.run({{"image", {pixels, {1, 3, 224, 224}}}});
//   std::span<const float> scores = outputs.at("scores").as<float>();
class Session {
 public:
  // Opens a model as webnn::load() does, with its errors, and keeps it open. A model without open dimensions is compiled at once.
  static Session load(Context context, const std::filesystem::path& path, const SessionOptions& options = {});
  static Session load(Context context, ExternalBytes content, const SessionOptions& options = {});
  // Loads with a context of its own: Context::create().
  static Session load(const std::filesystem::path& path, const SessionOptions& options = {});

  Session() = default;
  // The same as load().
  explicit Session(const std::filesystem::path& path, const SessionOptions& options = {}) : Session(load(path, options)) {}
  Session(Context context, const std::filesystem::path& path, const SessionOptions& options = {})
      : Session(load(std::move(context), path, options)) {}
  // Wraps a graph, which has no open dimensions.
  explicit Session(Graph graph);

  // Returns the declared inputs in the file's order, including inputs that no output depends on.
  const std::vector<DeclaredInput>& inputs() const;
  const std::vector<DeclaredOutput>& outputs() const;

  // Runs on the calling thread. `inputs` has an array for each input; an input that the outputs do not depend on may be missing.
  // TypeError, which names the input, if one is missing, unknown, or of another type, shape or length; otherwise throws what
  // load(), for sizes that are new, and Graph::compute() throw.
  std::map<std::string, Array> run(const std::map<std::string, ArrayView>& inputs, const CallOptions& options = {}) const;

  // Returns the graph for inputs of these shapes, from the kept ones or newly compiled. For callers that bind tensors and
  // dispatch, or provide output memory. NotSupportedError if no single graph can hold the model.
  Graph graph(const std::map<std::string, Shape>& shapes, const CallOptions& options = {}) const;

 private:
  explicit Session(std::shared_ptr<SessionState> state) : state_(std::move(state)) {}

  std::shared_ptr<SessionState> state_;
};

}  // namespace webnn
