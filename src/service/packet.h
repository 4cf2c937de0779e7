// Packets with descriptors over a socket of packets.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/files/file_descriptor.h"

namespace webnn::service {

inline constexpr std::size_t kMostPacketBytes = 128 * 1024;

struct Packet {
  std::vector<std::byte> bytes;
  std::vector<FileDescriptor> descriptors;
};

// Two connected ends, closed on exec. UnknownError if the system has none.
std::pair<FileDescriptor, FileDescriptor> packetSocketPair();

// False if the other end is closed, or does not take the packet at once and the socket does not wait. Raises no SIGPIPE.
bool sendPacket(int socket, std::span<const std::byte> bytes, std::span<const int> descriptors = {});

enum class Received { packet, closed, nothing };
// Waits for a packet unless the socket does not wait (`nothing`). A packet that is longer, or comes with more than
// `descriptors` descriptors, is a DataError, and its descriptors are closed.
Received receivePacket(int socket, Packet& packet, std::size_t mostBytes, std::size_t descriptors);

// False if nothing came by then.
bool waitReadable(int descriptor, std::chrono::milliseconds time);

}  // namespace webnn::service
