// Reductions, ArgMax and ArgMin, softmax, running sums and products, matrix products, Einsum and ranges that the host computes in
// double precision, because WebNN has no type double and no tensors without elements.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "onnx/program/elements.h"
#include "onnx/program/foreign.h"
#include "onnx/program/host/broadcast.h"

namespace webnn::formats::onnx {

namespace {

std::size_t sizeAt(const Dims& dims, std::size_t axis) { return static_cast<std::size_t>(dims[axis]); }

// The lanes of a tensor along an axis. A lane has the elements that differ only in their index along the axis.
struct Lanes : Extents {
  using Extents::Extents;
  // Calls `visit` with the position of each lane's first element.
  void each(const HostNode& node, auto visit) const {
    for (std::size_t o = 0; o < outer; ++o) {
      for (std::size_t i = 0; i < inner; ++i) {
        node.tick(1 + size);
        visit(o * size * inner + i);
      }
    }
  }
};

// Returns which dimensions are reduced. The axes are an attribute in earlier operator versions, and input 1 in later ones.
std::vector<bool> reducedAxes(const HostNode& node, std::size_t rank) {
  const std::vector<std::int64_t> axes = node.has(1) ? node.integers(1) : node.integers("axes");
  if (axes.empty()) return std::vector<bool>(rank, node.integer("noop_with_empty_axes", 0) == 0);
  std::vector<bool> isReduced(rank, false);
  for (const std::int64_t axis : axes) isReduced[axisOf(node, axis, rank)] = true;
  return isReduced;
}

// Stores the lowest or highest number of int64 or uint64 for each infinity in `numbers`. Needed because no double equals the
// highest number of these types.
void setInfinities(ElementType type, std::span<const double> numbers, std::byte* bytes) {
  using Signed = std::numeric_limits<std::int64_t>;
  const bool isSigned = type == ElementType::int64;
  const std::uint64_t lowest = isSigned ? static_cast<std::uint64_t>(Signed::min()) : 0,
                      highest = isSigned ? static_cast<std::uint64_t>(Signed::max()) : ~std::uint64_t{0};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (std::isinf(numbers[i])) std::memcpy(bytes + i * sizeof(highest), numbers[i] < 0 ? &lowest : &highest, sizeof(highest));
  }
}

// Divides the elements into the groups that are reduced together, keeps their order, and applies `reduce` to each group.
void runReduction(HostNode& node, double (*reduce)(const std::vector<double>&)) {
  const Dims dims = node.dims(0);
  const std::vector<bool> isReduced = reducedAxes(node, dims.size());
  const bool keeps = node.integer("keepdims", 1) != 0;
  Dims kept, result;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    kept.push_back(isReduced[d] ? 1 : dims[d]);
    if (!isReduced[d] || keeps) result.push_back(kept.back());
  }
  node.takeRoom(elementCount(kept), sizeof(std::vector<double>));
  std::vector<std::vector<double>> groups(elementCount(kept));
  const std::vector<double> numbers = node.numbers(0);
  node.takeRoom(numbers.size(), 2 * sizeof(double));  // memory of `groups`, whose vectors grow to at most twice their size
  std::size_t i = 0;
  if (!numbers.empty()) Broadcast(node, {&dims, &kept}).each([&](const auto& at) { groups[at[1]].push_back(numbers[i++]); });
  std::vector<double> reduced;
  for (const std::vector<double>& group : groups) {
    node.tick(1 + group.size());
    reduced.push_back(reduce(group));
  }
  std::byte* bytes = nullptr;
  const ElementType type = node.value(0).type;
  Value value = node.make(type, result, bytes);
  if (isIntegerType(type)) {
    // Without elements, ReduceMax and ReduceMin give the type's lowest and highest number, and ReduceMean gives 0.
    for (double& number : reduced) number = std::isnan(number) ? 0 : number;
    if (webnn::onnx::bitsPerElement(type) <= 32) {
      const auto [lowest, highest] = rangeOf(type);
      for (double& number : reduced) number = std::isinf(number) ? (number < 0 ? lowest : highest) : number;
    }
  }
  fromNumbers(type, reduced, bytes);
  if (type == ElementType::int64 || type == ElementType::uint64) setInfinities(type, reduced, bytes);
  node.set(0, std::move(value));
}

