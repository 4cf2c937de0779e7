// Tests losses and optimizers of ONNX.
#include <cmath>

#include "onnx/imported.h"

namespace webnn::test::onnx {
namespace WEBNN_TEST_FILE {

// Log probabilities of 3 samples and 2 classes.
const Given kLogs = inputOf(kFloat, {3, 2}, {-1, -2, -3, -4, -5, -6});

TEST(OnnxLoss, LikelihoodsAreWeighedAndReduced) {
  const Given targets = inputOf(kInt64, {3}, {0, 1, 0}), weights = inputOf(kFloat, {2}, {2, 0.5});
  const auto loss = [](std::string reduction) {
    return Node{"NegativeLogLikelihoodLoss", {}, {}, {{"reduction", std::move(reduction)}}};
  };
  expectCases({
      {"each", loss("none"), {kLogs, targets}, {{1, 4, 5}}},
      {"sum", loss("sum"), {kLogs, targets}, {{10}}},
      {"mean by default", {"NegativeLogLikelihoodLoss"}, {kLogs, targets}, {{10. / 3}}},
      {"weighed", loss("none"), {kLogs, targets, weights}, {{2, 2, 10}}},
      {"weighed mean", loss("mean"), {kLogs, targets, weights}, {{14 / 4.5}}},
      {"int32 targets", loss("sum"), {kLogs, inputOf(kInt32, {3}, {1, 1, 1})}, {{12}}, 12},
      {"of planes", loss("none"), {inputOf(kFloat, {1, 2, 2}, {-1, -2, -3, -4}), inputOf(kInt64, {1, 2}, {1, 0})}, {{3, 2}}},
      {"float16", loss("sum"), {inputOf(kFloat16, {1, 2}, {-1.5, -2}), inputOf(kInt64, {1}, {0})}, {{1.5}}},
  });
}

TEST(OnnxLoss, IgnoredTargetsNeedNotBeClasses) {
  const auto loss = [](std::string reduction, std::int64_t ignored) {
    return Node{"NegativeLogLikelihoodLoss", {}, {}, {{"reduction", std::move(reduction)}, {"ignore_index", ignored}}};
  };
  const Given weights = inputOf(kFloat, {2}, {2, 0.5});
  expectCases({
      {"far below", loss("none", -100), {kLogs, inputOf(kInt64, {3}, {0, -100, 1})}, {{1, 0, 6}}},
      {"far above, mean", loss("mean", 255), {kLogs, inputOf(kInt64, {3}, {0, 255, 1})}, {{3.5}}},
      {"weighed mean", loss("mean", 1), {kLogs, inputOf(kInt64, {3}, {0, 1, 0}), weights}, {{3}}},
      {"an infinite loss",
       loss("sum", 0),
       {inputOf(kFloat, {2, 1}, {-INFINITY, -INFINITY}), inputOf(kInt64, {2}, {0, 0})},
       {{0}}},
  });
}

TEST(OnnxLoss, CrossEntropyAlsoGivesLogProbabilities) {
  const double log4 = std::log(4.0), log3 = std::log(3.0);
  expectCases({
      {"scores",
       {"SoftmaxCrossEntropyLoss", {}, {}, {{"reduction", "none"}}},
       {inputOf(kFloat, {2, 2}, {0, log3, 1000, 1000 + log3}), inputOf(kInt64, {2}, {0, 1})},
       {{log4, log4 - log3}, {-log4, log3 - log4, -log4, log3 - log4}},
       13,
       5e-5},
      {"mean",
       {"SoftmaxCrossEntropyLoss"},
       {inputOf(kFloat, {2, 2}, {0, log3, 0, log3}), inputOf(kInt32, {2}, {0, 1})},
       {{log4 - log3 / 2}},
       12},
  });
}

// Computes a step of each optimizer on a tensor with one element, and compares it with ONNX's formulas.
TEST(OnnxLoss, OptimizersTakeTheirSteps) {
  const auto node = [](std::string opType, std::vector<Attribute> attributes) {
    return Node{std::move(opType), {}, {}, std::move(attributes), "ai.onnx.preview.training"};
  };
  const auto tensors = [](std::vector<double> values, double step) {
    std::vector<Given> inputs{inputOf(kFloat, {}, {0.5}), inputOf(kInt64, {}, {step})};
    for (double value : values) inputs.push_back(inputOf(kFloat, {1}, {value}));
    return inputs;
  };
  const std::vector<Attribute> momentum{{"alpha", 0.5f}, {"beta", 0.25f}, {"norm_coefficient", 0.125f}, {"mode", "standard"}};
  std::vector<Attribute> nesterov = momentum;
  nesterov.back().value = "nesterov";
  const std::vector<Attribute> adam{{"alpha", 0.5f}, {"beta", 0.75f}, {"epsilon", 0.25f}, {"norm_coefficient_post", 0.5f}};
  const double adamStep = 0.5 * std::sqrt(1 - 0.75 * 0.75) / (1 - 0.25);  // includes the bias correction for step 2
  expectCases({
      // gradient 0.125 * 2 + 3 = 3.25; velocity 0.5 * 4 + 3.25 * beta, where beta is 1 in the first step
      {"momentum, first step", node("Momentum", momentum), tensors({2, 3, 4}, 0), {{2 - 0.5 * 5.25}, {5.25}}},
      {"momentum", node("Momentum", momentum), tensors({2, 3, 4}, 1), {{2 - 0.5 * 2.8125}, {2.8125}}},
      {"nesterov", node("Momentum", nesterov), tensors({2, 3, 4}, 1), {{2 - 0.5 * (3.25 + 0.5 * 2.8125)}, {2.8125}}},
      // rate 0.5 / (1 + 2 * 0.5); squares 7 + 9
      {"adagrad", node("Adagrad", {{"decay_factor", 0.5f}, {"epsilon", 1.f}}), tensors({2, 3, 7}, 2), {{2 - 0.25 * 3 / 5}, {16}}},
      // momentum 0.5 * 4 + 0.5 * 3, squares 0.75 * 9 + 0.25 * 9 = 9
      {"adam, first step", node("Adam", adam), tensors({2, 3, 4, 9}, 0), {{(2 - 0.5 * 3.5 / 3.25) / 2}, {3.5}, {9}}},
      {"adam", node("Adam", adam), tensors({2, 3, 4, 9}, 2), {{(2 - adamStep * 3.5 / 3.25) / 2}, {3.5}, {9}}},
      {"two tensors", node("Adagrad", {{"epsilon", 1.f}}), tensors({2, 20, 3, 0, 7, 1}, 0), {{2 - 0.5 * 3 / 5}, {20}, {16}, {1}}},
  });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test::onnx
