// Reads and writes `.weights` files: "WGWT", a version and packed tensors, whose offsets are in a JSON manifest.
#include <algorithm>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "base/files/file.h"
#include "base/text.h"
#include "formats/document/json_parse.h"
#include "formats/document/weights.h"
#include "formats/document/weights_table.h"

namespace webnn::formats {

namespace {

constexpr std::string_view kMagic{"WGWT\1\0\0\0", 8};  // "WGWT" and the version, 1, in 32 bits
constexpr std::string_view kFormat = "wg-weights-manifest";
constexpr std::string_view kOtherFormat = "webnn-weights-manifest";  // some tools write this name

void checkBlob(std::span<const std::byte> blob) {
  const std::string_view text(reinterpret_cast<const char*>(blob.data()), std::min(blob.size(), kMagic.size()));
  if (text.substr(0, 4) != kMagic.substr(0, 4)) {
    fail(ErrorKind::dataError, "the weights do not begin with {}.", webnn::quoted("WGWT"));
  }
  if (text != kMagic) fail(ErrorKind::dataError, "the version of the weights, in bytes 4 to 7, is not 1.");
}

void requireText(const JsonAt& object, std::string_view key, std::initializer_list<std::string_view> allowed) {
  const auto value = object.find(key);
  if (value && std::find(allowed.begin(), allowed.end(), value->text()) == allowed.end()) {
    value->fail(formatText("{} is not {}.", excerpt(value->json()), webnn::quoted(*allowed.begin())));
  }
}

// Tools disagree on which of these keys they write, so each may be absent.
void checkFormat(const JsonAt& manifest) {
  requireText(manifest, "format", {kFormat, kOtherFormat});
  requireText(manifest, "endianness", {"little"});
  if (const auto version = manifest.find("version"); version && version->integer64() != 1) {
    version->fail(excerpt(version->json()) + " is not 1.");
  }
}

// Returns the bytes of a tensor. Offsets count from the start of `blob`; the tensors follow the magic.
std::span<const std::byte> bytesOf(const JsonAt& entry, std::span<const std::byte> blob) {
  const std::uint64_t offset = entry.member("byteOffset").integer64();
  const std::uint64_t length = entry.member("byteLength").integer64();
  if (offset < kMagic.size() || offset > blob.size() || length > blob.size() - offset) {
    entry.fail(formatText("{} bytes at {} are not inside the bytes {} to {} of the weights.", length, offset, kMagic.size(),
                          blob.size()));
  }
  return blob.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(length));
}

StoredTensor readEntry(const JsonAt& entry, std::span<const std::byte> blob) {
  StoredTensor tensor{.bytes = bytesOf(entry, blob)};
  requireText(entry, "layout", {"row-major"});
  if (const auto shape = entry.find("shape")) tensor.shape = shape->integers64();
  const auto type = entry.find("dataType");
  if (!type) return tensor;
  const std::string& typeName = type->text();
  const std::optional<DataType> dataType = dataTypeFromName(typeName);
  const bool bfloat16 = typeName == kBfloat16;
  tensor.type = dataType || bfloat16 ? typeName : webnn::quoted(typeName);
  // The length cannot be checked if the type is unknown.
  if (!tensor.shape || (!dataType && !bfloat16)) return tensor;
  if (storedLength(*tensor.shape, bfloat16 ? 16 : bitsPerElement(*dataType)) != tensor.bytes.size()) {
    entry.fail(formatText("the byteLength ({}) is not the length of its type and shape.", tensor.bytes.size()));
  }
  return tensor;
}

// Returns the tensors sorted by key, the order in which the blob stores them.
std::vector<const NamedWeights*> sorted(std::span<const NamedWeights> tensors) {
  std::vector<const NamedWeights*> result;
  for (const NamedWeights& tensor : tensors) result.push_back(&tensor);
  std::sort(result.begin(), result.end(), [](const auto* a, const auto* b) { return a->key < b->key; });
  return result;
}

std::string manifestFor(std::span<const NamedWeights* const> tensors) {
  std::string text =
      formatText("{{\n  \"format\": \"{}\",\n  \"version\": 1,\n  \"endianness\": \"little\",\n  \"tensors\": {{", kFormat);
  std::uint64_t offset = kMagic.size();
  const char* separator = "\n    ";
  for (const NamedWeights* tensor : tensors) {
    text += formatText(
        "{}{}: {{\"dataType\": \"{}\", \"shape\": {}, \"byteOffset\": {}, \"byteLength\": {}, "
        "\"layout\": \"row-major\"}}",
        separator, jsonString(tensor->key), name(tensor->descriptor.dataType), Json(tensor->descriptor.shape).dump(), offset,
        tensor->bytes.size());
    offset += tensor->bytes.size();
    separator = ",\n    ";
  }
  return text + "\n  }\n}\n";
}

}  // namespace

std::unique_ptr<WeightsReader> readManifest(std::string_view manifest, ExternalBytes weights) {
  checkBlob(weights.bytes);
  constexpr std::string_view kWhat = "the weights manifest";
  std::map<std::string, StoredTensor> tensors;
  ReadBudget budget(manifest.size()), tableBudget(manifest.size());
  const Json document = parseJsonMembers(manifest, kWhat, "tensors", budget, [&](const std::string& key, const Json& entry) {
    const JsonAt at(entry, formatText("{}.tensors.{}", kWhat, sanitized(key)));
    const auto inserted = tensors.emplace(key, readEntry(at, weights.bytes)).first;
    chargeTensor(tableBudget, key, inserted->second);
  });
  const JsonAt root(document, std::string(kWhat));
  checkFormat(root);
  root.member("tensors").object();
  return std::make_unique<WeightsTable>(std::move(tensors), std::move(weights.keepAlive));
}

void writeManifest(Replacement& files, const std::filesystem::path& manifestPath, const std::filesystem::path& weightsPath,
                   std::span<const NamedWeights> tensors) {
  checkNamedWeights(tensors);
  const std::vector<const NamedWeights*> order = sorted(tensors);
  const std::string manifest = manifestFor(order);
  files.add(weightsPath, [&](std::ostream& out) {
    out << kMagic;
    for (const NamedWeights* tensor : order) {
      out.write(reinterpret_cast<const char*>(tensor->bytes.data()), static_cast<std::streamsize>(tensor->bytes.size()));
    }
  });
  files.add(manifestPath, [&](std::ostream& out) { out << manifest; });
}

}  // namespace webnn::formats
