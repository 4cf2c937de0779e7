#include <dlfcn.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include <cstdlib>
#include <cstring>
#include <thread>

#include "backends/service/connection.h"
#include "backends/service/private_service.h"
#include "service/hello.h"
#include "service/packet.h"

namespace webnn::service {

namespace {

// Duration and interval of connectTo()'s attempts if the service's socket does not exist or refuses the connection, because the
// service may be starting.
constexpr std::chrono::milliseconds kStartTime{1000}, kBetweenTries{10};
constexpr std::chrono::seconds kWelcomeTime{20};  // maximum wait for the broker's answer; the broker may have to start a worker
constexpr std::chrono::seconds kConnectTime{5};   // maximum time in connect(2) while the queue of the broker's socket is full

LocalDescriptor connectTo(const std::string& path) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  if (path.size() >= sizeof(name.sun_path))
    fail(ErrorKind::typeError, "the address of the service {} is longer than {} bytes.", webnn::quoted(path),
         sizeof(name.sun_path) - 1);
  std::memcpy(name.sun_path, path.data(), path.size());
  LocalDescriptor socket(FileDescriptor(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0)));
  const auto last = std::chrono::steady_clock::now() + kStartTime;
  const timeval most{kConnectTime.count(), 0};
  if (socket.get() >= 0) ::setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &most, sizeof(most));
  int result = -1;
  while (socket.get() >= 0 && (result = ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&name), sizeof(name))) != 0) {
    const bool mayStart = (errno == ENOENT || errno == ECONNREFUSED) && std::chrono::steady_clock::now() < last;
    if (mayStart) {
      std::this_thread::sleep_for(kBetweenTries);
    } else if (errno != EINTR) {
      break;
    }
  }
  if (result != 0 && errno == EAGAIN) fail(ErrorKind::notSupportedError, "the service does not answer.");
  if (result != 0) {
    fail(ErrorKind::notSupportedError, "there is no service at {} ({}).", webnn::quoted("unix:" + path),
         std::generic_category().message(errno));
  }
  return socket;
}

// Throws unless the superuser or this program's user runs the service, so that no other user receives the token.
void requireTrusted(int socket, const std::string& path) {
  ucred peer{};
  socklen_t size = sizeof(peer);
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || (peer.uid != 0 && peer.uid != ::geteuid()))
    fail(ErrorKind::notSupportedError, "the service at {} is run by user {}: it is not told the token.",
         webnn::quoted("unix:" + path), peer.uid);
}

Hello makeHello(Wish wish, const std::string& token) {
  Hello hello{.wish = wish};
  if (token.empty()) return hello;
  if (token.size() != hello.token.size() || token.find_first_not_of("0123456789abcdef") != std::string::npos)
    fail(ErrorKind::typeError, "the token of the service is not of {} hexadecimal digits.", hello.token.size());
  std::ranges::copy(token, hello.token.begin());
  return hello;
}

[[noreturn]] void failRefused(std::string_view text) {
  const std::uint32_t place = text.empty() ? 0 : static_cast<std::uint32_t>(text[0] - '0');
  const ErrorKind kind =
      place <= static_cast<std::uint32_t>(ErrorKind::timeoutError) ? static_cast<ErrorKind>(place) : ErrorKind::operationError;
  throw Error(kind, std::string(text.substr(std::min<std::size_t>(text.size(), 1))));
}

// Sends the client's first message and returns the broker's answer. Throws the broker's error if the broker refuses, or
// NotSupportedError if it does not answer.
std::string greet(int control, const Hello& hello, Packet& packet) {
  sendPacket(control, std::as_bytes(std::span(&hello, 1)));  // on failure, the broker's answer says why
  if (!waitReadable(control, kWelcomeTime)) fail(ErrorKind::notSupportedError, "the service does not answer.");
  if (receivePacket(control, packet, kMostNoticeBytes, 1) != Received::packet || packet.bytes.empty())
    fail(ErrorKind::notSupportedError, "the service has closed the connection.");
  const std::string text(reinterpret_cast<const char*>(packet.bytes.data()), packet.bytes.size());
  if (static_cast<Notice>(text[0]) == Notice::refused) failRefused(std::string_view(text).substr(1));
  return text;
}

}  // namespace

std::shared_ptr<Connection> connect(const Address& address, const ContextOptions& options) {
  BrokerLink broker;
  if (address.path.empty()) {
    broker = startPrivateService(options);
  } else {
    for (const auto& [name, value] : options.backendOptions) {
      if (isOfService(name))
        fail(ErrorKind::typeError, "createContext: the service decides about the backend option {}.", webnn::quoted(name));
    }
    broker.socket = connectTo(address.path);
    if (!address.token.empty()) requireTrusted(broker.socket.get(), address.path);
  }
  Packet packet;
  greet(broker.socket.get(), makeHello(Wish::context, address.token), packet);
  if (packet.descriptors.size() != 1) fail(ErrorKind::notSupportedError, "the service gave no worker.");
  auto connection = std::make_shared<Connection>(std::move(broker), LocalDescriptor(std::move(packet.descriptors[0])));
  connection->shareMailbox();
  return connection;
}

std::string askBroker(const Address& address, Wish wish) {
  if (address.path.empty())
    fail(ErrorKind::typeError, "a private service answers nobody but its program: name one by \"unix:PATH\".");
  const LocalDescriptor control = connectTo(address.path);
  if (!address.token.empty()) requireTrusted(control.get(), address.path);
  Packet packet;
  return greet(control.get(), makeHello(wish, address.token), packet).substr(1);
}

Address addressOf(std::string_view text, std::string token) {
  constexpr std::string_view kUnix = "unix:";
  if (text == "private" || text.empty()) return {{}, std::move(token)};
  // The system would truncate the path at the zero byte and use another socket.
  if (!text.starts_with(kUnix) || text.size() == kUnix.size() || text.find('\0') != std::string_view::npos)
    fail(ErrorKind::typeError, "the address of a service is \"private\" or \"unix:PATH\", not {}.", webnn::quoted(text));
  return {std::string(text.substr(kUnix.size())), std::move(token)};
}

std::string textOf(const Address& address) { return address.path.empty() ? "private" : "unix:" + address.path; }

}  // namespace webnn::service
