// A `.weights` blob, which is "WGWT", a version and packed tensors, and the JSON manifest that says where each is.
#include <algorithm>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/text.h"
#include "formats/strict_json.h"
#include "formats/weights.h"
#include "formats/weights_table.h"

namespace webnn::formats {

namespace {

using nlohmann::json;

constexpr std::string_view kMagic{"WGWT\1\0\0\0", 8};  // and the version, 1, as 32 bits
constexpr std::string_view kFormat = "wg-weights-manifest";
constexpr std::string_view kOtherFormat = "webnn-weights-manifest";  // some tools write this

void checkBlob(std::span<const std::byte> blob) {
  const std::string_view text(reinterpret_cast<const char*>(blob.data()), std::min(blob.size(), kMagic.size()));
  if (text.substr(0, 4) != kMagic.substr(0, 4)) {
    fail(ErrorKind::dataError, "the weights do not begin with {}.", webnn::quoted("WGWT"));
  }
  if (text != kMagic) fail(ErrorKind::dataError, "the version of the weights, in bytes 4 to 7, is not 1.");
}

void requireText(const json& object, const char* key, std::string_view what, std::initializer_list<std::string_view> allowed) {
  const json* value = findMember(object, key, what);
  if (!value) return;
  const std::string_view text = toText(*value, webnn::format("{}: {}", what, webnn::quoted(key)));
  if (std::find(allowed.begin(), allowed.end(), text) == allowed.end()) {
    fail(ErrorKind::dataError, "{}: {} ({}) is not {}.", what, webnn::quoted(key), webnn::quoted(text),
         webnn::quoted(*allowed.begin()));
  }
}

// Tools disagree on which of these they write, so each may be absent.
void checkFormat(const json& manifest) {
  constexpr std::string_view kWhat = "the weights manifest";
  requireText(manifest, "format", kWhat, {kFormat, kOtherFormat});
  requireText(manifest, "endianness", kWhat, {"little"});
  if (const json* version = findMember(manifest, "version", kWhat)) {
    const std::uint64_t number = toUnsigned(*version, "the weights manifest: \"version\"");
    if (number != 1) fail(ErrorKind::dataError, "{}: \"version\" ({}) is not 1.", kWhat, number);
  }
}

// The bytes of a tensor within the blob, behind the magic.
std::span<const std::byte> bytesOf(const json& entry, std::string_view what, std::span<const std::byte> blob) {
  const std::uint64_t offset = toUnsigned(member(entry, "byteOffset", what), webnn::format("{}: \"byteOffset\"", what));
  const std::uint64_t length = toUnsigned(member(entry, "byteLength", what), webnn::format("{}: \"byteLength\"", what));
  if (offset < kMagic.size() || offset > blob.size() || length > blob.size() - offset) {
    fail(ErrorKind::dataError, "{}: {} bytes at {} are not inside the bytes {} to {} of the weights.", what, length, offset,
         kMagic.size(), blob.size());
  }
  return blob.subspan(offset, length);
}

StoredTensor readEntry(std::string_view key, const json& entry, std::span<const std::byte> blob) {
  const std::string what = webnn::format("the manifest's tensor {}", webnn::quoted(key));
  StoredTensor tensor{.bytes = bytesOf(entry, what, blob)};
  requireText(entry, "layout", what, {"row-major"});
  if (const json* shape = findMember(entry, "shape", what)) {
    tensor.shape = toUnsigneds(*shape, what + ": a dimension or \"shape\"");
  }
  const json* type = findMember(entry, "dataType", what);
  if (!type) return tensor;
  const std::string_view typeName = toText(*type, what + ": \"dataType\"");
  const std::optional<DataType> dataType = dataTypeFromName(typeName);
  const bool bfloat16 = typeName == kBfloat16;
  tensor.type = dataType || bfloat16 ? std::string(typeName) : webnn::quoted(typeName);
  // The size of an unknown type's elements is unknown as well.
  if (!tensor.shape || (!dataType && !bfloat16)) return tensor;
  if (storedLength(*tensor.shape, bfloat16 ? 16 : bitsPerElement(*dataType)) != tensor.bytes.size()) {
    fail(ErrorKind::dataError, "{}: \"byteLength\" ({}) is not the length of its type and shape.", what, tensor.bytes.size());
  }
  return tensor;
}

// The tensors in the order of their keys, which is that of the blob.
std::vector<const NamedWeights*> sorted(std::span<const NamedWeights> tensors) {
  std::vector<const NamedWeights*> result;
  for (const NamedWeights& tensor : tensors) result.push_back(&tensor);
  std::sort(result.begin(), result.end(), [](const auto* a, const auto* b) { return a->key < b->key; });
  return result;
}

std::string manifestFor(std::span<const NamedWeights* const> tensors) {
  std::string text =
      webnn::format("{{\n  \"format\": \"{}\",\n  \"version\": 1,\n  \"endianness\": \"little\",\n  \"tensors\": {{", kFormat);
  std::uint64_t offset = kMagic.size();
  const char* separator = "\n    ";
  for (const NamedWeights* tensor : tensors) {
    text += webnn::format(
        "{}{}: {{\"dataType\": \"{}\", \"shape\": {}, \"byteOffset\": {}, \"byteLength\": {}, "
        "\"layout\": \"row-major\"}}",
        separator, jsonString(tensor->key), name(tensor->descriptor.dataType), json(tensor->descriptor.shape).dump(), offset,
        tensor->bytes.size());
    offset += tensor->bytes.size();
    separator = ",\n    ";
  }
  return text + "\n  }\n}\n";
}

}  // namespace

std::unique_ptr<WeightsReader> readManifest(std::string_view manifest, ExternalBytes weights) {
  checkBlob(weights.bytes);
  const json document = parseJson(manifest, "the weights manifest");
  checkFormat(document);
  const json& entries = member(document, "tensors", "the weights manifest");
  if (!entries.is_object()) fail(ErrorKind::dataError, "the weights manifest: \"tensors\" is no object.");
  std::map<std::string, StoredTensor> tensors;
  for (const auto& [key, entry] : entries.items()) tensors.emplace(key, readEntry(key, entry, weights.bytes));
  return std::make_unique<WeightsTable>(std::move(tensors), std::move(weights.keepAlive));
}

void writeManifest(const std::filesystem::path& manifestPath, const std::filesystem::path& weightsPath,
                   std::span<const NamedWeights> tensors) {
  checkNamedWeights(tensors);
  const std::vector<const NamedWeights*> order = sorted(tensors);
  const std::string manifest = manifestFor(order);
  replaceFile(weightsPath, [&](std::ostream& out) {
    out << kMagic;
    for (const NamedWeights* tensor : order) {
      out.write(reinterpret_cast<const char*>(tensor->bytes.data()), static_cast<std::streamsize>(tensor->bytes.size()));
    }
  });
  replaceFile(manifestPath, [&](std::ostream& out) { out << manifest; });
}

}  // namespace webnn::formats
