// Random graphs around convolutions: operations on rows of images (pass raiseImages), and sums of parallel convolutions (pass
// mergeConvolutions).
#include <string>
#include <vector>

#include "cpu/dice.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

// Makes chains of operations on rows [n, c, h*w] between convolutions. All values are small multiples of a power of two (0.5, and
// less after leakyRelu). Sums are therefore exact in any order, and quantized results cannot differ.
class RowsMaker {
 public:
  RowsMaker(Fixture& f, std::uint32_t seed) : f_(f), b_(f.builder), dice_(seed) {}

  std::vector<Operand> make() {
    const Shape shape{dice_.size(1, 2), dice_.size(1, 6), dice_.of<std::uint32_t>({1, 2, 6, 12, 17, 24})};
    std::vector<Operand> values{convolved(given(shape))};
    for (std::uint32_t steps = dice_.size(2, 6); steps > 0; --steps) {
      const Operand& before = dice_.size(0, 3) == 0 ? dice_.of(values) : values.back();
      values.push_back(clamped(next(before, values)));
    }
    std::vector<Operand> outputs{values.back()};
    if (dice_.size(0, 1) == 1) outputs.push_back(b_.neg(dice_.of(values)));
    if (dice_.size(0, 1) == 1) outputs.push_back(b_.transpose(convolved(values.back()), {.permutation = {0, 2, 1}}));
    return outputs;
  }

 private:
  Operand clamped(const Operand& x) { return b_.clamp(x, {.minValue = -64.0, .maxValue = 63.0}); }
  Operand constant(const Shape& shape) {
    std::vector<Number> values(elementCount({DataType::float32, shape}));
    for (Number& value : values) value = static_cast<double>(dice_.size(0, 4)) - 2;
    return f_.constant(shape, values);
  }
  Operand quantized(const Operand& x, double scale) {
    const Shape ones(x.rank(), 1);
    const Operand step = f_.constant(ones, {scale}), zero = f_.constant(DataType::int8, ones, {dice_.size(0, 3)});
    return b_.dequantizeLinear(b_.quantizeLinear(x, step, zero), step, zero);
  }
  // An input whose values are multiples of 0.5, or a constant.
  Operand given(const Shape& shape) { return dice_.size(0, 2) == 0 ? constant(shape) : quantized(f_.input(shape), 0.5); }

  // Reshapes the rows to an image, convolves it, and reshapes the result to rows.
  Operand convolved(const Operand& rows) {
    const Shape& shape = rows.shape();
    std::vector<std::uint32_t> heights{1, shape[2]};
    for (std::uint32_t h = 2; h < shape[2]; ++h) {
      if (shape[2] % h == 0) heights.push_back(h);
    }
    const std::uint32_t height = dice_.of(heights), lines = height > 1 ? dice_.of<std::uint32_t>({1, 3}) : 1,
                        columns = dice_.of<std::uint32_t>({1, 1, 3}), outputs = dice_.size(1, 6);
    Operand image = b_.reshape(rows, {shape[0], shape[1], height, shape[2] / height});
    if (dice_.size(0, 2) == 0) {  // computes the image from tokens [n, h*w, c]
      const Operand tokens = b_.abs(b_.transpose(rows, {.permutation = {0, 2, 1}}));
      image = b_.reshape(b_.transpose(tokens, {.permutation = {0, 2, 1}}), image.shape());
    }
    const Operand y = b_.conv2d(image, constant({outputs, shape[1], lines, columns}),
                                {.padding = {{lines / 2, lines / 2, columns / 2, columns / 2}}, .bias = constant({outputs})});
    return clamped(b_.reshape(y, {shape[0], outputs, shape[2]}));
  }