using Group = std::vector<double>;
double sum(const Group& group) { return std::accumulate(group.begin(), group.end(), 0.0); }
double sumOfSquares(const Group& group) { return std::inner_product(group.begin(), group.end(), group.begin(), 0.0); }
double mean(const Group& group) { return sum(group) / static_cast<double>(group.size()); }
double product(const Group& group) { return std::accumulate(group.begin(), group.end(), 1.0, std::multiplies<>()); }
double greatest(const Group& group) {
  return std::accumulate(group.begin(), group.end(), -std::numeric_limits<double>::infinity(),
                         [](double a, double b) { return std::isnan(a) || a > b ? a : b; });
}
double least(const Group& group) {
  return std::accumulate(group.begin(), group.end(), std::numeric_limits<double>::infinity(),
                         [](double a, double b) { return std::isnan(a) || a < b ? a : b; });
}
double l1(const Group& group) {
  return std::accumulate(group.begin(), group.end(), 0.0, [](double a, double b) { return a + std::fabs(b); });
}
double l2(const Group& group) { return std::sqrt(sumOfSquares(group)); }
double logSum(const Group& group) { return std::log(sum(group)); }
double logSumExp(const Group& group) {
  const double peak = greatest(group);
  if (!std::isfinite(peak)) return peak;
  double total = 0;
  for (const double number : group) total += std::exp(number - peak);
  return peak + std::log(total);
}

template <double (*reduce)(const Group&)>
void reduction(HostNode& node) {
  runReduction(node, reduce);
}

// Returns the index of the greatest or least element along an axis.
void runArgument(HostNode& node, bool isMax) {
  const Dims& dims = node.dims(0);
  const std::size_t axis = axisOf(node, node.integer("axis", 0), dims.size());
  const bool takesLast = node.integer("select_last_index", 0) != 0;
  const std::vector<double> numbers = node.numbers(0);
  const Lanes lanes(dims, axis);
  Dims result = dims;
  result[axis] = 1;
  if (lanes.size == 0 && elementCount(result) > 0) fail(ErrorKind::dataError, "its dimension {} has no elements.", axis);
  std::vector<std::int64_t> indices;
  node.takeRoom(lanes.outer * lanes.inner, sizeof(std::int64_t));
  lanes.each(node, [&](std::size_t first) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < lanes.size; ++i) {
      const double number = numbers[first + i * lanes.inner], known = numbers[first + best * lanes.inner];
      if ((isMax ? number > known : number < known) || (takesLast && number == known)) best = i;
    }
    indices.push_back(static_cast<std::int64_t>(best));
  });
  if (node.integer("keepdims", 1) == 0) result.erase(result.begin() + static_cast<std::ptrdiff_t>(axis));
  node.set(0, node.makeIntegers(std::move(result), indices));
}
void runArgMax(HostNode& node) { runArgument(node, true); }
void runArgMin(HostNode& node) { runArgument(node, false); }

void runCumulative(HostNode& node, double start, double (*combine)(double, double)) {
  const Dims& dims = node.dims(0);
  const Lanes lanes(dims, axisOf(node, node.integer(std::size_t{1}), dims.size()));
  const bool isExclusive = node.integer("exclusive", 0) != 0, isReverse = node.integer("reverse", 0) != 0;
  std::vector<double> numbers = node.numbers(0);
  lanes.each(node, [&](std::size_t first) {
    double total = start;
    for (std::size_t i = 0; i < lanes.size; ++i) {
      double& number = numbers[first + (isReverse ? lanes.size - 1 - i : i) * lanes.inner];
      const double before = total;
      total = combine(total, number);
      number = isExclusive ? before : total;
    }
  });
  node.set(0, node.makeNumbers(node.value(0).type, dims, numbers));
}
void runCumSum(HostNode& node) {
  runCumulative(node, 0, [](double a, double b) { return a + b; });
}
void runCumProd(HostNode& node) {
  runCumulative(node, 1, [](double a, double b) { return a * b; });
}

// Before version 13, softmax treats all dimensions from `axis` on as a single dimension.
void runSoftmax(HostNode& node, bool isLogarithm) {
  const Dims& dims = node.dims(0);
  Dims seen = dims;
  std::size_t axis = axisOf(node, node.integer("axis", node.version < 13 ? 1 : -1), dims.size());
  if (node.version < 13) {
    std::int64_t rest = 1;
    for (std::size_t d = axis; d < dims.size(); ++d) rest *= dims[d];
    seen.resize(axis);
    seen.push_back(rest);
  }
  const Lanes lanes(seen, axis);
  std::vector<double> numbers = node.numbers(0);
  lanes.each(node, [&](std::size_t first) {
    double peak = -std::numeric_limits<double>::infinity(), total = 0;
    for (std::size_t i = 0; i < lanes.size; ++i) peak = std::max(peak, numbers[first + i * lanes.inner]);
    for (std::size_t i = 0; i < lanes.size; ++i) total += std::exp(numbers[first + i * lanes.inner] - peak);
    for (std::size_t i = 0; i < lanes.size; ++i) {
      double& number = numbers[first + i * lanes.inner];
      number = isLogarithm ? number - peak - std::log(total) : std::exp(number - peak) / total;
    }
  });
  node.set(0, node.makeNumbers(node.value(0).type, dims, numbers));
}
void runPlainSoftmax(HostNode& node) { runSoftmax(node, false); }
void runLogSoftmax(HostNode& node) { runSoftmax(node, true); }

