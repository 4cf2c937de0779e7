// Ensembles of decision trees of ai.onnx.ml, as scikit-learn, XGBoost and LightGBM export them. Sums are taken in float32 (in
// double if the weights are float64) in the order of the trees, and two classes with weights of one class only are a special
// case, both as in ONNX Runtime, because the standard does not specify them.
// https://onnx.ai/onnx/operators/
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "onnx/program/elements.h"
#include "onnx/program/host/classes.h"
#include "onnx/program/host_node.h"

namespace webnn::formats::onnx {

namespace {

enum class Branch : std::uint8_t { lessOrEqual, less, greaterOrEqual, greater, equal, notEqual, member, leaf };

Branch branchOf(std::string_view mode) {
  static constexpr std::string_view kModes[]{"BRANCH_LEQ", "BRANCH_LT",  "BRANCH_GTE",    "BRANCH_GT",
                                             "BRANCH_EQ",  "BRANCH_NEQ", "BRANCH_MEMBER", "LEAF"};
  const auto found = std::ranges::find(kModes, mode);
  // BRANCH_MEMBER exists only in TreeEnsemble of ai.onnx.ml 5, whose modes are numbers, not text.
  if (found == std::end(kModes) || *found == "BRANCH_MEMBER")
    fail(ErrorKind::dataError, "a node of a tree has the mode {}.", webnn::quoted(mode));
  return static_cast<Branch>(found - kModes);
}

// A node, kept to 24 bytes because a walk down a tree misses the cache at nearly every node.
struct TreeNode {
  // Compared with the feature in double, which is exact for float32. Branch::member: the index of the set of values.
  double value = 0;
  std::uint32_t feature = 0;
  std::uint32_t ifTrue = 0, ifFalse = 0;  // indices of the child nodes; at a leaf, the begin and the end of its weights
  Branch branch = Branch::leaf;
  bool isTrueIfMissing = false;
};

struct LeafWeight {
  std::size_t score = 0;  // index of the class or target
  double weight = 0;
};

struct Forest {
  std::vector<TreeNode> nodes;
  std::vector<LeafWeight> weights;        // weights of all leaves
  std::vector<std::vector<double>> sets;  // the sorted values of each node with Branch::member
  std::vector<std::size_t> roots;
  std::size_t features = 0, scores = 0;
  bool isDouble = false;                          // sums are taken in double; otherwise in float32, like ONNX Runtime's
  bool isOfOneClass = false, arePositive = true;  // whether all weights are of one class; whether none is negative
  bool comparesLessOrEqual = false;               // whether all branches are lessOrEqual, and missing values go to ifFalse
  MemoryCharge memory;                            // memory of the members above

  double rounded(double number) const { return isDouble ? number : static_cast<double>(static_cast<float>(number)); }
  double sum(double a, double b) const { return rounded(a + b); }

  // Sets the members that follow from the nodes and from the weights of each node.
  void finish(const std::vector<std::vector<LeafWeight>>& weightsOfNodes) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].branch != Branch::leaf) continue;
      nodes[i].ifTrue = static_cast<std::uint32_t>(weights.size());
      weights.insert(weights.end(), weightsOfNodes[i].begin(), weightsOfNodes[i].end());
      nodes[i].ifFalse = static_cast<std::uint32_t>(weights.size());
    }
    comparesLessOrEqual = std::ranges::all_of(nodes, [](const TreeNode& node) {
      return node.branch == Branch::leaf || (node.branch == Branch::lessOrEqual && !node.isTrueIfMissing);
    });
  }
};

std::uint32_t indexOf(std::size_t index) {
  if (index > std::numeric_limits<std::uint32_t>::max()) fail(ErrorKind::notSupportedError, "it has 2^32 nodes or features.");
  return static_cast<std::uint32_t>(index);
}

