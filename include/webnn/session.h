// Sessions: a model that is loaded once and run on arrays, whatever sizes its open dimensions have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
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

// The same in memory of somebody else, who keeps it.
struct ArrayView {
  OperandDescriptor descriptor;
  std::span<const std::byte> bytes;

  ArrayView(OperandDescriptor type, std::span<const std::byte> packed) : descriptor(std::move(type)), bytes(packed) {}
  ArrayView(const Array& array) : ArrayView(array.descriptor, array.bytes) {}
  // Of a vector, an array or a span of elements, whose type says which data type it is.
  template <std::ranges::contiguous_range Values>
  ArrayView(const Values& values, Shape shape)
      : ArrayView({dataTypeOf<std::ranges::range_value_t<Values>>(), std::move(shape)}, std::as_bytes(std::span(values))) {}
  // With one dimension, as long as the vector is.
  template <std::ranges::contiguous_range Values>
  ArrayView(const Values& values) : ArrayView(values, {static_cast<std::uint32_t>(std::ranges::size(values))}) {}
};

// The sizes that inputs of these shapes give to the open dimensions, by name. `fixed` are known already. TypeError, which names
// the input, for a shape of another rank or size than declared, a dimension with two sizes, 0, or one beyond its largest; for
// inputs that are not declared, and for open dimensions that none of the shapes has. Other inputs may be missing.
std::map<std::string, std::uint32_t> dimensionsOf(std::span<const DeclaredInput> inputs,
                                                  const std::map<std::string, Shape>& shapes,
                                                  const std::map<std::string, std::uint32_t>& fixed = {});

struct SessionOptions {
  // How the model is read. Of its dimensions, those that are named here are fixed, and the inputs of each run give the others.
  // TypeError for one that the model does not have.
  LoadOptions load;
  // Graphs that are kept, each compiled for other sizes of the open dimensions: those that were used last. On the backend "cpu"
  // they share equal weights.
  std::size_t graphs = 4;
};

struct SessionState;  // src/formats/session.cpp

// A handle of a model. Thread safe; runs of several threads are concurrent, and do not wait for the context's timeline.
//
//   webnn::Session session = webnn::Session::load("model.onnx");
//   std::map<std::string, webnn::Array> outputs = session.run({{"image", {pixels, {1, 3, 224, 224}}}});
//   std::span<const float> scores = outputs.at("scores").as<float>();
class Session {
 public:
  // Opens a model as webnn::load() does, with its errors, and keeps it open. A model without open dimensions is compiled at once.
  static Session load(Context context, const std::filesystem::path& path, const SessionOptions& options = {});
  static Session load(Context context, ExternalBytes content, const SessionOptions& options = {});
  // The same with a context of its own: Context::create().
  static Session load(const std::filesystem::path& path, const SessionOptions& options = {});

  Session() = default;
  // The same as load().
  explicit Session(const std::filesystem::path& path, const SessionOptions& options = {}) : Session(load(path, options)) {}
  Session(Context context, const std::filesystem::path& path, const SessionOptions& options = {})
      : Session(load(std::move(context), path, options)) {}
  // Of a graph, which has no open dimensions.
  explicit Session(Graph graph);

  // What the file declares, in its order. Inputs that the outputs do not depend on are among them.
  const std::vector<DeclaredInput>& inputs() const;
  const std::vector<DeclaredOutput>& outputs() const;

  // Runs on the calling thread. `inputs` has an array for each input; an input that the outputs do not depend on may be missing.
  // TypeError, which names the input, if one is missing, unknown, or of another type, shape or length; otherwise throws what
  // load(), for sizes that are new, and Graph::compute() throw.
  std::map<std::string, Array> run(const std::map<std::string, ArrayView>& inputs, const CallOptions& options = {}) const;

  // The graph for inputs of these shapes: one that is kept, or compiled now. For callers that bind tensors and dispatch, or give
  // memory for outputs.
  Graph graph(const std::map<std::string, Shape>& shapes, const CallOptions& options = {}) const;

 private:
  explicit Session(std::shared_ptr<SessionState> state) : state_(std::move(state)) {}

  std::shared_ptr<SessionState> state_;
};

}  // namespace webnn
