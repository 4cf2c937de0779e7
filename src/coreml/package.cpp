// Writes an .mlpackage: a manifest, the model, and the weights file to which the model refers.
#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <system_error>

#include "base/files/file.h"
#include "base/progress.h"
#include "base/text.h"
#include "coreml/export.h"

namespace webnn::coreml {

namespace {

constexpr std::uint64_t kMaxModel = std::numeric_limits<std::int32_t>::max();  // the maximum size of a protobuf message in bytes
constexpr std::uint32_t kSentinel = 0xDEADBEEF;
constexpr std::size_t kRecordSize = 64;

// Identifiers only need to differ within a package. They are constants, so that the output is deterministic.
constexpr std::string_view kModelIdentifier = "6C1B8E6E-3F0A-4C8B-9B57-2E7F0C0A0001";
constexpr std::string_view kWeightsIdentifier = "6C1B8E6E-3F0A-4C8B-9B57-2E7F0C0A0002";

std::string item(std::string_view identifier, std::string_view name, std::string_view path, std::string_view description) {
  return formatText(
      "    \"{}\": {{\n      \"author\": \"com.apple.CoreML\",\n      \"description\": \"{}\",\n      \"name\": \"{}\",\n"
      "      \"path\": \"com.apple.CoreML/{}\"\n    }}",
      identifier, description, name, path);
}

std::string manifest(bool hasWeights) {
  std::string items = item(kModelIdentifier, "model.mlmodel", "model.mlmodel", "CoreML Model Specification");
  if (hasWeights) items += ",\n" + item(kWeightsIdentifier, "weights", "weights", "CoreML Model Weights");
  return formatText(
      "{{\n  \"fileFormatVersion\": \"1.0.0\",\n  \"itemInfoEntries\": {{\n{}\n  }},\n  \"rootModelIdentifier\": \"{}\"\n}}\n",
      items, kModelIdentifier);
}

void write(std::ostream& stream, const void* data, std::size_t size) {
  const auto* const bytes = static_cast<const char*>(data);
  inParts(size,
          [&](std::size_t begin, std::size_t end) { stream.write(bytes + begin, static_cast<std::streamsize>(end - begin)); });
}

// A record of 64 bytes, whose fields are at the offsets that the format defines.
class Record {
 public:
  Record& put(std::size_t at, auto value) {
    std::memcpy(bytes_.data() + at, &value, sizeof(value));
    return *this;
  }
  void write(std::ostream& stream) const { coreml::write(stream, bytes_.data(), bytes_.size()); }

 private:
  std::array<std::byte, kRecordSize> bytes_{};
};

// Writes version 2 of the weights file: a header with the number of parts, then for each part a record with its location, and its
// bytes.
void writeWeights(std::ostream& stream, const std::vector<WeightPart>& parts) {
  static_assert(std::endian::native == std::endian::little);
  Record().put(0, static_cast<std::uint32_t>(parts.size())).put(4, std::uint32_t{2}).write(stream);
  const std::array<char, kRecordSize> zeros{};
  for (const WeightPart& part : parts) {
    Record()
        .put(0, kSentinel)
        .put(4, part.type)
        .put(8, std::uint64_t{part.bytes.size()})
        .put(16, part.offset + kRecordSize)
        .put(24, part.unusedBits)
        .write(stream);
    write(stream, part.bytes.data(), part.bytes.size());
    releaseMappedPages(part.bytes);
    const std::size_t rest = part.bytes.size() % kRecordSize;
    if (rest != 0) write(stream, zeros.data(), kRecordSize - rest);
  }
}

// Creates directories. Unless keep() is called, the destructor removes those that it created, if they are empty.
class NewFolders {
 public:
  explicit NewFolders(const std::filesystem::path& path) {
    std::error_code error;
    for (auto missing = path; !missing.empty() && !std::filesystem::exists(missing, error); missing = missing.parent_path()) {
      made_.insert(made_.begin(), missing);
    }
    std::filesystem::create_directories(path, error);
    if (!error) return;
    removeEmpty();
    fail(ErrorKind::operationError, "save: {} cannot be made: {}.", sanitized(path.string()), error.message());
  }
  NewFolders(const NewFolders&) = delete;
  NewFolders& operator=(const NewFolders&) = delete;
  ~NewFolders() { removeEmpty(); }
  void keep() { made_.clear(); }

 private:
  void removeEmpty() {
    std::error_code ignored;
    for (; !made_.empty(); made_.pop_back()) std::filesystem::remove(made_.back(), ignored);
  }

  std::vector<std::filesystem::path> made_;
};

std::filesystem::path dataOf(const std::filesystem::path& package) { return package / "Data" / "com.apple.CoreML"; }
std::filesystem::path weightsOf(const std::filesystem::path& package) { return dataOf(package) / "weights"; }
std::filesystem::path innermost(const ExportedModel& model, const std::filesystem::path& package) {
  return model.weights.empty() ? dataOf(package) : weightsOf(package);
}

// Calls writeFile(path, write) for each file of the package. Their directories must exist. `write` takes a stream.
void writeFiles(const ExportedModel& model, const std::filesystem::path& path, auto writeFile) {
  if (!model.weights.empty()) {
    writeFile(weightsOf(path) / "weight.bin", [&](std::ostream& stream) { writeWeights(stream, model.weights); });
  }
  writeFile(dataOf(path) / "model.mlmodel", [&](std::ostream& stream) { write(stream, model.proto.data(), model.proto.size()); });
  const std::string text = manifest(!model.weights.empty());
  writeFile(path / "Manifest.json", [&](std::ostream& stream) { write(stream, text.data(), text.size()); });
}

void requireSize(const ExportedModel& model) {
  if (model.proto.size() <= kMaxModel) return;
  fail(ErrorKind::operationError, "save: a Core ML model holds at most {} bytes beside its weights, not {}.", kMaxModel,
       model.proto.size());
}

}  // namespace

void writePackage(const ExportedModel& model, const std::filesystem::path& path) {
  requireSize(model);
  NewFolders folders(innermost(model, path));
  writeFiles(model, path, [](const std::filesystem::path& file, const auto& write) {
    errno = 0;
    std::ofstream stream(file, std::ios::binary);
    write(stream);
    stream.close();
    if (stream) return;
    fail(ErrorKind::operationError, "build: {} cannot be written: {}.", sanitized(file.string()),
         std::error_code(errno, std::generic_category()).message());
  });
  folders.keep();
}

namespace {

std::vector<std::string> savePackage(ExportedModel model, const std::filesystem::path& path) {
  requireSize(model);
  NewFolders folders(innermost(model, path));
  Replacement files;
  writeFiles(model, path, [&](const std::filesystem::path& file, const auto& write) { files.add(file, write); });
  files.commit();
  std::error_code ignored;
  if (model.weights.empty())
    std::filesystem::remove(weightsOf(path) / "weight.bin", ignored);  // a previous package at this path may have had weights
  folders.keep();
  return std::move(model.notes);
}

}  // namespace

std::vector<std::string> savePackage(const GraphDefinition& graph, const std::filesystem::path& path) {
  return savePackage(exportModel(graph), path);
}

std::vector<std::string> savePackage(const GraphDefinition& graph, const OpenSizes& sizes, const std::filesystem::path& path) {
  return savePackage(exportModel(graph, sizes), path);
}

}  // namespace webnn::coreml
