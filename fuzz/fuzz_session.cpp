// Fuzzes a worker with messages of a hostile client: requests in any order, damaged or with any file descriptors, and dispatches.
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <deque>

#include "context/graph_state.h"
#include "context/reading_context.h"
#include "random/random_graph.h"
#include "service/graph_message.h"
#include "worker/dispatches.h"
#include "worker/session.h"

namespace {

using namespace webnn;
using random::Choices;
namespace schema = service::schema;

constexpr std::size_t kTensorBytes = 1 << 16, kMessageBytes = 1 << 14;
constexpr std::size_t kMostTemplateBytes = 1500;  // largest graph message used as a template: small graphs compile quickly
// Requests usually take the ids of memories and graphs from [0, kNumbers), so that they often name existing objects.
constexpr std::uint32_t kNumbers = 8;

void require(bool holds) {
  if (!holds) __builtin_trap();
}

// A graph message as a client sends it, with its constants.
struct Message {
  std::vector<std::byte> bytes;
  service::SharedMemory constants;
  std::size_t constantBytes = 0;
};

Message messageOf(const GraphDefinition& graph) {
  Message message;
  std::vector<std::byte> constants;
  message.bytes = service::writeGraphMessage(graph, [&](std::size_t, std::span<const std::byte> bytes) {
    const service::ConstantLocation location{1, constants.size(), bytes.size()};
    constants.insert(constants.end(), bytes.begin(), bytes.end());
    constants.resize((constants.size() + 63) / 64 * 64);
    return std::optional(location);
  });
  message.constantBytes = std::max<std::size_t>(constants.size(), 64);
  message.constants = service::makeSharedMemory(message.constantBytes, "fuzz");
  std::ranges::copy(constants, message.constants.mapping.bytes().begin());
  service::sealAgainstWriting(message.constants);
  return message;
}

// Returns 48 small random graphs.
std::deque<Message> makeMessages() {
  std::deque<Message> messages;
  Context context = makeReadingContext();
  for (std::uint64_t seed = 1; messages.size() < 48; ++seed) {
    Choices choices(seed);
    const random::RandomGraph made = random::makeRandomGraph(context, choices);
    std::size_t bytes = 0;
    for (const random::Bytes& input : made.inputs) bytes += input.size();
    Message message = messageOf(*made.graph.state()->definition);
    if (message.bytes.size() <= kMostTemplateBytes && bytes <= kTensorBytes / 2) messages.push_back(std::move(message));
  }
  return messages;
}

// Objects that all executions share, because creating shared memory takes longer than using it.
struct World {
  std::deque<Message> messages = makeMessages();
  service::SharedMemory mailbox = service::makeSharedMemory(sizeof(service::Mailbox), "fuzz");
  service::SharedMemory message = service::makeSharedMemory(kMessageBytes, "fuzz");
  std::deque<service::SharedMemory> tensors;
  FileDescriptor unsealed{::memfd_create("fuzz", MFD_CLOEXEC)}, event{::eventfd(0, EFD_CLOEXEC)};

  World() {
    for (int i = 0; i < 2; ++i) tensors.push_back(service::makeSharedMemory(kTensorBytes, "fuzz"));
    require(::ftruncate(unsealed.get(), kTensorBytes) == 0);
  }
};

service::WorkerSettings makeSettings() {
  service::WorkerSettings settings;
  settings.limits.graphs = 4;
  settings.limits.memories = kNumbers;
  settings.limits.threads = 2;
  settings.backends = {{"cpu", {}}, {"reference", {}}};
  return settings;
}

class Client {
 public:
  Client(World& world, Choices& choices) : world_(world), choices_(choices) {
    std::memset(world.mailbox.mapping.bytes().data(), 0, offsetof(service::Mailbox, text));
  }

  void run() {
    if (!choices_.oneIn(8)) begin();
    for (int step = 0; step < 24 && !choices_.areOver(); ++step) {
      switch (choices_.below(12)) {
        case 0: create(); break;
        case 1:
        case 2: share(); break;
        case 3:
        case 4: compile(); break;
        case 5: drop(); break;
        case 6: page(); break;
        case 7: sendAnything(); break;
        default: dispatch();
      }
    }
  }

 private:
  using Fill = std::function<void(schema::Request::Builder)>;

