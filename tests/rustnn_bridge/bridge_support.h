// Plays the browser's part: owners of the bridge's objects, and a writer of GraphInfo JSON that shares no code with libwebnn.
#pragma once

#include <gtest/gtest.h>
#include <rustnn_bridge.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bridge {

struct Destroy {
  void operator()(RustnnContext* context) const { rustnn_context_destroy(context); }
  void operator()(RustnnGraph* graph) const { rustnn_graph_destroy(graph); }
  void operator()(RustnnTensor* tensor) const { rustnn_tensor_destroy(tensor); }
};
using Context = std::unique_ptr<RustnnContext, Destroy>;
using Graph = std::unique_ptr<RustnnGraph, Destroy>;
using Tensor = std::unique_ptr<RustnnTensor, Destroy>;
using Bytes = std::vector<unsigned char>;
using Shape = std::vector<std::uint64_t>;

inline void expectSuccess(RustnnStatus status) { EXPECT_EQ(status, RustnnStatus_Success) << rustnn_last_error_message(); }

// Makes a context on the CPU.
inline Context makeContext() {
  RustnnContextOptions options = rustnn_context_options_default();
  options.accelerated = false;
  RustnnContext* context = nullptr;
  expectSuccess(rustnn_context_create(&options, &context));
  return Context(context);
}

inline Graph build(const Context& context, std::string_view json) {
  RustnnGraph* graph = nullptr;
  expectSuccess(rustnn_graph_build(context.get(), json.data(), json.size(), &graph));
  return Graph(graph);
}

inline Tensor makeTensor(const Context& context, RustnnDataType type, const Shape& shape, bool readable = true,
                         bool writable = true) {
  RustnnTensor* tensor = nullptr;
  expectSuccess(rustnn_tensor_create(context.get(), type, shape.data(), shape.size(), readable, writable, &tensor));
  return Tensor(tensor);
}

inline void write(const Context& context, const Tensor& tensor, const Bytes& bytes) {
  expectSuccess(rustnn_tensor_write(context.get(), tensor.get(), bytes.data(), bytes.size()));
}

inline Bytes read(const Context& context, const Tensor& tensor, std::size_t size) {
  Bytes bytes(size);
  expectSuccess(rustnn_tensor_read(context.get(), tensor.get(), bytes.data(), bytes.size()));
  return bytes;
}

template <class T>
Bytes bytesOf(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <class T>
std::vector<T> valuesOf(const Bytes& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

inline std::string base64(const Bytes& bytes) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j) bits = bits << 8 | (j < count ? bytes[i + j] : 0u);
    for (std::size_t j = 0; j < 4; ++j) text += j <= count ? kDigits[bits >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

template <class T>
std::string listOf(const std::vector<T>& numbers) {
  std::string text;
  for (const T number : numbers) text += (text.empty() ? "" : ", ") + std::to_string(number);
  return "[" + text + "]";
}

// Writes a graph in the form that rustnn's GraphInfo has in JSON.
class GraphInfo {
 public:
  using Id = std::uint32_t;

  Id input(const std::string& name, const std::string& type, const Shape& shape) {
    inputs_.push_back(operand("input", name, type, shape));
    return inputs_.back();
  }
  Id constant(const std::string& type, const Shape& shape, const Bytes& bytes) {
    const Id id = operand("constant", "", type, shape);
    constants_ += (constants_.empty() ? "" : ", ") + ("\"" + std::to_string(id)) + "\": {\"data\": \"" + base64(bytes) + "\"}";
    return id;
  }
  Id result(const std::string& name, const std::string& type, const Shape& shape) { return operand("output", name, type, shape); }
  void operation(const std::string& type, const std::vector<Id>& inputs, const std::vector<Id>& outputs,
                 const std::string& attributes = "{}") {
    operations_ += (operations_.empty() ? "" : ", ") + ("{\"type\": \"" + type) + "\", \"input_operands\": " + listOf(inputs) +
                   (outputs.size() == 1 ? ", \"output_operand\": " + std::to_string(outputs[0])
                                        : ", \"output_operands\": " + listOf(outputs)) +
                   ", \"attributes\": " + attributes + "}";
  }
  void output(Id id) { outputs_.push_back(id); }

  std::string json() const {
    return "{\"operands\": [" + operands_ + "], \"input_operands\": " + listOf(inputs_) +
           ", \"output_operands\": " + listOf(outputs_) + ", \"operations\": [" + operations_ +
           "], \"constant_operand_ids_to_handles\": {" + constants_ + "}}";
  }

 private:
  Id operand(const std::string& kind, const std::string& name, const std::string& type, const Shape& shape) {
    operands_ += (operands_.empty() ? "" : ", ") + ("{\"kind\": \"" + kind) + "\"" +
                 (name.empty() ? "" : ", \"name\": \"" + name + "\"") + ", \"descriptor\": {\"data_type\": \"" + type +
                 "\", \"shape\": " + listOf(shape) + "}}";
    return count_++;
  }

  std::string operands_, operations_, constants_;
  std::vector<Id> inputs_, outputs_;
  Id count_ = 0;
};

// Returns the GraphInfo JSON of y = relu(x + c), with x, y and c of shape [4].
inline std::string reluJson(const std::vector<float>& c) {
  GraphInfo info;
  const auto x = info.input("x", "float32", {4});
  const auto sum = info.result("", "float32", {4});
  const auto y = info.result("y", "float32", {4});
  info.operation("add", {x, info.constant("float32", {4}, bytesOf(c))}, {sum});
  info.operation("relu", {sum}, {y});
  info.output(y);
  return info.json();
}

}  // namespace bridge
