#include <nlohmann/json.hpp>
#include <string>

#include "formats/document/weights.h"
#include "support/files.h"
#include "support/support.h"

namespace webnn::formats {
namespace WEBNN_TEST_FILE {

using test::bytesOf;
using test::raw;
using test::textOf;

const std::string kHead("WGWT\1\0\0\0", 8);

// Returns a manifest of these tensors. Each is `"key": {...}`.
std::string manifest(const std::string& tensors) {
  return R"({"format":"wg-weights-manifest","version":1,"endianness":"little","tensors":{)" + tensors + "}}";
}

std::string find(const std::string& text, const std::string& blob, const std::string& key, const OperandDescriptor& descriptor) {
  return textOf(readManifest(text, bytesOf(blob))->find(key, descriptor).bytes);
}

TEST(Manifest, FindsTensorsByTheirPlaceInTheBlob) {
  const std::string text =
      manifest(R"("a.b":{"dataType":"uint8","shape":[1,3],"byteOffset":8,"byteLength":3,"layout":"row-major"},)"
               R"("n":{"dataType":"int4","shape":[3],"byteOffset":11,"byteLength":2})");
  EXPECT_EQ(find(text, kHead + "abc\x21\x03", "a.b", {DataType::uint8, {1, 3}}), "abc");
  EXPECT_EQ(find(text, kHead + "abc\x21\x03", "a_b", {DataType::uint8, {1, 3}}), "abc");
  EXPECT_EQ(find(text, kHead + "abc\x21\x03", "n", {DataType::int4, {3}}), "\x21\x03");
}

TEST(Manifest, AcceptsFieldsThatOtherToolsAddOrOmit) {
  const std::string blob = kHead + "abcd";
  const std::string bare = R"("tensors":{"w":{"byteOffset":8,"byteLength":4}}})";
  const OperandDescriptor descriptor{DataType::float32, {1}};
  for (const std::string& text :
       {"{" + bare, R"({"format":"webnn-weights-manifest",)" + bare, R"({"format":"wg-weights-manifest",)" + bare,
        R"({"version":1,"endianness":"little","other":[],)" + bare}) {
    EXPECT_EQ(find(text, blob, "w", descriptor), "abcd") << text;
  }
  test::expectError(ErrorKind::dataError, {"\"w\" has 4 bytes", "float32[2]"}, [&] {
    find("{" + bare, blob, "w", {DataType::float32, {2}});
  });
}

TEST(Manifest, WidensBfloat16ToFloat32) {
  const std::string text = manifest(R"("w":{"dataType":"bfloat16","shape":[2],"byteOffset":8,"byteLength":4})");
  EXPECT_EQ(find(text, kHead + raw<std::uint16_t>({0x3F80, 0xC000}), "w", {DataType::float32, {2}}), raw<float>({1, -2}));
}

TEST(Manifest, ComparesWithTheDescriptor) {
  const std::string text = manifest(R"("w":{"dataType":"float32","shape":[2,1],"byteOffset":8,"byteLength":8},)"
                                    R"("u":{"dataType":"complex","shape":[2],"byteOffset":8,"byteLength":8},)"
                                    R"("s":{"shape":[2],"byteOffset":8,"byteLength":8},)"
                                    R"("t":{"dataType":"int64","byteOffset":8,"byteLength":8})");
  const std::string blob = kHead + "12345678";
  const auto expectMismatch = [&](const std::string& key, const OperandDescriptor& descriptor, const std::string& part) {
    test::expectError(ErrorKind::dataError, {"\"" + key + "\"", part, toString(descriptor)},
                      [&] { find(text, blob, key, descriptor); });
  };
  expectMismatch("w", {DataType::int32, {2, 1}}, "float32[2, 1]");
  expectMismatch("w", {DataType::float32, {2}}, "float32[2, 1]");
  expectMismatch("w", {DataType::float32, {1, 2}}, "float32[2, 1]");
  expectMismatch("u", {DataType::float32, {2}}, "\"complex\"[2]");
  expectMismatch("s", {DataType::float32, {1, 2}}, "an unknown type[2]");
  expectMismatch("t", {DataType::uint64, {}}, "int64 in 8 bytes");
  EXPECT_EQ(find(text, blob, "s", {DataType::float32, {2}}), "12345678");
  EXPECT_EQ(find(text, blob, "t", {DataType::int64, {1, 1}}), "12345678");
  test::expectError(ErrorKind::notFoundError, {"\"v\"", "\"u\""}, [&] { find(text, blob, "v", {DataType::int64, {1}}); });
}

TEST(Manifest, RejectsMalformedManifests) {
  struct Case {
    std::string text;
    std::vector<std::string> message;
  };
  const auto entry = [](const std::string& members) { return manifest(R"("w":{)" + members + "}"); };
  const std::vector<Case> cases{
      {"", {"the weights manifest: line 1, column 1: ", "end of input"}},
      {"{", {"the weights manifest: line 1, column 1: ", "end of input"}},
      {std::string("{}\0{", 4), {"the weights manifest: line 1, column 3: ", "zero byte"}},
      {"[]", {"the weights manifest: [] is not an object"}},
      {std::string(1 << 20, '['), {"the weights manifest: line 1, column 65: ", "nested deeper than 64"}},
      {"{}", {"the weights manifest: ", "\"tensors\" is missing"}},
      {R"({"tensors":[]})", {"the weights manifest.tensors: [] is not an object"}},
      {R"({"tensors":{},"tensors":{}})", {"the weights manifest: line 1, column 23: ", "\"tensors\" is given twice"}},
      {R"({"format":"other","tensors":{}})", {"the weights manifest.format: \"other\" is not \"wg-weights-manifest\""}},
      {R"({"format":1,"tensors":{}})", {"the weights manifest.format: 1 is not a text"}},
      {R"({"version":2,"tensors":{}})", {"the weights manifest.version: 2 is not 1"}},
      {R"({"version":"1","tensors":{}})", {"the weights manifest.version: \"1\" is not an integer"}},
      {R"({"endianness":"big","tensors":{}})", {"the weights manifest.endianness: \"big\" is not \"little\""}},
      {manifest(R"("w":[])"), {"the weights manifest.tensors.w: [] is not an object"}},
      {entry(R"("byteLength":4)"), {"tensors.w: ", "\"byteOffset\" is missing"}},
      {entry(R"("byteOffset":8)"), {"tensors.w: ", "\"byteLength\" is missing"}},
      {entry(R"("byteOffset":8.0,"byteLength":4)"), {"tensors.w.byteOffset: 8.0 is not an integer"}},
      {entry(R"("byteOffset":8,"byteLength":-4)"), {"tensors.w.byteLength: -4 is not an integer"}},
      {entry(R"("byteOffset":7,"byteLength":1)"), {"tensors.w: ", "1 bytes at 7", "8 to 12"}},
      {entry(R"("byteOffset":8,"byteLength":5)"), {"5 bytes at 8", "8 to 12"}},
      {entry(R"("byteOffset":13,"byteLength":0)"), {"0 bytes at 13"}},
      {entry(R"("byteOffset":10,"byteLength":18446744073709551615)"), {"not inside"}},
      {entry(R"("byteOffset":18446744073709551615,"byteLength":2)"), {"not inside"}},
      {entry(R"("byteOffset":8,"byteLength":4,"layout":"column-major")"),
       {"tensors.w.layout: \"column-major\" is not \"row-major\""}},
      {entry(R"("byteOffset":8,"byteLength":4,"dataType":4)"), {"tensors.w.dataType: 4 is not a text"}},
      {entry(R"("byteOffset":8,"byteLength":4,"shape":4)"), {"tensors.w.shape: 4 is not a list"}},
      {entry(R"("byteOffset":8,"byteLength":4,"shape":[-1])"), {"tensors.w.shape[0]: -1 is not an integer"}},
      {entry(R"("byteOffset":8,"byteLength":4,"dataType":"float32","shape":[2])"),
       {"tensors.w: ", "byteLength (4) is not the length"}},
      {entry(R"("byteOffset":8,"byteLength":4,"dataType":"uint8","shape":[4294967296,4294967296])"), {"not the length"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text.substr(0, 200));
    test::expectError(ErrorKind::dataError, c.message, [&] { readManifest(c.text, bytesOf(kHead + "abcd")); });
  }
}

TEST(Manifest, RejectsABlobWithoutMagicOrOfAnotherVersion) {
  for (const std::string& blob : {std::string(), std::string("WGW"), std::string("wgwt\1\0\0\0", 8)}) {
    test::expectError(ErrorKind::dataError, {"do not begin with \"WGWT\""}, [&] { readManifest(manifest(""), bytesOf(blob)); });
  }
  for (const std::string& blob :
       {std::string("WGWT"), std::string("WGWT\1\0\0", 7), std::string("WGWT\2\0\0\0", 8), std::string("WGWT\0\0\0\1", 8)}) {
    test::expectError(ErrorKind::dataError, {"version", "is not 1"}, [&] { readManifest(manifest(""), bytesOf(blob)); });
  }
}

TEST(WriteManifest, SortsAndPacksTheTensors) {
  const test::TemporaryFolder folder;
  const ExternalBytes bytes = bytesOf("abc"), nibbles = bytesOf("\x21\x03"), floats = bytesOf("wxyz1234");
  const std::vector<NamedWeights> tensors{{"z", {DataType::int8, {3}}, bytes.bytes},
                                          {"a \"q\"", {DataType::uint4, {3}}, nibbles.bytes},
                                          {"m", {DataType::float32, {2, 1}}, floats.bytes}};
  Replacement files;
  writeManifest(files, folder / "m.json", folder / "m.weights", tensors);
  files.commit();
  const std::string text = test::readText(folder / "m.json"), blob = test::readText(folder / "m.weights");
  EXPECT_EQ(blob, kHead + "\x21\x03" + "wxyz1234" + "abc");
  const auto document = nlohmann::ordered_json::parse(text);
  EXPECT_EQ(document.dump(), R"({"format":"wg-weights-manifest","version":1,"endianness":"little","tensors":{)"
                             R"("a \"q\"":{"dataType":"uint4","shape":[3],"byteOffset":8,"byteLength":2,"layout":"row-major"},)"
                             R"("m":{"dataType":"float32","shape":[2,1],"byteOffset":10,"byteLength":8,"layout":"row-major"},)"
                             R"("z":{"dataType":"int8","shape":[3],"byteOffset":18,"byteLength":3,"layout":"row-major"}}})");
  for (const NamedWeights& tensor : tensors) EXPECT_EQ(find(text, blob, tensor.key, tensor.descriptor), textOf(tensor.bytes));
}

TEST(WriteManifest, RejectsWrongLengthsAndRepeatedKeysBeforeItWrites) {
  const test::TemporaryFolder folder;
  const ExternalBytes bytes = bytesOf("abc");
  const OperandDescriptor three{DataType::uint8, {3}};
  const auto write = [&](const std::vector<NamedWeights>& tensors) {
    Replacement files;
    writeManifest(files, folder / "m.json", folder / "m.weights", tensors);
  };
  test::expectTypeError({"\"w\"", "3 bytes", "uint8[2]"}, [&] { write({{"w", {DataType::uint8, {2}}, bytes.bytes}}); });
  test::expectTypeError({"\"w\" is there twice"}, [&] { write({{"w", three, bytes.bytes}, {"w", three, bytes.bytes}}); });
  test::expectTypeError({"not UTF-8"}, [&] { write({{"\x80", three, bytes.bytes}}); });
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::formats
