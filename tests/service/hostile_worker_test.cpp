// Tests a worker that an attacker controls, and the program that it serves. The fuzzer worker_replies tests more replies.
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <functional>
#include <optional>
#include <thread>

#include "backends/service/service_backend.h"
#include "context/context_state.h"
#include "service/hello.h"
#include "service/message.h"
#include "service/packet.h"
#include "support/support.h"
#include "webnn/webnn.hpp"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

using service::Packet, service::Received;
namespace schema = service::schema;

// Answers requests like a worker, except that `lie` may write the reply (and return true). Sends no reply to requests of kind
// `unanswered`. When the client closes the connection, sends `last` as the broker's notice of the loss.
class HostileWorker {
 public:
  using Lie = std::function<bool(schema::Request::Reader, schema::Reply::Builder)>;

  explicit HostileWorker(Lie lie, std::string last = "worker ended: so said the broker",
                         std::optional<schema::Request::Which> unanswered = {}) {
    auto [control, brokerEnd] = service::packetSocketPair();
    auto [worker, workerEnd] = service::packetSocketPair();
    thread_ = std::thread(
        [lie = std::move(lie), unanswered, last = "L" + last, worker = std::move(workerEnd), broker = std::move(brokerEnd)] {
          Packet packet;
          while (service::receivePacket(worker.get(), packet, service::kMostPacketBytes, 1) == Received::packet) {
            service::Decoded decoded(packet.bytes);
            const auto request = decoded.root<schema::Request>();
            if (request.which() == unanswered) continue;
            service::sendPacket(worker.get(), service::encode<schema::Reply>([&](schema::Reply::Builder reply) {
                                  reply.setId(request.getId());
                                  if (!lie(request, reply)) answer(request, reply);
                                }));
          }
          service::sendPacket(broker.get(), std::as_bytes(std::span(last)));
        });
    connection_ = std::make_shared<service::Connection>(
        service::BrokerLink{.socket = service::LocalDescriptor(std::move(control))}, service::LocalDescriptor(std::move(worker)),
        unanswered ? std::chrono::seconds(1) : service::Connection::kAnswerTime);
    connection_->shareMailbox();
  }
  HostileWorker(const HostileWorker&) = delete;
  HostileWorker& operator=(const HostileWorker&) = delete;
  ~HostileWorker() {
    connection_->close();
    thread_.join();
  }

  Context context() const {
    return makeContext(service::makeBackend({}, {}, connection_), {.execution = Execution::callerThread});
  }

 private:
  static void answer(schema::Request::Reader request, schema::Reply::Builder reply) {
    switch (request.which()) {
      case schema::Request::CREATE: return reply.initCreated().setBackend("cpu");
      case schema::Request::COMPILE: return reply.initCompiled().setNotes(1);
      case schema::Request::NOTES: reply.initNotes(0); return;
      case schema::Request::STEPS: reply.initSteps(0); return;
      default: return reply.setDone();
    }
  }

  std::thread thread_;
  std::shared_ptr<service::Connection> connection_;
};

Graph buildSum(Context& context) {
  GraphBuilder builder(context);
  const Operand x = builder.input("x", {DataType::float32, {4}});
  return builder.build({{"y", builder.add(x, x)}});
}

