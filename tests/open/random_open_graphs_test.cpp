// Random graphs with open dimensions compute, bit for bit, what the same calls with numbers compute, and fail with the same
// messages. WEBNN_OPEN_GRAPHS is the number of graphs (default 300), WEBNN_OPEN_SEED the first seed.
#include <cstdlib>
#include <functional>
#include <random>
#include <set>

#include "builder/builder_state.h"
#include "support/support.h"
#include "webnn/session.h"

namespace webnn {
namespace WEBNN_TEST_FILE {

constexpr std::size_t kMaxElements = 20000;  // graphs with larger results are not run

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  int below(int limit) { return limit <= 1 ? 0 : static_cast<int>(engine_() % static_cast<std::uint64_t>(limit)); }
  int between(int low, int high) { return low + below(high - low + 1); }
  bool oneIn(int n) { return below(n) == 0; }

 private:
  std::mt19937_64 engine_;
};

// A dimension of an earlier value.
struct Reference {
  int value = 0, axis = 0;
};

// A size in terms of dimensions: floor((product of factors * multiplier + addend) / divisor).
struct Term {
  std::vector<Reference> factors{};
  std::int64_t multiplier = 1, addend = 0, divisor = 1;
};
Term number(std::int64_t value) { return {.multiplier = 0, .addend = value}; }

// Makes the calls of one graph, with open sizes or with numbers.
struct Calls {
  GraphBuilder& builder;
  bool isOpen = false;
  std::vector<Operand> values{};
  std::set<int> used{};
  bool hasBadSize = false;  // a size in a field was 0 or negative

  Operand at(int index) {
    used.insert(index);
    return values[static_cast<std::size_t>(index)];
  }
  std::uint32_t size(const Term& term) {
    if (isOpen) {
      std::string text = std::to_string(term.multiplier);
      for (const auto& [value, axis] : term.factors) {
        const Dimension dimension = values[static_cast<std::size_t>(value)].dimensions()[static_cast<std::size_t>(axis)];
        text += " * (" + (dimension.text.empty() ? std::to_string(dimension.size) : dimension.text) + ")";
      }
      return builder.openSize("floor((" + text + " + (" + std::to_string(term.addend) + ")) / " + std::to_string(term.divisor) +
                              ")");
    }
    std::int64_t product = term.multiplier;
    for (const auto& [value, axis] : term.factors)
      product *= values[static_cast<std::size_t>(value)].shape()[static_cast<std::size_t>(axis)];
    const std::int64_t sum = product + term.addend;
    const std::int64_t result = sum >= 0 ? sum / term.divisor : -((-sum + term.divisor - 1) / term.divisor);
    hasBadSize = hasBadSize || result <= 0;
    return static_cast<std::uint32_t>(result);
  }
  std::vector<std::uint32_t> sizes(const std::vector<Term>& terms) {
    std::vector<std::uint32_t> result;
    for (const Term& term : terms) result.push_back(size(term));
    return result;
  }
  Operand floats(Shape shape, double first) {
    std::vector<Number> numbers;
    for (std::size_t i = 0; i < elementCount({DataType::float32, shape}); ++i)
      numbers.emplace_back(first + static_cast<double>(i % 7) * 0.25 - 0.5);
    const OperandDescriptor descriptor{DataType::float32, std::move(shape)};
    return builder.constant(descriptor, test::pack(descriptor, numbers));
  }
};

using Step = std::function<std::vector<Operand>(Calls&)>;

// Makes random steps. Decisions depend on ranks and on whether sizes are open, never on the sizes.
class StepMaker {
 public:
  StepMaker(Random& random, const Calls& calls) : random_(random), calls_(calls) {}

