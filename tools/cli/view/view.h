// The page of `webnn view`: one file of HTML that draws a graph. tools/cli/view/ holds its program and its styles.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/document/json_value.h"
#include "webnn/graph.h"

namespace webnn::cli {

// The elements of constants that the page holds: at most so many bytes of pictures for all of them together, those of the
// largest constants first, and so many elements for each histogram and picture.
inline constexpr std::size_t kPictureBytes = std::size_t{2} << 20;
inline constexpr std::size_t kHistogramElements = 8192, kHistogramBins = 40, kPictureSide = 48;

struct ViewOptions {
  std::string file;                          // what the graph was read from; may be empty
  std::vector<formats::Json> heats;          // from timesOf() and differencesOf()
  std::size_t pictureBytes = kPictureBytes;  // 0: neither histograms nor pictures
};

// Whether this program was built with the page.
bool hasViewer();
// NotSupportedError that says how to get it, if not.
std::string viewPage(const Graph& graph, const ViewOptions& options);

// What the page holds of the graph.
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
