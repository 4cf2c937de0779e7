// Linear models of ai.onnx.ml, and the scalers, imputers and other operators around them in exported scikit-learn models. Cases
// that the standard leaves open are computed as ONNX Runtime computes them. https://onnx.ai/onnx/operators/
#include <algorithm>
#include <cmath>
#include <limits>

#include "onnx/program/elements.h"
#include "onnx/program/host/classes.h"

namespace webnn::formats::onnx {

namespace {

// Returns input * transpose(coefficients) + intercepts, with sums in float32. As in ONNX Runtime, surplus coefficients are
// ignored; the number of coefficients must be a multiple of the number of results.
std::vector<float> productsOf(const HostNode& node, const Rows& input, std::size_t outputs) {
  const std::vector<float> coefficients = node.floats("coefficients"), intercepts = node.floats("intercepts");
  const bool hasRows =
      outputs == 0 ? coefficients.empty() : coefficients.size() >= outputs * input.columns && coefficients.size() % outputs == 0;
  if (!hasRows || (!intercepts.empty() && intercepts.size() != outputs)) {
    fail(ErrorKind::dataError, "it has {} coefficients and {} intercepts for {} results of rows of {}.", coefficients.size(),
         intercepts.size(), outputs, input.columns);
  }
  std::vector<float> products;
  node.takeRoom(elementCount({static_cast<std::int64_t>(input.rows), static_cast<std::int64_t>(outputs)}), sizeof(double));
  products.reserve(input.rows * outputs);
  for (std::size_t row = 0; row < input.rows; ++row) {
    for (std::size_t o = 0; o < outputs; ++o) {
      node.tick(input.columns);
      float sum = intercepts.empty() ? 0 : intercepts[o];
      for (std::size_t i = 0; i < input.columns; ++i)
        sum += input.elements[row * input.columns + i] * coefficients[o * input.columns + i];
      products.push_back(sum);
    }
  }
  return products;
}

void runLinearRegressor(HostNode& node) {
  const Rows input(node, 0);
  const std::int64_t targets = node.integer("targets", 1);
  if (targets < 1 || targets > 1 << 20) fail(ErrorKind::dataError, "its targets are {}.", targets);
  const auto count = static_cast<std::size_t>(targets);
  std::vector<float> results = productsOf(node, input, count);
  const std::string_view post = postTransformOf(node);
  for (std::size_t row = 0; row < input.rows; ++row) {
    // ONNX Runtime transforms the scores of several targets. It transforms a single target's score only by PROBIT.
    if (count > 1 || post == "PROBIT") transformScores(post, std::span(results).subspan(row * count, count));
  }
  node.set(0, floatsOf(node, {static_cast<std::int64_t>(input.rows), targets}, results));
}

void runLinearClassifier(HostNode& node) {
  const Rows input(node, 0);
  const ClassLabels labels(node);
  const std::vector<float> intercepts = node.floats("intercepts"), coefficients = node.floats("coefficients");
  const std::size_t count = !intercepts.empty()  ? intercepts.size()
                            : input.columns == 0 ? 1
                                                 : coefficients.size() / input.columns;
  const std::vector<float> products = productsOf(node, input, count);
  const std::string_view post = postTransformOf(node);
  const bool addsSecond = count == 1 && labels.size() == 2;
  std::vector<std::size_t> chosen;
  std::vector<float> all;
  node.takeRoom(input.rows, sizeof(std::size_t));
  node.takeRoom(products.size(), 2 * sizeof(float) + sizeof(double));
  for (std::size_t row = 0; row < input.rows; ++row) {
    std::vector<float> scores(products.begin() + static_cast<std::ptrdiff_t>(row * count),
                              products.begin() + static_cast<std::ptrdiff_t>((row + 1) * count));
    if (count == 1)
      chosen.push_back(scores[0] > 0 ? 1 : 0);
    else
      chosen.push_back(static_cast<std::size_t>(std::ranges::max_element(scores) - scores.begin()));
    if (count > 1 || post == "PROBIT")
      transformScores(post, scores);
    else if (addsSecond)
      scores =
          post == "LOGISTIC" ? std::vector{logistic(-scores[0]), logistic(scores[0])} : std::vector{1 - scores[0], scores[0]};
    if (addsSecond) scores.resize(2);  // ONNX Runtime leaves the second score of PROBIT at 0
    all.insert(all.end(), scores.begin(), scores.end());
  }
  node.set(0, labels.take(node, chosen));
  const std::int64_t width = input.rows == 0 ? static_cast<std::int64_t>(addsSecond ? 2 : count)
                                             : std::ssize(all) / static_cast<std::int64_t>(input.rows);
  node.set(1, floatsOf(node, {static_cast<std::int64_t>(input.rows), width}, all));
}

// Returns the element of an attribute for a column. `list` has one element for all columns, or one per column.
float forColumn(const std::vector<float>& list, std::size_t column, float absent) {
  return list.empty() ? absent : list[list.size() == 1 ? 0 : column];
}

void requireColumns(const std::vector<float>& list, std::size_t columns, std::string_view name) {
  if (list.size() > 1 && list.size() != columns)
    fail(ErrorKind::dataError, "its {} has {} elements for {} columns.", name, list.size(), columns);
}

void runScaler(HostNode& node) {
  const std::vector<float> offset = node.floats("offset"), scale = node.floats("scale");
  const std::size_t columns = node.dims(0).empty() ? 1 : static_cast<std::size_t>(node.dims(0).back());
  requireColumns(offset, columns, "offset");
  requireColumns(scale, columns, "scale");
  std::vector<double> numbers = node.numbers(0);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const float x = static_cast<float>(numbers[i]);
    numbers[i] = (x - forColumn(offset, i % columns, 0)) * forColumn(scale, i % columns, 1);
  }
  node.set(0, node.makeNumbers(ElementType::float32, node.dims(0), numbers));
}

void runNormalizer(HostNode& node) {
  const Rows input(node, 0);
  const std::string_view norm = node.text("norm", "MAX");
  if (norm != "MAX" && norm != "L1" && norm != "L2") fail(ErrorKind::dataError, "its norm is {}.", webnn::quoted(norm));
  std::vector<float> results = input.elements;
  node.takeRoom(results.size(), sizeof(float) + sizeof(double));
  for (std::size_t row = 0; row < input.rows && !results.empty(); ++row) {  // without columns, the number of rows may be huge
    node.tick(input.columns);
    const std::span<float> own = std::span(results).subspan(row * input.columns, input.columns);
    float size = norm == "MAX" ? std::numeric_limits<float>::lowest() : 0;
    for (const float x : own) size = norm == "MAX" ? std::max(size, x) : norm == "L1" ? size + std::fabs(x) : size + x * x;
    if (norm == "L2") size = std::sqrt(size);
    if (size == 0) continue;
    for (float& x : own) x /= size;
  }
  node.set(0, floatsOf(node, node.dims(0), results));
}

void runImputer(HostNode& node) {
  const ElementType type = node.value(0).type;
  const std::size_t columns = node.dims(0).empty() ? 1 : static_cast<std::size_t>(node.dims(0).back());
  if (isIntegerType(type)) {
    const std::vector<std::int64_t> imputed = node.integers("imputed_value_int64s");
    const std::int64_t replaced = node.integer("replaced_value_int64", 0);
    std::vector<std::int64_t> elements = node.integers(std::size_t{0});
    if (imputed.empty() || (imputed.size() > 1 && imputed.size() != columns))
      fail(ErrorKind::dataError, "it has {} imputed values for {} columns.", imputed.size(), columns);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (elements[i] == replaced) elements[i] = imputed[imputed.size() == 1 ? 0 : i % columns];
    }
    std::byte* to = nullptr;
    Value result = node.make(type, node.dims(0), to);
    fromIntegers(type, elements, to);
    return node.set(0, std::move(result));
  }
  const std::vector<float> imputed = node.floats("imputed_value_floats");
  const double replaced = node.number("replaced_value_float", 0);
  requireColumns(imputed, columns, "imputed_value_floats");
  std::vector<double> numbers = node.numbers(0);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const bool isReplaced = std::isnan(replaced) ? std::isnan(numbers[i]) : numbers[i] == replaced;
    if (isReplaced) numbers[i] = forColumn(imputed, i % columns, 0);
  }
  node.set(0, node.makeNumbers(type, node.dims(0), numbers));
}

