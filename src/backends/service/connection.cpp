#include "backends/service/connection.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <utility>

#include "base/as_errors.h"
#include "base/escape.h"
#include "service/hello.h"
#include "service/packet.h"

namespace webnn::service {

namespace {

constexpr std::chrono::milliseconds kLook{20};   // time between two polls of a budget or a worker
constexpr std::chrono::seconds kReasonTime{2};   // maximum wait for the broker's reason for the end of a worker
constexpr std::chrono::seconds kCancelTime{10};  // maximum time for a worker to stop a cancelled run or build
constexpr std::size_t kMostDrops = 4096;         // maximum number of dropped objects per request

// Returns whether the peer has closed the connection, even if unread data remain.
bool isHungUp(int socket) {
  pollfd item{socket, 0, 0};
  return ::poll(&item, 1, 0) > 0;
}

// Locks `mutex`, which another call may hold for long. Throws the budget's error once the budget is exceeded.
std::unique_lock<TurnMutex> lockWithin(TurnMutex& mutex, const Budget& budget) {
  std::unique_lock lock(mutex, std::try_to_lock);
  while (!lock && !lock.try_lock_for(kLook)) budget.check();
  return lock;
}

ErrorKind kindOf(std::uint32_t place) {
  return place <= static_cast<std::uint32_t>(ErrorKind::timeoutError) ? static_cast<ErrorKind>(place) : ErrorKind::operationError;
}

// Throws a worker's error. The worker is not trusted, so control characters in its text are escaped.
[[noreturn]] void throwFailure(std::uint32_t kind, std::string_view text) {
  throw Error(kindOf(kind), escaped(text, kMailboxTextBytes));
}

}  // namespace

Connection::Connection(BrokerLink broker, LocalDescriptor worker, std::chrono::milliseconds answerTime)
    : answerTime_(answerTime),
      broker_(std::move(broker)),
      worker_(std::move(worker)),
      mailboxMemory_(makeSharedMemory(sizeof(Mailbox), "webnn mailbox")) {
  mailbox_ = new (mailboxMemory_.mapping.bytes().data()) Mailbox;
  watcher_ = std::thread([this] { watch(); });
}

Connection::~Connection() {
  if (!process_.isHere()) {  // in a forked child, the watcher thread does not exist, so its handle is leaked instead of joined
    static_cast<void>(new std::thread(std::move(watcher_)));
    return;
  }
  close();
  // The watcher's callback may have released the context's last handle, so this may be the watcher thread.
  if (watcher_.get_id() == std::this_thread::get_id()) {
    watcher_.detach();
  } else {
    watcher_.join();
  }
}

void Connection::requireSameProcess() const {
  if (process_.isHere()) return;
  fail(ErrorKind::invalidStateError, "the context is of the process that forked this one; create one here.");
}

// Sends the worker the mailbox, as the memory with id 0.
void Connection::shareMailbox() {
  ask(
      [](schema::Request::Builder request) {
        auto share = request.initShareMemory();
        share.setMemory(0);
        share.setByteLength(sizeof(Mailbox));
      },
      {}, mailboxMemory_.descriptor.get());
  mailboxMemory_.descriptor = FileDescriptor(-1);  // the memory stays mapped without its descriptor
}

void Connection::close() noexcept {
  if (!process_.isHere() || isClosed_.exchange(true)) return;
  // Shut the broker's connection down first. Otherwise the broker would report the worker's end as a loss.
  ::shutdown(broker_.socket.get(), SHUT_RDWR);
  ::shutdown(worker_.get(), SHUT_RDWR);
}

// Runs on the watcher thread: waits until the broker reports a lost worker or closes the connection.
void Connection::watch() {
  std::string reason = "the service does not answer.";
  try {
    Packet packet;
    while (receivePacket(broker_.socket.get(), packet, kMostNoticeBytes, 0) == Received::packet) {
      const std::string_view text(reinterpret_cast<const char*>(packet.bytes.data()),
                                  std::min(packet.bytes.size(), 1 + kMostReasonBytes));
      if (text.empty() || static_cast<Notice>(text[0]) != Notice::lost) continue;
      reason = std::string(text.substr(1));
      break;
    }
  } catch (...) {
    reason = errorOfCurrentException("the service").what();
  }
  endWith(std::move(reason));
}

void Connection::endWith(std::string reason) {
  std::function<void(const std::string&)> lose;
  {
    const std::lock_guard lock(stateMutex_);
    if (reason_) return;
    reason_ = isClosed_ ? "Context::destroy() was called." : std::move(reason);
    lose.swap(lose_);
    isLost_ = true;
  }
  stateChanged_.notify_all();
  ::shutdown(worker_.get(), SHUT_RDWR);
  futexWake(mailbox_->completed);
  if (lose && !isClosed_) lose(*reason_);
}

void Connection::whenLost(std::function<void(const std::string&)> lose) {
  {
    const std::lock_guard lock(stateMutex_);
    if (!reason_) {
      lose_ = std::move(lose);
      return;
    }
  }
  lose(*reason_);
}

// Called if the worker is gone or violates the protocol. Waits for the broker's reason and throws an error with it. The watcher
// thread notifies the context, because the caller may hold locks and the context may call listeners.
void Connection::throwLost() {
  ::shutdown(worker_.get(), SHUT_RDWR);
  std::unique_lock lock(stateMutex_);
  if (!stateChanged_.wait_for(lock, kReasonTime, [&] { return reason_.has_value(); })) {
    ::shutdown(broker_.socket.get(), SHUT_RDWR);
    stateChanged_.wait(lock, [&] { return reason_.has_value(); });
  }
  fail(ErrorKind::invalidStateError, "the context is lost: {}", *reason_);
}

void Connection::sendDrops() {
  std::vector<std::uint32_t> graphs, memories;
  {
    const std::lock_guard lock(dropMutex_);
    graphs.swap(droppedGraphs_);
    memories.swap(droppedMemories_);
  }
  const auto send = [&](std::span<const std::uint32_t> all, auto init) {
    for (std::size_t begin = 0; begin < all.size(); begin += kMostDrops) {
      const auto part = all.subspan(begin, std::min(kMostDrops, all.size() - begin));
      const std::uint64_t id = ++requests_;
      const std::vector<std::byte> bytes = encode<schema::Request>([&](schema::Request::Builder request) {
        request.setId(id);
        auto list = init(request, static_cast<unsigned>(part.size()));
        for (unsigned i = 0; i < part.size(); ++i) list.set(i, part[i]);
      });
      if (!sendPacket(worker_.get(), bytes)) throwLost();
      waitForReply();
      receiveReply(id, {});
    }
  };
  send(graphs, [](schema::Request::Builder request, unsigned count) { return request.initDestroyGraphs(count); });
  send(memories, [](schema::Request::Builder request, unsigned count) { return request.initDropMemories(count); });
}

// Counts polls instead of measuring time, because time in which the machine or this process is suspended must not count.
void Connection::waitForReply() {
  for (auto waited = std::chrono::milliseconds(0); !waitReadable(worker_.get(), kLook); waited += kLook) {
    if (waited >= answerTime_) throwLost();
  }
}

// Reads the reply to request `id`. After a malformed or unexpected reply, the worker counts as lost.
void Connection::receiveReply(std::uint64_t id, const Answer& answer) {
  Packet packet;
  if (receivePacket(worker_.get(), packet, kMostPacketBytes, 0) != Received::packet) throwLost();
  try {
    Decoded decoded(packet.bytes);
    const schema::Reply::Reader reply = decoded.root<schema::Reply>();
    if (reply.getId() != id) throwLost();
    if (reply.isFailure()) throwFailure(reply.getFailure().getKind(), textOf(reply.getFailure().getMessage()));
    if (reply.which() != answer.which) throwLost();
    if (answer.read) answer.read(reply);
  } catch (const kj::Exception&) {
    throwLost();
  }
}

void Connection::ask(const Fill& fill, const Answer& answer, int descriptor, const Budget& budget,
                     std::atomic<bool> Mailbox::*cancel) {
  requireSameProcess();
  const auto lock = lockWithin(askMutex_, budget);
  if (isClosed_ || isLost_) throwLost();
  sendDrops();
  const std::uint64_t id = ++requests_;
  const std::vector<std::byte> bytes = encode<schema::Request>([&](schema::Request::Builder request) {
    request.setId(id);
    fill(request);
  });
  if (cancel) mailbox_->*cancel = false;
  const bool isSent = descriptor < 0 ? sendPacket(worker_.get(), bytes) : sendPacket(worker_.get(), bytes, {{descriptor}});
  if (!isSent) throwLost();
  if (cancel) {
    while (!budget.isOver() && !waitReadable(worker_.get(), kLook)) {
    }
    if (budget.isOver()) {
      mailbox_->*cancel = true;
      if (!waitReadable(worker_.get(), kCancelTime)) throwLost();
    }
  } else {
    waitForReply();
  }
  try {
    receiveReply(id, answer);
  } catch (const Error&) {
    if (!isLost_) budget.check();  // if the budget is exceeded, throws its error instead of the worker's
    throw;
  }
}

void Connection::run(const Command& command, Waiter& waiter, const Budget& budget) {
  if (command.inputs.size() + command.outputs.size() > kMailboxTensors)
    fail(ErrorKind::operationError, "QuotaExceeded: a dispatch has {} tensors, and the service takes {}.",
         command.inputs.size() + command.outputs.size(), kMailboxTensors);
  requireSameProcess();
  const auto lock = lockWithin(runMutex_, budget);
  if (isClosed_ || isLost_) throwLost();
  Mailbox& box = *mailbox_;
  box.graph = command.graph;
  box.isProfile = command.isProfile;
  box.inputs = static_cast<std::uint32_t>(command.inputs.size());
  box.outputs = static_cast<std::uint32_t>(command.outputs.size());
  std::ranges::copy(command.outputs, std::ranges::copy(command.inputs, box.tensors).out);
  box.cancelRun = false;
  const std::uint32_t before = commands_++;
  announce(box.submitted, commands_, box.workerSleeps);
  std::optional<Budget::Clock::time_point> cancelled;
  waiter.wait(box.completed, before, box.clientSleeps, kLook, [&] {
    if (!cancelled && budget.isOver()) {
      box.cancelRun = true;
      cancelled = Budget::Clock::now();
    }
    if (isClosed_ || isLost_ || isHungUp(worker_.get())) return true;  // the broker may be stopped and report nothing
    return cancelled && Budget::Clock::now() - *cancelled > kCancelTime;
  });
  if (box.completed.load(std::memory_order_acquire) != commands_) throwLost();
  const std::uint32_t failed = readOnce(box.failed);
  if (failed == 0) return;
  budget.check();
  const std::uint32_t length = std::min(readOnce(box.textLength), kMailboxTextBytes);
  throwFailure(failed - 1, std::string(box.text, length));
}

// Sends dropped objects now, so that the worker does not keep them until the next request. Does nothing if a request is in
// flight.
void Connection::sendDropsNow() {
  const std::unique_lock lock(askMutex_, std::try_to_lock);
  if (lock && !isClosed_ && !isLost_) sendDrops();
}

void Connection::dropGraph(std::uint32_t graph) noexcept try {
  if (!isHere()) return;
  {
    const std::lock_guard lock(dropMutex_);
    droppedGraphs_.push_back(graph);
  }
  sendDropsNow();
} catch (...) {  // out of memory: the worker keeps this graph until the worker exits
}

void Connection::dropMemory(std::uint32_t memory, bool isLarge) noexcept try {
  if (!isHere()) return;
  {
    const std::lock_guard lock(dropMutex_);
    droppedMemories_.push_back(memory);
  }
  if (isLarge) sendDropsNow();
} catch (...) {
}

}  // namespace webnn::service
