#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "service/message.h"
#include "service/packet.h"
#include "service/token_bucket.h"
#include "webnn/context.h"
#include "worker/worker_state.h"

namespace webnn::service {

// An operation's placement, or a part of it if it is long.
struct PlacementPart {
  std::uint32_t operation = 0;
  OperationPlacement placement;
};

// Answers a client's requests one after the other. A request that cannot be decoded or has the wrong id ends the worker. Other
// invalid requests get an error as the reply.
class Session {
 public:
  // `failures`: the errors of configured backends that could not be loaded, by name.
  Session(const WorkerSettings& settings, std::map<std::string, Error> failures, WorkerState& state)
      : settings_(settings), failures_(std::move(failures)), state_(state) {}

  // Returns the reply. Returns nullopt if the request cannot be decoded or has the wrong id; the caller then ends the worker.
  std::optional<std::vector<std::byte>> answer(Packet request);
  // Returns null until the client has shared the mailbox.
  const WorkerState::Memory& mailbox() const { return mailbox_; }

 private:
  void respond(schema::Request::Reader request, std::vector<FileDescriptor>& descriptors, schema::Reply::Builder reply);
  void create(schema::Create::Reader request, schema::Created::Builder reply);
  void shareMemory(schema::ShareMemory::Reader request, std::vector<FileDescriptor>& descriptors);
  void compile(schema::Compile::Reader request, schema::Compiled::Builder reply);

  const WorkerSettings settings_;
  const std::map<std::string, Error> failures_;
  WorkerState& state_;
  std::shared_ptr<const Backend> backend_;
  std::optional<Context> reader_;  // validates the client's graphs
  std::shared_ptr<MemoryAccount> memory_;
  WorkerState::Memory mailbox_;
  std::vector<PlacementPart> placement_;  // placement of the graph placedGraph_; the client requests it page by page
  std::optional<std::uint32_t> placedGraph_;
  std::uint64_t requests_ = 0;
  TokenBucket messages_{settings_.limits.messagesPerSecond, std::chrono::steady_clock::now()};
};

}  // namespace webnn::service