std::vector<float> narrowed(const std::vector<double>& numbers) {
  std::vector<float> floats(numbers.size());
  std::ranges::transform(numbers, floats.begin(), [](double number) { return static_cast<float>(number); });
  return floats;
}

bool isDoubleTensor(const HostNode& node, const std::string& name) {
  const std::optional<Value> tensor = node.tensor(name);
  return tensor && tensor->type == ElementType::float64;
}

std::vector<double> numbersIn(const Value& tensor) {
  if (!tensor.bytes) fail(ErrorKind::dataError, "an attribute of numbers is of {}.", webnn::onnx::name(tensor.type));
  return toNumbers(tensor.type, tensor.bytes->bytes, elementCount(tensor.dims));
}

// Returns the numbers of an attribute: floats, or the tensor of the attribute NAME_as_tensor.
std::vector<double> floatsOrTensor(const HostNode& node, const std::string& name) {
  if (const std::optional<Value> tensor = node.tensor(name + "_as_tensor")) return numbersIn(*tensor);
  const std::vector<float> floats = node.floats(name);
  return {floats.begin(), floats.end()};
}

// Working memory per node while a forest is read: its attributes, its index and its weights.
constexpr std::size_t kReadingBytes = 256;

// Returns a forest with `nodes` nodes, whose memory is counted.
Forest emptyForest(const HostNode& node, std::size_t nodes, std::size_t scores) {
  MemoryCharge memory = node.roomFor(nodes, sizeof(TreeNode) + sizeof(LeafWeight));
  return {.nodes = std::vector<TreeNode>(nodes), .scores = scores, .memory = std::move(memory)};
}

// Returns the attribute base_values: none, or one for each score. A single one is allowed for two classes.
std::vector<double> baseValuesOf(const HostNode& node, std::size_t scores, bool areClasses) {
  std::vector<double> base = floatsOrTensor(node, "base_values");
  if (!base.empty() && base.size() != scores && !(areClasses && scores == 2 && base.size() == 1))
    fail(ErrorKind::dataError, "it has {} base values for {} scores.", base.size(), scores);
  return base;
}