  Step make() {
    const int x = value(), rank = rankOf(x), axis = random_.below(rank);
    const auto u = [](int number) { return static_cast<std::uint32_t>(number); };
    switch (random_.below(32)) {
      case 0: {
        const int kind = random_.below(4);
        return [=](Calls& c) -> std::vector<Operand> {
          const Operand input = c.at(x);
          return {kind == 0   ? c.builder.relu(input)
                  : kind == 1 ? c.builder.abs(input)
                  : kind == 2 ? c.builder.tanh(input)
                              : c.builder.neg(input)};
        };
      }
      case 1:
      case 2:
      case 3: {
        const int y = value(), kind = random_.below(4);
        return [=](Calls& c) -> std::vector<Operand> {
          const Operand a = c.at(x), b = c.at(y);
          return {kind == 0   ? c.builder.add(a, b)
                  : kind == 1 ? c.builder.mul(a, b)
                  : kind == 2 ? c.builder.sub(a, b)
                              : c.builder.max(a, b)};
        };
      }
      case 4:
      case 5: {
        const int y = valueOfRank(rank, rank);
        if (rank == 0 || y < 0) return {};
        return [=](Calls& c) -> std::vector<Operand> { return {c.builder.concat({c.at(x), c.at(y)}, u(axis))}; };
      }
      case 6:
      case 7: {
        const int a = valueOfRank(2, 4), b = valueOfRank(2, 4);
        if (a < 0 || b < 0) return {};
        const bool transposes = random_.oneIn(2) && rankOf(a) == rankOf(b);
        return [=](Calls& c) -> std::vector<Operand> {
          Operand right = c.at(b);
          if (transposes) {
            std::vector<std::uint32_t> order;
            for (std::uint32_t i = 0; i < right.rank(); ++i) order.push_back(i);
            std::swap(order[order.size() - 1], order[order.size() - 2]);
            right = c.builder.transpose(right, {.permutation = OptionalSizes(std::vector<std::uint32_t>(order))});
          }
          return {c.builder.matmul(c.at(a), right)};
        };
      }
      case 8: {
        std::vector<std::uint32_t> order;
        for (int i = 0; i < rank; ++i) order.insert(order.begin() + random_.below(i + 1), u(i));
        return [=](Calls& c) -> std::vector<Operand> {
          return {c.builder.transpose(c.at(x), {.permutation = OptionalSizes(std::vector<std::uint32_t>(order))})};
        };
      }
      case 9: {  // merge two dimensions
        if (rank < 2) return {};
        std::vector<Term> shape = termsOf(x);
        const auto at = static_cast<std::size_t>(random_.below(rank - 1));
        shape[at].factors.push_back(shape[at + 1].factors[0]);
        shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(at) + 1);
        return reshape(x, shape);
      }
      case 10: {  // split a dimension
        if (rank == 0 || rank > 4) return {};
        std::vector<Term> shape = termsOf(x);
        const int parts = random_.between(1, 3);
        shape[static_cast<std::size_t>(axis)].divisor = parts;
        shape.insert(shape.begin() + axis + 1, number(parts));
        return reshape(x, shape);
      }
      case 11: {  // insert or remove a dimension of 1
        std::vector<Term> shape = termsOf(x);
        if (rank > 0 && random_.oneIn(3))
          shape.erase(shape.begin() + axis);
        else if (rank < 5)
          shape.insert(shape.begin() + random_.below(rank + 1), number(1));
        return reshape(x, shape);
      }
      case 12:
      case 13: {
        if (rank == 0) return {};
        std::vector<Term> sizes = termsOf(x);
        const int start = random_.below(3), stride = random_.oneIn(3) ? 2 : 1;
        sizes[static_cast<std::size_t>(axis)] =
            random_.oneIn(3) ? number(random_.between(1, 3)) : sizes[static_cast<std::size_t>(axis)];
        if (!sizes[static_cast<std::size_t>(axis)].factors.empty()) sizes[static_cast<std::size_t>(axis)].addend = -start;
        return [=](Calls& c) -> std::vector<Operand> {
          const Operand input = c.at(x);
          std::vector<std::uint32_t> starts(input.rank()), strides(input.rank(), 1);
          starts[u(axis)] = u(start);
          strides[u(axis)] = u(stride);
          return {c.builder.slice(input, starts, c.sizes(sizes), {.strides = OptionalSizes(std::move(strides))})};
        };
      }
      case 14: {
        if (rank == 0) return {};
        const int first = random_.below(3), last = random_.below(3), mode = random_.below(3);
        return [=](Calls& c) -> std::vector<Operand> {
          const Operand input = c.at(x);
          std::vector<std::uint32_t> begin(input.rank()), end(input.rank());
          begin[u(axis)] = u(first);
          end[u(axis)] = u(last);
          const PaddingMode modes[] = {PaddingMode::constant, PaddingMode::edge, PaddingMode::reflection};
          return {c.builder.pad(input, begin, end, {.mode = modes[mode], .value = 0.5})};
        };
      }
      case 15: {
        if (rank == 0) return {};
        const Term times = random_.oneIn(2) ? number(2) : dimension();
        return [=](Calls& c) -> std::vector<Operand> {
          const Operand input = c.at(x);
          std::vector<std::uint32_t> repetitions(input.rank(), 1);
          repetitions[u(axis)] = c.size(times);
          return {c.builder.tile(input, repetitions)};
        };
      }
      case 16: {
        const int like = value();
        const std::vector<Term> shape = termsOf(like);
        return [=](Calls& c) -> std::vector<Operand> { return {c.builder.expand(c.at(x), c.sizes(shape))}; };
      }
      case 17:
      case 18: {
        std::vector<std::uint32_t> axes;
        for (int i = 0; i < rank; ++i) {
          if (random_.oneIn(2)) axes.push_back(u(i));
        }
        const bool keeps = random_.oneIn(2);
        const int kind = random_.below(4);
        return [=](Calls& c) -> std::vector<Operand> {
          const ReduceOptions options{.axes = OptionalSizes(std::vector<std::uint32_t>(axes)), .keepDimensions = keeps};
          const Operand input = c.at(x);
          return {kind == 0   ? c.builder.reduceSum(input, options)
                  : kind == 1 ? c.builder.reduceMax(input, options)
                  : kind == 2 ? c.builder.reduceMean(input, options)
                              : c.builder.reduceProduct(input, options)};
        };
      }
      case 19:
        if (rank == 0) return {};
        return [=](Calls& c) -> std::vector<Operand> { return {c.builder.softmax(c.at(x), u(axis))}; };
      case 20: {
        if (rank == 0) return {};
        const bool isEven = random_.oneIn(2);
        Term rest = termsOf(x)[static_cast<std::size_t>(axis)];
        rest.addend = -1;
        return [=](Calls& c) -> std::vector<Operand> {
          const Operand input = c.at(x);
          if (isEven) return c.builder.split(input, 2u, {.axis = u(axis)});
          return c.builder.split(input, std::vector<std::uint32_t>{1u, c.size(rest)}, {.axis = u(axis)});
        };
      }
      case 21: {
        if (rank == 0) return {};
        return [=](Calls& c) -> std::vector<Operand> {
          const OperandDescriptor type{DataType::int32, {2}};
          const Operand indices = c.builder.constant(type, test::pack(type, {0, 1}));
          return {c.builder.gather(c.at(x), indices, {.axis = u(axis)})};
        };
      }
      case 22: {
        const int image = valueOfRank(4, 4);
        if (image < 0 || isOpen(image, 1)) return {};
        const int height = random_.between(1, 3), width = random_.between(1, 3), padding = random_.below(2),
                  stride = random_.between(1, 2);
        const bool isTransposed = random_.oneIn(3);
        return [=](Calls& c) -> std::vector<Operand> {
          const Operand input = c.at(image);
          const std::uint32_t channels = input.shape()[1];
          const auto p = u(padding), s = u(stride);
          if (isTransposed)
            return {c.builder.convTranspose2d(input, c.floats({channels, 2, u(height), u(width)}, 0.5),
                                              {.padding = {p, p, p, p}, .strides = {s, s}})};
          return {c.builder.conv2d(input, c.floats({2, channels, u(height), u(width)}, 0.5),
                                   {.padding = {p, p, p, p}, .strides = {s, s}})};
        };
      }
      case 23: {
        const int image = valueOfRank(4, 4);
        if (image < 0) return {};
        const bool isGlobal = random_.oneIn(2), isMaximum = random_.oneIn(2), roundsUp = random_.oneIn(2);
        return [=](Calls& c) -> std::vector<Operand> {
          Pool2dOptions options{.outputShapeRounding = roundsUp ? RoundingType::ceil : RoundingType::floor};
          if (!isGlobal) {
            options.windowDimensions = {2, 2};
            options.strides = {2, 1};
          }
          return {isMaximum ? c.builder.maxPool2d(c.at(image), options) : c.builder.averagePool2d(c.at(image), options)};
        };
      }
      case 24: {
        const int image = valueOfRank(4, 4);
        if (image < 0) return {};
        const bool hasSizes = random_.oneIn(2);
        const std::vector<Term> sizes{dimension(), number(3)};
        return [=](Calls& c) -> std::vector<Operand> {
          Resample2dOptions options{.scales = {1.5f, 2.0f}};
          if (hasSizes) options.sizes = OptionalSizes(c.sizes(sizes));
          return {c.builder.resample2d(c.at(image), options)};
        };
      }
      case 25:
        if (rank == 0) return {};
        return [=](Calls& c) -> std::vector<Operand> { return {c.builder.layerNormalization(c.at(x), {.axes = {u(axis)}})}; };
      case 26:
        if (rank == 0) return {};
        return [=](Calls& c) -> std::vector<Operand> { return {c.builder.cumulativeSum(c.at(x), u(axis))}; };
      case 27: {
        const int y = value(), z = value();
        return [=](Calls& c) -> std::vector<Operand> {
          return {c.builder.where(c.builder.greater(c.at(x), c.at(y)), c.at(x), c.at(z))};
        };
      }
      case 28: {
        const int a = valueOfRank(2, 2), b = valueOfRank(2, 2), added = value();
        if (a < 0 || b < 0) return {};
        const bool transposes = random_.oneIn(2), hasC = random_.oneIn(2) && rankOf(added) <= 2;
        return [=](Calls& c) -> std::vector<Operand> {
          GemmOptions options{.bTranspose = transposes};
          if (hasC) options.c = c.at(added);
          return {c.builder.gemm(c.at(a), c.at(b), options)};
        };
      }
      case 29: {
        if (rank == 0) return {};
        return [=](Calls& c) -> std::vector<Operand> {
          const Operand input = c.at(x);
          const Operand indices = c.builder.argMax(input, u(axis), {.keepDimensions = true});
          return {c.builder.gatherElements(input, indices, {.axis = u(axis)}), c.builder.cast(indices, DataType::float32)};
        };
      }
      case 30: {
        const int sequence = valueOfRank(3, 3);
        if (sequence < 0 || isOpen(sequence, 2)) return {};
        const bool returnsSequence = random_.oneIn(2);
        const Term steps{.factors = {{sequence, 0}}};
        return [=](Calls& c) -> std::vector<Operand> {
          const Operand input = c.at(sequence);
          return c.builder.lstm(input, c.floats({1, 8, input.shape()[2]}, 0.25), c.floats({1, 8, 2}, 0.125), c.size(steps), 2,
                                {.returnSequence = returnsSequence});
        };
      }
      default:
        return [=](Calls& c) -> std::vector<Operand> {
          const Operand input = c.at(x);
          const Operand scale = c.floats(Shape(input.rank(), 1), 1);
          const OperandDescriptor type{DataType::uint8, Shape(input.rank(), 1)};
          const Operand zeroPoint = c.builder.constant(type, test::pack(type, {7}));
          return {c.builder.dequantizeLinear(c.builder.quantizeLinear(input, scale, zeroPoint), scale, zeroPoint)};
        };
    }
  }

