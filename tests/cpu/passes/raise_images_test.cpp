// Tests pass raiseImages: rows [n, c, h*w] between convolutions are computed as images.
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "cpu/pass_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

using cpu::canonicalize, cpu::chooseLayout, cpu::eliminateDeadCode, cpu::raiseImages;

// Images [n, c, h, w] that are reshaped to the same rows: of height 1, of width 1, and of 3 x 4 pixels.
const std::array<Shape, 3> kImages{{{2, 4, 1, 12}, {2, 4, 12, 1}, {2, 4, 3, 4}}};

Operand convolved(Fixture& f, const Operand& image) { return f.builder.conv2d(image, f.input({4, image.shape()[1], 1, 1})); }
Operand rowsOf(Fixture& f, const Operand& image) {
  const Shape& shape = image.shape();
  return f.builder.reshape(image, {shape[0], shape[1], shape[2] * shape[3]});
}

TEST(RaiseImages, KeepsChannelsLastBetweenConvolutionsOfSignals) {
  Fixture f;
  GraphBuilder& b = f.builder;
  Operand x = rowsOf(f, b.conv2d(b.reshape(f.input({1, 3, 20}), {1, 3, 1, 20}), f.constant({4, 3, 1, 3}, {0.1})));
  for (int block = 0; block < 2; ++block) {
    Operand y = b.prelu(x, f.constant({1, 1}, {0.25}));
    y = b.batchNormalization(y, f.constant({4}, {0.1}), f.constant({4}, {1}));
    x = b.add(x, rowsOf(f, b.conv2d(b.reshape(y, {1, 4, 1, 18}), f.constant({4, 4, 1, 1}, {0.2}))));
  }
  EXPECT_EQ(operationsAfter(f, {b.reduceMax(x, {.axes = {2}})}, {raiseImages, chooseLayout, canonicalize, eliminateDeadCode}),
            "reshape transpose conv2d prelu batchNormalization conv2d add prelu batchNormalization conv2d add reduceMax");
}

TEST(RaiseImages, ReadsTokensAsImagesWithChannelsLast) {
  Fixture f;
  GraphBuilder& b = f.builder;
  const Operand tokens = f.input({1, 12, 8});
  const Operand image = b.reshape(b.transpose(tokens, {.permutation = {0, 2, 1}}), {1, 8, 3, 4});
  const Operand y = b.conv2d(image, f.constant({8, 1, 3, 3}, {0.1}), {.padding = {1, 1, 1, 1}, .groups = 8});
  const Operand back = b.transpose(b.gelu(b.reshape(y, {1, 8, 12})), {.permutation = {0, 2, 1}});
  EXPECT_EQ(operationsAfter(f, {b.matmul(back, f.constant({8, 2}, {0.1}))},
                            {raiseImages, chooseLayout, canonicalize, eliminateDeadCode}),
            "reshape conv2d gelu reshape matmul");
}

using After = std::function<Operand(Fixture&, const Operand&)>;

// Element-wise operations, and operations along the axes of the rows.
const std::vector<After> kAlongAxes{
    [](Fixture& f, const Operand& y) { return f.builder.tanh(y); },
    [](Fixture& f, const Operand& y) { return f.builder.softmax(y, 2); },
    [](Fixture& f, const Operand& y) { return f.builder.softmax(y, 1); },
    [](Fixture& f, const Operand& y) { return f.builder.cumulativeSum(y, 2, {.exclusive = true}); },
    [](Fixture& f, const Operand& y) {
      return f.builder.concat({y, f.builder.neg(y), y}, 2);
    },
    [](Fixture& f, const Operand& y) {
      return f.builder.concat({y, f.builder.neg(y)}, 0);
    },
    [](Fixture& f, const Operand& y) {
      return f.builder.concat({f.builder.neg(y), f.input({2, 3, 12})}, 1);
    },
    [](Fixture& f, const Operand& y) {
      return f.builder.split(y, std::vector<std::uint32_t>{3, 9}, {.axis = 2})[1];
    },
    [](Fixture& f, const Operand& y) { return f.builder.split(y, 2U, {.axis = 1})[1]; },
    [](Fixture& f, const Operand& y) {
      return f.builder.slice(y, {0, 1, 2}, {2, 2, 9}, {.strides = {1, 1, 2}});
    },
    [](Fixture& f, const Operand& y) {
      return f.builder.slice(y, {1, 0, 0}, {1, 3, 12});
    },
    [](Fixture& f, const Operand& y) {
      return f.builder.pad(y, {0, 1, 2}, {1, 0, 3});
    },
    [](Fixture& f, const Operand& y) {
      return f.builder.pad(y, {0, 0, 4}, {0, 0, 1}, {.mode = PaddingMode::reflection});
    },
    [](Fixture& f, const Operand& y) { return f.builder.reduceSum(y, {.axes = {1}, .keepDimensions = true}); },
    [](Fixture& f, const Operand& y) { return f.builder.reduceSum(y, {.axes = {2}, .keepDimensions = true}); },
    [](Fixture& f, const Operand& y) { return f.builder.sub(y, f.builder.reduceMean(y, {.axes = {2}, .keepDimensions = true})); },
    [](Fixture& f, const Operand& y) { return f.builder.reduceMax(y, {.axes = {2}}); },
    [](Fixture& f, const Operand& y) {
      return f.builder.reduceMax(y, {.axes = {0, 2}});
    },
};