// `prefix` is "class" or "target", the beginning of the attributes' names.
Forest readForest(const HostNode& node, const std::string& prefix, std::size_t scores) {
  const std::vector<std::int64_t> trees = node.integers("nodes_treeids"), ids = node.integers("nodes_nodeids"),
                                  features = node.integers("nodes_featureids"), ifTrue = node.integers("nodes_truenodeids"),
                                  ifFalse = node.integers("nodes_falsenodeids"),
                                  missing = node.integers("nodes_missing_value_tracks_true");
  const Attribute* const modes = node.find("nodes_modes");
  const std::vector<double> values = floatsOrTensor(node, "nodes_values");
  const std::size_t count = trees.size();
  if (!modes || modes->strings.size() != count || ids.size() != count || features.size() != count || ifTrue.size() != count ||
      ifFalse.size() != count || values.size() != count || (!missing.empty() && missing.size() != count)) {
    fail(ErrorKind::dataError, "the attributes of its {} nodes have other lengths.", count);
  }
  node.takeRoom(count, kReadingBytes);
  Forest forest = emptyForest(node, count, scores);
  std::vector<std::vector<LeafWeight>> weightsOfNodes(count);
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> places;
  for (std::size_t i = 0; i < count; ++i) {
    node.tick();
    if (!places.emplace(std::pair(trees[i], ids[i]), i).second)
      fail(ErrorKind::dataError, "its tree {} has the node {} twice.", trees[i], ids[i]);
  }
  std::vector<bool> isChild(count);
  const auto childOf = [&](std::size_t i, std::int64_t id) {
    const auto found = places.find({trees[i], id});
    if (found == places.end() || found->second == i) fail(ErrorKind::dataError, "its tree {} has no node {}.", trees[i], id);
    isChild[found->second] = true;
    return found->second;
  };
  for (std::size_t i = 0; i < count; ++i) {
    node.tick();
    TreeNode& own = forest.nodes[i];
    own.branch = branchOf(modes->strings[i]);
    if (own.branch == Branch::leaf) continue;
    if (features[i] < 0) fail(ErrorKind::dataError, "a node of a tree reads the feature {}.", features[i]);
    own.value = values[i];
    own.feature = indexOf(static_cast<std::size_t>(features[i]));
    own.isTrueIfMissing = !missing.empty() && missing[i] != 0;
    own.ifTrue = indexOf(childOf(i, ifTrue[i]));
    own.ifFalse = indexOf(childOf(i, ifFalse[i]));
    forest.features = std::max(forest.features, std::size_t{own.feature} + 1);
  }
  // The root of a tree is its first node that is no child. Other such nodes are unused, as in ONNX Runtime.
  std::set<std::int64_t> withRoot;
  for (std::size_t i = 0; i < count; ++i) {
    if (!isChild[i] && withRoot.insert(trees[i]).second) forest.roots.push_back(i);
  }
  for (const std::int64_t tree : trees) {
    if (!withRoot.contains(tree)) fail(ErrorKind::dataError, "its tree {} has no root: its nodes form a circle.", tree);
  }
  const std::vector<std::int64_t> leafTrees = node.integers(prefix + "_treeids"), leafIds = node.integers(prefix + "_nodeids"),
                                  leafScores = node.integers(prefix + "_ids");
  const std::vector<double> weights = floatsOrTensor(node, prefix + "_weights");
  if (leafIds.size() != leafTrees.size() || leafScores.size() != leafTrees.size() || weights.size() != leafTrees.size())
    fail(ErrorKind::dataError, "the attributes of its {} weights have other lengths.", leafTrees.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    node.tick();
    const auto place = places.find({leafTrees[i], leafIds[i]});
    if (place == places.end() || leafScores[i] < 0 || static_cast<std::size_t>(leafScores[i]) >= scores)
      fail(ErrorKind::dataError, "a weight belongs to the node {} of tree {} and the {} {}.", leafIds[i], leafTrees[i], prefix,
           leafScores[i]);
    weightsOfNodes[place->second].push_back({static_cast<std::size_t>(leafScores[i]), weights[i]});
    if (weights[i] < 0) forest.arePositive = false;
  }
  forest.finish(weightsOfNodes);
  forest.isDouble = isDoubleTensor(node, prefix + "_weights_as_tensor");
  forest.isOfOneClass = !leafScores.empty() && std::ranges::count(leafScores, leafScores[0]) == std::ssize(leafScores);
  return forest;
}

// Calls step(node), which returns the index of a child, down to a leaf. Ends the run if it is cancelled or out of time.
const TreeNode& leafBelow(const HostNode& owner, const Forest& forest, std::size_t root, auto step) {
  constexpr std::size_t kStepsBetweenTicks = 4096;
  std::size_t steps = 0;
  const TreeNode* node = &forest.nodes[root];
  while (node->branch != Branch::leaf) {
    if (++steps > forest.nodes.size()) fail(ErrorKind::dataError, "its nodes are no trees: they form a circle.");
    if (steps % kStepsBetweenTicks == 0) owner.tick(kStepsBetweenTicks);
    node = &forest.nodes[step(*node)];
  }
  return *node;
}

bool isMember(const Forest& forest, const TreeNode& node, double x) {
  return !std::isnan(x) && std::ranges::binary_search(forest.sets[static_cast<std::size_t>(node.value)], x);
}

