// Makes the page of `webnn view`: one HTML file that draws a graph. The page's scripts and styles are in tools/cli/view/.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/document/json_value.h"
#include "graph/graph_definition.h"
#include "webnn/graph.h"

namespace webnn::cli {

// Limits for samples of constants: bytes of all pictures together (largest constants first), elements and bins per histogram, and
// rows and columns per picture.
inline constexpr std::size_t kPictureBytes = std::size_t{2} << 20;
inline constexpr std::size_t kHistogramElements = 8192, kHistogramBins = 40, kPictureSide = 48;

struct ViewOptions {
  std::string file;                          // file name of the graph; may be empty
  std::vector<formats::Json> heats;          // measurements from timesOf() and differencesOf()
  std::size_t pictureBytes = kPictureBytes;  // limit for pictures; 0: no samples of constants
};

// Returns whether the page was built into this program.
bool hasViewer();
// Returns the page of viewData(). Throws NotSupportedError, which explains how to build the page, if it is missing.
std::string viewPage(const formats::Json& data);

// Returns the page's data: the graph and, if it is compiled, its placement and steps.
formats::Json viewData(const Graph& graph, const ViewOptions& options);
// Returns the data of the graph only. Sizes may be open dimensions of the current OpenSizes.
formats::Json viewData(const GraphDefinition& definition, const ViewOptions& options);

// Reads the time of each step from a trace of `webnn bench --trace`; the page colours the steps by it. Throws DataError if the
// trace is invalid or does not have the steps of `graph`.
formats::Json timesOf(std::string_view trace, const Graph& graph);
// Reads each backend's difference of each operand from a file of `webnn diff --all --json`; the page colours the operations by
// it. Throws DataError if the file is invalid or names an operand that no operation of `graph` makes.
std::vector<formats::Json> differencesOf(std::string_view diff, const Graph& graph);

// Returns the range, mean and deviation of the finite elements in a sample of the packed elements. With `hasPicture` and more
// than one element, adds a histogram and a picture. If there are few elements, adds their values.
formats::Json weightsJson(const OperandDescriptor& descriptor, std::span<const std::byte> bytes, bool hasPicture);

}  // namespace webnn::cli
