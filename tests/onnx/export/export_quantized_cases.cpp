// The cases of export_cases.h with operations before, after and between quantizations. Runtimes fuse each operation and its
// quantizations into one operator.
#include <functional>

#include "base/text.h"
#include "onnx/export/export_cases.h"

namespace webnn::test {

namespace {

using Outputs = std::vector<Operand>;

enum class Form {
  around,             // an operation whose inputs are dequantized integers and whose results are quantized
  aroundEachWeights,  // as `around`, with one scale per channel of the weights
  aroundFourBits,     // as `aroundEachWeights`, with 4-bit weights
  aroundEach,         // as `around`, with one scale per channel of weights and of other values
  before,             // an operation on floats that are quantized and dequantized before it
  after,              // an operation on floats whose results are quantized and dequantized
};

// Makes the operands of a case in one form.
class Quantized {
 public:
  Quantized(Fixture& fixture, DataType type, Form form) : builder(fixture.builder), fixture_(fixture), type_(type), form_(form) {}

  GraphBuilder& builder;

  Operand input(const Shape& shape) {
    if (form_ == Form::after) return fixture_.input(DataType::float32, shape);
    const Operand quantized =
        form_ == Form::before ? quantize(fixture_.input(DataType::float32, shape)) : fixture_.input(type_, shape);
    return dequantize(quantized);
  }
  // Adds an input whose zero point is an input, too.
  Operand inputWithZeroPoint(const Shape& shape) {
    return builder.dequantizeLinear(fixture_.input(type_, shape), scale(one(shape)), fixture_.input(type_, one(shape)));
  }

  Operand constant(DataType type, const Shape& shape, const std::vector<Number>& values) {
    return fixture_.constant(type, shape, values);
  }

  // Adds constant weights. If the form has scales per channel, there is one scale per index of `axis`.
  Operand weights(const Shape& shape, std::size_t axis) {
    const DataType type = form_ == Form::aroundFourBits ? DataType::int4 : type_;
    std::vector<Number> values;
    for (std::size_t i = 0; i < elementCount({type, shape}); ++i)
      values.push_back(cast(static_cast<int>(i * 11 % 23) - 11, type));
    const bool areEach = form_ == Form::aroundEach || form_ == Form::aroundEachWeights || form_ == Form::aroundFourBits;
    const Shape scales = areEach ? channels(shape, axis) : one(shape);
    return builder.dequantizeLinear(fixture_.constant(type, shape, values), scale(scales), zeroPoint(type, scales));
  }

  Outputs results(Outputs operands) {
    if (form_ == Form::before) return operands;
    for (Operand& operand : operands) {
      if (operand.dataType() == DataType::float32) operand = quantize(operand);
      if (form_ == Form::after && operand.dataType() == type_) operand = dequantize(operand);
    }
    return operands;
  }

 private:
  static Shape one(const Shape& shape) { return Shape(shape.size(), 1); }
  static Shape channels(const Shape& shape, std::size_t axis) {
    Shape scale = one(shape);
    if (axis < shape.size()) scale[axis] = shape[axis];
    return scale;
  }
  Shape scaleShape(const Shape& shape) const { return form_ == Form::aroundEach ? channels(shape, 1) : one(shape); }
  Operand scale(const Shape& shape) {
    std::vector<Number> values;
    for (std::size_t i = 0; i < elementCount({type_, shape}); ++i) values.emplace_back(0.0625 * static_cast<double>(1 + i % 3));
    return fixture_.constant(DataType::float32, shape, values);
  }
  Operand zeroPoint(DataType type, const Shape& shape) {
    const int number = type == DataType::uint8 ? 125 : type == DataType::uint4 ? 5 : -3;
    return fixture_.constant(type, shape, std::vector<Number>(elementCount({type, shape}), Number(number)));
  }
  Operand quantize(const Operand& operand) {
    const Shape shape = scaleShape(operand.shape());
    return builder.quantizeLinear(operand, scale(shape), zeroPoint(type_, shape));
  }
  Operand dequantize(const Operand& operand) {
    const Shape shape = scaleShape(operand.shape());
    return builder.dequantizeLinear(operand, scale(shape), zeroPoint(type_, shape));
  }