// A row-major matrix, or if `isTransposed`, the transpose of one; `rows` and `columns` are the sizes after the transposition.
struct Matrix {
  const double* numbers;
  std::size_t rows, columns;
  bool isTransposed;
  double at(std::size_t row, std::size_t column) const {
    return numbers[isTransposed ? column * rows + row : row * columns + column];
  }
};
void multiply(const HostNode& node, const Matrix& a, const Matrix& b, double* to) {
  for (std::size_t row = 0; row < a.rows && b.columns > 0; ++row) {  // without columns, the number of rows may be huge
    for (std::size_t column = 0; column < b.columns; ++column) {
      node.tick(1 + a.columns);
      double total = 0;
      for (std::size_t i = 0; i < a.columns; ++i) total += a.at(row, i) * b.at(i, column);
      to[row * b.columns + column] = total;
    }
  }
}

void multiplyMatrices(HostNode& node, ElementType type) {
  Dims a = node.dims(0), b = node.dims(1);
  if (a.empty() || b.empty()) fail(ErrorKind::dataError, "it multiplies a scalar.");
  const bool isRow = a.size() == 1, isColumn = b.size() == 1;
  if (isRow) a.insert(a.begin(), 1);
  if (isColumn) b.push_back(1);
  const std::size_t rows = sizeAt(a, a.size() - 2), inner = sizeAt(a, a.size() - 1), columns = sizeAt(b, b.size() - 1);
  if (sizeAt(b, b.size() - 2) != inner)
    fail(ErrorKind::dataError, "[{}] and [{}] cannot be multiplied.", textOf(node.dims(0)), textOf(node.dims(1)));
  const Dims outerA(a.begin(), a.end() - 2), outerB(b.begin(), b.end() - 2);
  const Broadcast broadcast(node, {&outerA, &outerB});
  const std::vector<double> left = node.numbers(0), right = node.numbers(1);
  Dims dims = broadcast.dims();
  if (!isRow) dims.push_back(static_cast<std::int64_t>(rows));
  if (!isColumn) dims.push_back(static_cast<std::int64_t>(columns));
  node.takeRoom(elementCount(dims), sizeof(double));
  std::vector<double> numbers(elementCount(dims));
  std::size_t place = 0;
  if (!numbers.empty()) {
    broadcast.each([&](const auto& at) {
      multiply(node, {left.data() + at[0] * rows * inner, rows, inner, false},
               {right.data() + at[1] * inner * columns, inner, columns, false}, numbers.data() + place);
      place += rows * columns;
    });
  }
  node.set(0, node.makeNumbers(type, std::move(dims), numbers));
}

void runMatMul(HostNode& node) { multiplyMatrices(node, node.value(0).type); }

// Multiplies two integer matrices if one has no elements. All sums are then empty, and the zero points do not matter.
void runMatMulInteger(HostNode& node) {
  if (!node.value(0).isEmpty() && !node.value(1).isEmpty())
    fail(ErrorKind::notSupportedError, "its inputs are of {} and {}, not of int8 or uint8.",
         webnn::onnx::name(node.value(0).type), webnn::onnx::name(node.value(1).type));
  multiplyMatrices(node, ElementType::int32);
}

// Quantizes a tensor without elements. As in ONNX Runtime, the scale is 1 and the zero point 0, as for a tensor of zeros.
void runDynamicQuantizeLinear(HostNode& node) {
  if (!node.value(0).isEmpty())
    fail(ErrorKind::notSupportedError, "its input is of {}, not of float.", webnn::onnx::name(node.value(0).type));
  std::byte* bytes = nullptr;
  node.set(0, node.make(ElementType::uint8, node.dims(0), bytes));
  node.set(1, node.makeScalar(ElementType::float32, 1.0F));
  node.set(2, node.makeScalar(ElementType::uint8, std::uint8_t{0}));
}