// Returns the error of a build. The build must fail.
Error buildError(const HostileWorker& worker) {
  Context context = worker.context();
  try {
    buildSum(context);
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "it was built";
  return Error(ErrorKind::unknownError, "");
}

TEST(HostileWorker, AnAnswerOfAnotherKindIsALostContext) {
  const HostileWorker worker([](schema::Request::Reader request, schema::Reply::Builder reply) {
    if (!request.isCompile()) return false;
    reply.initNotes(1).set(0, "not what was asked for");
    return true;
  });
  Context context = worker.context();
  expectError(ErrorKind::invalidStateError, {"so said the broker"}, [&] { buildSum(context); });
  expectError(ErrorKind::invalidStateError, {"so said the broker"}, [&] { context.createTensor({DataType::float32, {4}}); });
}

TEST(HostileWorker, ThatSaysNothingIsALostContext) {
  const auto never = [](schema::Request::Reader, schema::Reply::Builder) { return false; };
  for (const auto unanswered : {schema::Request::CREATE, schema::Request::NOTES, schema::Request::DESTROY_GRAPHS}) {
    SCOPED_TRACE(static_cast<int>(unanswered));
    expectError(ErrorKind::invalidStateError, {"so said the broker"}, [&] {
      const HostileWorker worker(never, "worker ended: so said the broker", unanswered);
      Context context = worker.context();
      buildSum(context).notes();                       // the graph is destroyed here
      context.createTensor({DataType::float32, {4}});  // the request that drops the graph may be sent with the next request
    });
  }
}

TEST(HostileWorker, TextOfItsErrorsHasNoControlCharacters) {
  const HostileWorker worker([](schema::Request::Reader request, schema::Reply::Builder reply) {
    if (!request.isCompile()) return false;
    auto failure = reply.initFailure();
    failure.setKind(200);
    failure.setMessage("\x1B]0;owned\x07\xFF");
    return true;
  });
  const Error error = buildError(worker);
  EXPECT_EQ(error.kind(), ErrorKind::operationError);
  EXPECT_NE(std::string(error.what()).find(R"(\u{001B}]0;owned\u{0007}\xFF)"), std::string::npos) << error.what();
}

TEST(HostileWorker, ListsThatDoNotEndAreAnError) {
  const HostileWorker worker([](schema::Request::Reader request, schema::Reply::Builder reply) {
    if (!request.isNotes()) return false;
    reply.initNotes(1).set(0, "and another one");
    return true;
  });
  Context context = worker.context();
  const Graph graph = buildSum(context);
  expectError(ErrorKind::dataError, {"pages"}, [&] { graph.notes(); });
}

TEST(HostileWorker, APlacementOfOperationsThatAreNotThereIsAnError) {
  for (const auto& [operation, state] : {std::pair{1U, 0}, std::pair{0xffffffffU, 0}, std::pair{0U, 3}}) {
    const HostileWorker worker(
        [operation = operation, state = state](schema::Request::Reader request, schema::Reply::Builder reply) {
          if (!request.isPlacement()) return false;
          auto part = reply.initPlacement(1)[0];
          part.setOperation(operation);
          part.setState(static_cast<std::uint8_t>(state));
          return true;
        });
    Context context = worker.context();
    const Graph graph = buildSum(context);
    expectError(ErrorKind::dataError, {"places an operation"}, [&] { graph.placement(); });
  }
}

TEST(HostileWorker, MemoryThatItSaysToUseIsBounded) {
  const HostileWorker worker([](schema::Request::Reader request, schema::Reply::Builder reply) {
    if (!request.isCompile()) return false;
    reply.initCompiled().setMemoryInUse(~std::uint64_t{0});
    return true;
  });
  Context context = worker.context();
  try {
    buildSum(context);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::operationError) << error.what();
  }
  EXPECT_NO_THROW(context.createTensor({DataType::float32, {4}}));
}

TEST(HostileWorker, TextOfItsErrorsIsBounded) {
  const HostileWorker worker([](schema::Request::Reader request, schema::Reply::Builder reply) {
    if (!request.isCompile()) return false;
    reply.initFailure().setMessage(std::string(100'000, 'x'));
    return true;
  });
  const std::size_t size = std::string_view(buildError(worker).what()).size();
  EXPECT_LE(size, 4096U);
  EXPECT_GE(size, 3900U);
}

TEST(HostileWorker, ReasonsOfItsBrokerAreBounded) {
  for (const std::size_t size : {4095U, 4096U, 4097U, 60'000U}) {
    const HostileWorker worker(
        [](schema::Request::Reader request, schema::Reply::Builder reply) {
          if (!request.isCompile()) return false;
          reply.initNotes(0);
          return true;
        },
        std::string(size, 'x'));
    Context context = worker.context();
    EXPECT_THROW(buildSum(context), Error);
    EXPECT_EQ(context.lost().get().message, std::string(std::min<std::size_t>(size, 4096), 'x'));
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
