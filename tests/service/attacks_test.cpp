// Tests clients that try to harm the service, or to learn about others, by requests, memory and dispatches. A table has the
// expected answer to each attempt. After each attempt, the worker must still run, or must have ended with a stated reason.
#include "service/attacks.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>

#include <algorithm>
#include <thread>

#include "service/message_support.h"

namespace webnn::service {
namespace WEBNN_TEST_FILE {

TEST(AttacksTable, ASecretWouldBeFound) {
  std::vector<std::int32_t> values(4, kSecret);
  values[0] = 0;
  EXPECT_TRUE(holdsSecret(std::as_bytes(std::span(values)).subspan(1)));
  values[2] = 0;
  EXPECT_FALSE(holdsSecret(std::as_bytes(std::span(values))));
}

constexpr TensorReference kX{1, 0, 0, 8}, kY{1, 0, 64, 8};

// A client with a mailbox, a context, tensors in memory number 1 (x = {-1, 2}), and graph number 1: y = relu(x).
struct Attacker : RawClient {
  explicit Attacker(const TestService& service) : RawClient(service.path(), kTokenA) {}

  SharedMemory tensors = makeSharedMemory(4096, "tensors");
  float* x() { return reinterpret_cast<float*>(tensors.mapping.bytes().data()); }
  float* y() { return x() + 16; }