  Fixture& fixture_;
  DataType type_;
  Form form_;
};

struct Operator {
  std::string name;
  std::function<Outputs(Quantized&)> make;
};

const Shape kImage{2, 4, 6, 5};

void addElementwise(std::vector<Operator>& all) {
  using B = GraphBuilder;
  using Unary = Operand (B::*)(Operand, OperatorOptions);
  using Binary = Operand (B::*)(Operand, Operand, OperatorOptions);
  const std::vector<std::pair<std::string, Unary>> unary{{"abs", &B::abs},
                                                         {"ceil", &B::ceil},
                                                         {"cos", &B::cos},
                                                         {"erf", &B::erf},
                                                         {"exp", &B::exp},
                                                         {"floor", &B::floor},
                                                         {"identity", &B::identity},
                                                         {"neg", &B::neg},
                                                         {"roundEven", &B::roundEven},
                                                         {"sign", &B::sign},
                                                         {"sin", &B::sin},
                                                         {"tan", &B::tan},
                                                         {"gelu", &B::gelu},
                                                         {"hardSwish", &B::hardSwish},
                                                         {"relu", &B::relu},
                                                         {"sigmoid", &B::sigmoid},
                                                         {"softplus", &B::softplus},
                                                         {"softsign", &B::softsign},
                                                         {"tanh", &B::tanh}};
  for (const auto& [name, method] : unary) {
    all.push_back({name, [method = method](Quantized& q) { return Outputs{(q.builder.*method)(q.input(kImage), {})}; }});
  }
  const std::vector<std::pair<std::string, Binary>> binary{
      {"add", &B::add}, {"sub", &B::sub},     {"mul", &B::mul},         {"max", &B::max},
      {"min", &B::min}, {"equal", &B::equal}, {"greater", &B::greater}, {"lesserOrEqual", &B::lesserOrEqual}};
  for (const auto& [name, method] : binary) {
    all.push_back({name, [method = method](Quantized& q) {
                     return Outputs{(q.builder.*method)(q.input(kImage), q.input(kImage), {}),
                                    (q.builder.*method)(q.input(kImage), q.weights({4, 1, 1}, 0), {})};
                   }});
  }
  const auto add = [&](std::string name, auto make) {
    all.push_back({std::move(name), [make](Quantized& q) { return Outputs{make(q.builder, q.input(kImage))}; }});
  };
  add("sqrtOfSquare", [](B& b, const Operand& x) { return b.sqrt(b.mul(x, x)); });
  add("clamp", [](B& b, const Operand& x) { return b.clamp(x, {.minValue = -0.5, .maxValue = 0.5}); });
  add("clampAsRelu6", [](B& b, const Operand& x) { return b.clamp(x, {.minValue = 0, .maxValue = 6}); });
  add("elu", [](B& b, const Operand& x) { return b.elu(x); });
  add("leakyRelu", [](B& b, const Operand& x) { return b.leakyRelu(x, {.alpha = 0.25}); });
  add("hardSigmoid", [](B& b, const Operand& x) { return b.hardSigmoid(x); });
  add("linear", [](B& b, const Operand& x) { return b.linear(x, {.alpha = 2, .beta = -1.5}); });
  add("cast", [](B& b, const Operand& x) { return b.cast(b.cast(x, DataType::int32), DataType::float32); });
  for (const std::uint32_t axis : {1u, 3u}) {
    add(formatText("softmax{}", axis), [axis](B& b, const Operand& x) { return b.softmax(x, axis); });
  }
  all.push_back({"prelu", [](Quantized& q) { return Outputs{q.builder.prelu(q.input(kImage), q.weights({4, 1, 1}, 0))}; }});
  all.push_back({"where", [](Quantized& q) {
                   const Operand a = q.input(kImage), b = q.input(kImage);
                   return Outputs{q.builder.where(q.builder.greater(a, b), a, b)};
                 }});
  all.push_back({"whereWithZeroPointsOfInputs", [](Quantized& q) {
                   const Operand a = q.inputWithZeroPoint(kImage), b = q.input(kImage), condition = q.builder.greater(a, b);
                   const Operand moved = q.builder.reshape(q.inputWithZeroPoint({8, 30}), kImage);
                   return Outputs{q.builder.where(condition, a, b), q.builder.where(condition, b, moved)};
                 }});
}

void addMoves(std::vector<Operator>& all) {
  using B = GraphBuilder;
  const auto add = [&](std::string name, auto make) {
    all.push_back({std::move(name), [make](Quantized& q) { return Outputs{make(q.builder, q.input(kImage))}; }});
  };
  add("expand", [](B& b, const Operand& x) { return b.expand(b.slice(x, {0, 0, 0, 0}, {1, 4, 6, 5}), {3, 4, 6, 5}); });
  add("pad", [](B& b, const Operand& x) { return b.pad(x, {0, 1, 2, 0}, {1, 0, 0, 3}); });
  add("padWithReflection", [](B& b, const Operand& x) {
    return b.pad(x, {0, 1, 2, 0}, {1, 0, 0, 3}, {.mode = PaddingMode::reflection});
  });
  add("reshape", [](B& b, const Operand& x) { return b.reshape(x, {8, 30}); });
  add("unsqueeze", [](B& b, const Operand& x) { return b.reshape(x, {1, 2, 4, 6, 5}); });
  add("squeeze", [](B& b, const Operand& x) { return b.reshape(b.slice(x, {1, 0, 0, 0}, {1, 4, 6, 5}), {4, 6, 5}); });
  add("reverse", [](B& b, const Operand& x) { return b.reverse(x, {.axes = {1, 3}}); });
  add("slice", [](B& b, const Operand& x) { return b.slice(x, {0, 1, 2, 0}, {2, 2, 4, 5}, {.strides = {1, 1, 2, 3}}); });
  add("tile", [](B& b, const Operand& x) { return b.tile(x, {1, 2, 1, 2}); });
  add("transpose", [](B& b, const Operand& x) { return b.transpose(x, {.permutation = {0, 2, 3, 1}}); });
  add("transposeAndBack", [](B& b, const Operand& x) {
    return b.transpose(b.relu(b.transpose(x, {.permutation = {0, 2, 3, 1}})), {.permutation = {0, 3, 1, 2}});
  });
  add("triangular", [](B& b, const Operand& x) { return b.triangular(x); });
  add("moves", [](B& b, const Operand& x) {
    return b.slice(b.reshape(b.transpose(x, {.permutation = {0, 2, 3, 1}}), {2, 30, 4}), {0, 3, 1}, {2, 9, 2});
  });
  add("cumulativeSum", [](B& b, const Operand& x) { return b.cumulativeSum(x, 2); });
  all.push_back({"split", [](Quantized& q) { return q.builder.split(q.input(kImage), 2u, {.axis = 1}); }});
  all.push_back({"concat", [](Quantized& q) {
                   return Outputs{q.builder.concat({q.input(kImage), q.input({2, 1, 6, 5}), q.input(kImage)}, 1)};
                 }});
  all.push_back({"twoUses", [](Quantized& q) {
                   const Operand x = q.input(kImage), t = q.builder.transpose(x, {.permutation = {0, 2, 3, 1}});
                   return Outputs{t, q.builder.relu(x), q.builder.softmax(t, 3)};
                 }});
  const auto indices = [](Quantized& q, const Shape& shape, const std::vector<Number>& values) {
    return q.constant(DataType::int32, shape, values);
  };
  all.push_back({"gather", [indices](Quantized& q) {
                   return Outputs{q.builder.gather(q.input(kImage), indices(q, {3}, {2, 0, 3}), {.axis = 1})};
                 }});
  all.push_back({"gatherElements", [indices](Quantized& q) {
                   return Outputs{q.builder.gatherElements(q.input({4, 3}), indices(q, {2, 3}, {1, 0, 2, 3, 3, 0}))};
                 }});
  all.push_back({"gatherND", [indices](Quantized& q) {
                   return Outputs{q.builder.gatherND(q.input({4, 3, 2}), indices(q, {2, 2}, {1, 0, 3, 2}))};
                 }});
  all.push_back({"scatterElements", [indices](Quantized& q) {
                   return Outputs{q.builder.scatterElements(q.input({4, 3}), indices(q, {1, 3}, {1, 0, 2}), q.input({1, 3}))};
                 }});
  all.push_back({"scatterND", [indices](Quantized& q) {
                   return Outputs{q.builder.scatterND(q.input({4, 3}), indices(q, {2, 1}, {3, 1}), q.input({2, 3}))};
                 }});
}

void addReductions(std::vector<Operator>& all) {
  using B = GraphBuilder;
  using Reduction = Operand (B::*)(Operand, ReduceOptions);
  const std::vector<std::pair<std::string, Reduction>> rows{
      {"reduceL1", &B::reduceL1},           {"reduceL2", &B::reduceL2},     {"reduceLogSumExp", &B::reduceLogSumExp},
      {"reduceMax", &B::reduceMax},         {"reduceMean", &B::reduceMean}, {"reduceMin", &B::reduceMin},
      {"reduceProduct", &B::reduceProduct}, {"reduceSum", &B::reduceSum},   {"reduceSumSquare", &B::reduceSumSquare}};
  for (const auto& [name, method] : rows) {
    all.push_back({name, [method = method](Quantized& q) {
                     return Outputs{(q.builder.*method)(q.input(kImage), {.axes = {2, 3}, .keepDimensions = true}),
                                    (q.builder.*method)(q.input(kImage), {.axes = {1}})};
                   }});
  }
  all.push_back({"argMax", [](Quantized& q) { return Outputs{q.builder.argMax(q.input(kImage), 1)}; }});
  const std::vector<std::pair<std::string, Operand (B::*)(Operand, Pool2dOptions)>> pools{
      {"averagePool2d", &B::averagePool2d}, {"l2Pool2d", &B::l2Pool2d}, {"maxPool2d", &B::maxPool2d}};
  const std::vector<std::pair<std::string, Pool2dOptions>> ways{
      {"OfAll", {}},
      {"", {.windowDimensions = {2, 3}, .strides = {2, 1}}},
      {"Padded", {.windowDimensions = {3, 2}, .padding = {1, 0, 0, 1}, .outputShapeRounding = RoundingType::ceil}},
      {"Dilated", {.windowDimensions = {2, 2}, .dilations = {2, 1}}},
      {"InOtherLayout", {.windowDimensions = {2, 2}, .layout = InputOperandLayout::nhwc}}};
  for (const auto& [kind, method] : pools) {
    for (const auto& [way, options] : ways) {
      all.push_back({kind + way, [method = method, options = options](Quantized& q) {
                       return Outputs{(q.builder.*method)(q.input(kImage), options)};
                     }});
    }
  }
  for (const auto mode : {InterpolationMode::nearestNeighbor, InterpolationMode::linear}) {
    all.push_back({mode == InterpolationMode::linear ? "resample2dLinearly" : "resample2d", [mode](Quantized& q) {
                     return Outputs{q.builder.resample2d(q.input(kImage), {.mode = mode, .scales = {2, 3}})};
                   }});
  }
}

void addProducts(std::vector<Operator>& all) {
  const auto add = [&](std::string name, auto make) {
    all.push_back({std::move(name), [make](Quantized& q) { return Outputs{make(q)}; }});
  };
  add("conv2d", [](Quantized& q) { return q.builder.conv2d(q.input(kImage), q.weights({3, 4, 3, 2}, 0)); });
  add("conv2dWithBiasAndRelu", [](Quantized& q) {
    return q.builder.relu(q.builder.conv2d(q.input(kImage), q.weights({3, 4, 3, 2}, 0),
                                           {.padding = {1, 1, 0, 1}, .strides = {2, 1}, .bias = q.weights({3}, 0)}));
  });
  add("conv2dDepthwise", [](Quantized& q) {
    return q.builder.conv2d(q.input(kImage), q.weights({4, 1, 3, 3}, 0), {.groups = 4});
  });
  add("conv2dInOtherLayout", [](Quantized& q) {
    return q.builder.conv2d(q.input({1, 6, 5, 4}), q.weights({3, 3, 2, 4}, 0),
                            {.inputLayout = InputOperandLayout::nhwc, .filterLayout = Conv2dFilterOperandLayout::ohwi});
  });
  add("conv2dOfInputs", [](Quantized& q) { return q.builder.conv2d(q.input(kImage), q.input({3, 4, 3, 2})); });
  add("convTranspose2d", [](Quantized& q) {
    return q.builder.convTranspose2d(q.input(kImage), q.weights({4, 3, 2, 2}, 1), {.strides = {2, 2}});
  });
  add("matmul", [](Quantized& q) { return q.builder.matmul(q.input({2, 3, 8}), q.weights({8, 5}, 1)); });
  add("matmulOfRows", [](Quantized& q) { return q.builder.matmul(q.input({2, 3, 8}), q.weights({8, 8}, 0)); });
  add("matmulOfMatrices", [](Quantized& q) { return q.builder.matmul(q.input({2, 3, 8}), q.weights({2, 8, 5}, 2)); });
  add("matmulByInput", [](Quantized& q) { return q.builder.matmul(q.weights({5, 3}, 0), q.input({3, 4})); });
  add("matmulAndAdd", [](Quantized& q) {
    return q.builder.add(q.builder.matmul(q.input({2, 3, 8}), q.weights({8, 5}, 1)), q.weights({5}, 0));
  });
  add("matmulOfInputs", [](Quantized& q) { return q.builder.matmul(q.input({2, 3, 8}), q.input({2, 8, 5})); });
  add("gemm", [](Quantized& q) {
    return q.builder.gemm(q.input({3, 8}), q.weights({5, 8}, 0), {.c = q.weights({5}, 0), .bTranspose = true});
  });
  add("gemmScaled", [](Quantized& q) {
    return q.builder.gemm(q.input({8, 3}), q.weights({8, 5}, 1), {.alpha = 0.5, .aTranspose = true});
  });
  add("batchNormalization", [](Quantized& q) {
    const auto positive = [&](int n) { return q.constant(DataType::float32, {4}, {1, 2, n, 0.5}); };
    return q.builder.batchNormalization(q.input(kImage), positive(3), positive(1), {.scale = positive(2), .bias = positive(5)});
  });
  add("instanceNormalization", [](Quantized& q) { return q.builder.instanceNormalization(q.input(kImage)); });
  add("layerNormalization",
      [](Quantized& q) { return q.builder.layerNormalization(q.input(kImage), {.scale = q.weights({5}, 0), .axes = {3}}); });
  add("gru", [](Quantized& q) {
    return q.builder.gru(q.input({2, 1, 3}), q.weights({1, 6, 3}, 1), q.weights({1, 6, 2}, 1), 2, 2).front();
  });
  add("lstm", [](Quantized& q) {
    return q.builder.lstm(q.input({2, 1, 3}), q.weights({1, 8, 3}, 1), q.weights({1, 8, 2}, 1), 2, 2).front();
  });
  const auto real = [](Quantized& q, const Shape& shape) {
    std::vector<Number> values;
    for (std::size_t i = 0; i < elementCount({DataType::float32, shape}); ++i) {
      values.emplace_back(static_cast<double>(i * 7 % 13) / 13 - 0.37);
    }
    return q.constant(DataType::float32, shape, values);
  };
  add("conv2dByReals", [real](Quantized& q) { return q.builder.conv2d(q.input(kImage), real(q, {3, 4, 3, 2})); });
  add("conv2dByRealsAfterMoves", [real](Quantized& q) {
    const Operand x = q.builder.transpose(q.builder.reshape(q.input({2, 4, 30}), {2, 4, 6, 5}), {.permutation = {0, 2, 3, 1}});
    return q.builder.relu(q.builder.conv2d(x, real(q, {3, 4, 3, 2}), {.inputLayout = InputOperandLayout::nhwc}));
  });
  add("convTranspose2dByReals", [real](Quantized& q) {
    return q.builder.convTranspose2d(q.input(kImage), real(q, {4, 3, 2, 2}));
  });
  add("matmulByRealsAndAdd", [real](Quantized& q) {
    return q.builder.add(q.builder.matmul(q.input({3, 8}), real(q, {8, 5})), real(q, {5}));
  });
  add("gemmByReals", [real](Quantized& q) {
    return q.builder.gemm(q.input({3, 8}), real(q, {5, 8}), {.c = real(q, {5}), .bTranspose = true});
  });
  add("transposeBesideBlocks", [](Quantized& q) {
    const Operand x = q.input({4, 8});
    const Operand weights = q.constant(DataType::uint8, {8, 4}, std::vector<Number>(32, 7));
    const Operand scale = q.constant(DataType::float32, {2, 4}, {1, 2, 3, 1, 0.5, 2, 1, 1});
    const Operand zeroPoint = q.constant(DataType::uint8, {2, 4}, std::vector<Number>(8, 5));
    const Operand product = q.builder.matmul(x, q.builder.dequantizeLinear(weights, scale, zeroPoint));
    return q.builder.add(q.builder.reshape(q.builder.transpose(product), {4, 4}), q.builder.transpose(product));
  });
}

}  // namespace

void addQuantizedCases(std::vector<ExportCase>& cases) {
  std::vector<Operator> operators;
  for (const auto add : {addElementwise, addMoves, addReductions, addProducts}) add(operators);
  const std::vector<std::pair<std::string, Form>> forms{{"Around", Form::around},
                                                        {"AroundEachWeights", Form::aroundEachWeights},
                                                        {"AroundFourBits", Form::aroundFourBits},
                                                        {"AroundEach", Form::aroundEach},
                                                        {"Before", Form::before},
                                                        {"After", Form::after}};
  const ops::DataTypeSet types{DataType::int8, DataType::uint8, DataType::int4, DataType::uint4};
  for (const Operator& item : operators) {
    for (const auto& [name, form] : forms) {
      cases.push_back({formatText("quantized{}_{}", name, item.name), types, Values::plain,
                       [make = item.make, form = form](Fixture& f, DataType type) {
                         Quantized quantized(f, type, form);
                         return quantized.results(make(quantized));
                       }});
    }
  }
}

}  // namespace webnn::test