 private:
  int value() { return random_.below(static_cast<int>(calls_.values.size())); }
  int rankOf(int index) const { return static_cast<int>(calls_.values[static_cast<std::size_t>(index)].rank()); }
  bool isOpen(int index, int axis) const {
    return !calls_.values[static_cast<std::size_t>(index)].dimensions()[static_cast<std::size_t>(axis)].text.empty();
  }
  // Returns a value with a rank in the range, or -1.
  int valueOfRank(int least, int most) {
    std::vector<int> all;
    for (int i = 0; i < static_cast<int>(calls_.values.size()); ++i) {
      if (rankOf(i) >= least && rankOf(i) <= most) all.push_back(i);
    }
    return all.empty() ? -1 : all[static_cast<std::size_t>(random_.below(static_cast<int>(all.size())))];
  }
  std::vector<Term> termsOf(int index) const {
    std::vector<Term> terms;
    for (int axis = 0; axis < rankOf(index); ++axis) terms.push_back({.factors = {{index, axis}}});
    return terms;
  }
  // Returns a dimension of some value, or 2.
  Term dimension() {
    const int index = value();
    return rankOf(index) == 0 ? number(2) : Term{.factors = {{index, random_.below(rankOf(index))}}};
  }
  static Step reshape(int x, const std::vector<Term>& shape) {
    return [=](Calls& c) -> std::vector<Operand> { return {c.builder.reshape(c.at(x), c.sizes(shape))}; };
  }

