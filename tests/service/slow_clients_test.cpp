// Tests clients that disconnect at any time, send nothing, or never read. Other clients must be served, and no resources may
// remain.
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>
#include <iostream>
#include <random>

#include "context/graph_state.h"
#include "service/bystander.h"
#include "service/graph_message.h"
#include "service/mailbox.h"
#include "service/message.h"
#include "service/packet.h"
#include "service/running_service.h"
#include "service/shared_memory.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

using namespace test;
using service::Packet;
using service::Received;
namespace schema = service::schema;

// Raises the limit of descriptors for all clients and, because it is inherited, for the broker.
[[maybe_unused]] const bool kHasDescriptors = [] {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  return ::setrlimit(RLIMIT_NOFILE, &limit) == 0;
}();

FileDescriptor connectTo(const std::string& address) {
  const std::string path = address.substr(std::string("unix:").size());
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  std::memcpy(name.sun_path, path.data(), path.size());
  FileDescriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name) != 0)
    throw std::runtime_error("no connection to the service");
  return socket;
}

service::Hello makeHello(const std::string& token) {
  service::Hello hello;
  std::ranges::copy(token, hello.token.begin());
  return hello;
}

// Sends the hello. Returns the socket to the worker, or an invalid descriptor if the service refuses.
FileDescriptor greet(int control, const service::Hello& hello) {
  Packet packet;
  if (!service::sendPacket(control, std::as_bytes(std::span(&hello, 1))) || !isReadable(control) ||
      service::receivePacket(control, packet, service::kMostNoticeBytes, 1) != Received::packet || packet.descriptors.empty())
    return FileDescriptor(-1);
  return std::move(packet.descriptors[0]);
}

// ---- A session, packet by packet ----

struct Step {
  std::vector<std::byte> bytes;
  int descriptor = -1;  // a descriptor of memory that the session owns, or -1
};

// The requests of a client, in order: it shares memory, creates a context, builds a graph, asks for its notes and destroys it.
class Session {
 public:
  Session()
      : mailbox_(service::makeSharedMemory(sizeof(service::Mailbox), "mailbox")),
        tensors_(service::makeSharedMemory(4096, "tensors")) {
    const Context context = Context::create({.execution = Execution::callerThread});
    const Graph graph = buildGraph(context, 16, 3);
    const std::vector<std::byte> message = service::writeGraphMessage(
        *graph.state()->definition, [](std::size_t, std::span<const std::byte>) { return std::nullopt; });
    graph_ = service::makeSharedMemory(message.size(), "graph");
    std::ranges::copy(message, graph_.mapping.bytes().begin());
    add([](schema::Request::Builder request) { share(request, 0, sizeof(service::Mailbox)); }, mailbox_.descriptor.get());
    add([](schema::Request::Builder request) {
      auto create = request.initCreate();
      create.setThreads(1);
      const std::uint64_t enough = std::uint64_t{1} << 30;
      auto limits = create.initLimits();
      limits.setMemory(enough);
      limits.setOperations(enough);
      limits.setElements(enough);
      limits.setCompileWork(enough);
    });
    add([](schema::Request::Builder request) { share(request, 1, 4096); }, tensors_.descriptor.get());
    add([&](schema::Request::Builder request) { share(request, 2, message.size()); }, graph_.descriptor.get());
    add([&](schema::Request::Builder request) {
      auto compile = request.initCompile();
      compile.setGraph(3);
      compile.setMemory(2);
      compile.setByteLength(message.size());
    });
    add([](schema::Request::Builder request) { request.initNotes().setGraph(3); });
    add([](schema::Request::Builder request) { request.initDropMemories(1).set(0, 2); });
    add([](schema::Request::Builder request) { request.initDestroyGraphs(1).set(0, 3); });
  }
  const std::vector<Step>& steps() const { return steps_; }
  // The number of the step that compiles the graph. A dispatch through the mailbox may follow it.
  static constexpr std::size_t kCompile = 4;
  void announceDispatch() {
    auto& box = *reinterpret_cast<service::Mailbox*>(mailbox_.mapping.bytes().data());
    box.graph = 3;
    box.inputs = box.outputs = 1;
    box.tensors[0] = {1, 0, 0, 64};
    box.tensors[1] = {1, 0, 64, 64};
    service::announce(box.submitted, 1, box.workerSleeps);
  }
  // Creates a new mailbox for the next worker, because the previous worker may still use its own.
  void begin() {
    mailbox_ = service::makeSharedMemory(sizeof(service::Mailbox), "mailbox");
    steps_[0].descriptor = mailbox_.descriptor.get();
  }

