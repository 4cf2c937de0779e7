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
#include <utility>
#include <vector>

#include "webnn/context.h"
#include "webnn/element_type.h"
#include "webnn/formats.h"

namespace webnn {

// Packed, row-major elements with their type and shape.
struct Array {
  OperandDescriptor descriptor;
  std::vector<std::byte> bytes;

  // The elements. TypeError unless their type is T, as isElementOf() says; std::byte: as they are.
  template <typename T>
  std::span<const T> as() const {
    requireElementOf<T>("as", descriptor.dataType);
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
};

// Elements in memory that the caller owns.
struct ArrayView {
  OperandDescriptor descriptor;
  std::span<const std::byte> bytes;

  ArrayView(OperandDescriptor type, std::span<const std::byte> packed) : descriptor(std::move(type)), bytes(packed) {}
  ArrayView(const Array& array) : ArrayView(array.descriptor, array.bytes) {}
  // Wraps a vector, array or span; the element type determines the data type.
  template <std::ranges::contiguous_range Values>
  ArrayView(const Values& values, Shape shape)
      : ArrayView({dataTypeOf<std::ranges::range_value_t<Values>>(), std::move(shape)}, std::as_bytes(std::span(values))) {}
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
