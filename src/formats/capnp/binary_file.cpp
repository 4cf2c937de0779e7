#include "formats/capnp/binary_file.h"

#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "base/progress.h"
#include "base/text.h"
#include "webnn/graph.h"

namespace webnn::formats {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::uint32_t kBinaryVersion = 1;
constexpr std::uint64_t kConstantAlignment = 64;

struct BinaryHeader {
  std::array<char, 8> magic{};
  std::uint32_t version = kBinaryVersion, zero = 0;
  std::uint64_t messageBytes = 0;
};
static_assert(sizeof(BinaryHeader) == 24);

std::uint64_t aligned(std::uint64_t offset) {
  return (offset + kConstantAlignment - 1) / kConstantAlignment * kConstantAlignment;
}

struct BinaryFile {
  std::vector<std::byte> message;  // a copy, so that no process can modify it concurrently
  std::span<const std::byte> constants;
};

BinaryFile open(std::span<const std::byte> file) {
  BinaryHeader header;
  if (file.size() < sizeof header) fail(ErrorKind::dataError, "the file ({} bytes) ends in its header.", file.size());
  std::memcpy(&header, file.data(), sizeof header);
  if (header.version != kBinaryVersion || header.zero != 0) {
    fail(ErrorKind::notSupportedError,
         "the version of the file ({}.{}) is not one that this version of the library knows ({}.0).", header.version, header.zero,
         kBinaryVersion);
  }
  const std::span<const std::byte> rest = file.subspan(sizeof header);
  if (header.messageBytes > rest.size())
    fail(ErrorKind::dataError, "the message ({} bytes) goes beyond the end of the file.", header.messageBytes);
  BinaryFile result;
  result.message.resize(header.messageBytes);
  copyInParts(result.message.data(), rest.data(), result.message.size());
  const std::uint64_t begin = aligned(sizeof header + header.messageBytes);
  if (begin < file.size()) result.constants = file.subspan(begin);
  return result;
}

std::span<const std::byte> partOf(std::span<const std::byte> memory, const service::ConstantLocation& location) {
  if (location.memory != 0)
    fail(ErrorKind::dataError, "the memory ({}) is not 0, which is all that a file has.", location.memory);
  if (location.offset > memory.size() || location.length > memory.size() - location.offset) {
    fail(ErrorKind::dataError, "the bytes ({} from {} on) go beyond the end of the file.", location.length, location.offset);
  }
  return memory.subspan(location.offset, location.length);
}

// Returns the sources of constants: the bytes after the message, and `weights`. The result refers to `opened` and `file`.
ConstantSources sourcesOf(const BinaryFile& opened, const ExternalBytes& file, const WeightsReader* weights) {
  const auto resolve = [&](const service::ConstantLocation& location) {
    return ExternalBytes{partOf(opened.constants, location), file.keepAlive};
  };
  return {resolve, weights};
}

void write(std::ostream& stream, std::span<const std::byte> bytes) {
  stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

// Writes the header and the message. Returns the number of bytes written.
std::uint64_t writeStart(std::ostream& stream, std::span<const std::byte> message) {
  BinaryHeader header{.messageBytes = message.size()};
  kBinaryMagic.copy(header.magic.data(), header.magic.size());
  write(stream, std::as_bytes(std::span(&header, 1)));
  write(stream, message);
  return sizeof header + message.size();
}

}  // namespace

Graph buildBinary(Context& context, const ExternalBytes& file, const WeightsReader* weights,
                  const std::map<std::string, std::uint32_t>& dimensions, std::shared_ptr<Budget> budget) {
  const BinaryFile opened = open(file.bytes);
  return buildGraphMessage(context, opened.message, sourcesOf(opened, file, weights), dimensions, std::move(budget),
                           fileLimits(opened.message.size()));
}

std::shared_ptr<const OpenGraph> openBinary(Context& context, const ExternalBytes& file, const WeightsReader* weights,
                                            std::shared_ptr<Budget> budget) {
  const BinaryFile opened = open(file.bytes);
  return openGraphMessage(context, opened.message, sourcesOf(opened, file, weights), std::move(budget),
                          fileLimits(opened.message.size()));
}

MessageDescription describeBinary(std::span<const std::byte> file) {
  const BinaryFile opened = open(file);
  return describeGraphMessage(opened.message, fileLimits(opened.message.size()));
}

void writeBinary(std::ostream& stream, const GraphDefinition& graph, const OpenSizes* sizes) {
  std::uint64_t end = 0;
  const auto place = [&](std::size_t, std::span<const std::byte> bytes) {
    const std::uint64_t offset = aligned(end);
    end = offset + bytes.size();
    return service::ConstantLocation{0, offset, bytes.size()};
  };
  std::uint64_t written = writeStart(stream, service::writeGraphMessage(graph, place, sizes));
  static constexpr std::array<std::byte, kConstantAlignment> kZeros{};
  for (const Operand& constant : graph.constants) {
    write(stream, std::span(kZeros).first(aligned(written) - written));
    write(stream, constant.record().bytes);
    written = aligned(written) + constant.record().bytes.size();
  }
}

void writeBinary(std::ostream& stream, const GraphDefinition& graph, std::span<const std::string> weights,
                 const OpenSizes* sizes) {
  writeStart(stream, service::writeGraphMessage(graph, weights, sizes));
}

}  // namespace webnn::formats
