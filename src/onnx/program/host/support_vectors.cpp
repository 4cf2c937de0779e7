// SVMClassifier and SVMRegressor of ai.onnx.ml, as scikit-learn's and LibSVM's models are exported. The standard leaves the
// layout of the coefficients and the case of two classes open; both are as in ONNX Runtime. https://onnx.ai/onnx/operators/
#include <algorithm>
#include <cmath>
#include <numeric>

#include "onnx/program/host/classes.h"

namespace webnn::formats::onnx {

namespace {

struct Kernel {
  enum class Type { linear, polynomial, radial, sigmoid };
  Type type = Type::linear;
  float gamma = 0, coefficient = 0, degree = 0;
};

Kernel kernelOf(const HostNode& node) {
  Kernel kernel;
  const std::string_view type = node.text("kernel_type", "LINEAR");
  if (type == "POLY")
    kernel.type = Kernel::Type::polynomial;
  else if (type == "RBF")
    kernel.type = Kernel::Type::radial;
  else if (type == "SIGMOID")
    kernel.type = Kernel::Type::sigmoid;
  else if (type != "LINEAR")
    fail(ErrorKind::dataError, "its kernel_type is {}.", webnn::quoted(type));
  const std::vector<float> given = node.floats("kernel_params");
  if (!given.empty() && given.size() != 3) fail(ErrorKind::dataError, "it has {} kernel_params, not 3.", given.size());
  if (!given.empty()) kernel.gamma = given[0], kernel.coefficient = given[1], kernel.degree = given[2];
  return kernel;
}

float apply(const Kernel& kernel, const float* a, const float* b, std::size_t size) {
  float sum = 0;
  if (kernel.type == Kernel::Type::radial) {
    for (std::size_t i = 0; i < size; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return std::exp(-kernel.gamma * sum);
  }
  for (std::size_t i = 0; i < size; ++i) sum += a[i] * b[i];
  if (kernel.type == Kernel::Type::linear) return sum;
  const float scaled = kernel.gamma * sum + kernel.coefficient;
  return kernel.type == Kernel::Type::polynomial ? std::pow(scaled, kernel.degree) : std::tanh(scaled);
}

// A model's support vectors, or the coefficients of a linear model, as rows.
struct Vectors {
  std::vector<float> elements;
  std::size_t count = 0, features = 0;

  Vectors(std::vector<float> given, std::size_t rows)
      : elements(std::move(given)), count(rows), features(elements.size() / rows) {
    if (elements.size() != count * features || features == 0)
      fail(ErrorKind::dataError, "its {} elements are not {} vectors.", elements.size(), count);
  }
  // Returns the kernel function of `row` and each vector.
  std::vector<float> with(const HostNode& node, const Kernel& kernel, const float* row) const {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) {
      node.tick(features);
      values[i] = apply(kernel, row, &elements[i * features], features);
    }
    return values;
  }
};

void requireFeatures(const Rows& input, const Vectors& vectors) {
  if (input.columns != vectors.features)
    fail(ErrorKind::dataError, "its rows have {} elements, and its vectors {}.", input.columns, vectors.features);
}

void requireAtLeast(const std::vector<float>& list, std::size_t least, std::string_view name) {
  if (list.size() < least) fail(ErrorKind::dataError, "its {} has {} elements, not {}.", name, list.size(), least);
}

void runSVMRegressor(HostNode& node) {
  const Rows input(node, 0);
  const std::vector<float> coefficients = node.floats("coefficients"), rho = node.floats("rho");
  const std::int64_t supports = node.integer("n_supports", 0);
  (void)postTransformOf(node);  // only validated: like ONNX Runtime, a regressor does not apply post_transform
  requireAtLeast(rho, 1, "rho");
  requireAtLeast(coefficients, static_cast<std::size_t>(std::max<std::int64_t>(supports, 1)), "coefficients");
  const bool isLinear = supports <= 0;
  const Vectors vectors =
      isLinear ? Vectors(coefficients, 1) : Vectors(node.floats("support_vectors"), static_cast<std::size_t>(supports));
  requireFeatures(input, vectors);
  const Kernel kernel = isLinear ? Kernel() : kernelOf(node);
  std::vector<float> results;
  node.takeRoom(input.rows, sizeof(float));
  for (std::size_t row = 0; row < input.rows; ++row) {
    const std::vector<float> values = vectors.with(node, kernel, &input.elements[row * input.columns]);
    const float sum = isLinear ? values[0] : std::inner_product(values.begin(), values.end(), coefficients.begin(), 0.0F);
    results.push_back(sum + rho[0]);
    if (node.integer("one_class", 0) != 0) results.back() = results.back() > 0 ? 1.0F : -1.0F;
  }
  node.set(0, floatsOf(node, {static_cast<std::int64_t>(input.rows), 1}, results));
}

// Returns the probabilities of the classes from `pairs`: pairs[i * classes + j] is the probability of i against j. Uses method 2
// of T.-F. Wu, C.-J. Lin, R. C. Weng: Probability estimates for multi-class classification by pairwise coupling, JMLR 5, 2004.
std::vector<float> coupled(const HostNode& node, const std::vector<float>& pairs, std::size_t classes) {
  std::vector<float> p(classes, 1 / static_cast<float>(classes)), q(classes * classes), product(classes);
  for (std::size_t t = 0; t < classes; ++t) {
    for (std::size_t j = 0; j < classes; ++j) {
      if (j == t) continue;
      q[t * classes + t] += pairs[j * classes + t] * pairs[j * classes + t];
      q[t * classes + j] = -pairs[j * classes + t] * pairs[t * classes + j];
    }
  }
  const float most = 0.005F / static_cast<float>(classes);
  for (std::size_t turn = 0; turn < std::max<std::size_t>(100, classes); ++turn) {
    node.tick(classes * classes);
    float all = 0, error = 0;
    for (std::size_t t = 0; t < classes; ++t) {
      product[t] = std::inner_product(p.begin(), p.end(), q.begin() + static_cast<std::ptrdiff_t>(t * classes), 0.0F);
      all += p[t] * product[t];
    }
    for (const float one : product) error = std::max(error, std::fabs(one - all));
    if (error < most) break;
    for (std::size_t t = 0; t < classes; ++t) {
      const float own = q[t * classes + t], step = (all - product[t]) / own;
      p[t] += step;
      all = (all + step * (step * own + 2 * product[t])) / (1 + step) / (1 + step);
      for (std::size_t j = 0; j < classes; ++j) {
        product[j] = (product[j] + step * q[t * classes + j]) / (1 + step);
        p[j] /= 1 + step;
      }
    }
  }
  return p;
}

// One classifier for each pair of classes. `coefficients` has a row for each class but one, with an element for each vector.
struct Pairwise {
  std::vector<float> coefficients, rho, a, b;
  std::vector<std::size_t> starts;  // index of each class's first vector, then the number of vectors