const TreeNode& leafOf(const HostNode& owner, const Forest& forest, std::size_t root, const double* features) {
  if (forest.comparesLessOrEqual) {
    return leafBelow(owner, forest, root,
                     [&](const TreeNode& node) { return features[node.feature] <= node.value ? node.ifTrue : node.ifFalse; });
  }
  return leafBelow(owner, forest, root, [&](const TreeNode& node) {
    const double x = features[node.feature];
    bool isTrue = node.isTrueIfMissing && std::isnan(x);
    switch (node.branch) {
      case Branch::lessOrEqual: isTrue = isTrue || x <= node.value; break;
      case Branch::less: isTrue = isTrue || x < node.value; break;
      case Branch::greaterOrEqual: isTrue = isTrue || x >= node.value; break;
      case Branch::greater: isTrue = isTrue || x > node.value; break;
      case Branch::equal: isTrue = isTrue || x == node.value; break;
      case Branch::notEqual: isTrue = isTrue || x != node.value; break;
      case Branch::member: isTrue = isTrue || isMember(forest, node, x); break;
      case Branch::leaf: break;
    }
    return isTrue ? node.ifTrue : node.ifFalse;
  });
}

// The scores of a block of rows. A score is the sum (or the minimum or maximum) of the weights of the leaves that a row reaches.
struct BlockSums {
  std::size_t row = 0, rows = 0;  // the first row of the block, and the number of its rows
  std::vector<double> scores;     // [rows, scores]
  std::vector<std::uint8_t> has;  // whether a tree has reached the score
};

// Walks all trees for blocks of rows: a tree then stays in the cache for the rows of a block. Calls add(score, isFirst, weight)
// for each weight, in the order of the trees for each row, then done(sums) for each block.
void forEachBlock(const HostNode& node, const Forest& forest, std::size_t rows, std::size_t columns, const double* input,
                  auto add, auto done) {
  constexpr std::size_t kMostRows = 64, kMostScores = 4096;
  const std::size_t most = std::clamp(kMostScores / std::max<std::size_t>(forest.scores, 1), std::size_t{1}, kMostRows);
  BlockSums sums;
  for (; sums.row < rows; sums.row += sums.rows) {
    node.check();
    sums.rows = std::min(most, rows - sums.row);
    sums.scores.assign(sums.rows * forest.scores, 0);
    sums.has.assign(sums.rows * forest.scores, 0);
    for (const std::size_t root : forest.roots) {
      node.tick(64 * sums.rows);
      for (std::size_t row = 0; row < sums.rows; ++row) {
        const TreeNode& leaf = leafOf(node, forest, root, input + (sums.row + row) * columns);
        for (std::size_t i = leaf.ifTrue; i < leaf.ifFalse; ++i) {
          const LeafWeight& weight = forest.weights[i];
          const std::size_t place = row * forest.scores + weight.score;
          add(sums.scores[place], sums.has[place] == 0, weight.weight);
          sums.has[place] = 1;
        }
      }
    }
    done(sums);
  }
}

void requireFeatures(std::size_t columns, std::size_t needed) {
  if (columns < needed) fail(ErrorKind::dataError, "rows of {} elements have no feature {}.", columns, needed - 1);
}

// Returns the targets of each row, as [rows, count].
Value regression(const HostNode& node, const Forest& forest, std::size_t count, std::string_view aggregate, std::string_view post,
                 const std::vector<double>& base, ElementType type) {
  const auto [rows, columns, input] = DoubleRows(node, 0);
  requireFeatures(columns, forest.features);
  node.takeRoom(elementCount({static_cast<std::int64_t>(rows), static_cast<std::int64_t>(count)}), sizeof(double));
  std::vector<double> all;
  const auto add = [&](double& score, bool isFirst, double weight) {
    if (aggregate == "MIN")
      score = isFirst ? weight : std::min(score, weight);
    else if (aggregate == "MAX")
      score = isFirst ? weight : std::max(score, weight);
    else
      score = forest.sum(score, weight);
  };
  forEachBlock(node, forest, rows, columns, input.data(), add, [&](const BlockSums& sums) {
    for (std::size_t row = 0; row < sums.rows; ++row) {
      const auto* const first = &sums.scores[row * count];
      std::vector<double> scores(first, first + count);
      for (std::size_t i = 0; i < count; ++i) {
        if (aggregate == "AVERAGE") scores[i] = forest.rounded(scores[i] / static_cast<double>(forest.roots.size()));
        // If there are several targets, ONNX Runtime leaves targets that no tree reaches at 0, without the base value.
        if (i < base.size() && (sums.has[row * count + i] || count == 1)) scores[i] = forest.sum(scores[i], base[i]);
      }
      if (post != "NONE" && (count > 1 || post == "PROBIT")) {  // ONNX Runtime transforms a single score only by PROBIT
        std::vector<float> transformed = narrowed(scores);
        transformScores(post, transformed);
        scores.assign(transformed.begin(), transformed.end());
      }
      all.insert(all.end(), scores.begin(), scores.end());
    }
  });
  return node.makeNumbers(type, {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(count)}, all);
}

