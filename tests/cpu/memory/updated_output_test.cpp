// Tests outputs that are inputs with a few updates, such as the caches of decoders. Only the differences must be copied.
#include <algorithm>
#include <numeric>
#include <random>

#include "context/graph_state.h"
#include "cpu/cpu_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

constexpr std::uint32_t kHeads = 2, kPositions = 5, kSize = 3;
const Shape kCache{1, kHeads, kPositions, kSize};
constexpr std::size_t kNumbers = std::size_t{kHeads} * kPositions * kSize;

// Builds a graph that updates a row of each head, by scatterND or (`isByElement`) by scatterElements.
Graph cacheGraph(Context& context, bool isByElement) {
  GraphBuilder b(context);
  const Operand cache = b.input("cache", {DataType::float32, kCache});
  const Operand updates = b.input("updates", {DataType::float32, {1, kHeads, 1, kSize}});
  if (isByElement) {
    const Operand indices = b.input("indices", {DataType::int32, {1, kHeads, 1, kSize}});
    return b.build({{"next", b.scatterElements(cache, indices, updates, {.axis = 2})}});
  }
  return b.build({{"next", b.scatterND(cache, b.input("indices", {DataType::int32, {1, kHeads, 1, 3}}), updates)}});
}

// Returns indices that write head h's row to position `at[h]`, which may be negative or out of range.
std::vector<std::int32_t> indicesOf(const std::vector<std::int32_t>& at, bool isByElement) {
  std::vector<std::int32_t> indices;
  for (std::int32_t head = 0; head < static_cast<std::int32_t>(at.size()); ++head) {
    const std::int32_t position = at[static_cast<std::size_t>(head)];
    if (isByElement) {
      indices.insert(indices.end(), kSize, position);
    } else {
      indices.insert(indices.end(), {0, head, position});
    }
  }
  return indices;
}

std::size_t resolved(std::int32_t position) {
  constexpr std::int32_t size = kPositions;
  return static_cast<std::size_t>(std::clamp(position < 0 ? position + size : position, 0, size - 1));
}

void updateCache(std::vector<float>& cache, const std::vector<std::int32_t>& at, const std::vector<float>& updates) {
  for (std::size_t head = 0; head < at.size(); ++head) {
    const auto row = static_cast<std::ptrdiff_t>((head * kPositions + resolved(at[head])) * kSize);
    std::copy_n(updates.begin() + static_cast<std::ptrdiff_t>(head * kSize), kSize, cache.begin() + row);
  }
}

std::span<const UpdatedOutput> updatedOutputs(const Graph& graph) { return graph.state()->executable()->updatedOutputs(); }

// Three tensors. Dispatches read one of them and write another, both chosen at random, with random writes between dispatches.
struct Caches {
  Context context;
  bool isByElement;
  Graph graph = cacheGraph(context, isByElement), clear;
  Tensor indices, updates;
  std::vector<Tensor> tensors;
  std::vector<std::vector<float>> expected{3, std::vector<float>(kNumbers)};
  std::mt19937 random{7};

  Caches(Execution execution, bool byElement)
      : context(Context::create({.backend = "cpu", .execution = execution, .threads = 2})), isByElement(byElement) {
    GraphBuilder b(context);
    const Operand x = b.input("x", {DataType::float32, kCache});
    clear = b.build({{"y", b.add(x, x)}});
    indices = tensor({DataType::int32, byElement ? Shape{1, kHeads, 1, kSize} : Shape{1, kHeads, 1, 3}});
    updates = tensor({DataType::float32, {1, kHeads, 1, kSize}});
    for (int i = 0; i < 3; ++i) tensors.push_back(tensor({DataType::float32, kCache}));
  }
  Tensor tensor(const OperandDescriptor& of) {
    return context.createTensor({.dataType = of.dataType, .shape = of.shape, .readable = true, .writable = true});
  }
  std::size_t dice(std::size_t sides) { return random() % sides; }
  std::vector<float> numbers(std::size_t count) {
    std::vector<float> values(count);
    for (float& value : values) value = static_cast<float>(dice(1000));
    return values;
  }
  void step(std::size_t from, std::size_t to) {
    const std::vector<std::int32_t> at{static_cast<std::int32_t>(dice(16)) - 8, static_cast<std::int32_t>(dice(16)) - 8};
    const std::vector<float> rows = numbers(std::size_t{kHeads} * kSize);
    context.write<std::int32_t>(indices, indicesOf(at, isByElement));
    context.write<float>(updates, rows);
    context.dispatch(graph, {{"cache", tensors[from]}, {"indices", indices}, {"updates", updates}}, {{"next", tensors[to]}});
    expected[to] = expected[from];
    updateCache(expected[to], at, rows);
  }
  void change() {
    const std::size_t of = dice(3), to = (of + 1 + dice(2)) % 3;
    if (dice(2) == 0) {
      context.write<float>(tensors[of], expected[of] = numbers(kNumbers));
    } else {
      context.dispatch(clear, {{"x", tensors[of]}}, {{"y", tensors[to]}});
      expected[to] = expected[of];
      for (float& value : expected[to]) value *= 2;
    }
  }
  void check() {
    for (std::size_t i = 0; i < 3; ++i) ASSERT_EQ(context.read<float>(tensors[i]), expected[i]) << i;
  }
};

