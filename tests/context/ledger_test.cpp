// Tests random calls on several threads: write, dispatch, cancel, read and destroy. Callbacks of reads call the context again,
// throw, or lose the context. Each thread uses its own tensors, so the expected result of each read follows from earlier
// calls of the same thread.
//   WEBNN_LEDGER=SECONDS test_context --gtest_filter='Ledger.*'   runs longer than the default few rounds
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <future>
#include <iostream>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <thread>

#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using Values = std::vector<std::int32_t>;

constexpr std::uint32_t kSizes[] = {2, 20'000};  // a size that is copied immediately, and a size that is copied on the timeline

// The expected result of a read: the values, or the error of the dispatch that should have written them.
struct Expected {
  Values values;
  std::optional<ErrorKind> failure;
};

std::optional<Error> errorOf(const std::exception_ptr& error) {
  try {
    if (error) std::rethrow_exception(error);
    return std::nullopt;
  } catch (const Error& known) {
    return known;
  }
}

// Records all reads of a round, and the faults in their results.
class Ledger {
 public:
  // `mayLose`: a read may fail because the context is lost.
  explicit Ledger(bool mayLose) : mayLose_(mayLose) {}
  bool mayLose() const { return mayLose_; }

  std::size_t open() {
    const std::lock_guard lock(mutex_);
    ++waiting_;
    return ++reads_;
  }
  void check(std::size_t read, const std::exception_ptr& thrown, const Values& got, const Expected& expected,
             bool mayBeDestroyed) {
    const std::optional<Error> error = errorOf(thrown);
    std::string fault;
    if (error && error->kind() == ErrorKind::invalidStateError) {
      if (!mayLose_ && !mayBeDestroyed) fault = error->what();
    } else if (error.has_value() != expected.failure.has_value() || (error && error->kind() != *expected.failure)) {
      fault = error ? error->what() : "should have failed";
    } else if (!error && got != expected.values) {
      fault = "has other values";
    }
    const std::lock_guard lock(mutex_);
    if (!seen_.insert(read).second) fault = "is answered twice";
    if (!fault.empty()) faults_ += "read " + std::to_string(read) + ": " + fault + "\n";
  }
  // Must be called when the result of a read has been checked, or the call of the read has failed.
  void settle() {
    const std::lock_guard lock(mutex_);
    if (--waiting_ == 0) changed_.notify_all();
  }
  void blame(const std::string& fault) {
    const std::lock_guard lock(mutex_);
    faults_ += fault + "\n";
  }
  // Waits until all reads are settled. Returns the faults, or an empty string.
  std::string close() {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, std::chrono::minutes(5), [&] { return waiting_ == 0; }))
      faults_ += std::to_string(waiting_) + " reads have no answer\n";
    return faults_;
  }

 private:
  const bool mayLose_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t waiting_ = 0, reads_ = 0;
  std::set<std::size_t> seen_;
  std::string faults_;
};

// Holds a graph of y = x + 1 for each size.
struct Program {
  Context context;
  std::vector<Graph> graphs;

  explicit Program(const Context& where) : context(where) {
    for (const std::uint32_t size : kSizes) {
      GraphBuilder builder(context);
      const Operand x = builder.input("x", {DataType::int32, {size}});
      graphs.push_back(builder.build({{"y", builder.add(x, builder.constant(DataType::int32, 1))}}));
    }
  }
  Tensor tensor(std::size_t which) const {
    return Context(context).createTensor(
        {.dataType = DataType::int32, .shape = {kSizes[which]}, .readable = true, .writable = true});
  }
};

struct Cell {
  Tensor tensor;
  std::size_t which = 0;  // index in kSizes
  Expected expected;
  std::shared_ptr<std::atomic<bool>> isDestroyed = std::make_shared<std::atomic<bool>>(false);
};

using Callback = std::function<void()>;

// Reads `cell` and calls `after` in the callback. `last` is the number of the caller's last completed read.
void readInto(Ledger& ledger, Context& context, const Cell& cell, const std::shared_ptr<std::size_t>& last, Callback after) {
  const std::size_t read = ledger.open();
  const auto values = std::make_shared<Values>(kSizes[cell.which], -1);
  const auto done = [&ledger, read, values, cell, last, after = std::move(after)](std::exception_ptr error) {
    const std::shared_ptr<void> settled(nullptr, [&ledger](void*) { ledger.settle(); });  // settles at the end of the callback
    const bool isDestroyed = *cell.isDestroyed;
    ledger.check(read, error, *values, cell.expected, isDestroyed);
    // reads of destroyed tensors are completed early, so their order is not checked
    if (last && !isDestroyed && !ledger.mayLose()) {
      if (*last > read) ledger.blame("read " + std::to_string(read) + " was told of after " + std::to_string(*last));
      *last = read;
    }
    if (after) after();
  };
  try {
    context.readTensor(cell.tensor, std::as_writable_bytes(std::span(*values)), done);
  } catch (...) {
    ledger.settle();
    throw;
  }
}

// Makes random calls on one thread.
class Caller {
 public:
  Caller(Ledger& ledger, Program program, std::uint32_t seed, bool endsInCallback)
      : ledger_(ledger), program_(std::move(program)), random_(seed), endsInCallback_(endsInCallback) {
    for (std::size_t i = 0; i < 5; ++i) cells_.push_back(makeCell(i % 2));
  }

  // Makes a random call. Returns false if it fails in a round in which the context may be lost.
  bool call() {
    try {
      for (Cell& cell : cells_) {
        if (*cell.isDestroyed) cell = makeCell(cell.which);
      }
      callOne();
    } catch (const Error& error) {
      if (ledger_.mayLose()) return false;
      // The call may have failed because a callback has destroyed a tensor.
      if (!std::ranges::any_of(cells_, [](const Cell& cell) { return cell.isDestroyed->load(); })) ledger_.blame(error.what());
    }
    return true;
  }