constexpr std::string_view kAggregates[]{"AVERAGE", "SUM", "MIN", "MAX"};  // in the order of TreeEnsemble's numbers

void runTreeEnsembleRegressor(HostNode& node) {
  const auto targets = node.integer("n_targets", 1);
  if (targets < 1 || targets > 1 << 20) fail(ErrorKind::dataError, "n_targets is {}.", targets);
  const auto count = static_cast<std::size_t>(targets);
  const Forest& forest = node.prepared<Forest>([&] { return readForest(node, "target", count); });
  const std::string_view aggregate = node.text("aggregate_function", "SUM");
  if (std::ranges::find(kAggregates, aggregate) == std::end(kAggregates))
    fail(ErrorKind::dataError, "its aggregate_function is {}.", webnn::quoted(aggregate));
  node.set(0, regression(node, forest, count, aggregate, postTransformOf(node), baseValuesOf(node, count, false),
                         ElementType::float32));
}

// Returns the two scores of a row of a binary classifier whose leaves have weights of one class only, as ONNX Runtime does: one
// score (`deciding`) chooses the class by its sign, or, if no weight is negative, by whether it exceeds 0.5. A score that no
// tree reaches counts as 0. Sets `chosen` to the class.
std::array<float, 2> scoresOfOneClass(const Forest& forest, const double* sums, const std::uint8_t* has,
                                      const std::vector<double>& base, std::string_view post, std::size_t& chosen) {
  double first = sums[0], second = sums[1];
  if (base.size() == 2 && has[1]) {
    second = forest.sum(base[1], first);  // ONNX Runtime drops the sum of the second class
    first = -second;
  } else if (!base.empty()) {
    first = forest.sum(first, base[0]);
  }
  if (!has[0]) first = 0;
  const double deciding = has[1] ? second : first;
  chosen = deciding > (forest.arePositive ? 0.5 : 0) ? 1 : 0;
  std::array<float, 2> scores{static_cast<float>(first), static_cast<float>(second)};
  if (has[1] || base.size() == 2) {
    transformScores(post, scores);
    return scores;
  }
  const float score = scores[0];
  if (post == "PROBIT") return {probit(score), 0};
  if (post == "LOGISTIC") return {logistic(-score), logistic(score)};
  return {forest.arePositive ? 1 - score : -score, score};
}

// Returns the class with the greatest score. As in ONNX Runtime, if there are not exactly two classes, only classes that a tree
// reaches count; if there are none, returns class 0.
std::size_t bestClass(const std::vector<double>& scores, const std::uint8_t* has) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if ((has[i] || scores.size() == 2) && (!best || scores[i] > scores[*best])) best = i;
  }
  return best.value_or(0);
}

