#include "cli/image.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>

#include "support/files.h"
#include "support/support.h"

namespace webnn::cli {
namespace WEBNN_TEST_FILE {

using Pixel = std::array<std::uint8_t, 3>;  // red, green, blue
using Painter = std::function<Pixel(int x, int y)>;

std::string littleEndian(std::uint32_t value, int bytes = 4) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}

std::string bigEndian(std::uint32_t value) {
  const std::string text = littleEndian(value);
  return {text.rbegin(), text.rend()};
}

// Returns a BMP file with 24 bits per pixel: blue first, the last row first, and rows padded to 4 bytes.
std::string bmp(int width, int height, const Painter& paint) {
  std::string data;
  for (int y = height; y-- > 0;) {
    for (int x = 0; x < width; ++x) {
      const Pixel pixel = paint(x, y);
      data += {static_cast<char>(pixel[2]), static_cast<char>(pixel[1]), static_cast<char>(pixel[0])};
    }
    data.append(static_cast<std::size_t>(width % 4), '\0');
  }
  const auto size = static_cast<std::uint32_t>(data.size());
  return "BM" + littleEndian(54 + size) + littleEndian(0) + littleEndian(54) + littleEndian(40) +
         littleEndian(static_cast<std::uint32_t>(width)) + littleEndian(static_cast<std::uint32_t>(height)) + littleEndian(1, 2) +
         littleEndian(24, 2) + littleEndian(0) + littleEndian(size) + std::string(16, '\0') + data;
}

std::string chunk(const std::string& type, const std::string& data) {
  std::uint32_t crc = ~0u;
  for (const char c : type + data) {
    crc ^= static_cast<std::uint8_t>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
  }
  return bigEndian(static_cast<std::uint32_t>(data.size())) + type + data + bigEndian(~crc);
}

// Returns a PNG file with 8-bit samples. Color type 0 is gray, 2 is RGB, 6 is RGBA. `samples` are the rows without filter bytes.
std::string png(std::uint32_t width, std::uint32_t height, char colourType, const std::string& samples) {
  std::string rows;
  const std::size_t stride = height ? samples.size() / height : 0;
  for (std::size_t y = 0; y < height; ++y) rows += '\0' + samples.substr(y * stride, stride);
  std::uint32_t a = 1, b = 0;
  for (const char c : rows) {
    a = (a + static_cast<std::uint8_t>(c)) % 65521;
    b = (b + a) % 65521;
  }
  const auto length = static_cast<std::uint32_t>(rows.size());  // a single stored block, which must be below 65536 bytes
  const std::string zlib = "\x78\x01\x01" + littleEndian(length, 2) + littleEndian(~length, 2) + rows + bigEndian(b << 16 | a);
  const std::string header = bigEndian(width) + bigEndian(height) + '\x08' + colourType + std::string(3, '\0');
  return "\x89PNG\r\n\x1A\n" + chunk("IHDR", header) + chunk("IDAT", zlib) + chunk("IEND", "");
}

std::vector<double> tensorOf(const std::string& file, const OperandDescriptor& descriptor, const ImageOptions& options = {}) {
  std::vector<double> values;
  for (const Number& value : test::unpack(descriptor, imageToTensor(test::bytesOf(file).bytes, descriptor, options))) {
    values.push_back(value.toDouble());
  }
  return values;
}

OperandDescriptor floats(Shape shape) { return {DataType::float32, std::move(shape)}; }

const Painter kPainter = [](int x, int y) {
  return Pixel{static_cast<std::uint8_t>(10 * x + y), static_cast<std::uint8_t>(100 + 10 * x + y),
               static_cast<std::uint8_t>(200 + x)};
};
const ImageOptions kPlain{.range = ValueRange::zeroTo255};

TEST(Image, PutsChannelsWhereTheLayoutSays) {
  const std::string file = bmp(3, 2, kPainter);
  const std::vector<double> planes{0, 10, 20, 1, 11, 21, 100, 110, 120, 101, 111, 121, 200, 201, 202, 200, 201, 202};
  test::expectNear(tensorOf(file, floats({1, 3, 2, 3}), kPlain), planes);
  const std::vector<double> pixels{0, 100, 200, 10, 110, 201, 20, 120, 202, 1, 101, 200, 11, 111, 201, 21, 121, 202};
  test::expectNear(tensorOf(file, floats({1, 2, 3, 3}), kPlain), pixels);
}

TEST(Image, PrefersNchwUnlessTold) {
  const std::string file = bmp(3, 3, kPainter);
  const std::vector<double> nchw = tensorOf(file, floats({1, 3, 3, 3}), kPlain);
  const std::vector<double> nhwc =
      tensorOf(file, floats({1, 3, 3, 3}), {.layout = ImageLayout::nhwc, .range = ValueRange::zeroTo255});
  test::expectNear({nchw[1], nchw[3], nchw[9]}, {10, 1, 100});  // the next column, row and channel
  test::expectNear({nhwc[3], nhwc[9], nhwc[1]}, {10, 1, 100});
}

TEST(Image, SwapsRedAndBlue) {
  const std::vector<double> values = tensorOf(
      bmp(1, 1,
          [](int, int) {
            return Pixel{10, 20, 30};
          }),
      floats({1, 3, 1, 1}), {.mean = {1, 2, 3}, .std = {1, 2, 3}, .order = ChannelOrder::bgr, .range = ValueRange::zeroTo255});
  // mean and std belong to the colors, independently of the order
  test::expectNear(values, {(30 - 3) / 3.0, (20 - 2) / 2.0, (10 - 1) / 1.0});
}

TEST(Image, ReadsPng) {
  test::expectNear(tensorOf(png(2, 1, 2, "\x01\x02\x03\x04\x05\x06"), floats({1, 1, 2, 3}),
                            {.layout = ImageLayout::nhwc, .range = ValueRange::zeroTo255}),
                   {1, 2, 3, 4, 5, 6});
  test::expectNear(tensorOf(png(2, 1, 0, "\x07\xF0"), floats({1, 3, 1, 2}), kPlain), {7, 240, 7, 240, 7, 240});
  test::expectNear(tensorOf(png(1, 1, 6, "\x0A\x14\x1E\x01"), floats({1, 3, 1, 1}), kPlain),
                   {10, 20, 30});  // the alpha channel is ignored
}

TEST(Image, BecomesGreyForOneChannel) {
  const std::string file = bmp(1, 1, [](int, int) { return Pixel{200, 100, 50}; });
  test::expectNear(tensorOf(file, floats({1, 1, 1, 1}), kPlain), {0.299 * 200 + 0.587 * 100 + 0.114 * 50});
  test::expectNear(tensorOf(png(2, 1, 0, "\x07\xF0"), floats({1, 1, 1, 2}), kPlain), {7, 240});
}

TEST(Image, ScalesToTheRangeAndType) {
  const std::string file = bmp(1, 1, [](int, int) { return Pixel{255, 51, 0}; });
  test::expectNear(tensorOf(file, floats({1, 3, 1, 1})), {1, 0.2, 0});
  test::expectNear(tensorOf(file, {DataType::float16, {1, 3, 1, 1}}), {1, 0.199951171875, 0});
  test::expectNear(tensorOf(file, {DataType::uint8, {1, 3, 1, 1}}), {255, 51, 0});
  test::expectNear(tensorOf(file, {DataType::int8, {1, 3, 1, 1}}), {127, 51, 0});  // saturates
  test::expectNear(tensorOf(file, {DataType::int8, {1, 3, 1, 1}}, {.mean = {128, 128, 128}}), {127, -77, -128});
  test::expectNear(tensorOf(file, {DataType::uint8, {1, 3, 1, 1}}, {.range = ValueRange::zeroToOne}), {1, 0, 0});
}

// Returns a row of gray pixels, resized to `width`.
std::vector<double> resized(const std::string& row, std::uint32_t width, const ImageOptions& options = kPlain) {
  return tensorOf(png(static_cast<std::uint32_t>(row.size()), 1, 0, row), floats({1, 1, 1, width}), options);
}

TEST(Image, ResizesWithATriangleFilter) {
  const std::string row{'\x0A', '\x28', '\x64', '\x7D'};  // the pixels 10, 40, 100, 125
  // At half the width, a triangle of half-width 2 around position 1 has weight 3/4 at the first two pixels and 1/4 at the third.
  test::expectNear(resized(row, 2), {(3 * 10 + 3 * 40 + 100) / 7.0, (40 + 3 * 100 + 3 * 125) / 7.0});
  // At a width of one pixel, the triangle has half-width 4 and its center at position 2.
  test::expectNear(resized(row, 1), {(5 * 10 + 7 * 40 + 7 * 100 + 5 * 125) / 24.0});
  // At twice the width, values are linear between the pixel centers and constant outside.
  test::expectNear(resized({'\x0A', '\x28'}, 4), {10, 0.75 * 10 + 0.25 * 40, 0.25 * 10 + 0.75 * 40, 40});
  test::expectNear(resized(row, 4), {10, 40, 100, 125});
}

TEST(Image, ResizesRowsAsColumns) {
  const std::vector<double> wide = resized({'\x0A', '\x28', '\x64', '\x7D', '\x03'}, 3);
  EXPECT_EQ(tensorOf(png(1, 5, 0, {'\x0A', '\x28', '\x64', '\x7D', '\x03'}), floats({1, 1, 3, 1}), kPlain), wide);
}

TEST(Image, OneColourStaysThatColourAtEverySize) {
  for (const std::uint32_t size : {1u, 2u, 3u, 7u, 13u, 40u}) {
    for (const double value : tensorOf(bmp(7, 5, [](int, int) { return Pixel{90, 90, 90}; }), floats({1, 1, size, 13}), kPlain)) {
      ASSERT_NEAR(value, 90, 1e-4) << size;
    }
  }
}

TEST(Image, CropsTheCentre) {
  const ImageOptions crop{.resize = ResizeMode::centreCrop, .range = ValueRange::zeroTo255};
  const auto value = [](int x, int y) { return 10.0 * x + y; };
  test::expectNear({tensorOf(bmp(6, 2, kPainter), floats({1, 2, 2, 3}), crop).at(0)}, {value(2, 0)});
  // These wide and tall images need no resizing, and only their middle remains.
  const std::vector<double> wide = tensorOf(bmp(8, 2, kPainter), floats({1, 3, 2, 2}), crop);
  test::expectNear({wide[0], wide[1], wide[2], wide[3]}, {value(3, 0), value(4, 0), value(3, 1), value(4, 1)});
  const std::vector<double> tall = tensorOf(bmp(2, 8, kPainter), floats({1, 3, 2, 2}), crop);
  test::expectNear({tall[0], tall[1], tall[2], tall[3]}, {value(0, 3), value(1, 3), value(0, 4), value(1, 4)});
  // An odd margin of 3 is split into 2 before (1.5 rounded half to even) and 1 after.
  test::expectNear({tensorOf(bmp(5, 2, kPainter), floats({1, 3, 2, 2}), crop).at(0)}, {value(2, 0)});
}

TEST(Image, ImagenetResizesTo256AndCrops224) {
  const auto paint = [](int x, int y) { return Pixel{static_cast<std::uint8_t>(x % 256), static_cast<std::uint8_t>(y), 7}; };
  const std::vector<double> values = tensorOf(bmp(300, 256, paint), floats({1, 3, 224, 224}), ImageOptions::imagenet());
  const std::size_t plane = 224 * 224;
  // The height is 256 already. (300 - 224) / 2 = 38 columns and (256 - 224) / 2 = 16 rows are cropped.
  test::expectNear({values[0], values[plane], values[2 * plane]},
                   {(38 / 255.0 - 0.485) / 0.229, (16 / 255.0 - 0.456) / 0.224, (7 / 255.0 - 0.406) / 0.225}, 1e-5);
  test::expectNear({values[223], values[plane - 1 + plane]},
                   {((38 + 223 - 256) / 255.0 - 0.485) / 0.229, (239 / 255.0 - 0.456) / 0.224}, 1e-5);
}

TEST(Image, ImagenetWidensOtherSizesInProportion) {
  // 7 * 256 / 224 = 8, so an image of height 8 is not resized.
  const std::vector<double> values = tensorOf(bmp(9, 8, kPainter), floats({1, 3, 7, 7}), ImageOptions::imagenet());
  // The margins are 2 and 1. Half of 1 rounds to 0.
  test::expectNear({values[0]}, {(10.0 / 255 - 0.485) / 0.229}, 1e-5);
}

TEST(Image, RejectsUnsuitableTensors) {
  const std::string file = bmp(2, 2, kPainter);
  const auto expectRejected = [&](const OperandDescriptor& descriptor, const std::vector<std::string>& message,
                                  const ImageOptions& options = {}) {
    test::expectTypeError(message, [&] { tensorOf(file, descriptor, options); });
  };
  expectRejected({DataType::int32, {1, 3, 2, 2}}, {"int32[1, 3, 2, 2]", "its type"});
  expectRejected({DataType::uint4, {1, 3, 2, 2}}, {"its type"});
  expectRejected(floats({3, 2, 2}), {"float32[3, 2, 2]", "its shape"});
  expectRejected(floats({2, 3, 2, 2}), {"its shape"});
  expectRejected(floats({1, 2, 2, 2}), {"number of channels"});
  expectRejected(floats({1, 2, 2, 4}), {"number of channels"});
  expectRejected(floats({1, 3, 2, 2}), {"number of channels"}, {.layout = ImageLayout::nhwc});
  expectRejected(floats({1, 3, 0, 2}), {"dimension 2 (0)"});
  expectRejected(floats({1, 3, 2, 3}), {"(2 x 2)", "(3 x 2)"}, {.resize = ResizeMode::none});
  expectRejected(floats({1, 3, 2, 2}), {"std"}, {.std = {1, 0, 1}});
  expectRejected(floats({1, 3, 2, 2}), {"crop margin"}, {.resize = ResizeMode::centreCrop, .cropMargin = 0.5});
  expectRejected(floats({1, 3, 2, 2}), {"crop margin"}, {.resize = ResizeMode::centreCrop, .cropMargin = std::nan("")});
  EXPECT_EQ(tensorOf(file, floats({1, 3, 2, 2}), {.resize = ResizeMode::none}).size(), 12u);
}

TEST(Image, RejectsBrokenAndHugeFiles) {
  const std::string good = png(2, 2, 2, std::string(12, 'x'));
  std::string wrongLength = good;
  wrongLength[good.find("IDAT") + 7] = '\0';  // the low byte of the length of the stored block
  struct Case {
    std::string content;
    std::string message;
  };
  for (const Case& c : std::vector<Case>{{"", "no JPEG, PNG or BMP"},
                                         {"GIF89a..............................", "no JPEG, PNG or BMP"},
                                         {"\xFF\xD8\xFF\xE0 but no more", "no JPEG, PNG or BMP"},
                                         {good.substr(0, good.find("IDAT") + 10), "cannot be decoded"},
                                         {wrongLength, "cannot be decoded"},
                                         {png(2, 3, 2, std::string(12, 'x')), "cannot be decoded"},
                                         {png(40000, 1, 0, "x"), ""},
                                         {png(32768, 32768, 0, "x"), "(32768 x 32768) takes more than"},
                                         {png(0, 1, 0, "x"), ""}}) {
    SCOPED_TRACE(c.message);
    test::expectError(ErrorKind::dataError, {c.message}, [&] { tensorOf(c.content, floats({1, 3, 2, 2})); });
  }
}

TEST(Image, EveryPrefixAndEveryChangedByteIsAnErrorOrAPicture) {
  for (const std::string& good : {png(2, 2, 2, std::string(12, 'x')), bmp(2, 2, kPainter)}) {
    for (std::size_t i = 0; i < good.size(); ++i) {
      std::string changed = good;
      changed[i] = static_cast<char>(changed[i] ^ 0x55);
      for (const std::string& content : {good.substr(0, i), changed}) {
        try {
          EXPECT_EQ(tensorOf(content, floats({1, 3, 2, 2})).size(), 12u);
        } catch (const Error& error) {
          EXPECT_EQ(error.kind(), ErrorKind::dataError) << error.what();
        }
      }
    }
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::cli
