// A client of a service with a context, for tests of limits.
#pragma once

#include <functional>
#include <string>

#include "service/message_support.h"
#include "service/raw_client.h"

namespace webnn::test {

inline std::string limits(const std::string& members) { return "\"limits\": {" + members + "}"; }

// A client with a mailbox and a context on the CPU engine.
struct ContextClient : RawClient {
  explicit ContextClient(const TestService& service) : RawClient(service.path()) {
    isReady = shareMailbox() == "ok" && create() == "ok";
  }
  bool isReady = false;

  std::string compileChanged(std::uint32_t graph, const std::function<void(EditedMessage&)>& change = {}) {
    EditedMessage edited;
    if (change) change(edited);
    std::string answer = compileMessage(graph, 1000 + graph, bytesOf(edited.message));
    if (answer == "ok") answer = drop({1000 + graph});
    return answer;
  }
  std::string compileOfNodes(std::uint32_t graph, unsigned count) {
    return compileChanged(graph, [&](EditedMessage& edited) {
      auto nodes = edited.graph.initNodes(count);
      for (unsigned i = 0; i < count; ++i) nodes[i].getOperation().initRelu().setInput(i);
      edited.graph.getOutputs()[0].setOperand(count);
    });
  }
  std::string share(std::uint32_t number, std::size_t bytes) {
    return shareMemory(number, service::makeSharedMemory(bytes, "test"), bytes);
  }
};

}  // namespace webnn::test
