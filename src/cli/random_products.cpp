#include <cmath>

#include "cli/random_maker.h"

namespace webnn::cli {

namespace {

using Results = std::vector<Operand>;
using enum DataType;

std::uint32_t inner(RandomMaker& m) { return m.oneIn(8) ? m.between(60, 300) : m.size(); }

void matmul(RandomMaker& m, Results& results) {
  const Operand a = m.realOperand(2, 5);
  Shape shape(a.shape().begin(), a.shape().end() - 2);
  if (m.oneIn(2)) shape.erase(shape.begin(), shape.begin() + m.below(static_cast<std::uint32_t>(shape.size() + 1)));
  for (std::uint32_t& size : shape) size = m.oneIn(2) ? 1 : size;
  shape.push_back(a.shape().back());
  shape.push_back(m.oneIn(6) ? m.between(30, 100) : m.size());
  if (m.oneIn(3)) {  // transposed
    std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
    std::vector<std::uint32_t> permutation;
    for (std::uint32_t i = 0; i < shape.size(); ++i) permutation.push_back(i);
    std::swap(permutation[shape.size() - 1], permutation[shape.size() - 2]);
    results.push_back(m.builder.matmul(a, m.builder.transpose(m.fresh(a.dataType(), shape), {.permutation = permutation})));
  } else {
    results.push_back(m.builder.matmul(a, m.fresh(a.dataType(), shape)));
  }
}

void gemm(RandomMaker& m, Results& results) {
  const DataType type = m.floatType();
  const std::uint32_t rows = m.size(), columns = m.oneIn(5) ? m.between(30, 100) : m.size(), k = inner(m);
  GemmOptions options{.alpha = m.oneIn(2) ? 1.0 : m.real(-1, 2),
                      .beta = m.oneIn(2) ? 1.0 : m.real(-1, 2),
                      .aTranspose = m.oneIn(2),
                      .bTranspose = m.oneIn(2)};
  if (m.oneIn(2)) options.c = m.broadcastable(type, {rows, columns});
  const Operand a = m.fresh(type, options.aTranspose ? Shape{k, rows} : Shape{rows, k});
  results.push_back(m.builder.gemm(a, m.fresh(type, options.bTranspose ? Shape{columns, k} : Shape{k, columns}), options));
}

// A layer as networks have them: product, bias, activation, sometimes a residual.
void dense(RandomMaker& m, Results& results) {
  const Operand x = m.any({float32}, 2, 3);
  const std::uint32_t width = m.oneIn(2) ? x.shape().back() : m.between(1, 70);
  Operand y = m.builder.matmul(x, m.fresh(float32, {x.shape().back(), width}, -0.5, 0.5));
  if (!m.oneIn(4)) y = m.builder.add(y, m.fresh(float32, {width}));
  if (m.oneIn(2)) y = m.oneIn(2) ? m.builder.relu(y) : m.builder.gelu(y);
  if (y.shape() == x.shape() && m.oneIn(2)) y = m.builder.add(y, x);
  results.push_back(y);
}

struct Image {
  Shape shape;
  std::uint32_t channels, height, width;
};

Image image(RandomMaker& m, InputOperandLayout layout, std::uint32_t channels) {
  const std::uint32_t batch = m.oneIn(3) ? 2 : 1, height = m.between(1, 14), width = m.between(1, 14);
  if (layout == InputOperandLayout::nhwc) return {{batch, height, width, channels}, channels, height, width};
  return {{batch, channels, height, width}, channels, height, width};
}

// A 4-D value of the pool if there is one.
Operand imageOperand(RandomMaker& m, DataType type, InputOperandLayout layout, std::uint32_t channels) {
  for (RandomMaker::Value& value : m.pool) {
    const Shape& shape = value.operand.shape();
    if (value.operand.dataType() != type || shape.size() != 4 || m.oneIn(4)) continue;
    if (shape[layout == InputOperandLayout::nhwc ? 3 : 1] != channels) continue;
    ++value.uses;
    m.allExact = m.allExact && value.isExact;
    return value.operand;
  }
  return m.fresh(type, image(m, layout, channels).shape);
}

void conv2d(RandomMaker& m, Results& results) {
  const DataType type = m.floatType();
  const auto layout = m.pick({InputOperandLayout::nchw, InputOperandLayout::nhwc});
  const std::uint32_t groups = m.oneIn(3) ? m.between(1, 4) : 1;
  const bool isDepthwise = m.oneIn(4);
  const std::uint32_t perGroup = isDepthwise ? 1 : m.oneIn(6) ? m.between(16, 33) : m.between(1, 9);
  const std::uint32_t channels = isDepthwise ? (m.oneIn(2) ? m.between(1, 40) : 16) : perGroup * groups;
  const std::uint32_t outGroups = isDepthwise ? channels : groups;
  const std::uint32_t out = outGroups * (m.oneIn(5) && !isDepthwise ? m.between(16, 36) : m.between(1, isDepthwise ? 2 : 9));
  const std::uint32_t kh = m.oneIn(2) ? 3 : m.between(1, 5), kw = m.oneIn(2) ? kh : m.between(1, 5);
  const auto filterLayout = m.pick({Conv2dFilterOperandLayout::oihw, Conv2dFilterOperandLayout::hwio,
                                    Conv2dFilterOperandLayout::ohwi, Conv2dFilterOperandLayout::ihwo});
  Shape filter{out, perGroup, kh, kw};
  if (filterLayout == Conv2dFilterOperandLayout::hwio) filter = {kh, kw, perGroup, out};
  if (filterLayout == Conv2dFilterOperandLayout::ohwi) filter = {out, kh, kw, perGroup};
  if (filterLayout == Conv2dFilterOperandLayout::ihwo) filter = {perGroup, kh, kw, out};
  Conv2dOptions options{.groups = outGroups, .inputLayout = layout, .filterLayout = filterLayout};
  if (!m.oneIn(3)) options.padding = {m.below(3), m.below(3), m.below(3), m.below(3)};
  if (m.oneIn(3)) options.strides = {m.between(1, 3), m.between(1, 3)};
  if (m.oneIn(4)) options.dilations = {m.between(1, 3), m.between(1, 3)};
  if (m.oneIn(2)) options.bias = m.fresh(type, {out});
  Operand y = m.builder.conv2d(imageOperand(m, type, layout, channels), m.fresh(type, filter, -0.7, 0.7), options);
  if (m.oneIn(3)) y = m.builder.relu(y);
  if (m.oneIn(6)) y = m.builder.clamp(y, {.minValue = 0, .maxValue = 6});
  if (m.oneIn(4)) y = m.builder.add(y, m.broadcastable(type, y.shape()));
  results.push_back(y);
}

void convTranspose2d(RandomMaker& m, Results& results) {
  const DataType type = m.floatType();
  const auto layout = m.pick({InputOperandLayout::nchw, InputOperandLayout::nhwc});
  const std::uint32_t groups = m.oneIn(3) ? m.between(1, 3) : 1, channels = groups * m.between(1, 6), out = m.between(1, 6);
  const std::uint32_t kh = m.between(1, 4), kw = m.between(1, 4);
  const auto filterLayout = m.pick({ConvTranspose2dFilterOperandLayout::iohw, ConvTranspose2dFilterOperandLayout::hwoi,
                                    ConvTranspose2dFilterOperandLayout::ohwi});
  Shape filter{channels, out, kh, kw};
  if (filterLayout == ConvTranspose2dFilterOperandLayout::hwoi) filter = {kh, kw, out, channels};
  if (filterLayout == ConvTranspose2dFilterOperandLayout::ohwi) filter = {out, kh, kw, channels};
  ConvTranspose2dOptions options{.groups = groups, .inputLayout = layout, .filterLayout = filterLayout};
  if (m.oneIn(2)) options.padding = {m.below(2), m.below(2), m.below(2), m.below(2)};
  if (m.oneIn(2)) options.strides = {m.between(1, 3), m.between(1, 3)};
  if (m.oneIn(4)) options.dilations = {m.between(1, 2), m.between(1, 2)};
  if (options.strides && m.oneIn(2)) options.outputPadding = {(*options.strides)[0] - 1, (*options.strides)[1] - 1};
  if (m.oneIn(2)) options.bias = m.fresh(type, {out * groups});
  results.push_back(m.builder.convTranspose2d(imageOperand(m, type, layout, channels), m.fresh(type, filter), options));
}

// Attention as transformers write it.
void attention(RandomMaker& m, Results& results) {
  GraphBuilder& b = m.builder;
  const std::uint32_t batch = m.oneIn(3) ? 2 : 1, heads = m.between(1, 3), rows = m.between(1, 20),
                      columns = m.oneIn(2) ? rows : m.between(1, 20), depth = m.oneIn(2) ? 16 : m.between(1, 9);
  const auto part = [&](std::uint32_t length, std::vector<std::uint32_t> permutation) {
    const Operand x = m.fresh(float32, {batch, length, heads * depth});
    return b.transpose(b.reshape(x, {batch, length, heads, depth}), {.permutation = std::move(permutation)});
  };
  const Operand q = part(rows, {0, 2, 1, 3}), k = part(columns, {0, 2, 3, 1}), v = part(columns, {0, 2, 1, 3});
  Operand scores = b.matmul(q, k);
  const Operand scale = m.constant(float32, {}, {std::sqrt(static_cast<double>(depth))});
  if (!m.oneIn(4)) scores = b.div(scores, scale);
  if (m.oneIn(2)) scores = b.add(scores, m.broadcastable(float32, scores.shape()));
  const Operand mixed = b.matmul(b.softmax(scores, 3), v);
  results.push_back(m.oneIn(3) ? mixed
                               : b.reshape(b.transpose(mixed, {.permutation = {0, 2, 1, 3}}), {batch, rows, heads * depth}));
}

// uint8 or int8 between float32, as quantized models have it.
void quantizedProduct(RandomMaker& m, Results& results) {
  GraphBuilder& b = m.builder;
  const std::uint32_t rows = m.between(1, 20), k = inner(m), columns = m.between(1, 70);
  const DataType type = m.pick({uint8, int8});
  const auto scalar = [&](DataType scalarType, Shape shape, double value) {
    return m.constant(scalarType, std::move(shape), {value});
  };
  const Operand a =
      b.dequantizeLinear(m.fresh(type, {rows, k}, -90, 100), scalar(float32, {1, 1}, 0.0625), scalar(type, {1, 1}, 3));
  const Shape perColumn{1, m.oneIn(2) ? columns : 1};
  const Operand w =
      b.dequantizeLinear(m.fresh(int8, {k, columns}, -100, 100), m.fresh(float32, perColumn, 0.01, 0.05),
                         m.constant(int8, perColumn, std::vector<Number>(elementCount({int8, perColumn}), Number(0))));
  results.push_back(b.matmul(a, w));
}

std::vector<RecurrentNetworkActivation> activations(RandomMaker& m, std::size_t count) {
  std::vector<RecurrentNetworkActivation> result;
  while (result.size() < count) {
    result.push_back(
        m.pick({RecurrentNetworkActivation::relu, RecurrentNetworkActivation::sigmoid, RecurrentNetworkActivation::tanh}));
  }
  return result;
}

struct RecurrentSizes {
  std::uint32_t steps, batch, input, hidden, directions;
  RecurrentNetworkDirection direction;
};

RecurrentSizes recurrentSizes(RandomMaker& m) {
  const auto direction =
      m.pick({RecurrentNetworkDirection::forward, RecurrentNetworkDirection::backward, RecurrentNetworkDirection::both});
  return {m.between(1, 4),
          m.between(1, 3),
          m.between(1, 9),
          m.oneIn(4) ? m.between(15, 35) : m.between(1, 9),
          direction == RecurrentNetworkDirection::both ? 2U : 1U,
          direction};
}

void lstm(RandomMaker& m, Results& results) {
  const auto [steps, batch, input, hidden, directions, direction] = recurrentSizes(m);
  const DataType type = m.floatType();
  const auto tensor = [&](Shape shape) { return m.fresh(type, std::move(shape), -0.7, 0.7); };
  LstmOptions options{
      .returnSequence = m.oneIn(2), .direction = direction, .layout = m.pick({LstmWeightLayout::iofg, LstmWeightLayout::ifgo})};
  if (m.oneIn(2)) options.bias = tensor({directions, 4 * hidden});
  if (m.oneIn(2)) options.recurrentBias = tensor({directions, 4 * hidden});
  if (m.oneIn(3)) options.peepholeWeight = tensor({directions, 3 * hidden});
  if (m.oneIn(2)) options.initialHiddenState = tensor({directions, batch, hidden});
  if (m.oneIn(2)) options.initialCellState = tensor({directions, batch, hidden});
  if (m.oneIn(3)) options.activations = activations(m, 3);
  for (const Operand& result : m.builder.lstm(tensor({steps, batch, input}), tensor({directions, 4 * hidden, input}),
                                              tensor({directions, 4 * hidden, hidden}), steps, hidden, options)) {
    results.push_back(result);
  }
}

void gru(RandomMaker& m, Results& results) {
  const auto [steps, batch, input, hidden, directions, direction] = recurrentSizes(m);
  const DataType type = m.floatType();
  const auto tensor = [&](Shape shape) { return m.fresh(type, std::move(shape), -0.7, 0.7); };
  GruOptions options{.resetAfter = m.oneIn(2),
                     .returnSequence = m.oneIn(2),
                     .direction = direction,
                     .layout = m.pick({GruWeightLayout::zrn, GruWeightLayout::rzn})};
  if (m.oneIn(2)) options.bias = tensor({directions, 3 * hidden});
  if (m.oneIn(2)) options.recurrentBias = tensor({directions, 3 * hidden});
  if (m.oneIn(2)) options.initialHiddenState = tensor({directions, batch, hidden});
  if (m.oneIn(3)) options.activations = activations(m, 2);
  for (const Operand& result : m.builder.gru(tensor({steps, batch, input}), tensor({directions, 3 * hidden, input}),
                                             tensor({directions, 3 * hidden, hidden}), steps, hidden, options)) {
    results.push_back(result);
  }
}

void lstmCell(RandomMaker& m, Results& results) {
  const auto [steps, batch, input, hidden, directions, direction] = recurrentSizes(m);
  const DataType type = m.floatType();
  const auto tensor = [&](Shape shape) { return m.fresh(type, std::move(shape), -0.7, 0.7); };
  LstmCellOptions options{.layout = m.pick({LstmWeightLayout::iofg, LstmWeightLayout::ifgo})};
  if (m.oneIn(2)) options.bias = tensor({4 * hidden});
  if (m.oneIn(3)) options.peepholeWeight = tensor({3 * hidden});
  for (const Operand& result :
       m.builder.lstmCell(tensor({batch, input}), tensor({4 * hidden, input}), tensor({4 * hidden, hidden}),
                          tensor({batch, hidden}), tensor({batch, hidden}), hidden, options)) {
    results.push_back(result);
  }
}

void gruCell(RandomMaker& m, Results& results) {
  const auto [steps, batch, input, hidden, directions, direction] = recurrentSizes(m);
  const DataType type = m.floatType();
  const auto tensor = [&](Shape shape) { return m.fresh(type, std::move(shape), -0.7, 0.7); };
  GruCellOptions options{.resetAfter = m.oneIn(2), .layout = m.pick({GruWeightLayout::zrn, GruWeightLayout::rzn})};
  if (m.oneIn(2)) options.bias = tensor({3 * hidden});
  if (m.oneIn(2)) options.recurrentBias = tensor({3 * hidden});
  results.push_back(m.builder.gruCell(tensor({batch, input}), tensor({3 * hidden, input}), tensor({3 * hidden, hidden}),
                                      tensor({batch, hidden}), hidden, options));
}

}  // namespace

std::vector<RandomOperation> randomProducts() {
  return {
      {"matmul", false, true, matmul},
      {"gemm", false, true, gemm},
      {"dense", false, true, dense},
      {"dense again", false, true, dense},
      {"conv2d", false, true, conv2d},
      {"conv2d again", false, true, conv2d},
      {"convTranspose2d", false, true, convTranspose2d},
      {"attention", false, true, attention},
      {"quantized product", false, true, quantizedProduct},
      {"lstm", false, true, lstm},
      {"gru", false, true, gru},
      {"lstmCell", false, true, lstmCell},
      {"gruCell", false, true, gruCell},
  };
}

}  // namespace webnn::cli
