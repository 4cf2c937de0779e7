// A client of a worker that runs in this process. Sends requests to the worker's session, and dispatches through the mailbox.
#pragma once

#include <fcntl.h>

#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "service/graph_message.h"
#include "worker/dispatches.h"
#include "worker/session.h"

namespace webnn::test {

namespace schema = service::schema;

class SessionClient {
 public:
  explicit SessionClient(const std::string& backend = "cpu", std::uint32_t threads = 2) : session_(settings(), {}, state_) {
    share(0, mailbox_.descriptor, sizeof(service::Mailbox));
    ask([&](schema::Request::Builder request) {
      auto create = request.initCreate();
      create.setBackend(backend);
      create.setThreads(threads);
      auto limits = create.initLimits();
      limits.setMemory(~std::uint64_t{0});
      limits.setOperations(~std::uint64_t{0});
      limits.setElements(~std::uint64_t{0});
      limits.setCompileWork(~std::uint64_t{0});
    });
    dispatcher_.emplace(state_, session_.mailbox());
  }

  service::WorkerState& state() { return state_; }

  // Sends a request. Throws the worker's errors.
  void ask(const std::function<void(schema::Request::Builder)>& fill, int descriptor = -1) {
    service::Packet packet;
    packet.bytes = service::encode<schema::Request>([&](schema::Request::Builder request) {
      request.setId(++requests_);
      fill(request);
    });
    if (descriptor >= 0) packet.descriptors.emplace_back(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
    const auto bytes = session_.answer(std::move(packet));
    if (!bytes) throw Error(ErrorKind::unknownError, "the worker ends");
    service::Decoded decoded(*bytes);
    const auto reply = decoded.root<schema::Reply>();
    if (!reply.isFailure()) return;
    throw Error(static_cast<ErrorKind>(reply.getFailure().getKind()),
                std::string(service::textOf(reply.getFailure().getMessage())));
  }

  void share(std::uint32_t number, const FileDescriptor& memory, std::size_t size) {
    ask(
        [&](schema::Request::Builder request) {
          auto share = request.initShareMemory();
          share.setMemory(number);
          share.setByteLength(size);
        },
        memory.get());
  }

  // Compiles a graph as number 1. Its constants are sealed unless `sealsConstants` is false. Uses the memory numbers 1 and 2.
  void compile(const GraphDefinition& graph, bool sealsConstants = true) {
    std::vector<std::byte> constants;
    const std::vector<std::byte> message = service::writeGraphMessage(graph, [&](std::size_t, std::span<const std::byte> bytes) {
      const service::ConstantLocation location{2, constants.size(), bytes.size()};
      constants.insert(constants.end(), bytes.begin(), bytes.end());
      constants.resize((constants.size() + 63) / 64 * 64);
      return std::optional(location);
    });
    drop(isCompiled_);
    isCompiled_ = false;
    service::SharedMemory forMessage = service::makeSharedMemory(message.size(), "test");
    std::ranges::copy(message, forMessage.mapping.bytes().begin());
    share(1, forMessage.descriptor, message.size());
    service::SharedMemory forConstants = service::makeSharedMemory(std::max<std::size_t>(constants.size(), 64), "test");
    std::ranges::copy(constants, forConstants.mapping.bytes().begin());
    const std::size_t size = forConstants.mapping.bytes().size();
    if (sealsConstants) service::sealAgainstWriting(forConstants);
    share(2, forConstants.descriptor, size);
    isCompiled_ = true;
    ask([&](schema::Request::Builder request) {
      auto compile = request.initCompile();
      compile.setGraph(1);
      compile.setMemory(1);
      compile.setByteLength(message.size());
      compile.setConstants(2);
    });
  }

  // Dispatches graph number 1. Throws the worker's errors.
  void dispatch(const std::vector<service::TensorReference>& inputs, const std::vector<service::TensorReference>& outputs) {
    service::Mailbox& box = *reinterpret_cast<service::Mailbox*>(mailbox_.mapping.bytes().data());
    box.graph = 1;
    box.inputs = static_cast<std::uint32_t>(inputs.size());
    box.outputs = static_cast<std::uint32_t>(outputs.size());
    std::ranges::copy(outputs, std::ranges::copy(inputs, box.tensors).out);
    dispatcher_->answer();
    if (box.failed != 0) throw Error(static_cast<ErrorKind>(box.failed - 1), std::string(box.text, box.textLength));
  }

 private:
  static service::WorkerSettings settings() {
    service::WorkerSettings settings;
    settings.backends = {{"cpu", {}}, {"reference", {}}};
    settings.limits.messagesPerSecond = ~0U;
    settings.limits.threads = kMaxThreads;
    return settings;
  }
  void drop(bool isThere) {
    if (!isThere) return;
    ask([](schema::Request::Builder request) { request.initDestroyGraphs(1).set(0, 1); });
    ask([](schema::Request::Builder request) {
      auto list = request.initDropMemories(2);
      list.set(0, 1);
      list.set(1, 2);
    });
  }

  service::WorkerStatus status_{};
  service::WorkerState state_{status_};
  service::Session session_;
  service::SharedMemory mailbox_ = service::makeSharedMemory(sizeof(service::Mailbox), "test");
  std::optional<service::Dispatcher> dispatcher_;
  std::uint64_t requests_ = 0;
  bool isCompiled_ = false;
};

}  // namespace webnn::test
