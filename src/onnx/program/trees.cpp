// Ensembles of decision trees of ai.onnx.ml, as scikit-learn, XGBoost and LightGBM export them. Sums are taken in float32 in the
// order of the trees, and two classes are special cases, both as in ONNX Runtime, because the standard does not specify them.
// https://onnx.ai/onnx/operators/
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "onnx/program/host_node.h"

namespace webnn::formats::onnx {

namespace {

enum class Branch : std::uint8_t { lessOrEqual, less, greaterOrEqual, greater, equal, notEqual, leaf };

Branch branchOf(std::string_view mode) {
  static constexpr std::string_view kModes[]{"BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ", "LEAF"};
  const auto found = std::ranges::find(kModes, mode);
  if (found == std::end(kModes)) fail(ErrorKind::dataError, "a node of a tree has the mode {}.", webnn::quoted(mode));
  return static_cast<Branch>(found - kModes);
}

struct TreeNode {
  Branch branch = Branch::leaf;
  bool isTrueIfMissing = false;
  float value = 0;
  std::size_t feature = 0, ifTrue = 0, ifFalse = 0;    // index of the feature; indices of the child nodes
  std::vector<std::pair<std::size_t, float>> weights;  // leaf: class or target, and its weight
};

struct Forest {
  std::vector<TreeNode> nodes;
  std::vector<std::size_t> roots;
  std::size_t features = 0, scores = 0;
  bool isOfOneClass = false, arePositive = true;  // whether all weights are of one class; whether none is negative
};

// `prefix` is "class" or "target", the beginning of the attributes' names.
Forest readForest(const HostNode& node, const std::string& prefix, std::size_t scores) {
  const std::vector<std::int64_t> trees = node.integers("nodes_treeids"), ids = node.integers("nodes_nodeids"),
                                  features = node.integers("nodes_featureids"), ifTrue = node.integers("nodes_truenodeids"),
                                  ifFalse = node.integers("nodes_falsenodeids"),
                                  missing = node.integers("nodes_missing_value_tracks_true");
  const Attribute* const modes = node.find("nodes_modes");
  const std::vector<float> values = node.floats("nodes_values");
  const std::size_t count = trees.size();
  if (!modes || modes->strings.size() != count || ids.size() != count || features.size() != count || ifTrue.size() != count ||
      ifFalse.size() != count || values.size() != count || (!missing.empty() && missing.size() != count)) {
    fail(ErrorKind::dataError, "the attributes of its {} nodes have other lengths.", count);
  }
  Forest forest{.nodes = std::vector<TreeNode>(count), .scores = scores};
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> places;
  for (std::size_t i = 0; i < count; ++i) places.emplace(std::pair(trees[i], ids[i]), i);
  std::vector<bool> isChild(count);
  const auto childOf = [&](std::size_t i, std::int64_t id) {
    const auto found = places.find({trees[i], id});
    if (found == places.end() || found->second == i) fail(ErrorKind::dataError, "its tree {} has no node {}.", trees[i], id);
    isChild[found->second] = true;
    return found->second;
  };
  for (std::size_t i = 0; i < count; ++i) {
    TreeNode& own = forest.nodes[i];
    own.branch = branchOf(modes->strings[i]);
    if (own.branch == Branch::leaf) continue;
    if (features[i] < 0) fail(ErrorKind::dataError, "a node of a tree reads the feature {}.", features[i]);
    own.value = values[i];
    own.feature = static_cast<std::size_t>(features[i]);
    own.isTrueIfMissing = !missing.empty() && missing[i] != 0;
    own.ifTrue = childOf(i, ifTrue[i]);
    own.ifFalse = childOf(i, ifFalse[i]);
    forest.features = std::max(forest.features, own.feature + 1);
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!isChild[i]) forest.roots.push_back(i);
  }
  const std::vector<std::int64_t> leafTrees = node.integers(prefix + "_treeids"), leafIds = node.integers(prefix + "_nodeids"),
                                  leafScores = node.integers(prefix + "_ids");
  const std::vector<float> weights = node.floats(prefix + "_weights");
  if (leafIds.size() != leafTrees.size() || leafScores.size() != leafTrees.size() || weights.size() != leafTrees.size())
    fail(ErrorKind::dataError, "the attributes of its {} weights have other lengths.", leafTrees.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const auto place = places.find({leafTrees[i], leafIds[i]});
    if (place == places.end() || leafScores[i] < 0 || static_cast<std::size_t>(leafScores[i]) >= scores)
      fail(ErrorKind::dataError, "a weight belongs to the node {} of tree {} and the {} {}.", leafIds[i], leafTrees[i], prefix, leafScores[i]);
    forest.nodes[place->second].weights.emplace_back(static_cast<std::size_t>(leafScores[i]), weights[i]);
    if (weights[i] < 0) forest.arePositive = false;
  }
  forest.isOfOneClass = !leafScores.empty() && std::ranges::count(leafScores, leafScores[0]) == std::ssize(leafScores);
  return forest;
}

const TreeNode& leafOf(const Forest& forest, std::size_t root, const float* features) {
  std::size_t steps = 0;
  const TreeNode* node = &forest.nodes[root];
  while (node->branch != Branch::leaf) {
    if (++steps > forest.nodes.size()) fail(ErrorKind::dataError, "its nodes are no trees: they form a circle.");
    const float x = features[node->feature];
    bool isTrue = node->isTrueIfMissing && std::isnan(x);
    switch (node->branch) {
      case Branch::lessOrEqual: isTrue = isTrue || x <= node->value; break;
      case Branch::less: isTrue = isTrue || x < node->value; break;
      case Branch::greaterOrEqual: isTrue = isTrue || x >= node->value; break;
      case Branch::greater: isTrue = isTrue || x > node->value; break;
      case Branch::equal: isTrue = isTrue || x == node->value; break;
      case Branch::notEqual: isTrue = isTrue || x != node->value; break;
      case Branch::leaf: break;
    }
    node = &forest.nodes[isTrue ? node->ifTrue : node->ifFalse];
  }
  return *node;
}

float logistic(float x) {
  const float y = 1 / (1 + std::exp(-std::fabs(x)));
  return x < 0 ? 1 - y : y;
}

// Returns the inverse of the normal distribution function by the approximation of ONNX Runtime.
float probit(float p) {
  const float x = 2 * p - 1, logarithm = std::log((1 - x) * (1 + x));
  const float v = 2 / (3.14159F * 0.147F) + 0.5F * logarithm, root = std::sqrt(-v + std::sqrt(v * v - 1 / 0.147F * logarithm));
  return 1.41421356F * (x < 0 ? -root : root);
}

void transform(std::string_view kind, std::span<float> scores) {
  if (kind == "NONE") return;
  if (kind == "LOGISTIC") return (void)std::ranges::transform(scores, scores.begin(), logistic);
  if (kind == "PROBIT") return (void)std::ranges::transform(scores, scores.begin(), probit);
  if (kind != "SOFTMAX" && kind != "SOFTMAX_ZERO") fail(ErrorKind::dataError, "its post_transform is {}.", webnn::quoted(kind));
  const float most = *std::ranges::max_element(scores);
  float sum = 0;
  for (float& score : scores) {
    const bool isZero = kind == "SOFTMAX_ZERO" && std::fabs(score) <= 0.0000001F;
    score = isZero ? score * std::exp(-most) : std::exp(score - most);
    sum += score;
  }
  for (float& score : scores) score /= sum;
}

// Returns the input, of any numeric type, as rows of float32.
std::vector<float> rowsOfInput(const HostNode& node, std::size_t& rows, std::size_t& columns) {
  const Dims& dims = node.dims(0);
  if (dims.empty() || dims.size() > 2) fail(ErrorKind::dataError, "its input [{}] is not of rows.", textOf(dims));
  rows = dims.size() == 2 ? static_cast<std::size_t>(dims[0]) : 1;
  columns = static_cast<std::size_t>(dims.back());
  const std::vector<double> numbers = node.numbers(0);
  std::vector<float> floats(numbers.size());
  std::ranges::transform(numbers, floats.begin(), [](double number) { return static_cast<float>(number); });
  return floats;
}

void requireFeatures(std::size_t columns, std::size_t needed) {
  if (columns < needed) fail(ErrorKind::dataError, "rows of {} elements have no feature {}.", columns, needed - 1);
}

Value floatsOf(const HostNode& node, Dims dims, const std::vector<float>& floats) {
  return node.makeNumbers(ElementType::float32, std::move(dims), std::vector<double>(floats.begin(), floats.end()));
}

void runTreeEnsembleRegressor(HostNode& node) {
  const auto targets = node.integer("n_targets", 1);
  if (targets < 1 || targets > 1 << 20) fail(ErrorKind::dataError, "n_targets is {}.", targets);
  const auto count = static_cast<std::size_t>(targets);
  const Forest& forest = node.prepared<Forest>([&] { return readForest(node, "target", count); });
  std::size_t rows = 0, columns = 0;
  const std::vector<float> input = rowsOfInput(node, rows, columns), base = node.floats("base_values");
  requireFeatures(columns, forest.features);
  const std::string_view aggregate = node.text("aggregate_function", "SUM"), post = node.text("post_transform", "NONE");
  std::vector<float> all;
  for (std::size_t row = 0; row < rows; ++row) {
    node.check();
    std::vector<float> scores(count);
    std::vector<bool> has(count);
    for (const std::size_t root : forest.roots) {
      for (const auto& [target, weight] : leafOf(forest, root, &input[row * columns]).weights) {
        float& score = scores[target];
        if (aggregate == "MIN") score = has[target] ? std::min(score, weight) : weight;
        else if (aggregate == "MAX") score = has[target] ? std::max(score, weight) : weight;
        else score += weight;
        has[target] = true;
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (aggregate == "AVERAGE") scores[i] /= static_cast<float>(forest.roots.size());
      if (i < base.size()) scores[i] += base[i];
    }
    if (count > 1 || post == "PROBIT") transform(post, scores);  // the other transforms need several scores
    all.insert(all.end(), scores.begin(), scores.end());
  }
  node.set(0, floatsOf(node, {static_cast<std::int64_t>(rows), targets}, all));
}

void runTreeEnsembleClassifier(HostNode& node) {
  const std::vector<std::int64_t> labels = node.integers("classlabels_int64s");
  if (labels.empty()) fail(ErrorKind::notSupportedError, "its classes are strings, which WebNN lacks.");
  const std::size_t count = labels.size();
  const Forest& forest = node.prepared<Forest>([&] { return readForest(node, "class", count); });
  std::size_t rows = 0, columns = 0;
  const std::vector<float> input = rowsOfInput(node, rows, columns), base = node.floats("base_values");
  requireFeatures(columns, forest.features);
  const std::string_view post = node.text("post_transform", "NONE");
  std::vector<float> all;
  std::vector<std::int64_t> chosen;
  for (std::size_t row = 0; row < rows; ++row) {
    node.check();
    std::vector<float> scores(count);
    std::vector<bool> has(count);
    for (const std::size_t root : forest.roots) {
      for (const auto& [label, weight] : leafOf(forest, root, &input[row * columns]).weights) {
        scores[label] += weight;
        has[label] = true;
      }
    }
    // If the leaves of a binary classifier have weights of one class only, the sign of that class's score (or whether it exceeds
    // 0.5, if no weight is negative) chooses the class.
    if (count == 2 && forest.isOfOneClass) {
      float score = has[1] ? scores[1] : scores[0];
      if (base.size() == 2) score += base[1];
      if (base.size() == 1) score += base[0];
      const bool isSecond = forest.arePositive ? score > 0.5F : score > 0;
      chosen.push_back(labels[isSecond ? 1 : 0]);
      if (has[1]) transform(post, scores);
      else if (post == "PROBIT") scores = {probit(score)};
      else if (post == "LOGISTIC") scores = {logistic(-score), logistic(score)};
      else if (forest.arePositive) scores = {1 - score, score};
      else scores = {-score, score};
      all.insert(all.end(), scores.begin(), scores.end());
      continue;
    }
    for (std::size_t i = 0; i < std::min(count, base.size()); ++i) scores[i] += base[i];
    chosen.push_back(labels[static_cast<std::size_t>(std::ranges::max_element(scores) - scores.begin())]);
    transform(post, scores);
    all.insert(all.end(), scores.begin(), scores.end());
  }
  const auto rowCount = static_cast<std::int64_t>(rows);
  node.set(0, node.makeIntegers({rowCount}, chosen));
  const auto scoreCount = rows == 0 ? static_cast<std::int64_t>(count) : std::ssize(all) / rowCount;
  node.set(1, floatsOf(node, {rowCount, scoreCount}, all));
}

}  // namespace

std::span<const HostOperator> treeSteps() {
  static constexpr HostOperator kSteps[]{{"ai.onnx.ml", "TreeEnsembleClassifier", runTreeEnsembleClassifier},
                                         {"ai.onnx.ml", "TreeEnsembleRegressor", runTreeEnsembleRegressor}};
  return kSteps;
}

}  // namespace webnn::formats::onnx
