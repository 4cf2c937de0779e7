// A graph file that is open: what it declares, and its graph for given sizes of its dimensions.
#pragma once

#include <filesystem>
#include <memory>

#include "base/budget.h"
#include "base/files/file.h"
#include "base/text.h"
#include "onnx/read/import.h"
#include "webnn/formats.h"

namespace webnn::formats {

// Thread safe. Its files stay open, so that the constants of all its graphs are the same bytes.
class GraphSource {
 public:
  virtual ~GraphSource() = default;
  // Inputs and outputs.
  virtual FileDescription declarations() const = 0;
  // For the dimensions of `options`. What else the options say of reading counts when the source is opened.
  virtual Graph build(Context& context, const LoadOptions& options, std::shared_ptr<Budget> budget) const = 0;
};

// Reads a file whose weights are beside it, without building anything. `path` is empty for content without a file. The errors of
// load(), without the file's name.
std::unique_ptr<GraphSource> openGraph(ExternalBytes file, const std::filesystem::path& path, const LoadOptions& options);

// What a file declares and the files that it refers to, without opening weights.
FileDescription describeGraph(const ExternalBytes& file, const std::filesystem::path& path, const LoadOptions& options);

inline FileAccess accessOf(const LoadOptions& options) { return options.mapFiles ? FileAccess::map : FileAccess::read; }

// What one load may take. TypeError if the context refers to nothing.
std::shared_ptr<Budget> loadBudget(const Context& context, const LoadOptions& options);

// Calls `read` within the budget. Errors begin with the path, if there is one.
template <typename Read>
auto reading(const std::filesystem::path& path, const Budget& budget, const Read& read) {
  const BudgetScope scope(budget);
  try {
    return read();
  } catch (const onnx::ValuesNeeded& error) {
    if (path.empty()) throw;
    throw onnx::ValuesNeeded(sanitized(path.string()) + ": " + error.what(), error.inputs());
  } catch (const Error& error) {
    if (path.empty()) throw;
    throw Error(error.kind(), sanitized(path.string()) + ": " + error.what());
  }
}

}  // namespace webnn::formats
