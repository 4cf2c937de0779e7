// The page of `webnn view`: one HTML file that draws a graph. tools/cli/view/ holds its program and styles.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/document/json_value.h"
#include "webnn/graph.h"

namespace webnn::cli {

// Limits of constants' samples in the page: total bytes of pictures, largest constants first, and elements per histogram and
// picture.
inline constexpr std::size_t kPictureBytes = std::size_t{2} << 20;
inline constexpr std::size_t kHistogramElements = 8192, kHistogramBins = 40, kPictureSide = 48;

struct ViewOptions {
  std::string file;                          // what the graph was read from; may be empty
  std::vector<formats::Json> heats;          // from timesOf() and differencesOf()
  std::size_t pictureBytes = kPictureBytes;  // 0: neither histograms nor pictures
};

// Returns whether this program contains the page.
bool hasViewer();
// Returns the page. NotSupportedError, with how to get it, if it is missing.
std::string viewPage(const Graph& graph, const ViewOptions& options);

// Returns the graph's data for the page.
formats::Json viewData(const Graph& graph, const ViewOptions& options);

// The times of a file of `webnn bench --trace` as colours for the steps of the graph. DataError if it is none, or if its steps
// are others.
formats::Json timesOf(std::string_view trace, const Graph& graph);
// The differences of a file of `webnn diff --all --json`, one for each backend. DataError if it is none, or if an operand is not
// the graph's.
std::vector<formats::Json> differencesOf(std::string_view diff, const Graph& graph);

// A histogram and a picture of packed elements, or all of them where they are few.
formats::Json weightsJson(const OperandDescriptor& descriptor, std::span<const std::byte> bytes, bool hasPicture);

}  // namespace webnn::cli
