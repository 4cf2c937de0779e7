// Tests the offsets of values in the memory plan: views, slices, parts of concatenations and pads, results that overwrite
// operands.
#include <algorithm>

#include "cpu/cpu_support.h"
#include "cpu/dice.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

TEST(MemoryPlan, APartOfAConcatenationWhoseViewIsAnOutputLiesInThatOutput) {
  for (const std::uint32_t rows : {2U, 200U}) {
    for (const bool isOutput : {false, true}) {  // whether the concatenation is also an output
      for (const bool isFirst : {false, true}) {
        Fixture f;
        GraphBuilder& b = f.builder;
        const Operand part = b.abs(f.input({2, 3})), rest = b.abs(f.input({rows, 3}));
        const Operand view = b.reshape(part, {3, 2});
        const Operand joined = b.concat({part, rest}, 0), other = isOutput ? joined : b.neg(joined);
        expectCpuAgrees(f, isFirst ? std::vector{view, other} : std::vector{other, view});
      }
    }
  }
}

TEST(MemoryPlan, AViewOfAViewOfAPartMayBeAnOutput) {
  Fixture f;
  GraphBuilder& b = f.builder;
  const Operand part = b.abs(f.input({2, 3})), rest = b.abs(f.input({4, 3}));
  const Operand view = b.neg(b.reshape(part, {6})), again = b.reshape(b.reshape(part, {3, 2}), {1, 6});
  const Operand joined = b.concat({part, rest}, 0), twice = b.concat({rest, part}, 0);
  expectCpuAgrees(f, {again, view, b.neg(joined), b.reshape(joined, {3, 6}), b.exp(twice)},
                  {.disable = "canonicalize,canonicalizeLayout"});
}

TEST(MemoryPlan, APartOfTwoConcatenationsAndOfAViewOfOne) {
  Fixture f;
  GraphBuilder& b = f.builder;
  const Operand x = b.abs(f.input({3, 4})), y = b.abs(f.input({2, 4}));
  const Operand first = b.concat({x, y}, 0), second = b.concat({y, x, y}, 0);
  const Operand view = b.reshape(first, {20});
  expectCpuAgrees(f, {view, b.concat({b.reshape(second, {28}), b.neg(view)}, 0), b.reshape(y, {8})});
}

TEST(MemoryPlan, SplitsMayBePartsAndOutputs) {
  Fixture f;
  GraphBuilder& b = f.builder;
  const std::vector<Operand> parts = b.split(b.abs(f.input({1, 6, 2})), 3U, {.axis = 1});
  expectCpuAgrees(f, {b.concat({parts[2], parts[0]}, 1), b.reshape(parts[0], {4}), parts[1], b.exp(parts[2])});
}

// A row normalization absorbs the sum before it. An operand of the sum is also the scale or bias, so the result must not
// overwrite it.
TEST(MemoryPlan, ARowNormalizationDoesNotOverwriteItsScaleOrBias) {
  for (const Shape& shape : {Shape{19}, Shape{1, 64}, Shape{1, 1, 33}}) {
    for (const bool isScale : {true, false}) {
      for (const bool isReshaped : {true, false}) {
        Fixture f;
        GraphBuilder& b = f.builder;
        const Operand a = b.abs(f.input(shape));
        const auto axis = static_cast<std::uint32_t>(shape.size() - 1);
        const Operand sum = b.add(a, f.input(shape));
        Operand y;
        if (isReshaped) {
          const Operand row = b.reshape(a, {shape.back()});
          y = isScale ? b.layerNormalization(sum, {.scale = row, .axes = {axis}})
                      : b.layerNormalization(sum, {.bias = row, .axes = {axis}});
        } else {
          const Operand n = b.layerNormalization(sum, {.axes = {axis}});
          y = isScale ? b.mul(n, a) : b.add(n, a);
        }
        expectCpuAgrees(f, {y}, {.relative = 1e-5, .absolute = 1e-5});
      }
    }
  }
}

TEST(MemoryPlan, ANormalizationByItsOwnInputIsNotWrittenOverIt) {
  Fixture f;
  GraphBuilder& b = f.builder;
  const Operand x = b.abs(f.input({1, 40}));
  const Operand row = b.reshape(x, {40});
  const Operand y = b.layerNormalization(x, {.scale = row, .bias = row, .axes = {1}});
  expectCpuAgrees(f, {y, b.layerNormalization(b.add(y, y), {.axes = {1}})}, {.relative = 1e-5, .absolute = 1e-5});
}

TEST(MemoryPlan, AFusedOperationMayBeWrittenOverAnOperandThatItReadsUnderAnotherShape) {
  Fixture f;
  GraphBuilder& b = f.builder;
  const Operand x = b.abs(f.input({1, 1, 50}));
  const Operand y = b.mul(b.reshape(x, {50}), b.add(x, b.reshape(x, {1, 50})));
  const Operand column = b.abs(f.input({7, 1}));
  const Operand table = b.sub(b.transpose(column), column);  // the row is a view of the column, with the same bytes
  expectCpuAgrees(f, {y, b.mul(table, b.add(table, b.reshape(column, {1, 7})))}, {.disable = "fuseElementwise"});
}

