// Tests importing LSTM, GRU and RNN: cases that are missing in ONNX's own node tests.
#include <algorithm>
#include <cmath>
#include <functional>

#include "context/graph_state.h"
#include "onnx/imported.h"

namespace webnn::test::onnx {
namespace WEBNN_TEST_FILE {

using Values = std::vector<double>;
using Function = std::function<double(double)>;

constexpr std::int64_t kInputSize = 2, kHiddenSize = 3;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// A node, and the data to compute its results.
struct Network {
  const char* name;
  std::string opType;
  std::string direction = "forward";
  std::int64_t steps = 3, batch = 2;
  bool hasBias = true, hasStates = true, hasPeephole = false, batchFirst = false, couples = false, resetsAfter = false;
  Values lengths = {};  // lengths of the sequences; constant if `knowsLengths`
  bool knowsLengths = true;
  double clip = 0;  // 0: no clipping
  std::vector<std::string> activations = {};
  std::vector<float> alpha = {}, beta = {};
  std::vector<Function> functions = {};  // the activations of all directions, as functions
  bool isNative = true;

  std::int64_t gates() const { return opType == "LSTM" ? 4 : opType == "GRU" ? 3 : 1; }
  std::int64_t directions() const { return direction == "bidirectional" ? 2 : 1; }
};

// Returns pseudorandom numbers between -1 and 1 that are representable as float.
Values someValues(std::int64_t count, double seed) {
  Values values;
  for (std::int64_t i = 0; i < count; ++i) {
    values.push_back(static_cast<float>(std::sin(seed + 1.7 * static_cast<double>(i * i + 3 * i))));
  }
  return values;
}

// The operands in the layout with steps or directions as the first dimension, and the expected results.
struct Reference {
  explicit Reference(const Network& network)
      : net(network),
        x(someValues(net.steps * net.batch * kInputSize, 1)),
        w(someValues(net.directions() * net.gates() * kHiddenSize * kInputSize, 2)),
        r(someValues(net.directions() * net.gates() * kHiddenSize * kHiddenSize, 3)),
        b(net.directions() * 2 * net.gates() * kHiddenSize),
        h(net.directions() * net.batch * kHiddenSize),
        c(h.size()),
        p(net.directions() * 3 * kHiddenSize),
        y(net.steps * net.directions() * net.batch * kHiddenSize) {
    if (net.hasBias) b = someValues(static_cast<std::int64_t>(b.size()), 4);
    if (net.hasStates) h = someValues(static_cast<std::int64_t>(h.size()), 5);
    if (net.hasStates) c = someValues(static_cast<std::int64_t>(c.size()), 6);
    if (net.hasPeephole) p = someValues(static_cast<std::int64_t>(p.size()), 7);
    initialH = h;
    initialC = c;
    for (std::int64_t d = 0; d < net.directions(); ++d) runDirection(d);
  }

  // Applies ONNX's equations to each step, batch element and unit.
  void runDirection(std::int64_t d) {
    for (std::int64_t i = 0; i < net.steps; ++i) {
      const bool backward = d == 1 || net.direction == "reverse";
      const std::int64_t t = backward ? net.steps - 1 - i : i;
      for (std::int64_t n = 0; n < net.batch; ++n) {
        if (!net.lengths.empty() && static_cast<double>(t) >= net.lengths[n]) continue;
        const Values before(&h[(d * net.batch + n) * kHiddenSize], &h[(d * net.batch + n) * kHiddenSize] + kHiddenSize);
        for (std::int64_t u = 0; u < kHiddenSize; ++u) {
          const double after = unit(d, t, n, u, before);
          h[(d * net.batch + n) * kHiddenSize + u] = after;
          y[((t * net.directions() + d) * net.batch + n) * kHiddenSize + u] = after;
        }
      }
    }
  }

  double activate(std::int64_t d, std::size_t index, double value) const {
    if (net.clip > 0 && index < 2) value = std::clamp(value, -net.clip, net.clip);
    const std::size_t each = net.opType == "LSTM" ? 3 : net.opType == "GRU" ? 2 : 1;
    if (!net.functions.empty()) return net.functions[d * each + index](value);
    return index == 0 && each > 1 ? sigmoid(value) : std::tanh(value);
  }
  double fromInput(std::int64_t d, std::int64_t gate, std::int64_t t, std::int64_t n, std::int64_t u) const {
    const std::int64_t row = gate * kHiddenSize + u;
    double sum = b[d * 2 * net.gates() * kHiddenSize + row];
    for (std::int64_t k = 0; k < kInputSize; ++k) {
      sum += x[(t * net.batch + n) * kInputSize + k] * w[(d * net.gates() * kHiddenSize + row) * kInputSize + k];
    }
    return sum;
  }
  double fromState(std::int64_t d, std::int64_t gate, std::int64_t u, const Values& state) const {
    const std::int64_t row = gate * kHiddenSize + u;
    double sum = b[(d * 2 + 1) * net.gates() * kHiddenSize + row];
    for (std::int64_t k = 0; k < kHiddenSize; ++k) sum += state[k] * r[(d * net.gates() * kHiddenSize + row) * kHiddenSize + k];
    return sum;
  }

