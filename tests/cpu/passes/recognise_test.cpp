// Tests patterns that are recognized as one operation, and graphs that are too different.
#include <cmath>
#include <numbers>

#include "cpu/pass_support.h"

namespace webnn::test {
namespace WEBNN_TEST_FILE {

using Build = std::function<Operand(Fixture&)>;

Operand number(Fixture& f, double value) { return f.constant({}, {value}); }

void expectRecognised(const std::string& operations, const Build& make, const CpuCase& options = {}) {
  expectAfterPass(cpu::recognise, operations, make, options);
}

// Builds erf(x / sqrt(2)), written in different ways.
Operand erfOf(Fixture& f, const Operand& x, bool divides) {
  const Operand argument =
      divides ? f.builder.div(x, number(f, std::numbers::sqrt2)) : f.builder.mul(number(f, 1 / std::numbers::sqrt2), x);
  return f.builder.erf(argument);
}

TEST(CpuRecognise, FindsGeluInEveryOrderOfItsFactors) {
  for (const bool divides : {true, false}) {
    for (int order = 0; order < 7; ++order) {
      SCOPED_TRACE(order);
      const bool isProductFirst = order == 1 || order == 4;  // the product may overflow before the last factor is applied
      expectRecognised(isProductFirst ? "fusedElementwise" : "gelu", [&](Fixture& f) {
        GraphBuilder& b = f.builder;
        const Operand x = f.input({3, 21}), erf = erfOf(f, x, divides), half = number(f, 0.5), one = f.constant({1, 1}, {1});
        const Operand sum = order % 2 ? b.add(erf, one) : b.add(one, erf);
        switch (order) {
          case 0: return b.mul(b.mul(x, half), sum);
          case 1: return b.mul(b.mul(x, sum), half);
          case 2: return b.mul(x, b.mul(half, sum));
          case 3: return b.mul(sum, b.mul(half, x));
          case 4: return b.div(b.mul(sum, x), number(f, 2));
          case 5: return b.mul(x, b.linear(erf, {.alpha = 0.5, .beta = 0.5, .label = {}}));
          default: return b.mul(b.div(x, number(f, 2)), sum);
        }
      });
    }
  }
}

TEST(CpuRecognise, FindsGeluOfProductsAndSums) {
  expectRecognised("mul add fusedElementwise", [](Fixture& f) {
    const Operand x = f.builder.add(f.builder.mul(f.input({5, 7}), number(f, 1.5)), number(f, 0.25));
    return f.builder.mul(f.builder.mul(x, f.builder.add(erfOf(f, x, true), number(f, 1))), number(f, 0.5));
  });
}

TEST(CpuRecognise, KeepsPatternsThatAreAlmostGelu) {
  const auto almost = [](double half, double one, double root) {
    return [=](Fixture& f) {
      GraphBuilder& b = f.builder;
      const Operand x = f.input({4, 9}), erf = b.erf(b.div(x, number(f, root)));
      const Operand sum = b.add(erf, number(f, one));
      return b.mul(b.mul(x, number(f, half)), sum);
    };
  };
  expectRecognised("div erf add mul mul", almost(0.5, 1, 1.4142));
  expectRecognised("div erf add mul mul", almost(0.51, 1, std::numbers::sqrt2));
  expectRecognised("div erf add mul mul", almost(0.5, 1.5, std::numbers::sqrt2));
  // erf and the product have different operands.
  expectRecognised("div erf add mul mul", [](Fixture& f) {
    const Operand x = f.input({4}), y = f.input({4});
    return f.builder.mul(f.builder.mul(y, f.builder.add(erfOf(f, x, true), number(f, 1))), number(f, 0.5));
  });
  // x is broadcast, so that the result has another shape than gelu(x).
  expectRecognised("div erf add mul mul", [](Fixture& f) {
    const Operand x = f.input({4});
    const Operand wide = f.builder.mul(x, f.builder.add(erfOf(f, x, true), f.constant({3, 1}, {1})));
    return f.builder.mul(wide, number(f, 0.5));
  });
  // In float16, each operation rounds.
  expectRecognised("div erf add mul mul", [](Fixture& f) {
    const auto half = [&](double value) { return f.constant(DataType::float16, {}, {value}); };
    const Operand x = f.input(DataType::float16, {4});
    const Operand erf = f.builder.erf(f.builder.div(x, half(std::numbers::sqrt2)));
    return f.builder.mul(f.builder.mul(x, f.builder.add(erf, half(1))), half(0.5));
  });
}

// Builds `scale` * (x + 0.044715 * x^3), written in different ways.
Operand cubic(Fixture& f, const Operand& x, int form, double scale) {
  GraphBuilder& b = f.builder;
  const double factor = 0.044715;
  switch (form) {
    case 0: return b.mul(b.add(x, b.mul(number(f, factor), b.pow(x, number(f, 3)))), number(f, scale));
    case 1: return b.mul(number(f, scale), b.add(b.mul(b.mul(b.mul(x, x), x), number(f, factor)), x));
    case 2: return b.mul(b.mul(x, number(f, scale)), b.add(b.mul(b.mul(x, number(f, factor)), x), number(f, 1)));
    default: return b.mul(x, b.linear(b.pow(x, number(f, 2)), {.alpha = factor * scale, .beta = scale, .label = {}}));
  }
}

TEST(CpuRecognise, FindsGeluWithTanhInEveryForm) {
  const double root = std::sqrt(2 / std::numbers::pi);
  for (int form = 0; form < 4; ++form) {
    for (int order = 0; order < 5; ++order) {
      SCOPED_TRACE(std::to_string(form) + " " + std::to_string(order));
      const Build make = [&](Fixture& f) {
        GraphBuilder& b = f.builder;
        const Operand x = f.input({3, 21}), half = number(f, 0.5);
        if (order == 4) return b.mul(b.sigmoid(cubic(f, x, form, 2 * root)), x);
        const Operand tanh = b.tanh(cubic(f, x, form, root)), sum = b.add(tanh, number(f, 1));
        return order == 0   ? b.mul(b.mul(half, x), sum)
               : order == 1 ? b.mul(b.mul(x, sum), half)  // may overflow before the factor is applied
               : order == 2 ? b.mul(x, b.mul(half, sum))
                            : b.mul(x, b.linear(tanh, {.alpha = 0.5, .beta = 0.5, .label = {}}));
      };
      expectRecognised("fusedElementwise", make, {.relative = 1e-5, .absolute = 1e-6});
      Fixture f;  // for large numbers, the curve is 0 or 1, whatever overflows
      const Operand y = make(f);
      std::vector<Number> values(3 * 21, Number(-3e38));
      for (std::size_t i = 0; i < 12; ++i) values[i] = std::pow(10.0, 3.0 * static_cast<double>(i)) * (i % 2 ? -1 : 1);
      expectCpuAgrees(f, {y}, {.relative = 1e-5, .absolute = 1e-6, .inputs = {{"input0", values}}});
    }
  }
}

TEST(CpuRecognise, FindsGeluWithTanhOfProducts) {
  expectRecognised("mul add fusedElementwise", [](Fixture& f) {
    const Operand x = f.builder.add(f.builder.mul(f.input({5, 7}), f.input({5, 7})), number(f, 0.25));
    return f.builder.mul(x, f.builder.sigmoid(cubic(f, x, 0, 1.5)));
  });
}

TEST(CpuRecognise, KeepsPatternsThatAreAlmostGeluWithTanh) {
  GraphBuilder* builder = nullptr;
  const auto keep = [&](const std::string& operations, const std::function<Operand(Fixture&, const Operand&)>& make) {
    Fixture f;
    builder = &f.builder;
    EXPECT_EQ(operationsAfter(f, {make(f, f.input({4, 9}))}, {cpu::recognise}), operations);
  };
  keep("linear sigmoid mul", [&](Fixture&, const Operand& x) {  // no cube
    return builder->mul(x, builder->sigmoid(builder->linear(x, {.alpha = 1.702, .label = {}})));
  });
  keep("pow linear sigmoid mul", [&](Fixture& f, const Operand& x) {  // no linear term
    return builder->mul(x, builder->sigmoid(builder->linear(builder->pow(x, number(f, 3)), {.alpha = 0.5, .label = {}})));
  });
  keep("pow mul add mul tanh add mul", [&](Fixture& f, const Operand& x) {  // without the factor 1/2
    return builder->mul(x, builder->add(builder->tanh(cubic(f, x, 0, 0.8)), number(f, 1)));
  });
  const auto linear = [&](const Operand& x, double alpha, double beta) {
    return builder->linear(x, {.alpha = alpha, .beta = beta, .label = {}});
  };
  const auto cube = [&](Fixture& f, const Operand& x) { return linear(builder->pow(x, number(f, 3)), 0.05, 0); };
  keep("add linear mul mul sigmoid mul", [&](Fixture& f, const Operand& x) {  // terms that cancel
    const Operand sum = builder->add(x, number(f, 100)), rest = linear(x, 1, -100);
    return builder->mul(x, builder->sigmoid(builder->mul(builder->mul(sum, rest), x)));
  });
  keep("add linear pow linear add sigmoid mul", [&](Fixture& f, const Operand& x) {  // rounds x to an integer
    const Operand rounded = linear(builder->add(x, number(f, 12582912)), 1, -12582912);
    return builder->mul(x, builder->sigmoid(builder->add(rounded, cube(f, x))));
  });
  keep("linear sub pow linear add sigmoid mul", [&](Fixture& f, const Operand& x) {  // inf - inf for x = inf
    const Operand difference = builder->sub(linear(x, 2, 0), x);
    return builder->mul(x, builder->sigmoid(builder->add(cube(f, x), difference)));
  });
  for (const double factor : {1e20, 1e-20}) {  // the square overflows or underflows
    keep("linear pow linear mul add sigmoid mul", [&](Fixture& f, const Operand& x) {
      const Operand square = builder->pow(linear(x, factor, 0), number(f, 2));
      return builder->mul(x, builder->sigmoid(builder->add(x, builder->mul(linear(square, 0.05 / (factor * factor), 0), x))));
    });
  }
  keep("pow mul add mul sigmoid mul", [&](Fixture& f, const Operand& x) {  // the cubic of another operand
    return builder->mul(f.input({4, 9}), builder->sigmoid(cubic(f, x, 0, 0.8)));
  });
}

TEST(CpuRecognise, LeavesGeluWhosePartsAreUsedElsewhere) {
  for (const bool isOutput : {true, false}) {
    const auto make = [&](Fixture& f) {
      const Operand x = f.input({4, 9}), erf = erfOf(f, x, true);
      const Operand gelu = f.builder.mul(f.builder.mul(x, f.builder.add(erf, number(f, 1))), number(f, 0.5));
      return std::vector<Operand>{gelu, isOutput ? erf : f.builder.neg(erf)};
    };
    Fixture f;
    EXPECT_EQ(operationsAfter(f, make(f), {cpu::recognise}), isOutput ? "div erf add mul mul" : "div erf add mul mul neg");
    Fixture g;
    expectCpuAgrees(g, make(g));
  }
}

TEST(CpuRecognise, FindsHardSwish) {
  const CpuCase options{.low = -5, .high = 5};
  const auto clamp = [](double minimum, double maximum) {
    return ClampOptions{.minValue = minimum, .maxValue = maximum, .label = {}};
  };
  const auto shifted = [](Fixture& f, const Operand& x) { return f.builder.add(x, number(f, 3)); };
  const std::vector<std::function<Operand(Fixture&, const Operand&)>> forms{
      [&](Fixture& f, const Operand& x) {
        return f.builder.div(f.builder.mul(x, f.builder.clamp(shifted(f, x), clamp(0, 6))), number(f, 6));
      },
      [&](Fixture& f, const Operand& x) {
        return f.builder.mul(f.builder.div(f.builder.clamp(shifted(f, x), clamp(0, 6)), number(f, 6)), x);
      },
      [&](Fixture& f, const Operand& x) {
        const Operand line = f.builder.linear(x, {.alpha = 1.0 / 6, .beta = 0.5, .label = {}});
        return f.builder.mul(x, f.builder.clamp(line, clamp(0, 1)));
      },
      [&](Fixture& f, const Operand& x) {
        return f.builder.mul(x, f.builder.hardSigmoid(x, {.alpha = 1.0 / 6, .beta = 0.5, .label = {}}));
      },
      [&](Fixture& f, const Operand& x) {
        const Operand six = f.builder.min(f.builder.max(shifted(f, x), number(f, 0)), number(f, 6));
        return f.builder.mul(f.builder.mul(x, six), number(f, 1.0 / 6));
      },
      [&](Fixture& f, const Operand& x) {
        return f.builder.mul(f.builder.mul(x, f.builder.min(f.builder.relu(shifted(f, x)), number(f, 6))), number(f, 1.0 / 6));
      }};
  for (std::size_t i = 0; i < forms.size(); ++i) {
    const bool isProductFirst = i == 0 || i > 3;  // the product may overflow before the last factor is applied
    expectRecognised(
        isProductFirst ? "fusedElementwise" : "hardSwish",
        [&](Fixture& f) {
          return forms[i](f, f.input({3, 17}));
        },
        options);
  }

  expectRecognised("hardSigmoid mul", [](Fixture& f) {
    const Operand x = f.input({3, 17});
    return f.builder.mul(x, f.builder.hardSigmoid(x, {.alpha = 0.2, .beta = 0.5, .label = {}}));
  });
  expectRecognised("add clamp mul div", [&](Fixture& f) {
    const Operand x = f.input({3, 17});
    return f.builder.div(f.builder.mul(x, f.builder.clamp(shifted(f, x), clamp(0, 5))), number(f, 6));
  });
  expectRecognised("sigmoid mul", [](Fixture& f) {
    const Operand x = f.input({3, 17});
    return f.builder.mul(x, f.builder.sigmoid(x));
  });
}

TEST(CpuRecognise, FindsSoftmax) {
  const auto softmax = [](std::uint32_t maxAxis, std::uint32_t sumAxis, bool divides, bool keeps) {
    return [=](Fixture& f) {
      GraphBuilder& b = f.builder;
      const Operand x = f.input({3, 5, 3});
      const auto along = [&](std::uint32_t axis, bool keep) {
        ReduceOptions options{.keepDimensions = keep, .label = {}};
        options.axes = std::vector<std::uint32_t>{axis};
        return options;
      };
      const Operand e = b.exp(b.sub(x, b.reduceMax(x, along(maxAxis, true)))), sum = b.reduceSum(e, along(sumAxis, keeps));
      return divides ? b.div(e, sum) : b.mul(b.reciprocal(sum), e);
    };
  };
  expectRecognised("softmax", softmax(1, 1, true, true));
  expectRecognised("softmax", softmax(2, 2, false, true));
  expectRecognised("reduceMax sub exp reduceSum div", softmax(2, 1, true, true));
}

// Builds (x - mean) / sqrt(variance + epsilon) over axes, written in different ways.
Operand normalized(Fixture& f, const Operand& x, std::vector<std::uint32_t> axes, int form, double epsilon = 1e-3) {
  GraphBuilder& b = f.builder;
  ReduceOptions options{.keepDimensions = true, .label = {}};
  options.axes = std::move(axes);
  const Operand distance = b.sub(x, b.reduceMean(x, options));
  const Operand squares = form % 2 ? b.pow(distance, number(f, 2)) : b.mul(distance, distance);
  const Operand sum = b.add(b.reduceMean(squares, options), number(f, epsilon));
  switch (form) {
    case 0: return b.div(distance, b.sqrt(sum));
    case 1: return b.mul(distance, b.reciprocal(b.sqrt(sum)));
    case 2: return b.mul(b.div(number(f, 1), b.sqrt(sum)), distance);
    case 3: return b.mul(distance, b.pow(sum, number(f, -0.5)));
    default: return b.div(distance, b.pow(sum, number(f, 0.5)));
  }
}

const CpuCase kNormalized{.relative = 4e-6, .absolute = 4e-6};

std::vector<Number> counting(std::size_t count) {
  std::vector<Number> values;
  for (std::size_t i = 0; i < count; ++i) values.emplace_back(0.5 + 0.125 * static_cast<double>(i % 13));
  return values;
}

TEST(CpuRecognise, FindsLayerNormalization) {
  for (int form = 0; form < 5; ++form) {
    SCOPED_TRACE(form);
    expectRecognised(
        "rowNormalization",
        [&](Fixture& f) {
          return normalized(f, f.input({4, 37}), {1}, form);
        },
        kNormalized);
    expectRecognised(
        "writtenNormalization",
        [&](Fixture& f) {
          return normalized(f, f.input({4, 5, 7}), {2, 1}, form);
        },
        kNormalized);
    expectRecognised(
        "rowNormalization",
        [&](Fixture& f) {
          const Operand row = normalized(f, f.input({2, 4, 37}), {2}, form);
          return f.builder.add(f.builder.mul(f.constant({37}, counting(37)), row), f.constant({1, 1, 37}, counting(37)));
        },
        kNormalized);
  }
}

TEST(CpuRecognise, FindsScaleAndBiasOfInputs) {
  expectRecognised(
      "rowNormalization",
      [](Fixture& f) {
        const Operand row = normalized(f, f.input({2, 4, 37}), {2}, 0);
        return f.builder.add(f.builder.mul(row, f.constant({1, 37}, counting(37))), f.input({37}));
      },
      kNormalized);
  // A scale that is an input may make the scaled value overflow. The graph's sum is then infinite, but the sum of an absorbed
  // bias, which is rounded once, might be finite.
  expectRecognised(
      "rowNormalization add",
      [](Fixture& f) {
        const Operand row = normalized(f, f.input({2, 4, 37}), {2}, 0);
        return f.builder.add(f.builder.mul(row, f.input({1, 37})), f.input({37}));
      },
      kNormalized);
  expectRecognised(
      "writtenNormalization",
      [](Fixture& f) {
        const Operand planes = normalized(f, f.input({2, 4, 9}), {1, 2}, 0);
        return f.builder.add(f.builder.mul(planes, f.input({4, 9})), f.constant({1, 4, 9}, counting(36)));
      },
      kNormalized);
  // The bias has another shape, or the scale is applied after the bias.
  expectRecognised(
      "rowNormalization add",
      [](Fixture& f) {
        return f.builder.add(normalized(f, f.input({2, 4, 7}), {2}, 0), f.input({4, 1}));
      },
      kNormalized);
  expectRecognised(
      "rowNormalization mul",
      [](Fixture& f) {
        return f.builder.mul(f.builder.add(normalized(f, f.input({4, 7}), {1}, 0), f.input({7})), f.input({7}));
      },
      kNormalized);
  // The scale enlarges the result by broadcasting.
  expectRecognised(
      "rowNormalization mul",
      [](Fixture& f) {
        return f.builder.mul(normalized(f, f.input({4, 7}), {1}, 0), f.input({2, 1, 7}));
      },
      kNormalized);
}

TEST(CpuRecognise, FindsInstanceNormalization) {
  expectRecognised(
      "writtenNormalization",
      [](Fixture& f) {
        const Operand planes = normalized(f, f.input({2, 3, 5, 7}), {2, 3}, 0);
        return f.builder.add(f.builder.mul(planes, f.constant({1, 3, 1, 1}, counting(3))), f.constant({3, 1, 1}, counting(3)));
      },
      kNormalized);
  expectRecognised(
      "writtenNormalization",
      [](Fixture& f) {
        const Operand planes = normalized(f, f.input({2, 5, 7, 3}), {1, 2}, 1);
        return f.builder.add(f.builder.mul(planes, f.input({3})), f.constant({1, 1, 3}, counting(3)));
      },
      kNormalized);
}

TEST(CpuRecognise, FindsRmsNormalization) {
  const auto rms = [](std::uint32_t axis, bool divides) {
    return [=](Fixture& f) {
      GraphBuilder& b = f.builder;
      const Operand x = f.input({3, 33});
      ReduceOptions options{.keepDimensions = true, .label = {}};
      options.axes = std::vector<std::uint32_t>{axis};
      const Operand root = b.sqrt(b.add(b.reduceMean(b.pow(x, number(f, 2)), options), number(f, 1e-3)));
      const Operand normal = divides ? b.div(x, root) : b.mul(x, b.reciprocal(root));
      return b.mul(f.constant({33}, counting(33)), normal);
    };
  };
  expectRecognised("rowNormalization", rms(1, true), kNormalized);
  expectRecognised("rowNormalization", rms(1, false), kNormalized);
  expectRecognised("pow reduceMean add sqrt div mul", rms(0, true), kNormalized);
}

TEST(CpuRecognise, KeepsPatternsThatAreAlmostNormalizations) {
  const auto almost = [](int which) {
    return [=](Fixture& f) {
      GraphBuilder& b = f.builder;
      const Operand x = f.input({6, 6}), y = f.input({6, 6});
      ReduceOptions rows{.keepDimensions = true, .label = {}}, columns{.keepDimensions = true, .label = {}};
      rows.axes = std::vector<std::uint32_t>{1};
      columns.axes = std::vector<std::uint32_t>{0};
      const Operand distance = b.sub(x, b.reduceMean(which == 0 ? y : x, rows));
      const Operand squares = b.mul(distance, which == 1 ? y : distance);
      const Operand sum = b.add(b.reduceMean(squares, which == 2 ? columns : rows), number(f, which == 3 ? -1e-3 : 1e-3));
      const Operand result = b.div(which == 4 ? y : distance, b.sqrt(sum));
      return which < 4 ? b.add(result, b.mul(y, number(f, 0))) : result;
    };
  };
  for (int which = 0; which < 5; ++which) {
    SCOPED_TRACE(which);
    Fixture f;
    const std::string operations = operationsAfter(f, {almost(which)(f)}, {cpu::recognise});
    // The first case subtracts the mean of y, so it is no layer normalization of x. The difference is divided by its own root
    // mean square, which is an RMS normalization.
    EXPECT_EQ(operations.find("rowNormalization") != std::string::npos, which == 0) << operations;
    EXPECT_EQ(operations.find("layerNormalization"), std::string::npos) << operations;
    Fixture g;
    expectCpuAgrees(g, {almost(which)(g)}, {.low = 0.5, .high = 2, .relative = 1e-4, .absolute = 1e-4});
  }
}

TEST(CpuRecognise, AddsTheResidualWithinTheNormalization) {
  for (const DataType type : {DataType::float32, DataType::float16}) {
    expectRecognised(
        "rowNormalization",
        [&](Fixture& f) {
          const Operand sum = f.builder.add(f.input(type, {3, 4, 35}), f.input(type, {3, 4, 35}));
          LayerNormalizationOptions options{.label = {}};
          options.axes = std::vector<std::uint32_t>{2};
          options.scale = f.constant(type, {35}, counting(35));
          options.bias = f.input(type, {35});
          return f.builder.layerNormalization(sum, options);
        },
        kNormalized);
  }
  expectRecognised(
      "add rowNormalization",
      [&](Fixture& f) {  // the residual is broadcast
        LayerNormalizationOptions options{.label = {}};
        options.axes = std::vector<std::uint32_t>{2};
        return f.builder.layerNormalization(f.builder.add(f.input({3, 4, 35}), f.input({35})), options);
      },
      kNormalized);
  expectRecognised(
      "add rowNormalization mul",
      [&](Fixture& f) {  // the sum is used twice
        LayerNormalizationOptions options{.label = {}};
        options.axes = std::vector<std::uint32_t>{1};
        const Operand sum = f.builder.add(f.input({3, 35}), f.input({3, 35}));
        return f.builder.mul(f.builder.layerNormalization(sum, options), sum);
      },
      kNormalized);
  Fixture f;
  const Operand sum = f.builder.add(f.input({3, 35}), f.input({3, 35}));
  EXPECT_EQ(operationsAfter(f, {f.builder.layerNormalization(sum), sum}, {cpu::recognise}), "add rowNormalization");
}

TEST(CpuRecognise, NormalizesSumsOfRowsOfAnyLength) {
  for (const std::uint32_t length : {1U, 3U, 16U, 63U, 64U, 130U, 5000U}) {
    expectRecognised(
        "rowNormalization",
        [&](Fixture& f) {
          LayerNormalizationOptions options{.label = {}};
          options.axes = std::vector<std::uint32_t>{1};
          return f.builder.layerNormalization(f.builder.add(f.input({7, length}), f.input({7, length})), options);
        },
        kNormalized);
  }
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test