TEST(MemoryPlan, ContiguousSlicesAreNotCopied) {
  Fixture f;
  GraphBuilder& b = f.builder;
  const Operand x = b.matmul(f.input({4, 8}), f.input({8, 8}));
  const Operand rows = b.slice(x, {1, 0}, {2, 8}), columns = b.slice(x, {0, 2}, {4, 4}), part = b.slice(x, {2, 2}, {1, 4}),
                apart = b.slice(x, {1, 0}, {2, 8}, {.strides = {2, 1}});
  const std::vector<std::string> kernels = cpuKernels(
      f, {b.softmax(rows, 1), b.softmax(columns, 1), b.softmax(part, 1), b.softmax(apart, 1), b.slice(x, {0, 0}, {3, 8})});
  // `columns`, `apart` (its rows are not adjacent) and the output have steps.
  EXPECT_EQ(std::ranges::count_if(kernels, [](const std::string& kernel) { return kernel.starts_with("slice"); }), 3);
}

// No step after `exp` reads the slice or its source. Still, the output must not overwrite the slice: the source, in which the
// slice lies, does not fit in the output's buffer.
TEST(MemoryPlan, AnOutputDoesNotOverwriteASlice) {
  for (const std::uint32_t start : {0U, 2U}) {
    Fixture f;
    GraphBuilder& b = f.builder;
    const Operand x = b.matmul(f.input({4, 8}), f.input({8, 8}));
    const Operand part = b.slice(x, {start, 0}, {2, 8});
    expectCpuAgrees(f, {b.reshape(b.exp(part), {16})}, {.relative = 1e-5, .absolute = 1e-5, .disable = "fuseEpilogues"});
  }
}

// x is computed in the memory of `padded`, and the concatenation copies x to another place. If `padded` were also computed in the
// memory of the concatenation, this copy would read x from the memory of the result.
TEST(MemoryPlan, AValueMayBeJoinedWithItsPad) {
  for (const bool isFirst : {false, true}) {
    Fixture f;
    GraphBuilder& b = f.builder;
    const Operand x = b.neg(f.input({5}));
    const Operand padded = b.pad(x, {1}, {1}, {.value = 4});
    const Operand again = b.pad(padded, {2}, {0});
    expectCpuAgrees(f, {b.concat(isFirst ? std::vector{x, padded, again} : std::vector{again, padded, x}, 0)});
  }
}

// Builds graphs of operations whose operands or results may share memory. Most sizes before the last two dimensions are 1, so
// that many slices, pads and concatenations are contiguous.
class RandomPlaces {
 public:
  explicit RandomPlaces(std::uint32_t seed) : dice_(seed) {}

  void run() {
    values_ = {f_.input(shape()), b_.matmul(f_.input({1, 4, 6}), f_.input({1, 6, 5}))};
    for (int i = dice_.from(4, 14); i > 0; --i) values_.push_back(made());
    std::vector<Operand> outputs{values_.back()};
    for (std::size_t i = 1; i + 1 < values_.size(); ++i) {
      if (dice_.oneIn(5)) outputs.push_back(values_[i]);
    }
    expectCpuAgrees(f_, outputs, {.seed = dice_.size(1, 999), .relative = 1e-5, .absolute = 1e-5});
  }

 private:
  Shape shape() { return {dice_.of({1U, 1U, 2U}), dice_.size(1, 5), dice_.size(1, 7)}; }
  const Operand& any() { return values_[dice_.size(0, static_cast<std::uint32_t>(values_.size() - 1))]; }

  Operand made() {
    const Operand x = any();
    const Shape& shape = x.shape();
    switch (dice_.from(0, 9)) {
      case 0: return b_.abs(x);
      case 1: return b_.softmax(x, 2);
      case 2: return b_.add(x, b_.neg(x));
      case 3: return b_.reshape(x, {shape[1], shape[0], shape[2]});
      case 4: return b_.pad(x, paddings(), paddings());
      case 5: return b_.transpose(x, {.permutation = {0, 2, 1}});
      case 6: return joined(x);
      default: return sliced(x);
    }
  }
  // Concatenates two to four values, which may be equal or contain each other.
  Operand joined(const Operand& x) {
    const std::uint32_t axis = dice_.size(0, 2);
    std::vector<std::uint32_t> padding(3);
    padding[axis] = dice_.size(1, 2);
    const Operand y = b_.abs(x);
    std::vector<Operand> fitting{x, y, b_.pad(y, padding, padding)};
    for (const Operand& value : values_) {
      Shape shape = value.shape();
      shape[axis] = x.shape()[axis];
      if (shape == x.shape()) fitting.push_back(value);
    }
    std::vector<Operand> parts;
    for (int i = dice_.from(2, 4); i > 0; --i)
      parts.push_back(fitting[dice_.size(0, static_cast<std::uint32_t>(fitting.size() - 1))]);
    return b_.concat(parts, axis);
  }
  std::vector<std::uint32_t> paddings() { return {0, dice_.size(0, 2), dice_.oneIn(4) ? 1U : 0U}; }
  Operand sliced(const Operand& x) {
    const Shape& shape = x.shape();
    std::vector<std::uint32_t> starts(3), sizes = shape, strides(3, 1);
    for (std::size_t d = 0; d < 2 + std::size_t{dice_.oneIn(4)}; ++d) {
      starts[d] = dice_.size(0, shape[d] - 1);
      sizes[d] = dice_.size(1, shape[d] - starts[d]);
      if (dice_.oneIn(6)) strides[d] = 2;
    }
    return b_.slice(x, starts, sizes, {.strides = strides});
  }

  Dice dice_;
  Fixture f_;
  GraphBuilder& b_ = f_.builder;
  std::vector<Operand> values_;
};

TEST(MemoryPlan, SharesMemoryOnlyIfResultsAreTheSame) { runSeeds<RandomPlaces>(150); }

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