 private:
  static void share(schema::Request::Builder request, std::uint32_t number, std::size_t size) {
    auto memory = request.initShareMemory();
    memory.setMemory(number);
    memory.setByteLength(size);
  }
  template <typename Fill>
  void add(Fill&& fill, int descriptor = -1) {
    steps_.push_back({service::encode<schema::Request>([&](schema::Request::Builder request) {
                        request.setId(steps_.size() + 1);
                        fill(request);
                      }),
                      descriptor});
  }

  service::SharedMemory mailbox_, tensors_, graph_;
  std::vector<Step> steps_;
};

bool send(int socket, const Step& step, std::size_t size) {
  const auto bytes = std::span(step.bytes).first(size);
  return step.descriptor < 0 ? service::sendPacket(socket, bytes) : service::sendPacket(socket, bytes, {{step.descriptor}});
}

bool hasReply(int worker) {
  Packet packet;
  if (!isReadable(worker) || service::receivePacket(worker, packet, service::kMostPacketBytes, 0) != Received::packet)
    return false;
  service::Decoded decoded(packet.bytes);
  const schema::Reply::Reader reply = decoded.root<schema::Reply>();
  if (reply.isFailure()) ADD_FAILURE() << reply.getFailure().getMessage().cStr();
  return !reply.isFailure();
}

// Sends the session up to a byte offset, then disconnects. `waits`: reads the reply to each request. Returns false if the
// service refuses the client or a reply is wrong.
bool disconnectAt(Session& session, const RunningService& service, const std::string& token, std::size_t offset, bool waits) {
  session.begin();
  const service::Hello hello = makeHello(token);
  FileDescriptor control = connectTo(service.address());
  if (offset < sizeof hello) {
    service::sendPacket(control.get(), std::as_bytes(std::span(&hello, 1)).first(offset));
    return true;
  }
  offset -= sizeof hello;
  const FileDescriptor worker = greet(control.get(), hello);
  if (!worker) return false;
  for (std::size_t i = 0; i < session.steps().size(); ++i) {
    const Step& step = session.steps()[i];
    const std::size_t size = std::min(offset, step.bytes.size());
    send(worker.get(), step, size);
    offset -= size;
    if (size < step.bytes.size()) return true;
    if (waits && !hasReply(worker.get())) return false;
    if (waits && i == Session::kCompile) session.announceDispatch();
  }
  return true;
}

std::size_t lengthOf(const Session& session) {
  std::size_t length = sizeof(service::Hello);
  for (const Step& step : session.steps()) length += step.bytes.size();
  return length;
}

TEST(SlowClients, ClientsMayGoAwayAtAnyMoment) {
  const int count = times("WEBNN_DISCONNECTS", 300);
  const Tenants tenants;
  RunningService service(tenants.config(), tenants.other);
  Session session;
  ASSERT_TRUE(disconnectAt(session, service, tenants.victim, lengthOf(session), true)) << "the session is not answered";
  ASSERT_TRUE(becomesTrue([&] { return service.workers().empty(); }));
  const std::size_t broker = openDescriptors(std::to_string(service.pid())), own = openDescriptors();
  {
    Bystander other(service.options(tenants.other));
    std::mt19937 random(1);
    std::uniform_int_distribution<std::size_t> offset(0, lengthOf(session));
    for (int i = 0; i < count; ++i)
      ASSERT_TRUE(disconnectAt(session, service, tenants.victim, offset(random), random() % 2 == 0))
          << i << ": " << service.lines().back();
    other.end();
    EXPECT_EQ(other.errors(), 0);
    std::cout << count << " disconnects; another tenant: " << other.text() << "\n";
  }
  EXPECT_TRUE(becomesTrue([&] { return service.workers().empty(); }));
  EXPECT_TRUE(becomesTrue([&] { return openDescriptors(std::to_string(service.pid())) <= broker; }));
  EXPECT_EQ(openDescriptors(), own);
}

