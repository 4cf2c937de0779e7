#include "broker/broker.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fstream>
#include <list>
#include <map>

#include "base/as_errors.h"
#include "base/text.h"
#include "broker/client_worker.h"
#include "broker/control_groups.h"
#include "broker/event_log.h"
#include "service/hello.h"
#include "service/packet.h"

namespace webnn::service {

namespace {

using formats::Json;

constexpr std::chrono::milliseconds kTick{50};
// A worker ends normally when its client leaves, but the client may close its socket to the broker slightly later. The broker
// waits this long for the socket to close before it reports the worker as lost.
constexpr std::chrono::seconds kLeaveTime{1};
constexpr std::uint64_t kBrokerLines = 1000;  // maximum number of log lines per second for events that belong to no tenant

// Raises the limit of open files. The broker holds up to three descriptors per client: its socket, its worker's pidfd and its
// worker's socket.
void raiseDescriptorLimit(std::uint64_t connections) {
  constexpr std::uint64_t kMostConnections = std::uint64_t{1} << 32;  // more than any system allows
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const rlim_t wanted = std::min<rlim_t>(limit.rlim_max, 3 * std::min(connections, kMostConnections) + 64);
  if (limit.rlim_cur >= wanted) return;
  limit.rlim_cur = wanted;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

// Returns the id that the system shows for users outside this process's user namespace; it may stand for any user. Returns
// nothing if the namespace maps all users.
std::optional<uid_t> unmappedUser() {
  std::ifstream map("/proc/self/uid_map");
  std::uint64_t inner = 0, outer = 0, count = 0;
  if (map >> inner >> outer >> count && inner == 0 && count == 0xFFFFFFFF) return std::nullopt;
  uid_t user = 65534;
  std::ifstream("/proc/sys/kernel/overflowuid") >> user;
  return user;
}

// Returns the descriptor that receives the signals that stop the broker. A signal that the starter ignores (nohup(1)) stays
// ignored. SIGPIPE and SIGXFSZ are ignored, so that a full or unread log does not kill the broker.
FileDescriptor makeSignals() {
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
  ::signal(SIGCHLD, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    struct sigaction now {};
    if (::sigaction(signal, nullptr, &now) == 0 && now.sa_handler != SIG_IGN) sigaddset(&set, signal);
  }
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  return FileDescriptor(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

// Returns whether a limit of memory, build time or dispatch time applies to the worker. Private services have no such limits:
// checking them periodically would wake an idle machine.
bool isWatched(const Client& client) {
  if (!client.worker) return false;
  const TenantLimits& limits = client.tenant->limits;
  return limits.memory != 0 || limits.buildTime.count() != 0 || limits.dispatchTime.count() != 0;
}

class Broker {
 public:
  Broker(const BrokerConfig& config, const std::filesystem::path& program, int log)
      : config_(config), program_(program), log_(log), signals_(makeSignals()) {}

  void listenAt(FileDescriptor socket) {
    raiseDescriptorLimit(config_.connections);
    spare_ = FileDescriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    listening_ = std::move(socket);
    groups_.emplace();
    const std::string& missing = groups_->missing();
    log_.write("listening", "", kBrokerLines,
               {{"socket", config_.socket.string()}, {"shares", missing.empty() ? "of control groups" : "none: " + missing}});
  }
  void addPrivate(FileDescriptor socket) {
    Client& client = clients_.emplace_back(Client{.socket = std::move(socket)});
    client.number = ++connections_;
    client.tenant = &config_.tenants.at(0);
    client.deadline = Clock::time_point::max();
    isPrivate_ = true;
  }

  void run() {
    while (!isStopping_ && !(isPrivate_ && clients_.empty())) step();
    for (Client& client : clients_) {
      if (client.worker) sendNotice(client, Notice::lost, "the service was stopped.");
    }
    clients_.clear();
  }

 private:
  void step();
  void acceptAll();
  void add(FileDescriptor socket);
  void greet(Client& client);
  void admit(Client& client, const Hello& hello);
  const Tenant* authenticate(const Client& client, const Hello& hello) const;
  void refuse(Client& client, ErrorKind kind, std::string message);
  void tick(Client& client);
  void enforceTenantMemory();
  bool sendNotice(const Client& client, Notice notice, std::string_view text, std::span<const int> descriptors = {});
  std::string statusText(const Tenant* only);
  std::uint64_t contextsOf(const Tenant& tenant) const {
    return static_cast<std::uint64_t>(
        std::ranges::count_if(clients_, [&](const Client& client) { return client.worker && client.tenant == &tenant; }));
  }
  std::size_t numberOf(const Tenant& tenant) const { return static_cast<std::size_t>(&tenant - config_.tenants.data()); }
  bool isOwner(const Client& client) const { return client.uid == ::geteuid() || client.uid == 0; }
  // Reports `reason` to a client whose worker has ended. If the worker left normally, first gives the client kLeaveTime to leave.
  void end(Client& client, const std::string& reason);
  void lose(Client& client, const std::string& reason);
  void drop(Client& client) { client.socket = FileDescriptor(-1); }

  const BrokerConfig& config_;
  const std::filesystem::path program_;
  EventLog log_;
  FileDescriptor signals_;
  FileDescriptor listening_{-1}, spare_{-1};
  const std::optional<uid_t> unmapped_ = unmappedUser();
  std::optional<ControlGroups> groups_;  // one cgroup per tenant; absent in a private broker
  std::list<Client> clients_;
  std::map<uid_t, std::pair<unsigned, Clock::time_point>> failures_;  // failed authentications by user: count and last time
  std::uint64_t connections_ = 0, started_ = 0, lost_ = 0, refused_ = 0;
  const Clock::time_point begin_ = Clock::now();
  bool isPrivate_ = false, isStopping_ = false, saidMissing_ = false;
};

void Broker::step() {
  std::vector<pollfd> items{{signals_.get(), POLLIN, 0}, {listening_.get(), POLLIN, 0}};
  std::vector<Client*> owners{nullptr, nullptr};
  bool mustTick = false;
  for (Client& client : clients_) {
    items.push_back({client.socket.get(), static_cast<short>(client.state == ClientState::refusing ? 0 : POLLIN), 0});
    owners.push_back(&client);
    mustTick = mustTick || isWatched(client) || client.deadline != Clock::time_point::max();
    if (!client.worker) continue;
    items.push_back({client.worker->pidfd(), POLLIN, 0});
    owners.push_back(&client);
  }
  ::poll(items.data(), items.size(), mustTick ? static_cast<int>(kTick.count()) : -1);
  if (items[0].revents != 0) isStopping_ = true;
  for (std::size_t i = 2; i < items.size(); ++i) {
    Client& client = *owners[i];
    if (items[i].revents == 0 || !client.socket) continue;
    const bool isSocket = items[i].fd == client.socket.get();
    if (!isSocket) {
      if (const auto reason = client.worker->endReason()) end(client, *reason);
    } else if (client.state == ClientState::greeting) {
      greet(client);
    } else {  // a client that has a worker sends nothing, so a readable socket has been closed
      if (client.state == ClientState::served)
        log_.write("left", client.tenant->name, client.tenant->limits.logLinesPerSecond, {{"connection", client.number}});
      drop(client);
    }
  }
  for (Client& client : clients_) {
    if (client.socket) tick(client);
  }
  enforceTenantMemory();
  clients_.remove_if([](const Client& client) { return !client.socket; });
  if (groups_) groups_->removeUnused([&](std::size_t tenant) { return contextsOf(config_.tenants[tenant]) > 0; });
  if (items[1].revents != 0) acceptAll();
}

void Broker::acceptAll() {
  while (true) {
    FileDescriptor socket(::accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (socket) {
      add(std::move(socket));
      continue;
    }
    if ((errno != EMFILE && errno != ENFILE) || !spare_) return;
    // There is no descriptor left. Use the spare one to refuse the connection, because a connection left in the queue would wake
    // this process forever.
    spare_.close();
    Client client{.socket = FileDescriptor(::accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK))};
    const bool isTaken = static_cast<bool>(client.socket);
    if (isTaken) refuse(client, ErrorKind::operationError, "QuotaExceeded: the service has as many open files as it may.");
    spare_ = FileDescriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!isTaken) return;
  }
}

void Broker::add(FileDescriptor socket) {
  ucred peer{};
  socklen_t size = sizeof(peer);
  if (::getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return;
  Client& client = clients_.emplace_back(Client{.socket = std::move(socket), .uid = peer.uid, .pid = peer.pid});
  client.number = ++connections_;
  client.deadline = Clock::now() + config_.helloTime;
  std::uint64_t waiting = 0, waitingOfUser = 0;
  for (const Client& other : clients_) {
    if (other.state == ClientState::served) continue;
    ++waiting;
    if (other.uid == client.uid) ++waitingOfUser;
  }
  if (clients_.size() > config_.connections) {
    refuse(client, ErrorKind::operationError,
           formatText("QuotaExceeded: the service has {} connections already.", config_.connections));
  } else if (waiting > config_.unauthenticated) {
    refuse(client, ErrorKind::operationError,
           formatText("QuotaExceeded: {} connections have not said who they are yet.", config_.unauthenticated));
  } else if (waitingOfUser > config_.unauthenticatedPerUser) {
    refuse(client, ErrorKind::operationError,
           formatText("QuotaExceeded: {} connections of user {} have not said who they are yet.", config_.unauthenticatedPerUser,
                      client.uid));
  }
  if (!client.socket) clients_.pop_back();
}

bool Broker::sendNotice(const Client& client, Notice notice, std::string_view text, std::span<const int> descriptors) {
  std::string packet(1, static_cast<char>(notice));
  packet += text.substr(0, kMostNoticeBytes - 1);
  return sendPacket(client.socket.get(), std::as_bytes(std::span(packet)), descriptors);
}

void Broker::refuse(Client& client, ErrorKind kind, std::string message) {
  ++refused_;
  log_.write("refused", client.tenant ? client.tenant->name : "",
             client.tenant ? client.tenant->limits.logLinesPerSecond : kBrokerLines,
             {{"connection", client.number}, {"uid", client.uid}, {"reason", message}});
  sendNotice(client, Notice::refused, std::string(1, static_cast<char>('0' + static_cast<int>(kind))) + message);
  drop(client);
}

const Tenant* Broker::authenticate(const Client& client, const Hello& hello) const {
  if (isPrivate_) return client.tenant;
  const std::string_view token(hello.token.data(), hello.token.size());
  const std::string hash = hello.token[0] == '\0' ? std::string() : hashOfToken(token);
  const Tenant* found = nullptr;
  // All tenants are compared, so that the time does not reveal which tenant matched.
  for (const Tenant& tenant : config_.tenants) {
    const bool isUser = !tenant.uid || *tenant.uid == client.uid;
    const bool hasToken = equalInConstantTime(tenant.tokenHash, hash);  // also true if both are empty
    if (isUser && hasToken && !found) found = &tenant;
  }
  return found;
}

void Broker::greet(Client& client) {
  Packet packet;
  Hello hello;
  try {
    const Received received = receivePacket(client.socket.get(), packet, sizeof(Hello), 0);
    if (received == Received::nothing) return;
    if (received == Received::closed) return drop(client);
  } catch (const Error&) {
    return refuse(client, ErrorKind::dataError, "the hello is not one of this protocol.");
  }
  if (packet.bytes.size() != sizeof(Hello)) return refuse(client, ErrorKind::dataError, "the hello is not one of this protocol.");
  std::memcpy(&hello, packet.bytes.data(), sizeof(Hello));
  if (hello.magic != kHelloMagic) return refuse(client, ErrorKind::dataError, "the hello is not one of this protocol.");
  if (hello.protocol != kProtocol)
    return refuse(client, ErrorKind::notSupportedError,
                  formatText("the client speaks version {} of the protocol, the service version {}.", hello.protocol, kProtocol));
  const Tenant* const tenant = client.uid == unmapped_ && !isPrivate_ ? nullptr : authenticate(client, hello);
  const bool isAdministered = (hello.wish == Wish::status || hello.wish == Wish::stop) && isOwner(client);
  if (!tenant && !(isAdministered && client.uid != unmapped_)) {
    const auto now = Clock::now();
    std::erase_if(failures_, [&](const auto& failures) { return now - failures.second.second > std::chrono::minutes(1); });
    auto& [count, last] = failures_[client.uid];
    last = now;
    // The delay grows with the user's recent failures, up to helloTime, to slow down guessing.
    client.deadline = last + delayOfRefusal(count, config_.helloTime);
    count = std::min(count + 1, 100U);
    client.state = ClientState::refusing;
    client.refusal = formatText("the service does not know user {}{}.", client.uid,
                                hello.token[0] == '\0' ? " without a token" : ", or not this token");
    return;
  }
  client.tenant = tenant;
  admit(client, hello);
}

void Broker::admit(Client& client, const Hello& hello) {
  if (hello.wish == Wish::status) {
    sendNotice(client, Notice::status, statusText(isOwner(client) ? nullptr : client.tenant));
    return drop(client);
  }
  if (hello.wish == Wish::stop) {
    if (!isOwner(client)) return refuse(client, ErrorKind::operationError, "only who runs the service stops it.");
    log_.write("stop", "", kBrokerLines, {{"connection", client.number}, {"uid", client.uid}});
    sendNotice(client, Notice::status, "{}");
    isStopping_ = true;
    return drop(client);
  }
  if (hello.wish != Wish::context) return refuse(client, ErrorKind::dataError, "the hello is not one of this protocol.");
  const Tenant& tenant = *client.tenant;
  const std::uint64_t contexts = contextsOf(tenant);
  if (contexts >= tenant.limits.contexts)
    return refuse(client, ErrorKind::operationError,
                  formatText("QuotaExceeded: {} has {} contexts, and the limit is {}.", webnn::quoted(tenant.name), contexts,
                             tenant.limits.contexts));
  try {
    client.worker = std::make_unique<WorkerProcess>(config_, tenant, program_,
                                                    groups_ ? groups_->folderOf(numberOf(tenant)) : std::filesystem::path());
  } catch (...) {
    const Error error = errorOfCurrentException("the service");
    return refuse(client, ErrorKind::notSupportedError, formatText("the service cannot start a worker: {}", error.what()));
  }
  ++started_;
  client.state = ClientState::served;
  client.deadline = Clock::time_point::max();
  Json missing = Json::array();
  for (const std::string& layer : client.worker->missing()) missing.push(layer);
  if (!std::exchange(saidMissing_, true) && !missing.empty())
    log_.write("isolation", tenant.name, tenant.limits.logLinesPerSecond, {{"missing", missing}});
  log_.write("started", tenant.name, tenant.limits.logLinesPerSecond,
             {{"connection", client.number}, {"worker", client.worker->pid()}, {"uid", client.uid}, {"client", client.pid}});
  const FileDescriptor clientEnd = client.worker->takeClientEnd();
  if (!sendNotice(client, Notice::welcome, "", {{clientEnd.get()}})) drop(client);
}

void Broker::end(Client& client, const std::string& reason) {
  if (!client.worker->hasLeft()) return lose(client, reason);
  client.loss = reason;
  client.deadline = Clock::now() + kLeaveTime;
}

void Broker::lose(Client& client, const std::string& reason) {
  ++lost_;
  log_.write("lost", client.tenant->name, client.tenant->limits.logLinesPerSecond,
             {{"connection", client.number}, {"worker", client.worker->pid()}, {"reason", reason}});
  sendNotice(client, Notice::lost, reason);
  drop(client);
}

void Broker::tick(Client& client) {
  if (client.loss) {
    if (client.isDue(Clock::now())) lose(client, *client.loss);
  } else if (client.worker) {
    if (auto reason = client.worker->overdue(client.tenant->limits)) client.worker->kill(std::move(*reason));
  } else if (client.isDue(Clock::now())) {
    if (client.state == ClientState::refusing) {
      refuse(client, ErrorKind::operationError, std::exchange(client.refusal, {}));
    } else {
      refuse(client, ErrorKind::timeoutError, formatText("no hello came in {}.", secondsText(config_.helloTime)));
    }
  }
}

// If all workers of a tenant together exceed its memory limit, kills the largest worker. Workers that have already been killed
// are not counted.
void Broker::enforceTenantMemory() {
  std::map<const Tenant*, std::pair<std::vector<std::uint64_t>, std::vector<Client*>>> tenants;
  for (Client& client : clients_) {
    if (!client.worker || client.worker->isKilled() || !client.socket || client.tenant->limits.memory == 0) continue;
    auto& [memories, owners] = tenants[client.tenant];
    memories.push_back(client.worker->memory());
    owners.push_back(&client);
  }
  for (const auto& [tenant, clients] : tenants) {
    if (const auto which = beyondMemory(clients.first, tenant->limits.memory))
      clients.second[*which]->worker->kill(
          formatText("memory limit {} of {}", sizeText(tenant->limits.memory), webnn::quoted(tenant->name)));
  }
}

// Returns the status of tenant `only` as JSON, or of the whole service if `only` is null.
std::string Broker::statusText(const Tenant* only) {
  Json tenants = Json::array();
  for (const Tenant& tenant : config_.tenants) {
    if (only && only != &tenant) continue;
    std::uint64_t contexts = 0, memory = 0;
    for (const Client& client : clients_) {
      if (!client.worker || client.tenant != &tenant) continue;
      ++contexts;
      memory += client.worker->memory();
    }
    tenants.push(Json{{"name", tenant.name}, {"contexts", contexts}, {"memory", memory}});
  }
  if (only) return Json{{"tenants", tenants}}.dump();
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin_).count();
  return Json{{"pid", ::getpid()},
              {"seconds", seconds},
              {"connections", clients_.size()},
              {"accepted", connections_},
              {"started", started_},
              {"lost", lost_},
              {"refused", refused_},
              {"linesDropped", log_.dropped()},
              {"tenants", tenants}}
      .dump();
}

}  // namespace

void runPrivateBroker(FileDescriptor socket, const BrokerConfig& config, const std::filesystem::path& program) {
  const FileDescriptor nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  Broker broker(config, program, nowhere.get());
  broker.addPrivate(std::move(socket));
  broker.run();
}

namespace {

// Returns the listening socket that systemd passed to this process (sd_listen_fds(3)), if any.
FileDescriptor inheritedSocket() {
  const char* const pid = std::getenv("LISTEN_PID");
  const char* const count = std::getenv("LISTEN_FDS");
  constexpr int kFirst = 3;
  if (!pid || !count || std::strtol(pid, nullptr, 10) != ::getpid()) return FileDescriptor(-1);
  int type = 0, listens = 0;
  socklen_t size = sizeof(int);
  if (std::strtol(count, nullptr, 10) != 1 || ::getsockopt(kFirst, SOL_SOCKET, SO_TYPE, &type, &size) != 0 ||
      ::getsockopt(kFirst, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || type != SOCK_SEQPACKET || listens == 0)
    fail(ErrorKind::operationError, "systemd did not pass exactly one socket of ListenSequentialPacket=.");
  ::fcntl(kFirst, F_SETFD, FD_CLOEXEC);
  ::fcntl(kFirst, F_SETFL, ::fcntl(kFirst, F_GETFL) | O_NONBLOCK);
  return FileDescriptor(kFirst);
}

// The socket that the broker creates, with a lock file beside it. If the lock is free and nothing listens at an existing socket,
// that socket belongs to a service that has ended, and is replaced.
class OwnSocket {
 public:
  explicit OwnSocket(const BrokerConfig& config)
      : path_(config.socket), name_(nameOf(path_.string())), lock_(openLock(path_.string() + ".lock")) {
    const std::string text = path_.string();
    requireFolderOfOurs();
    if (isSocketThere(text)) {
      if (isListenedAt(name_)) fail(ErrorKind::operationError, "another program listens at {}.", webnn::quoted(text));
      ::unlink(text.c_str());
    }
    socket = FileDescriptor(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const mode_t before = ::umask(0777 & ~config.mode);
    const int result = ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&name_), sizeof(name_));
    const int error = errno;
    ::umask(before);
    if (result != 0 || ::listen(socket.get(), 128) != 0)
      fail(ErrorKind::operationError, "the socket {} cannot be made ({}).", webnn::quoted(text),
           std::generic_category().message(error));
    ::lstat(text.c_str(), &made_);
  }
  OwnSocket(const OwnSocket&) = delete;
  OwnSocket& operator=(const OwnSocket&) = delete;
  ~OwnSocket() {
    struct stat now {};
    if (::lstat(path_.c_str(), &now) == 0 && now.st_dev == made_.st_dev && now.st_ino == made_.st_ino) ::unlink(path_.c_str());
  }

  FileDescriptor socket{-1};

 private:
  // Called before the lock file is created, so that an invalid socket name leaves no lock file.
  static sockaddr_un nameOf(const std::string& path) {
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    if (path.empty() || path.size() >= sizeof(name.sun_path))
      fail(ErrorKind::typeError, "the path of the socket {} is empty or longer than {} bytes.", webnn::quoted(path),
           sizeof(name.sun_path) - 1);
    std::memcpy(name.sun_path, path.data(), path.size());
    isSocketThere(path);
    return name;
  }
  // Returns false if the path does not exist or cannot be inspected. Throws OperationError if it is not a socket.
  static bool isSocketThere(const std::string& path) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) return false;
    if (!S_ISSOCK(status.st_mode)) fail(ErrorKind::operationError, "{} is there and no socket.", webnn::quoted(path));
    return true;
  }
  static FileDescriptor openLock(const std::string& path) {
    FileDescriptor lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!lock)
      fail(ErrorKind::operationError, "the lock {} cannot be made ({}).", webnn::quoted(path),
           std::generic_category().message(errno));
    struct stat status {};
    if (::fstat(lock.get(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != ::geteuid())
      fail(ErrorKind::operationError, "the lock {} is no file of user {}.", webnn::quoted(path), ::geteuid());
    if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0)
      fail(ErrorKind::operationError, "a service runs there already: {} is locked.", webnn::quoted(path));
    return lock;
  }
  // Refuses a directory where everybody may rename files, because anybody could replace the socket there.
  void requireFolderOfOurs() const {
    const std::filesystem::path folder = std::filesystem::absolute(path_).parent_path();
    struct stat status {};
    if (::stat(folder.c_str(), &status) == 0 && (status.st_mode & S_IWOTH) != 0 && (status.st_mode & S_ISVTX) == 0)
      fail(ErrorKind::operationError, "everybody can replace files in {}: no place for a socket.",
           webnn::quoted(folder.string()));
  }
  static bool isListenedAt(const sockaddr_un& name) {
    const auto* const address = reinterpret_cast<const sockaddr*>(&name);
    for (const int type : {SOCK_SEQPACKET, SOCK_STREAM, SOCK_DGRAM}) {
      const FileDescriptor client(::socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
      if (::connect(client.get(), address, sizeof(name)) == 0 || errno == EAGAIN) return true;
    }
    return false;
  }
  const std::filesystem::path path_;
  const sockaddr_un name_;
  const FileDescriptor lock_;
  struct stat made_ {};
};

}  // namespace

void runBroker(const BrokerConfig& config, const std::filesystem::path& program) {
  FileDescriptor log(-1);
  if (!config.log.empty()) {
    // O_NONBLOCK makes opening a pipe without a reader fail instead of block.
    constexpr int kFlags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    log = FileDescriptor(::open(config.log.c_str(), kFlags, 0600));
    if (!log) failWithErrno(config.log, "opened", errno);
  }
  Broker broker(config, program, log ? log.get() : STDERR_FILENO);
  if (FileDescriptor inherited = inheritedSocket()) {
    broker.listenAt(std::move(inherited));
    return broker.run();
  }
  OwnSocket own(config);
  broker.listenAt(std::move(own.socket));
  broker.run();
}

}  // namespace webnn::service
