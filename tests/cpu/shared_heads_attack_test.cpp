// Tests random attention, mostly with few queries, in which several query heads share a head of keys and values. Most scores are
// whole numbers times a power of two, so they are equal, near or far apart; some are huge, infinite or NaN.
#include <cmath>

#include "cpu/dice.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

class SharedHeads {
 public:
  explicit SharedHeads(std::uint32_t seed) : dice_(seed) {}

  void run() {
    batch_ = dice_.size(1, 2), keyHeads_ = dice_.of({1U, 1U, 2U, 3U, 4U, 8U}), repeats_ = dice_.of({1U, 2U, 3U, 4U, 5U, 8U, 16U});
    if (keyHeads_ * repeats_ > 16) repeats_ = std::max(16 / keyHeads_, 1U);
    rows_ = dice_.oneIn(5) ? dice_.size(5, 40) : dice_.size(1, 4);
    columns_ = dice_.oneIn(3) ? dice_.size(1, 4) : dice_.oneIn(4) ? dice_.of({64U, 65U, 127U, 300U, 513U}) : dice_.size(1, 40);
    if (dice_.oneIn(60)) columns_ = 8192;
    depth_ = dice_.oneIn(2) ? dice_.size(1, 9) : dice_.of({16U, 17U, 31U, 64U, 66U});
    width_ = dice_.oneIn(2) ? dice_.size(1, 9) : dice_.of({16U, 15U, 33U, 64U, 70U});
    const std::uint32_t heads = keyHeads_ * repeats_;
    auto& b = f_.builder;
    // The query is stored as [batch, heads, rows, depth], or as [batch, rows, heads, depth] like the result of a projection.
    Operand q = dice_.oneIn(2) ? numbers({batch_, heads, rows_, depth_}, 3)
                               : b.transpose(numbers({batch_, rows_, heads, depth_}, 3), {.permutation = {{0, 2, 1, 3}}});
    Operand k = shared(depth_, 3), v = shared(width_, kValues);
    Operand keys;
    if (dice_.oneIn(4)) {  // stored transposed
      const Operand stored = numbers({batch_, keyHeads_, depth_, columns_}, 3);
      keys = repeated(stored, {depth_, columns_});
    } else {
      keys = b.transpose(k, {.permutation = {{0, 1, 3, 2}}});
    }
    if (dice_.oneIn(3)) q = b.mul(q, f_.constant({}, {std::ldexp(1, dice_.from(-4, 4))}));
    Operand scores = b.matmul(q, keys);
    const double factor =
        dice_.oneIn(6) ? dice_.of({-1.0, 0x1p100, 0x1p-100, 0x1p120, -0x1p64}) : std::ldexp(1, dice_.from(-3, 5));
    if (!dice_.oneIn(3))
      scores = dice_.oneIn(2) ? b.mul(scores, f_.constant({}, {factor})) : b.div(scores, f_.constant({}, {1 / factor}));
    if (dice_.oneIn(2)) scores = b.add(scores, mask(heads));
    const Operand weights = b.softmax(scores, 3);
    Operand y = b.matmul(weights, v);
    if (dice_.oneIn(2)) y = b.reshape(b.transpose(y, {.permutation = {{0, 2, 1, 3}}}), {batch_, rows_, heads * width_});
    options_.relative = 2e-5, options_.absolute = 1e-4;
    expectCpuAgrees(f_, {y}, options_);
  }

 private:
  static constexpr int kValues = 9;  // the greatest magnitude of values
  Operand numbers(const Shape& shape, int most) {
    const std::string name = "input" + std::to_string(f_.inputs);
    std::vector<Number> values = dice_.numbers(countOf(shape), -most, most);
    // If an attention weight is too small for a normal float, it may become 0, and 0 times infinity is NaN. Two huge numbers
    // might cancel, so that the result would depend on the order of the sum. Therefore there is at most one special number.
    if (!hasSpecial_ && dice_.oneIn(6)) {
      hasSpecial_ = true;
      values[static_cast<std::size_t>(dice_.from(0, static_cast<int>(values.size()) - 1))] =
          most == kValues ? dice_.of({kNaN, 0x1p60, -0x1p60})
                          : dice_.of({kNaN, kInfinity, -kInfinity, 0x1p126, -0x1p126, 0x1p64, -0x1p40, 0x1p-130});
    }
    options_.inputs[name] = std::move(values);
    return f_.input(shape);
  }
  Operand repeated(const Operand& x, const Shape& last) {
    if (repeats_ == 1 && dice_.oneIn(2)) return x;
    const Operand split = f_.builder.reshape(x, {batch_, keyHeads_, 1, last[0], last[1]});
    const Operand wide = f_.builder.expand(split, {batch_, keyHeads_, repeats_, last[0], last[1]});
    return f_.builder.reshape(wide, {batch_, keyHeads_ * repeats_, last[0], last[1]});
  }
  Operand shared(std::uint32_t size, int most) {
    if (dice_.oneIn(2)) return repeated(numbers({batch_, keyHeads_, columns_, size}, most), {columns_, size});
    const Operand flat = numbers({batch_, columns_, keyHeads_, size}, most);
    return repeated(f_.builder.transpose(flat, {.permutation = {{0, 2, 1, 3}}}), {columns_, size});
  }
  Operand mask(std::uint32_t heads) {
    const Shape shape{dice_.oneIn(2) ? 1 : batch_, dice_.oneIn(2) ? 1 : heads, dice_.oneIn(2) ? 1 : rows_,
                      dice_.oneIn(5) ? 1 : columns_};
    std::vector<Number> values;
    const int kind = dice_.from(0, 3);
    for (std::size_t i = countOf(shape); i > 0; --i)
      values.emplace_back(kind == 0                     ? -kInfinity
                          : kind == 1 && dice_.oneIn(2) ? -kInfinity
                          : kind == 2 && dice_.oneIn(2) ? -3.4e38
                                                        : static_cast<double>(dice_.from(-3, 0)));
    options_.inputs["input" + std::to_string(f_.inputs)] = values;
    return f_.input(shape);
  }

  Dice dice_;
  Fixture f_;
  CpuCase options_;
  bool hasSpecial_ = false;
  std::uint32_t batch_ = 1, keyHeads_ = 1, repeats_ = 1, rows_ = 1, columns_ = 1, depth_ = 1, width_ = 1;
};

TEST(SharedHeadsAttack, FewQueries) { runSeeds<SharedHeads>(60); }

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
