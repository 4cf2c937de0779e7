// Packed weights that several graphs share: by their bytes, never other bytes, and as long as one of the graphs lives.
#include <cstring>
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

std::byte* add(WeightMemory& memory, const std::vector<std::byte>& bytes, SharedWeights& all) {
  std::byte* const at = memory.take(bytes.size());
  std::memcpy(at, bytes.data(), bytes.size());
  return memory.share(at, bytes.size(), all);
}

bool holds(const std::byte* at, const std::vector<std::byte>& bytes) { return std::memcmp(at, bytes.data(), bytes.size()) == 0; }

TEST(CpuSharedWeights, GivesEqualBytesOnceAndTakesNoMemoryForThem) {
  for (const std::size_t size : {std::size_t{5000}, std::size_t{3} << 20, std::size_t{40} << 20}) {
    SCOPED_TRACE(size);
    const auto account = std::make_shared<MemoryAccount>(std::uint64_t{1} << 40);
    const auto bytes = randomBytes(size, 1);
    SharedWeights all;
    WeightMemory first(account), second(account);
    std::byte* const at = add(first, bytes, all);
    EXPECT_EQ(add(second, bytes, all), at);
    EXPECT_EQ(second.bytesTaken(), 0u);
    EXPECT_EQ(account->inUse(), size);
    // The next block reads as zeros, as if nobody had written it.
    std::byte* const next = second.take(size);
    EXPECT_TRUE(holds(next, std::vector<std::byte>(size)));
    second.trim();
  }
}

TEST(CpuSharedWeights, AreNotSharedIfOneBitDiffers) {
  SharedWeights all;
  WeightMemory first, second;
  const auto bytes = randomBytes(100'000, 2);
  std::byte* const at = add(first, bytes, all);
  for (std::size_t bit = 0; bit < bytes.size() * 8; bit += 99'991) {
    auto other = bytes;
    other[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    std::byte* const shared = add(second, other, all);
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
  SharedWeights all;
  const auto bytes = randomBytes(1 << 20, 3);
  auto first = std::make_unique<WeightMemory>(account), second = std::make_unique<WeightMemory>(account);
  add(*first, bytes, all);
  std::byte* const at = add(*second, bytes, all);
  first.reset();
  EXPECT_TRUE(holds(at, bytes));
  EXPECT_EQ(account->inUse(), bytes.size());
  second.reset();
  EXPECT_EQ(account->inUse(), 0u);
  WeightMemory third(account);
  EXPECT_TRUE(holds(add(third, bytes, all), bytes));
}

TEST(CpuSharedWeights, MayBeSharedByThreads) {
  SharedWeights all;
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

// A session for four numbers of rows has its weights once.
TEST(CpuSharedWeights, OfASessionAreInMemoryOnceForAllShapes) {
  using namespace test::onnx;
  constexpr int kWidth = 512;
  std::mt19937 random(4);
  const auto floats = [&](std::size_t count) {
    std::vector<float> values(count);
    for (float& value : values) value = std::uniform_real_distribution<float>(-1, 1)(random);
    return values;
  };
  test::onnx::Graph graph;
  std::string last = "x";
  for (int i = 0; i < 4; ++i) {
    const std::string n = std::to_string(i);
    graph.nodes.push_back({"MatMul", {last, "w" + n}, {"m" + n}});
    graph.nodes.push_back({"Tanh", {"m" + n}, {"t" + n}});
    graph.initializers.push_back(tensor("w" + n, {kWidth, kWidth}, floats(kWidth * kWidth)));
    last = "t" + n;
  }
  // A convolution whose filter the compiler scales: not the model's own bytes.
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
  // A session with shared weights computes the same as a session with its own weights.
  const std::vector<float> x = floats(16 * kWidth);
  const webnn::Session alone =
      Session::load(test::makeContext("cpu"), ExternalBytes{std::as_bytes(std::span(*content)), content});
  const auto a = session.run({{"x", {x, {16, kWidth}}}}), b = alone.run({{"x", {x, {16, kWidth}}}});
  EXPECT_EQ(a.at("y").bytes, b.at("y").bytes);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::cpu
