// Tests a client that modifies tensors in shared memory while the worker uses them. Only values may become wrong. `make
// changed-memory` runs this for longer, with AddressSanitizer.
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <set>
#include <thread>

#include "context/context_state.h"
#include "context/graph_state.h"
#include "context/reading_context.h"
#include "random/random_graph.h"
#include "service/session_client.h"
#include "support/support.h"

#if defined(__SANITIZE_THREAD__)
#define WEBNN_RACES_ARE_FOUND
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WEBNN_RACES_ARE_FOUND
#endif
#endif

namespace webnn {
namespace WEBNN_TEST_FILE {

using random::Bytes;
using service::Mapping;
using service::SharedMemory;
using service::TensorReference;
using test::SessionClient;

// A tensor of the client, at the beginning or (`isAtEnd`) at the end of a memory that the worker has mapped between two
// inaccessible pages.
class SharedTensor {
 public:
  SharedTensor(service::WorkerState& state, std::uint32_t number, std::size_t size, bool isAtEnd) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t length = (size + page - 1) / page * page;
    shared_ = service::makeSharedMemory(length, "test");
    guardedSize_ = length + 2 * page;
    guarded_ = ::mmap(nullptr, guardedSize_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void* const inside = ::mmap(static_cast<std::byte*>(guarded_) + page, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                                shared_.descriptor.get(), 0);
    state.addMemory(number, Mapping(inside, length), false, {});
    reference_ = {number, 0, isAtEnd ? (length - size) / service::kTensorAlignment * service::kTensorAlignment : 0, size};
  }
  SharedTensor(SharedTensor&& other) noexcept
      : shared_(std::move(other.shared_)),
        reference_(other.reference_),
        guarded_(std::exchange(other.guarded_, nullptr)),
        guardedSize_(other.guardedSize_) {}
  SharedTensor& operator=(SharedTensor&&) = delete;
  // Requires that the worker has unmapped the memory.
  ~SharedTensor() {
    if (guarded_) ::munmap(guarded_, guardedSize_);
  }

  const TensorReference& reference() const { return reference_; }
  std::span<std::byte> bytes() const { return shared_.mapping.bytes().subspan(reference_.offset, reference_.length); }

 private:
  SharedMemory shared_;
  TensorReference reference_{};
  void* guarded_ = nullptr;
  std::size_t guardedSize_ = 0;
};

// Continuously overwrites tensors with their correct values, the most dangerous values for indices, or random values.
class Changes {
 public:
  Changes(std::vector<std::span<std::byte>> tensors, std::uint64_t seed)
      : thread_([this, tensors = std::move(tensors), seed] {
          std::vector<Bytes> right;
          for (const auto tensor : tensors) right.emplace_back(tensor.begin(), tensor.end());
          random::Numbers numbers(seed);
          while (!isOver_) {
            for (std::size_t i = 0; i < tensors.size(); ++i) {
              volatile std::byte* const to = tensors[i].data();
              const std::uint64_t pattern = numbers.next() % 4;
              for (std::size_t at = 0; at < tensors[i].size(); ++at) {
                constexpr std::array<std::byte, 4> kLargest{std::byte{0xFF}, std::byte{0xFF}, std::byte{0xFF}, std::byte{0x7F}};
                to[at] = pattern == 0   ? right[i][at]
                         : pattern == 1 ? std::byte{0x80}
                         : pattern == 2 ? kLargest[at % 4]
                                        : static_cast<std::byte>(numbers.next());
              }
            }
            ++rounds_;
          }
        }) {}
  ~Changes() {
    isOver_ = true;
    thread_.join();
  }
  // Waits until the current round of overwriting ends.
  void wait() const {
    for (const unsigned before = rounds_; rounds_ == before;) std::this_thread::yield();
  }

 private:
  std::atomic<bool> isOver_{false};
  std::atomic<unsigned> rounds_{0};
  std::thread thread_;
};

class ChangedMemory : public testing::Test {
 protected:
  void SetUp() override {
#ifdef WEBNN_RACES_ARE_FOUND
    GTEST_SKIP() << "the race is what is tested";
#endif
  }

  // Runs the graph while its tensors are modified. Afterwards, it must still compute correctly.
  void run(const Graph& graph, const std::vector<Bytes>& inputs, int runs) {
    const GraphDefinition& definition = *graph.state()->definition;
    const std::vector<Bytes> expected = computeHere(definition, inputs);
    client_.compile(definition);
    std::vector<SharedTensor> tensors;
    std::vector<TensorReference> in, out;
    std::vector<std::span<std::byte>> all;
    const auto add = [&](std::size_t size, std::vector<TensorReference>& references) {
      tensors.emplace_back(client_.state(), static_cast<std::uint32_t>(100 + tensors.size()), size, ++tensors_ % 2 == 0);
      references.push_back(tensors.back().reference());
      all.push_back(tensors.back().bytes());
    };
    for (const Bytes& input : inputs) add(input.size(), in);
    for (const Bytes& output : expected) add(output.size(), out);
    const auto writeInputs = [&] {
      for (std::size_t i = 0; i < inputs.size(); ++i) std::ranges::copy(inputs[i], all[i].begin());
    };
    writeInputs();
    {
      const Changes changes(all, ++seed_);
      changes.wait();
      for (int i = 0; i < runs; ++i) client_.dispatch(in, out);
    }
    writeInputs();
    client_.dispatch(in, out);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_TRUE(std::ranges::equal(all[inputs.size() + i], expected[i])) << "output " << i;
    }
    for (const TensorReference& reference : in) client_.state().dropMemory(reference.memory);
    for (const TensorReference& reference : out) client_.state().dropMemory(reference.memory);
    for (const Node& node : definition.nodes) seen_.emplace(name(node.operation));
  }

