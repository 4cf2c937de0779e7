// Packets with descriptors over a SOCK_SEQPACKET socket.
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

// Returns two connected ends, closed on exec. Throws UnknownError if the system has none.
std::pair<FileDescriptor, FileDescriptor> packetSocketPair();

// Returns false if the other end is closed, or if a non-blocking socket cannot send at once. Raises no SIGPIPE.
bool sendPacket(int socket, std::span<const std::byte> bytes, std::span<const int> descriptors = {});

enum class Received { packet, closed, nothing };
// Waits for a packet unless the socket is non-blocking (`nothing`). A longer packet, or one with more than `descriptors`
// descriptors, is a DataError, and its descriptors are closed.
Received receivePacket(int socket, Packet& packet, std::size_t mostBytes, std::size_t descriptors);

// Returns false if nothing arrived in time.
bool waitReadable(int descriptor, std::chrono::milliseconds time);

}  // namespace webnn::service
