#include "service/packet.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace webnn::service {

namespace {
constexpr std::size_t kMostDescriptors = 4;
}

std::pair<FileDescriptor, FileDescriptor> packetSocketPair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    fail(ErrorKind::unknownError, "the system has no sockets ({}).", std::generic_category().message(errno));
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

bool sendPacket(int socket, std::span<const std::byte> bytes, std::span<const int> descriptors) {
  iovec part{const_cast<std::byte*>(bytes.data()), bytes.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kMostDescriptors)> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (!descriptors.empty()) {
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size_bytes());
  }
  while (true) {
    if (::sendmsg(socket, &message, MSG_NOSIGNAL) >= 0) return true;
    if (errno != EINTR) return false;
  }
}

namespace {

void takeDescriptors(msghdr& message, std::vector<FileDescriptor>& descriptors) {
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int value = -1;
      std::memcpy(&value, CMSG_DATA(header) + i * sizeof(int), sizeof(int));
      descriptors.emplace_back(value);
    }
  }
}

}  // namespace

Received receivePacket(int socket, Packet& packet, std::size_t mostBytes, std::size_t descriptors) {
  packet.bytes.resize(mostBytes);
  packet.descriptors.clear();
  iovec part{packet.bytes.data(), packet.bytes.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kMostDescriptors)> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  ssize_t count = 0;
  while ((count = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC)) < 0) {
    if (errno == EAGAIN || errno == EWOULDBLOCK) return Received::nothing;
    // ECONNRESET: the other process closed its end before it read our packets. The system reports this once; packets that the
    // other process sent earlier can still be read.
    if (errno != EINTR && errno != ECONNRESET) return Received::closed;
  }
  packet.descriptors.reserve(kMostDescriptors);
  takeDescriptors(message, packet.descriptors);
  // The system dropped a descriptor because this process has reached its limit of open descriptors.
  if ((message.msg_flags & MSG_CTRUNC) != 0 && packet.descriptors.size() < descriptors)
    fail(ErrorKind::unknownError, "a descriptor that another process sends has no room ({}).",
         std::generic_category().message(EMFILE));
  if ((message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0 || packet.descriptors.size() > descriptors) {
    packet.descriptors.clear();
    fail(ErrorKind::dataError, "a packet is longer than {} bytes, or comes with more than {} descriptors.", mostBytes,
         descriptors);
  }
  if (count == 0 && packet.descriptors.empty()) return Received::closed;
  packet.bytes.resize(static_cast<std::size_t>(count));
  return Received::packet;
}

bool waitReadable(int descriptor, std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  pollfd item{descriptor, POLLIN, 0};
  int ready = 0;
  while ((ready = ::poll(&item, 1, static_cast<int>(std::max(time, std::chrono::milliseconds(0)).count()))) < 0 &&
         errno == EINTR) {
    time = std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
  }
  return ready > 0;
}

}  // namespace webnn::service
