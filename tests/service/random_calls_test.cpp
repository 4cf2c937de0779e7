// Makes the same random calls on several threads to a context of the service and to a context in this process. The results must
// be equal.
//   WEBNN_RANDOM_CALLS=SECONDS test_faults --gtest_filter='RandomCalls.*'   runs longer than the default second
#include <algorithm>
#include <array>
#include <cstdlib>
#include <future>
#include <map>
#include <random>

#include "service/clients.h"
#include "service/processes.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using namespace test;

using Bytes = std::vector<std::byte>;

// Element counts near the sizes at which the placement of tensors in shared memory changes: 64 bytes, 64 KiB, 1 MiB.
constexpr std::array<std::uint32_t, 16> kSizes{1,     2,     15,    16,    17,    33,     1000,   4095,
                                               16383, 16384, 16385, 20000, 65535, 262143, 262144, 262145};
constexpr std::array kTypes{DataType::float32, DataType::float16, DataType::int8,
                            DataType::uint8,   DataType::int32,   DataType::int64};

// A context of the service (`there`) and a context of this process (`here`). TwinTensor and TwinGraph are the same object in
// both.
struct Twins {
  Context there, here;
};
struct TwinTensor {
  Tensor there, here;
  DataType type = DataType::float32;
  std::uint32_t size = 0;
  bool isKnown = true;  // whether the contents are known
};
struct TwinGraph {
  Graph there, here;
  DataType type = DataType::float32;
  std::uint32_t size = 0;
};

// Makes random calls on one thread, with its own tensors and graphs.
class Caller {
 public:
  Caller(Twins& contexts, std::uint32_t seed) : contexts_(contexts), seed_(seed), random_(seed) {}

  // Makes a random call. Returns a fault, or an empty string.
  std::string call() {
    switch (below(12)) {
      case 0: return makeTensor(), "";
      case 1: return makeGraph(), "";
      case 2: return write();
      case 3: return destroy(), "";
      case 4:
      case 5: return read();
      case 6:
      case 7: return compute();
      case 8: return endEarly();
      default: return dispatch();
    }
  }
  std::uint32_t seed() const { return seed_; }