// ---- Clients that send nothing or never read ----

// Sends requests continuously and reads no reply. Returns when the worker waits for this client to read.
void askUntilNobodyListens(int worker) {
  const int flags = ::fcntl(worker, F_GETFL);
  ::fcntl(worker, F_SETFL, flags | O_NONBLOCK);
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(kDeadline);
  for (std::uint64_t id = 1; std::chrono::steady_clock::now() < end; ++id) {
    const std::vector<std::byte> bytes = service::encode<schema::Request>([&](schema::Request::Builder request) {
      request.setId(id);
      request.initDestroyGraphs(1).set(0, 1);
    });
    if (!service::sendPacket(worker, bytes)) break;  // EAGAIN
  }
}

TEST(SlowClients, OthersGoOnBesideClientsThatSayNothingOrNeverListen) {
  const int slow = times("WEBNN_SLOW_CLIENTS", 24), normal = slow >= 500 ? 32 : 4;
  const Tenants tenants;
  nlohmann::json config = tenants.config();
  config["connections"] = config["unauthenticated"] = 4 * slow + 200;
  config["limits"]["contexts"] = slow + 64;
  config["helloSeconds"] = slow >= 500 ? 10 : 1;
  RunningService service(config, tenants.other);
  const std::size_t broker = openDescriptors(std::to_string(service.pid()));
  {
    std::vector<std::unique_ptr<Bystander>> others;
    for (int i = 0; i < normal; ++i) others.push_back(std::make_unique<Bystander>(service.options(tenants.other)));
    std::vector<FileDescriptor> silent, deaf;
    for (int i = 0; i < slow; ++i) {
      FileDescriptor control = connectTo(service.address());
      FileDescriptor worker = greet(control.get(), makeHello(tenants.victim));
      ASSERT_TRUE(worker) << i;
      askUntilNobodyListens(worker.get());
      deaf.push_back(std::move(control));
      deaf.push_back(std::move(worker));
    }
    for (int i = 0; i < slow; ++i) silent.push_back(connectTo(service.address()));
    // A new client is served although all silent clients are connected.
    Client fresh = makeClient(service.options(tenants.other));
    EXPECT_TRUE(computes(fresh, 1));
    // Silent clients get a notice and are disconnected.
    for (const FileDescriptor& socket : silent) {
      Packet packet;
      ASSERT_TRUE(isReadable(socket.get()));
      ASSERT_EQ(service::receivePacket(socket.get(), packet, service::kMostNoticeBytes, 0), Received::packet);
      EXPECT_NE(textOf(packet.bytes).find("no hello came in"), std::string::npos) << textOf(packet.bytes);
      EXPECT_EQ(service::receivePacket(socket.get(), packet, service::kMostNoticeBytes, 0), Received::closed);
    }
    EXPECT_TRUE(computes(fresh, 2));
    std::size_t count = 0;
    double longest = 0;
    for (const auto& other : others) {
      other->end();
      EXPECT_EQ(other->errors(), 0);
      EXPECT_GT(other->count(), 0u);
      count += other->count();
      longest = std::max(longest, other->quantile(0.99));
    }
    std::cout << slow << " clients that say nothing, " << slow << " that never listen; " << normal << " others made " << count
              << " round trips, the largest p99 is " << longest << " ms\n";
  }
  EXPECT_TRUE(becomesTrue([&] { return service.workers().empty(); }));
  EXPECT_TRUE(becomesTrue([&] { return openDescriptors(std::to_string(service.pid())) <= broker; }));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
