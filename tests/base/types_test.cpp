#include <cmath>

#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

TEST(Half, RoundsToNearestEvenOnce) {
  EXPECT_EQ(Half(1.0).bits(), 0x3C00);
  EXPECT_EQ(Half(65504.0).bits(), 0x7BFF);
  EXPECT_EQ(Half(65519.999).bits(), 0x7BFF);
  EXPECT_EQ(Half(65520.0).bits(), 0x7C00);
  EXPECT_EQ(Half(-0.0).bits(), 0x8000);
  EXPECT_EQ(Half(0x1p-25).bits(), 0);                       // a tie, rounded to even
  EXPECT_EQ(Half(0x1p-25 * 1.0001).bits(), 1);              // the smallest subnormal
  EXPECT_EQ(Half(1.0 + 0x1p-11).bits(), 0x3C00);            // a tie, rounded to even
  EXPECT_EQ(Half(1.0 + 0x1p-11 + 0x1p-40).bits(), 0x3C01);  // converting through float32 would first round this to the tie
}

TEST(Half, EveryBitPatternSurvivesDouble) {
  for (int bits = 0; bits < 0x10000; ++bits) {
    const double value = static_cast<double>(Half::fromBits(static_cast<std::uint16_t>(bits)));
    if (std::isnan(value)) continue;
    EXPECT_EQ(Half(value).bits(), bits);
  }
}

TEST(Cast, RoundsHalfToEvenAndClamps) {
  EXPECT_EQ(cast(2.5, DataType::int32), Number(2));
  EXPECT_EQ(cast(3.5, DataType::uint8), Number(4));
  EXPECT_EQ(cast(-1e30, DataType::int64), Number(std::numeric_limits<std::int64_t>::min()));
  EXPECT_EQ(cast(1e30, DataType::uint64), Number(std::numeric_limits<std::uint64_t>::max()));
  EXPECT_EQ(cast(std::nan(""), DataType::int8), Number(0));
  EXPECT_EQ(cast(300, DataType::uint8), Number(255));
  EXPECT_EQ(cast(-300, DataType::int4), Number(-8));
  EXPECT_EQ(cast(std::uint64_t{1} << 63, DataType::int64), Number(std::numeric_limits<std::int64_t>::max()));
  EXPECT_EQ(cast(9007199254740993, DataType::int64), Number(9007199254740993));
}

TEST(Descriptor, LimitsElementsTo2To31Minus1) {
  EXPECT_EQ(elementCount({DataType::int8, {2147483647}}), 2147483647u);
  test::expectTypeError({"dimension 0 (2147483648)"}, [] { elementCount({DataType::int8, {2147483648u}}); });
  test::expectTypeError({"the number of elements"}, [] { elementCount({DataType::int8, {65536, 32768}}); });
  test::expectTypeError({"the number of elements"}, [] { elementCount({DataType::int8, {65536, 65536}}); });
  test::expectTypeError({"the number of elements"}, [] {
    elementCount({DataType::int8, {2147483647, 2147483647, 2147483647, 2}});
  });
  test::expectTypeError({"dimension 1 (0)"}, [] { elementCount({DataType::int8, {1, 0}}); });
  test::expectTypeError({"rank (9)"}, [] { elementCount({DataType::int8, Shape(9, 1)}); });
  EXPECT_EQ(byteLength({DataType::int4, {3}}), 2u);
  EXPECT_EQ(byteLength({DataType::float16, {}}), 2u);
}

TEST(Error, LeavesOutTheMiddleOfLongMessages) {
  std::string accents;
  for (int i = 0; i < 2000; ++i) accents += "\u00e9";
  EXPECT_EQ(std::string(Error(ErrorKind::typeError, accents).what()), accents);  // exactly 4000 bytes, which is the maximum
  for (const std::string start : {"", "a"}) {
    const std::string cut = Error(ErrorKind::typeError, start + accents + accents + ".").what();
    EXPECT_LE(cut.size(), 4000U);
    const std::size_t gap = cut.find(" ... ");
    ASSERT_NE(gap, std::string::npos);
    EXPECT_EQ(cut.substr(0, gap), start + accents.substr(0, (gap - start.size()) / 2 * 2));  // no character is cut
    const std::string end = cut.substr(gap + 5);
    EXPECT_EQ(end, accents.substr(0, end.size() / 2 * 2) + ".");
    EXPECT_GT(end.size(), 990U);
  }
}

TEST(Number, ComparesValuesNotRepresentations) {
  EXPECT_EQ(Number(1), Number(1.0));
  EXPECT_EQ(Number(-1), Number(-1.0));
  EXPECT_FALSE(Number(9007199254740993) == Number(9007199254740992.0));
  EXPECT_FALSE(Number(std::numeric_limits<std::uint64_t>::max()) == Number(0x1p64));
  EXPECT_FALSE(Number(std::numeric_limits<std::int64_t>::max()) == Number(0x1p63));
  EXPECT_EQ(Number(std::numeric_limits<std::int64_t>::min()), Number(-0x1p63));
  EXPECT_FALSE(Number(0.0) == Number(-0.0));
  EXPECT_EQ(Number(std::nan("")), Number(std::nan("")));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
