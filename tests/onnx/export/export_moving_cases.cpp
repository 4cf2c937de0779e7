// The cases of export_cases.h for operations that slide windows, move elements, quantize, recur and resample.
#include <limits>

#include "base/text.h"
#include "onnx/export/export_cases.h"
#include "webnn/enums.h"

namespace webnn::test {

namespace {

using Outputs = std::vector<Operand>;
using ops::kAny;
using ops::kAnyAndInt4s;
using ops::kFloats;
using enum RecurrentNetworkActivation;

// Returns a case with one result: make(fixture, builder, type).
template <typename Make>
ExportCase one(std::string name, ops::DataTypeSet types, Values values, Make make) {
  return {std::move(name), types, values, [make](Fixture& f, DataType type) { return Outputs{make(f, f.builder, type)}; }};
}

void addConvolutions(std::vector<ExportCase>& cases) {
  const auto add = [&](std::string name, auto make) { cases.push_back(one(std::move(name), kFloats, Values::plain, make)); };
  for (const auto layout : {Conv2dFilterOperandLayout::oihw, Conv2dFilterOperandLayout::hwio, Conv2dFilterOperandLayout::ohwi,
                            Conv2dFilterOperandLayout::ihwo}) {
    add("conv2dOfLayout" + std::to_string(static_cast<int>(layout)), [layout](Fixture& f, GraphBuilder& b, DataType t) {
      const Shape filters[] = {{6, 2, 3, 2}, {3, 2, 2, 6}, {6, 3, 2, 2}, {2, 3, 2, 6}};
      const auto filter = f.input(t, filters[static_cast<std::size_t>(layout)]);
      return b.conv2d(f.input(t, {1, 7, 6, 4}), filter,
                      {.padding = {2, 0, 1, 3},
                       .strides = {2, 1},
                       .dilations = {1, 2},
                       .groups = 2,
                       .inputLayout = InputOperandLayout::nhwc,
                       .filterLayout = layout,
                       .bias = f.input(t, {6})});
    });
  }
  for (const auto layout : {ConvTranspose2dFilterOperandLayout::iohw, ConvTranspose2dFilterOperandLayout::hwoi,
                            ConvTranspose2dFilterOperandLayout::ohwi}) {
    add("convTranspose2dOfLayout" + std::to_string(static_cast<int>(layout)), [layout](Fixture& f, GraphBuilder& b, DataType t) {
      const Shape filters[] = {{4, 3, 2, 3}, {2, 3, 3, 4}, {3, 2, 3, 4}};
      return b.convTranspose2d(f.input(t, {1, 4, 3, 2}), f.input(t, filters[static_cast<std::size_t>(layout)]),
                               {.padding = {1, 2, 0, 0},
                                .strides = {3, 2},
                                .dilations = {2, 1},
                                .outputPadding = {2, 1},
                                .groups = 2,
                                .filterLayout = layout,
                                .bias = f.input(t, {6})});
    });
  }
  add("convTranspose2dOfGivenSizes", [](Fixture& f, GraphBuilder& b, DataType t) {
    return b.convTranspose2d(
        f.input(t, {2, 3, 3, 2}), f.input(t, {2, 1, 3, 3}),
        {.padding = {0, 1, 0, 0}, .strides = {2, 3}, .outputSizes = {7, 11}, .inputLayout = InputOperandLayout::nhwc});
  });
}

// Adds pools of whole images, with an output size that is rounded up, with the other layout, with padding wider than the window,
// and with dilated windows that contain no elements.
void addPoolings(std::vector<ExportCase>& cases) {
  using Pool = Operand (GraphBuilder::*)(Operand, Pool2dOptions);
  const std::vector<std::pair<std::string, Pool>> kinds{{"averagePool2d", &GraphBuilder::averagePool2d},
                                                        {"l2Pool2d", &GraphBuilder::l2Pool2d},
                                                        {"maxPool2d", &GraphBuilder::maxPool2d}};
  const std::vector<std::pair<std::string, Pool2dOptions>> ways{
      {"OfAll", {}},
      {"RoundedUp",
       {.windowDimensions = {3, 2}, .padding = {1, 0, 0, 1}, .strides = {3, 4}, .outputShapeRounding = RoundingType::ceil}},
      {"InOtherLayout",
       {.windowDimensions = {2, 2}, .padding = {1, 1, 0, 1}, .dilations = {1, 2}, .layout = InputOperandLayout::nhwc}},
      {"OfMuchPadding", {.windowDimensions = {2, 3}, .padding = {3, 2, 1, 4}, .strides = {1, 2}}},
      {"OfNothing", {.windowDimensions = {2, 2}, .padding = {3, 3, 3, 3}, .dilations = {7, 6}}},
  };
  for (const auto& [kind, method] : kinds) {
    for (const auto& [way, options] : ways) {
      cases.push_back(one(kind + way, kind == "maxPool2d" ? kAny : kFloats, Values::plain,
                          [method = method, options = options](Fixture& f, GraphBuilder& b, DataType t) {
                            return (b.*method)(f.input(t, {2, 5, 6, 3}), options);
                          }));
    }
  }
}

void addMoves(std::vector<ExportCase>& cases) {
  const auto add = [&](std::string name, auto make) {
    cases.push_back(one(std::move(name), kAnyAndInt4s, Values::special, make));
  };
  add("concat", [](Fixture& f, GraphBuilder& b, DataType t) {
    return b.concat({f.input(t, {2, 1, 3}), f.input(t, {2, 2, 3})}, 1);
  });
  add("expand", [](Fixture& f, GraphBuilder& b, DataType t) { return b.expand(f.input(t, {3, 1}), {2, 3, 5}); });
  add("padWithANumber", [](Fixture& f, GraphBuilder& b, DataType t) {
    return b.pad(f.input(t, {2, 5}), {1, 0}, {0, 3}, {.value = std::numeric_limits<std::int64_t>::max()});
  });
  add("padWithTheEdge", [](Fixture& f, GraphBuilder& b, DataType t) {
    return b.pad(f.input(t, {2, 5}), {1, 7}, {3, 0}, {.mode = PaddingMode::edge});
  });
  add("padWithReflection", [](Fixture& f, GraphBuilder& b, DataType t) {
    return b.pad(f.input(t, {2, 5}), {1, 4}, {0, 3}, {.mode = PaddingMode::reflection});
  });
  add("reshape", [](Fixture& f, GraphBuilder& b, DataType t) { return b.reshape(f.input(t, {2, 3, 4}), {4, 6}); });
  add("reverse", [](Fixture& f, GraphBuilder& b, DataType t) { return b.reverse(f.input(t, {2, 3, 4}), {.axes = {2, 0}}); });
  add("slice", [](Fixture& f, GraphBuilder& b, DataType t) {
    return b.slice(f.input(t, {5, 9}), {1, 2}, {3, 7}, {.strides = {2, 3}});
  });
  add("tile", [](Fixture& f, GraphBuilder& b, DataType t) { return b.tile(f.input(t, {2, 3}), {3, 2}); });
  add("transpose", [](Fixture& f, GraphBuilder& b, DataType t) {
    return b.transpose(f.input(t, {2, 3, 1, 4}), {.permutation = {3, 0, 2, 1}});
  });
  for (const bool upper : {true, false}) {
    add(upper ? "upperTriangle" : "lowerTriangle", [upper](Fixture& f, GraphBuilder& b, DataType t) {
      return b.triangular(f.input(t, {2, 3, 5}), {.upper = upper, .diagonal = upper ? 1 : -1});
    });
  }
  cases.push_back({"split", kAnyAndInt4s, Values::special, [](Fixture& f, DataType t) {
                     return f.builder.split(f.input(t, {2, 6}), std::vector<std::uint32_t>{1, 3, 2}, {.axis = 1});
                   }});
}

// Returns indices of all kinds: in range, counted from the end, and far out of range.
Operand indices(Fixture& f, DataType type, Shape shape) {
  const std::vector<Number> values{
      0, 1, -1, 2, -3, 100, -100, std::numeric_limits<std::int64_t>::max(), 1, -2, std::numeric_limits<std::int64_t>::min(), 3};
  std::vector<Number> all;
  for (std::size_t i = 0; i < elementCount({type, shape}); ++i) all.push_back(values[i * 5 % values.size()]);
  return f.constant(type, std::move(shape), all);
}

void addIndexing(std::vector<ExportCase>& cases) {
  const auto add = [&](const std::string& name, auto make) {
    for (const DataType type : {DataType::int32, DataType::uint32, DataType::int64}) {
      cases.push_back(one(name + "By_" + std::string(webnn::name(type)), kAnyAndInt4s, Values::special,
                          [make, type](Fixture& f, GraphBuilder& b, DataType t) { return make(f, b, t, type); }));
    }
  };
  add("gather", [](Fixture& f, GraphBuilder& b, DataType t, DataType i) {
    return b.gather(f.input(t, {2, 4, 3}), indices(f, i, {2, 6}), {.axis = 1});
  });
  add("gatherElements", [](Fixture& f, GraphBuilder& b, DataType t, DataType i) {
    return b.gatherElements(f.input(t, {2, 4}), indices(f, i, {2, 6}), {.axis = 1});
  });
  add("gatherND", [](Fixture& f, GraphBuilder& b, DataType t, DataType i) {
    return b.gatherND(f.input(t, {2, 4, 3}), indices(f, i, {6, 2}));
  });
  add("scatterElements", [](Fixture& f, GraphBuilder& b, DataType t, DataType i) {
    return b.scatterElements(f.input(t, {2, 4}), indices(f, i, {2, 2}), f.input(t, {2, 2}), {.axis = 1});
  });
  add("scatterND", [](Fixture& f, GraphBuilder& b, DataType t, DataType i) {
    return b.scatterND(f.input(t, {2, 4, 3}), indices(f, i, {7, 2}), f.input(t, {7, 3}));
  });
}

// Adds cases of matrices [4, 6] with one scale in all, per column, per 2 rows of a column, per block [2, 2], per element, and
// per row.
void addQuantization(std::vector<ExportCase>& cases) {
  const ops::DataTypeSet quantized{DataType::int8,   DataType::uint8, DataType::int32,
                                   DataType::uint32, DataType::int4,  DataType::uint4};
  for (const Shape& scale : std::vector<Shape>{{1, 1}, {1, 6}, {2, 6}, {2, 3}, {4, 6}, {4, 1}}) {
    const std::string name = std::to_string(scale[0]) + "By" + std::to_string(scale[1]);
    const std::vector<Number> scales{0.5, 2, 0.25, 4};
    for (const DataType real : {DataType::float32, DataType::float16}) {
      const std::string type(webnn::name(real));
      const auto ofScale = [scale, scales, real](Fixture& f) {
        std::vector<Number> all;
        for (std::size_t i = 0; i < elementCount({real, scale}); ++i) all.push_back(scales[i % scales.size()]);
        return f.constant(real, scale, all);
      };
      cases.push_back(one("dequantizeLinear" + name + type, quantized, Values::plain,
                          [scale, ofScale](Fixture& f, GraphBuilder& b, DataType t) {
                            return b.dequantizeLinear(f.input(t, {4, 6}), ofScale(f), f.input(t, scale));
                          }));
      cases.push_back(one("quantizeLinear" + name + type, quantized, Values::plain,
                          [scale, ofScale, real](Fixture& f, GraphBuilder& b, DataType t) {
                            return b.quantizeLinear(f.input(real, {4, 6}), ofScale(f), f.input(t, scale));
                          }));
    }
  }
}

struct RecurrentWay {
  RecurrentNetworkDirection direction;
  bool otherLayout, all, returnSequence;  // all: every optional operand is given