  service::Mailbox& box() { return *reinterpret_cast<service::Mailbox*>(world_.mailbox.mapping.bytes().data()); }
  std::uint32_t number() { return choices_.oneIn(16) ? choices_.below(1U << 31) : choices_.below(kNumbers); }

  // Sends the usual first requests, so that later requests find existing objects.
  void begin() {
    send([](schema::Request::Builder request) { request.initShareMemory().setByteLength(sizeof(service::Mailbox)); },
         world_.mailbox.descriptor.get());
    create();
    for (std::uint32_t i = 0; i < 2; ++i) shareAs(1 + i, kTensorBytes, world_.tensors[i].descriptor.get());
    shareAs(3, kMessageBytes, world_.message.descriptor.get());
  }

  void send(const Fill& fill, int descriptor = -1) {
    service::Packet packet;
    packet.bytes = service::encode<schema::Request>([&](schema::Request::Builder request) {
      request.setId(choices_.oneIn(64) ? choices_.below(64) : requests_ + 1);
      fill(request);
    });
    for (std::uint32_t damages = choices_.oneIn(8) ? 1 + choices_.below(3) : 0; damages > 0; --damages) {
      packet.bytes[choices_.below(packet.bytes.size())] = static_cast<std::byte>(choices_.below(256));
    }
    if (choices_.oneIn(64)) packet.bytes.resize(choices_.below(packet.bytes.size()));
    const std::uint32_t copies = choices_.oneIn(32) ? choices_.below(3) : 1;
    for (std::uint32_t i = 0; descriptor >= 0 && i < copies; ++i)
      packet.descriptors.emplace_back(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
    answer(std::move(packet));
  }

  void answer(service::Packet packet) {
    const auto reply = session_.answer(std::move(packet));
    if (!reply) return;
    ++requests_;
    require(reply->size() <= service::kMostPacketBytes);
    service::Decoded decoded(*reply);
    require(decoded.root<schema::Reply>().getId() == requests_);
  }

  void create() {
    send([&](schema::Request::Builder request) {
      auto create = request.initCreate();
      create.setBackend(choices_.pick({"cpu", "reference", "", "onnxruntime", "none"}));
      create.setAccelerated(choices_.oneIn(16));
      create.setPowerPreference(static_cast<std::uint8_t>(choices_.below(4)));
      create.setThreads(choices_.oneIn(16) ? 2 : 1);
      if (choices_.oneIn(8)) {
        auto option = create.initBackendOptions(1)[0];
        option.setName(choices_.pick({"isa", "library", ""}));
        option.setValue(choices_.pick({"avx2", "sse4", "/dev/null", "\xFF"}));
      }
      auto limits = create.initLimits();
      const std::uint64_t few = choices_.oneIn(8) ? choices_.below(1U << 20) : std::uint64_t{1} << 40;
      limits.setMemory(few);
      limits.setOperations(few);
      limits.setElements(std::min(few, std::uint64_t{1} << 20));
      limits.setCompileWork(std::min(few, std::uint64_t{1} << 24));
    });
  }

  void shareAs(std::uint32_t memory, std::uint64_t length, int descriptor) {
    send(
        [&](schema::Request::Builder request) {
          auto share = request.initShareMemory();
          share.setMemory(memory);
          share.setByteLength(length);
        },
        descriptor);
  }

  void share() {
    const Message& message = world_.messages[choices_.below(world_.messages.size())];
    const std::uint32_t memory = number();
    switch (choices_.below(6)) {
      case 0: return shareAs(memory, kTensorBytes, world_.tensors[choices_.below(2)].descriptor.get());
      case 1: return shareAs(memory, message.constantBytes, message.constants.descriptor.get());
      case 2: return shareAs(memory, kMessageBytes, world_.message.descriptor.get());
      case 3: return shareAs(memory, choices_.below(1 << 17), world_.tensors[0].descriptor.get());
      case 4: return shareAs(memory, sizeof(service::Mailbox), world_.mailbox.descriptor.get());
      default: return shareAs(memory, kTensorBytes, choices_.oneIn(2) ? world_.unsealed.get() : world_.event.get());
    }
  }

  void compile() {
    const Message& message = world_.messages[choices_.below(world_.messages.size())];
    const std::span<std::byte> to = world_.message.mapping.bytes();
    std::ranges::copy(message.bytes, to.begin());
    for (std::uint32_t damages = choices_.oneIn(2) ? choices_.below(8) : 0; damages > 0; --damages) {
      to[choices_.below(message.bytes.size())] = static_cast<std::byte>(choices_.below(256));
    }
    const std::uint32_t constants = choices_.oneIn(8) ? number() : 4;
    if (constants == 4) {
      send([](schema::Request::Builder request) { request.initDropMemories(1).set(0, 4); });
      shareAs(4, message.constantBytes, message.constants.descriptor.get());
    }
    send([&](schema::Request::Builder request) {
      auto compile = request.initCompile();
      compile.setGraph(number());
      compile.setMemory(choices_.oneIn(16) ? number() : 3);
      compile.setByteLength(choices_.oneIn(16) ? choices_.below(1 << 16) : message.bytes.size());
      compile.setConstants(constants);
    });
  }

  void drop() {
    const bool isGraphs = choices_.oneIn(2);
    send([&](schema::Request::Builder request) {
      const unsigned count = choices_.below(4);
      auto list = isGraphs ? request.initDestroyGraphs(count) : request.initDropMemories(count);
      for (unsigned i = 0; i < count; ++i) list.set(i, number());
    });
  }

  void page() {
    send([&](schema::Request::Builder request) {
      auto page = choices_.oneIn(2) ? request.initNotes() : request.initSteps();
      page.setGraph(number());
      page.setFirst(choices_.oneIn(8) ? ~0U : choices_.below(4));
    });
  }

  void sendAnything() {
    service::Packet packet;
    packet.bytes.resize(choices_.below(128));
    for (std::byte& byte : packet.bytes) byte = static_cast<std::byte>(choices_.below(256));
    answer(std::move(packet));
  }

  // Dispatches a graph with tensors of the right sizes, placed one behind the other. Sometimes forges a value in the mailbox.
  void dispatch() {
    if (!session_.mailbox()) return;
    if (!dispatcher_) dispatcher_.emplace(state_, session_.mailbox());
    service::Mailbox& box = this->box();
    box.graph = number();
    box.isProfile = choices_.oneIn(4);
    box.cancelRun = choices_.oneIn(16);
    std::vector<std::size_t> lengths;
    try {
      const auto graph = state_.graph(box.graph);
      lengths = graph->inputLengths;
      lengths.insert(lengths.end(), graph->outputLengths.begin(), graph->outputLengths.end());
      box.inputs = static_cast<std::uint32_t>(graph->inputLengths.size());
      box.outputs = static_cast<std::uint32_t>(graph->outputLengths.size());
    } catch (const Error&) {
    }
    std::uint64_t at = choices_.oneIn(8) ? choices_.below(64) : 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(lengths.size(), service::kMailboxTensors); ++i) {
      box.tensors[i] = {1 + static_cast<std::uint32_t>(at / kTensorBytes % 2), 0, at % kTensorBytes, lengths[i]};
      at += (lengths[i] + 63) / 64 * 64;
    }
    if (choices_.oneIn(4)) forge(box);
    dispatcher_->answer();
    require(box.failed == 0 || box.textLength <= service::kMailboxTextBytes);
  }

  void forge(service::Mailbox& box) {
    service::TensorReference& tensor = box.tensors[choices_.below(4)];
    const std::uint64_t any = choices_.pick({std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}, ~std::uint64_t{0} - 63,
                                             std::uint64_t{1} << 63, std::uint64_t{kTensorBytes}, std::uint64_t{4}});
    switch (choices_.below(5)) {
      case 0: tensor.memory = number(); break;
      case 1: tensor.offset = any; break;
      case 2: tensor.length = any; break;
      case 3: box.inputs = static_cast<std::uint32_t>(any); break;
      default: box.outputs = static_cast<std::uint32_t>(any);
    }
  }

  World& world_;
  Choices& choices_;
  service::WorkerStatus status_{};
  service::WorkerState state_{status_};
  service::Session session_{makeSettings(), {}, state_};
  std::optional<service::Dispatcher> dispatcher_;
  std::uint64_t requests_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static World world;
  Choices choices{std::span(data, size)};
  Client(world, choices).run();
  return 0;
}