  Random& random_;
  const Calls& calls_;
};

struct Input {
  std::string name;
  std::vector<Dimension> shape;
};

using Sizes = std::map<std::string, std::uint32_t>;

Shape shapeOf(const Input& input, const Sizes& sizes) {
  Shape shape;
  for (const Dimension& dimension : input.shape)
    shape.push_back(dimension.text.empty() ? dimension.size : sizes.at(dimension.text));
  return shape;
}

std::vector<Input> randomInputs(Random& random) {
  const std::vector<Dimension> dimensions{"n", Dimension("m", 0, 6), "k", 2, 3, 1, "n", "m"};
  std::vector<Input> inputs;
  for (int i = 0, count = random.between(2, 4); i < count; ++i) {
    Input input{"x" + std::to_string(i), {}};
    for (int axis = 0, rank = random.between(1, 4); axis < rank; ++axis)
      input.shape.push_back(dimensions[static_cast<std::size_t>(random.below(static_cast<int>(dimensions.size())))]);
    inputs.push_back(std::move(input));
  }
  return inputs;
}

std::string textOf(const Sizes& sizes) {
  std::string text;
  for (const auto& [name, size] : sizes) text += name + "=" + std::to_string(size) + " ";
  return text;
}

class OneGraph {
 public:
  explicit OneGraph(std::uint64_t seed) : random_(seed), inputs_(randomInputs(random_)) {}

