// Random graphs around the patterns that passes recognise in attention: several constant masks with reshapes between them (pass
// fuseAttention), gathers from matrix products (narrowGathers), and element-wise operations that read the same matrix product or
// convolution several times (fuseEpilogues).
#include <limits>
#include <string>

#include "cpu/dice.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

using Permutation = std::vector<std::uint32_t>;

constexpr double kLowest = std::numeric_limits<float>::lowest();

// Returns the numbers of a mask. `kind`: 0: small numbers; 1 to 4: some numbers exclude elements; 5: large numbers of both signs.
std::vector<Number> maskOf(Dice& dice, int kind, std::size_t count) {
  std::vector<Number> values;
  for (; count > 0; --count) {
    const double small = 0.01 * dice.from(-200, 200);
    values.emplace_back(kind == 0   ? small
                        : kind == 1 ? (dice.oneIn(3) ? -kInfinity : 0.0)
                        : kind == 2 ? (dice.oneIn(3) ? -100.0 : dice.from(-2, 2))
                        : kind == 3 ? (dice.oneIn(3) ? kLowest : small)
                        : kind == 4 ? (dice.oneIn(5) ? -10000.0 : small)
                                    : (dice.oneIn(2) ? 1e6 : -1e6));
  }
  return values;
}

// Adds a mask to `x`, which is the scores [windows, heads, rows, columns] or a reshape of them.
Operand masked(Fixture& f, Dice& dice, int kind, const Operand& x) {
  Shape shape = x.shape();
  for (std::size_t i = 0; i + 2 < shape.size(); ++i) {
    if (dice.oneIn(2)) shape[i] = 1;
  }
  if (dice.oneIn(5)) shape[shape.size() - 2] = 1;
  while (shape.size() > 2 && shape[0] == 1 && dice.oneIn(2)) shape.erase(shape.begin());
  const Operand mask = f.constant(shape, maskOf(dice, kind, countOf(shape)));
  return dice.oneIn(2) ? f.builder.add(x, mask) : f.builder.add(mask, x);
}

std::vector<Operand> maskedAttention(Fixture& f, Dice& dice) {
  GraphBuilder& b = f.builder;
  const std::uint32_t batch = dice.size(1, 2), windows = dice.size(1, 4), heads = dice.size(1, 3), rows = dice.size(1, 12),
                      columns = dice.oneIn(2) ? rows : dice.size(1, 12), depth = dice.size(1, 9);
  const Shape shape{batch * windows, heads, rows, columns};
  Operand x = b.matmul(f.input({shape[0], heads, rows, depth}), f.input({shape[0], heads, depth, columns}));
  if (dice.oneIn(2)) x = b.mul(x, f.constant({}, {0.35}));
  const int kind = dice.from(0, 5);
  for (int count = dice.from(1, 3); count > 0; --count) {
    if (dice.oneIn(2))
      x = b.reshape(x, dice.oneIn(2) ? Shape{batch, windows, heads, rows, columns} : Shape{shape[0] * heads, rows, columns});
    x = masked(f, dice, kind, x);
    if (x.shape() != shape) x = b.reshape(x, shape);
  }
  std::vector<Operand> outputs{b.matmul(b.softmax(x, 3), f.input({shape[0], heads, columns, 5}))};
  if (dice.oneIn(10)) outputs.push_back(b.neg(x));
  return outputs;
}

TEST(RandomPatterns, MaskedAttentionAgrees) {
  for (std::uint32_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Fixture f;
    Dice dice(seed);
    const std::vector<Operand> outputs = maskedAttention(f, dice);
    expectCpuAgrees(f, outputs, {.seed = seed, .relative = 2e-5, .absolute = 2e-5});
  }
}

// Returns a factor [batch, rows, columns] of a product, which may be a transpose or a reshape.
Operand factorOf(Fixture& f, Dice& dice, std::uint32_t batch, std::uint32_t rows, std::uint32_t columns) {
  const auto given = [&](const Shape& shape) {
    return dice.oneIn(3) ? f.constant(shape, dice.numbers(countOf(shape), -9, 9)) : f.input(shape);
  };
  if (dice.oneIn(3)) return f.builder.transpose(given({batch, columns, rows}), {.permutation = Permutation{0, 2, 1}});
  if (dice.oneIn(3)) return f.builder.reshape(given({batch * rows, columns}), {batch, rows, columns});
  return given({batch, rows, columns});
}

