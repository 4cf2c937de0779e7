// Tests packed weights that several graphs share. Graphs share weights only if the bytes are equal, and only while one of the
// graphs exists.
#include <cstring>
#include <functional>
#include <random>
#include <thread>

#include "backends/cpu/runtime/weight_memory.h"
#include "support/onnx_model.h"
#include "support/support.h"
#include "webnn/session.h"

namespace webnn::cpu {
namespace WEBNN_TEST_FILE {

std::vector<std::byte> randomBytes(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::byte> bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

std::vector<float> randomFloats(std::size_t count, std::mt19937& random) {
  std::vector<float> values(count);
  for (float& value : values) value = std::uniform_real_distribution<float>(-1, 1)(random);
  return values;
}

const std::byte* add(WeightMemory& memory, const std::vector<std::byte>& bytes, const std::shared_ptr<SharedWeights>& all,
                     PackKey key = {}) {
  std::byte* const at = memory.take(bytes.size());
  std::memcpy(at, bytes.data(), bytes.size());
  return memory.share(at, bytes.size(), std::move(key), all);
}

bool holds(const std::byte* at, const std::vector<std::byte>& bytes) { return std::memcmp(at, bytes.data(), bytes.size()) == 0; }

TEST(CpuSharedWeights, GivesEqualBytesOnceAndTakesNoMemoryForThem) {
  for (const std::size_t size : {std::size_t{5000}, std::size_t{3} << 20, std::size_t{40} << 20}) {
    SCOPED_TRACE(size);
    const auto account = std::make_shared<MemoryAccount>(std::uint64_t{1} << 40);
    const auto bytes = randomBytes(size, 1);
    const auto all = std::make_shared<SharedWeights>();
    WeightMemory first(account), second(account);
    const std::byte* const at = add(first, bytes, all);
    EXPECT_EQ(add(second, bytes, all), at);
    EXPECT_EQ(second.bytesTaken(), 0u);
    EXPECT_EQ(account->inUse(), size);
    // The next block must read as zeros, as if it had never been written.
    std::byte* const next = second.take(size);
    EXPECT_TRUE(holds(next, std::vector<std::byte>(size)));
    second.trim();
  }
}

TEST(CpuSharedWeights, AreNotSharedIfOneBitDiffers) {
  const auto all = std::make_shared<SharedWeights>();
  WeightMemory first, second;
  const auto bytes = randomBytes(100'000, 2);
  const std::byte* const at = add(first, bytes, all);
  for (std::size_t bit = 0; bit < bytes.size() * 8; bit += 99'991) {
    auto other = bytes;
    other[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    const std::byte* const shared = add(second, other, all);
    EXPECT_NE(shared, at) << bit;
    EXPECT_TRUE(holds(shared, other)) << bit;
  }
  auto longer = bytes;
  longer.push_back({});
  EXPECT_NE(add(second, longer, all), at);
  EXPECT_TRUE(holds(at, bytes));
}

TEST(CpuSharedWeights, LiveAsLongAsSomebodyHasThem) {
  const auto account = std::make_shared<MemoryAccount>(std::uint64_t{1} << 40);
  const auto all = std::make_shared<SharedWeights>();
  const auto bytes = randomBytes(1 << 20, 3);
  auto first = std::make_unique<WeightMemory>(account), second = std::make_unique<WeightMemory>(account);
  add(*first, bytes, all);
  const std::byte* const at = add(*second, bytes, all);
  first.reset();
  EXPECT_TRUE(holds(at, bytes));
  EXPECT_EQ(account->inUse(), bytes.size());
  second.reset();
  EXPECT_EQ(account->inUse(), 0u);
  WeightMemory third(account);
  EXPECT_TRUE(holds(add(third, bytes, all), bytes));
}

TEST(CpuSharedWeights, MayBeSharedByThreads) {
  const auto all = std::make_shared<SharedWeights>();
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (unsigned thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (unsigned round = 0; round < 50; ++round) {
        WeightMemory memory;
        for (unsigned seed = 0; seed < 8; ++seed) {
          const auto bytes = randomBytes(8192, (seed + thread) % 8);
          if (!holds(add(memory, bytes, all), bytes)) ++wrong;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

// A session whose input has four different numbers of rows has four graphs. All of them share one copy of the weights.
TEST(CpuSharedWeights, OfASessionAreInMemoryOnceForAllShapes) {
  using namespace test::onnx;
  constexpr int kWidth = 512;
  std::mt19937 random(4);
  const auto floats = [&](std::size_t count) { return randomFloats(count, random); };
  test::onnx::Graph graph;
  std::string last = "x";
  for (int i = 0; i < 4; ++i) {
    const std::string n = std::to_string(i);
    graph.nodes.push_back({"MatMul", {last, "w" + n}, {"m" + n}});
    graph.nodes.push_back({"Tanh", {"m" + n}, {"t" + n}});
    graph.initializers.push_back(tensor("w" + n, {kWidth, kWidth}, floats(kWidth * kWidth)));
    last = "t" + n;
  }
  // The compiler scales the filter of this convolution, so that the packed bytes differ from the model's.
  graph.nodes.push_back({"Reshape", {last, "image"}, {"r"}});
  graph.nodes.push_back({"Conv", {"r", "filter"}, {"c"}});
  graph.nodes.push_back({"Mul", {"c", "scale"}, {"y"}});
  graph.initializers.push_back(tensor("image", {4}, std::vector<std::int64_t>{0, kWidth, 1, 1}));
  graph.initializers.push_back(tensor("filter", {kWidth, kWidth, 1, 1}, floats(kWidth * kWidth)));
  graph.initializers.push_back(tensor("scale", {1, kWidth, 1, 1}, floats(kWidth)));
  graph.inputs = {{"x", kFloat, {{"n", kWidth}}}};
  graph.outputs = {{"y", kFloat, {{"n", kWidth, 1, 1}}}};
  const auto content = std::make_shared<const std::string>(modelBytes({graph}));
  Context context = test::makeContext("cpu");
  const webnn::Session session = Session::load(context, ExternalBytes{std::as_bytes(std::span(*content)), content});
  std::vector<std::uint64_t> inUse;
  for (const std::uint32_t rows : {8U, 16U, 24U, 32U}) {
    session.graph({{"x", {rows, std::uint32_t{kWidth}}}});
    inUse.push_back(context.memoryInUse());
  }
  const std::uint64_t weights = std::uint64_t{5} * kWidth * kWidth * sizeof(float);
  EXPECT_GE(inUse[0], weights);
  EXPECT_LE(inUse[3], inUse[0] + weights / 5);
  // A session that shares weights gives the same results as a session that does not.
  const std::vector<float> x = floats(16 * kWidth);
  const webnn::Session alone =
      Session::load(test::makeContext("cpu"), ExternalBytes{std::as_bytes(std::span(*content)), content});
  const auto a = session.run({{"x", {x, {16, kWidth}}}}), b = alone.run({{"x", {x, {16, kWidth}}}});
  EXPECT_EQ(a.at("y").bytes, b.at("y").bytes);
}

// The algorithm of a convolution must not depend on the batch, because each algorithm packs the filter in its own way.
TEST(CpuSharedWeights, OfConvolutionsArePackedInOneWayForAllBatches) {
  constexpr std::uint32_t kChannels = 256;
  for (const std::uint32_t size : {7U, 14U, 28U}) {
    SCOPED_TRACE(size);
    const auto filter = std::make_shared<std::vector<float>>(kChannels * kChannels * 9, 0.25F);
    for (std::size_t i = 0; i < filter->size(); ++i) (*filter)[i] += 0.001F * static_cast<float>(i % 97);
    Context context = test::makeContext("cpu");
    std::vector<std::string> kernels;
    for (const std::uint32_t batch : {1U, 2U, 3U, 8U, 32U}) {
      GraphBuilder builder(context);
      const Operand x = builder.input("x", {DataType::float32, {batch, kChannels, size, size}});
      const Operand w = builder.constant({DataType::float32, {kChannels, kChannels, 3, 3}},
                                         ExternalBytes{std::as_bytes(std::span(*filter)), filter});
      const Graph graph = builder.build({{"y", builder.conv2d(x, w, {.padding = {1, 1, 1, 1}})}});
      const std::vector<OperationPlacement> placement = graph.placement();
      ASSERT_EQ(placement.size(), 1u);
      ASSERT_FALSE(placement[0].kernels.empty());
      if (kernels.empty()) kernels = placement[0].kernels;
      EXPECT_EQ(placement[0].kernels, kernels) << batch;
    }
  }
}

// A session of a decoder layer with a growing cache gives the same results at each length as a session that runs only this
// length.
TEST(CpuSharedWeights, ASessionComputesEachLengthAsASessionOfItsOwn) {
  using namespace test::onnx;
  constexpr int kHeads = 2, kSize = 16, kWidth = kHeads * kSize;
  std::mt19937 random(7);
  const auto floats = [&](std::size_t count) { return randomFloats(count, random); };
  test::onnx::Graph graph;
  const auto weights = [&](const std::string& name, std::vector<std::int64_t> dims, std::size_t count) {
    graph.initializers.push_back(tensor(name, std::move(dims), floats(count)));
  };
  for (const std::string name : {"q", "k", "v"}) {
    weights("w" + name, {kWidth, kWidth}, kWidth * kWidth);
    graph.nodes.push_back({"MatMul", {"x", "w" + name}, {name + "m"}});
    graph.nodes.push_back({"Reshape", {name + "m", "heads"}, {name + "r"}});
    graph.nodes.push_back({"Transpose", {name + "r"}, {name}, {{"perm", std::vector<std::int64_t>{0, 2, 1, 3}}}});
  }
  graph.initializers.push_back(tensor("heads", {4}, std::vector<std::int64_t>{0, 0, kHeads, kSize}));
  graph.initializers.push_back(tensor("rows", {3}, std::vector<std::int64_t>{0, 0, kWidth}));
  weights("positions", {64, kWidth}, 64 * kWidth);
  graph.initializers.push_back(tensor("zero", {1}, std::vector<std::int64_t>{0}));
  graph.initializers.push_back(tensor("two", {1}, std::vector<std::int64_t>{2}));
  graph.initializers.push_back(tensor("three", {1}, std::vector<std::int64_t>{3}));
  graph.nodes.insert(graph.nodes.end(), {{"Concat", {"past", "k"}, {"present"}, {{"axis", 2}}},
                                         {"Concat", {"past", "v"}, {"values"}, {{"axis", 2}}},
                                         {"Transpose", {"present"}, {"kt"}, {{"perm", std::vector<std::int64_t>{0, 1, 3, 2}}}},
                                         {"MatMul", {"q", "kt"}, {"scores"}},
                                         {"Softmax", {"scores"}, {"p"}, {{"axis", -1}}},
                                         {"MatMul", {"p", "values"}, {"o"}},
                                         {"Transpose", {"o"}, {"ot"}, {{"perm", std::vector<std::int64_t>{0, 2, 1, 3}}}},
                                         {"Reshape", {"ot", "rows"}, {"or"}},
                                         {"Shape", {"present"}, {"shape"}},
                                         {"Slice", {"shape", "two", "three"}, {"length"}},
                                         {"Slice", {"positions", "zero", "length", "zero"}, {"seen"}},
                                         {"ReduceSum", {"seen", "zero"}, {"sum"}},
                                         {"Add", {"or", "sum"}, {"y"}}});
  graph.inputs = {{"x", kFloat, {{1, "s", kWidth}}}, {"past", kFloat, {{1, kHeads, "p", kSize}}}};
  graph.outputs = {{"y", kFloat, {{1, "s", kWidth}}}, {"present", kFloat, {{1, kHeads, "t", kSize}}}};
  const auto content = std::make_shared<const std::string>(modelBytes({graph}));
  const auto open = [&] {
    return Session::load(test::makeContext("cpu"), ExternalBytes{std::as_bytes(std::span(*content)), content});
  };
  const webnn::Session session = open();
  for (const auto& [rows, past] : {std::pair(8U, 1U), {1U, 9U}, {1U, 10U}, {1U, 11U}, {3U, 31U}, {1U, 1U}, {2U, 1U}}) {
    SCOPED_TRACE(past);
    const std::vector<float> x = floats(std::size_t{rows} * kWidth), old = floats(std::size_t{past} * kWidth);
    const std::map<std::string, ArrayView> inputs{{"x", {x, {1, rows, kWidth}}}, {"past", {old, {1, kHeads, past, kSize}}}};
    const auto one = session.run(inputs), other = open().run(inputs);
    EXPECT_EQ(one.at("y").bytes, other.at("y").bytes);
    EXPECT_EQ(one.at("present").bytes, other.at("present").bytes);
  }
}

PackKey keyOfBytes(const std::shared_ptr<const std::vector<std::byte>>& bytes, std::size_t size = 0) {
  return {"test", {{bytes->data(), bytes->size(), bytes}, {}}, {size}};
}

TEST(CpuSharedWeights, AreFoundByKeyAsLongAsTheirConstantAndABlockLive) {
  const auto all = std::make_shared<SharedWeights>();
  auto owner = std::make_shared<const std::vector<std::byte>>(randomBytes(64, 5));
  const PackKey key = keyOfBytes(owner), other = keyOfBytes(owner, 1);
  auto first = std::make_unique<WeightMemory>();
  const std::byte* const at = add(*first, randomBytes(100, 6), all, key);  // the piece is too small to be found by its bytes
  WeightMemory second;
  EXPECT_EQ(second.find(key, *all), at);
  EXPECT_EQ(second.find(other, *all), nullptr);
  first.reset();
  EXPECT_TRUE(holds(second.find(key, *all), randomBytes(100, 6)));  // `second` keeps the block alive

  // Another constant may later have the same address. Its owner differs.
  PackKey successor = keyOfBytes(owner);
  successor.constants[0].owner = std::make_shared<int>();
  EXPECT_EQ(second.find(successor, *all), nullptr);
  PackKey unowned = keyOfBytes(owner);
  unowned.constants[0].owner = nullptr;
  EXPECT_EQ(second.find(unowned, *all), nullptr);

  // Destroys the constant. Keys with its address then find nothing, whether they have no owner or a new one.
  const std::weak_ptr<const void> gone = owner;
  successor = key;
  successor.constants[0].owner = std::make_shared<int>();
  const_cast<PackKey&>(key).constants[0].owner = nullptr;
  const_cast<PackKey&>(other).constants[0].owner = nullptr;
  owner = nullptr;
  EXPECT_TRUE(gone.expired());
  EXPECT_EQ(second.find(successor, *all), nullptr);
  EXPECT_EQ(second.find(key, *all), nullptr);
}

TEST(CpuSharedWeights, AreNotRegisteredWithoutAnOwner) {
  const auto all = std::make_shared<SharedWeights>();
  WeightMemory memory;
  const auto bytes = randomBytes(100, 7);
  const PackKey key{"test", {{bytes.data(), bytes.size(), nullptr}}, {}};
  add(memory, bytes, all, key);
  EXPECT_EQ(memory.find(key, *all), nullptr);
}

// A layer with constant weights for inputs of any size. All graphs use the same weights.
struct Layer {
  std::string name;
  std::function<Operand(GraphBuilder&, std::uint32_t size)> build;
};

class Weights {
 public:
  explicit Weights(unsigned seed) : random_(seed) {}
  std::size_t below(std::size_t count) { return random_() % count; }
  // Returns a function that makes the same constant in any builder.
  std::function<Operand(GraphBuilder&)> make(DataType type, const Shape& shape) {
    std::vector<std::byte> bytes(byteLength({type, shape}));
    if (type == DataType::float32) {
      for (std::size_t i = 0; i < bytes.size(); i += 4) {
        const float value = std::uniform_real_distribution<float>(-1, 1)(random_);
        std::memcpy(&bytes[i], &value, 4);
      }
    } else if (type == DataType::float16) {
      for (std::size_t i = 0; i < bytes.size(); i += 2) {
        const std::uint16_t value = Half(std::uniform_real_distribution<double>(-1, 1)(random_)).bits();
        std::memcpy(&bytes[i], &value, 2);
      }
    } else {
      for (std::byte& byte : bytes) byte = static_cast<std::byte>(random_());
    }
    return constant({type, shape}, all_.emplace_back(std::make_shared<std::vector<std::byte>>(std::move(bytes))));
  }
  // Works like make(), for scales. spoil() does not overwrite them, because every compilation reads them.
  std::function<Operand(GraphBuilder&)> scales(const Shape& shape) {
    std::vector<std::byte> bytes(byteLength({DataType::float32, shape}));
    for (std::size_t i = 0; i < bytes.size(); i += 4) {
      const float value = std::uniform_real_distribution<float>(0.01F, 0.02F)(random_);
      std::memcpy(&bytes[i], &value, 4);
    }
    return constant({DataType::float32, shape}, std::make_shared<std::vector<std::byte>>(std::move(bytes)));
  }
  std::function<Operand(GraphBuilder&)> filled(DataType type, const Shape& shape, std::uint8_t value) {
    return constant({type, shape}, std::make_shared<std::vector<std::byte>>(byteLength({type, shape}), std::byte{value}));
  }

  // Overwrites the weights that make() has made, so that a graph that reads them again would compute other results.
  void spoil() {
    for (const auto& bytes : all_) std::ranges::fill(*bytes, std::byte{0x3C});
  }

 private:
  static std::function<Operand(GraphBuilder&)> constant(OperandDescriptor descriptor,
                                                        std::shared_ptr<std::vector<std::byte>> bytes) {
    return [=](GraphBuilder& builder) { return builder.constant(descriptor, ExternalBytes{*bytes, bytes}); };
  }

  std::mt19937 random_;
  std::vector<std::shared_ptr<std::vector<std::byte>>> all_;
};

Layer randomConv(Weights& weights, DataType type, bool isTransposed) {
  const std::uint32_t groups = std::array{1U, 1U, 2U, 16U}[weights.below(4)], inputs = groups == 16 ? 16 : 8 * groups,
                      outputs = groups == 16 ? 16 : 16 * groups;
  const auto height = static_cast<std::uint32_t>(1 + weights.below(5)), width = static_cast<std::uint32_t>(1 + weights.below(5));
  const std::vector<std::uint32_t> strides{1 + static_cast<std::uint32_t>(weights.below(2)), 1},
      dilations{1, 1 + static_cast<std::uint32_t>(weights.below(2))}, padding{0, height - 1, width / 2, width / 2};
  if (isTransposed) {
    const auto filter = weights.make(type, {inputs, outputs / groups, height, width});
    return {"convTranspose2d", [=](GraphBuilder& b, std::uint32_t size) {
              return b.convTranspose2d(b.input("x", {type, {1, inputs, size, size + 3}}), filter(b),
                                       {.strides = strides, .dilations = dilations, .groups = groups});
            }};
  }
  const auto filter = weights.make(type, {outputs, inputs / groups, height, width});
  return {"conv2d", [=](GraphBuilder& b, std::uint32_t size) {
            return b.conv2d(b.input("x", {type, {1, inputs, size, size + 3}}), filter(b),
                            {.padding = padding, .strides = strides, .dilations = dilations, .groups = groups});
          }};
}

Layer randomWinograd(Weights& weights) {
  const auto filter = weights.make(DataType::float32, {32, 32, 3, 3});
  return {"3x3", [=](GraphBuilder& b, std::uint32_t size) {
            return b.conv2d(b.input("x", {DataType::float32, {1, 32, 2 * size, 2 * size + 1}}), filter(b),
                            {.padding = {{1, 1, 1, 1}}});
          }};
}

Layer randomMatmul(Weights& weights, DataType type) {
  const auto b0 = weights.make(type, {40, 72}), b1 = weights.make(type, {64, 72});
  return {"matmul", [=](GraphBuilder& b, std::uint32_t size) {
            return b.gemm(b.matmul(b.input("x", {type, {size, 40}}), b0(b)), b1(b), {.bTranspose = true});
          }};
}

Layer randomRecurrent(Weights& weights, bool isLstm) {
  const std::uint32_t hidden = 24, gates = isLstm ? 4 : 3;
  const auto weight = weights.make(DataType::float32, {2, gates * hidden, 16}),
             recurrent = weights.make(DataType::float32, {2, gates * hidden, hidden});
  return {isLstm ? "lstm" : "gru", [=](GraphBuilder& b, std::uint32_t size) {
            const Operand x = b.input("x", {DataType::float32, {size, 2, 16}});
            const auto direction = RecurrentNetworkDirection::both;
            return isLstm ? b.lstm(x, weight(b), recurrent(b), size, hidden, {.direction = direction})[0]
                          : b.gru(x, weight(b), recurrent(b), size, hidden, {.direction = direction})[0];
          }};
}

Layer randomQuantized(Weights& weights, bool isConv, bool isSigned) {
  const DataType type = isSigned ? DataType::int8 : DataType::uint8;
  const std::uint32_t channels = isConv && weights.below(2) ? 1 : 32;
  const Shape shape = isConv ? Shape{32, channels, 3, 3} : Shape{48, 32};
  const auto filter = weights.make(type, shape), scale = weights.scales(Shape(shape.size(), 1)),
             zero = weights.filled(type, Shape(shape.size(), 1), isSigned || weights.below(2) ? 0 : 128),
             one = weights.scales(Shape(shape.size(), 1)), none = weights.filled(DataType::uint8, Shape(shape.size(), 1), 128);
  return {isConv ? "quantized conv2d" : "quantized gemm", [=](GraphBuilder& b, std::uint32_t size) {
            const Operand x = b.input("x", {DataType::uint8, isConv ? Shape{1, 32, size, size + 2} : Shape{size, 32}});
            const Operand real = b.dequantizeLinear(x, one(b), none(b)), w = b.dequantizeLinear(filter(b), scale(b), zero(b));
            const Operand y = isConv ? b.conv2d(real, w, {.padding = {{1, 1, 1, 1}}, .groups = 32 / channels})
                                     : b.gemm(real, w, {.bTranspose = true});
            return b.quantizeLinear(y, b.constant({DataType::float32, Shape(shape.size(), 1)}, {0.3F}), none(b));
          }};
}

Layer randomInt4(Weights& weights) {
  const auto b0 = weights.make(DataType::uint4, {64, 64}), scale = weights.scales({64, 2}),
             zero = weights.make(DataType::uint4, {64, 2});
  return {"int4", [=](GraphBuilder& b, std::uint32_t size) {
            const Operand w = b.transpose(b.dequantizeLinear(b0(b), scale(b), zero(b)), {.permutation = {{1, 0}}});
            return b.matmul(b.input("x", {DataType::float32, {size, 64}}), w);
          }};
}

std::vector<std::byte> resultOf(const Context& context, const Layer& layer, std::uint32_t size) {
  GraphBuilder builder(context);
  const webnn::Graph graph = builder.build({{"y", layer.build(builder, size)}});
  std::vector<std::byte> x(byteLength(graph.inputs()[0].second)), y(byteLength(graph.outputs()[0].second));
  std::mt19937 random(size);
  if (graph.inputs()[0].second.dataType == DataType::float32) {
    for (std::size_t i = 0; i < x.size(); i += 4) {
      const float value = std::uniform_real_distribution<float>(-1, 1)(random);
      std::memcpy(&x[i], &value, 4);
    }
  } else {
    for (std::byte& byte : x) byte = static_cast<std::byte>(random() % 0x3C);  // the bytes are also finite as float16
  }
  graph.compute({{x}}, {{y}});
  return y;
}

// Graphs for other sizes in one context give the same results as in separate contexts, and do not read the weights again.
TEST(CpuSharedWeights, OfLayersForOtherSizesAreFoundByKeyAndRight) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    Weights weights(seed);
    std::vector<Layer> layers{randomConv(weights, DataType::float32, false),
                              randomConv(weights, DataType::float16, false),
                              randomConv(weights, DataType::float32, true),
                              randomConv(weights, DataType::float16, true),
                              randomWinograd(weights),
                              randomMatmul(weights, DataType::float32),
                              randomMatmul(weights, DataType::float16),
                              randomRecurrent(weights, true),
                              randomRecurrent(weights, false),
                              randomQuantized(weights, true, true),
                              randomQuantized(weights, true, false),
                              randomQuantized(weights, false, true),
                              randomQuantized(weights, false, false),
                              randomInt4(weights)};
    const std::vector<std::uint32_t> sizes{12, 13, 29, 17, 12};
    std::vector<std::vector<std::byte>> expected;
    for (const Layer& layer : layers) {
      for (const std::uint32_t size : sizes) expected.push_back(resultOf(test::makeContext("cpu"), layer, size));
    }
    const Context context = test::makeContext("cpu");
    std::vector<webnn::Graph> kept;
    for (const Layer& layer : layers) {
      // Builds graphs for two sizes, in case the layout of the weights depends on the size.
      for (const std::uint32_t size : {29U, 12U}) {
        GraphBuilder builder(context);
        kept.push_back(builder.build({{"y", layer.build(builder, size)}}));
      }
    }
    weights.spoil();
    for (std::size_t i = 0; i < layers.size(); ++i) {
      for (std::size_t j = 0; j < sizes.size(); ++j) {
        EXPECT_EQ(resultOf(context, layers[i], sizes[j]), expected[i * sizes.size() + j])
            << layers[i].name << " seed " << seed << " size " << sizes[j];
      }
    }
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::cpu
