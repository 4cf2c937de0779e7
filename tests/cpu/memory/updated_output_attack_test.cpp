// Tests dispatches of several graphs with several tensors in random order, interleaved with writes, cancelled runs, destroyed
// tensors and new graphs. Outputs that the engine computes by updating an input's memory must equal the reference backend's.
#include <algorithm>
#include <stop_token>
#include <string>

#include "cpu/dice.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

class Updates {
 public:
  explicit Updates(std::uint32_t seed)
      : dice_(seed),
        context_(Context::create({.backend = "cpu",
                                  .execution = dice_.oneIn(2) ? Execution::worker : Execution::callerThread,
                                  .threads = dice_.of({1U, 2U})})) {}

  void run() {
    using enum DataType;
    type_ = dice_.of({float32, float32, float16, int8, uint8, int64, uint4, int4});
    cache_ = {dice_.size(1, 4), dice_.size(1, 9), dice_.size(1, 7)};
    if (bitsPerElement(type_) == 4) cache_[2] = 2 * dice_.size(1, 3);
    for (int i = dice_.from(2, 4); i > 0; --i) tensors_.push_back(fresh(cache_));
    held_.assign(tensors_.size(), std::vector<std::byte>(byteLength({type_, cache_})));
    for (int i = dice_.from(1, 4); i > 0; --i) addGraph();
    for (int i = 0; i < 60; ++i) {
      SCOPED_TRACE("step " + std::to_string(i));
      std::size_t from = any(tensors_.size()), to = other(from);
      const std::size_t graph = any(graphs_.size());
      for (int turns = dice_.from(1, 6); turns > 0; --turns) {
        dispatch(graphs_[dice_.oneIn(4) ? any(graphs_.size()) : graph], from, to);
        if (!dice_.oneIn(4)) std::swap(from, to);
      }
      disturb();
      for (std::size_t t = 0; t < tensors_.size(); ++t) ASSERT_EQ(bytesOf(tensors_[t]), held_[t]) << "tensor " << t;
    }
  }

 private:
  struct Updating {
    Graph graph, expected;
  };

  std::size_t any(std::size_t count) { return static_cast<std::size_t>(dice_.from(0, static_cast<int>(count) - 1)); }
  std::size_t other(std::size_t than) { return (than + 1 + any(tensors_.size() - 1)) % tensors_.size(); }
  Tensor fresh(const Shape& shape) { return fresh({type_, shape}); }
  Tensor fresh(const OperandDescriptor& of) {
    return context_.createTensor({.dataType = of.dataType, .shape = of.shape, .readable = true, .writable = true});
  }
  std::vector<std::byte> bytesOf(const Tensor& tensor) {
    std::vector<std::byte> bytes(byteLength({tensor.dataType(), tensor.shape()}));
    context_.readTensor(tensor, bytes).get();
    return bytes;
  }
  std::vector<std::byte> random(const OperandDescriptor& of) {
    if (of.dataType == DataType::int32) return pack(of, dice_.numbers(elementCount(of), -12, 12));  // indices
    std::vector<std::byte> bytes(byteLength(of));
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(dice_.from(0, 255));
    return bytes;
  }

