// A service for tests, and clients that implement its protocol themselves.
#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/futex.h"
#include "service/hello.h"
#include "service/mailbox.h"
#include "service/message.h"
#include "service/packet.h"
#include "service/processes.h"
#include "service/shared_memory.h"
#include "support/files.h"
#include "webnn/context.h"

namespace webnn::test {

namespace schema = service::schema;

// Tokens of tenants, and their SHA-256 hashes as a configuration has them.
inline const std::string kTokenA = "000102030405060708090a0b0c0d0e0f", kTokenB = "f0e0d0c0b0a090807060504030201000";
inline const std::string kHashA = "sha256:d65df89f702eec58ca3c7bf2001c9ffc7cd80553ae01d42a799ba26756142d96";
inline const std::string kHashB = "sha256:03683a8717cc31e909930317ec4f2fd163642946f13e3b0a81855064e3b5fdd3";

// A broker in its own process. Collects its log.
class TestService {
 public:
  // Called in the new process before its program starts, with the directory of the socket.
  using Prepare = std::function<void(const std::filesystem::path& folder)>;
  // `members`: text of further members of the configuration, such as "\"connections\": 3".
  explicit TestService(const std::string& members = "", const Prepare& prepare = {})
      : path_((folder_ / "service.socket").string()) {
    std::filesystem::permissions(folder_.path(), std::filesystem::perms(0755));
    start(members, prepare);
  }
  TestService(const TestService&) = delete;
  TestService& operator=(const TestService&) = delete;
  ~TestService() { kill(SIGKILL); }

  void start(const std::string& members, const Prepare& prepare = {}) {
    const std::string config = "{\"socket\": \"" + path_ + "\"" + (members.empty() ? "" : ", " + members) + "}";
    Pipe pipe;
    process_ = ::fork();
    if (process_ == 0) {
      ::dup2(pipe.write.get(), 2);
      if (prepare) prepare(folder_.path());
      ::execl(WEBNN_ISOLATED_PROGRAM, WEBNN_ISOLATED_PROGRAM, "serve", config.c_str(), WEBNN_SERVICE_PROGRAM, nullptr);
      ::_exit(98);
    }
    pipe.write.close();
    text_.clear();
    log_ = std::move(pipe.read);
    isListening_ = waitForLog("\"listening\"");
  }

  const std::string& path() const { return path_; }
  const TemporaryFolder& folder() const { return folder_; }
  pid_t process() const { return process_; }
  bool isListening() const { return isListening_; }

  void closeLog() { log_.close(); }

  // Returns everything that the service has logged so far.
  const std::string& log() {
    char bytes[4096];
    while (isReadable(log_.get(), 0)) {
      const ssize_t size = ::read(log_.get(), bytes, sizeof bytes);
      if (size <= 0) break;
      text_.append(bytes, static_cast<std::size_t>(size));
    }
    return text_;
  }
  // Waits until the log contains `part`. Returns false if the service ends first, or after the deadline.
  bool waitForLog(std::string_view part) {
    char bytes[4096];
    while (log().find(part) == std::string::npos) {
      if (!isReadable(log_.get())) return false;
      const ssize_t size = ::read(log_.get(), bytes, sizeof bytes);
      if (size <= 0) return false;
      text_.append(bytes, static_cast<std::size_t>(size));
    }
    return true;
  }
  // Sends `signal` to the broker and waits for its end. Returns the exit status, or the negative number of the signal that
  // killed it.
  int kill(int signal) {
    if (process_ < 0) return 0;
    ::kill(process_, signal);
    return wait();
  }
  int wait() {
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = -1;
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  }

  ContextOptions options(const std::string& token = "") const {
    ContextOptions options;
    options.execution = Execution::service;
    options.service = "unix:" + path_;
    options.serviceToken = token;
    return options;
  }

 private:
  const TemporaryFolder folder_;
  const std::string path_;
  pid_t process_ = -1;
  FileDescriptor log_{-1};
  std::string text_;
  bool isListening_ = false;
};

inline FileDescriptor dial(const std::string& path) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  std::memcpy(name.sun_path, path.data(), path.size());
  FileDescriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name) != 0)
    throw std::runtime_error("there is no service at " + path);
  return socket;
}

inline service::Hello helloWith(const std::string& token, service::Wish wish = service::Wish::context) {
  service::Hello hello{.wish = wish};
  token.copy(hello.token.data(), hello.token.size());
  return hello;
}

