#include "base/copyable_variant.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <new>
#include <optional>
#include <set>

namespace webnn {
namespace {

// Keeps the addresses of all living objects, so that destroying an object that was never constructed is an error.
struct Tracked {
  static inline std::set<const Tracked*> living;
  static inline int invalidDestructions = 0;
  static inline bool throwing = false;

  explicit Tracked(int number) : value(number) { living.insert(this); }
  Tracked(const Tracked& other) : value(other.value) {
    if (throwing) throw std::bad_alloc();
    living.insert(this);
  }
  Tracked(Tracked&& other) noexcept : value(other.value) { living.insert(this); }
  Tracked& operator=(const Tracked&) = default;
  ~Tracked() { invalidDestructions += living.erase(this) == 0; }

  int value;
};

using Variant = CopyableVariant<std::uint32_t, Tracked>;

class CopyableVariantTest : public testing::Test {
 protected:
  void SetUp() override {
    Tracked::invalidDestructions = 0;
    Tracked::throwing = false;
  }
  void TearDown() override {
    EXPECT_EQ(Tracked::invalidDestructions, 0);
    EXPECT_TRUE(Tracked::living.empty());
  }
};

TEST_F(CopyableVariantTest, CopyThatThrowsDestroysNothing) {
  const Variant source = Tracked(7);
  Tracked::throwing = true;
  EXPECT_THROW(Variant copy(source), std::bad_alloc);
  EXPECT_THROW(std::optional<Variant> copy(source), std::bad_alloc);
  EXPECT_EQ(Tracked::living.size(), 1u);
}

TEST_F(CopyableVariantTest, AssignmentThatThrowsKeepsTheValue) {
  const Variant source = Tracked(7);
  Variant number = 5u;
  Variant other = Tracked(3);
  Tracked::throwing = true;
  EXPECT_THROW(number = source, std::bad_alloc);
  EXPECT_THROW(other = source, std::bad_alloc);
  EXPECT_EQ(std::get<std::uint32_t>(number), 5u);
  EXPECT_EQ(std::get<Tracked>(other).value, 3);
}

TEST_F(CopyableVariantTest, CopiesAndMovesTheAlternative) {
  Variant value = Tracked(7);
  Variant copy(value);
  EXPECT_EQ(std::get<Tracked>(copy).value, 7);
  copy = Variant(9u);
  EXPECT_EQ(std::get<std::uint32_t>(copy), 9u);
  copy = value;
  EXPECT_EQ(std::get<Tracked>(copy).value, 7);
  Variant moved(std::move(value));
  EXPECT_EQ(std::get<Tracked>(moved).value, 7);
}

}  // namespace
}  // namespace webnn