// Concatenates the inputs along their columns, converted to float32.
void runFeatureVectorizer(HostNode& node) {
  std::vector<Rows> inputs;
  std::size_t columns = 0;
  for (std::size_t i = 0; i < node.inputCount(); ++i) columns += inputs.emplace_back(node, i).columns;
  std::vector<float> all;
  const std::size_t rows = inputs.empty() ? 0 : inputs[0].rows;
  node.takeRoom(elementCount({static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns)}),
                sizeof(float) + sizeof(double));
  for (const Rows& input : inputs) {
    if (input.rows != rows) fail(ErrorKind::dataError, "its inputs have {} and {} rows.", rows, input.rows);
  }
  for (std::size_t row = 0; row < rows && columns > 0; ++row) {
    node.tick(columns);
    for (const Rows& input : inputs) {
      const auto begin = input.elements.begin() + static_cast<std::ptrdiff_t>(row * input.columns);
      all.insert(all.end(), begin, begin + static_cast<std::ptrdiff_t>(input.columns));
    }
  }
  node.set(0, floatsOf(node, {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns)}, all));
}

// Returns a sequence with one map per row, from each label to the score in its column.
void runZipMap(HostNode& node) {
  const Rows input(node, 0);
  const ClassLabels labels(node);
  if (labels.size() != input.columns)
    fail(ErrorKind::dataError, "it has {} labels for {} columns.", labels.size(), input.columns);
  std::vector<std::size_t> all(labels.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  const auto keys = std::make_shared<const Value>(labels.take(node, all));
  Sequence maps;
  node.takeRoom(input.rows, sizeof(Value) + sizeof(std::shared_ptr<const Value>));
  for (std::size_t row = 0; row < input.rows; ++row) {
    const auto begin = input.elements.begin() + static_cast<std::ptrdiff_t>(row * input.columns);
    Value map =
        floatsOf(node, {static_cast<std::int64_t>(input.columns)}, {begin, begin + static_cast<std::ptrdiff_t>(input.columns)});
    map.keys = keys;
    maps.push_back(std::make_shared<const Value>(std::move(map)));
  }
  Value result;
  result.sequence = std::make_shared<Sequence>(std::move(maps));
  node.set(0, std::move(result));
}

}  // namespace

std::span<const HostOperator> linearSteps() {
  static constexpr HostOperator kSteps[]{{"ai.onnx.ml", "FeatureVectorizer", runFeatureVectorizer},
                                         {"ai.onnx.ml", "Imputer", runImputer},
                                         {"ai.onnx.ml", "LinearClassifier", runLinearClassifier},
                                         {"ai.onnx.ml", "LinearRegressor", runLinearRegressor},
                                         {"ai.onnx.ml", "Normalizer", runNormalizer},
                                         {"ai.onnx.ml", "Scaler", runScaler},
                                         {"ai.onnx.ml", "ZipMap", runZipMap}};
  return kSteps;
}

}  // namespace webnn::formats::onnx
