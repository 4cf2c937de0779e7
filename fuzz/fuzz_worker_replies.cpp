// Fuzzes a client with a worker's replies: replies of any kind, which may be damaged, and wrong values in the shared mailbox.
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

#include "backends/service/service_backend.h"
#include "context/context_state.h"
#include "random/random_graph.h"
#include "service/hello.h"
#include "service/packet.h"
#include "webnn/graph_builder.h"

namespace {

using namespace webnn;
using random::Choices;
namespace schema = service::schema;

void require(bool holds) {
  if (!holds) __builtin_trap();
}

// Plays the broker: after the client has closed its connection to the worker, sends the broker's last message to the client.
class Broker {
 public:
  Broker() {
    std::thread([this] { serve(); }).detach();
  }
  // The caller must keep both sockets open until finish() returns.
  void watch(int worker, int control, std::string lastWord) {
    const std::lock_guard lock(mutex_);
    worker_ = worker, control_ = control, lastWord_ = std::move(lastWord);
    isBusy_ = true;
    changed_.notify_all();
  }
  void finish() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !isBusy_; });
  }

 private:
  void serve() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return isBusy_; });
      pollfd item{worker_, 0, 0};
      while (::poll(&item, 1, -1) < 0) {
      }
      service::sendPacket(control_, std::as_bytes(std::span(lastWord_)));
      ::shutdown(control_, SHUT_RDWR);
      isBusy_ = false;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  int worker_ = -1, control_ = -1;
  std::string lastWord_;
  bool isBusy_ = false;
};

std::string anyText(Choices& choices) {
  return choices.pick(
      {std::string("text"), std::string(), std::string("\xFF\xFE"), std::string(5000, 'a'), std::string("a\0b", 3)});
}

void fillLimits(schema::Operations::TensorLimits::Builder limits, Choices& choices) {
  limits.setDataTypes(choices.pick({0x3FU, ~0U, 0U}));
  limits.setMinRank(choices.pick({0U, ~0U}));
  limits.setMaxRank(choices.pick({8U, ~0U, 0U}));
}

void fillReply(schema::Reply::Builder reply, std::uint32_t kind, Choices& choices) {
  switch (kind) {
    case 0: {
      auto failure = reply.initFailure();
      failure.setKind(static_cast<std::uint8_t>(choices.below(256)));
      return failure.setMessage(anyText(choices));
    }
    case 1: {
      auto created = reply.initCreated();
      created.setBackend(anyText(choices));
      created.setAccelerated(choices.oneIn(2));
      auto operations = created.initOperations();
      operations.setPreferredInputLayout(static_cast<std::uint8_t>(choices.below(3)));
      operations.setMaxTensorByteLength(choices.pick({std::uint64_t{1} << 31, ~std::uint64_t{0}, std::uint64_t{0}}));
      fillLimits(operations.initInput(), choices);
      auto operands = operations.initOperands(choices.below(3));
      for (auto operand : operands) {
        operand.setOperation(choices.pick({"add", "", "\xFF"}));
        operand.setName(choices.pick({"a", ""}));
        fillLimits(operand.initLimits(), choices);
      }
      return;
    }
    case 2: return reply.setDone();
    case 3: {
      auto compiled = reply.initCompiled();
      compiled.setMemoryInUse(choices.pick({std::uint64_t{100}, ~std::uint64_t{0}, std::uint64_t{0}}));
      return compiled.setNotes(choices.pick({0U, 1U, ~0U}));
    }
    case 4: {
      auto notes = reply.initNotes(choices.below(3));
      for (unsigned i = 0; i < notes.size(); ++i) notes.set(i, anyText(choices));
      return;
    }
    case 5: {
      for (auto part : reply.initPlacement(choices.below(3))) {
        part.setOperation(choices.pick({0U, 1U, ~0U}));
        part.setState(static_cast<std::uint8_t>(choices.below(5)));
        part.setDevice(anyText(choices));
        auto kernels = part.initKernels(choices.below(3));
        for (unsigned i = 0; i < kernels.size(); ++i) kernels.set(i, anyText(choices));
      }
      return;
    }
    default: {
      auto steps = reply.initSteps(choices.below(3));
      for (auto step : steps) {
        step.setOperation(anyText(choices));
        step.setLabel(anyText(choices));
        step.setStart(choices.real(-1, 1) / 0.0);
      }
    }
  }
}

// A client's library, connected to a fake worker.
class Trial {
 public:
  explicit Trial(Choices& choices) : choices_(choices) {}