// Operations with other operands, and operations that cannot be computed on images.
const std::vector<After> kOthers{
    [](Fixture& f, const Operand& y) { return f.builder.reduceMax(y, {.axes = {1}}); },
    [](Fixture& f, const Operand& y) {
      return f.builder.prelu(y, f.input({4, 1}));
    },
    [](Fixture& f, const Operand& y) {
      return f.builder.prelu(y, f.constant({12}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
    },
    [](Fixture& f, const Operand& y) { return f.builder.sub(f.input({12}), y); },
    [](Fixture& f, const Operand& y) {
      return f.builder.mul(f.input({4, 12}), y);
    },
    [](Fixture& f, const Operand& y) {
      return f.builder.mul(y, f.input({2, 1, 12}));
    },
    [](Fixture& f, const Operand& y) { return f.builder.add(y, f.input({})); },
    [](Fixture& f, const Operand& y) {
      return f.builder.add(y, f.input({3, 2, 4, 12}));
    },
    [](Fixture& f, const Operand& y) {
      return f.builder.where(f.builder.greater(y, f.constant({}, {0})), y, f.input({1, 4, 1}));
    },
    [](Fixture& f, const Operand& y) { return f.builder.batchNormalization(y, f.input({4}), f.constant({4}, {1}), {.axis = 1}); },
    [](Fixture& f, const Operand& y) {
      return f.builder.batchNormalization(y, f.input({12}), f.constant({12}, {1}), {.axis = 2});
    },
    [](Fixture& f, const Operand& y) {
      const Operand scale = f.constant({1, 1, 1}, {0.25}), zero = f.constant(DataType::int8, {1, 1, 1}, {3});
      return f.builder.dequantizeLinear(f.builder.quantizeLinear(y, scale, zero), scale, zero);
    },
    [](Fixture& f, const Operand& y) {
      return f.builder.transpose(y, {.permutation = {0, 2, 1}});
    },
    [](Fixture& f, const Operand& y) {
      return f.builder.transpose(y, {.permutation = {2, 0, 1}});
    },
    [](Fixture& f, const Operand& y) {
      return f.builder.reshape(y, {2, 4, 6, 2});
    },
    [](Fixture& f, const Operand& y) {
      return f.builder.layerNormalization(y, {.axes = {1, 2}});
    },
    [](Fixture& f, const Operand& y) {
      return f.builder.expand(y, {3, 2, 4, 12});
    },
};

TEST(RaiseImages, KeepsValuesThroughEveryOperationItKnows) {
  std::vector<After> all = kAlongAxes;
  all.insert(all.end(), kOthers.begin(), kOthers.end());
  for (const Shape& image : kImages) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      SCOPED_TRACE(toString(image) + " " + std::to_string(i));
      Fixture f;
      const Operand y = rowsOf(f, convolved(f, f.input({image[0], 3, image[2], image[3]})));
      const Operand z = all[i](f, y);
      std::vector<Operand> outputs{z, f.builder.relu(z)};  // the result of the operation, and of an operation that reads it
      if (z.rank() == 3) {
        const Shape& rows = z.shape();
        outputs.push_back(convolved(f, f.builder.reshape(z, {rows[0], rows[1], 1, rows[2]})));
      }
      expectCpuAgrees(f, outputs, {.relative = 1e-5, .absolute = 1e-5});
    }
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
