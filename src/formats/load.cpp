#include "base/as_errors.h"
#include "base/files/file.h"
#include "base/files/open_file.h"
#include "context/reading_context.h"
#include "formats/graph_source.h"
#include "webnn/formats.h"

namespace webnn {

namespace {

using formats::accessOf;

Graph loadContent(Context& context, ExternalBytes file, const std::filesystem::path& path, const LoadOptions& options,
                  std::shared_ptr<Budget> budget) {
  return formats::openGraph(std::move(file), path, options)->build(context, options, std::move(budget));
}

// Describes the file that `open` opens, within the options' limits and time.
FileDescription describe(const auto& open, const std::filesystem::path& path, const LoadOptions& options) try {
  const std::shared_ptr<Budget> budget = formats::loadBudget(makeReadingContext(options.limits), options);
  const BudgetScope scope(*budget);
  const ExternalBytes file = open();
  return formats::reading(path, *budget, [&] { return formats::describeGraph(file, path, options); });
} catch (...) {
  throwAsError("describeFile");
}

}  // namespace

FileDescription describeFile(const std::filesystem::path& path, const LoadOptions& options) {
  FileDescription description = describe([&] { return mapFile(path, accessOf(options)); }, path, options);
  description.files.insert(description.files.begin(), path);
  return description;
}

FileDescription describeFile(const ExternalBytes& content, const LoadOptions& options) {
  return describe([&] { return content; }, {}, options);
}

Graph load(Context context, const ExternalBytes& content, const LoadOptions& options) try {
  const std::shared_ptr<Budget> budget = formats::loadBudget(context, options);
  return formats::reading({}, *budget, [&] { return loadContent(context, content, {}, options, budget); });
} catch (...) {
  throwAsError("load");
}

Graph load(Context context, OpenFile file, const LoadOptions& options) try {
  const std::shared_ptr<Budget> budget = formats::loadBudget(context, options);
  ExternalBytes content = readOpenFile(file.descriptor, *budget, accessOf(options));
  return formats::reading({}, *budget, [&] { return loadContent(context, std::move(content), {}, options, budget); });
} catch (...) {
  throwAsError("load");
}

Graph load(Context context, const std::filesystem::path& path, const LoadOptions& options) try {
  const std::shared_ptr<Budget> budget = formats::loadBudget(context, options);
  const BudgetScope scope(*budget);
  ExternalBytes file = mapFile(path, accessOf(options));
  return formats::reading(path, *budget, [&] { return loadContent(context, std::move(file), path, options, budget); });
} catch (...) {
  throwAsError("load");
}

MemoryEstimate estimateMemory(const std::filesystem::path& path, const LoadOptions& options) {
  Context context = makeReadingContext(options.limits);
  return load(context, path, options).memoryEstimate();
}

}  // namespace webnn