  Pairwise(const HostNode& node, std::size_t classes)
      : coefficients(node.floats("coefficients")),
        rho(node.floats("rho")),
        a(node.floats("prob_a")),
        b(node.floats("prob_b")),
        starts{0} {
    const std::vector<std::int64_t> counts = node.integers("vectors_per_class");
    if (counts.size() != classes || classes < 2)
      fail(ErrorKind::dataError, "it has {} classes, and the vectors of {}.", classes, counts.size());
    for (const std::int64_t count : counts) {
      if (count < 0 || count > 1 << 24) fail(ErrorKind::dataError, "a class has {} vectors.", count);
      starts.push_back(starts.back() + static_cast<std::size_t>(count));
    }
    const std::size_t pairs = classes * (classes - 1) / 2;
    requireAtLeast(coefficients, (classes - 1) * starts.back(), "coefficients");
    requireAtLeast(rho, pairs, "rho");
    if (!a.empty()) requireAtLeast(a, pairs, "prob_a");
    if (!a.empty() || !b.empty()) requireAtLeast(b, a.empty() ? b.size() + 1 : pairs, "prob_b");
  }
  std::size_t classes() const { return starts.size() - 1; }

  // Returns a score for each pair, and counts the votes of the classes.
  std::vector<float> scores(const std::vector<float>& values, std::vector<std::size_t>& votes) const {
    std::vector<float> result;
    const auto sumOf = [&](std::size_t row, std::size_t of) {
      double sum = 0;
      for (std::size_t v = starts[of]; v < starts[of + 1]; ++v)
        sum += static_cast<double>(coefficients[row * starts.back() + v] * values[v]);
      return sum;
    };
    for (std::size_t i = 0; i + 1 < classes(); ++i) {
      for (std::size_t j = i + 1; j < classes(); ++j) {
        const double sum = sumOf(j - 1, i) + sumOf(i, j) + static_cast<double>(rho[result.size()]);
        result.push_back(static_cast<float>(sum));
        ++votes[sum > 0 ? i : j];
      }
    }
    return result;
  }