  double unit(std::int64_t d, std::int64_t t, std::int64_t n, std::int64_t u, const Values& before) {
    const auto sum = [&](std::int64_t gate, std::int64_t v) {
      return fromInput(d, gate, t, n, v) + fromState(d, gate, v, before);
    };
    if (net.opType == "RNN") return activate(d, 0, sum(0, u));
    if (net.opType == "GRU") {
      const double update = activate(d, 0, sum(0, u));
      Values reset;
      for (std::int64_t v = 0; v < kHiddenSize; ++v) reset.push_back(activate(d, 0, sum(1, v)));
      Values resetState = before;
      for (std::int64_t v = 0; v < kHiddenSize; ++v) resetState[v] *= reset[v];
      const double recurrent = net.resetsAfter ? reset[u] * fromState(d, 2, u, before) : fromState(d, 2, u, resetState);
      return (1 - update) * activate(d, 1, fromInput(d, 2, t, n, u) + recurrent) + update * before[u];
    }
    double& cell = c[(d * net.batch + n) * kHiddenSize + u];
    const auto peep = [&](std::int64_t i) { return p[(d * 3 + i) * kHiddenSize + u] * cell; };
    const double in = activate(d, 0, sum(0, u) + peep(0));
    const double forget = net.couples ? 1 - in : activate(d, 0, sum(2, u) + peep(2));
    cell = forget * cell + in * activate(d, 1, sum(3, u));
    return activate(d, 0, sum(1, u) + peep(1)) * activate(d, 2, cell);
  }

