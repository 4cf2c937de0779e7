// Tests expressions over open dimensions: their text, their arithmetic, and the refusal of conditions that no size can satisfy.
#include "ops/sizes/open_sizes.h"

#include "support/support.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

std::string textOf(std::string_view expression) {
  OpenSizes sizes;
  const std::uint32_t size = sizes.parse(expression);
  return (size & kOpenBit) != 0 ? sizes.text(size) : std::to_string(size);
}

TEST(OpenSizes, SimplifiesExpressions) {
  EXPECT_EQ(textOf("n"), "n");
  EXPECT_EQ(textOf("n + n"), "n * 2");
  EXPECT_EQ(textOf("(n + 1) * (n - 1)"), "n * n - 1");
  EXPECT_EQ(textOf("n - n + 7"), "7");
  EXPECT_EQ(textOf("2 * 'my size' + 1"), "'my size' * 2 + 1");
  EXPECT_EQ(textOf("floor((n * 4 + 3) / 2)"), textOf("n * 2 + 1"));
  EXPECT_EQ(textOf("floor((4 * n) / 4)"), "n");
  EXPECT_EQ(textOf("ceil(n / 2)"), "floor((n + 1) / 2)");
  EXPECT_EQ(textOf("broadcast(n, 1)"), "n");
  EXPECT_EQ(textOf("scaled(n, 2)"), "n * 2");
}

TEST(OpenSizes, ReadsPrintedExpressions) {
  for (const std::string_view text :
       {"n * m + 3", "floor((n + 1) / 2) * 3", "broadcast(n, m)", "broadcast(n, 2)", "broadcast(1, n)", "scaled(n, 1.5)",
        "'it''s' - 1", "floor(n / m)", "floor((n + 1) / (m * 2))", "-n + 5"}) {
    EXPECT_EQ(textOf(textOf(text)), textOf(text)) << text;
  }
}

TEST(OpenSizes, EvaluatesExpressions) {
  OpenSizes sizes;
  const std::uint32_t n = sizes.dimension("n"), m = sizes.dimension("m");
  (void)n, (void)m;
  const std::vector<std::int64_t> values{7, 3};
  const auto valueOf = [&](std::string_view text) { return sizes.evaluate(sizes.parse(text), values); };
  EXPECT_EQ(valueOf("n * m - 1"), 20u);
  EXPECT_EQ(valueOf("floor(n / m)"), 2u);
  EXPECT_EQ(valueOf("ceil(n / m)"), 3u);
  EXPECT_EQ(valueOf("broadcast(n - 6, m)"), 3u);
  EXPECT_EQ(valueOf("broadcast(m, n - 6)"), 3u);
  EXPECT_EQ(valueOf("broadcast(n, m + 4)"), 7u);
  EXPECT_EQ(valueOf("broadcast(n, m)"), std::nullopt);
  EXPECT_EQ(valueOf("broadcast(m, n)"), std::nullopt);
  EXPECT_EQ(valueOf("scaled(n, 1.5)"), 10u);
  EXPECT_EQ(valueOf("m - n"), std::nullopt);
  EXPECT_EQ(valueOf("n * n * n * n * n * n * n * n * n * n * n * n"), std::nullopt);
}

TEST(OpenSizes, EvaluatesBroadcastsWithNumbers) {
  const auto valueOf = [](std::string_view text, std::int64_t n) {
    OpenSizes sizes;
    sizes.dimension("n");
    return sizes.evaluate(sizes.parse(text), std::vector<std::int64_t>{n});
  };
  EXPECT_EQ(valueOf("broadcast(n, 7)", 7), 7u);
  EXPECT_EQ(valueOf("broadcast(n, 7)", 1), 7u);
  EXPECT_EQ(valueOf("broadcast(n, 2)", 7), std::nullopt);
  EXPECT_EQ(valueOf("broadcast(2, n)", 7), std::nullopt);
  EXPECT_EQ(valueOf("broadcast(n - 6, 2)", 7), 2u);
}

TEST(OpenSizes, RefusesOtherText) {
  for (const std::string_view text : {"", "n +", "(n", "floor(n)/", "n / 2", "'n", "floor(n / 0)", "max(n, 2)", "n 2", "-1",
                                      "4294967296", "99999999999999999999"}) {
    test::expectTypeError({"size"}, [&] { (void)textOf(text); });
  }
  test::expectTypeError({"nested too deeply"}, [&] { (void)textOf(std::string(1000, '(')); });
  test::expectError(ErrorKind::notSupportedError, {"more than 4096 characters"}, [&] { (void)textOf(std::string(10000, '(')); });
}

// The smallest 64-bit integer has no negative, and dividing it by -1 traps. The value of an expression must therefore be greater.
TEST(OpenSizes, TakesTheLargestNumbers) {
  const std::string least = "(0 - 9223372036854775807 - 1)";
  EXPECT_NE(textOf("n + 9223372036854775807").find("9223372036854775807"), std::string::npos);
  for (const std::string& text : std::vector<std::string>{
           least, "n + " + least, "0 - " + least, least + " * (0 - 1)", "n * " + least, "broadcast(n, " + least + ")",
           "broadcast(" + least + " - n, 1 - n)", "broadcast(" + least + " - n, m)", "scaled(" + least + ", 1000000)",
           "floor(" + least + " / n)", "floor((n * 9223372036854775807 + 5) / 2)", "(n - 9223372036854775807) * (n - 2)"}) {
    OpenSizes sizes;
    try {
      const std::uint32_t size = sizes.parse(text);
      for (const std::int64_t n : {0, 1, 2, 7}) (void)sizes.evaluate(size, std::vector<std::int64_t>{n, n});
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()), "") << text;
    }
  }
}

