#include "describe/rust_examples.h"

#include <algorithm>
#include <iterator>
namespace webnn::describe {

namespace {

struct Row {
  std::string_view method;
  RustExample example;
};
// clang-format off
constexpr Row kRows[] = {
  {"abs", {"builder.constant(&[2], &[1.0f32, 2.0])?", "", "DataType::Float32", "[2]"}},
  {"add", {"builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?", "", "DataType::Float32", "[2]"}},
  {"arg_max", {"builder.constant(&[1, 3], &[1.0f32, 3.0, 2.0])?, 1", "", "DataType::Int32", "[1]"}},
  {"arg_min", {"builder.constant(&[1, 3], &[1.0f32, 3.0, 2.0])?, 1", "", "DataType::Int32", "[1]"}},
  {"average_pool2d", {"builder.input(\"x\", DataType::Float32, &[1, 2, 6, 6])?", ".window_dimensions(&[3, 3])", "DataType::Float32", "[1, 2, 4, 4]"}},
  {"batch_normalization", {"builder.input(\"x\", DataType::Float32, &[1, 2, 6, 6])?, builder.constant(&[2], &[0.0f32, 0.5])?, builder.constant(&[2], &[1.0f32, 2.0])?", "", "DataType::Float32", "[1, 2, 6, 6]"}},
  {"cast", {"builder.constant(&[2], &[1.0f32, 2.0])?, DataType::Int32", "", "DataType::Int32", "[2]"}},
  {"ceil", {"builder.constant(&[2], &[1.0f32, 2.0])?", "", "DataType::Float32", "[2]"}},
  {"clamp", {"builder.constant(&[2], &[-1.0f32, 9.0])?", ".min_value(0).max_value(6)", "DataType::Float32", "[2]"}},
  {"concat", {"&[builder.constant(&[1, 2], &[1.0f32, 2.0])?, builder.constant(&[1, 2], &[3.0f32, 4.0])?], 0", "", "DataType::Float32", "[2, 2]"}},
  {"conv2d", {"builder.input(\"x\", DataType::Float32, &[1, 3, 8, 8])?, builder.constant(&[4, 3, 3, 3], &[1f32; 108])?", ".padding(&[1, 1, 1, 1])", "DataType::Float32", "[1, 4, 8, 8]"}},
  {"conv_transpose2d", {"builder.input(\"x\", DataType::Float32, &[1, 3, 4, 4])?, builder.constant(&[3, 2, 2, 2], &[1f32; 24])?", ".strides(&[2, 2])", "DataType::Float32", "[1, 2, 8, 8]"}},
  {"cos", {"builder.constant(&[2], &[1.0f32, 2.0])?", "", "DataType::Float32", "[2]"}},
  {"cumulative_sum", {"builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?, 1", "", "DataType::Float32", "[1, 3]"}},
  {"dequantize_linear", {"builder.input(\"x\", DataType::Uint8, &[2, 3])?, builder.constant(&[1, 1], &[0.5f32])?, builder.constant(&[1, 1], &[128u8])?", "", "DataType::Float32", "[2, 3]"}},
  {"div", {"builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?", "", "DataType::Float32", "[2]"}},
  {"elu", {"builder.constant(&[2], &[1.0f32, 2.0])?", "", "DataType::Float32", "[2]"}},
  {"equal", {"builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?", "", "DataType::Uint8", "[2]"}},
  {"erf", {"builder.constant(&[2], &[1.0f32, 2.0])?", "", "DataType::Float32", "[2]"}},
  {"exp", {"builder.constant(&[2], &[1.0f32, 2.0])?", "", "DataType::Float32", "[2]"}},
  {"expand", {"builder.constant(&[2], &[1.0f32, 2.0])?, &[3, 2]", "", "DataType::Float32", "[3, 2]"}},
  {"floor", {"builder.constant(&[2], &[1.0f32, 2.0])?", "", "DataType::Float32", "[2]"}},
  {"gather", {"builder.constant(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0])?, builder.constant(&[3], &[1i32, 0, 1])?", ".axis(1)", "DataType::Float32", "[2, 3]"}},
  {"gather_elements", {"builder.constant(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0])?, builder.constant(&[1, 2], &[0i32, 1])?", ".axis(0)", "DataType::Float32", "[1, 2]"}},
  {"gather_nd", {"builder.constant(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0])?, builder.constant(&[2, 2], &[0i32, 1, 1, 1])?", "", "DataType::Float32", "[2]"}},
  {"gelu", {"builder.constant(&[2], &[1.0f32, 2.0])?", "", "DataType::Float32", "[2]"}},
  {"gemm", {"builder.input(\"a\", DataType::Float32, &[2, 3])?, builder.input(\"b\", DataType::Float32, &[3, 4])?", ".c(builder.constant(&[], &[1f32])?).alpha(0.5)", "DataType::Float32", "[2, 4]"}},
  {"greater", {"builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?", "", "DataType::Uint8", "[2]"}},
  {"greater_or_equal", {"builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?", "", "DataType::Uint8", "[2]"}},
  {"gru", {"builder.input(\"x\", DataType::Float32, &[2, 1, 3])?, builder.constant(&[1, 12, 3], &[1f32; 36])?, builder.constant(&[1, 12, 4], &[1f32; 48])?, 2, 4", "", "DataType::Float32", "[1, 1, 4]"}},
  {"gru_cell", {"builder.input(\"x\", DataType::Float32, &[1, 3])?, builder.constant(&[12, 3], &[1f32; 36])?, builder.constant(&[12, 4], &[1f32; 48])?, builder.input(\"h\", DataType::Float32, &[1, 4])?, 4", "", "DataType::Float32", "[1, 4]"}},
  {"hard_sigmoid", {"builder.constant(&[2], &[1.0f32, 2.0])?", "", "DataType::Float32", "[2]"}},
  {"hard_swish", {"builder.constant(&[2], &[1.0f32, 2.0])?", "", "DataType::Float32", "[2]"}},
  {"identity", {"builder.constant(&[2], &[1.0f32, 2.0])?", "", "DataType::Float32", "[2]"}},
  {"instance_normalization", {"builder.input(\"x\", DataType::Float32, &[1, 2, 6, 6])?", "", "DataType::Float32", "[1, 2, 6, 6]"}},
  {"is_infinite", {"builder.constant(&[2], &[1.0f32, 2.0])?", "", "DataType::Uint8", "[2]"}},
  {"is_nan", {"builder.constant(&[2], &[1.0f32, 2.0])?", "", "DataType::Uint8", "[2]"}},
  {"l2_pool2d", {"builder.input(\"x\", DataType::Float32, &[1, 2, 6, 6])?", ".window_dimensions(&[2, 2])", "DataType::Float32", "[1, 2, 5, 5]"}},
  {"layer_normalization", {"builder.input(\"x\", DataType::Float32, &[2, 3])?", ".axes(&[1])", "DataType::Float32", "[2, 3]"}},
  {"leaky_relu", {"builder.constant(&[2], &[1.0f32, 2.0])?", "", "DataType::Float32", "[2]"}},
  {"lesser", {"builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?", "", "DataType::Uint8", "[2]"}},
  {"lesser_or_equal", {"builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?", "", "DataType::Uint8", "[2]"}},
  {"linear", {"builder.constant(&[2], &[1.0f32, 2.0])?", "", "DataType::Float32", "[2]"}},
  {"log", {"builder.constant(&[2], &[1.0f32, 2.0])?", "", "DataType::Float32", "[2]"}},
  {"logical_and", {"builder.constant(&[2], &[1u8, 0])?, builder.constant(&[2], &[1u8, 1])?", "", "DataType::Uint8", "[2]"}},
  {"logical_not", {"builder.constant(&[2], &[1u8, 0])?", "", "DataType::Uint8", "[2]"}},
  {"logical_or", {"builder.constant(&[2], &[1u8, 0])?, builder.constant(&[2], &[1u8, 1])?", "", "DataType::Uint8", "[2]"}},
  {"logical_xor", {"builder.constant(&[2], &[1u8, 0])?, builder.constant(&[2], &[1u8, 1])?", "", "DataType::Uint8", "[2]"}},
  {"lstm", {"builder.input(\"x\", DataType::Float32, &[2, 1, 3])?, builder.constant(&[1, 16, 3], &[1f32; 48])?, builder.constant(&[1, 16, 4], &[1f32; 64])?, 2, 4", "", "DataType::Float32", "[1, 1, 4]"}},
  {"lstm_cell", {"builder.input(\"x\", DataType::Float32, &[1, 3])?, builder.constant(&[16, 3], &[1f32; 48])?, builder.constant(&[16, 4], &[1f32; 64])?, builder.input(\"h\", DataType::Float32, &[1, 4])?, builder.input(\"c\", DataType::Float32, &[1, 4])?, 4", "", "DataType::Float32", "[1, 4]"}},
  {"matmul", {"builder.input(\"a\", DataType::Float32, &[5, 2, 3])?, builder.input(\"b\", DataType::Float32, &[3, 4])?", "", "DataType::Float32", "[5, 2, 4]"}},
  {"max", {"builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?", "", "DataType::Float32", "[2]"}},
  {"max_pool2d", {"builder.input(\"x\", DataType::Float32, &[1, 2, 6, 6])?", ".window_dimensions(&[2, 2]).strides(&[2, 2])", "DataType::Float32", "[1, 2, 3, 3]"}},
  {"min", {"builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?", "", "DataType::Float32", "[2]"}},
  {"mul", {"builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?", "", "DataType::Float32", "[2]"}},
  {"neg", {"builder.constant(&[2], &[1.0f32, 2.0])?", "", "DataType::Float32", "[2]"}},
  {"not_equal", {"builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?", "", "DataType::Uint8", "[2]"}},
  {"pad", {"builder.constant(&[1, 2], &[1.0f32, 2.0])?, &[0, 1], &[0, 1]", ".mode(PaddingMode::Edge)", "DataType::Float32", "[1, 4]"}},
  {"pow", {"builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?", "", "DataType::Float32", "[2]"}},
  {"prelu", {"builder.constant(&[2], &[-1.0f32, 2.0])?, builder.constant(&[], &[0.25f32])?", "", "DataType::Float32", "[2]"}},
  {"quantize_linear", {"builder.input(\"x\", DataType::Float32, &[2, 3])?, builder.constant(&[1, 1], &[0.5f32])?, builder.constant(&[1, 1], &[128u8])?", "", "DataType::Uint8", "[2, 3]"}},
  {"reciprocal", {"builder.constant(&[2], &[1.0f32, 2.0])?", "", "DataType::Float32", "[2]"}},
  {"reduce_l1", {"builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?", ".axes(&[1])", "DataType::Float32", "[1]"}},
  {"reduce_l2", {"builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?", ".axes(&[1])", "DataType::Float32", "[1]"}},
  {"reduce_log_sum", {"builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?", ".axes(&[1])", "DataType::Float32", "[1]"}},
  {"reduce_log_sum_exp", {"builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?", ".axes(&[1])", "DataType::Float32", "[1]"}},
  {"reduce_max", {"builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?", ".axes(&[1])", "DataType::Float32", "[1]"}},
  {"reduce_mean", {"builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?", ".axes(&[1])", "DataType::Float32", "[1]"}},
  {"reduce_min", {"builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?", ".axes(&[1])", "DataType::Float32", "[1]"}},
  {"reduce_product", {"builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?", ".axes(&[1])", "DataType::Float32", "[1]"}},
  {"reduce_sum", {"builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?", ".axes(&[1])", "DataType::Float32", "[1]"}},
  {"reduce_sum_square", {"builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?", ".axes(&[1])", "DataType::Float32", "[1]"}},
  {"relu", {"builder.constant(&[2], &[1.0f32, 2.0])?", "", "DataType::Float32", "[2]"}},
  {"resample2d", {"builder.input(\"x\", DataType::Float32, &[1, 2, 3, 4])?", ".scales(&[2.0, 2.0]).mode(InterpolationMode::Linear)", "DataType::Float32", "[1, 2, 6, 8]"}},
  {"reshape", {"builder.constant(&[4], &[1.0f32, 2.0, 3.0, 4.0])?, &[2, 2]", "", "DataType::Float32", "[2, 2]"}},
  {"reverse", {"builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?", ".axes(&[1])", "DataType::Float32", "[1, 3]"}},
  {"round_even", {"builder.constant(&[2], &[1.0f32, 2.0])?", "", "DataType::Float32", "[2]"}},
  {"scatter_elements", {"builder.constant(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0])?, builder.constant(&[1, 2], &[0i32, 1])?, builder.constant(&[1, 2], &[9.0f32, 8.0])?", ".axis(0)", "DataType::Float32", "[2, 2]"}},
  {"scatter_nd", {"builder.constant(&[3], &[1.0f32, 2.0, 3.0])?, builder.constant(&[2, 1], &[2i32, 0])?, builder.constant(&[2], &[9.0f32, 8.0])?", "", "DataType::Float32", "[3]"}},
  {"sigmoid", {"builder.constant(&[2], &[1.0f32, 2.0])?", "", "DataType::Float32", "[2]"}},
  {"sign", {"builder.constant(&[2], &[1.0f32, 2.0])?", "", "DataType::Float32", "[2]"}},
  {"sin", {"builder.constant(&[2], &[1.0f32, 2.0])?", "", "DataType::Float32", "[2]"}},
  {"slice", {"builder.constant(&[4], &[1.0f32, 2.0, 3.0, 4.0])?, &[1], &[2]", "", "DataType::Float32", "[2]"}},
  {"softmax", {"builder.constant(&[1, 3], &[1.0f32, 2.0, 3.0])?, 1", "", "DataType::Float32", "[1, 3]"}},
  {"softplus", {"builder.constant(&[2], &[1.0f32, 2.0])?", "", "DataType::Float32", "[2]"}},
  {"softsign", {"builder.constant(&[2], &[1.0f32, 2.0])?", "", "DataType::Float32", "[2]"}},
  {"split", {"builder.constant(&[4], &[1.0f32, 2.0, 3.0, 4.0])?, &[1, 3]", "", "DataType::Float32", "[1]"}},
  {"sqrt", {"builder.constant(&[2], &[1.0f32, 2.0])?", "", "DataType::Float32", "[2]"}},
  {"sub", {"builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[3.0f32])?", "", "DataType::Float32", "[2]"}},
  {"tan", {"builder.constant(&[2], &[1.0f32, 2.0])?", "", "DataType::Float32", "[2]"}},
  {"tanh", {"builder.constant(&[2], &[1.0f32, 2.0])?", "", "DataType::Float32", "[2]"}},
  {"tile", {"builder.constant(&[2], &[1.0f32, 2.0])?, &[3]", "", "DataType::Float32", "[6]"}},
  {"transpose", {"builder.input(\"x\", DataType::Float32, &[2, 3, 4])?", ".permutation(&[0, 2, 1])", "DataType::Float32", "[2, 4, 3]"}},
  {"triangular", {"builder.constant(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0])?", ".upper(false)", "DataType::Float32", "[2, 2]"}},
  {"where", {"builder.constant(&[2], &[1u8, 0])?, builder.constant(&[2], &[1.0f32, 2.0])?, builder.constant(&[], &[0.0f32])?", "", "DataType::Float32", "[2]"}},
};
// clang-format on

}  // namespace

const RustExample* rustExample(std::string_view method) {
  const auto found = std::ranges::find(kRows, method, &Row::method);
  return found == std::end(kRows) ? nullptr : &found->example;
}

}  // namespace webnn::describe