void runGemm(HostNode& node) {
  const bool isATransposed = node.integer("transA", 0) != 0, isBTransposed = node.integer("transB", 0) != 0;
  const double alpha = node.number("alpha", 1), beta = node.number("beta", 1);
  const Dims &a = node.dims(0), &b = node.dims(1);
  if (a.size() != 2 || b.size() != 2 || a[isATransposed ? 0 : 1] != b[isBTransposed ? 1 : 0])
    fail(ErrorKind::dataError, "[{}] and [{}] cannot be multiplied.", textOf(a), textOf(b));
  const std::size_t rows = sizeAt(a, isATransposed ? 1 : 0), inner = sizeAt(a, isATransposed ? 0 : 1),
                    columns = sizeAt(b, isBTransposed ? 0 : 1);
  const std::vector<double> left = node.numbers(0), right = node.numbers(1);
  node.takeRoom(elementCount({static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns)}), sizeof(double));
  std::vector<double> numbers(rows * columns);
  multiply(node, {left.data(), rows, inner, isATransposed}, {right.data(), inner, columns, isBTransposed}, numbers.data());
  const Dims dims{static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns)};
  for (double& number : numbers) number *= alpha;
  if (node.has(2)) {
    const std::vector<double> added = node.numbers(2);
    const Broadcast broadcast(node, {&dims, &node.dims(2)});
    if (broadcast.dims() != dims)
      fail(ErrorKind::dataError, "[{}] does not broadcast to [{}].", textOf(node.dims(2)), textOf(dims));
    broadcast.each([&](const auto& at) { numbers[at[0]] += beta * added[at[1]]; });
  }
  node.set(0, node.makeNumbers(node.value(0).type, dims, numbers));
}

// The subscripts of Einsum: for each term a label per dimension. Labels below 128 are letters; the dimensions of an ellipsis have
// labels from 128 on.
constexpr int kEllipsis = 128;
struct Einsum {
  std::vector<std::vector<int>> terms;
  std::vector<int> result;
};

std::vector<int> labelsOf(std::string_view term, std::size_t ellipsis) {
  std::vector<int> labels;
  for (std::size_t i = 0; i < term.size(); ++i) {
    if (term[i] != '.') {
      labels.push_back(term[i]);
      continue;
    }
    if (term.substr(i, 3) != "...") fail(ErrorKind::dataError, "its equation has a single dot.");
    for (std::size_t d = ellipsis; d-- > 0;) labels.push_back(kEllipsis + static_cast<int>(d));
    i += 2;
  }
  return labels;
}

Einsum readEinsum(const HostNode& node) {
  std::string equation(node.text("equation", ""));
  std::erase(equation, ' ');
  const std::size_t arrow = equation.find("->");
  std::vector<std::string> terms{""};
  for (const char c : equation.substr(0, arrow)) {
    if (c == ',')
      terms.emplace_back();
    else
      terms.back() += c;
  }
  if (terms.size() != node.inputCount())
    fail(ErrorKind::dataError, "its equation has {} terms for {} inputs.", terms.size(), node.inputCount());
  Einsum einsum;
  std::size_t most = 0;
  std::map<int, int> counts;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const bool hasEllipsis = terms[i].find('.') != std::string::npos;
    if (std::ranges::count(terms[i], '.') > 3) fail(ErrorKind::dataError, "its equation has two ellipses in one term.");
    const std::size_t letters = terms[i].size() - (hasEllipsis ? 3 : 0), rank = node.dims(i).size();
    if (hasEllipsis ? letters > rank : letters != rank)
      fail(ErrorKind::dataError, "its equation has {} subscripts for an input of rank {}.", letters, rank);
    most = std::max(most, rank - letters);
    einsum.terms.push_back(labelsOf(terms[i], rank - letters));
    for (const int label : einsum.terms.back()) ++counts[label];
  }
  if (arrow != std::string::npos) {
    einsum.result = labelsOf(equation.substr(arrow + 2), most);
  } else {
    einsum.result = labelsOf("...", most);
    for (const auto& [label, count] : counts) {
      if (count == 1 && label < kEllipsis) einsum.result.push_back(label);
    }
  }
  return einsum;
}