inline std::vector<std::byte> bytesOfText(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

// Returns the broker's next notice: its first letter and its text, "(closed)", or "(nothing)" after the deadline. Stores the
// received descriptors in `descriptors`.
inline std::string nextNotice(const FileDescriptor& control, std::vector<FileDescriptor>* descriptors = nullptr) {
  if (!isReadable(control.get())) return "(nothing)";
  service::Packet packet;
  if (service::receivePacket(control.get(), packet, service::kMostNoticeBytes, 1) != service::Received::packet) return "(closed)";
  if (descriptors) *descriptors = std::move(packet.descriptors);
  return {reinterpret_cast<const char*>(packet.bytes.data()), packet.bytes.size()};
}

// Sends a first packet, such as a hello. Returns the broker's answer, without the error kind of a refusal.
inline std::string answerTo(const FileDescriptor& control, std::span<const std::byte> packet,
                            std::span<const int> descriptors = {}) {
  if (!service::sendPacket(control.get(), packet, descriptors)) return "(not sent)";
  std::string notice = nextNotice(control);
  if (notice[0] == 'R') notice.erase(1, 1);
  return notice;
}
inline std::string answerTo(const FileDescriptor& control, const service::Hello& hello) {
  return answerTo(control, std::as_bytes(std::span(&hello, 1)));
}

// A client that follows no rules and sends any message that a test needs.
class RawClient {
 public:
  explicit RawClient(const std::string& path, const std::string& token = "") : control_(dial(path)) {
    const service::Hello hello = helloWith(token);
    service::sendPacket(control_.get(), std::as_bytes(std::span(&hello, 1)));
    std::vector<FileDescriptor> descriptors;
    welcome_ = nextNotice(control_, &descriptors);
    if (descriptors.size() == 1) worker_ = std::move(descriptors[0]);
  }

  FileDescriptor& control() { return control_; }
  FileDescriptor& worker() { return worker_; }
  const std::string& welcome() const { return welcome_; }
  std::uint64_t requests = 0;

  using Fill = std::function<void(schema::Request::Builder)>;
  static std::vector<std::byte> request(std::uint64_t id, const Fill& fill) {
    return service::encode<schema::Request>([&](schema::Request::Builder builder) {
      builder.setId(id);
      fill(builder);
    });
  }
  // Sends a request. Returns "ok", the message of an error, or "lost: " and the reason.
  std::string ask(const Fill& fill, std::span<const int> descriptors = {}) {
    return send(request(++requests, fill), descriptors);
  }
  std::string send(std::span<const std::byte> bytes, std::span<const int> descriptors = {}) {
    if (!sendWith(worker_.get(), bytes, descriptors)) return lost();
    return receive();
  }
  std::string receive() {
    service::Packet packet;
    if (!isReadable(worker_.get())) return "(nothing)";
    if (service::receivePacket(worker_.get(), packet, service::kMostPacketBytes, 0) != service::Received::packet) return lost();
    hear(packet.bytes);
    service::Decoded decoded(packet.bytes);
    const auto reply = decoded.root<schema::Reply>();
    if (reply.getId() != requests) return "(a reply to request " + std::to_string(reply.getId()) + ")";
    return reply.isFailure() ? std::string(service::textOf(reply.getFailure().getMessage())) : "ok";
  }
  // Waits for the broker's next notice. Returns "lost: " and the reason if the worker is lost, otherwise the notice.
  std::string lost() {
    std::string notice = nextNotice(control_);
    hear(std::as_bytes(std::span(notice)));
    return notice[0] == 'L' ? "lost: " + notice.substr(1) : notice;
  }

  std::string shareMemory(std::uint32_t number, int descriptor, std::uint64_t size) {
    const Fill fill = [&](schema::Request::Builder builder) {
      auto share = builder.initShareMemory();
      share.setMemory(number);
      share.setByteLength(size);
    };
    return descriptor < 0 ? ask(fill) : ask(fill, {{descriptor}});
  }
  std::string shareMemory(std::uint32_t number, const service::SharedMemory& memory, std::uint64_t size) {
    return shareMemory(number, memory.descriptor.get(), size);
  }
  std::string shareMailbox() {
    mailboxMemory_ = service::makeSharedMemory(sizeof(service::Mailbox), "mailbox");
    return shareMemory(0, mailboxMemory_, sizeof(service::Mailbox));
  }
  std::string create(const std::function<void(schema::Create::Builder)>& change = {}) {
    return ask([&](schema::Request::Builder builder) {
      auto create = builder.initCreate();
      create.setBackend("cpu");
      auto limits = create.initLimits();
      for (const auto set : {&schema::Limits::Builder::setMemory, &schema::Limits::Builder::setOperations,
                             &schema::Limits::Builder::setElements, &schema::Limits::Builder::setCompileWork})
        (limits.*set)(~std::uint64_t{0} >> 1);
      if (change) change(create);
    });
  }
  std::string createWithOption(const std::string& name, const std::string& value) {
    return create([&](schema::Create::Builder create) {
      auto option = create.initBackendOptions(1)[0];
      option.setName(name);
      option.setValue(value);
    });
  }
  std::string compile(std::uint32_t graph, std::uint32_t memory, std::uint64_t size, std::uint32_t constants = 0) {
    return ask([&](schema::Request::Builder builder) {
      auto compile = builder.initCompile();
      compile.setGraph(graph);
      compile.setMemory(memory);
      compile.setByteLength(size);
      compile.setConstants(constants);
    });
  }
  // Shares a memory that holds the message, and compiles the message.
  std::string compileMessage(std::uint32_t graph, std::uint32_t memory, std::span<const std::byte> message,
                             std::uint32_t constants = 0) {
    const service::SharedMemory shared = service::makeSharedMemory(message.size(), "message");
    std::ranges::copy(message, shared.mapping.bytes().begin());
    if (std::string answer = shareMemory(memory, shared, message.size()); answer != "ok") return answer;
    return compile(graph, memory, message.size(), constants);
  }
  std::string drop(const std::vector<std::uint32_t>& memories) {
    return ask([&](schema::Request::Builder builder) {
      auto list = builder.initDropMemories(static_cast<unsigned>(memories.size()));
      for (unsigned i = 0; i < memories.size(); ++i) list.set(i, memories[i]);
    });
  }
  std::string destroy(const std::vector<std::uint32_t>& graphs) {
    return ask([&](schema::Request::Builder builder) {
      auto list = builder.initDestroyGraphs(static_cast<unsigned>(graphs.size()));
      for (unsigned i = 0; i < graphs.size(); ++i) list.set(i, graphs[i]);
    });
  }

  service::Mailbox& mailbox() { return *reinterpret_cast<service::Mailbox*>(mailboxMemory_.mapping.bytes().data()); }
  // Writes a command to the mailbox and announces it.
  void submit(std::uint32_t graph, const std::vector<service::TensorReference>& inputs,
              const std::vector<service::TensorReference>& outputs) {
    service::Mailbox& box = mailbox();
    box.graph = graph;
    box.inputs = static_cast<std::uint32_t>(inputs.size());
    box.outputs = static_cast<std::uint32_t>(outputs.size());
    std::ranges::copy(outputs, std::ranges::copy(inputs, box.tensors).out);
    announceCommand();
  }
  void announceCommand() { service::announce(mailbox().submitted, ++commands_, mailbox().workerSleeps); }
  // Waits for the result of a command. Returns "ok", the error, or "lost: " and the reason.
  std::string outcome() {
    service::Mailbox& box = mailbox();
    for (std::uint32_t seen = 0; (seen = box.completed.load()) != commands_;) {
      box.clientSleeps = 1;
      service::futexWait(box.completed, seen, std::chrono::milliseconds(5));
      if (isReadable(control_.get(), 0)) return lost();
    }
    if (box.failed == 0) return "ok";
    const std::string text(box.text, std::min(box.textLength, service::kMailboxTextBytes));
    hear(std::as_bytes(std::span(text)));
    return text;
  }
  std::string dispatch(std::uint32_t graph, const std::vector<service::TensorReference>& inputs,
                       const std::vector<service::TensorReference>& outputs) {
    submit(graph, inputs, outputs);
    return outcome();
  }
  std::uint32_t commands() const { return commands_; }
  void setCommands(std::uint32_t commands) { commands_ = commands; }

  // Returns all bytes that the service has sent.
  const std::vector<std::byte>& heard() const { return heard_; }
  void hear(std::span<const std::byte> bytes) { heard_.insert(heard_.end(), bytes.begin(), bytes.end()); }

  // Sends bytes with any number of descriptors, up to the limit of the system.
  static bool sendWith(int socket, std::span<const std::byte> bytes, std::span<const int> descriptors, int flags = 0) {
    iovec part{const_cast<std::byte*>(bytes.data()), bytes.size()};
    std::vector<char> control(CMSG_SPACE(descriptors.size_bytes()));
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (!descriptors.empty()) {
      message.msg_control = control.data();
      message.msg_controllen = control.size();
      cmsghdr* const header = CMSG_FIRSTHDR(&message);
      header->cmsg_level = SOL_SOCKET;
      header->cmsg_type = SCM_RIGHTS;
      header->cmsg_len = CMSG_LEN(descriptors.size_bytes());
      std::memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size_bytes());
    }
    return ::sendmsg(socket, &message, MSG_NOSIGNAL | flags) >= 0;
  }

 private:
  FileDescriptor control_, worker_{-1};
  std::string welcome_;
  service::SharedMemory mailboxMemory_;
  std::uint32_t commands_ = 0;
  std::vector<std::byte> heard_;
};

}  // namespace webnn::test
