#include <cmath>
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

std::string file(const std::string& header, const std::string& data = "") {
  return raw<std::uint64_t>({header.size()}) + header + data;
}

// Returns a file with one tensor "w".
std::string fileOf(const std::string& dtype, const std::string& shape, const std::string& data) {
  return file(
      R"({"w":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":[0,)" + std::to_string(data.size()) + "]}}",
      data);
}

std::string find(const std::string& content, const std::string& key, const OperandDescriptor& descriptor) {
  return textOf(readSafetensors(bytesOf(content))->find(key, descriptor).bytes);
}

TEST(Safetensors, FindsEachTypeAndShape) {
  struct Case {
    const char* dtype;
    DataType type;
    std::size_t size;
  };
  for (const Case& c : std::vector<Case>{{"F32", DataType::float32, 4},
                                         {"F16", DataType::float16, 2},
                                         {"I32", DataType::int32, 4},
                                         {"U32", DataType::uint32, 4},
                                         {"I64", DataType::int64, 8},
                                         {"U64", DataType::uint64, 8},
                                         {"I8", DataType::int8, 1},
                                         {"U8", DataType::uint8, 1}}) {
    std::string data(6 * c.size, '\0');
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<char>(i + 100);
    EXPECT_EQ(find(fileOf(c.dtype, "[2,3]", data), "w", {c.type, {2, 3}}), data) << c.dtype;
  }
  EXPECT_EQ(find(fileOf("U8", "[]", "x"), "w", {DataType::uint8, {}}), "x");
}

TEST(Safetensors, WidensBfloat16ToFloat32) {
  // 1, -2 and infinity, as the upper halves of their float32 bits.
  const std::string content = fileOf("BF16", "[3]", raw<std::uint16_t>({0x3F80, 0xC000, 0x7F80}));
  EXPECT_EQ(find(content, "w", {DataType::float32, {3}}), raw<float>({1.0f, -2.0f, HUGE_VALF}));
  test::expectError(ErrorKind::dataError, {"\"w\"", "bfloat16[3]", "float16[3]"}, [&] {
    find(content, "w", {DataType::float16, {3}});
  });
  test::expectError(ErrorKind::dataError, {"bfloat16[3]", "float32[1, 3]"}, [&] {
    find(content, "w", {DataType::float32, {1, 3}});
  });
}

TEST(Safetensors, TakesPackedUint8For4BitTypes) {
  const std::string content = fileOf("U8", "[2]", "\x21\x03");
  EXPECT_EQ(find(content, "w", {DataType::int4, {3, 1}}), "\x21\x03");
  EXPECT_EQ(find(content, "w", {DataType::uint4, {4}}), "\x21\x03");
  test::expectError(ErrorKind::dataError, {"2 bytes", "uint4[5]"}, [&] { find(content, "w", {DataType::uint4, {5}}); });
}

TEST(Safetensors, TheBytesOutliveTheReader) {
  ExternalBytes found;
  {
    ExternalBytes content = bytesOf(fileOf("U8", "[3]", "abc"));
    found = readSafetensors(std::move(content))->find("w", {DataType::uint8, {3}});
  }
  EXPECT_EQ(textOf(found.bytes), "abc");
}

TEST(Safetensors, IgnoresMetadataAndUnknownMembersAndPadding) {
  const std::string content =
      file(R"({"__metadata__":{"a":"b"},"w":{"new":null,"dtype":"U8","shape":[1],"data_offsets":[0,1]}}   )", "x");
  EXPECT_EQ(find(content, "w", {DataType::uint8, {1}}), "x");
  test::expectError(ErrorKind::notFoundError, {"__metadata__"}, [&] { find(content, "__metadata__", {DataType::uint8, {1}}); });
}

TEST(Safetensors, MindsForeignTypesAndEmptyTensorsOnlyWhenAsked) {
  const std::string content = file(
      R"({"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]},"b":{"dtype":"BOOL","shape":[2],"data_offsets":[8,10]},)"
      R"("c":{"dtype":"F6_NEW","shape":[2],"data_offsets":[10,12]},"d":{"dtype":"F32","shape":[0,7],"data_offsets":[12,12]},)"
      R"("float32":{"dtype":"float32","shape":[1],"data_offsets":[12,16]}})",
      std::string(16, '\0'));
  test::expectError(ErrorKind::dataError, {"\"a\"", "\"F64\"[1]", "float32[1]"}, [&] {
    find(content, "a", {DataType::float32, {1}});
  });
  test::expectError(ErrorKind::dataError, {"\"b\"", "\"BOOL\"[2]", "uint8[2]"}, [&] {
    find(content, "b", {DataType::uint8, {2}});
  });
  test::expectError(ErrorKind::dataError, {"\"c\"", "\"F6_NEW\"[2]"}, [&] { find(content, "c", {DataType::uint8, {2}}); });
  test::expectError(ErrorKind::dataError, {"\"d\"", "float32[0, 7]"}, [&] { find(content, "d", {DataType::float32, {7}}); });
  test::expectError(ErrorKind::dataError, {"\"float32\""}, [&] { find(content, "float32", {DataType::float32, {1}}); });
}

TEST(Safetensors, FindsSanitisedKeysUnlessAmbiguous) {
  const std::string tensor = R"({"dtype":"U8","shape":[1],"data_offsets":[)";
  const std::string content =
      file(R"({"a::b.c":)" + tensor + R"(0,1]},"d.e":)" + tensor + R"(1,2]},"d_e":)" + tensor + "2,3]}}", "xyz");
  const OperandDescriptor byte{DataType::uint8, {1}};
  EXPECT_EQ(find(content, "a::b.c", byte), "x");
  EXPECT_EQ(find(content, "a__b_c", byte), "x");
  EXPECT_EQ(find(content, "a__b.c", byte), "x");
  EXPECT_EQ(find(content, "d.e", byte), "y");
  EXPECT_EQ(find(content, "d_e", byte), "z");
  test::expectError(ErrorKind::notFoundError, {"\"a:_b_c\""}, [&] { find(content, "a:_b_c", byte); });
  const std::string ambiguous = file(R"({"d.e.f":)" + tensor + R"(0,1]},"d_e.f":)" + tensor + "1,2]}}", "xy");
  test::expectError(ErrorKind::notFoundError, {"\"d_e_f\"", "\"d.e.f\", \"d_e.f\""}, [&] { find(ambiguous, "d_e_f", byte); });
}

TEST(Safetensors, NamesKeysNearAMissingOne) {
  const std::string tensor = R"({"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
  std::string header = "{";
  for (const char* key : {"conv.bias", "conv.weight", "a", "b", "x", "y", "z"})
    header += "\"" + std::string(key) + "\":" + tensor + ",";
  header.back() = '}';
  const OperandDescriptor byte{DataType::uint8, {1}};
  test::expectError(ErrorKind::notFoundError, {"\"conv.weights\"", "7", "\"conv.bias\", \"conv.weight\", \"x\""},
                    [&] { find(file(header), "conv.weights", byte); });
  test::expectError(ErrorKind::notFoundError, {"\"w\"", "empty"}, [&] { find(file("{}"), "w", byte); });
}

TEST(Safetensors, RejectsMalformedFiles) {
  struct Case {
    std::string content;
    std::vector<std::string> message;
  };
  const auto entry = [](const std::string& members) { return file(R"({"w":{)" + members + "}}", "12345678"); };
  const auto offsets = [](const std::string& text) {
    return file(R"({"w":{"dtype":"U8","shape":[4],"data_offsets":)" + text + "}}", "1234");
  };
  const auto two = [](const std::string& a, const std::string& b, const std::string& data) {
    return file(
        R"({"a":{"dtype":"U8","shape":[2],"data_offsets":)" + a + R"(},"b":{"dtype":"U8","shape":[2],"data_offsets":)" + b + "}}",
        data);
  };
  const std::string ok = R"("dtype":"F32","shape":[2],"data_offsets":[0,8])";
  const std::vector<Case> cases{
      {"", {"has only 0 bytes"}},
      {"1234567", {"has only 7 bytes"}},
      {raw<std::uint64_t>({3}) + "{}", {"header of 3 bytes", "file of 10 bytes"}},
      {raw<std::uint64_t>({100'000'001}) + "{}", {"100000001", "above 100000000"}},
      {raw<std::uint64_t>({~std::uint64_t{0}}) + "{}", {"18446744073709551615"}},
      {file(""), {"opening brace"}},
      {file(" {}"), {"opening brace"}},
      {file("[]"), {"opening brace"}},
      {file("{"), {"the safetensors header: line 1, column 1: ", "end of input"}},
      {file("{}x"), {"the safetensors header: line 1, column 3: ", "invalid literal"}},
      {file(std::string("{}\0", 3)), {"the safetensors header: line 1, column 3: there is a zero byte"}},
      {file("{\"\xFF\":1}"), {"the safetensors header: line 1, column 3: ", "UTF-8"}},
      {file(R"({"a":1e999})"), {"the safetensors header: line 1, column 10: ", "overflow"}},
      {file(R"({"a":)" + std::string(1 << 20, '[')), {"the safetensors header: line 1, column 69: ", "nested deeper than 64"}},
      {file(R"({"w":{)" + ok + R"(},"w":{)" + ok + "}}", "12345678"),
       {"the safetensors header: line 1, column 57: ", "\"w\" is given twice"}},
      {entry(ok + R"(,"dtype":"F32")"), {"line 1, column 60: ", "\"dtype\" is given twice"}},
      {file(R"({"w":3})"), {"the safetensors header.w: 3 is not an object"}},
      {entry(R"("shape":[2],"data_offsets":[0,8])"), {"the safetensors header.w: ", "\"dtype\" is missing"}},
      {entry(R"("dtype":"F32","data_offsets":[0,8])"), {"the safetensors header.w: ", "\"shape\" is missing"}},
      {entry(R"("dtype":"F32","shape":[2])"), {"the safetensors header.w: ", "\"data_offsets\" is missing"}},
      {entry(R"("dtype":5,"shape":[2],"data_offsets":[0,8])"), {"the safetensors header.w.dtype: 5 is not a text"}},
      {entry(R"("dtype":"F32","shape":2,"data_offsets":[0,8])"), {"the safetensors header.w.shape: 2 is not a list"}},
      {entry(R"("dtype":"F32","shape":["2"],"data_offsets":[0,8])"),
       {"the safetensors header.w.shape[0]: \"2\" is not an integer"}},
      {entry(R"("dtype":"F32","shape":[-2],"data_offsets":[0,8])"), {"header.w.shape[0]: -2 is not an integer"}},
      {entry(R"("dtype":"F32","shape":[2.0],"data_offsets":[0,8])"), {"header.w.shape[0]: 2.0 is not an integer"}},
      {entry(R"("dtype":"F32","shape":[18446744073709551616],"data_offsets":[0,8])"),
       {"header.w.shape[0]: ", "is not an integer between 0 and 18446744073709551615"}},
      {entry(R"("dtype":"F32","shape":[3],"data_offsets":[0,8])"), {"the safetensors header.w: ", "8 bytes", "not the length"}},
      {entry(R"("dtype":"F32","shape":[4294967296,4294967296,2],"data_offsets":[0,8])"), {"not the length"}},
      {entry(R"("dtype":"U8","shape":[9223372036854775808,2,8],"data_offsets":[0,8])"), {"not the length"}},
      {offsets("[0]"), {"header.w.data_offsets: ", "1 data offsets, not 2"}},
      {offsets("[0,4,4]"), {"3 data offsets, not 2"}},
      {offsets("{}"), {"header.w.data_offsets: an object is not a list"}},
      {offsets("[0,-4]"), {"header.w.data_offsets[1]: -4 is not an integer"}},
      {offsets("[4,0]"), {"header.w.data_offsets: ", "(4 to 0)", "4 bytes of data"}},
      {offsets("[0,5]"), {"(0 to 5)", "4 bytes of data"}},
      {offsets("[18446744073709551612,18446744073709551615]"), {"not inside"}},
      {two("[0,2]", "[1,3]", "123"), {"\"b\" begins at 1", "ends at 2"}},
      {two("[0,2]", "[0,2]", "12"), {"begins at 0", "ends at 2"}},
      {two("[0,2]", "[3,5]", "12345"), {"\"b\" begins at 3", "ends at 2"}},
      {two("[3,5]", "[1,3]", "12345"), {"\"b\" begins at 1", "ends at 0"}},
      {two("[0,2]", "[2,4]", "12345"), {"end at 4", "5 bytes"}},
      {file("{}", "x"), {"end at 0", "1 bytes"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.content.substr(0, 120));
    test::expectError(ErrorKind::dataError, c.message, [&] { readSafetensors(bytesOf(c.content)); });
  }
}

TEST(Safetensors, RejectsEveryPrefixOfAFile) {
  const std::string content = fileOf("F32", "[2]", "12345678");
  for (std::size_t length = 0; length < content.size(); ++length) {
    test::expectError(ErrorKind::dataError, {}, [&] { readSafetensors(bytesOf(content.substr(0, length))); });
  }
}

TEST(Safetensors, CountsManyTensors) {
  std::string header = "{";
  for (int i = 0; i < 20000; ++i) header += "\"k" + std::to_string(i) + R"(":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},)";
  header.back() = '}';
  test::expectError(ErrorKind::notFoundError, {"20000"}, [&] { find(file(header), "k", {DataType::uint8, {1}}); });
}