std::vector<Operand> gatheredProducts(Fixture& f, Dice& dice) {
  const std::uint32_t batch = dice.size(1, 3), rows = dice.size(1, 24), depth = dice.size(1, 9), columns = dice.size(1, 50);
  const Operand product =
      f.builder.matmul(factorOf(f, dice, batch, rows, depth), factorOf(f, dice, dice.oneIn(2) ? 1 : batch, depth, columns));
  std::vector<Operand> outputs;
  for (int count = dice.oneIn(3) ? 2 : 1; count > 0; --count) {
    const std::uint32_t axis = dice.oneIn(6) ? 0 : dice.size(1, 2);
    Shape shape = product.shape();
    const int size = static_cast<int>(shape[axis]), first = dice.from(0, size - 1), last = dice.from(first, size - 1);
    shape[axis] = dice.size(1, 20);
    const bool isWild = dice.oneIn(5);  // some indices are beyond the ends
    std::vector<Number> indices;
    for (std::size_t i = 0; i < countOf(shape); ++i)
      indices.emplace_back(isWild && dice.oneIn(9) ? dice.from(-2 * size, 2 * size)
                                                   : dice.from(first, last) - (dice.oneIn(4) ? size : 0));
    const DataType type = dice.of({DataType::int32, DataType::int64});
    outputs.push_back(f.builder.gatherElements(product, f.constant(type, shape, indices), {.axis = axis}));
  }
  if (dice.oneIn(10)) outputs.push_back(f.builder.neg(product));
  return outputs;
}

TEST(RandomPatterns, GatheredProductsAgree) {
  for (std::uint32_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Fixture f;
    Dice dice(seed);
    const std::vector<Operand> outputs = gatheredProducts(f, dice);
    expectCpuAgrees(f, outputs, {.seed = seed, .relative = 4e-6, .absolute = 4e-5});
  }
}

// Returns a matrix product or a convolution with channels last.
Operand productOf(Fixture& f, Dice& dice) {
  const std::uint32_t depth = dice.size(1, 9), columns = dice.oneIn(3) ? dice.size(1, 15) : dice.size(16, 40);
  const auto weights = [&](const Shape& shape) {
    std::vector<Number> values;
    for (std::size_t i = countOf(shape); i > 0; --i) values.emplace_back(0.1 * dice.from(-5, 5));
    return f.constant(shape, values);
  };
  if (dice.oneIn(2)) return f.builder.matmul(f.input({dice.size(1, 30), depth}), weights({depth, columns}));
  const bool isDepthwise = dice.oneIn(3);
  const std::uint32_t window = dice.of({1U, 3U}), channels = isDepthwise ? columns : depth;
  return f.builder.conv2d(f.input({dice.size(1, 2), dice.size(3, 9), dice.size(3, 9), channels}),
                          weights({window, window, isDepthwise ? 1 : depth, columns}),
                          {.padding = {{1, 1, 1, 1}},
                           .groups = isDepthwise ? columns : 1,
                           .inputLayout = InputOperandLayout::nhwc,
                           .filterLayout = Conv2dFilterOperandLayout::hwio});
}

// Returns an operand for an element-wise operation beside `x`: an earlier value, a number, a row, or a tensor of the same shape.
Operand besideOf(Fixture& f, Dice& dice, const Operand& x, const std::vector<Operand>& values) {
  if (!dice.oneIn(3)) return dice.of(values);
  if (dice.oneIn(2)) return f.constant({}, {dice.of({0.5, 1.0, 0.044715, -0.25})});
  return f.input(dice.oneIn(2) ? Shape{x.shape().back()} : x.shape());
}

std::vector<Operand> activatedProducts(Fixture& f, Dice& dice) {
  GraphBuilder& b = f.builder;
  std::vector<Operand> values{productOf(f, dice)};
  for (int count = dice.from(2, 9); count > 0; --count) {
    const Operand x = dice.oneIn(3) ? dice.of(values) : values.back();
    switch (dice.from(0, 9)) {
      case 0: values.push_back(b.tanh(x)); break;
      case 1: values.push_back(b.softplus(x)); break;
      case 2: values.push_back(b.gelu(x)); break;
      case 3: values.push_back(b.clamp(x, {.minValue = -1.0, .maxValue = 2.0})); break;
      case 4: values.push_back(b.mul(x, b.sigmoid(x))); break;
      case 5: values.push_back(b.add(x, besideOf(f, dice, x, values))); break;
      case 6:
        values.push_back(b.mul(b.tanh(x), b.add(x, b.mul(b.pow(x, f.constant({}, {3})), f.constant({}, {0.044715})))));
        break;
      default: values.push_back(b.mul(b.sigmoid(x), besideOf(f, dice, x, values)));
    }
  }
  std::vector<Operand> outputs{values.back()};
  if (dice.oneIn(4)) outputs.push_back(b.neg(dice.of(values)));
  return outputs;
}

TEST(RandomPatterns, ActivatedProductsAgree) {
  for (std::uint32_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Fixture f;
    Dice dice(seed);
    const std::vector<Operand> outputs = activatedProducts(f, dice);
    expectCpuAgrees(f, outputs, {.seed = seed, .relative = 2e-5, .absolute = 2e-5});
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