  // Counts of cases, which show that the test reaches them.
  struct Counts {
    int equal = 0, failing = 0, refused = 0, empty = 0;
  };

  void check(Counts& counts) {
    Context context = test::makeContext("cpu");
    GraphBuilder builder(context);
    Calls open{builder, true};
    for (const Input& input : inputs_) open.values.push_back(builder.openInput(input.name, {DataType::float32, input.shape}));
    makeSteps(open);
    std::vector<NamedOperand> outputs;
    for (const int index : leaves_)
      outputs.emplace_back("y" + std::to_string(index), open.values[static_cast<std::size_t>(index)]);
    if (outputs.empty()) return;
    const Session session = Session::build(builder, outputs);
    const std::uint32_t choices[][3] = {{1, 1, 1}, {2, 2, 2}, {3, 2, 4}, {0, 3, 2}, {5, 1, 3}};
    for (const auto& [n, m, k] : choices) checkSizes(context, session, {{"n", n}, {"m", m}, {"k", k}}, counts);
  }

 private:
  void makeSteps(Calls& open) {
    for (int i = 0; i < 10; ++i) {
      const Step step = StepMaker(random_, open).make();
      if (!step) continue;
      open.used.clear();
      const std::size_t nodes = open.builder.state().nodes.size();
      try {
        const std::vector<Operand> results = step(open);
        for (int index : open.used) std::erase(leaves_, index);
        for (const Operand& result : results) {
          leaves_.push_back(static_cast<int>(open.values.size()));
          open.values.push_back(result);
        }
        steps_.push_back(step);
      } catch (const Error& error) {
        refusals_.push_back({steps_.size(), step, error.what(), open.builder.state().nodes.size() > nodes});
      }
    }
  }