  std::vector<float> probabilities(const HostNode& node, const std::vector<float>& scores) const {
    constexpr float kLeast = 1.0e-7F;
    std::vector<float> pairs(classes() * classes());
    std::size_t pair = 0;
    for (std::size_t i = 0; i + 1 < classes(); ++i) {
      for (std::size_t j = i + 1; j < classes(); ++j, ++pair) {
        const float p = std::clamp(1 - logistic(scores[pair] * a[pair] + b[pair]), kLeast, 1 - kLeast);
        pairs[i * classes() + j] = p;
        pairs[j * classes() + i] = 1 - p;
      }
    }
    return coupled(node, pairs, classes());
  }
};

// Returns the scores of both classes, computed as in ONNX Runtime from the single score of a model with two classes.
std::vector<float> bothScores(float score, std::string_view post) {
  if (post == "PROBIT") return {probit(score), 0};
  if (post == "LOGISTIC") return {logistic(-score), logistic(score)};
  return post == "NONE" ? std::vector{-score, score} : std::vector{1 - score, score};
}

void runPairwise(HostNode& node, const Rows& input, const ClassLabels& labels) {
  const Pairwise model(node, labels.size());
  const Vectors vectors(node.floats("support_vectors"), model.starts.back());
  requireFeatures(input, vectors);
  const Kernel kernel = kernelOf(node);
  const std::string_view post = postTransformOf(node);
  std::vector<std::size_t> chosen;
  std::vector<float> all;
  for (std::size_t row = 0; row < input.rows; ++row) {
    std::vector<std::size_t> votes(labels.size());
    std::vector<float> scores = model.scores(vectors.with(node, kernel, &input.elements[row * input.columns]), votes);
    chosen.push_back(static_cast<std::size_t>(std::ranges::max_element(votes) - votes.begin()));
    if (!model.a.empty()) scores = model.probabilities(node, scores);
    if (scores.size() == 1)
      scores = bothScores(scores[0], post);
    else
      transformScores(post, scores);
    node.takeRoom(scores.size(), sizeof(float));
    all.insert(all.end(), scores.begin(), scores.end());
  }
  const std::size_t pairs = labels.size() * (labels.size() - 1) / 2;
  const std::size_t width = model.a.empty() ? std::max<std::size_t>(pairs, 2) : labels.size();
  node.set(0, labels.take(node, chosen));
  node.set(1, floatsOf(node, {static_cast<std::int64_t>(input.rows), static_cast<std::int64_t>(width)}, all));
}

void runSVMClassifier(HostNode& node) {
  const Rows input(node, 0);
  const ClassLabels labels(node);
  const std::vector<float> coefficients = node.floats("coefficients"), rho = node.floats("rho");
  if (labels.size() == 0 || labels.size() > 65535) fail(ErrorKind::dataError, "it has {} classes.", labels.size());
  const std::vector<std::int64_t> counts = node.integers("vectors_per_class");
  if (std::ranges::any_of(counts, [](std::int64_t count) { return count > 0; })) return runPairwise(node, input, labels);
  requireAtLeast(rho, 1, "rho");
  const Vectors vectors(coefficients, labels.size());
  requireFeatures(input, vectors);
  const bool hasProbabilities = !node.floats("prob_a").empty();
  const std::string_view post = postTransformOf(node);
  const bool arePositive = std::ranges::all_of(coefficients, [](float weight) { return weight >= 0; });
  std::vector<std::size_t> chosen;
  std::vector<float> all;
  for (std::size_t row = 0; row < input.rows; ++row) {
    std::vector<float> scores = vectors.with(node, {}, &input.elements[row * input.columns]);
    for (float& score : scores) score += rho[0];
    const auto best = std::ranges::max_element(scores);
    // ONNX Runtime chooses the second of two classes if the greater score is above 0 or, if no weight is negative, at least 0.5.
    const bool isSecond = labels.size() == 2 && !hasProbabilities && (arePositive ? *best >= 0.5F : *best > 0);
    chosen.push_back(isSecond ? 1 : static_cast<std::size_t>(best - scores.begin()));
    if (scores.size() > 1 || post == "PROBIT") transformScores(post, scores);
    node.takeRoom(scores.size(), sizeof(float));
    all.insert(all.end(), scores.begin(), scores.end());
  }
  node.set(0, labels.take(node, chosen));
  node.set(1, floatsOf(node, {static_cast<std::int64_t>(input.rows), static_cast<std::int64_t>(labels.size())}, all));
}

}  // namespace

std::span<const HostOperator> supportVectorSteps() {
  static constexpr HostOperator kSteps[]{{"ai.onnx.ml", "SVMClassifier", runSVMClassifier},
                                         {"ai.onnx.ml", "SVMRegressor", runSVMRegressor}};
  return kSteps;
}

}  // namespace webnn::formats::onnx