  // Builds the same graph for both backends.
  void addGraph() {
    const std::uint32_t seed = dice_.size(0, 1U << 30);
    Context reference = makeContext();
    graphs_.push_back({makeGraph(context_, seed), makeGraph(reference, seed)});
  }
  Graph makeGraph(Context& context, std::uint32_t seed) {
    Dice dice(seed);
    GraphBuilder b(context);
    std::vector<NamedOperand> results;
    const int caches = dice.from(1, 2);
    for (int i = 0; i < caches; ++i) {
      const std::string name = std::to_string(i);
      const Operand cache = b.input("cache" + name, {type_, cache_});
      Operand y = scattered(b, dice, cache, name);
      if (dice.oneIn(4)) y = scattered(b, dice, y, name + "again");
      if (dice.oneIn(6)) y = scattered(b, dice, cache, name + "anew");
      if (dice.oneIn(5)) y = b.reshape(b.reshape(y, {cache_[0] * cache_[1], cache_[2]}), cache_);
      if (dice.oneIn(9)) y = b.identity(y);
      results.emplace_back("next" + name, y);
      if (dice.oneIn(5)) results.emplace_back("more" + name, b.reshape(y, {cache_[0] * cache_[1] * cache_[2]}));
    }
    return b.build(results);
  }
  Operand scattered(GraphBuilder& b, Dice& dice, Operand x, const std::string& name) {
    if (dice.oneIn(8)) x = b.reshape(b.reshape(x, {cache_[0], cache_[1] * cache_[2]}), cache_);
    if (dice.oneIn(2)) {
      const std::uint32_t axis = dice.size(0, 2);
      Shape shape = cache_;
      shape[axis] = dice.size(1, 3);
      if (dice.oneIn(40)) shape[axis] = 400;  // so many rows that the engine no longer tracks each updated range
      if (bitsPerElement(type_) == 4 && countOf(shape) % 2 == 1) shape[axis] += 1;
      const Operand indices = b.input("indices" + name, {DataType::int32, shape});
      return b.scatterElements(x, indices, b.input("updates" + name, {type_, shape}), {.axis = axis});
    }
    const std::uint32_t depth = dice.size(1, bitsPerElement(type_) == 4 ? 2 : 3);
    const std::uint32_t count = dice.oneIn(20) ? 300 : dice.size(1, 4);
    Shape updates{count};
    updates.insert(updates.end(), cache_.begin() + depth, cache_.end());
    const Operand indices = b.input("indices" + name, {DataType::int32, {count, depth}});
    return b.scatterND(x, indices, b.input("updates" + name, {type_, updates}));
  }

  void dispatch(const Updating& g, std::size_t from, std::size_t to) {
    std::vector<NamedTensor> inputs, outputs;
    std::vector<std::vector<std::byte>> given, expected;
    for (const auto& [name, descriptor] : g.graph.inputs()) {
      const std::size_t source = name == "cache1" ? other(to) : from;
      if (name == "cache0" || (name == "cache1" && source != from)) {
        inputs.emplace_back(name, tensors_[source]);
        given.push_back(held_[source]);
      } else {
        inputs.emplace_back(name, fresh(descriptor));
        given.push_back(random(descriptor));
        context_.writeTensor(inputs.back().second, given.back());
      }
    }
    for (const auto& [name, descriptor] : g.graph.outputs()) {
      outputs.emplace_back(name, name == "next0" ? tensors_[to] : fresh(descriptor));
      expected.emplace_back(byteLength(descriptor));
    }
    g.expected.compute(std::vector<std::span<const std::byte>>(given.begin(), given.end()),
                       std::vector<std::span<std::byte>>(expected.begin(), expected.end()));
    if (dice_.oneIn(15)) {  // a cancelled run may have written part of its outputs
      std::stop_source stop;
      if (dice_.oneIn(2)) stop.request_stop();
      context_.dispatch(g.graph, inputs, outputs, {.stop = stop.get_token()});
      stop.request_stop();
    }
    context_.dispatch(g.graph, inputs, outputs);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i].first == "next0") {
        held_[to] = expected[i];
      } else {
        ASSERT_EQ(bytesOf(outputs[i].second), expected[i]) << outputs[i].first;
      }
    }
  }

  void disturb() {
    const std::size_t t = any(tensors_.size());
    switch (dice_.from(0, 5)) {
      case 0: held_[t] = random({type_, cache_}); return context_.writeTensor(tensors_[t], held_[t]);
      case 1:  // replaces the tensor by a new one, possibly in the same memory
        tensors_[t].destroy();
        tensors_[t] = fresh(cache_);
        std::ranges::fill(held_[t], std::byte{0});
        return;
      case 2: {
        const std::size_t u = any(tensors_.size());
        std::swap(tensors_[t], tensors_[u]), std::swap(held_[t], held_[u]);
        return;
      }
      case 3: return addOrDrop();
      default: return;
    }
  }
  void addOrDrop() {
    if (graphs_.size() > 2) graphs_.erase(graphs_.begin() + static_cast<std::ptrdiff_t>(any(graphs_.size())));
    addGraph();
  }

  Dice dice_;
  Context context_;
  DataType type_ = DataType::float32;
  Shape cache_;
  std::vector<Tensor> tensors_;
  std::vector<std::vector<std::byte>> held_;
  std::vector<Updating> graphs_;
};

TEST(UpdatedOutputAttack, AgreesWithTheReference) { runSeeds<Updates>(20); }

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
