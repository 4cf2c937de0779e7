// The requests of a worker's client.
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

// A part of an operation's placement, as a page holds it.
struct PlacementPart {
  std::uint32_t operation = 0;
  OperationPlacement placement;
};

// Answers requests one after the other. Any request is answered or ends the worker.
class Session {
 public:
  // `failures`: why backends of the settings are not there.
  Session(const WorkerSettings& settings, std::map<std::string, Error> failures, WorkerState& state)
      : settings_(settings), failures_(std::move(failures)), state_(state) {}

  // The reply to a request; nullopt to one that no client of ours sends: the connection ends.
  std::optional<std::vector<std::byte>> answer(Packet request);
  // Once the client has shared it.
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
  std::optional<Context> reader_;  // validates graphs
  std::shared_ptr<MemoryAccount> memory_;
  WorkerState::Memory mailbox_;
  std::vector<PlacementPart> placement_;  // of the last requested graph, for its further pages
  std::optional<std::uint32_t> placedGraph_;
  std::uint64_t requests_ = 0;
  TokenBucket messages_{settings_.limits.messagesPerSecond, std::chrono::steady_clock::now()};
};

}  // namespace webnn::service
