#include "open/random_steps.h"

#include <iterator>

namespace webnn::test {

namespace {

// Offers a step its choices: random numbers, and the values so far. Decisions depend on ranks and on whether sizes are open,
// never on the sizes.
struct Choices {
  Random& random;
  const Calls& calls;
  const int x = value();  // an operand, its rank and one of its axes
  const int rank = rankOf(x);
  const int axis = random.below(rank);

  int value() { return random.below(static_cast<int>(calls.values.size())); }
  int rankOf(int index) const { return static_cast<int>(calls.values[static_cast<std::size_t>(index)].rank()); }
  bool isOpen(int index, int of) const {
    return !calls.values[static_cast<std::size_t>(index)].dimensions()[static_cast<std::size_t>(of)].text.empty();
  }
  // Returns a value with a rank in the range, or -1.
  int valueOfRank(int least, int most) {
    std::vector<int> all;
    for (int i = 0; i < static_cast<int>(calls.values.size()); ++i) {
      if (rankOf(i) >= least && rankOf(i) <= most) all.push_back(i);
    }
    return all.empty() ? -1 : all[static_cast<std::size_t>(random.below(static_cast<int>(all.size())))];
  }
  std::vector<Term> termsOf(int index) const {
    std::vector<Term> terms;
    for (int i = 0; i < rankOf(index); ++i) terms.push_back({.factors = {{index, i}}});
    return terms;
  }
  // Returns a dimension of some value, or 2.
  Term dimension() {
    const int index = value();
    return rankOf(index) == 0 ? number(2) : Term{.factors = {{index, random.below(rankOf(index))}}};
  }
};

Step reshape(int x, const std::vector<Term>& shape) {
  return [=](Calls& c) -> std::vector<Operand> { return {c.builder.reshape(c.at(x), c.sizes(shape))}; };
}

Step activation(Choices& choices) {
  const int x = choices.x;
  const int kind = choices.random.below(4);
  return [=](Calls& c) -> std::vector<Operand> {
    const Operand input = c.at(x);
    return {kind == 0   ? c.builder.relu(input)
            : kind == 1 ? c.builder.abs(input)
            : kind == 2 ? c.builder.tanh(input)
                        : c.builder.neg(input)};
  };
}

Step binary(Choices& choices) {
  const int x = choices.x;
  const int y = choices.value(), kind = choices.random.below(4);
  return [=](Calls& c) -> std::vector<Operand> {
    const Operand a = c.at(x), b = c.at(y);
    return {kind == 0   ? c.builder.add(a, b)
            : kind == 1 ? c.builder.mul(a, b)
            : kind == 2 ? c.builder.sub(a, b)
                        : c.builder.max(a, b)};
  };
}

Step concat(Choices& choices) {
  const int x = choices.x, rank = choices.rank, axis = choices.axis;
  const auto u = [](int number) { return static_cast<std::uint32_t>(number); };
  const int y = choices.valueOfRank(rank, rank);
  if (rank == 0 || y < 0) return {};
  return [=](Calls& c) -> std::vector<Operand> { return {c.builder.concat({c.at(x), c.at(y)}, u(axis))}; };
}

Step matmul(Choices& choices) {
  const int a = choices.valueOfRank(2, 4), b = choices.valueOfRank(2, 4);
  if (a < 0 || b < 0) return {};
  const bool transposes = choices.random.oneIn(2) && choices.rankOf(a) == choices.rankOf(b);
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

Step transpose(Choices& choices) {
  const int x = choices.x, rank = choices.rank;
  const auto u = [](int number) { return static_cast<std::uint32_t>(number); };
  std::vector<std::uint32_t> order;
  for (int i = 0; i < rank; ++i) order.insert(order.begin() + choices.random.below(i + 1), u(i));
  return [=](Calls& c) -> std::vector<Operand> {
    return {c.builder.transpose(c.at(x), {.permutation = OptionalSizes(std::vector<std::uint32_t>(order))})};
  };
}

Step mergeDimensions(Choices& choices) {
  const int x = choices.x, rank = choices.rank;
  if (rank < 2) return {};
  std::vector<Term> shape = choices.termsOf(x);
  const auto at = static_cast<std::size_t>(choices.random.below(rank - 1));
  shape[at].factors.push_back(shape[at + 1].factors[0]);
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  return reshape(x, shape);
}

Step splitDimension(Choices& choices) {
  const int x = choices.x, rank = choices.rank, axis = choices.axis;
  if (rank == 0 || rank > 4) return {};
  std::vector<Term> shape = choices.termsOf(x);
  const int parts = choices.random.between(1, 3);
  shape[static_cast<std::size_t>(axis)].divisor = parts;
  shape.insert(shape.begin() + axis + 1, number(parts));
  return reshape(x, shape);
}

Step insertOrRemoveOne(Choices& choices) {
  const int x = choices.x, rank = choices.rank, axis = choices.axis;
  std::vector<Term> shape = choices.termsOf(x);
  if (rank > 0 && choices.random.oneIn(3))
    shape.erase(shape.begin() + axis);
  else if (rank < 5)
    shape.insert(shape.begin() + choices.random.below(rank + 1), number(1));
  return reshape(x, shape);
}

Step slice(Choices& choices) {
  const int x = choices.x, rank = choices.rank, axis = choices.axis;
  const auto u = [](int number) { return static_cast<std::uint32_t>(number); };
  if (rank == 0) return {};
  std::vector<Term> sizes = choices.termsOf(x);
  const int start = choices.random.below(3), stride = choices.random.oneIn(3) ? 2 : 1;
  sizes[static_cast<std::size_t>(axis)] =
      choices.random.oneIn(3) ? number(choices.random.between(1, 3)) : sizes[static_cast<std::size_t>(axis)];
  if (!sizes[static_cast<std::size_t>(axis)].factors.empty()) sizes[static_cast<std::size_t>(axis)].addend = -start;
  return [=](Calls& c) -> std::vector<Operand> {
    const Operand input = c.at(x);
    std::vector<std::uint32_t> starts(input.rank()), strides(input.rank(), 1);
    starts[u(axis)] = u(start);
    strides[u(axis)] = u(stride);
    return {c.builder.slice(input, starts, c.sizes(sizes), {.strides = OptionalSizes(std::move(strides))})};
  };
}

Step pad(Choices& choices) {
  const int x = choices.x, rank = choices.rank, axis = choices.axis;
  const auto u = [](int number) { return static_cast<std::uint32_t>(number); };
  if (rank == 0) return {};
  const int first = choices.random.below(3), last = choices.random.below(3), mode = choices.random.below(3);
  return [=](Calls& c) -> std::vector<Operand> {
    const Operand input = c.at(x);
    std::vector<std::uint32_t> begin(input.rank()), end(input.rank());
    begin[u(axis)] = u(first);
    end[u(axis)] = u(last);
    const PaddingMode modes[] = {PaddingMode::constant, PaddingMode::edge, PaddingMode::reflection};
    return {c.builder.pad(input, begin, end, {.mode = modes[mode], .value = 0.5})};
  };
}

Step tile(Choices& choices) {
  const int x = choices.x, rank = choices.rank, axis = choices.axis;
  const auto u = [](int number) { return static_cast<std::uint32_t>(number); };
  if (rank == 0) return {};
  const Term times = choices.random.oneIn(2) ? number(2) : choices.dimension();
  return [=](Calls& c) -> std::vector<Operand> {
    const Operand input = c.at(x);
    std::vector<std::uint32_t> repetitions(input.rank(), 1);
    repetitions[u(axis)] = c.size(times);
    return {c.builder.tile(input, repetitions)};
  };
}

Step expand(Choices& choices) {
  const int x = choices.x;
  const int like = choices.value();
  const std::vector<Term> shape = choices.termsOf(like);
  return [=](Calls& c) -> std::vector<Operand> { return {c.builder.expand(c.at(x), c.sizes(shape))}; };
}

Step reduce(Choices& choices) {
  const int x = choices.x, rank = choices.rank;
  const auto u = [](int number) { return static_cast<std::uint32_t>(number); };
  std::vector<std::uint32_t> axes;
  for (int i = 0; i < rank; ++i) {
    if (choices.random.oneIn(2)) axes.push_back(u(i));
  }
  const bool keeps = choices.random.oneIn(2);
  const int kind = choices.random.below(4);
  return [=](Calls& c) -> std::vector<Operand> {
    const ReduceOptions options{.axes = OptionalSizes(std::vector<std::uint32_t>(axes)), .keepDimensions = keeps};
    const Operand input = c.at(x);
    return {kind == 0   ? c.builder.reduceSum(input, options)
            : kind == 1 ? c.builder.reduceMax(input, options)
            : kind == 2 ? c.builder.reduceMean(input, options)
                        : c.builder.reduceProduct(input, options)};
  };
}

Step softmax(Choices& choices) {
  const int x = choices.x, rank = choices.rank, axis = choices.axis;
  const auto u = [](int number) { return static_cast<std::uint32_t>(number); };
  if (rank == 0) return {};
  return [=](Calls& c) -> std::vector<Operand> { return {c.builder.softmax(c.at(x), u(axis))}; };
}

Step split(Choices& choices) {
  const int x = choices.x, rank = choices.rank, axis = choices.axis;
  const auto u = [](int number) { return static_cast<std::uint32_t>(number); };
  if (rank == 0) return {};
  const bool isEven = choices.random.oneIn(2);
  Term rest = choices.termsOf(x)[static_cast<std::size_t>(axis)];
  rest.addend = -1;
  return [=](Calls& c) -> std::vector<Operand> {
    const Operand input = c.at(x);
    if (isEven) return c.builder.split(input, 2u, {.axis = u(axis)});
    return c.builder.split(input, std::vector<std::uint32_t>{1u, c.size(rest)}, {.axis = u(axis)});
  };
}

Step gather(Choices& choices) {
  const int x = choices.x, rank = choices.rank, axis = choices.axis;
  const auto u = [](int number) { return static_cast<std::uint32_t>(number); };
  if (rank == 0) return {};
  return [=](Calls& c) -> std::vector<Operand> {
    const OperandDescriptor type{DataType::int32, {2}};
    const Operand indices = c.builder.constant(type, pack(type, {0, 1}));
    return {c.builder.gather(c.at(x), indices, {.axis = u(axis)})};
  };
}

Step convolution(Choices& choices) {
  const auto u = [](int number) { return static_cast<std::uint32_t>(number); };
  const int image = choices.valueOfRank(4, 4);
  if (image < 0 || choices.isOpen(image, 1)) return {};
  const int height = choices.random.between(1, 3), width = choices.random.between(1, 3), padding = choices.random.below(2),
            stride = choices.random.between(1, 2);
  const bool isTransposed = choices.random.oneIn(3);
  return [=](Calls& c) -> std::vector<Operand> {
    const Operand input = c.at(image);
    const std::uint32_t channels = input.shape()[1];
    const auto p = u(padding), s = u(stride);
    if (isTransposed)
      return {c.builder.convTranspose2d(input, c.floats({channels, 2, u(height), u(width)}, 0.5),
                                        {.padding = {p, p, p, p}, .strides = {s, s}})};
    return {
        c.builder.conv2d(input, c.floats({2, channels, u(height), u(width)}, 0.5), {.padding = {p, p, p, p}, .strides = {s, s}})};
  };
}

Step pool(Choices& choices) {
  const int image = choices.valueOfRank(4, 4);
  if (image < 0) return {};
  const bool isGlobal = choices.random.oneIn(2), isMaximum = choices.random.oneIn(2), roundsUp = choices.random.oneIn(2);
  return [=](Calls& c) -> std::vector<Operand> {
    Pool2dOptions options{.outputShapeRounding = roundsUp ? RoundingType::ceil : RoundingType::floor};
    if (!isGlobal) {
      options.windowDimensions = {2, 2};
      options.strides = {2, 1};
    }
    return {isMaximum ? c.builder.maxPool2d(c.at(image), options) : c.builder.averagePool2d(c.at(image), options)};
  };
}

Step resample(Choices& choices) {
  const int image = choices.valueOfRank(4, 4);
  if (image < 0) return {};
  const bool hasSizes = choices.random.oneIn(2);
  const std::vector<Term> sizes{choices.dimension(), number(3)};
  return [=](Calls& c) -> std::vector<Operand> {
    Resample2dOptions options{.scales = {1.5f, 2.0f}};
    if (hasSizes) options.sizes = OptionalSizes(c.sizes(sizes));
    return {c.builder.resample2d(c.at(image), options)};
  };
}

Step normalize(Choices& choices) {
  const int x = choices.x, rank = choices.rank, axis = choices.axis;
  const auto u = [](int number) { return static_cast<std::uint32_t>(number); };
  if (rank == 0) return {};
  return [=](Calls& c) -> std::vector<Operand> { return {c.builder.layerNormalization(c.at(x), {.axes = {u(axis)}})}; };
}

Step accumulate(Choices& choices) {
  const int x = choices.x, rank = choices.rank, axis = choices.axis;
  const auto u = [](int number) { return static_cast<std::uint32_t>(number); };
  if (rank == 0) return {};
  return [=](Calls& c) -> std::vector<Operand> { return {c.builder.cumulativeSum(c.at(x), u(axis))}; };
}

Step select(Choices& choices) {
  const int x = choices.x;
  const int y = choices.value(), z = choices.value();
  return
      [=](Calls& c) -> std::vector<Operand> { return {c.builder.where(c.builder.greater(c.at(x), c.at(y)), c.at(x), c.at(z))}; };
}

Step gemm(Choices& choices) {
  const int a = choices.valueOfRank(2, 2), b = choices.valueOfRank(2, 2), added = choices.value();
  if (a < 0 || b < 0) return {};
  const bool transposes = choices.random.oneIn(2), hasC = choices.random.oneIn(2) && choices.rankOf(added) <= 2;
  return [=](Calls& c) -> std::vector<Operand> {
    GemmOptions options{.bTranspose = transposes};
    if (hasC) options.c = c.at(added);
    return {c.builder.gemm(c.at(a), c.at(b), options)};
  };
}

Step gatherGreatest(Choices& choices) {
  const int x = choices.x, rank = choices.rank, axis = choices.axis;
  const auto u = [](int number) { return static_cast<std::uint32_t>(number); };
  if (rank == 0) return {};
  return [=](Calls& c) -> std::vector<Operand> {
    const Operand input = c.at(x);
    const Operand indices = c.builder.argMax(input, u(axis), {.keepDimensions = true});
    return {c.builder.gatherElements(input, indices, {.axis = u(axis)}), c.builder.cast(indices, DataType::float32)};
  };
}

Step lstm(Choices& choices) {
  const int sequence = choices.valueOfRank(3, 3);
  if (sequence < 0 || choices.isOpen(sequence, 2)) return {};
  const bool returnsSequence = choices.random.oneIn(2);
  const Term steps{.factors = {{sequence, 0}}};
  return [=](Calls& c) -> std::vector<Operand> {
    const Operand input = c.at(sequence);
    return c.builder.lstm(input, c.floats({1, 8, input.shape()[2]}, 0.25), c.floats({1, 8, 2}, 0.125), c.size(steps), 2,
                          {.returnSequence = returnsSequence});
  };
}

Step quantize(Choices& choices) {
  const int x = choices.x;
  return [=](Calls& c) -> std::vector<Operand> {
    const Operand input = c.at(x);
    const Operand scale = c.floats(Shape(input.rank(), 1), 1);
    const OperandDescriptor type{DataType::uint8, Shape(input.rank(), 1)};
    const Operand zeroPoint = c.builder.constant(type, pack(type, {7}));
    return {c.builder.dequantizeLinear(c.builder.quantizeLinear(input, scale, zeroPoint), scale, zeroPoint)};
  };
}

}  // namespace

Step randomStep(Random& random, const Calls& calls) {
  Choices choices{random, calls};
  constexpr Step (*kSteps[])(Choices&) = {activation,
                                          binary,
                                          binary,
                                          binary,
                                          concat,
                                          concat,
                                          matmul,
                                          matmul,
                                          transpose,
                                          mergeDimensions,
                                          splitDimension,
                                          insertOrRemoveOne,
                                          slice,
                                          slice,
                                          pad,
                                          tile,
                                          expand,
                                          reduce,
                                          reduce,
                                          softmax,
                                          split,
                                          gather,
                                          convolution,
                                          pool,
                                          resample,
                                          normalize,
                                          accumulate,
                                          select,
                                          gemm,
                                          gatherGreatest,
                                          lstm,
                                          quantize};
  return kSteps[random.below(static_cast<int>(std::size(kSteps)))](choices);
}

}  // namespace webnn::test
