// Summarizes outputs: statistics, first values, best classes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "formats/document/json_value.h"
#include "webnn/graph.h"

namespace webnn::cli {

struct Ranked {
  std::size_t index = 0;
  double value = 0;
};

// Returns the `count` greatest elements of each row along the last dimension. Equal elements keep their order, and NaN
// comes last. With `softmax`, the values are the row's probabilities.
std::vector<std::vector<Ranked>> best(const OperandDescriptor& descriptor, std::span<const std::byte> bytes, std::size_t count,
                                      bool softmax = false);

// Parses one label per line. Throws TypeError unless there are exactly `classes` labels.
std::vector<std::string> parseLabels(std::string_view text, std::size_t classes);

struct SummaryOptions {
  std::size_t top = 0;                  // classes to print; 0: statistics and first values instead
  const std::string* labels = nullptr;  // text of the labels file
  bool softmax = false;                 // print probabilities of the best classes
  bool full = false;                    // put all values into JSON
};

std::size_t nanCount(const OperandDescriptor& descriptor, std::span<const std::byte> bytes);

// Returns a multi-line description of an output.
std::string summaryText(const NamedDescriptor& output, std::span<const std::byte> bytes, const SummaryOptions& options);
// Returns dataType, shape, min, max and mean; only dataType, shape and "values" if there are no elements. Adds "nans" (number of
// NaN elements) if there are any, "values" for few elements or on request (else "firstValues"), and "top" if requested.
formats::Json summaryJson(const NamedDescriptor& output, std::span<const std::byte> bytes, const SummaryOptions& options);

// Draws the picture in a tensor [1, C, H, W] (or [1, H, W, C] if `channelsLast`), at most 80 columns wide. Brightness is scaled
// to the picture's range. Uses block characters, or ASCII characters if `ascii`.
std::string drawPicture(const OperandDescriptor& descriptor, std::span<const std::byte> bytes, bool channelsLast, bool ascii);

}  // namespace webnn::cli
