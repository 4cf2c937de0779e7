// Loss functions and optimizer steps.
#include "onnx/read/formula.h"
#include "onnx/read/node_context.h"

namespace webnn::formats::onnx {

namespace {

Term sumOf(const Term& x) { return {x.node(), x.node().builder.reduceSum(x)}; }
Term meanOf(const Term& x) { return {x.node(), x.node().builder.reduceMean(x)}; }

// Returns -logs[n, targets[n, ...], ...] for each target.
Term lossesOf(const Term& logs, const Operand& targets) {
  NodeContext& node = logs.node();
  Shape shape = targets.shape();
  shape.insert(shape.begin() + 1, 1);
  const Operand chosen = node.builder.gatherElements(logs, node.reshape(targets, shape), {.axis = 1, .label = {}});
  return -Term(node, node.reshape(chosen, targets.shape()));
}

// Computes the loss from log probabilities [N, C, ...] and targets [N, ...]. Input 2 may hold class weights. Targets equal to
// ignore_index have weight 0 and may be outside of the classes.
Term negativeLogLikelihood(NodeContext& node, const Term& logs) {
  const std::string_view reduction = node.text("reduction", "mean");
  const Operand given = node.operand(1);
  node.require(given.rank() >= 1, "its targets are a scalar");
  const Term targets(node, given.dataType() == DataType::int64 ? given : node.cast(given, DataType::int32));
  Term losses = lossesOf(logs, targets);
  std::optional<Term> weights;
  if (node.has(2)) weights = cast(Term(node, node.builder.gather(node.operand(2), targets)), logs.dataType());
  if (node.find("ignore_index")) {
    const Term isIgnored = targets == Number(node.integer("ignore_index", 0));
    losses = where(isIgnored, 0, losses);
    weights = where(isIgnored, 0, weights ? *weights : losses * 0 + 1);
  }
  if (weights) losses = losses * *weights;
  if (reduction == "none") return losses;
  if (reduction == "sum") return sumOf(losses);
  node.require(reduction == "mean", "reduction {}: WebNN has no such reduction", webnn::quoted(reduction));
  return weights ? sumOf(losses) / sumOf(*weights) : meanOf(losses);
}

void importNegativeLogLikelihoodLoss(NodeContext& node) {
  const Operand logs = node.operand(0);
  node.set(0, inFloat32(node, logs, [&](const Term& x) { return negativeLogLikelihood(node, x); }));
}

void importSoftmaxCrossEntropyLoss(NodeContext& node) {
  const Operand scores = node.operand(0);
  const Term logs(node, logSoftmax(node, node.cast(scores, DataType::float32), 1));
  node.set(0, node.cast(negativeLogLikelihood(node, logs), scores.dataType()));
  if (node.wants(1)) node.set(1, node.cast(logs, scores.dataType()));
}

// Optimizers take the rate, the step, all tensors, all gradients, and one or two states per tensor. They return all new tensors,
// then all new states. An Update has the values of one tensor.
struct Update {
  Term rate, step, tensor, gradient;
  std::vector<Term> states;
};
using UpdateRule = void (*)(NodeContext& node, Update& update);

template <UpdateRule rule, std::size_t stateCount>
void importOptimizer(NodeContext& node) {
  constexpr std::size_t kKinds = 2 + stateCount;
  if (node.inputCount() < 2 + kKinds || (node.inputCount() - 2) % kKinds != 0) {
    fail(ErrorKind::dataError, "its inputs ({}) are not 2 and a multiple of {}.", node.inputCount(), kKinds);
  }
  const std::size_t count = (node.inputCount() - 2) / kKinds;
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = [&](std::size_t kind) { return input(node, 2 + kind * count + i); };
    Update update{input(node, 0), input(node, 1), at(0), at(1), {}};
    for (std::size_t state = 0; state < stateCount; ++state) update.states.push_back(at(2 + state));
    update.gradient = update.tensor * node.number("norm_coefficient", 0) + update.gradient;
    rule(node, update);
    node.set(i, update.tensor);
    for (std::size_t state = 0; state < stateCount; ++state) node.set((1 + state) * count + i, update.states[state]);
  }
}

void adagrad(NodeContext& node, Update& update) {
  const Term rate = update.rate / (1 + cast(update.step, update.rate.dataType()) * node.number("decay_factor", 0));
  Term& squares = update.states[0];
  squares = squares + update.gradient * update.gradient;
  update.tensor = update.tensor - rate * update.gradient / (sqrt(squares) + node.number("epsilon", 9.999999974752427e-07));
}

void adam(NodeContext& node, Update& update) {
  const double alpha = node.number("alpha", 0.8999999761581421), beta = node.number("beta", 0.9990000128746033);
  Term &momentum = update.states[0], &squares = update.states[1];
  momentum = momentum * alpha + update.gradient * (1 - alpha);
  squares = squares * beta + update.gradient * update.gradient * (1 - beta);
  // After step 0, correct the bias of the moments, which start at 0 (Adam).
  const Term step = cast(update.step, update.rate.dataType());
  const Term corrected = update.rate * sqrt(1 - pow(beta, step)) / (1 - pow(alpha, step));
  const Term rate = where(update.step > 0, corrected, update.rate);
  const Term stepped = update.tensor - rate * (momentum / (sqrt(squares) + node.number("epsilon", 9.999999974752427e-07)));
  update.tensor = stepped * (1 - node.number("norm_coefficient_post", 0));
}

void momentum(NodeContext& node, Update& update) {
  const double alpha = node.number("alpha", 0), beta = node.number("beta", 0);
  const std::string_view mode = node.text("mode", "standard");
  node.require(mode == "standard" || mode == "nesterov", "mode {}: neither standard nor nesterov", webnn::quoted(mode));
  Term& velocity = update.states[0];
  // In step 0, the gradient has weight 1 instead of `beta`.
  const Term adjusted = where(update.step > 0, update.gradient * beta, update.gradient);
  velocity = velocity * alpha + adjusted;
  const Term direction = mode == "nesterov" ? update.gradient + velocity * alpha : velocity;
  update.tensor = update.tensor - update.rate * direction;
}

}  // namespace

std::span<const OperatorImport> lossOperators() {
  static constexpr OperatorImport kOperators[]{
      {"", "NegativeLogLikelihoodLoss", importNegativeLogLikelihoodLoss},
      {"", "SoftmaxCrossEntropyLoss", importSoftmaxCrossEntropyLoss},
      {"ai.onnx.preview.training", "Adagrad", importOptimizer<adagrad, 1>},
      {"ai.onnx.preview.training", "Adam", importOptimizer<adam, 2>},
      {"ai.onnx.preview.training", "Momentum", importOptimizer<momentum, 1>},
  };
  return kOperators;
}

}  // namespace webnn::formats::onnx