  Operand next(const Operand& x, const std::vector<Operand>& values) {
    const Shape& shape = x.shape();
    const std::uint32_t axis = dice_.size(0, 2);
    std::vector<std::uint32_t> zeros(3), place(3), sizes = shape;
    switch (dice_.size(0, 14)) {
      case 0: return b_.relu(x);
      case 1: return b_.leakyRelu(x, {.alpha = 0.5});
      case 2: return b_.prelu(x, constant(dice_.of<Shape>({{}, {shape[1], 1}, {shape[2]}})));
      case 3: return convolved(x);
      case 4: return b_.concat({x, b_.neg(x)}, axis);
      case 5: return b_.split(x, std::vector<std::uint32_t>{shape[axis]}, {.axis = axis})[0];
      case 6:
        place[axis] = dice_.size(0, shape[axis] - 1), sizes[axis] = dice_.size(1, shape[axis] - place[axis]);
        return b_.slice(x, place, sizes, {.strides = std::vector<std::uint32_t>{1, dice_.size(1, 2), dice_.size(1, 3)}});
      case 7:
        place[axis] = dice_.size(0, shape[axis] - 1);
        return b_.pad(x, place, zeros,
                      {.mode = dice_.of<PaddingMode>({PaddingMode::constant, PaddingMode::edge, PaddingMode::reflection})});
      case 8: return b_.sub(x, b_.reduceMax(x, {.axes = {axis}, .keepDimensions = true}));
      case 9: return b_.where(b_.greater(x, constant({})), x, given({shape[1], 1}));
      case 10: return quantized(x, dice_.of<double>({0.5, 1, 2}));
      case 11: return b_.batchNormalization(x, constant({shape[1]}), f_.constant({shape[1]}, {0.25}), {.epsilon = 0.0});
      case 12: return b_.transpose(b_.abs(b_.transpose(x, {.permutation = {0, 2, 1}})), {.permutation = {0, 2, 1}});
      default: {
        const Operand other = dice_.of(values);
        const Operand y = other.shape() == shape ? other
                                                 : given(dice_.of<Shape>({{},
                                                                          {1},
                                                                          {shape[2]},
                                                                          {shape[1], 1},
                                                                          {shape[1], shape[2]},
                                                                          {1, shape[1], 1},
                                                                          {shape[0], 1, shape[2]},
                                                                          shape}));
        return dice_.size(0, 1) == 0 ? b_.add(x, y) : dice_.size(0, 1) == 0 ? b_.sub(y, x) : b_.max(x, y);
      }
    }
  }

  Fixture& f_;
  GraphBuilder& b_;
  Dice dice_;
};

TEST(RandomImages, OperationsOnRowsAreExact) {
  for (std::uint32_t seed = 1; seed <= 80; ++seed) {
    SCOPED_TRACE(seed);
    Fixture f;
    expectCpuAgrees(f, RowsMaker(f, seed).make(), {.low = -8, .high = 8, .seed = seed, .relative = 0, .absolute = 0});
  }
}

Operand randomWeights(Fixture& f, Dice& dice, const Shape& shape) {
  std::vector<Number> values(elementCount({DataType::float32, shape}));
  for (Number& value : values) value = static_cast<double>(dice.size(0, 2000)) / 1000 - 1;
  return f.constant(shape, values);
}

TEST(RandomImages, SumsOfParallelConvolutionsAgree) {
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Fixture f;
    GraphBuilder& b = f.builder;
    Dice dice(seed);
    const std::uint32_t groups = dice.of<std::uint32_t>({1, 1, 2, 4}), inputs = 4, outputs = dice.of<std::uint32_t>({4, 8}),
                        stride = dice.size(1, 2), dilation = dice.size(1, 2);
    const Operand x = f.input({dice.size(1, 2), inputs, 9, dice.size(7, 12)});
    std::vector<Operand> branches;
    for (std::uint32_t count = dice.size(2, 5); count > 0; --count) {
      const std::uint32_t lines = dice.of<std::uint32_t>({1, 3, 5}), columns = dice.of<std::uint32_t>({1, 3, 3}),
                          y = lines / 2 * dilation, z = columns / 2 * dilation;
      Conv2dOptions options{
          .padding = {{y, y, z, z}}, .strides = {{stride, stride}}, .dilations = {{dilation, dilation}}, .groups = groups};
      if (dice.size(0, 1) == 1) options.bias = randomWeights(f, dice, {outputs});
      branches.push_back(b.conv2d(x, randomWeights(f, dice, {outputs, inputs / groups, lines, columns}), options));
    }
    if (stride == 1 && outputs == inputs) {
      branches.push_back(b.batchNormalization(x, randomWeights(f, dice, {inputs}), f.constant({inputs}, {0.5}),
                                              {.scale = randomWeights(f, dice, {inputs})}));
    }
    if (dice.oneIn(2)) branches.push_back(f.constant({}, {0.25}));
    if (dice.oneIn(4))  // 1x1, which is broadcast
      branches.push_back(
          b.conv2d(x, randomWeights(f, dice, {outputs, inputs / groups, 1, 1}), {.strides = {{99, 99}}, .groups = groups}));
    while (branches.size() > 1) {  // adds the branches in a random order
      const std::size_t i = dice.size(0, static_cast<std::uint32_t>(branches.size()) - 2);
      branches[i] = b.add(branches[i], branches[i + 1]);
      branches.erase(branches.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
    expectCpuAgrees(f, {b.relu(branches[0])}, {.seed = seed, .relative = 1e-5, .absolute = 2e-5});
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