void runTreeEnsembleClassifier(HostNode& node) {
  const ClassLabels labels(node);
  const std::size_t count = labels.size();
  if (count == 0) fail(ErrorKind::dataError, "it has 0 classes.");
  const Forest& forest = node.prepared<Forest>([&] { return readForest(node, "class", count); });
  const auto [rows, columns, input] = DoubleRows(node, 0);
  const std::vector<double> base = baseValuesOf(node, count, true);
  requireFeatures(columns, forest.features);
  const std::string_view post = postTransformOf(node);
  const std::vector<std::uint8_t> everyClass(count, 1);
  std::vector<float> all;
  std::vector<std::size_t> chosen;
  node.takeRoom(elementCount({static_cast<std::int64_t>(rows), static_cast<std::int64_t>(count + 1)}), 2 * sizeof(double));
  const auto add = [&](double& score, bool, double weight) { score = forest.sum(score, weight); };
  forEachBlock(node, forest, rows, columns, input.data(), add, [&](const BlockSums& block) {
    for (std::size_t row = 0; row < block.rows; ++row) {
      const auto* const first = &block.scores[row * count];
      const std::uint8_t* const has = &block.has[row * count];
      std::size_t& best = chosen.emplace_back();
      if (count == 2 && forest.isOfOneClass) {
        const std::array<float, 2> scores = scoresOfOneClass(forest, first, has, base, post, best);
        all.insert(all.end(), scores.begin(), scores.end());
        continue;
      }
      std::vector<double> sums(first, first + count);
      for (std::size_t i = 0; i < base.size(); ++i) sums[i] = forest.sum(sums[i], base[i]);
      best = bestClass(sums, base.empty() ? has : everyClass.data());
      std::vector<float> scores = narrowed(sums);
      transformScores(post, scores);
      all.insert(all.end(), scores.begin(), scores.end());
    }
  });
  const auto rowCount = static_cast<std::int64_t>(rows);
  node.set(0, labels.take(node, chosen));
  node.set(1, floatsOf(node, {rowCount, static_cast<std::int64_t>(count)}, all));
}