  bool isReady() {
    x()[0] = -1;
    x()[1] = 2;
    return shareMailbox() == "ok" && create() == "ok" && shareMemory(1, tensors, 4096) == "ok" && compileChanged(1, 2) == "ok";
  }
  std::string compileChanged(std::uint32_t graph, std::uint32_t memory, const std::function<void(EditedMessage&)>& change = {},
                             std::uint32_t constants = 0) {
    EditedMessage edited;
    if (change) change(edited);
    return compileMessage(graph, memory, bytesOf(edited.message), constants);
  }
  // Compiles a graph with a constant in memory number `constants`. Memory number 3 has 64 bytes and is sealed.
  std::string compileConstant(std::uint64_t offset, std::uint64_t length, std::uint32_t constants = 3) {
    SharedMemory memory = makeSharedMemory(64, "constants");
    sealAgainstWriting(memory);
    if (std::string answer = shareMemory(3, memory, 64); answer != "ok") return answer;
    return compileChanged(
        2, 4,
        [&](EditedMessage& edited) {
          auto location = edited.addConstant().initLocation();
          location.setMemory(1);
          location.setOffset(offset);
          location.setLength(length);
        },
        constants);
  }
  bool isAlive() {
    return ask([](schema::Request::Builder request) { request.initNotes().setGraph(999); }) == "there is no graph 999.";
  }
  std::string placementPage(std::uint32_t graph, std::uint32_t first) {
    return ask([&](schema::Request::Builder request) {
      auto page = request.initPlacement();
      page.setGraph(graph);
      page.setFirst(first);
    });
  }
  std::string page(bool isSteps, std::uint32_t graph, std::uint32_t first) {
    return ask([&](schema::Request::Builder request) {
      auto page = isSteps ? request.initSteps() : request.initNotes();
      page.setGraph(graph);
      page.setFirst(first);
    });
  }
  std::string shareOf(int descriptor, std::uint64_t size) {
    const FileDescriptor owned(descriptor);
    return shareMemory(5, descriptor, size);
  }
  // Shares a memfd of 4096 bytes with the given seals, and claims that it has `size` bytes.
  std::string shareWithSeals(int seals, std::uint64_t size = 4096) {
    const FileDescriptor memory(::memfd_create("attack", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (::ftruncate(memory.get(), 4096) != 0 || ::fcntl(memory.get(), F_ADD_SEALS, seals) != 0) return "(no memory)";
    return shareMemory(5, memory.get(), size);
  }
};

struct Attack {
  const char* name;
  std::function<std::string(Attacker&)> run;
  const char* answer;   // a part of the expected answer
  bool isReady = true;  // whether Attacker::isReady() is called first
};

constexpr int kFixed = F_SEAL_SHRINK | F_SEAL_GROW;
constexpr const char* kNoRequest = "lost: worker ended: the client sent an invalid request, or a request out of order.";
constexpr const char* kTooLong =
    "lost: worker ended: a packet is longer than 131072 bytes, or comes with more than 1 descriptors.";
constexpr const char* kHasLeft = "lost: worker ended: the client has closed its connection.";

std::string sendOf(Attacker& attacker, std::size_t size, unsigned char byte) {
  return attacker.send(std::vector<std::byte>(size, std::byte{byte}));
}
std::string sendAs(Attacker& attacker, std::uint64_t id) {
  return attacker.send(RawClient::request(id, [](schema::Request::Builder request) { request.initNotes(); }));
}

const std::vector<Attack> kRequestAttacks{
    {"a packet of 0 bytes", [](Attacker& a) { return sendOf(a, 0, 0); }, kHasLeft},
    {"of 1 byte", [](Attacker& a) { return sendOf(a, 1, 0); }, kNoRequest},
    {"of 7 bytes", [](Attacker& a) { return sendOf(a, 7, 0); }, kNoRequest},
    {"of zeros", [](Attacker& a) { return sendOf(a, 8, 0); }, kNoRequest},
    {"of ones", [](Attacker& a) { return sendOf(a, 8, 0xff); }, kNoRequest},
    {"of a byte less than 128 KiB", [](Attacker& a) { return sendOf(a, (128 << 10) - 1, 0); }, kNoRequest},
    {"of 128 KiB of ones", [](Attacker& a) { return sendOf(a, 128 << 10, 0xff); }, kNoRequest},
    {"of 128 KiB of zeros", [](Attacker& a) { return sendOf(a, 128 << 10, 0); }, kNoRequest},
    {"of 128 KiB and a byte", [](Attacker& a) { return sendOf(a, (128 << 10) + 1, 0); }, kTooLong},
    {"of 160 KiB", [](Attacker& a) { return sendOf(a, 160 << 10, 0x41); }, kTooLong},
    {"half a request",
     [](Attacker& a) {
       auto bytes = RawClient::request(a.requests + 1, [](schema::Request::Builder request) { request.initCompile(); });
       bytes.resize(bytes.size() / 16 * 8);
       return a.send(bytes);
     },
     kNoRequest},
    {"request 0", [](Attacker& a) { return sendAs(a, 0); }, kNoRequest},
    {"a request again", [](Attacker& a) { return sendAs(a, a.requests); }, kNoRequest},
    {"a request of later", [](Attacker& a) { return sendAs(a, a.requests + 2); }, kNoRequest},
    {"the last request", [](Attacker& a) { return sendAs(a, ~std::uint64_t{0}); }, kNoRequest},
    {"a request that is unknown",
     [](Attacker& a) {
       auto bytes = RawClient::request(++a.requests, [](schema::Request::Builder request) { request.initNotes(); });
       const std::uint16_t kind = 99;  // the request's kind is the first word after the id
       std::memcpy(bytes.data() + 24, &kind, sizeof kind);
       return a.send(bytes);
     },
     "the request is unknown."},
    {"a second context", [](Attacker& a) { return a.create(); }, "the connection has a context already."},
    {"notes of no graph", [](Attacker& a) { return a.page(false, 7, 0); }, "there is no graph 7."},
    {"steps of no graph", [](Attacker& a) { return a.page(true, 0xffffffff, 0); }, "there is no graph 4294967295."},
    {"the placement of no graph", [](Attacker& a) { return a.placementPage(7, 0); }, "there is no graph 7."},
    {"the last of a placement", [](Attacker& a) { return a.placementPage(1, 0xffffffff); }, "ok"},
    {"the last notes", [](Attacker& a) { return a.page(false, 1, 0xffffffff); }, "ok"},
    {"the last steps", [](Attacker& a) { return a.page(true, 1, 0xffffffff); }, "ok"},
    {"a context before its mailbox", [](Attacker& a) { return a.create(), a.compile(1, 1, 8); }, "there is no context yet.",
     false},
    {"a graph before its context", [](Attacker& a) { return a.shareMailbox(), a.compile(1, 0, 8); }, "there is no context yet.",
     false},
    {"a backend that is not there",
     [](Attacker& a) { return a.create([](schema::Create::Builder create) { create.setBackend("gpu"); }); }, "gpu", false},
    {"a backend that is not offered",
     [](Attacker& a) { return a.create([](schema::Create::Builder create) { create.setBackend("onnxruntime"); }); },
     "onnxruntime", false},
    {"a backend with a hostile name",
     [](Attacker& a) { return a.create([](schema::Create::Builder create) { create.setBackend(kHostileText); }); }, "\\u{000A}",
     false},
    {"a library", [](Attacker& a) { return a.createWithOption("library", "/tmp/evil.so"); },
     "the service decides about the backend option \"library\"", false},
    {"providers", [](Attacker& a) { return a.createWithOption("providers", "CUDA"); },
     "the service decides about the backend option \"providers\"", false},
    {"places of libraries", [](Attacker& a) { return a.createWithOption("search", "/tmp"); },
     "the service decides about the backend option \"search\"", false},
    {"a processor", [](Attacker& a) { return a.createWithOption("pin", "1"); },
     "the service decides about the backend option \"pin\"", false},
    {"an option with a hostile name", [](Attacker& a) { return a.createWithOption(kHostileText, kHostileText); }, "\\u{000A}",
     false},
    {"a thousand options",
     [](Attacker& a) {
       return a.create([](schema::Create::Builder create) {
         auto options = create.initBackendOptions(1000);
         for (unsigned i = 0; i < 1000; ++i) options[i].setName("option" + std::to_string(i));
       });
     },
     "option", false},
    {"4 billion threads",
     [](Attacker& a) { return a.create([](schema::Create::Builder create) { create.setThreads(0xffffffff); }); }, "ok", false},
    {"a power preference that is none",
     [](Attacker& a) { return a.create([](schema::Create::Builder create) { create.setPowerPreference(255); }); }, "ok", false},
    {"limits of 0",
     [](Attacker& a) {
       a.shareMailbox();
       a.create([](schema::Create::Builder create) { create.initLimits(); });
       return a.compileChanged(1, 2);
     },
     "maxElements (0)", false},
    {"drops of what is not there", [](Attacker& a) { return a.drop({77}); }, "there is no memory 77."},
    {"the same drop twice",
     [](Attacker& a) {
       return a.drop({1, 1});
     },
     "there is no memory 1."},
    {"a drop of the mailbox",
     [](Attacker& a) {
       const std::string dropped = a.drop({0});
       return dropped + a.dispatch(1, {kX}, {kY});
     },
     "ok"},
    {"graphs destroyed that are not there",
     [](Attacker& a) {
       return a.destroy({1, 1, 99});
     },
     "ok"},
    {"30,000 graphs destroyed", [](Attacker& a) { return a.destroy(std::vector<std::uint32_t>(30000, 5)); }, "ok"},
    {"a graph of a number that is taken", [](Attacker& a) { return a.compileChanged(1, 3); }, "there is a graph 1 already."},
    {"a message that is in no memory", [](Attacker& a) { return a.compile(2, 9, 8); }, "there is no memory 9."},
    {"a message longer than its memory", [](Attacker& a) { return a.compile(2, 1, 4097); }, "longer than its memory"},
    {"a message of 0 bytes", [](Attacker& a) { return a.compile(2, 1, 0); }, "not a number of words"},
    {"a message of 2^64 - 1 bytes", [](Attacker& a) { return a.compile(2, 1, ~std::uint64_t{0}); },
     "QuotaExceeded: the graph's message"},
    {"a message of 13 bytes", [](Attacker& a) { return a.compile(2, 1, 13); }, "not a number of words"},
    {"a message of zeros", [](Attacker& a) { return a.compile(2, 1, 4096); }, "message"},
    {"a message in the mailbox", [](Attacker& a) { return a.compile(2, 0, 4096); }, "message"},
    {"constants in no memory", [](Attacker& a) { return a.compileConstant(0, 2, 9); }, "there is no memory 9."},
    {"constants without a memory", [](Attacker& a) { return a.compileConstant(0, 2, 0); },
     "not inside of the memory of the constants"},
    {"constants that can be written", [](Attacker& a) { return a.compileConstant(0, 2, 1); }, "not sealed"},
    {"a constant behind its memory", [](Attacker& a) { return a.compileConstant(65, 2); },
     "not inside of the memory of the constants"},
    {"a constant that begins in its memory", [](Attacker& a) { return a.compileConstant(63, 2); },
     "not inside of the memory of the constants"},
    {"a constant that wraps", [](Attacker& a) { return a.compileConstant(~std::uint64_t{0} - 1, 4); },
     "not inside of the memory of the constants"},
    {"a constant of another length", [](Attacker& a) { return a.compileConstant(0, 64); }, "constants[0]"},
    {"a hostile name",
     [](Attacker& a) {
       return a.compileChanged(2, 3, [](EditedMessage& edited) {
         auto inputs = edited.graph.initInputs(2);
         for (auto input : inputs) input.setName(kHostileName);
       });
     },
     "\\u{000A}"},
    {"a name that is not UTF-8",
     [](Attacker& a) {
       return a.compileChanged(2, 3, [](EditedMessage& edited) { edited.graph.getInputs()[0].setName(kHostileText); });
     },
     "inputs[0]: the name is not UTF-8"},
    {"a hostile label",
     [](Attacker& a) {
       return a.compileChanged(2, 3, [](EditedMessage& edited) {
         edited.node().setLabel(kHostileName);
         edited.graph.getInputs()[0].setDataType(schema::OperandDataType::UINT8);
       });
     },
     "relu"},
    {"an operand that is not there",
     [](Attacker& a) {
       return a.compileChanged(2, 3, [](EditedMessage& edited) { edited.node().getOperation().initRelu().setInput(0xfffffffe); });
     },
     "is not the number of an operand before"},
    {"a tensor of 2^96 elements",
     [](Attacker& a) {
       return a.compileChanged(2, 3, [](EditedMessage& edited) {
         auto shape = edited.graph.getInputs()[0].initShape(3);
         for (unsigned i = 0; i < 3; ++i) shape.set(i, 0xffffffff);
       });
     },
     "inputs[0]"},
    {"no replies are read",
     [](Attacker& a) {
       const auto next = [&] {
         return RawClient::request(++a.requests, [](schema::Request::Builder request) { request.initNotes(); });
       };
       while (RawClient::sendWith(a.worker().get(), next(), {}, MSG_DONTWAIT)) {
       }
       const std::uint64_t sent = --a.requests;
       a.requests = 5;  // the number of requests that isReady() makes
       std::string answer;
       while (a.requests < sent && (a.requests++, answer = a.receive()) == "there is no graph 0.") {
       }
       return answer;
     },
     "there is no graph 0."},
    {"the end of its side",
     [](Attacker& a) {
       ::shutdown(a.worker().get(), SHUT_WR);
       return a.lost();
     },
     kHasLeft},
    {"the end of both sides",
     [](Attacker& a) {
       ::shutdown(a.worker().get(), SHUT_RDWR);
       return a.lost();
     },
     kHasLeft},
    {"answers that nobody can get",
     [](Attacker& a) {
       ::shutdown(a.worker().get(), SHUT_RD);
       return a.page(false, 1, 0);
     },
     kHasLeft},
};

const std::vector<Attack> kMemoryAttacks{
    {"memory without a descriptor", [](Attacker& a) { return a.shareMemory(5, -1, 4096); },
     "the memory came with 0 descriptors."},
    {"with 2",
     [](Attacker& a) {
       return a.ask([](schema::Request::Builder request) { request.initShareMemory().setByteLength(4096); }, {{0, 0}});
     },
     kTooLong},
    {"with 253",
     [](Attacker& a) {
       return a.ask([](schema::Request::Builder request) { request.initShareMemory().setByteLength(4096); },
                    std::vector<int>(253, 0));
     },
     kTooLong},
    {"a pipe", [](Attacker& a) { return a.shareOf(::dup(Pipe().read.get()), 4096); }, "the shared memory is not sealed."},
    {"a folder", [](Attacker& a) { return a.shareOf(::open("/", O_RDONLY | O_CLOEXEC), 4096); },
     "the shared memory is not sealed."},
    {"a file", [](Attacker& a) { return a.shareOf(::open("/proc/self/exe", O_RDONLY | O_CLOEXEC), 4096); },
     "the shared memory is not sealed."},
    {"a device", [](Attacker& a) { return a.shareOf(::open("/dev/zero", O_RDWR | O_CLOEXEC), 4096); },
     "the shared memory is not sealed."},
    {"a socket", [](Attacker& a) { return a.shareOf(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), 4096); },
     "the shared memory is not sealed."},
    {"its own socket", [](Attacker& a) { return a.shareMemory(5, a.worker().get(), 4096); }, "the shared memory is not sealed."},
    {"an event", [](Attacker& a) { return a.shareOf(::eventfd(0, EFD_CLOEXEC), 4096); }, "the shared memory is not sealed."},
    {"a path without a file", [](Attacker& a) { return a.shareOf(::open("/", O_PATH | O_CLOEXEC), 4096); },
     "the shared memory is not sealed."},
    {"memory without seals", [](Attacker& a) { return a.shareWithSeals(0); }, "the shared memory is not sealed."},
    {"that can grow", [](Attacker& a) { return a.shareWithSeals(F_SEAL_SHRINK); }, "the shared memory is not sealed."},
    {"that can shrink", [](Attacker& a) { return a.shareWithSeals(F_SEAL_GROW); }, "the shared memory is not sealed."},
    {"that can shrink and not be written", [](Attacker& a) { return a.shareWithSeals(F_SEAL_GROW | F_SEAL_WRITE); },
     "the shared memory is not sealed."},
    {"that nobody may map to write", [](Attacker& a) { return a.shareWithSeals(kFixed | 0x10 /* F_SEAL_FUTURE_WRITE */); },
     "cannot be written"},
    {"that was opened to read",
     [](Attacker& a) {
       const SharedMemory memory = makeSharedMemory(4096, "attack");
       return a.shareOf(::open(("/proc/self/fd/" + std::to_string(memory.descriptor.get())).c_str(), O_RDONLY | O_CLOEXEC), 4096);
     },
     "cannot be written"},
    {"shorter than it says", [](Attacker& a) { return a.shareWithSeals(kFixed, 4097); },
     "the shared memory is not of 4097 bytes."},
    {"longer than it says", [](Attacker& a) { return a.shareWithSeals(kFixed, 4095); },
     "the shared memory is not of 4095 bytes."},
    {"of 0 bytes", [](Attacker& a) { return a.shareWithSeals(kFixed, 0); }, "the shared memory is not of 0 bytes."},
    {"of 2^64 - 1 bytes", [](Attacker& a) { return a.shareWithSeals(kFixed, ~std::uint64_t{0}); }, "the shared memory is not of"},
    {"of 2^63 bytes", [](Attacker& a) { return a.shareWithSeals(kFixed, std::uint64_t{1} << 63); },
     "the shared memory is not of"},
    {"a number that is taken", [](Attacker& a) { return a.shareMemory(1, a.tensors, 4096); }, "there is a memory 1 already."},
    {"a second mailbox", [](Attacker& a) { return a.shareMailbox(); }, "memory 0 is no mailbox."},
    {"a mailbox that is too small", [](Attacker& a) { return a.shareMemory(0, a.tensors, 4096); }, "memory 0 is no mailbox.",
     false},
    {"a mailbox that cannot be written",
     [](Attacker& a) {
       SharedMemory memory = makeSharedMemory(sizeof(Mailbox), "attack");
       sealAgainstWriting(memory);
       return a.shareMemory(0, memory, sizeof(Mailbox));
     },
     "memory 0 is no mailbox.", false},
    {"a terabyte that is not there",
     [](Attacker& a) {
       const FileDescriptor memory(::memfd_create("attack", MFD_CLOEXEC | MFD_ALLOW_SEALING));
       static_cast<void>(::ftruncate(memory.get(), off_t{1} << 40));
       ::fcntl(memory.get(), F_ADD_SEALS, kFixed);
       return a.shareMemory(5, memory.get(), std::uint64_t{1} << 40);
     },
     "QuotaExceeded: with 1099511627776 bytes more, the shared memory would exceed the limit of 268435456 bytes."},
    {"a hole under an input",
     [](Attacker& a) {
       ::fallocate(a.tensors.descriptor.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096);
       a.y()[1] = 7;
       const std::string answer = a.dispatch(1, {kX}, {kY});
       return answer + (a.y()[0] == 0 && a.y()[1] == 0 ? " zeros" : " other values");
     },
     "ok zeros"},
    {"a descriptor with a graph",
     [](Attacker& a) { return a.ask([](schema::Request::Builder request) { request.initCompile().setMemory(99); }, {{0}}); },
     "there is no memory 99."},
    {"a descriptor with a context",
     [](Attacker& a) { return a.ask([](schema::Request::Builder request) { request.initCreate(); }, {{0}}); },
     "the connection has a context already."},
    {"a descriptor with drops",
     [](Attacker& a) { return a.ask([](schema::Request::Builder request) { request.initDropMemories(0); }, {{0}}); }, "ok"},
    {"a descriptor with 1,000 requests",
     [](Attacker& a) {
       std::string answer;
       for (int i = 0; i < 1000; ++i) answer = a.ask([](schema::Request::Builder request) { request.initNotes(); }, {{0}});
       return answer;
     },
     "there is no graph 0."},
};

std::string dispatchCounts(Attacker& attacker, std::uint32_t inputs, std::uint32_t outputs) {
  attacker.mailbox().graph = 1;
  attacker.mailbox().inputs = inputs;
  attacker.mailbox().outputs = outputs;
  attacker.announceCommand();
  return attacker.outcome();
}

const std::vector<Attack> kDispatchAttacks{
    {"an ordinary dispatch",
     [](Attacker& a) {
       const std::string answer = a.dispatch(1, {kX}, {kY});
       return answer + (a.y()[0] == 0 && a.y()[1] == 2 ? " relu" : " other values");
     },
     "ok relu"},
    {"a graph that was not compiled", [](Attacker& a) { return a.dispatch(2, {kX}, {kY}); }, "there is no graph 2."},
    {"a graph that did not compile",
     [](Attacker& a) {
       const std::string compiled = a.compile(2, 1, 64);
       return a.dispatch(2, {kX}, {kY});
     },
     "there is no graph 2."},
    {"a graph that was destroyed", [](Attacker& a) { return a.destroy({1}), a.dispatch(1, {kX}, {kY}); }, "there is no graph 1."},
    {"the last graph", [](Attacker& a) { return a.dispatch(0xffffffff, {kX}, {kY}); }, "there is no graph 4294967295."},
    {"no tensors", [](Attacker& a) { return a.dispatch(1, {}, {}); }, "a dispatch has 0 inputs and 0 outputs, not 1 and 1."},
    {"an input more",
     [](Attacker& a) {
       return a.dispatch(1, {kX, kX}, {kY});
     },
     "a dispatch has 2 inputs and 1 outputs"},
    {"an output more",
     [](Attacker& a) {
       return a.dispatch(1, {kX}, {kY, kY});
     },
     "a dispatch has 1 inputs and 2 outputs"},
    {"4 billion inputs", [](Attacker& a) { return dispatchCounts(a, 0xffffffff, 1); }, "a dispatch has 4294967295 inputs"},
    {"4 billion outputs", [](Attacker& a) { return dispatchCounts(a, 1, 0xffffffff); }, "and 4294967295 outputs"},
    {"counts that add up to the right one", [](Attacker& a) { return dispatchCounts(a, 0xffffffff, 3); },
     "a dispatch has 4294967295 inputs"},
    {"a tensor in no memory",
     [](Attacker& a) {
       return a.dispatch(1, {{9, 0, 0, 8}}, {kY});
     },
     "there is no memory 9."},
    {"a tensor in a dropped memory", [](Attacker& a) { return a.drop({1}), a.dispatch(1, {kX}, {kY}); }, "there is no memory 1."},
    {"an input that is the mailbox",
     [](Attacker& a) {
       return a.dispatch(1, {{0, 0, 0, 8}}, {kY});
     },
     "memory 0 holds no tensors."},
    {"an output that is the mailbox",
     [](Attacker& a) {
       return a.dispatch(1, {kX}, {{0, 0, 0, 8}});
     },
     "memory 0 holds no tensors."},
    {"an offset that wraps",
     [](Attacker& a) {
       return a.dispatch(1, {{1, 0, ~std::uint64_t{0} - 63, 8}}, {kY});
     },
     "is not inside of its memory"},
    {"an offset that wraps with the length",
     [](Attacker& a) {
       return a.dispatch(1, {{1, 0, ~std::uint64_t{0} - 7, 8}}, {kY});
     },
     "is not inside of its memory"},
    {"an offset behind the end",
     [](Attacker& a) {
       return a.dispatch(1, {{1, 0, 4160, 8}}, {kY});
     },
     "is not inside of its memory"},
    {"an offset at the end",
     [](Attacker& a) {
       return a.dispatch(1, {{1, 0, 4096, 8}}, {kY});
     },
     "is not inside of its memory"},
    {"a tensor over the end",
     [](Attacker& a) {
       return a.dispatch(1, {{1, 0, 4092, 8}}, {kY});
     },
     "tensor 0 of a dispatch"},
    {"an output over the end",
     [](Attacker& a) {
       return a.dispatch(1, {kX}, {{1, 0, 4092, 8}});
     },
     "tensor 0 of a dispatch"},
    {"a tensor that is too short",
     [](Attacker& a) {
       return a.dispatch(1, {{1, 0, 0, 4}}, {kY});
     },
     "not of 8 bytes"},
    {"a tensor that is too long",
     [](Attacker& a) {
       return a.dispatch(1, {{1, 0, 0, 12}}, {kY});
     },
     "not of 8 bytes"},
    {"a tensor of 0 bytes",
     [](Attacker& a) {
       return a.dispatch(1, {{1, 0, 0, 0}}, {kY});
     },
     "not of 8 bytes"},
    {"a tensor of 2^64 - 1 bytes",
     [](Attacker& a) {
       return a.dispatch(1, {{1, 0, 0, ~std::uint64_t{0}}}, {kY});
     },
     "not of 8 bytes"},
    {"an input of odd place",
     [](Attacker& a) {
       return a.dispatch(1, {{1, 0, 1, 8}}, {kY});
     },
     "not at a multiple of 64 bytes"},
    {"an output of odd place",
     [](Attacker& a) {
       return a.dispatch(1, {kX}, {{1, 0, 66, 8}});
     },
     "not at a multiple of 64 bytes"},
    {"an output that is the input", [](Attacker& a) { return a.dispatch(1, {kX}, {kX}); },
     "an output of a dispatch overlaps another tensor."},
    {"an output in sealed memory",
     [](Attacker& a) {
       SharedMemory memory = makeSharedMemory(4096, "attack");
       sealAgainstWriting(memory);
       return a.shareMemory(5, memory, 4096), a.dispatch(1, {kX}, {{5, 0, 0, 8}});
     },
     "sealed"},
    {"numbers of commands that jump",
     [](Attacker& a) {
       a.setCommands(a.commands() + 1000);
       return a.dispatch(1, {kX}, {kY});
     },
     "ok"},
    {"numbers of commands that go back",
     [](Attacker& a) {
       const std::string answer = a.dispatch(1, {kX}, {kY});
       a.setCommands(a.commands() - 3);
       return a.dispatch(1, {kX}, {kY});
     },
     "ok"},
    {"an answer that the client writes",
     [](Attacker& a) {
       a.mailbox().completed = 77;
       a.mailbox().failed = 5;
       a.mailbox().textLength = 0xffffffff;
       return a.dispatch(1, {kX}, {kY});
     },
     "ok"},
    {"a worker that is said to be awake",
     [](Attacker& a) {
       std::atomic<bool> ends{false};
       std::thread liar([&] {
         while (!ends) a.mailbox().workerSleeps = 0;
       });
       const std::string answer = a.dispatch(1, {kX}, {kY});
       ends = true;
       liar.join();
       return answer;
     },
     "ok"},
    {"a profile that is dispatched",
     [](Attacker& a) {
       a.mailbox().isProfile = 0xffffffff;
       return a.dispatch(1, {kX}, {kY}) + a.page(true, 1, 0);
     },
     "okok"},
    {"a dispatch that is cancelled before",
     [](Attacker& a) {
       a.mailbox().cancelRun = true;
       return a.dispatch(1, {kX}, {kY});
     },
     "dispatch"},
    {"a mailbox that changes meanwhile",
     [](Attacker& a) {
       std::atomic<bool> ends{false};
       std::thread changer([&] {
         std::uint32_t random = 1;
         while (!ends) {
           random = random * 1664525 + 1013904223;
           Mailbox& box = a.mailbox();
           box.inputs = random >> 28;
           box.outputs = random >> 30;
           box.graph = random >> 29 & 3;
           for (std::uint32_t i = 0; i < 4; ++i)
             box.tensors[i] = {random >> 16 & 7, 0, (std::uint64_t{random} << (random & 31)), random >> 20 & 63};
           box.textLength = random;
           box.failed = random;
         }
       });
       for (int i = 0; i < 2000; ++i) a.dispatch(1, {kX}, {kY});
       ends = true;
       changer.join();
       return a.dispatch(1, {kX}, {kY});
     },
     "ok"},
    {"graphs destroyed meanwhile",
     [](Attacker& a) {
       for (std::uint32_t i = 0; i < 30; ++i) {
         a.submit(1, {kX}, {kY});
         const std::string destroyed = a.destroy({1});
         if (const std::string answer = a.outcome(); answer != "ok" && answer != "there is no graph 1.") return answer;
         if (const std::string answer = a.compileChanged(1, 100 + i); answer != "ok") return answer;
         if (const std::string answer = a.drop({100 + i}); answer != "ok") return answer;
       }
       return std::string("ok");
     },
     "ok"},
    {"memory dropped meanwhile",
     [](Attacker& a) {
       for (int i = 0; i < 30; ++i) {
         a.submit(1, {kX}, {kY});
         const std::string dropped = a.drop({1});
         if (const std::string answer = a.outcome(); answer != "ok" && answer != "there is no memory 1.") return answer;
         if (const std::string answer = a.shareMemory(1, a.tensors, 4096); answer != "ok") return answer;
       }
       return std::string("ok");
     },
     "ok"},
    {"a dispatch after the end",
     [](Attacker& a) {
       ::shutdown(a.worker().get(), SHUT_RDWR);
       const std::string lost = a.lost();
       a.mailbox().graph = 1;
       a.announceCommand();  // the worker has already left
       return lost;
     },
     kHasLeft},
};

class AttacksOf : public Attacks {
 protected:
  void run(const std::vector<Attack>& attacks) {
    for (const Attack& attack : attacks) {
      SCOPED_TRACE(attack.name);
      Attacker attacker(service_);
      ASSERT_EQ(attacker.welcome(), "W");
      ASSERT_TRUE(!attack.isReady || attacker.isReady());
      const std::string answer = attack.run(attacker);
      EXPECT_NE(answer.find(attack.answer), std::string::npos) << answer;
      EXPECT_TRUE(isPrintable(answer)) << answer;
      EXPECT_TRUE(answer.starts_with("lost: ") || attacker.isAlive());
      expectUnharmed(attacker.heard());
      EXPECT_FALSE(holdsSecret(attacker.tensors.mapping.bytes()));
    }
  }
};

TEST_F(AttacksOf, Requests) { run(kRequestAttacks); }
TEST_F(AttacksOf, Memory) { run(kMemoryAttacks); }
TEST_F(AttacksOf, Dispatches) { run(kDispatchAttacks); }

TEST(AttacksTable, HasAtLeast80) { EXPECT_GE(kRequestAttacks.size() + kMemoryAttacks.size() + kDispatchAttacks.size(), 80U); }

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::service