TEST(CpuUpdatedOutput, HasTheSameBytesAsAWholeCopy) {
  for (const bool isByElement : {false, true}) {
    for (const Execution execution : {Execution::callerThread, Execution::worker}) {
      Caches caches(execution, isByElement);
      ASSERT_EQ(updatedOutputs(caches.graph).size(), 1U);
      for (int i = 0; i < 400; ++i) {
        SCOPED_TRACE(i);
        const std::size_t from = caches.dice(3), to = (from + 1 + caches.dice(2)) % 3;
        // Dispatches in the other direction, or in the same direction again.
        for (std::size_t turn = 0, turns = caches.dice(4); turn < turns; ++turn) {
          const bool isBack = caches.dice(3) > 0 && turn % 2 == 1;
          caches.step(isBack ? to : from, isBack ? from : to);
        }
        if (caches.dice(2) == 0) caches.change();
        ASSERT_NO_FATAL_FAILURE(caches.check());
      }
    }
  }
}

TEST(CpuUpdatedOutput, CopiesAndReportsTheChangedRanges) {
  for (const bool isByElement : {false, true}) {
    Context context = Context::create({.backend = "cpu", .execution = Execution::callerThread});
    const Graph graph = cacheGraph(context, isByElement);
    std::vector<float> cache(kNumbers), output(kNumbers, -1), rows{100, 101, 102, 103, 104, 105};
    std::iota(cache.begin(), cache.end(), 0.0F);
    const std::vector<std::int32_t> indices = indicesOf({1, -1}, isByElement);
    std::vector<std::span<const std::byte>> inputs;
    for (const auto& [name, descriptor] : graph.inputs()) {
      inputs.push_back(name == "cache"     ? std::as_bytes(std::span(cache))
                       : name == "updates" ? std::as_bytes(std::span(rows))
                                           : std::as_bytes(std::span(indices)));
    }
    const std::vector<std::span<std::byte>> outputs{std::as_writable_bytes(std::span(output))};
    std::vector<ByteDifference> differences(1);
    differences[0] = std::vector<ByteRange>{{sizeof(float) * 6, sizeof(float) * 2}};
    graph.state()->executable()->update(inputs, outputs, differences, Budget::none());
    std::vector<float> expected(kNumbers, -1);
    expected[6] = 6, expected[7] = 7;
    updateCache(expected, {1, -1}, rows);
    EXPECT_EQ(output, expected);
    ASSERT_TRUE(differences[0].has_value());
    ASSERT_EQ(differences[0]->size(), 2U);
    EXPECT_EQ((*differences[0])[0].offset, 3 * sizeof(float));
    EXPECT_EQ((*differences[0])[1].offset, 27 * sizeof(float));
    for (const ByteRange& range : *differences[0]) EXPECT_EQ(range.size, 3 * sizeof(float));

    differences[0] = std::nullopt;  // makes the engine copy everything
    graph.state()->executable()->update(inputs, outputs, differences, Budget::none());
    updateCache(cache, {1, -1}, rows);
    EXPECT_EQ(output, cache);
  }
}

// An output may be updated in place only if a scatter computes it from an input and no other operation writes it.
TEST(CpuUpdatedOutput, FindsOutputsThatNothingElseWrites) {
  struct Case {
    const char* what;
    std::size_t count;
  };
  for (const auto& [what, count] : {Case{"plain", 1},
                                    {"reshaped", 1},
                                    {"twice", 1},
                                    {"of a value", 0},
                                    {"negated", 0},
                                    {"in a concatenation", 0},
                                    {"scattered again", 0}}) {
    SCOPED_TRACE(what);
    const std::string_view kind = what;
    Context context = Context::create({.backend = "cpu", .execution = Execution::callerThread});
    GraphBuilder b(context);
    const Operand x = b.input("x", {DataType::float32, {4, 3}}), indices = b.input("i", {DataType::int32, {1, 1}});
    const Operand updates = b.input("u", {DataType::float32, {1, 3}});
    const Operand y = b.scatterND(kind == "of a value" ? b.neg(x) : x, indices, updates);
    std::vector<std::pair<std::string, Operand>> outputs{{"y", y}};
    if (kind == "reshaped") outputs[0].second = b.reshape(y, {12});
    if (kind == "twice") outputs.emplace_back("z", b.reshape(y, {3, 4}));
    if (kind == "negated") outputs[0].second = b.neg(y);
    if (kind == "in a concatenation") outputs[0].second = b.concat({y, x}, 0);
    if (kind == "scattered again") outputs[0].second = b.scatterND(y, indices, b.neg(updates));
    EXPECT_EQ(updatedOutputs(b.build(outputs)).size(), count);
  }
}

TEST(CpuUpdatedOutput, GivesUpOnManyPlaces) {
  Context context = Context::create({.backend = "cpu", .execution = Execution::callerThread});
  GraphBuilder b(context);
  constexpr std::uint32_t size = 4096, count = 1000;
  const Operand x = b.input("x", {DataType::float32, {size}});
  std::vector<std::int32_t> places(count);
  for (std::uint32_t i = 0; i < count; ++i) places[i] = static_cast<std::int32_t>(i * 4);
  const Operand indices = b.constant({DataType::int32, {count, 1}}, std::as_bytes(std::span(places)));
  const Graph graph = b.build({{"y", b.scatterND(x, indices, b.input("u", {DataType::float32, {count}}))}});
  ASSERT_EQ(updatedOutputs(graph).size(), 1U);
  const std::vector<float> first(size, 1), second(count, 2);
  std::vector<float> y(size);
  std::vector<std::span<const std::byte>> inputs;
  for (const auto& [name, descriptor] : graph.inputs()) inputs.push_back(std::as_bytes(std::span(name == "x" ? first : second)));
  std::vector<ByteDifference> differences(1);
  graph.state()->executable()->update(inputs, std::vector{std::as_writable_bytes(std::span(y))}, differences, Budget::none());
  EXPECT_FALSE(differences[0].has_value());
  EXPECT_EQ(std::accumulate(y.begin(), y.end(), 0.0), size + count);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
