// Sends and receives packets with file descriptors over a SOCK_SEQPACKET socket.
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

// Returns two connected sockets, closed on exec. Throws UnknownError if the system has no more sockets.
std::pair<FileDescriptor, FileDescriptor> packetSocketPair();

// Sends a packet. Returns false if the other end is closed, or if the socket is non-blocking and cannot send immediately. Does
// not raise SIGPIPE.
bool sendPacket(int socket, std::span<const std::byte> bytes, std::span<const int> descriptors = {});

enum class Received { packet, closed, nothing };
// Receives a packet. Returns `closed` if the other end is closed, `nothing` if the socket is non-blocking and has no packet.
// Throws DataError, and closes the packet's descriptors, if it is longer than `mostBytes` or has more than `descriptors`
// descriptors. Throws UnknownError if this process may not open more descriptors.
Received receivePacket(int socket, Packet& packet, std::size_t mostBytes, std::size_t descriptors);

// Waits for at most `time`. Returns false if nothing can be read by then.
bool waitReadable(int descriptor, std::chrono::milliseconds time);

}  // namespace webnn::service
