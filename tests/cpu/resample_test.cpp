// Tests resampling: both modes, every type, any two axes.
#include "cpu/cpu_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

constexpr DataType kTypes[] = {DataType::float32, DataType::float16, DataType::int8, DataType::uint8};
constexpr InterpolationMode kModes[] = {InterpolationMode::nearestNeighbor, InterpolationMode::linear};

void expectResamples(Fixture& f, const std::vector<Operand>& outputs, CpuCase how = {.low = -50, .high = 50}) {
  how.absolute = 2e-5;  // the numbers are at most 50
  expectCpuAgrees(f, outputs, how);
}

TEST(CpuResample, ResamplesAnyTwoAxes) {
  for (const DataType type : kTypes) {
    for (const InterpolationMode mode : kModes) {
      Fixture f;
      std::vector<Operand> outputs;
      const Operand x = f.input(type, {3, 4, 5, 6});
      for (std::uint32_t a = 0; a < 4; ++a) {
        for (std::uint32_t b = 0; b < 4; ++b) {
          if (a == b) continue;
          outputs.push_back(f.builder.resample2d(x, {.mode = mode, .scales = {2, 1.7f}, .axes = {a, b}}));
          outputs.push_back(f.builder.resample2d(x, {.mode = mode, .sizes = {7, 2}, .axes = {a, b}}));
        }
      }
      expectResamples(f, outputs);
    }
  }
}

TEST(CpuResample, ResamplesAnyNumberOfChannels) {
  for (const DataType type : kTypes) {
    for (const InterpolationMode mode : kModes) {
      Fixture f;
      std::vector<Operand> outputs;
      for (const std::uint32_t channels : {1U, 2U, 3U, 16U, 37U, 64U}) {
        outputs.push_back(
            f.builder.resample2d(f.input(type, {1, 9, 7, channels}), {.mode = mode, .scales = {2, 2}, .axes = {1, 2}}));
        outputs.push_back(
            f.builder.resample2d(f.input(type, {1, channels, 9, 7}), {.mode = mode, .sizes = {20, 41}, .axes = {2, 3}}));
      }
      expectResamples(f, outputs);
    }
  }
}

TEST(CpuResample, WritesItsPartOfAConcatenation) {
  for (const DataType type : kTypes) {
    for (const InterpolationMode mode : kModes) {
      for (const std::uint32_t channels : {1U, 2U, 3U, 7U, 16U, 37U}) {
        Fixture f;
        const Operand x = f.input(type, {2, 5, 4, channels});
        const Operand y = f.builder.resample2d(x, {.mode = mode, .sizes = {{11, 8}}, .axes = {1, 2}});
        const Operand z = f.builder.resample2d(x, {.mode = mode, .sizes = {{8, 11}}, .axes = {2, 1}});
        const Operand joined = f.builder.concat({y, f.input(type, {2, 11, 8, 3}), z}, 3);
        CpuCase how{.low = -50, .high = 50};
        if (type == DataType::float16) how.relative = 1e-3;  // a result may be off by one float16 unit, which is 1e-3
        expectResamples(f, {f.builder.neg(f.builder.cast(joined, DataType::float32))}, how);
      }
    }
  }
}

TEST(CpuResample, ResamplesLargeImages) {
  for (const InterpolationMode mode : kModes) {
    Fixture f;
    const Operand x = f.input({2, 40, 50, 33}), y = f.input({2, 3, 70, 90});
    expectResamples(f, {f.builder.resample2d(x, {.mode = mode, .scales = {2, 2}, .axes = {1, 2}}),
                        f.builder.resample2d(y, {.mode = mode, .scales = {0.4f, 3}, .axes = {2, 3}})});
  }
}

TEST(CpuResample, DoublesLinesOfAnyLength) {
  for (const DataType type : {DataType::float32, DataType::float16}) {
    Fixture f;
    std::vector<Operand> outputs;
    for (const std::uint32_t width : {1U, 2U, 3U, 4U, 5U, 17U, 18U, 34U, 40U}) {
      const Resample2dOptions options{.mode = InterpolationMode::linear, .scales = {2, 2}, .axes = {2, 3}};
      outputs.push_back(f.builder.resample2d(f.input(type, {1, 2, 3, width}), options));
    }
    expectResamples(f, outputs);
  }
}

TEST(CpuResample, TreatsNanAndInfinityAsTheFormulaDoes) {
  for (const DataType type : {DataType::float32, DataType::float16}) {
    for (const InterpolationMode mode : kModes) {
      Fixture f;
      const Operand x = f.input(type, {1, 6, 7, 5});
      expectResamples(f,
                      {f.builder.resample2d(x, {.mode = mode, .scales = {1, 2}, .axes = {1, 2}}),
                       f.builder.resample2d(x, {.mode = mode, .sizes = {13, 5}, .axes = {2, 3}})},
                      {.specials = true});
    }
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