// Expressions have a maximum length. Each step doubles the expression; without a maximum, forty steps would need terabytes.
TEST(OpenSizes, BoundsExpressions) {
  OpenSizes sizes;
  const OpenScope scope(sizes);
  const Size n(sizes.dimension("n"));
  const auto grow = [n](auto step) {
    return [n, step] {
      Size size = n;
      for (int i = 0; i < 40; ++i) size = step(size);
    };
  };
  const auto isRefused = [](const std::function<void()>& call) {
    test::expectError(ErrorKind::notSupportedError, {"a size is an expression"}, call);
  };
  isRefused(grow([](Size size) { return size * size; }));
  isRefused(grow([](Size size) { return floorQuotient(size * size, Size(std::int64_t{2})); }));
  isRefused(grow([](Size size) { return *broadcastSize(size + Size(std::int64_t{1}), size * Size(std::int64_t{2})); }));
}

TEST(OpenSizes, BoundsNames) {
  OpenSizes sizes;
  for (int i = 0; i < 512; ++i) (void)sizes.dimension("n" + std::to_string(i));
  test::expectError(ErrorKind::notSupportedError, {"more than 512 open dimensions"}, [&] { (void)sizes.dimension("m"); });
  EXPECT_NO_THROW((void)sizes.dimension("n7"));
}

TEST(OpenSizes, KeepsBoundsOfNames) {
  OpenSizes sizes;
  const std::uint32_t n = sizes.declare({"n", 1, 64});
  EXPECT_EQ(sizes.range(n), std::pair(1u, 64u));
  EXPECT_EQ(sizes.declare({"n", 2, 128}), n);
  EXPECT_EQ(sizes.range(n), std::pair(2u, 64u));
  test::expectTypeError({"\"n\"", "between 2 and 64", "between 65 and 100"}, [&] { sizes.declare({"n", 65, 100}); });
  test::expectTypeError({"\"n + 1\"", "only names have bounds"}, [&] { sizes.declare({"n + 1", 1, 2}); });
  EXPECT_EQ(sizes.range(sizes.parse("n + 1")), std::pair(3u, 65u));
}

struct Conditions : testing::Test {
  OpenSizes sizes;
  OpenScope scope{sizes};
  Size n{sizes.dimension("n")}, m{sizes.dimension("m")}, small{sizes.dimension("small", 1, 8)};
  static Size of(std::int64_t number) { return Size(number); }
};

TEST_F(Conditions, AreFalseIfNoSizeSatisfiesThem) {
  EXPECT_FALSE(canEqual(n, n + of(1)));
  EXPECT_FALSE(canEqual(n * of(2), of(7)));
  EXPECT_FALSE(canEqual(small, of(9)));
  EXPECT_FALSE(canEqual(n + m + of(1), of(0)));
  EXPECT_FALSE(canBeAtMost(small + of(8), of(8)));
  EXPECT_FALSE(canDivide(of(16), small));
  EXPECT_EQ(broadcastSize(small + of(2), of(2)), std::nullopt);
}

TEST_F(Conditions, KeepEarlierConditions) {
  EXPECT_TRUE(canEqual(n, of(3)));
  EXPECT_TRUE(canEqual(n, of(3)));
  EXPECT_FALSE(canEqual(n, of(4)));
  EXPECT_TRUE(canEqual(n, m));  // so m is 3, too
  EXPECT_FALSE(canEqual(m + of(1), of(9)));
  EXPECT_TRUE(canDivide(of(3), small));
  EXPECT_TRUE(canBeAtMost(of(4), small));  // `small` is 3 or 6, and only 6 is at least 4
  EXPECT_FALSE(canEqual(small, of(7)));
}

TEST_F(Conditions, OfBroadcasting) {
  EXPECT_EQ(broadcastSize(n, of(1))->text(), "n");
  EXPECT_EQ(broadcastSize(n, of(3))->text(), "3");
  EXPECT_EQ(broadcastSize(m, small)->text(), "broadcast(m, small)");
  EXPECT_FALSE(canEqual(n, of(4)));  // n is 1 or 3
  EXPECT_EQ(broadcastSize(of(0), of(1))->number(), 0);
  EXPECT_FALSE(broadcastSize(of(0), of(2)));
}

TEST_F(Conditions, AreTakenBack) {
  const OpenSizes::Checkpoint before = sizes.checkpoint();
  EXPECT_TRUE(canEqual(n, of(3)));
  EXPECT_TRUE(canEqual(m, n));
  sizes.restore(before);
  EXPECT_TRUE(canEqual(n, of(4)));
  EXPECT_TRUE(canEqual(m, of(5)));
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
