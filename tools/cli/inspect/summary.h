// Outputs for a reader: statistics, first values, the best classes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "formats/document/json_value.h"
#include "webnn/graph.h"

namespace webnn::cli {

// A class and its value.
struct Ranked {
  std::size_t index = 0;
  double value = 0;
};

// Returns the `count` greatest elements of each row along the last dimension, the first of equals first and NaN last. With
// `softmax`, of the row's probabilities.
std::vector<std::vector<Ranked>> best(const OperandDescriptor& descriptor, std::span<const std::byte> bytes, std::size_t count,
                                      bool softmax = false);

// Parses labels, one per line. TypeError unless there are `classes`.
std::vector<std::string> parseLabels(std::string_view text, std::size_t classes);

// Display options of outputs.
struct SummaryOptions {
  std::size_t top = 0;                  // 0: statistics and first values
  const std::string* labels = nullptr;  // text of the labels' file
  bool softmax = false;                 // the best as probabilities
  bool full = false;                    // all values in JSON
};

// Returns the number of NaN elements.
std::size_t nanCount(const OperandDescriptor& descriptor, std::span<const std::byte> bytes);

// Several lines.
std::string summaryText(const NamedDescriptor& output, std::span<const std::byte> bytes, const SummaryOptions& options);
// dataType, shape, min, max, mean; "nans", the number of NaN elements, if any; "values" if they are few or all are requested,
// else "firstValues"; "top" if requested.
formats::Json summaryJson(const NamedDescriptor& output, std::span<const std::byte> bytes, const SummaryOptions& options);

// The picture in an input tensor [1, C, H, W] (or [1, H, W, C] if `channelsLast`) as text of at most 80 columns, from its
// darkest to its brightest value: blocks, or ASCII where the terminal may not know them.
std::string drawPicture(const OperandDescriptor& descriptor, std::span<const std::byte> bytes, bool channelsLast, bool ascii);

}  // namespace webnn::cli