  void checkSizes(Context& context, const Session& session, const Sizes& sizes, Counts& counts) {
    SCOPED_TRACE(textOf(sizes));
    std::map<std::string, std::vector<float>> numbers;
    std::map<std::string, ArrayView> arrays;
    std::set<std::string> declared;
    for (const DeclaredInput& input : session.inputs()) declared.insert(input.name);
    bool hasZero = false;
    for (const Input& input : inputs_) {
      hasZero = hasZero || std::ranges::count(shapeOf(input, sizes), 0u) > 0;
      if (!declared.contains(input.name)) continue;
      const Shape shape = shapeOf(input, sizes);
      std::size_t count = 1;
      for (std::uint32_t size : shape) count *= size;
      std::vector<float>& values = numbers[input.name];
      for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<float>((i * 7 + 3) % 11) * 0.5f - 2.0f);
      arrays.emplace(input.name, ArrayView(values, shape));
    }
    std::string message;
    std::map<std::string, Array> results;
    try {
      results = session.run(arrays);
    } catch (const Error& error) {
      message = error.what();
    }
    if (hasZero) {  // no fixed graph has these sizes; open_graph_test.cpp has the results
      ++counts.empty;
      for (const auto& [name, result] : results)
        EXPECT_EQ(result.bytes.size() == 0, std::ranges::count(result.descriptor.shape, 0u) > 0);
      return;
    }
    compareWithFixed(context, sizes, arrays, results, message, counts);
  }

  void compareWithFixed(Context& context, const Sizes& sizes, const std::map<std::string, ArrayView>& arrays,
                        const std::map<std::string, Array>& results, const std::string& message, Counts& counts) {
    GraphBuilder builder(context);
    Calls fixed{builder};
    for (const Input& input : inputs_)
      fixed.values.push_back(builder.input(input.name, {DataType::float32, shapeOf(input, sizes)}));
    std::size_t refusal = 0;
    bool checksRefusals = true;
    for (std::size_t i = 0; i <= steps_.size(); ++i) {
      for (; refusal < refusals_.size() && refusals_[refusal].before == i; ++refusal) {
        if (!checksRefusals) continue;
        Calls attempt{builder, false, fixed.values};
        try {
          (void)refusals_[refusal].step(attempt);
          if (!attempt.hasBadSize) ADD_FAILURE() << "refused although these sizes are valid: " << refusals_[refusal].message;
        } catch (const Error&) {
          ++counts.refused;
          checksRefusals = !refusals_[refusal].isPartial;
        }
      }
      if (i == steps_.size()) break;
      try {
        for (const Operand& result : steps_[i](fixed)) {
          if (elementCount(result.descriptor()) > kMaxElements) return;
          fixed.values.push_back(result);
        }
      } catch (const Error& error) {
        if (fixed.hasBadSize) return;  // the field's size is 0 or negative
        EXPECT_EQ(message.substr(0, std::string(error.what()).size()), error.what());
        ++counts.failing;
        return;
      }
      if (fixed.hasBadSize) return;
    }
    ASSERT_EQ(message, "");
    std::vector<NamedOperand> outputs;
    for (const int index : leaves_)
      outputs.emplace_back("y" + std::to_string(index), fixed.values[static_cast<std::size_t>(index)]);
    const Graph graph = builder.build(outputs);
    std::vector<std::span<const std::byte>> inputBytes;
    for (const NamedDescriptor& input : graph.inputs()) inputBytes.push_back(arrays.at(input.first).bytes);
    std::vector<std::vector<std::byte>> bytes;
    for (const NamedDescriptor& output : graph.outputs()) bytes.emplace_back(byteLength(output.second));
    const std::vector<std::span<std::byte>> outputBytes(bytes.begin(), bytes.end());
    graph.compute(inputBytes, outputBytes);
    ASSERT_EQ(results.size(), graph.outputs().size());
    std::size_t i = 0;
    for (const NamedDescriptor& output : graph.outputs()) {
      const Array& actual = results.at(output.first);
      EXPECT_EQ(actual.descriptor, output.second);
      EXPECT_TRUE(actual.bytes == bytes[i]) << output.first;
      ++i;
    }
    ++counts.equal;
  }

  struct Refusal {
    std::size_t before = 0;  // the number of steps made before
    Step step;
    std::string message;
    bool isPartial = false;  // the builder took a first call of the step, whose conditions stay
  };

  Random random_;
  const std::vector<Input> inputs_;
  std::vector<Step> steps_;
  std::vector<Refusal> refusals_;
  std::vector<int> leaves_;  // results that no step uses
};

std::uint64_t fromEnvironment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

TEST(RandomOpenGraphs, ComputeWhatFixedGraphsDo) {
  const std::uint64_t first = fromEnvironment("WEBNN_OPEN_SEED", 1), count = fromEnvironment("WEBNN_OPEN_GRAPHS", 300);
  OneGraph::Counts counts;
  for (std::uint64_t seed = first; seed < first + count && !HasFailure(); ++seed) {
    SCOPED_TRACE("WEBNN_OPEN_SEED=" + std::to_string(seed));
    OneGraph(seed).check(counts);
  }
  RecordProperty("equal", counts.equal);
  RecordProperty("failing", counts.failing);
  RecordProperty("refused", counts.refused);
  RecordProperty("empty", counts.empty);
  if (count < 100) return;
  EXPECT_GT(counts.equal, static_cast<int>(count));
  EXPECT_GT(counts.failing, 0);
  EXPECT_GT(counts.refused, 0);
  EXPECT_GT(counts.empty, 0);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn
