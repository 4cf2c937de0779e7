#include "formats/npy/npy.h"

#include <sstream>
#include <string>

#include "support/files.h"
#include "support/support.h"

namespace webnn::formats {
namespace WEBNN_TEST_FILE {

using test::bytesOf;
using test::raw;
using test::textOf;

// Returns a file of version 1.0 with this header.
std::string file(const std::string& header, const std::string& data) {
  return "\x93NUMPY" + std::string("\1\0", 2) + raw<std::uint16_t>({static_cast<std::uint16_t>(header.size())}) + header + data;
}

std::string header(const std::string& descr, const std::string& shape, const std::string& fortran = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n";
}

Array read(const std::string& content) { return readNpy(bytesOf(content).bytes); }

TEST(Npy, ReadsEachType) {
  struct Case {
    const char* descr;
    DataType type;
    std::size_t size;
  };
  for (const Case& c : std::vector<Case>{{"<f4", DataType::float32, 4},
                                         {"<f2", DataType::float16, 2},
                                         {"<i4", DataType::int32, 4},
                                         {"<u4", DataType::uint32, 4},
                                         {"<i8", DataType::int64, 8},
                                         {"<u8", DataType::uint64, 8},
                                         {"|i1", DataType::int8, 1},
                                         {"|u1", DataType::uint8, 1},
                                         {"|b1", DataType::uint8, 1}}) {
    std::string data(6 * c.size, '\0');
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<char>(i);
    const Array array = read(file(header(c.descr, "(2, 3)"), data));
    EXPECT_EQ(array.descriptor, (OperandDescriptor{c.type, {2, 3}})) << c.descr;
    EXPECT_EQ(textOf(array.bytes), data) << c.descr;
  }
}

TEST(Npy, ReadsAllFormatVersionsOfNumpy) {
  // numpy.save(numpy.array([1, 2], dtype=numpy.int8)) writes this header, padded to 128 bytes.
  const std::string written = "{'descr': '|i1', 'fortran_order': False, 'shape': (2,), }" + std::string(60, ' ') + "\n";
  ASSERT_EQ(written.size(), 118u);
  EXPECT_EQ(textOf(read(file(written, "\1\2")).bytes), "\1\2");
  for (const char version : {'\2', '\3'}) {
    const std::string content = "\x93NUMPY" + std::string{version, '\0'} + raw<std::uint32_t>({118}) + written + "\1\2";
    EXPECT_EQ(read(content).descriptor, (OperandDescriptor{DataType::int8, {2}}));
  }
}

TEST(Npy, ReadsScalarsAndOtherSpellings) {
  EXPECT_EQ(read(file(header("<i1", "()"), "x")).descriptor, (OperandDescriptor{DataType::int8, {}}));
  EXPECT_EQ(read(file("{\"shape\":(1L,2L),\"fortran_order\":False,\"descr\":\"|u1\"}", "xy")).descriptor,
            (OperandDescriptor{DataType::uint8, {1, 2}}));
  EXPECT_EQ(read(file(header("|u1", "( 1 , 2 , )"), "xy")).descriptor.shape, (Shape{1, 2}));
}

TEST(Npy, TurnsColumnMajorIntoRowMajor) {
  // Element (i, j, k) of [2, 3, 2] is 100 i + 10 j + k. In the file, the first index varies fastest.
  std::vector<std::int32_t> columnMajor, rowMajor;
  for (int k = 0; k < 2; ++k) {
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 2; ++i) columnMajor.push_back(100 * i + 10 * j + k);
    }
  }
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 2; ++k) rowMajor.push_back(100 * i + 10 * j + k);
    }
  }
  EXPECT_EQ(textOf(read(file(header("<i4", "(2, 3, 2)", "True"), raw(columnMajor))).bytes), raw(rowMajor));
  EXPECT_EQ(textOf(read(file(header("<i4", "()", "True"), "abcd")).bytes), "abcd");
}

TEST(Npy, RefusesOtherTypes) {
  test::expectError(ErrorKind::notSupportedError, {"\"<f8\"", "float64", "float32"},
                    [] { read(file(header("<f8", "(1,)"), "12345678")); });
  test::expectError(ErrorKind::notSupportedError, {"\">f4\"", "big-endian"}, [] { read(file(header(">f4", "(1,)"), "1234")); });
  for (const char* descr : {"<i2", "<c8", "|O", "<U3", "|S3", "<M8[ns]", "f4", ""}) {
    test::expectError(ErrorKind::notSupportedError, {"none of WebNN's"}, [&] { read(file(header(descr, "(1,)"), "12345678")); });
  }
  test::expectError(ErrorKind::notSupportedError, {"records"},
                    [] { read(file("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "1234")); });
}

TEST(Npy, RejectsMalformedFiles) {
  struct Case {
    std::string content;
    std::vector<std::string> message;
  };
  const auto bytes = [](const std::string& text) { return file(text, "1234"); };
  const auto shape = [](const std::string& text) { return file(header("|u1", text), "1234"); };
  const std::string u1 = "'descr': '|u1', 'fortran_order': False";
  const std::vector<Case> cases{
      {"", {"no npy file"}},
      {"\x93NUMPX", {"no npy file"}},
      {"\x93NUMPY\1", {"has only 7 bytes"}},
      {std::string("\x93NUMPY\2\0\1\0\0", 11), {"has only 11 bytes"}},
      {std::string("\x93NUMPY\4\0\1\0\0\0", 12), {"version (4.0)"}},
      {std::string("\x93NUMPY\0\0\1\0\0\0", 12), {"version (0.0)"}},
      {std::string("\x93NUMPY\1\1\1\0\0\0", 12), {"version (1.1)"}},
      {std::string("\x93NUMPY\1\0\5\0{}", 12), {"header of 5 bytes", "file of 12 bytes"}},
      {std::string("\x93NUMPY\2\0\xFF\xFF\xFF\xFF{}", 14), {"header of 4294967295 bytes"}},
      {bytes(""), {"at 0", "'{'"}},
      {bytes("{}"), {"lacks \"descr\""}},
      {bytes("{" + u1 + "}"), {"lacks"}},
      {bytes("{" + u1 + ", 'shape': (4,)"), {"'}'"}},
      {bytes("{" + u1 + ", 'shape': (4,)} x"), {"the end"}},
      {bytes("{" + u1 + ", 'shape': (4,)}" + '\0'), {"the end"}},
      {bytes("{" + u1 + " 'shape': (4,)}"), {"'}'"}},
      {bytes("{" + u1 + ", 'shape': (4,), 'shape': (4,)}"), {"\"shape\" twice"}},
      {bytes("{" + u1 + ", 'order': (4,)}"), {"unknown key \"order\""}},
      {bytes("{'descr'"), {"':'"}},
      {bytes("{'descr"), {"a string that ends"}},
      {bytes("{'descr\": "), {"a string that ends"}},
      {bytes("{'de\\x73cr': '|u1'}"), {"without escapes"}},
      {bytes("{'descr': 1}"), {"a string"}},
      {bytes("{'fortran_order': true}"), {"True or False"}},
      {bytes("{'fortran_order': 0}"), {"True or False"}},
      {shape("4"), {"'('"}},
      {shape("[4]"), {"'('"}},
      {shape("(4)"), {"a tuple"}},
      {shape("(,)"), {"a number"}},
      {shape("(4,,)"), {"a number"}},
      {shape("(2 2)"), {"',' or ')'"}},
      {shape("(-4,)"), {"a number"}},
      {shape("(4.0,)"), {"',' or ')'"}},
      {shape("(None,)"), {"a number"}},
      {shape("(2147483648,)"), {"a dimension", "2147483647"}},
      {shape("(99999999999999999999999999,)"), {"a dimension"}},
      {shape("(0,)"), {"dimension 0", "is 0"}},
      {shape("(1, 1, 1, 1, 1, 1, 1, 1, 4)"), {"rank", "above 8"}},
      {shape("(2147483647, 2147483647, 2147483647)"), {"the number of elements"}},
      {shape("(3,)"), {"4 bytes of data", "uint8[3] needs 3"}},
      {shape("(5,)"), {"4 bytes of data", "uint8[5] needs 5"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.content);
    test::expectError(ErrorKind::dataError, c.message, [&] { read(c.content); });
  }
}

TEST(Npy, RejectsEveryPrefixOfAFile) {
  const std::string content = file(header("<f4", "(1, 2)"), "12345678");
  for (std::size_t length = 0; length < content.size(); ++length) {
    test::expectError(ErrorKind::dataError, {}, [&] { read(content.substr(0, length)); });
  }
}

std::string write(const OperandDescriptor& descriptor, const std::string& bytes) {
  std::ostringstream out;
  writeNpy(out, descriptor, bytesOf(bytes).bytes);
  return out.str();
}

TEST(WriteNpy, WritesTheSameBytesAsNumpy) {
  const std::string padded = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }" + std::string(58, ' ') + "\n";
  EXPECT_EQ(write({DataType::float32, {1, 2}}, "12345678"), file(padded, "12345678"));
  EXPECT_NE(write({DataType::int8, {3}}, "abc").find("'|i1', 'fortran_order': False, 'shape': (3,"), std::string::npos);
  EXPECT_NE(write({DataType::int8, {}}, "a").find("'shape': (),"), std::string::npos);
}

TEST(WriteNpy, ReadsBackEveryTypeAndRank) {
  for (std::size_t i = 0; i < kDataTypeCount; ++i) {
    for (std::size_t rank = 0; rank <= kMaxRank; ++rank) {
      const OperandDescriptor descriptor{static_cast<DataType>(i), Shape(rank, 2)};
      if (bitsPerElement(descriptor.dataType) == 4) continue;
      std::string data(byteLength(descriptor), '\0');
      for (std::size_t b = 0; b < data.size(); ++b) data[b] = static_cast<char>(b * 7);
      const std::string content = write(descriptor, data);
      const Array array = read(content);
      EXPECT_EQ(array.descriptor, descriptor);
      EXPECT_EQ(textOf(array.bytes), data);
      EXPECT_EQ((content.size() - data.size()) % 64, 0u);
    }
  }
}

TEST(WriteNpy, Widens4BitTypes) {
  const Array ints = read(write({DataType::int4, {3}}, "\xF7\x08"));
  EXPECT_EQ(ints.descriptor, (OperandDescriptor{DataType::int8, {3}}));
  EXPECT_EQ(textOf(ints.bytes), "\x07\xFF\xF8");  // 7, -1, -8
  const Array unsigneds = read(write({DataType::uint4, {3}}, "\xF7\x08"));
  EXPECT_EQ(unsigneds.descriptor, (OperandDescriptor{DataType::uint8, {3}}));
  EXPECT_EQ(textOf(unsigneds.bytes), "\x07\x0F\x08");
}

TEST(WriteNpy, RejectsAnotherLength) {
  test::expectTypeError({"(3)", "int8[4]", "(4)"}, [] { write({DataType::int8, {4}}, "abc"); });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::formats