void runEinsum(HostNode& node) {
  const Einsum einsum = readEinsum(node);
  std::map<int, std::int64_t> sizes;
  for (std::size_t i = 0; i < einsum.terms.size(); ++i) {
    for (std::size_t d = 0; d < einsum.terms[i].size(); ++d) {
      const std::int64_t size = node.dims(i)[d];
      std::int64_t& known = sizes.try_emplace(einsum.terms[i][d], size).first->second;
      if (known == 1) known = size;
      if (size != known && size != 1)
        fail(ErrorKind::dataError, "its equation gives a subscript the sizes {} and {}.", known, size);
    }
  }
  // Loops over the result's labels first, then over the labels that are summed.
  std::vector<int> labels = einsum.result;
  for (const auto& [label, size] : sizes) {
    if (std::ranges::find(labels, label) == labels.end()) labels.push_back(label);
  }
  Dims loop, dims;
  for (const int label : labels) {
    if (!sizes.contains(label)) fail(ErrorKind::dataError, "its result has a subscript that no input has.");
    loop.push_back(sizes[label]);
  }
  dims.assign(loop.begin(), loop.begin() + std::ssize(einsum.result));
  std::vector<std::vector<std::size_t>> strides;
  std::vector<std::vector<double>> inputs;
  for (std::size_t i = 0; i < einsum.terms.size(); ++i) {
    inputs.push_back(node.numbers(i));
    std::vector<std::size_t>& own = strides.emplace_back(labels.size(), 0);
    std::size_t stride = 1;
    for (std::size_t d = einsum.terms[i].size(); d-- > 0;) {
      const auto at = std::ranges::find(labels, einsum.terms[i][d]) - labels.begin();
      if (node.dims(i)[d] != 1) own[static_cast<std::size_t>(at)] += stride;
      stride *= sizeAt(node.dims(i), d);
    }
  }
  node.takeRoom(elementCount(dims), sizeof(double));
  std::vector<double> numbers(elementCount(dims));
  const std::size_t all = elementCount(loop), inner = numbers.empty() ? 0 : all / numbers.size();
  Dims index(loop.size(), 0);
  std::vector<std::size_t> at(inputs.size(), 0);
  for (std::size_t n = 0; n < all; ++n) {
    node.tick();
    double term = 1;
    for (std::size_t i = 0; i < inputs.size(); ++i) term *= inputs[i][at[i]];
    numbers[n / inner] += term;
    for (std::size_t d = loop.size(); d-- > 0;) {
      const bool isLast = ++index[d] == loop[d];
      for (std::size_t i = 0; i < at.size(); ++i)
        at[i] += isLast ? strides[i][d] - sizeAt(loop, d) * strides[i][d] : strides[i][d];
      if (!isLast) break;
      index[d] = 0;
    }
  }
  node.set(0, node.makeNumbers(node.value(0).type, std::move(dims), numbers));
}

void runRange(HostNode& node) {
  std::array<double, 3> given{};
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::vector<double> numbers = node.numbers(i);
    if (numbers.size() != 1) fail(ErrorKind::dataError, "its input {} has {} elements, not 1.", i, numbers.size());
    given[i] = numbers[0];
  }
  constexpr double kMost = 2147483648.0;
  const double count = std::max(std::ceil((given[1] - given[0]) / given[2]), 0.0);
  if (!(count < kMost)) fail(ErrorKind::dataError, "it would have {} elements.", count);
  node.takeRoom(static_cast<std::size_t>(count), sizeof(double));
  std::vector<double> numbers(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = given[0] + static_cast<double>(i) * given[2];
  node.set(0, node.makeNumbers(node.value(0).type, {std::ssize(numbers)}, numbers));
}

}  // namespace

std::span<const DoubleStep> doubleTensorSteps() {
  static constexpr DoubleStep kSteps[]{{"ArgMax", runArgMax},
                                       {"ArgMin", runArgMin},
                                       {"CumProd", runCumProd},
                                       {"CumSum", runCumSum},
                                       {"DynamicQuantizeLinear", runDynamicQuantizeLinear},
                                       {"Einsum", runEinsum},
                                       {"Gemm", runGemm},
                                       {"LogSoftmax", runLogSoftmax},
                                       {"MatMul", runMatMul},
                                       {"MatMulInteger", runMatMulInteger},
                                       {"Range", runRange},
                                       {"ReduceL1", reduction<l1>},
                                       {"ReduceL2", reduction<l2>},
                                       {"ReduceLogSum", reduction<logSum>},
                                       {"ReduceLogSumExp", reduction<logSumExp>},
                                       {"ReduceMax", reduction<greatest>},
                                       {"ReduceMean", reduction<mean>},
                                       {"ReduceMin", reduction<least>},
                                       {"ReduceProd", reduction<product>},
                                       {"ReduceSum", reduction<sum>},
                                       {"ReduceSumSquare", reduction<sumOfSquares>},
                                       {"Softmax", runPlainSoftmax}};
  return kSteps;
}

}  // namespace webnn::formats::onnx