  void run() {
    auto [control, brokerEnd] = service::packetSocketPair();
    auto [worker, workerEnd] = service::packetSocketPair();
    workerEnd_ = workerEnd.get();
    answer(2, 1);
    broker().watch(workerEnd.get(), brokerEnd.get(), "L" + anyText(choices_));
    try {
      auto connection =
          std::make_shared<service::Connection>(service::BrokerLink{.socket = service::LocalDescriptor(std::move(control))},
                                                service::LocalDescriptor(std::move(worker)));
      connection->shareMailbox();
      takeMailbox();
      prepare();
      use(connection);
    } catch (const Error&) {
    }
    ::shutdown(workerEnd.get(), SHUT_RDWR);
    broker().finish();
  }

 private:
  static Broker& broker() {
    static auto* const all = new Broker;  // never destroyed, because its thread runs until the process ends
    return *all;
  }

  void answer(std::uint32_t kind, std::uint64_t id) {
    std::vector<std::byte> bytes = service::encode<schema::Reply>([&](schema::Reply::Builder reply) {
      reply.setId(id);
      fillReply(reply, kind, choices_);
    });
    if (id > 1) damage(bytes);
    const std::vector<int> descriptors(choices_.oneIn(64) ? choices_.below(4) : 0, workerEnd_);
    service::sendPacket(workerEnd_, bytes, descriptors);
  }
  void damage(std::vector<std::byte>& bytes) {
    for (std::uint32_t damages = choices_.oneIn(4) ? 1 + choices_.below(4) : 0; damages > 0; --damages) {
      bytes[choices_.below(bytes.size())] = static_cast<std::byte>(choices_.below(256));
    }
    if (choices_.oneIn(64)) bytes.resize(choices_.below(bytes.size()));
  }

  void takeMailbox() {
    service::Packet packet;
    require(service::receivePacket(workerEnd_, packet, service::kMostPacketBytes, 1) == service::Received::packet);
    mailbox_ = service::mapShared(packet.descriptors.at(0), sizeof(service::Mailbox));
  }
  service::Mailbox& box() { return *reinterpret_cast<service::Mailbox*>(mailbox_.bytes().data()); }

  // Queues all replies in advance. Most are in this order: created, done (memory of the graph), done (memory of its constants),
  // compiled, notes, placement, steps, done (memory of a tensor).
  void prepare() {
    constexpr std::uint32_t kLikely[] = {1, 2, 2, 3, 4, 5, 6, 2};
    const std::uint32_t count = choices_.below(12);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t kind = choices_.oneIn(8) ? choices_.below(7) : kLikely[i % std::size(kLikely)];
      answer(kind, choices_.oneIn(32) ? choices_.below(16) : i + 2);
    }
    ::shutdown(workerEnd_, SHUT_WR);
  }

  void lie(std::uint32_t runs) {
    box().completed = choices_.oneIn(16) ? ~runs : runs;
    box().failed = choices_.pick({0U, 1U, 7U, ~0U});
    box().textLength = choices_.pick({0U, 10U, service::kMailboxTextBytes, ~0U});
    box().text[0] = static_cast<char>(choices_.below(256));
  }

  void use(std::shared_ptr<service::Connection> connection) {
    const auto backend = service::makeBackend({}, {}, std::move(connection));
    Context context = makeContext(backend, {.execution = Execution::callerThread});
    context.opSupportLimits();
    GraphBuilder builder(context);
    const Operand x = builder.input("x", {DataType::float32, {4}});
    const Operand y = builder.add(x, builder.constant<float>({DataType::float32, {4}}, {1, 2, 3, 4}));
    Graph graph = builder.build({{"y", y}});
    ignoreErrors([&] { graph.notes(); });
    ignoreErrors([&] { graph.placement(); });
    const std::vector<std::byte> bytes(16);
    std::vector<std::byte> result(16);
    const std::vector<std::span<const std::byte>> inputs{bytes};
    const std::vector<std::span<std::byte>> outputs{result};
    for (std::uint32_t runs = 1; runs < 4; ++runs) {
      lie(runs);
      ignoreErrors([&] {
        const auto executable = graph.state()->executable();  // null after the context is lost
        if (runs == 2 && executable) {
          executable->profile(inputs, outputs);
        } else {
          graph.compute(inputs, outputs);
        }
      });
    }
    ignoreErrors([&] { context.createTensor({DataType::float32, {1 << 16}}); });
  }
  template <typename Use>
  static void ignoreErrors(Use&& use) {
    try {
      use();
    } catch (const Error&) {
    }
  }

  Choices& choices_;
  int workerEnd_ = -1;
  service::Mapping mailbox_;
};

}  // namespace

namespace {

std::ptrdiff_t threads() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return std::distance(begin(tasks), end(tasks));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::ptrdiff_t idle = threads() + 1;  // includes the broker's thread
  Choices choices{std::span(data, size)};
  Trial(choices).run();
  // A thread of the last connection may not have ended yet. LeakSanitizer would report its memory as leaked.
  while (threads() > idle) std::this_thread::yield();
  return 0;
}