std::string write(const std::vector<NamedWeights>& tensors) {
  const test::TemporaryFolder folder;
  Replacement files;
  writeSafetensors(files, folder / "w.safetensors", tensors);
  files.commit();
  return test::readText(folder / "w.safetensors");
}

TEST(WriteSafetensors, AlignsTheDataAndKeepsTheOrderOfKeys) {
  const ExternalBytes bytes = bytesOf("abc"), nibbles = bytesOf("\x21\x03"), longs = bytesOf("0123456789ABCDEF"),
                      floats = bytesOf("wxyz");
  const std::vector<NamedWeights> tensors{{"z.b", {DataType::int8, {3}}, bytes.bytes},
                                          {"four \"bits\"", {DataType::int4, {3}}, nibbles.bytes},
                                          {"a::l", {DataType::int64, {1, 2}}, longs.bytes},
                                          {"f", {DataType::float32, {}}, floats.bytes}};
  const std::string content = write(tensors);
  const auto length = static_cast<std::uint8_t>(content[0]) + 256 * static_cast<std::uint8_t>(content[1]);
  EXPECT_EQ((8 + length) % 8, 0);
  const auto header = nlohmann::ordered_json::parse(content.substr(8, static_cast<std::size_t>(length)));
  EXPECT_EQ(header.dump(), R"({"z.b":{"dtype":"I8","shape":[3],"data_offsets":[20,23]},)"
                           R"("four \"bits\"":{"dtype":"U8","shape":[2],"data_offsets":[23,25]},)"
                           R"("a::l":{"dtype":"I64","shape":[1,2],"data_offsets":[0,16]},)"
                           R"("f":{"dtype":"F32","shape":[],"data_offsets":[16,20]}})");
  EXPECT_EQ(content.substr(8 + static_cast<std::size_t>(length)), "0123456789ABCDEFwxyzabc\x21\x03");
  for (const NamedWeights& tensor : tensors)
    EXPECT_EQ(find(content, tensor.key, tensor.descriptor), textOf(tensor.bytes)) << tensor.key;
}

TEST(WriteSafetensors, WritesEveryTypeAndNone) {
  for (std::size_t i = 0; i < kDataTypeCount; ++i) {
    const OperandDescriptor descriptor{static_cast<DataType>(i), {3, 1}};
    const ExternalBytes bytes = bytesOf(std::string(byteLength(descriptor), '\x05'));
    EXPECT_EQ(find(write({{"w", descriptor, bytes.bytes}}), "w", descriptor), textOf(bytes.bytes)) << name(descriptor.dataType);
  }
  EXPECT_EQ(write({}), file("{}      "));
}

TEST(WriteSafetensors, RejectsInvalidTensorsAndNames) {
  const ExternalBytes bytes = bytesOf("abc");
  const OperandDescriptor three{DataType::uint8, {3}};
  test::expectTypeError({"\"w\"", "3 bytes", "uint8[4]"}, [&] { write({{"w", {DataType::uint8, {4}}, bytes.bytes}}); });
  test::expectTypeError({"\"w\" is there twice"}, [&] { write({{"w", three, bytes.bytes}, {"w", three, bytes.bytes}}); });
  test::expectTypeError({"reserves", "__metadata__"}, [&] { write({{"__metadata__", three, bytes.bytes}}); });
  test::expectTypeError({"not UTF-8"}, [&] { write({{"\xFF", three, bytes.bytes}}); });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::formats
