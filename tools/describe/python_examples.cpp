#include "describe/python_examples.h"

#include <algorithm>
#include <iterator>
namespace webnn::describe {

namespace {

struct Row {
  std::string_view method;
  PythonExample example;
};
// clang-format off
constexpr Row kRows[] = {
  {"abs", {"abs([1.0, 2.0])", "<MLOperand result float32[2]>"}},
  {"add", {"add([1.0, 2.0], 3.0)", "<MLOperand result float32[2]>"}},
  {"arg_max", {"arg_max([[1.0, 3.0, 2.0]], 1)", "<MLOperand result int32[1]>"}},
  {"arg_min", {"arg_min([[1.0, 3.0, 2.0]], 1)", "<MLOperand result int32[1]>"}},
  {"average_pool2d", {"average_pool2d(builder.input(\"x\", [1, 2, 6, 6]), [3, 3])", "<MLOperand result float32[1, 2, 4, 4]>"}},
  {"batch_normalization", {"batch_normalization(builder.input(\"x\", [1, 2, 6, 6]), [0.0, 0.5], [1.0, 2.0])", "<MLOperand result float32[1, 2, 6, 6]>"}},
  {"cast", {"cast([1.0, 2.0], \"int32\")", "<MLOperand result int32[2]>"}},
  {"ceil", {"ceil([1.0, 2.0])", "<MLOperand result float32[2]>"}},
  {"clamp", {"clamp([-1.0, 9.0], min_value=0, max_value=6)", "<MLOperand result float32[2]>"}},
  {"concat", {"concat([[[1.0, 2.0]], [[3.0, 4.0]]], 0)", "<MLOperand result float32[2, 2]>"}},
  {"conv2d", {"conv2d(builder.input(\"x\", [1, 3, 8, 8]), np.ones((4, 3, 3, 3), np.float32), padding=[1, 1, 1, 1])", "<MLOperand result float32[1, 4, 8, 8]>"}},
  {"conv_transpose2d", {"conv_transpose2d(builder.input(\"x\", [1, 3, 4, 4]), np.ones((3, 2, 2, 2), np.float32), strides=[2, 2])", "<MLOperand result float32[1, 2, 8, 8]>"}},
  {"cos", {"cos([1.0, 2.0])", "<MLOperand result float32[2]>"}},
  {"cumulative_sum", {"cumulative_sum([[1.0, 2.0, 3.0]], 1)", "<MLOperand result float32[1, 3]>"}},
  {"dequantize_linear", {"dequantize_linear(builder.input(\"x\", [2, 3], \"uint8\"), [[0.5]], [[128]])", "<MLOperand result float32[2, 3]>"}},
  {"div", {"div([1.0, 2.0], 3.0)", "<MLOperand result float32[2]>"}},
  {"elu", {"elu([1.0, 2.0])", "<MLOperand result float32[2]>"}},
  {"equal", {"equal([1.0, 2.0], 3.0)", "<MLOperand result uint8[2]>"}},
  {"erf", {"erf([1.0, 2.0])", "<MLOperand result float32[2]>"}},
  {"exp", {"exp([1.0, 2.0])", "<MLOperand result float32[2]>"}},
  {"expand", {"expand([1.0, 2.0], [3, 2])", "<MLOperand result float32[3, 2]>"}},
  {"floor", {"floor([1.0, 2.0])", "<MLOperand result float32[2]>"}},
  {"gather", {"gather([[1.0, 2.0], [3.0, 4.0]], [1, 0, 1], axis=1)", "<MLOperand result float32[2, 3]>"}},
  {"gather_elements", {"gather_elements([[1.0, 2.0], [3.0, 4.0]], [[0, 1]], axis=0)", "<MLOperand result float32[1, 2]>"}},
  {"gather_nd", {"gather_nd([[1.0, 2.0], [3.0, 4.0]], [[0, 1], [1, 1]])", "<MLOperand result float32[2]>"}},
  {"gelu", {"gelu([1.0, 2.0])", "<MLOperand result float32[2]>"}},
  {"gemm", {"gemm(builder.input(\"a\", [2, 3]), builder.input(\"b\", [3, 4]), c=1.0, alpha=0.5)", "<MLOperand result float32[2, 4]>"}},
  {"greater", {"greater([1.0, 2.0], 3.0)", "<MLOperand result uint8[2]>"}},
  {"greater_or_equal", {"greater_or_equal([1.0, 2.0], 3.0)", "<MLOperand result uint8[2]>"}},
  {"gru", {"gru(builder.input(\"x\", [2, 1, 3]), np.ones((1, 12, 3), np.float32), np.ones((1, 12, 4), np.float32), 2, 4)", "[<MLOperand result float32[1, 1, 4]>]"}},
  {"gru_cell", {"gru_cell(builder.input(\"x\", [1, 3]), np.ones((12, 3), np.float32), np.ones((12, 4), np.float32), builder.input(\"h\", [1, 4]), 4)", "<MLOperand result float32[1, 4]>"}},
  {"hard_sigmoid", {"hard_sigmoid([1.0, 2.0])", "<MLOperand result float32[2]>"}},
  {"hard_swish", {"hard_swish([1.0, 2.0])", "<MLOperand result float32[2]>"}},
  {"identity", {"identity([1.0, 2.0])", "<MLOperand result float32[2]>"}},
  {"instance_normalization", {"instance_normalization(builder.input(\"x\", [1, 2, 6, 6]))", "<MLOperand result float32[1, 2, 6, 6]>"}},
  {"is_infinite", {"is_infinite([1.0, 2.0])", "<MLOperand result uint8[2]>"}},
  {"is_nan", {"is_nan([1.0, 2.0])", "<MLOperand result uint8[2]>"}},
  {"l2_pool2d", {"l2_pool2d(builder.input(\"x\", [1, 2, 6, 6]), window_dimensions=[2, 2])", "<MLOperand result float32[1, 2, 5, 5]>"}},
  {"layer_normalization", {"layer_normalization(builder.input(\"x\", [2, 3]), axes=[1])", "<MLOperand result float32[2, 3]>"}},
  {"leaky_relu", {"leaky_relu([1.0, 2.0])", "<MLOperand result float32[2]>"}},
  {"lesser", {"lesser([1.0, 2.0], 3.0)", "<MLOperand result uint8[2]>"}},
  {"lesser_or_equal", {"lesser_or_equal([1.0, 2.0], 3.0)", "<MLOperand result uint8[2]>"}},
  {"linear", {"linear([1.0, 2.0])", "<MLOperand result float32[2]>"}},
  {"log", {"log([1.0, 2.0])", "<MLOperand result float32[2]>"}},
  {"logical_and", {"logical_and([1, 0], [1, 1])", "<MLOperand result uint8[2]>"}},
  {"logical_not", {"logical_not([1, 0])", "<MLOperand result uint8[2]>"}},
  {"logical_or", {"logical_or([1, 0], [1, 1])", "<MLOperand result uint8[2]>"}},
  {"logical_xor", {"logical_xor([1, 0], [1, 1])", "<MLOperand result uint8[2]>"}},
  {"lstm", {"lstm(builder.input(\"x\", [2, 1, 3]), np.ones((1, 16, 3), np.float32), np.ones((1, 16, 4), np.float32), 2, 4)", "[<MLOperand result float32[1, 1, 4]>, <MLOperand result float32[1, 1, 4]>]"}},
  {"lstm_cell", {"lstm_cell(builder.input(\"x\", [1, 3]), np.ones((16, 3), np.float32), np.ones((16, 4), np.float32), builder.input(\"h\", [1, 4]), builder.input(\"c\", [1, 4]), 4)", "[<MLOperand result float32[1, 4]>, <MLOperand result float32[1, 4]>]"}},
  {"matmul", {"matmul(builder.input(\"a\", [5, 2, 3]), builder.input(\"b\", [3, 4]))", "<MLOperand result float32[5, 2, 4]>"}},
  {"max", {"max([1.0, 2.0], 3.0)", "<MLOperand result float32[2]>"}},
  {"max_pool2d", {"max_pool2d(builder.input(\"x\", [1, 2, 6, 6]), [2, 2], strides=[2, 2])", "<MLOperand result float32[1, 2, 3, 3]>"}},
  {"min", {"min([1.0, 2.0], 3.0)", "<MLOperand result float32[2]>"}},
  {"mul", {"mul([1.0, 2.0], 3.0)", "<MLOperand result float32[2]>"}},
  {"neg", {"neg([1.0, 2.0])", "<MLOperand result float32[2]>"}},
  {"not_equal", {"not_equal([1.0, 2.0], 3.0)", "<MLOperand result uint8[2]>"}},
  {"pad", {"pad([[1.0, 2.0]], [0, 1], [0, 1], mode=\"edge\")", "<MLOperand result float32[1, 4]>"}},
  {"pow", {"pow([1.0, 2.0], 3.0)", "<MLOperand result float32[2]>"}},
  {"prelu", {"prelu([-1.0, 2.0], 0.25)", "<MLOperand result float32[2]>"}},
  {"quantize_linear", {"quantize_linear(builder.input(\"x\", [2, 3]), [[0.5]], np.array([[128]], np.uint8))", "<MLOperand result uint8[2, 3]>"}},
  {"reciprocal", {"reciprocal([1.0, 2.0])", "<MLOperand result float32[2]>"}},
  {"reduce_l1", {"reduce_l1([[1.0, 2.0, 3.0]], axes=[1])", "<MLOperand result float32[1]>"}},
  {"reduce_l2", {"reduce_l2([[1.0, 2.0, 3.0]], axes=[1])", "<MLOperand result float32[1]>"}},
  {"reduce_log_sum", {"reduce_log_sum([[1.0, 2.0, 3.0]], axes=[1])", "<MLOperand result float32[1]>"}},
  {"reduce_log_sum_exp", {"reduce_log_sum_exp([[1.0, 2.0, 3.0]], axes=[1])", "<MLOperand result float32[1]>"}},
  {"reduce_max", {"reduce_max([[1.0, 2.0, 3.0]], axes=[1])", "<MLOperand result float32[1]>"}},
  {"reduce_mean", {"reduce_mean([[1.0, 2.0, 3.0]], axes=[1])", "<MLOperand result float32[1]>"}},
  {"reduce_min", {"reduce_min([[1.0, 2.0, 3.0]], axes=[1])", "<MLOperand result float32[1]>"}},
  {"reduce_product", {"reduce_product([[1.0, 2.0, 3.0]], axes=[1])", "<MLOperand result float32[1]>"}},
  {"reduce_sum", {"reduce_sum([[1.0, 2.0, 3.0]], axes=[1])", "<MLOperand result float32[1]>"}},
  {"reduce_sum_square", {"reduce_sum_square([[1.0, 2.0, 3.0]], axes=[1])", "<MLOperand result float32[1]>"}},
  {"relu", {"relu([1.0, 2.0])", "<MLOperand result float32[2]>"}},
  {"resample2d", {"resample2d(builder.input(\"x\", [1, 2, 3, 4]), scales=[2.0, 2.0], mode=\"linear\")", "<MLOperand result float32[1, 2, 6, 8]>"}},
  {"reshape", {"reshape([1.0, 2.0, 3.0, 4.0], [2, 2])", "<MLOperand result float32[2, 2]>"}},
  {"reverse", {"reverse([[1.0, 2.0, 3.0]], axes=[1])", "<MLOperand result float32[1, 3]>"}},
  {"round_even", {"round_even([1.0, 2.0])", "<MLOperand result float32[2]>"}},
  {"scatter_elements", {"scatter_elements([[1.0, 2.0], [3.0, 4.0]], [[0, 1]], [[9.0, 8.0]], axis=0)", "<MLOperand result float32[2, 2]>"}},
  {"scatter_nd", {"scatter_nd([1.0, 2.0, 3.0], [[2], [0]], [9.0, 8.0])", "<MLOperand result float32[3]>"}},
  {"sigmoid", {"sigmoid([1.0, 2.0])", "<MLOperand result float32[2]>"}},
  {"sign", {"sign([1.0, 2.0])", "<MLOperand result float32[2]>"}},
  {"sin", {"sin([1.0, 2.0])", "<MLOperand result float32[2]>"}},
  {"slice", {"slice([1.0, 2.0, 3.0, 4.0], [1], [2])", "<MLOperand result float32[2]>"}},
  {"softmax", {"softmax([[1.0, 2.0, 3.0]], 1)", "<MLOperand result float32[1, 3]>"}},
  {"softplus", {"softplus([1.0, 2.0])", "<MLOperand result float32[2]>"}},
  {"softsign", {"softsign([1.0, 2.0])", "<MLOperand result float32[2]>"}},
  {"split", {"split([1.0, 2.0, 3.0, 4.0], [1, 3])", "[<MLOperand result float32[1]>, <MLOperand result float32[3]>]"}},
  {"sqrt", {"sqrt([1.0, 2.0])", "<MLOperand result float32[2]>"}},
  {"sub", {"sub([1.0, 2.0], 3.0)", "<MLOperand result float32[2]>"}},
  {"tan", {"tan([1.0, 2.0])", "<MLOperand result float32[2]>"}},
  {"tanh", {"tanh([1.0, 2.0])", "<MLOperand result float32[2]>"}},
  {"tile", {"tile([1.0, 2.0], [3])", "<MLOperand result float32[6]>"}},
  {"transpose", {"transpose(builder.input(\"x\", [2, 3, 4]), [0, 2, 1])", "<MLOperand result float32[2, 4, 3]>"}},
  {"triangular", {"triangular([[1.0, 2.0], [3.0, 4.0]], upper=False)", "<MLOperand result float32[2, 2]>"}},
  {"where", {"where([1, 0], [1.0, 2.0], 0.0)", "<MLOperand result float32[2]>"}},
};
// clang-format on

}  // namespace

const PythonExample* pythonExample(std::string_view method) {
  const auto found = std::ranges::find(kRows, method, &Row::method);
  return found == std::end(kRows) ? nullptr : &found->example;
}

}  // namespace webnn::describe
