// A client that records its calls and checks their results.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "service/clients.h"
#include "service/processes.h"

namespace webnn::test {

enum class Answer { result, error };

// Records calls. Each accepted call must have exactly one result. Thread safe.
class Ledger {
 public:
  using Call = std::size_t;

  Call accept(std::string name) {
    const std::lock_guard lock(mutex_);
    calls_.push_back({std::move(name), {}});
    ++open_;
    return calls_.size() - 1;
  }

  void answer(Call call, Answer answer) {
    const std::lock_guard lock(mutex_);
    if (calls_[call].answers.empty()) --open_;
    calls_[call].answers.push_back(answer);
    changed_.notify_all();
  }

  // Waits until all calls have results or the deadline has passed. Returns the faults, or an empty string.
  std::string faults(int milliseconds = kDeadline) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::milliseconds(milliseconds), [&] { return open_ == 0; });
    std::string text = faults_;
    for (const auto& [name, answers] : calls_) {
      if (answers.size() != 1) text += name + " has " + std::to_string(answers.size()) + " answers; ";
    }
    return text;
  }

  // Records a fault that is not about the number of results of a call.
  void blame(const std::string& fault) {
    const std::lock_guard lock(mutex_);
    faults_ += fault + "; ";
  }

  std::size_t count() const { return calls_.size(); }
  std::size_t count(Answer answer) const {
    std::size_t count = 0;
    for (const Entry& call : calls_) count += static_cast<std::size_t>(std::ranges::count(call.answers, answer));
    return count;
  }

 private:
  struct Entry {
    std::string name;
    std::vector<Answer> answers;
  };
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Entry> calls_;
  std::size_t open_ = 0;
  std::string faults_;
};

// Makes most kinds of calls of a context, and records each in the ledger. An error is a fault unless the context is lost.
class AccountedClient {
 public:
  AccountedClient(Ledger& ledger, ContextOptions options) : ledger_(ledger), options_(std::move(options)) {}
  ~AccountedClient() { release(); }
  AccountedClient(const AccountedClient&) = delete;
  AccountedClient& operator=(const AccountedClient&) = delete;

  // Creates a context and makes all calls, even if the context is lost in between. Makes no more calls if it cannot be created.
  void run() {
    if (!create()) return;
    x_ = makeTensor(kSize, false);
    y_ = makeTensor(kSize, true);
    large_ = makeTensor(kLarge, true);
    graph_ = build(1);
    compute(1, 1);
    attempt("notes", [&] { graph_.notes(); });
    callCompute();
    attempt("destroy a tensor", [&] { large_.destroy(); });
    large_ = makeTensor(kLarge, true);
    attempt("destroy a graph", [&] { graph_.destroy(); });
    graph_ = buildLater(2);
    for (int i = 0; i < 3; ++i) compute(static_cast<float>(i), 2);
    attempt("read", [&] { context_.read<float>(y_); });
    attempt("write a large tensor", [&] { context_.writeTensor(large_, std::vector<std::byte>(kLarge * 4)); });
    attempt("destroy", [&] { context_.destroy(); });
    compute(1, 1);
    release();
  }

  // Returns whether the context was lost before all calls were made.
  bool isLost() const { return isLost_; }
  std::string reason() const { return reason_; }

 private:
  static constexpr std::uint32_t kSize = 8, kLarge = 100'000;

  struct Read {
    std::vector<float> values;
  };

  bool create() {
    if (!attempt("create", [&] { context_ = Context::create(options_); })) return false;
    lost_ = context_.lost();
    return true;
  }

  template <typename Work>
  bool attempt(const std::string& name, Work&& work) {
    const Ledger::Call call = ledger_.accept(name);
    try {
      work();
    } catch (const Error& error) {
      noteError(name, error);
      ledger_.answer(call, Answer::error);
      return false;
    }
    ledger_.answer(call, Answer::result);
    return true;
  }

