// The engine as a whole: what a graph's inputs, outputs and constants may be.
#include "cpu/cpu_support.h"

namespace webnn::test {
namespace {

TEST(CpuExecutable, PassesInputsAndConstantsThrough) {
  Fixture f;
  const Operand x = f.input({2, 3});
  const Operand c = f.constant({2}, {1, 2});
  expectCpuAgrees(f, {f.builder.identity(x), f.builder.identity(c), f.builder.reshape(x, {3, 2}), f.builder.identity(x)});
}

TEST(CpuExecutable, MovesFourBitElements) {
  Fixture f;
  const Operand x = f.input(DataType::int4, {3, 5});
  expectCpuAgrees(f, {f.builder.transpose(x), f.builder.cast(x, DataType::float32)}, {.low = -8, .high = 7});
}

}  // namespace
}  // namespace webnn::test