  std::uint32_t directions() const { return direction == RecurrentNetworkDirection::both ? 2 : 1; }
  std::string name() const {
    return formatText("_{}{}{}{}", webnn::name(direction), otherLayout ? "InOtherLayout" : "", all ? "WithAll" : "",
                      returnSequence ? "AsSequence" : "");
  }
};

std::vector<RecurrentWay> recurrentWays() {
  std::vector<RecurrentWay> ways;
  for (const auto direction :
       {RecurrentNetworkDirection::forward, RecurrentNetworkDirection::backward, RecurrentNetworkDirection::both}) {
    for (int bits = 0; bits < 8; ++bits) ways.push_back({direction, (bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0});
  }
  return ways;
}

Outputs makeGru(Fixture& f, DataType t, const RecurrentWay& way, bool resetAfter) {
  const std::uint32_t n = way.directions();
  GruOptions options{.resetAfter = resetAfter, .returnSequence = way.returnSequence, .direction = way.direction};
  if (way.otherLayout) options.layout = GruWeightLayout::rzn;
  if (way.all) {
    options.bias = f.input(t, {n, 9});
    options.recurrentBias = f.input(t, {n, 9});
    options.initialHiddenState = f.input(t, {n, 2, 3});
    options.activations = {tanh, sigmoid};
  }
  return f.builder.gru(f.input(t, {3, 2, 2}), f.input(t, {n, 9, 2}), f.input(t, {n, 9, 3}), 3, 3, options);
}

Outputs makeLstm(Fixture& f, DataType t, const RecurrentWay& way, bool peepholes) {
  const std::uint32_t n = way.directions();
  LstmOptions options{.returnSequence = way.returnSequence, .direction = way.direction};
  if (way.otherLayout) options.layout = LstmWeightLayout::ifgo;
  if (peepholes) options.peepholeWeight = f.input(t, {n, 9});
  if (way.all) {
    options.bias = f.input(t, {n, 12});
    options.recurrentBias = f.input(t, {n, 12});
    options.initialHiddenState = f.input(t, {n, 2, 3});
    options.initialCellState = f.input(t, {n, 2, 3});
    options.activations = {sigmoid, relu, tanh};
  }
  return f.builder.lstm(f.input(t, {3, 2, 2}), f.input(t, {n, 12, 2}), f.input(t, {n, 12, 3}), 3, 3, options);
}

Outputs makeGruCell(Fixture& f, DataType t, bool otherLayout, bool all, bool resetAfter) {
  GruCellOptions options{.resetAfter = resetAfter};
  if (otherLayout) options.layout = GruWeightLayout::rzn;
  if (all) {
    options.bias = f.input(t, {9});
    options.recurrentBias = f.input(t, {9});
    options.activations = {relu, sigmoid};
  }
  return {f.builder.gruCell(f.input(t, {2, 2}), f.input(t, {9, 2}), f.input(t, {9, 3}), f.input(t, {2, 3}), 3, options)};
}

Outputs makeLstmCell(Fixture& f, DataType t, bool otherLayout, bool all, bool peepholes) {
  LstmCellOptions options;
  if (otherLayout) options.layout = LstmWeightLayout::ifgo;
  if (peepholes) options.peepholeWeight = f.input(t, {9});
  if (all) {
    options.bias = f.input(t, {12});
    options.recurrentBias = f.input(t, {12});
    options.activations = {tanh, sigmoid, relu};
  }
  return f.builder.lstmCell(f.input(t, {2, 2}), f.input(t, {12, 2}), f.input(t, {12, 3}), f.input(t, {2, 3}), f.input(t, {2, 3}),
                            3, options);
}

void addRecurrence(std::vector<ExportCase>& cases) {
  const auto add = [&](std::string name, auto make) { cases.push_back({std::move(name), kFloats, Values::plain, make}); };
  for (const bool flag : {false, true}) {
    const std::string ofGru = flag ? "ResetAfter" : "ResetBefore", ofLstm = flag ? "WithPeepholes" : "";
    for (const RecurrentWay& way : recurrentWays()) {
      add("gru" + ofGru + way.name(), [way, flag](Fixture& f, DataType t) { return makeGru(f, t, way, flag); });
      add("lstm" + ofLstm + way.name(), [way, flag](Fixture& f, DataType t) { return makeLstm(f, t, way, flag); });
    }
    for (int bits = 0; bits < 4; ++bits) {
      const bool other = (bits & 1) != 0, all = (bits & 2) != 0;
      const std::string suffix = std::to_string(bits);
      add("gruCell" + ofGru + suffix, [=](Fixture& f, DataType t) { return makeGruCell(f, t, other, all, flag); });
      add("lstmCell" + ofLstm + suffix, [=](Fixture& f, DataType t) { return makeLstmCell(f, t, other, all, flag); });
    }
  }
}

void addResampling(std::vector<ExportCase>& cases) {
  const std::vector<std::pair<std::string, Resample2dOptions>> ways{
      {"Twice", {.scales = {2, 4}}},
      {"ToHalf", {.scales = {0.5, 0.5}}},
      {"ToSizes", {.sizes = {5, 4}}},
      {"ByAScaleThatKeepsTheSize", {.scales = {1.2f, 1}}},
      {"OfTheMiddle", {.sizes = {7, 2}, .axes = {1, 2}}},
      {"OfTheFirst", {.sizes = {3, 7}, .axes = {0, 1}}},
      {"OfTheEnds", {.scales = {1.7f, 0.6f}, .axes = {3, 0}}},
  };
  for (const auto mode : {InterpolationMode::nearestNeighbor, InterpolationMode::linear}) {
    for (const auto& [way, given] : ways) {
      Resample2dOptions options = given;
      options.mode = mode;
      const ops::DataTypeSet types = kFloats | ops::DataTypeSet{DataType::int8, DataType::uint8};
      const std::string name = mode == InterpolationMode::linear ? "resample2dLinearly" : "resample2d";
      cases.push_back(one(name + way, types, Values::plain, [options](Fixture& f, GraphBuilder& b, DataType t) {
        return b.resample2d(f.input(t, {2, 3, 4, 6}), options);
      }));
    }
  }
}

// Adds graphs that ONNX Runtime would fuse wrongly if the export did not prevent it.
void addLookalikes(std::vector<ExportCase>& cases) {
  using B = GraphBuilder;
  const auto add = [&](std::string name, ops::DataTypeSet types, auto make) {
    cases.push_back(one("lookalike" + std::move(name), types, Values::plain, make));
  };
  const ops::DataTypeSet floats{DataType::float32};
  add("PaddedFilter", kFloats, [](Fixture& f, B& b, DataType t) {
    return b.conv2d(f.input(t, {1, 2, 5, 5}), b.pad(f.input(t, {3, 2, 1, 2}), {0, 0, 0, 0}, {0, 0, 1, 0}));
  });
  add("ReluBeforeAClip", ops::kSigned, [](Fixture& f, B& b, DataType t) {
    return b.gather(f.input(DataType::float32, {3}), b.cast(b.clamp(b.relu(f.input(t, {4})), {.maxValue = 5}), DataType::int32));
  });
  // (x - mean) / sqrt(mean of a power + epsilon) * scale + bias
  const auto normalization = [](Fixture& f, B& b, DataType t, double power, const Shape& epsilon, const Shape& scale) {
    const Operand x = f.input(t, {2, 3});
    const ReduceOptions last{.axes = {1}, .keepDimensions = true};
    const Operand distance = b.sub(x, b.reduceMean(x, last));
    const Operand variance = b.reduceMean(b.pow(distance, f.constant(t, {}, {power})), last);
    const Operand y = b.div(distance, b.sqrt(b.add(variance, f.constant(t, epsilon, {50.5}))));
    return b.add(b.mul(y, f.input(t, scale)), f.input(t, scale));
  };
  const auto rms = [](Fixture& f, B& b, DataType t, const Shape& epsilon, const Shape& scale) {
    const Operand x = f.input(t, {2, 1});
    const Operand mean = b.reduceMean(b.pow(x, f.constant(t, {}, {2})), {.axes = {1}, .keepDimensions = true});
    return b.mul(f.input(t, scale), b.div(x, b.sqrt(b.add(mean, f.constant(t, epsilon, {0.5})))));
  };
  add("MeanOfPowers", floats, [=](Fixture& f, B& b, DataType t) { return normalization(f, b, t, 1, {}, {3}); });
  add("Normalization", floats, [=](Fixture& f, B& b, DataType t) { return normalization(f, b, t, 2, {}, {3}); });
  add("LargeScale", floats, [=](Fixture& f, B& b, DataType t) { return normalization(f, b, t, 2, {}, {4, 1, 3}); });
  add("LargeEpsilon", floats, [=](Fixture& f, B& b, DataType t) { return rms(f, b, t, {1, 1, 1}, {1}); });
  add("LargeScaleOfOne", floats, [=](Fixture& f, B& b, DataType t) { return rms(f, b, t, {}, {5}); });
  cases.push_back({"oneValueTwice", kAnyAndInt4s, Values::special, [](Fixture& f, DataType t) {
                     const Operand y = f.builder.reshape(f.input(t, {2, 3}), {3, 2});
                     return Outputs{y, y};
                   }});
}

}  // namespace

void addMovingCases(std::vector<ExportCase>& cases) {
  for (const auto add :
       {addConvolutions, addPoolings, addMoves, addIndexing, addQuantization, addRecurrence, addResampling, addLookalikes}) {
    add(cases);
  }
}

}  // namespace webnn::test