  Network net;
  Values x, w, r, b, h, c, p, y, initialH, initialC;
};

// Swaps the first two of three dimensions, or converts [steps, directions, batch, ...] to [batch, steps, directions, ...].
Values batchFirst(const Values& values, std::int64_t first, std::int64_t batch, std::int64_t size) {
  Values result(values.size());
  for (std::int64_t i = 0; i < first; ++i) {
    for (std::int64_t n = 0; n < batch; ++n) {
      std::copy_n(&values[(i * batch + n) * size], size, &result[(n * first + i) * size]);
    }
  }
  return result;
}

Node nodeOf(const Network& net) {
  Node node{net.opType, {}, {}, {{"hidden_size", kHiddenSize}, {"direction", net.direction}}};
  if (net.batchFirst) node.attributes.push_back({"layout", std::int64_t{1}});
  if (net.couples) node.attributes.push_back({"input_forget", std::int64_t{1}});
  if (net.resetsAfter) node.attributes.push_back({"linear_before_reset", std::int64_t{1}});
  if (net.clip > 0) node.attributes.push_back({"clip", static_cast<float>(net.clip)});
  if (!net.activations.empty()) node.attributes.push_back({"activations", net.activations});
  if (!net.alpha.empty()) node.attributes.push_back({"activation_alpha", net.alpha});
  if (!net.beta.empty()) node.attributes.push_back({"activation_beta", net.beta});
  return node;
}

// Returns the model of the node, with constant weights.
Runnable modelOf(const Network& net, const Reference& reference) {
  const auto ordered = [&](Dims dims, Values values) {
    if (net.batchFirst) values = batchFirst(values, dims[0], net.batch, dims[2]);
    if (net.batchFirst) std::swap(dims[0], dims[1]);
    return inputOf(kFloat, dims, std::move(values));
  };
  const std::int64_t d = net.directions(), rows = net.gates() * kHiddenSize;
  std::vector<Given> inputs{ordered({net.steps, net.batch, kInputSize}, reference.x),
                            constantOf(kFloat, {d, rows, kInputSize}, reference.w),
                            constantOf(kFloat, {d, rows, kHiddenSize}, reference.r),
                            {},
                            {},
                            {}};
  if (net.hasBias) inputs[3] = constantOf(kFloat, {d, 2 * rows}, reference.b);
  if (!net.lengths.empty()) inputs[4] = {kInt32, {net.batch}, net.lengths, net.knowsLengths};
  if (net.hasStates) inputs[5] = ordered({d, net.batch, kHiddenSize}, reference.initialH);
  if (net.opType == "LSTM") {
    inputs.push_back(net.hasStates ? ordered({d, net.batch, kHiddenSize}, reference.initialC) : Given{});
    inputs.push_back(net.hasPeephole ? constantOf(kFloat, {d, 3 * kHiddenSize}, reference.p) : Given{});
  }
  return modelOf(nodeOf(net), inputs, 14, net.opType == "LSTM" ? 3 : 2);
}

std::vector<std::string> operationsOf(const Runnable& runnable) {
  Context context = makeContext();
  const webnn::Graph graph = import(context, runnable.model);
  std::vector<std::string> names;
  for (const webnn::Node& node : graph.state()->definition->nodes) names.emplace_back(name(node.operation));
  return names;
}

void expectComputed(const Network& net) {
  SCOPED_TRACE(net.name);
  const Reference reference(net);
  const Runnable runnable = modelOf(net, reference);
  std::vector<Imported> results;
  ASSERT_NO_THROW(results = run(runnable));
  const auto state = [&](const Values& values) {
    return net.batchFirst ? batchFirst(values, net.directions(), net.batch, kHiddenSize) : values;
  };
  expectNear(results[0].values,
             net.batchFirst ? batchFirst(reference.y, net.steps * net.directions(), net.batch, kHiddenSize) : reference.y, 1e-5);
  expectNear(results[1].values, state(reference.h), 1e-5);
  if (net.opType == "LSTM") expectNear(results[2].values, state(reference.c), 1e-5);
  const std::vector<std::string> operations = operationsOf(runnable);
  const auto isNative = [](const std::string& operation) { return operation == "lstm" || operation == "gru"; };
  EXPECT_EQ(std::ranges::count_if(operations, isNative), net.isNative ? 1 : 0);
}

TEST(RecurrentImport, ImportsSupportedNetworksAsOneOperation) {
  const std::vector<Network> networks{
      {.name = "lstm", .opType = "LSTM"},
      {.name = "lstm backward", .opType = "LSTM", .direction = "reverse"},
      {.name = "lstm both ways", .opType = "LSTM", .direction = "bidirectional"},
      {.name = "lstm without bias and states", .opType = "LSTM", .hasBias = false, .hasStates = false},
      {.name = "lstm, batch first", .opType = "LSTM", .direction = "bidirectional", .batchFirst = true},
      {.name = "lstm of one step", .opType = "LSTM", .steps = 1},
      {.name = "lstm with relu",
       .opType = "LSTM",
       .activations = {"Relu", "tanh", "Sigmoid"},
       .functions = {[](double x) { return std::max(x, 0.0); }, [](double x) { return std::tanh(x); }, sigmoid}},
      {.name = "lstm of full sequences", .opType = "LSTM", .lengths = {3, 3}},
      {.name = "gru", .opType = "GRU"},
      {.name = "gru both ways", .opType = "GRU", .direction = "bidirectional"},
      {.name = "gru that resets after", .opType = "GRU", .resetsAfter = true},
      {.name = "gru, batch first", .opType = "GRU", .direction = "reverse", .batchFirst = true, .resetsAfter = true},
      {.name = "gru without bias and states", .opType = "GRU", .hasBias = false, .hasStates = false},
  };
  for (const Network& network : networks) expectComputed(network);
}

TEST(RecurrentImport, UnrollsUnsupportedNetworks) {
  const Function hardSigmoid = [](double x) { return std::clamp(0.3 * x + 0.4, 0.0, 1.0); };
  const Function tanh = [](double x) { return std::tanh(x); };
  std::vector<Network> networks{
      {.name = "rnn", .opType = "RNN"},
      {.name = "rnn both ways", .opType = "RNN", .direction = "bidirectional", .hasBias = false},
      {.name = "rnn, batch first", .opType = "RNN", .direction = "reverse", .batchFirst = true},
      {.name = "rnn of short sequences", .opType = "RNN", .lengths = {2, 3}},
      {.name = "rnn that clips", .opType = "RNN", .clip = 0.25},
      {.name = "lstm with peepholes", .opType = "LSTM", .hasPeephole = true},
      {.name = "lstm with peepholes both ways", .opType = "LSTM", .direction = "bidirectional", .hasPeephole = true},
      {.name = "lstm of short sequences", .opType = "LSTM", .lengths = {1, 3}},
      {.name = "lstm of short sequences backward", .opType = "LSTM", .direction = "reverse", .lengths = {2, 1}},
      {.name = "lstm of unknown lengths",
       .opType = "LSTM",
       .direction = "bidirectional",
       .lengths = {2, 3},
       .knowsLengths = false},
      {.name = "lstm that couples gates", .opType = "LSTM", .hasPeephole = true, .couples = true},
      {.name = "lstm that clips", .opType = "LSTM", .hasPeephole = true, .clip = 0.5},
      {.name = "lstm with other functions",
       .opType = "LSTM",
       .activations = {"HardSigmoid", "Tanh", "Tanh"},
       .alpha = {0.3f},
       .beta = {0.4f},
       .functions = {hardSigmoid, tanh, tanh}},
      {.name = "lstm with other functions backward",
       .opType = "LSTM",
       .direction = "bidirectional",
       .activations = {"Sigmoid", "Tanh", "Tanh", "Sigmoid", "Tanh", "Relu"},
       .functions = {sigmoid, tanh, tanh, sigmoid, tanh, [](double x) { return std::max(x, 0.0); }}},
      {.name = "gru of short sequences", .opType = "GRU", .direction = "bidirectional", .lengths = {3, 1}},
      {.name = "gru that resets after, of short sequences",
       .opType = "GRU",
       .resetsAfter = true,
       .lengths = {3, 1},
       .knowsLengths = false},
      {.name = "gru that clips", .opType = "GRU", .hasBias = false, .clip = 0.3},
  };
  for (Network& network : networks) {
    network.isNative = false;
    expectComputed(network);
  }
}

TEST(RecurrentImport, KnowsEachActivation) {
  struct Row {
    const char* activation;
    std::vector<float> alpha, beta;
    Function function;
  };
  const Row rows[]{
      {"Relu", {}, {}, [](double x) { return std::max(x, 0.0); }},
      {"Sigmoid", {}, {}, sigmoid},
      {"Affine", {0.5f}, {0.25f}, [](double x) { return 0.5 * x + 0.25; }},
      {"LeakyRelu", {}, {}, [](double x) { return x < 0 ? 0.01 * x : x; }},
      {"LeakyRelu", {0.25f}, {}, [](double x) { return x < 0 ? 0.25 * x : x; }},
      {"ThresholdedRelu", {0.5f}, {}, [](double x) { return x < 0.5 ? 0 : x; }},
      {"ScaledTanh", {0.5f}, {2}, [](double x) { return 0.5 * std::tanh(2 * x); }},
      {"HardSigmoid", {}, {}, [](double x) { return std::clamp(0.2 * x + 0.5, 0.0, 1.0); }},
      {"Elu", {}, {}, [](double x) { return x < 0 ? std::expm1(x) : x; }},
      {"Softsign", {}, {}, [](double x) { return x / (1 + std::abs(x)); }},
      {"softplus", {}, {}, [](double x) { return std::log1p(std::exp(x)); }},
  };
  for (const Row& row : rows) {
    expectComputed({.name = row.activation,
                    .opType = "RNN",
                    .activations = {row.activation},
                    .alpha = row.alpha,
                    .beta = row.beta,
                    .functions = {row.function},
                    .isNative = false});
  }
}

TEST(RecurrentImport, GivesParametersToTheFunctionsThatHaveThem) {
  expectComputed({.name = "alpha skips Tanh",
                  .opType = "GRU",
                  .direction = "bidirectional",
                  .activations = {"Tanh", "LeakyRelu", "HardSigmoid", "Elu"},
                  .alpha = {0.5f, 0.25f, 2},
                  .beta = {0.75f},
                  .functions = {[](double x) { return std::tanh(x); }, [](double x) { return x < 0 ? 0.5 * x : x; },
                                [](double x) { return std::clamp(0.25 * x + 0.75, 0.0, 1.0); },
                                [](double x) { return x < 0 ? 2 * std::expm1(x) : x; }},
                  .isNative = false});
}

TEST(RecurrentImport, DropsUnusedOutputs) {
  const Network net{.name = "", .opType = "LSTM"};
  Runnable runnable = modelOf(net, Reference(net));
  runnable.model.graph.nodes[0].outputs = {"", "y1"};
  runnable.model.graph.outputs = {{"y1"}};
  Context context = makeContext();
  const webnn::Graph graph = import(context, runnable.model);
  EXPECT_EQ(graph.state()->definition->nodes.back().outputs.size(), 2u);  // no sequence output
}

// Returns a model of one node. Its first input is a model input; the others are constant zeros.
Runnable zeros(const std::string& opType, const std::vector<Dims>& shapes, const std::vector<Attribute>& attributes) {
  std::vector<Given> inputs;
  for (const Dims& dims : shapes) {
    std::int64_t count = 1;
    for (const std::int64_t size : dims) count *= size;
    if (dims.empty())
      inputs.push_back({});
    else if (inputs.empty())
      inputs.push_back(inputOf(kFloat, dims, Values(count)));
    else
      inputs.push_back(constantOf(kFloat, dims, Values(count)));
  }
  return modelOf({opType, {}, {}, attributes}, inputs, 14, 1);
}

TEST(RecurrentImport, RefusesNodesThatContradictThemselves) {
  struct Row {
    const char* opType;
    std::vector<Dims> shapes;
    std::vector<Attribute> attributes;
    std::vector<std::string> parts;
  };
  const Row rows[]{
      {"LSTM", {{3, 1, 2}, {1, 12, 2}, {1, 12, 3}}, {{"hidden_size", std::int64_t{0}}}, {"hidden_size (0)", "(3)"}},
      {"LSTM", {{3, 1, 2}, {1, 12, 2}, {1, 12, 3}}, {{"direction", "sideways"}}, {"direction", "sideways"}},
      {"LSTM", {{3, 1, 2}, {1, 12, 2}, {1, 12, 3}}, {{"direction", "bidirectional"}}, {"input W ([1, 12, 2])", "[2, 12, 2]"}},
      {"LSTM", {{3, 1, 2}, {1, 12, 2}, {1, 9, 3}}, {}, {"input R ([1, 9, 3])", "[1, 12, 3]"}},
      {"LSTM", {{3, 1, 2}, {1, 12, 2}, {12, 3}}, {}, {"rank of its input R (2)"}},
      {"LSTM", {{3, 2}, {1, 12, 2}, {1, 12, 3}}, {}, {"rank of its input X (2)"}},
      {"LSTM", {{3, 1, 2}, {1, 12, 2}, {1, 12, 3}, {1, 12}}, {}, {"input B ([1, 12])", "[1, 24]"}},
      {"LSTM", {{3, 1, 2}, {1, 12, 2}, {1, 12, 3}, {}, {}, {1, 3}}, {}, {"input initial_h ([1, 3])", "[1, 1, 3]"}},
      {"LSTM", {{3, 1, 2}, {1, 12, 2}, {1, 12, 3}, {}, {}, {}, {}, {1, 12}}, {}, {"input P ([1, 12])", "[1, 9]"}},
      {"GRU", {{3, 1, 2}, {1, 12, 2}, {1, 12, 3}}, {}, {"input W ([1, 12, 2])", "[1, 9, 2]"}},
      {"RNN", {{3, 1, 2}, {1, 3, 4}, {1, 3, 3}}, {}, {"input W ([1, 3, 4])", "[1, 3, 2]"}},
      {"GRU",
       {{3, 1, 2}, {1, 9, 2}, {1, 9, 3}},
       {{"activations", std::vector<std::string>{"Tanh"}}},
       {"\"activations\"", "2 names"}},
      {"GRU", {{3, 1, 2}, {1, 9, 2}, {1, 9, 3}}, {{"activations", std::int64_t{1}}}, {"\"activations\""}},
  };
  for (const Row& row : rows) {
    Context context = makeContext();
    expectError(ErrorKind::dataError, row.parts, [&] { import(context, zeros(row.opType, row.shapes, row.attributes).model); });
  }
}

TEST(RecurrentImport, NamesUnsupportedFeatures) {
  const std::vector<Dims> rnn{{3, 1, 2}, {1, 3, 2}, {1, 3, 3}};
  expectRefused(zeros("RNN", rnn, {{"activations", std::vector<std::string>{"Gelu"}}}), {"activation \"Gelu\"", "WebNN"});
  expectRefused(zeros("RNN", {{4097, 1, 2}, {1, 3, 2}, {1, 3, 3}}, {}), {"4097 steps", "4096"});
  expectRefused(zeros("RNN", {{2049, 1, 2}, {2, 3, 2}, {2, 3, 3}}, {{"direction", "bidirectional"}}), {"4098 steps"});
}

TEST(RecurrentImport, ChecksTheLengthsOfSequences) {
  const Network net{.name = "", .opType = "RNN", .lengths = {4, 1}};
  Context context = makeContext();
  expectError(ErrorKind::dataError, {"sequence length (4)", "0 to 3"},
              [&] { import(context, modelOf(net, Reference(net)).model); });
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::test::onnx
