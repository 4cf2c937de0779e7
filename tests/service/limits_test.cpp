// Tests the limits of docs/guides/service.md, most of them at the limit and above it, their documented defaults, and the log.
// message_reader_test.cpp tests the limits of graph messages, and memory_limits_test.cpp the memory limit.
#include <algorithm>
#include <atomic>
#include <climits>
#include <fstream>
#include <future>
#include <iterator>
#include <thread>

#include "backends/service/connection.h"
#include "broker/broker_config.h"
#include "broker/client_worker.h"
#include "broker/event_log.h"
#include "formats/document/json_parse.h"
#include "service/context_client.h"
#include "webnn/graph_builder.h"
#include "worker/worker_state.h"

namespace webnn::service {
namespace WEBNN_TEST_FILE {

using namespace std::chrono_literals;

using namespace test;

std::string refusal(const TestService& service, Wish wish = Wish::context) {
  return answerTo(dial(service.path()), helloWith("", wish));
}

// ---- Connections ----

TEST(ServiceLimits, OfConnectionsInAll) {
  TestService service("\"connections\": 3");
  const RawClient first(service.path()), second(service.path());
  std::vector<FileDescriptor> third;
  EXPECT_EQ(second.welcome(), "W");
  third.push_back(dial(service.path()));
  EXPECT_EQ(answerTo(third[0], helloWith("")), "W");
  EXPECT_EQ(nextNotice(dial(service.path())).substr(2), "QuotaExceeded: the service has 3 connections already.");
  third.clear();  // makes room for another connection
  ASSERT_TRUE(service.waitForLog("\"event\":\"left\""));
  EXPECT_EQ(refusal(service), "W");
}

// The system closes the sockets of a killed client one after the other. If the socket to the worker is the first, the broker may
// notice the end of the worker before the end of the client.
TEST(ServiceLimits, AClientWhoseWorkerEndsFirstHasLeft) {
  TestService service("\"connections\": 3");
  RawClient client(service.path());
  ASSERT_EQ(client.welcome(), "W");
  ASSERT_TRUE(service.waitForLog("\"event\":\"started\""));
  const std::string log = service.log(), key = "\"worker\":";
  const auto worker = static_cast<pid_t>(std::stol(log.substr(log.find(key) + key.size())));
  client.worker() = FileDescriptor(-1);
  // The broker has noticed the end when the process has disappeared.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(kDeadline);
  while (::kill(worker, 0) == 0 && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  client.control() = FileDescriptor(-1);
  ASSERT_TRUE(service.waitForLog("\"event\":\"left\""));
  EXPECT_EQ(service.log().find("\"event\":\"lost\""), std::string::npos);
}

TEST(ServiceLimits, OfConnectionsThatAreNotAdmittedYet) {
  TestService service("\"unauthenticated\": 3");
  std::vector<FileDescriptor> silent;
  for (int i = 0; i < 2; ++i) silent.push_back(dial(service.path()));
  EXPECT_EQ(refusal(service), "W");  // clients that are served do not count as unauthenticated
  silent.push_back(dial(service.path()));
  EXPECT_EQ(nextNotice(dial(service.path())).substr(2), "QuotaExceeded: 3 connections have not said who they are yet.");
  EXPECT_EQ(answerTo(silent[2], helloWith("")), "W");
  EXPECT_EQ(refusal(service), "W");
}

TEST(ServiceLimits, OfConnectionsOfAUserThatAreNotAdmittedYet) {
  TestService service("\"mode\": \"0666\", \"unauthenticatedPerUser\": 2");
  std::vector<FileDescriptor> silent;
  for (int i = 0; i < 2; ++i) silent.push_back(dial(service.path()));
  EXPECT_EQ(nextNotice(dial(service.path())).substr(2),
            "QuotaExceeded: 2 connections of user " + std::to_string(::geteuid()) + " have not said who they are yet.");
  if (!canBecome(65533)) GTEST_SKIP() << "needs root, to become other users";
  EXPECT_EQ(inChild([&] {
              if (::setresuid(65533, 65533, 65533) != 0) return std::string("?");
              return refusal(service);
            }),
            "Rthe service does not know user 65533 without a token.");
}

// The broker closes the connection before it has read the hello, or before the client has sent it. The client must still get the
// reason.
TEST(ServiceLimits, TheLibraryHearsWhyItIsRefusedBeforeItsHelloIsRead) {
  TestService service("\"unauthenticated\": 2");
  const FileDescriptor first = dial(service.path()), second = dial(service.path());
  for (int i = 0; i < 10; ++i) {
    ::kill(service.process(), SIGSTOP);
    std::future<std::string> error = std::async(std::launch::async, [&]() -> std::string {
      try {
        Context::create(service.options());
        return "none";
      } catch (const Error& thrown) {
        return std::string(name(thrown.kind())) + ": " + thrown.what();
      }
    });
    if (i % 2 == 0) error.wait_for(std::chrono::milliseconds(20));
    ::kill(service.process(), SIGCONT);
    EXPECT_EQ(error.get(), "OperationError: QuotaExceeded: 2 connections have not said who they are yet.");
  }
}

// Clients that wait for the delayed answer to a wrong token count as unauthenticated.
TEST(ServiceLimits, CountsClientsThatAreRefusedLater) {
  TestService service("\"unauthenticated\": 2");
  std::vector<FileDescriptor> guesses;
  const Hello wrong = helloWith(kTokenA);
  for (int i = 0; i < 6; ++i) {  // each answer is delayed more; the last ones come after this test has ended
    guesses.push_back(dial(service.path()));
    sendPacket(guesses.back().get(), std::as_bytes(std::span(&wrong, 1)));
    EXPECT_TRUE(i >= 4 || nextNotice(guesses.back())[0] == 'R');
  }
  EXPECT_EQ(nextNotice(dial(service.path())).substr(2), "QuotaExceeded: 2 connections have not said who they are yet.");
}

TEST(ServiceLimits, OfTheTimeOfAHello) {
  const Clock::time_point deadline = Clock::now();
  Client client{.socket = FileDescriptor(-1)};
  client.deadline = deadline;
  EXPECT_FALSE(client.isDue(deadline - 1ms));
  EXPECT_FALSE(client.isDue(deadline));
  EXPECT_TRUE(client.isDue(deadline + 1ms));
  TestService service("\"helloSeconds\": 0.3");
  EXPECT_EQ(nextNotice(dial(service.path())).substr(2), "no hello came in 0.3 s.");
}

TEST(ServiceLimits, OfTheTimeUntilAWrongTokenIsRefused) {
  EXPECT_EQ(delayOfRefusal(0, 3s), 50ms);
  EXPECT_EQ(delayOfRefusal(1, 3s), 100ms);
  for (const auto& [failures, delay] : {std::pair{5U, 1600ms}, {6U, 3000ms}, {7U, 3000ms}, {~0U, 3000ms}})
    EXPECT_EQ(delayOfRefusal(failures, 3s), delay) << failures;
  EXPECT_EQ(delayOfRefusal(~0U, 3200ms), 3200ms);
  EXPECT_EQ(delayOfRefusal(~0U, 3201ms), 3200ms);
}

TEST(ServiceLimits, OfContexts) {
  TestService service(limits("\"contexts\": 2"));
  Context first = Context::create(service.options());
  {
    const Context second = Context::create(service.options());
    expectError(ErrorKind::operationError, {"QuotaExceeded: \"owner\" has 2 contexts, and the limit is 2."},
                [&] { static_cast<void>(Context::create(service.options())); });
  }
  ASSERT_TRUE(service.waitForLog("\"event\":\"left\""));
  EXPECT_EQ(Context::create(service.options()).backend(), "cpu");
}

TEST(ServiceLimits, OfContextsAreOfEachTenant) {
  const std::string one = "\"limits\": {\"contexts\": 1}";
  TestService service("\"tenants\": [{\"name\": \"a\", \"token\": \"" + kHashA + "\", " + one +
                      "}, {\"name\": \"b\", \"token\": \"" + kHashB + "\", " + one + "}]");
  const RawClient a(service.path(), kTokenA), more(service.path(), kTokenA), b(service.path(), kTokenB);
  EXPECT_EQ(a.welcome(), "W");
  EXPECT_EQ(more.welcome().substr(2), "QuotaExceeded: \"a\" has 1 contexts, and the limit is 1.");
  EXPECT_EQ(b.welcome(), "W");
}

// ---- Time limits ----

// A worker's activity, as the broker observes it.
struct WatchedWorker {
  const Clock::time_point begin = Clock::now();
  TimeLimits times{begin};
  WorkerMoment moment{.time = begin, .processorTime = 0ms};

  std::string at(std::chrono::milliseconds time, const TenantLimits& limits) {
    moment.time = begin + time;
    return times.exceeded(moment, limits).value_or("");
  }
  std::string afterProcessor(std::chrono::milliseconds time, const TenantLimits& limits) {
    moment.processorTime = time;
    return at(0ms, limits);
  }
};

TEST(ServiceLimits, OfTimeAreMeasuredFromTheBegin) {
  const TenantLimits limits{.buildTime = 60s, .dispatchTime = 30s, .idleTime = 300s};
  const TenantLimits none{.buildTime = 0s, .dispatchTime = 0s, .idleTime = 0s};
  {
    WatchedWorker worker;
    worker.moment.hasContext = true;
    EXPECT_EQ(worker.at(1'000'000ms, limits), "");  // the worker is idle
    worker.moment.isRunning = true;
    worker.moment.runs = 1;
    for (const auto time : {1'000'000ms, 1'029'999ms, 1'030'000ms}) EXPECT_EQ(worker.at(time, limits), "");
    EXPECT_EQ(worker.at(1'030'001ms, limits), "a dispatch took more than 30 s");
    EXPECT_EQ(worker.at(1'030'001ms, none), "");
    worker.moment.runs = 2;  // another run
    for (const auto time : {1'030'001ms, 1'060'001ms}) EXPECT_EQ(worker.at(time, limits), "");
    EXPECT_EQ(worker.at(1'060'002ms, limits), "a dispatch took more than 30 s");
    worker.moment.isRunning = false;
    EXPECT_EQ(worker.at(9'000'000ms, limits), "");
  }
  {
    WatchedWorker worker;
    worker.moment.hasContext = true;
    EXPECT_EQ(worker.at(1'000'000ms, limits), "");
    worker.moment.isStopped = true;
    for (const auto time : {1'000'001ms, 1'030'000ms}) EXPECT_EQ(worker.at(time, limits), "");
    EXPECT_EQ(worker.at(1'030'001ms, limits), "it was stopped for more than 30 s");
    EXPECT_EQ(worker.at(1'030'001ms, none), "");
    worker.moment.isStopped = false;
    EXPECT_EQ(worker.at(1'030'001ms, limits), "");
    worker.moment.isStopped = true;  // the worker has been stopped for the second time
    for (const auto time : {1'030'002ms, 1'060'001ms}) EXPECT_EQ(worker.at(time, limits), "");
    EXPECT_EQ(worker.at(1'060'002ms, limits), "it was stopped for more than 30 s");
  }
  {
    WatchedWorker worker;
    worker.moment.hasContext = true;
    EXPECT_EQ(worker.afterProcessor(100'000ms, limits), "");
    worker.moment.isBuilding = true;
    worker.moment.builds = 1;
    for (const auto time : {100'000ms, 159'999ms, 160'000ms}) EXPECT_EQ(worker.afterProcessor(time, limits), "");
    EXPECT_EQ(worker.afterProcessor(160'001ms, limits), "a build took more than 60 s of the processor");
    EXPECT_EQ(worker.afterProcessor(160'001ms, none), "");
    worker.moment.builds = 2;
    for (const auto time : {160'001ms, 220'001ms}) EXPECT_EQ(worker.afterProcessor(time, limits), "");
    EXPECT_EQ(worker.afterProcessor(220'002ms, limits), "a build took more than 60 s of the processor");
  }
  {
    WatchedWorker worker;
    for (const auto time : {299'999ms, 300'000ms}) EXPECT_EQ(worker.at(time, limits), "");
    EXPECT_EQ(worker.at(300'001ms, limits), "the connection had no context for 300 s");
    EXPECT_EQ(worker.at(300'001ms, none), "");
    worker.moment.hasContext = true;
    EXPECT_EQ(worker.at(300'001ms, limits), "");
  }
}

TEST(ServiceLimits, OfAConnectionWithoutAContext) {
  TestService service(limits("\"idleSeconds\": 1"));
  RawClient idle(service.path());
  std::unique_ptr<ContextClient> client;
  for (int i = 0; i < 20 && !(client && client->isReady); ++i)
    client = std::make_unique<ContextClient>(service);  // may fail while the machine is busy
  ASSERT_TRUE(client->isReady);
  EXPECT_EQ(idle.lost(), "lost: worker was killed: the connection had no context for 1 s");
  RawClient last(service.path());
  EXPECT_EQ(last.lost(), "lost: worker was killed: the connection had no context for 1 s");
  EXPECT_EQ(client->compileOfNodes(1, 1), "ok");
}

// Tests the time limit of a dispatch. The reference backend takes seconds for a matrix product of this size.
TEST(ServiceLimits, OfTheTimeOfADispatch) {
  TestService service(limits("\"dispatchSeconds\": 0.5"));
  ContextOptions options = service.options();
  options.backend = "reference";
  Context context = Context::create(options);
  const OperandDescriptor type{DataType::float32, {1024, 1024}};
  GraphBuilder builder(context);
  const Operand x = builder.input("x", type);
  Operand y = x;
  for (int i = 0; i < 64; ++i) y = builder.matmul(y, x);
  const Graph graph = builder.build({{"y", y}});
  const Tensor in = context.createTensor({DataType::float32, {1024, 1024}, false, true});
  const Tensor out = context.createTensor({DataType::float32, {1024, 1024}, true, false});
  context.dispatch(graph, {{"x", in}}, {{"y", out}});
  expectError(ErrorKind::invalidStateError, {}, [&] { context.read<float>(out); });
  EXPECT_EQ(context.lost().get().message, "worker was killed: a dispatch took more than 0.5 s");
}

TEST(ServiceLimits, OfTheProcessorTimeOfABuild) {
  TestService service(limits("\"buildSeconds\": 0.2"));
  ContextClient client(service), other(service);
  ASSERT_TRUE(client.isReady && other.isReady);
  EXPECT_EQ(client.compileOfNodes(2, 65536), "lost: worker was killed: a build took more than 0.2 s of the processor");
  EXPECT_EQ(other.compileOfNodes(1, 100), "ok");
}

// ---- Sizes ----

TEST(ServiceLimits, OfAMessage) {
  TestService service(limits("\"messageBytes\": 4096"));
  ContextClient client(service);
  const auto compile = [&](std::uint32_t graph, std::size_t bytes) {
    EditedMessage edited;
    const std::vector<std::byte> message = bytesOf(edited.message);
    const auto words = static_cast<std::uint32_t>(message.size() / 8 - 1);
    std::vector<std::byte> padded(bytes);  // the message with a second segment, which is zeros
    const std::uint32_t table[]{1, words, static_cast<std::uint32_t>(bytes / 8 - 2 - words), 0};
    std::memcpy(padded.data(), table, sizeof table);
    std::memcpy(padded.data() + sizeof table, message.data() + 8, message.size() - 8);
    return client.compileMessage(graph, graph, padded);
  };
  EXPECT_EQ(compile(1, 4088), "ok");
  EXPECT_EQ(compile(2, 4096), "ok");
  EXPECT_EQ(compile(3, 4104), "QuotaExceeded: the graph's message has 4104 bytes, and the limit is 4096.");
}

TEST(ServiceLimits, OfOperations) {
  TestService service(limits("\"operations\": 10"));
  ContextClient client(service);
  EXPECT_EQ(client.compileOfNodes(1, 9), "ok");
  EXPECT_EQ(client.compileOfNodes(2, 10), "ok");
  EXPECT_EQ(client.compileOfNodes(3, 11), "QuotaExceeded: nodes: there are 11, more than 10.");
}

TEST(ServiceLimits, OfOperationsAreErrorsOfTheApi) {
  TestService service(limits("\"operations\": 2"));
  const Context context = Context::create(service.options());
  const auto build = [&](int count) {
    GraphBuilder builder(context);
    Operand y = builder.input("x", {DataType::float32, {2}});
    for (int i = 0; i < count; ++i) y = builder.sin(y);
    return builder.build({{"y", y}});
  };
  build(1);
  build(2);
  expectError(ErrorKind::operationError, {"QuotaExceeded: nodes: there are 3, more than 2."}, [&] { build(3); });
}

TEST(ServiceLimits, OfOperands) {
  TestService service(limits("\"operands\": 10"));
  ContextClient client(service);
  EXPECT_EQ(client.compileOfNodes(1, 8), "ok");
  EXPECT_EQ(client.compileOfNodes(2, 9), "ok");
  EXPECT_NE(
      client.compileOfNodes(3, 10).find("QuotaExceeded: the graph would have more than 10 operands, the limit of the service."),
      std::string::npos);
}

TEST(ServiceLimits, OfNamesAndLabels) {
  const TestService service;
  ContextClient client(service);
  const auto compile = [&](std::uint32_t graph, std::size_t bytes, bool isLabel) {
    return client.compileChanged(graph, [&](EditedMessage& edited) {
      const std::string text(bytes, 'n');
      if (isLabel) return edited.node().setLabel(text);
      edited.graph.getInputs()[0].setName(text);
    });
  };
  for (const std::uint32_t first : {1, 11}) {
    const bool isLabel = first == 1;
    EXPECT_EQ(compile(first, 1023, isLabel), "ok");
    EXPECT_EQ(compile(first + 1, 1024, isLabel), "ok");
    const std::string answer = compile(first + 2, 1025, isLabel);
    EXPECT_NE(answer.find("QuotaExceeded: the "), std::string::npos) << answer;
    EXPECT_NE(answer.find(" has 1025 bytes, more than 1024."), std::string::npos) << answer;
  }
}

TEST(ServiceLimits, OfConstants) {
  TestService service(limits("\"constantBytes\": 1024"));
  const Context context = Context::create(service.options());
  const auto build = [&](std::uint32_t bytes) {
    GraphBuilder builder(context);
    const std::vector<std::byte> values(bytes);
    const OperandDescriptor type{DataType::uint8, {bytes}};
    return builder.build({{"y", builder.add(builder.input("x", type), builder.constant(type, values))}});
  };
  build(1023);
  build(1024);
  expectError(ErrorKind::operationError, {"QuotaExceeded: the graph's constants have 1088 bytes, and the limit is 1024."},
              [&] { build(1025); });
}

TEST(ServiceLimits, OfConstantsToTheByte) {
  TestService service(limits("\"constantBytes\": 1024"));
  ContextClient client(service);
  const auto compile = [&](std::uint32_t graph, std::size_t bytes) {
    EditedMessage edited;
    SharedMemory constants = makeSharedMemory(bytes, "constants");
    sealAgainstWriting(constants);
    EXPECT_EQ(client.shareMemory(100 + graph, constants, bytes), "ok");
    return client.compileMessage(graph, graph, bytesOf(edited.message), 100 + graph);
  };
  EXPECT_EQ(compile(1, 1023), "ok");
  EXPECT_EQ(compile(2, 1024), "ok");
  EXPECT_EQ(compile(3, 1025), "QuotaExceeded: the graph's constants have 1025 bytes, and the limit is 1024.");
}

TEST(ServiceLimits, OfConstantsInAMessage) {
  const TestService service;
  ContextClient client(service);
  const auto compile = [&](std::uint32_t graph, std::uint32_t bytes) {
    return client.compileChanged(graph, [&](EditedMessage& edited) {
      auto constant = edited.addConstant();
      constant.getShape().set(0, bytes);
      constant.initBytes(bytes);
    });
  };
  EXPECT_EQ(compile(1, (8 << 20) - 1), "ok");
  EXPECT_EQ(compile(2, 8 << 20), "ok");
  const std::string answer = compile(3, (8 << 20) + 1);
  EXPECT_NE(answer.find("QuotaExceeded: the constants in the message have more than 8388608 bytes."), std::string::npos)
      << answer;
}

// Tests the length of error messages. hostile_worker_test.cpp tests reasons, and workers that send longer texts.
TEST(ServiceLimits, OfTheTextOfAnError) {
  for (const std::size_t size : {4095U, 4096U, 4097U})
    EXPECT_EQ(textForClient(std::string(size, 'x')).size(), std::min<std::size_t>(size, 4096));
}

// ---- Counts ----

// Tests the number of tensors of a dispatch. All tensors except two are inputs.
TEST(ServiceLimits, OfTensorsOfADispatch) {
  const TestService service;
  Context context = Context::create(service.options());
  const auto compute = [&](std::uint32_t count) {
    GraphBuilder builder(context);
    std::vector<NamedTensor> inputs, outputs;
    std::vector<Operand> halves[2];
    for (std::uint32_t i = 0; i < count - 2; ++i) {
      inputs.push_back({std::to_string(i), context.createTensor({DataType::float32, {1}, false, true})});
      halves[i % 2].push_back(builder.input(inputs.back().first, {DataType::float32, {1}}));
    }
    std::vector<NamedOperand> results;
    for (const auto& half : halves) {
      results.push_back({"y" + std::to_string(results.size()), builder.concat(half, 0)});
      outputs.push_back({results.back().first,
                         context.createTensor({DataType::float32, {static_cast<std::uint32_t>(half.size())}, true, false})});
    }
    context.dispatch(builder.build(results), inputs, outputs);
    for (const auto& [name, tensor] : outputs) EXPECT_EQ(context.read<float>(tensor).size(), tensor.shape()[0]);
  };
  compute(16383);
  compute(16384);
  expectError(ErrorKind::operationError, {"QuotaExceeded: a dispatch has 16385 tensors, and the service takes 16384."},
              [&] { compute(16385); });
}

TEST(ServiceLimits, OfTensorsOfADispatchForItsWorker) {
  const TestService service;
  ContextClient client(service);
  EXPECT_EQ(client.share(1, 2 << 20), "ok");
  const auto dispatch = [&](std::uint32_t count) {
    const std::uint32_t inputs = count - 2;
    const std::string compiled = client.compileChanged(count, [&](EditedMessage& edited) {
      auto list = edited.graph.initInputs(inputs);
      for (std::uint32_t i = 0; i < inputs; ++i) {
        list[i].setName(std::to_string(i));
        list[i].initShape(1).set(0, 1);
      }
      auto nodes = edited.graph.initNodes(2);
      auto outputs = edited.graph.initOutputs(2);
      for (std::uint32_t half = 0; half < 2; ++half) {
        auto operands = nodes[half].getOperation().initConcat().initInputs((inputs + 1 - half) / 2);
        for (std::uint32_t i = 0; i < operands.size(); ++i) operands.set(i, 2 * i + half);
        outputs[half].setName("y" + std::to_string(half));
        outputs[half].setOperand(inputs + half);
      }
    });
    EXPECT_EQ(compiled, "ok");
    std::vector<TensorReference> tensors(count);
    for (std::uint32_t i = 0; i < inputs; ++i) tensors[i] = {1, 0, std::uint64_t{64} * i, 4};
    for (std::uint32_t half = 0; half < 2; ++half)
      tensors[inputs + half] = {1, 0, (std::uint64_t{1} << 20) + (std::uint64_t{256} << 10) * half,
                                4 * ((inputs + 1 - half) / 2)};
    tensors.resize(std::min(count, kMailboxTensors));
    Mailbox& box = client.mailbox();
    box.graph = count;
    box.inputs = inputs;
    box.outputs = 2;
    std::ranges::copy(tensors, box.tensors);
    client.announceCommand();
    return client.outcome();
  };
  EXPECT_EQ(dispatch(16383), "ok");
  EXPECT_EQ(dispatch(16384), "ok");
  EXPECT_EQ(dispatch(16385), "a dispatch has more than 16384 tensors.");
}

TEST(ServiceLimits, OfGraphs) {
  TestService service(limits("\"graphs\": 2"));
  ContextClient client(service);
  EXPECT_EQ(client.compileOfNodes(1, 1), "ok");
  EXPECT_EQ(client.compileOfNodes(2, 1), "ok");
  EXPECT_EQ(client.compileOfNodes(3, 1), "QuotaExceeded: there are 2 graphs, and the limit is 2.");
  EXPECT_EQ(client.destroy({1}), "ok");
  EXPECT_EQ(client.drop({1003}), "ok");
  EXPECT_EQ(client.compileOfNodes(3, 1), "ok");
}

TEST(ServiceLimits, OfTensors) {
  TestService service(limits("\"tensors\": 3"));
  ContextClient client(service);
  for (std::uint32_t i = 1; i <= 3; ++i) EXPECT_EQ(client.share(i, 64), "ok");
  EXPECT_EQ(client.share(4, 64), "QuotaExceeded: there are 3 tensors and graphs in shared memory, which is the limit.");
  EXPECT_EQ(client.drop({2}), "ok");
  EXPECT_EQ(client.share(4, 64), "ok");
}

TEST(ServiceLimits, TokenBucketLimitsTheRate) {
  const TokenBucket::Time begin{};
  TokenBucket bucket(4, begin);
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(bucket.take(begin)) << i;
  EXPECT_FALSE(bucket.take(begin));
  for (const auto& [time, isThere] : {std::pair{249ms, false}, {250ms, true}, {251ms, true}}) {
    TokenBucket later = bucket;  // one token is added every quarter of a second
    EXPECT_EQ(later.take(begin + time), isThere) << time.count();
    EXPECT_FALSE(later.take(begin + time)) << time.count();
  }
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(bucket.take(begin + 1h)) << i;  // the bucket holds at most the tokens of one second
  EXPECT_FALSE(bucket.take(begin + 1h));
}

TEST(ServiceLimits, OfMessagesInASecond) {
  TestService service(limits("\"messagesPerSecond\": 20"));
  ContextClient client(service);
  ASSERT_TRUE(client.isReady);
  const auto ask = [&] { return client.ask([](schema::Request::Builder request) { request.initNotes(); }); };
  for (int i = 2; i < 20; ++i) EXPECT_EQ(ask(), "there is no graph 0.") << i;
  std::string answer;
  for (int i = 0; i < 100'000 && answer != "QuotaExceeded: more than 20 messages in a second."; ++i) answer = ask();
  EXPECT_EQ(answer, "QuotaExceeded: more than 20 messages in a second.");
  for (int i = 0; i < 100; ++i) EXPECT_EQ(client.drop({}), "ok");  // requests that release objects are never refused
  while (ask() != "there is no graph 0.") {
  }
}

TEST(ServiceLimits, OfThreads) {
  TestService service(limits("\"threads\": 3"));
  const auto threadsOf = [&](std::uint32_t asked) {
    RawClient client(service.path());
    client.shareMailbox();
    EXPECT_EQ(client.create([&](schema::Create::Builder create) { create.setThreads(asked); }), "ok");
    const std::string log = service.log();
    const std::string worker = std::to_string(std::stoi(log.substr(log.rfind("\"worker\":") + 9)));
    const SharedMemory tensors = makeSharedMemory(std::size_t{3} << 20, "tensors");
    client.shareMemory(1, tensors, std::size_t{3} << 20);
    EditedMessage edited;
    auto shape = edited.graph.getInputs()[0].initShape(2);
    for (unsigned i = 0; i < 2; ++i) shape.set(i, 512);
    auto product = edited.node().getOperation().initMatmul();
    product.setA(0);
    product.setB(0);
    EXPECT_EQ(client.compileMessage(1, 2, bytesOf(edited.message)), "ok");
    EXPECT_EQ(client.dispatch(1, {{1, 0, 0, 1 << 20}}, {{1, 0, 1 << 20, 1 << 20}}), "ok");
    return std::distance(std::filesystem::directory_iterator("/proc/" + worker + "/task"), {});
  };
  const auto two = threadsOf(2), three = threadsOf(3);
  EXPECT_EQ(three, two + 1);
  EXPECT_EQ(threadsOf(4), three);
  EXPECT_EQ(threadsOf(1000), three);
}

// Returns the soft and the hard limit `name` of a process.
std::string systemLimit(pid_t process, const std::string& name) {
  std::ifstream file("/proc/" + std::to_string(process) + "/limits");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(name)) continue;
    std::istringstream words(line.substr(name.size()));
    std::string soft, hard;
    words >> soft >> hard;
    return soft + " " + hard;
  }
  return "(none)";
}

// The system enforces some limits of a worker. spawn_test.cpp tests that a process cannot exceed them; sandbox_test.cpp tests
// that it cannot start another process.
TEST(ServiceLimits, AreTheSystemsForAWorker) {
  const TenantLimits limits{.worker = {.threads = 5}, .memory = 1 << 30};
  const WorkerProcess worker({}, {.name = "tenant", .limits = limits}, WEBNN_SERVICE_PROGRAM);
  EXPECT_EQ(systemLimit(worker.pid(), "Max open files"), "256 256");
  EXPECT_EQ(systemLimit(worker.pid(), "Max data size"), "1073741824 1073741824");
  EXPECT_EQ(systemLimit(worker.pid(), "Max core file size"), "0 0");
  const bool hasUsers =
      std::ranges::none_of(worker.missing(), [](const std::string& layer) { return layer.starts_with("limit of processes"); });
  EXPECT_EQ(systemLimit(worker.pid(), "Max processes") == "42 42", hasUsers);
}

// ---- The log ----

struct LogLines {
  Pipe pipe;
  EventLog log{pipe.write.get()};

  std::vector<std::string> take() {
    std::vector<std::string> lines;
    while (isReadable(pipe.read.get(), 0)) lines.push_back(readLine(pipe.read.get()));
    return lines;
  }
};

TEST(ServiceLimits, OfLogLines) {
  LogLines log;
  const auto write = [&](const char* tenant, int count) {
    for (int i = 0; i < count; ++i) log.log.write("event", tenant, 3, {});
  };
  write("a", 2);
  EXPECT_EQ(log.take().size(), 2U);
  write("a", 1);
  EXPECT_EQ(log.take().size(), 1U);
  write("a", 1000);  // the calls take much less than the 300 s in which 1000 lines would be allowed
  const std::size_t more = log.take().size();
  EXPECT_LT(more, 1000U);
  EXPECT_EQ(log.log.dropped(), 1000U - more);
  write("b", 3);
  EXPECT_EQ(log.take().size(), 3U);
  std::vector<std::string> lines;
  while (lines.empty()) {
    write("a", 1);
    lines = log.take();
  }
  EXPECT_NE(lines[0].find("\"dropped\":"), std::string::npos);
}

TEST(ServiceLimits, OfALogThatNobodyReads) {
  LogLines log;
  ::fcntl(log.pipe.write.get(), F_SETPIPE_SZ, 4096);
  for (int i = 0; i < 1000; ++i) log.log.write("event", "a", 1'000'000, {{"text", "a line that nobody reads"}});
  EXPECT_GT(log.log.dropped(), 900U);
  EXPECT_LT(log.log.dropped(), 1000U);
  for (const std::string& line : log.take()) EXPECT_EQ(formats::parseJson(line).find("event")->asText(), "event");
}

// Tests the length of a log line. A writable pipe accepts PIPE_BUF bytes without blocking. A longer line might block the broker
// until the reader reads.
TEST(ServiceLimits, OfALineOfTheLog) {
  LogLines log;
  const std::string longest(100'000, '\x01');
  log.log.write("event", longest, 100, {{"reason", longest}, {"number", 1}});
  const std::vector<std::string> lines = log.take();
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_LT(lines[0].size(), static_cast<std::size_t>(PIPE_BUF));
  const formats::Json line = formats::parseJson(lines[0]);
  EXPECT_GT(line.find("reason")->asText().size(), 100U);
  EXPECT_EQ(line.find("number")->asUnsigned(), 1U);
}

TEST(ServiceLimits, AClientThatLeavesIsNoLoss) {
  TestService service;
  for (int i = 0; i < 60; ++i) Context::create(service.options());
  EXPECT_TRUE(becomesTrue([&] {
    const std::string& log = service.log();
    std::size_t lines = 0;
    for (std::size_t at = 0; (at = log.find("\"left\"", at)) != std::string::npos; ++at) ++lines;
    return lines == 60;
  })) << service.log();
  EXPECT_EQ(service.log().find("\"lost\""), std::string::npos);
}

TEST(ServiceLimits, RefusalsAreLinesOfTheirTenant) {
  TestService service(limits("\"contexts\": 1, \"logLinesPerSecond\": 2"));
  const RawClient client(service.path());
  for (int i = 0; i < 200; ++i) EXPECT_EQ(refusal(service)[0], 'R');
  const std::string status = refusal(service, Wish::status);
  const std::size_t place = status.find("\"linesDropped\":");
  ASSERT_NE(place, std::string::npos);
  EXPECT_GT(std::stoi(status.substr(place + 15)), 50);
}

// ---- The documentation ----

// Returns the defaults in the tables of docs/guides/service.md, section "Limits", by key.
std::map<std::string, std::string> documentedDefaults() {
  std::ifstream file(std::string(WEBNN_SOURCE_DIR) + "/docs/guides/service.md");
  std::map<std::string, std::string> defaults;
  bool isTable = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("## ")) isTable = line == "## Limits";
    if (!isTable || !line.starts_with("| ")) continue;
    std::vector<std::string> cells;
    for (std::size_t begin = 2, end; (end = line.find(" |", begin)) != std::string::npos; begin = end + 3)
      cells.push_back(line.substr(begin, end - begin));
    if (cells.size() < 3 || cells[2].front() != '`') continue;
    defaults[cells[2].substr(1, cells[2].size() - 2)] = cells[1];
  }
  return defaults;
}

std::string withCommas(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t place = text.size(); place > 3;) text.insert(place -= 3, ",");
  return text;
}
std::string withUnit(std::uint64_t bytes) {
  return bytes >> 30 != 0 ? std::to_string(bytes >> 30) + " GiB" : std::to_string(bytes >> 20) + " MiB";
}

TEST(ServiceLimits, HaveTheDefaultsThatAreDocumented) {
  const BrokerConfig config = readConfig("{}");
  const TenantLimits& tenant = config.tenants.at(0).limits;
  const auto seconds = [](auto time) {
    return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count()) + " s";
  };
  const std::map<std::string, std::string> expected{{"connections", withCommas(config.connections)},
                                                    {"unauthenticated", withCommas(config.unauthenticated)},
                                                    {"unauthenticatedPerUser", withCommas(config.unauthenticatedPerUser)},
                                                    {"helloSeconds", seconds(config.helloTime)},
                                                    {"contexts", withCommas(tenant.contexts)},
                                                    {"memory", "a quarter of the machine's"},
                                                    {"buildSeconds", seconds(tenant.buildTime)},
                                                    {"dispatchSeconds", seconds(tenant.dispatchTime)},
                                                    {"idleSeconds", seconds(tenant.idleTime)},
                                                    {"logLinesPerSecond", withCommas(tenant.logLinesPerSecond)},
                                                    {"graphs", withCommas(tenant.worker.graphs)},
                                                    {"tensors", withCommas(tenant.worker.memories)},
                                                    {"operations", withCommas(tenant.worker.operations)},
                                                    {"operands", withCommas(tenant.worker.operands)},
                                                    {"messageBytes", withUnit(tenant.worker.messageBytes)},
                                                    {"constantBytes", withUnit(tenant.worker.constantBytes)},
                                                    {"messagesPerSecond", withCommas(tenant.worker.messagesPerSecond)},
                                                    {"threads", withCommas(tenant.worker.threads)}};
  EXPECT_EQ(documentedDefaults(), expected);
  const long pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGESIZE);
  const auto quarter = static_cast<double>(pages) * static_cast<double>(page) / 4;
  EXPECT_NEAR(static_cast<double>(tenant.memory), quarter, quarter / 100);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::service