  Context context_ = makeReadingContext();
  std::set<std::string> seen_;  // names of the tested operations

 private:
  static std::vector<Bytes> computeHere(const GraphDefinition& definition, const std::vector<Bytes>& inputs) {
    static Context context = Context::create({.backend = "cpu", .execution = Execution::callerThread, .threads = 1});
    const Graph graph = context.state()->compile(std::make_shared<const GraphDefinition>(definition), Budget::none());
    std::vector<Bytes> outputs;
    for (const auto& output : graph.outputs()) outputs.emplace_back(byteLength(output.second));
    const std::vector<std::span<const std::byte>> from(inputs.begin(), inputs.end());
    const std::vector<std::span<std::byte>> to(outputs.begin(), outputs.end());
    graph.compute(from, to);
    return outputs;
  }

  SessionClient client_;
  std::size_t tensors_ = 0;
  std::uint64_t seed_ = 0;
};

// Returns the factor by which the test runs longer than usual.
int times() {
  const char* const text = std::getenv("WEBNN_CHANGED_MEMORY");
  return text ? std::max(std::atoi(text), 1) : 1;
}

// Tests graphs of random operations, until every operation of the table has occurred.
TEST_F(ChangedMemory, AnyOperationGoesOn) {
  std::set<std::string> all;
  for (const Operation& operation : allOperations()) all.emplace(name(operation));
  const int least = 60 * times();
  for (int i = 1; i <= least || (seen_.size() < all.size() && i < 100 * least); ++i) {
    random::Choices choices(static_cast<std::uint64_t>(i));
    const random::RandomGraph made = random::makeRandomGraph(context_, choices);
    SCOPED_TRACE(i);
    ASSERT_NO_FATAL_FAILURE(run(made.graph, made.inputs, 4));
  }
  EXPECT_EQ(seen_, all);
}

Bytes indicesOf(std::size_t count, std::uint32_t limit) {
  Bytes bytes(count * sizeof(std::int32_t));
  random::Numbers numbers(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto index = static_cast<std::int32_t>(numbers.next() % limit);
    std::memcpy(bytes.data() + i * sizeof(index), &index, sizeof(index));
  }
  return bytes;
}

// Runs operations with so many indices, which are used so often, that a modification happens between the check and the use of an
// index. Without copies of the tensors, a gather that reads its indices twice would crash here.
TEST_F(ChangedMemory, IndicesStayInside) {
  constexpr std::uint32_t kRows = 4096, kCount = 1 << 16;
  const OperandDescriptor indices{DataType::int32, {kCount}}, paths{DataType::int32, {kCount, 1}};
  const Bytes rows(kRows * 4), updates(std::size_t{kCount} * 4), places = indicesOf(kCount, kRows);
  const auto test = [&](const std::function<Operand(GraphBuilder&, const Operand&)>& make, const std::vector<Bytes>& inputs) {
    GraphBuilder builder(context_);
    const Operand x = builder.input("x", {DataType::float32, {kRows}});
    run(builder.build({{"y", make(builder, x)}}), inputs, 1000 * times());
  };
  test([&](GraphBuilder& b, const Operand& x) { return b.gather(x, b.input("i", indices)); }, {rows, places});
  test([&](GraphBuilder& b, const Operand& x) { return b.gatherElements(x, b.input("i", indices)); }, {rows, places});
  test([&](GraphBuilder& b, const Operand& x) { return b.gatherND(x, b.input("i", paths)); }, {rows, places});
  const Bytes once = indicesOf(1, kRows);
  test(
      [&](GraphBuilder& b, const Operand& x) {
        return b.scatterND(x, b.input("i", {DataType::int32, {1, 1}}), b.input("u", {DataType::float32, {1}}));
      },
      {rows, once, Bytes(4)});
  test(
      [&](GraphBuilder& b, const Operand& x) {
        return b.scatterElements(x, b.input("i", {DataType::int32, {1}}), b.input("u", {DataType::float32, {1}}));
      },
      {rows, once, Bytes(4)});
}

// The graph itself computes the indices, in the memory of an output.
TEST_F(ChangedMemory, ComputedIndicesStayInside) {
  constexpr std::uint32_t kRows = 256, kColumns = 4096;
  GraphBuilder builder(context_);
  const Operand x = builder.input("x", {DataType::float32, {kRows, kColumns}});
  const Operand best = builder.argMax(x, 1), table = builder.input("t", {DataType::float32, {kColumns}});
  run(builder.build({{"best", best}, {"y", builder.gather(table, best)}}), {Bytes(kRows * kColumns * 4), Bytes(kColumns * 4)},
      20 * times());
}

TEST(SessionOfAWorker, ConstantsMustBeSealed) {
  Context context = makeReadingContext();
  GraphBuilder builder(context);
  const Operand x = builder.input("x", {DataType::float32, {3}});
  const Operand indices = builder.constant<std::int32_t>({DataType::int32, {2}}, {0, 2});
  const Graph graph = builder.build({{"y", builder.gather(x, indices)}});
  SessionClient client;
  test::expectError(ErrorKind::dataError, {"memory 2 is not sealed against writing"},
                    [&] { client.compile(*graph.state()->definition, false); });
  client.compile(*graph.state()->definition);
  // The worker must not use read-only memory for an output.
  const SharedMemory memory = service::makeSharedMemory(4096, "test");
  client.share(3, memory.descriptor, 4096);
  test::expectError(ErrorKind::dataError, {"memory 2 is sealed"}, [&] { client.dispatch({{3, 0, 0, 12}}, {{2, 0, 0, 8}}); });
  client.dispatch({{3, 0, 0, 12}}, {{3, 0, 64, 8}});
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
