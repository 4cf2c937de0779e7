#include "formats/document/foreign.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "base/text.h"
#include "formats/document/values.h"

namespace webnn::formats {

namespace {

using std::string_view;
using std::string_view_literals::operator""sv;

constexpr string_view kExpected = "a graph (.webnn, .webnnb, JSON or ONNX) is expected";
constexpr string_view kToOnnx = "export the model to ONNX first";
constexpr string_view kWeights = "name the .webnn, .webnnb or .json file of the graph that they belong to";

struct Kind {
  std::size_t offset = 0;
  string_view magic, what, advice = kExpected;
};

constexpr Kind kKinds[] = {
    {0, "\xFF\xD8\xFF"sv, "is a JPEG picture"},
    {0, "\x89PNG\r\n\x1A\n"sv, "is a PNG picture"},
    {0, "GIF8"sv, "is a GIF picture"},
    {8, "WEBP"sv, "is a WebP picture"},
    {8, "WAVE"sv, "is a recording (WAV)"},
    {0, "%PDF"sv, "is a PDF document"},
    {0,
     "\x7F"
     "ELF"sv,
     "is a program or library (ELF)"},
    {0, "\x93NUMPY"sv, "holds an array of NumPy (.npy)"},
    {0, "\x89HDF\r\n\x1A\n"sv, "is HDF5, perhaps a Keras model", "export it to ONNX first (tf2onnx)"},
    {4, "TFL3"sv, "is a TensorFlow Lite model", "export it to ONNX first (tf2onnx)"},
    {0, "GGUF"sv, "holds weights of llama.cpp (GGUF), without a graph", kToOnnx},
    {0, "GGML"sv, "holds weights of llama.cpp (GGML), without a graph", kToOnnx},
    {0, "WGWT"sv, "holds weights (.weights)", kWeights},
    {0, "\x1F\x8B"sv, "is compressed (gzip)", "unpack it first"},
    {0,
     "\xFD"
     "7zXZ"sv,
     "is compressed (xz)", "unpack it first"},
    {0, "\x28\xB5\x2F\xFD"sv, "is compressed (zstd)", "unpack it first"},
    {0, "BZh"sv, "is compressed (bzip2)", "unpack it first"},
    {257, "ustar"sv, "is an archive (tar)", "unpack it first"},
    {0, "version https://git-lfs"sv, "is a pointer of Git LFS to the model", "fetch the model itself with: git lfs pull"},
    {0, "7767517\n"sv, "is an ncnn model", kToOnnx},
};

// Kinds of ZIP archives, recognised by entry names near the beginning or the end.
constexpr Kind kArchives[] = {
    {0, "data.pkl"sv, "is a PyTorch model", "export it to ONNX first (torch.onnx.export)"},
    {0, "model.weights.h5"sv, "is a Keras model", "export it to ONNX first (tf2onnx)"},
    {0, "coremldata.bin"sv, "is a Core ML model", "give the model that it was made of, as ONNX"},
    {0, ".npy"sv, "holds arrays of NumPy (.npz)"},
    {0, ""sv, "is an archive (ZIP)", "unpack it first"},
};

// Kinds of text that begins with '<'.
constexpr Kind kMarkup[] = {
    {0, "<net "sv, "is an OpenVINO model", "give the model that it was made of, as ONNX"},
    {0, "<html"sv, "is a web page, which a download may leave instead of a model"},
    {0, "<HTML"sv, "is a web page, which a download may leave instead of a model"},
    {0, "<!DOCTYPE"sv, "is a web page, which a download may leave instead of a model"},
    {0, "<!doctype"sv, "is a web page, which a download may leave instead of a model"},
    {0, ""sv, "is XML"},
};

[[noreturn]] void refuse(const Kind& kind) { fail(ErrorKind::dataError, "the file {}; {}.", kind.what, kind.advice); }

constexpr std::size_t kLooked = 1 << 16;

const Kind& kindWithin(std::span<const Kind> kinds, string_view content) {
  const string_view first = content.substr(0, kLooked);
  const string_view last = content.substr(content.size() - std::min(kLooked, content.size()));
  return *std::ranges::find_if(
      kinds, [&](const Kind& kind) { return first.find(kind.magic) != first.npos || last.find(kind.magic) != last.npos; });
}

// Returns whether the content begins with the length of a JSON header and the header itself.
bool isSafetensors(string_view content) {
  if (content.size() < 10 || content[8] != '{') return false;
  std::uint64_t length = 0;
  for (std::size_t i = 8; i-- > 0;) length = length << 8 | static_cast<unsigned char>(content[i]);
  return length >= 2 && length < (1u << 30);
}

// Returns whether the content begins like a Python pickle. Old PyTorch files consist of several pickles.
bool isPickle(string_view content) { return content.size() > 2 && content[0] == '\x80' && content[1] >= 2 && content[1] <= 5; }

std::optional<std::uint64_t> readVarint(string_view& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes[0]);
    bytes.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

// Throws DataError if the content looks like a truncated ONNX model: it begins with the IR version, has only fields of a model,
// and ends within a field or without the graph.
// https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
void refuseCutModel(string_view content) {
  constexpr std::uint64_t kVersion = 1, kModelVersion = 5, kGraph = 7;
  constexpr std::array<std::uint64_t, 10> kFields{1, 2, 3, 4, 5, 6, 7, 8, 14, 20};
  if (content.size() < 2 || content[0] != '\x08') return;
  for (string_view rest = content; !rest.empty();) {
    const auto tag = readVarint(rest);
    if (!tag) break;
    const std::uint64_t field = *tag >> 3, wire = *tag & 7;
    if (std::ranges::find(kFields, field) == kFields.end() && field != 25 && field != 26) return;
    if (wire != (field == kVersion || field == kModelVersion ? 0 : 2)) return;
    const auto value = readVarint(rest);
    if (!value) break;
    if (wire == 0) continue;
    if (*value > rest.size()) {
      if (field != kGraph) break;
      fail(ErrorKind::dataError,
           "the file is an ONNX model that is cut off: its graph has {} bytes, and the file has {} of them; copy or download it "
           "again.",
           *value, rest.size());
    }
    rest.remove_prefix(*value);
    if (field == kGraph && rest.empty()) return;  // a complete model, which the ONNX reader handles
  }
  fail(ErrorKind::dataError, "the file is an ONNX model that is cut off after {} bytes; copy or download it again.",
       content.size());
}

}  // namespace

void refuseForeign(string_view content) {
  if (content.empty()) fail(ErrorKind::dataError, "the file is empty; {}.", kExpected);
  if (isSafetensors(content)) refuse({.what = "holds weights (safetensors)", .advice = kWeights});
  for (const Kind& kind : kKinds) {
    if (content.size() > kind.offset && content.substr(kind.offset).starts_with(kind.magic)) refuse(kind);
  }
  if (content.starts_with("PK\x03\x04") || content.starts_with("PK\x05\x06")) refuse(kindWithin(kArchives, content));
  if (content[0] == '<') refuse(kindWithin(kMarkup, content.substr(0, kLooked)));
  if (isPickle(content))
    refuse({.what = "is a Python pickle, perhaps a PyTorch model", .advice = "export it to ONNX first (torch.onnx.export)"});
  refuseCutModel(content);
  if (content[0] == '#') return;  // a .webnn comment may hold anything
  const string_view start = content.substr(0, 4);
  if (std::ranges::any_of(start, [](unsigned char c) { return c < ' ' && c != '\t' && c != '\n' && c != '\r'; }))
    fail(ErrorKind::dataError, "the file is binary, and of no kind that is read here; {}.", kExpected);
}

void refuseForeignJson(const Json& root) {
  const auto is = [&](const char* field) { return root.contains(field); };
  if (is("weight_map")) refuse({.what = "is an index of weights (safetensors)", .advice = kWeights});
  if (is("tensors")) refuse({.what = "is a manifest of weights", .advice = kWeights});
  if (is("modelTopology")) refuse({.what = "is a TensorFlow.js model", .advice = kToOnnx});
  if (is("architectures") || is("model_type"))
    refuse({.what = "is the configuration of a model", .advice = "give the model itself"});
  fail(ErrorKind::dataError, "the JSON object has neither \"format\" (webnn-graph-json) nor \"operands\" (GraphInfo).");
}

}  // namespace webnn::formats