// TreeEnsemble of ai.onnx.ml 5: nodes and leaves have lists of their own, and refer to one another by index.
Forest readNewForest(const HostNode& node, std::size_t scores) {
  const auto tensorOf = [&](std::string_view name) {
    const std::optional<Value> value = node.tensor(name);
    return value ? numbersIn(*value) : std::vector<double>();
  };
  const std::vector<double> modes = tensorOf("nodes_modes"), splits = tensorOf("nodes_splits"),
                            weights = tensorOf("leaf_weights");
  const std::vector<double> members = tensorOf("membership_values");
  const std::vector<std::int64_t> features = node.integers("nodes_featureids"), targets = node.integers("leaf_targetids"),
                                  missing = node.integers("nodes_missing_value_tracks_true");
  const std::size_t count = modes.size(), leaves = weights.size();
  node.takeRoom(count + leaves + members.size(), kReadingBytes);
  Forest forest = emptyForest(node, count + leaves, scores);
  forest.memory.add(members.size() * sizeof(double) + count * sizeof(forest.sets[0]), "run: sets of members");
  std::vector<std::vector<LeafWeight>> weightsOfNodes(count + leaves);
  const auto childrenOf = [&](std::string_view kind) {
    const std::vector<std::int64_t> ids = node.integers(formatText("nodes_{}nodeids", kind)),
                                    areLeaves = node.integers(formatText("nodes_{}leafs", kind));
    if (ids.size() != count || areLeaves.size() != count)
      fail(ErrorKind::dataError, "the attributes of its {} nodes have other lengths.", count);
    std::vector<std::size_t> children;
    for (std::size_t i = 0; i < count; ++i) {
      const auto most = static_cast<std::int64_t>(areLeaves[i] ? leaves : count);
      if (ids[i] < 0 || ids[i] >= most)
        fail(ErrorKind::dataError, "its node {} has the child {}, which does not exist.", i, ids[i]);
      children.push_back(static_cast<std::size_t>(ids[i]) + (areLeaves[i] ? count : 0));
    }
    return children;
  };
  const std::vector<std::size_t> ifTrue = childrenOf("true"), ifFalse = childrenOf("false");
  if (splits.size() != count || features.size() != count || targets.size() != leaves ||
      (!missing.empty() && missing.size() != count))
    fail(ErrorKind::dataError, "the attributes of its {} nodes have other lengths.", count);
  std::size_t member = 0;
  for (std::size_t i = 0; i < count; ++i) {
    node.tick();
    TreeNode& own = forest.nodes[i];
    if (!(modes[i] >= 0 && modes[i] <= 6) || modes[i] != std::floor(modes[i]) || features[i] < 0)
      fail(ErrorKind::dataError, "its node {} has the mode {} and the feature {}.", i, modes[i], features[i]);
    own.branch = static_cast<Branch>(static_cast<int>(modes[i]));
    own.value = splits[i];
    own.feature = indexOf(static_cast<std::size_t>(features[i]));
    own.isTrueIfMissing = !missing.empty() && missing[i] != 0;
    own.ifTrue = indexOf(ifTrue[i]);
    own.ifFalse = indexOf(ifFalse[i]);
    forest.features = std::max(forest.features, std::size_t{own.feature} + 1);
    if (own.branch != Branch::member) continue;
    // The attribute concatenates the sets of all nodes; each set ends with NaN.
    if (member >= members.size()) fail(ErrorKind::dataError, "its node {} has no membership_values.", i);
    own.value = static_cast<double>(forest.sets.size());
    const auto first = members.begin() + static_cast<std::ptrdiff_t>(member),
               last = std::find_if(first, members.end(), [](double number) { return std::isnan(number); });
    std::ranges::sort(forest.sets.emplace_back(first, last));
    node.tick(forest.sets.back().size());
    member = static_cast<std::size_t>(last - members.begin()) + 1;
  }
  for (std::size_t i = 0; i < leaves; ++i) {
    if (targets[i] < 0 || static_cast<std::size_t>(targets[i]) >= scores)
      fail(ErrorKind::dataError, "its leaf {} has the target {}.", i, targets[i]);
    weightsOfNodes[count + i].push_back({static_cast<std::size_t>(targets[i]), weights[i]});
  }
  forest.finish(weightsOfNodes);
  forest.isDouble = isDoubleTensor(node, "leaf_weights");
  for (const std::int64_t root : node.integers("tree_roots")) {
    if (root < 0 || static_cast<std::size_t>(root) >= count) fail(ErrorKind::dataError, "its root {} does not exist.", root);
    forest.roots.push_back(static_cast<std::size_t>(root));
  }
  if (forest.roots.empty()) fail(ErrorKind::dataError, "it has no tree_roots.");
  return forest;
}

void runTreeEnsemble(HostNode& node) {
  static constexpr std::string_view kTransforms[]{"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"};
  const std::int64_t targets = node.integer("n_targets", 1), aggregate = node.integer("aggregate_function", 1),
                     post = node.integer("post_transform", 0);
  if (targets < 1 || targets > 1 << 20 || aggregate < 0 || aggregate > 3 || post < 0 || post > 4)
    fail(ErrorKind::dataError, "n_targets is {}, aggregate_function {} and post_transform {}.", targets, aggregate, post);
  const auto count = static_cast<std::size_t>(targets);
  const Forest& forest = node.prepared<Forest>([&] { return readNewForest(node, count); });
  node.set(0, regression(node, forest, count, kAggregates[aggregate], kTransforms[post], {}, node.value(0).type));
}

}  // namespace

std::span<const HostOperator> treeSteps() {
  static constexpr HostOperator kSteps[]{{"ai.onnx.ml", "TreeEnsemble", runTreeEnsemble},
                                         {"ai.onnx.ml", "TreeEnsembleClassifier", runTreeEnsembleClassifier},
                                         {"ai.onnx.ml", "TreeEnsembleRegressor", runTreeEnsembleRegressor}};
  return kSteps;
}

}  // namespace webnn::formats::onnx
