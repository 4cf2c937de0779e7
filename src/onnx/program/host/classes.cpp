#include "onnx/program/host/classes.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace webnn::formats::onnx {

template <typename Element>
RowsOfType<Element>::RowsOfType(const HostNode& node, std::size_t index) {
  const Dims& dims = node.dims(index);
  if (dims.empty() || dims.size() > 2) fail(ErrorKind::dataError, "its input [{}] is not of rows.", textOf(dims));
  rows = dims.size() == 2 ? static_cast<std::size_t>(dims[0]) : 1;
  columns = static_cast<std::size_t>(dims.back());
  const std::vector<double> numbers = node.numbers(index);
  node.takeRoom(numbers.size(), sizeof(Element));
  elements.resize(numbers.size());
  std::ranges::transform(numbers, elements.begin(), [](double number) { return static_cast<Element>(number); });
}
template struct RowsOfType<float>;
template struct RowsOfType<double>;

ClassLabels::ClassLabels(const HostNode& node) {
  for (const std::string_view name : {"classlabels_ints", "classlabels_int64s"}) {
    if (integers_.empty()) integers_ = node.integers(name);
  }
  if (const Attribute* const strings = node.find("classlabels_strings"))
    strings_.assign(strings->strings.begin(), strings->strings.end());
}

Value ClassLabels::take(const HostNode& node, std::span<const std::size_t> chosen) const {
  const Dims dims{std::ssize(chosen)};
  if (!strings_.empty()) {
    StringList taken(node, chosen.size());
    for (const std::size_t index : chosen) taken.add(index < strings_.size() ? strings_[index] : std::to_string(index));
    return node.makeStrings(dims, std::move(taken));
  }
  std::vector<std::int64_t> taken;
  node.takeRoom(chosen.size(), sizeof(std::int64_t));
  for (const std::size_t index : chosen)
    taken.push_back(index < integers_.size() ? integers_[index] : static_cast<std::int64_t>(index));
  return node.makeIntegers(dims, taken);
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

std::string_view postTransformOf(const HostNode& node) {
  static constexpr std::array<std::string_view, 5> kKnown{"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"};
  const std::string_view kind = node.text("post_transform", "NONE");
  if (std::ranges::find(kKnown, kind) == kKnown.end())
    fail(ErrorKind::dataError, "its post_transform is {}.", webnn::quoted(kind));
  return kind;
}

void transformScores(std::string_view kind, std::span<float> scores) {
  if (kind == "NONE" || scores.empty()) return;
  if (kind == "LOGISTIC") return (void)std::ranges::transform(scores, scores.begin(), logistic);
  if (kind == "PROBIT") return (void)std::ranges::transform(scores, scores.begin(), probit);
  const float most = *std::ranges::max_element(scores);
  float sum = 0;
  for (float& score : scores) {
    const bool isZero = kind == "SOFTMAX_ZERO" && std::fabs(score) <= 0.0000001F;
    score = isZero ? score * std::exp(-most) : std::exp(score - most);
    sum += score;
  }
  for (float& score : scores) score /= sum;
}

Value floatsOf(const HostNode& node, Dims dims, const std::vector<float>& floats) {
  return node.makeNumbers(ElementType::float32, std::move(dims), std::vector<double>(floats.begin(), floats.end()));
}

}  // namespace webnn::formats::onnx