 private:
  std::uint32_t below(std::size_t count) { return static_cast<std::uint32_t>(random_() % count); }
  Bytes randomBytes(std::size_t size) {
    Bytes bytes(size);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random_());
    return bytes;
  }
  // Returns bytes that are finite numbers in every type, because their exponents are small.
  Bytes values(DataType type, std::uint32_t size) {
    Bytes bytes = randomBytes(byteLength(OperandDescriptor{type, {size}}));
    const std::size_t width = type == DataType::float32 ? 4 : type == DataType::float16 ? 2 : 0;
    for (std::size_t i = width; width != 0 && i <= bytes.size(); i += width) bytes[i - 1] &= std::byte{0x3F};
    return bytes;
  }

  void makeTensor() {
    const DataType type = kTypes[below(kTypes.size())];
    const std::uint32_t size = kSizes[below(kSizes.size())];
    const TensorDescriptor descriptor{type, {size}, true, true};
    if (tensors_.size() > 40) tensors_.erase(tensors_.begin() + below(tensors_.size()));
    tensors_.push_back({contexts_.there.createTensor(descriptor), contexts_.here.createTensor(descriptor), type, size});
  }

  void makeGraph() {
    const DataType type = kTypes[below(kTypes.size())];
    const std::uint32_t size = kSizes[below(kSizes.size())], kind = below(4);
    const Bytes constant = values(type, size);
    const auto build = [&](const Context& context) {
      GraphBuilder builder(context);
      const OperandDescriptor descriptor{type, {size}};
      const Operand a = builder.input("a", descriptor), b = builder.input("b", descriptor);
      const Operand sum = builder.add(a, b);
      if (kind == 0) return builder.build({{"y", builder.max(sum, builder.constant(descriptor, constant))}});
      if (kind == 1) return builder.build({{"y", builder.reverse(sum)}});
      if (kind == 2) return builder.build({{"y", builder.min(sum, a)}, {"z", builder.max(a, b)}});
      return builder.build({{"y", sum}});
    };
    if (graphs_.size() > 6) graphs_.erase(graphs_.begin() + below(graphs_.size()));
    graphs_.push_back({build(contexts_.there), build(contexts_.here), type, size});
  }

  void destroy() {
    if (tensors_.empty()) return;
    const auto tensor = tensors_.begin() + below(tensors_.size());
    if (below(2) == 0) {
      tensor->there.destroy();
      tensor->here.destroy();
    }
    tensors_.erase(tensor);
    if (graphs_.empty() || below(4) != 0) return;
    const auto graph = graphs_.begin() + below(graphs_.size());
    graph->there.destroy();
    graph->here.destroy();
    graphs_.erase(graph);
  }

  std::string write() {
    if (tensors_.empty()) return "";
    TwinTensor& tensor = tensors_[below(tensors_.size())];
    const Bytes bytes = values(tensor.type, tensor.size);
    contexts_.there.writeTensor(tensor.there, bytes);
    contexts_.here.writeTensor(tensor.here, bytes);
    tensor.isKnown = true;
    return "";
  }

  std::string read() {
    if (tensors_.empty()) return "";
    const TwinTensor& tensor = tensors_[below(tensors_.size())];
    auto there = contexts_.there.readTensor(tensor.there), here = contexts_.here.readTensor(tensor.here);
    if (there.wait_for(std::chrono::milliseconds(kDeadline)) != std::future_status::ready) return "a read does not end";
    return textOf(there) == textOf(here) || !tensor.isKnown ? "" : "a tensor of " + std::to_string(tensor.size) + " differs";
  }
  // Returns the bytes or the error of a read as text.
  static std::string textOf(std::future<Bytes>& read) {
    try {
      const Bytes bytes = read.get();
      return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    } catch (const Error& error) {
      return error.what();
    }
  }

  // Dispatches a random graph in both contexts. Each input and output is another tensor; makes the tensors that are missing.
  std::string dispatch(const CallOptions& options = {}) {
    if (graphs_.empty()) return "";
    const TwinGraph& graph = graphs_[below(graphs_.size())];
    std::vector<std::size_t> fitting;
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      if (tensors_[i].type == graph.type && tensors_[i].size == graph.size) fitting.push_back(i);
    }
    std::ranges::shuffle(fitting, random_);
    const auto outputs = graph.here.outputs();
    while (fitting.size() < outputs.size() + 2) {
      const TensorDescriptor descriptor{graph.type, {graph.size}, true, true};
      tensors_.push_back(
          {contexts_.there.createTensor(descriptor), contexts_.here.createTensor(descriptor), graph.type, graph.size});
      fitting.push_back(tensors_.size() - 1);
    }
    const bool mayEnd = options.timeout != std::chrono::nanoseconds::max();
    bool isKnown = !mayEnd;
    std::vector<NamedTensor> inputsThere, inputsHere, outputsThere, outputsHere;
    for (const char* const name : {"a", "b"}) {
      const TwinTensor& tensor = tensors_[fitting.back()];
      fitting.pop_back();
      inputsThere.emplace_back(name, tensor.there);
      inputsHere.emplace_back(name, tensor.here);
      isKnown = isKnown && tensor.isKnown;
    }
    for (const auto& [name, descriptor] : outputs) {
      TwinTensor& tensor = tensors_[fitting.back()];
      fitting.pop_back();
      outputsThere.emplace_back(name, tensor.there);
      outputsHere.emplace_back(name, tensor.here);
      tensor.isKnown = isKnown;
    }
    contexts_.there.dispatch(graph.there, inputsThere, outputsThere, options);
    contexts_.here.dispatch(graph.here, inputsHere, outputsHere, options);
    return "";
  }
  std::string endEarly() { return dispatch({.timeout = std::chrono::microseconds(below(200))}); }

  // Calls compute() with arrays at arbitrary addresses.
  std::string compute() {
    if (graphs_.empty()) return "";
    const TwinGraph& graph = graphs_[below(graphs_.size())];
    const std::size_t length = byteLength(OperandDescriptor{graph.type, {graph.size}}), shift = below(3);
    Bytes a(shift), b(shift + 1);
    for (Bytes* const bytes : {&a, &b}) {
      const Bytes more = values(graph.type, graph.size);
      bytes->insert(bytes->end(), more.begin(), more.end());
    }
    const std::vector inputs{std::span<const std::byte>(a).subspan(shift), std::span<const std::byte>(b).subspan(shift + 1)};
    const auto run = [&](const Graph& which) {
      std::vector<Bytes> results(which.outputs().size(), Bytes(length + shift, std::byte{0x5A}));
      std::vector<std::span<std::byte>> outputs;
      for (Bytes& result : results) outputs.push_back(std::span(result).subspan(shift));
      which.compute(inputs, outputs);
      return results;
    };
    return run(graph.there) == run(graph.here) ? "" : "a graph of " + std::to_string(graph.size) + " computes something else";
  }

  Twins& contexts_;
  const std::uint32_t seed_;
  std::mt19937 random_;
  std::vector<TwinTensor> tensors_;
  std::vector<TwinGraph> graphs_;
};

TEST(RandomCalls, AreAnsweredAsInThisProcess) {
  const char* const variable = std::getenv("WEBNN_RANDOM_CALLS");
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(variable ? std::atoi(variable) : 1);
  std::uint32_t seed = variable ? std::random_device()() : 1;
  std::size_t calls = 0;
  do {
    Twins contexts{Context::create({.backend = "cpu", .service = "private", .threads = 1 + seed % 3}),
                   Context::create({.backend = "cpu", .threads = 1})};
    std::vector<std::future<std::size_t>> threads;
    for (std::uint32_t i = 0; i < 4; ++i) {
      threads.push_back(std::async(std::launch::async, [&contexts, caller = std::make_shared<Caller>(contexts, seed + i)] {
        for (std::size_t call = 0; call < 300; ++call) {
          const std::string fault = caller->call();
          EXPECT_EQ(fault, "") << "seed " << caller->seed() << ", call " << call;
          if (!fault.empty()) return call;
        }
        return std::size_t{300};
      }));
    }
    for (auto& thread : threads) calls += thread.get();
    seed += 4;
  } while (std::chrono::steady_clock::now() < end && !HasFailure());
  std::cout << calls << " calls\n";
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