 private:
  void callOne() {
    switch (below(10)) {
      case 0:
      case 1: return write(anyCell());
      case 2:
      case 3:
      case 4: return dispatch();
      case 5: return destroy(anyCell());
      case 6: return readNow(anyCell());
      default: return readLater(anyCell());
    }
  }
  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }
  Cell& anyCell() { return cells_[below(static_cast<std::uint32_t>(cells_.size()))]; }
  Cell makeCell(std::size_t which) const { return {program_.tensor(which), which, {Values(kSizes[which], 0), {}}}; }

  void write(Cell& cell) {
    const Values values(kSizes[cell.which], static_cast<std::int32_t>(below(1'000'000)));
    program_.context.write(cell.tensor, values);
    cell.expected = {values, {}};
  }

  void dispatch() {
    Cell& from = anyCell();
    Cell& to = anyCell();
    if (&from == &to || from.which != to.which) return;
    CallOptions options;
    std::stop_source stop;
    const bool isCancelled = below(5) == 0;
    if (isCancelled) {
      stop.request_stop();
      options.stop = stop.get_token();
    }
    program_.context.dispatch(program_.graphs[from.which], {{"x", from.tensor}}, {{"y", to.tensor}}, options);
    to.expected = from.expected;
    if (!from.expected.failure && isCancelled) to.expected.failure = ErrorKind::abortError;
    for (std::int32_t& value : to.expected.values) ++value;
  }

  void destroy(Cell& cell) {
    *cell.isDestroyed = true;
    if (below(2) == 0) cell.tensor.destroy();  // otherwise, the tensor lives until its reads are completed
  }

  void readNow(Cell& cell) {
    const std::size_t read = ledger_.open();
    const std::shared_ptr<void> settled(nullptr, [this](void*) { ledger_.settle(); });
    Values values(kSizes[cell.which], -1);
    std::future<void> future = program_.context.readTensor(cell.tensor, std::as_writable_bytes(std::span(values)));
    std::exception_ptr error;
    try {
      future.get();
    } catch (...) {
      error = std::current_exception();
    }
    ledger_.check(read, error, values, cell.expected, *cell.isDestroyed);
  }

  void readLater(Cell& cell) { readInto(ledger_, program_.context, cell, last_, randomCallback(cell)); }

  Callback randomCallback(const Cell& cell) {
    switch (below(6)) {
      case 0: return [] { throw std::runtime_error("a callback that throws"); };
      case 1:
        return [cell] {
          *cell.isDestroyed = true;
          Tensor(cell.tensor).destroy();
        };
      case 2: return [&ledger = ledger_, program = program_, which = below(2)] { goOn(ledger, program, which, 3); };
      case 3:
        if (!endsInCallback_ || below(10) != 0) return {};
        return [context = program_.context] { Context(context).destroy(); };
      default: return {};
    }
  }

  // Writes, dispatches and reads within a callback. The callback of this read calls goOn() again, until `depth` is 0.
  static void goOn(Ledger& ledger, const Program& program, std::size_t which, int depth) try {
    if (depth == 0) return;
    Context context = program.context;
    const Cell from{program.tensor(which), which, {Values(kSizes[which], depth), {}}};
    const Cell to{program.tensor(which), which, {Values(kSizes[which], depth + 1), {}}};
    context.write(from.tensor, from.expected.values);
    context.dispatch(program.graphs[which], {{"x", from.tensor}}, {{"y", to.tensor}});
    readInto(ledger, context, to, nullptr, [&ledger, program, which, depth] { goOn(ledger, program, which, depth - 1); });
  } catch (const Error& error) {
    if (!ledger.mayLose()) ledger.blame(error.what());
  }

  Ledger& ledger_;
  Program program_;
  std::mt19937 random_;
  const bool endsInCallback_;
  std::vector<Cell> cells_;
  const std::shared_ptr<std::size_t> last_ = std::make_shared<std::size_t>(0);
};

// The event that loses the context in a round.
enum class End { none, call, callback };

// Plays one round: several threads make random calls, and the last handle of the context is released while reads are pending.
// Returns the faults.
std::string playRound(Execution execution, End end, std::uint32_t seed) {
  Ledger ledger(end != End::none);
  {
    Context context = Context::create({.backend = "cpu", .execution = execution, .threads = 1});
    std::vector<Caller> callers;
    for (std::uint32_t i = 0; i < 3; ++i) callers.emplace_back(ledger, Program(context), seed + i, end == End::callback);
    std::vector<std::jthread> threads;
    for (Caller& caller : callers) {
      threads.emplace_back([caller = std::move(caller)]() mutable {
        for (int call = 0; call < 100 && caller.call(); ++call) {
        }
      });
    }
    if (end == End::call) context.destroy();
  }
  return ledger.close();
}

TEST(Ledger, EachReadReturnsTheResultsOfEarlierCalls) {
  const char* const variable = std::getenv("WEBNN_LEDGER");
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(variable ? std::atoi(variable) : 0);
  std::uint32_t seed = variable ? std::random_device()() : 1, rounds = 0;
  do {
    for (const Execution execution : {Execution::worker, Execution::callerThread}) {
      for (const End how : {End::none, End::call, End::callback}) {
        EXPECT_EQ(playRound(execution, how, seed), "") << "seed " << seed << ", end " << static_cast<int>(how);
        seed += 3;
        ++rounds;
      }
    }
  } while (std::chrono::steady_clock::now() < end && !HasFailure());
  std::cout << rounds << " rounds\n";
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
