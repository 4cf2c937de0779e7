// Code that the models of ai.onnx.ml share: rows of features, labels of classes, and transformed scores.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/program/host_node.h"

namespace webnn::formats::onnx {

// Reads an input of any numeric type as rows of features. A vector counts as one row. Throws DataError for ranks other than 1
// and 2.
template <typename Element>
struct RowsOfType {
  RowsOfType(const HostNode& node, std::size_t index);
  std::size_t rows = 0, columns = 0;
  std::vector<Element> elements;
};
using Rows = RowsOfType<float>;
using DoubleRows = RowsOfType<double>;

// The labels in the attribute classlabels_ints (or classlabels_int64s) or classlabels_strings.
class ClassLabels {
 public:
  explicit ClassLabels(const HostNode& node);
  std::size_t size() const { return strings_.empty() ? integers_.size() : strings_.size(); }
  // Returns the labels of the chosen classes as a vector. A class without a label is represented by its index.
  Value take(const HostNode& node, std::span<const std::size_t> chosen) const;

 private:
  std::vector<std::int64_t> integers_;
  std::vector<std::string> strings_;
};

// Returns the attribute post_transform. Throws DataError if it is unknown.
std::string_view postTransformOf(const HostNode& node);
// Applies `post`, which postTransformOf() returned, to the scores of one row, in place.
void transformScores(std::string_view post, std::span<float> scores);
float logistic(float x);
float probit(float p);

Value floatsOf(const HostNode& node, Dims dims, const std::vector<float>& floats);

}  // namespace webnn::formats::onnx