  // Records an error. The error is allowed only if the context is lost. It may come shortly before the loss is reported.
  void noteError(const std::string& name, const Error& error) {
    if (!lost_.valid()) {
      reason_ = error.what();
      isLost_ = true;
    } else if (lost_.wait_for(std::chrono::milliseconds(kDeadline)) != std::future_status::ready) {
      ledger_.blame(name + ": " + error.what());
    } else {
      noteLoss();
    }
  }

  void noteLoss() {
    const std::string message = lost_.get().message;
    if (message.find("destroy") != std::string::npos) return;  // this client has destroyed the object
    reason_ = message;
    isLost_ = true;
  }

  Tensor makeTensor(std::uint32_t size, bool isReadable) {
    Tensor tensor;
    attempt("createTensor", [&] { tensor = context_.createTensor({DataType::float32, {size}, isReadable, true}); });
    return tensor;
  }

  Graph build(float addend) {
    Graph graph;
    attempt("build", [&] { graph = buildGraph(context_, kSize, addend); });
    return graph;
  }

  Graph buildLater(float addend) {
    Graph graph;
    attempt("buildAsync", [&] {
      GraphBuilder builder(context_);
      const Operand x = builder.input("x", {DataType::float32, {kSize}});
      const std::vector<float> values(kSize, addend);
      const Operand constant = builder.constant({DataType::float32, {kSize}}, std::as_bytes(std::span(values)));
      const Operand sine = builder.sin(x);
      graph = builder.buildAsync({{"y", builder.add(builder.add(sine, sine), constant)}}).get();
    });
    return graph;
  }

  // Writes, dispatches and reads without waiting. The result of the read is also the result of the dispatch.
  void compute(float x, float addend) {
    attempt("write", [&] { context_.write(x_, std::vector<float>(kSize, x)); });
    const Ledger::Call dispatch = ledger_.accept("dispatch"), readCall = ledger_.accept("readTensor");
    const auto answer = [&ledger = ledger_, dispatch, readCall](Answer outcome) {
      ledger.answer(dispatch, outcome);
      ledger.answer(readCall, outcome);
    };
    try {
      context_.dispatch(graph_, {{"x", x_}}, {{"y", y_}});
      const auto read = std::make_shared<Read>();
      read->values.resize(kSize);
      context_.readTensor(y_, std::as_writable_bytes(std::span(read->values)),
                          [&ledger = ledger_, answer, read, x, addend](std::exception_ptr error) {
                            if (!error && !isExpected(read->values, kSize, x, addend)) ledger.blame("a wrong result");
                            if (error) requireLost(ledger, error);
                            answer(error ? Answer::error : Answer::result);
                          });
    } catch (const Error& error) {
      noteError("dispatch", error);
      answer(Answer::error);
    }
  }

  static void requireLost(Ledger& ledger, const std::exception_ptr& error) {
    try {
      std::rethrow_exception(error);
    } catch (const Error& thrown) {
      if (thrown.kind() != ErrorKind::invalidStateError) ledger.blame(std::string("a read: ") + thrown.what());
    }
  }

  void callCompute() {
    std::vector<float> x(kSize, 2), y(kSize);
    const std::span<const std::byte> inputs[] = {std::as_bytes(std::span(x))};
    const std::span<std::byte> outputs[] = {std::as_writable_bytes(std::span(y))};
    if (attempt("compute", [&] { graph_.compute(inputs, outputs); }) && !isExpected(y, kSize, 2, 1))
      ledger_.blame("a wrong result");
  }

  void release() {
    x_ = y_ = large_ = Tensor();
    graph_ = Graph();
    context_ = Context();
    if (!lost_.valid()) return;
    const Ledger::Call call = ledger_.accept("lost");
    if (lost_.wait_for(std::chrono::milliseconds(kDeadline)) == std::future_status::ready) {
      noteLoss();
      ledger_.answer(call, Answer::result);
    }
    lost_ = {};
  }

  Ledger& ledger_;
  ContextOptions options_;
  Context context_;
  std::shared_future<ContextLostInfo> lost_;
  Tensor x_, y_, large_;
  Graph graph_;
  bool isLost_ = false;
  std::string reason_;
};

}  // namespace webnn::test
