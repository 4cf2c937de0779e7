// Tests the offsets of values in the memory plan: views, parts of concatenations, results that overwrite operands.
#include "cpu/cpu_support.h"

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

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
