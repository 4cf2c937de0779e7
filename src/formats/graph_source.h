// Graph files that are open for reading.
#pragma once

#include <filesystem>
#include <memory>

#include "base/budget.h"
#include "base/files/file.h"
#include "base/text.h"
#include "builder/open_graph.h"
#include "onnx/program/program.h"
#include "onnx/read/import.h"
#include "webnn/formats.h"

namespace webnn::formats {

// An open graph file: its declarations, and its graph for given dimension sizes. The file and its weights stay open, so that all
// graphs of the source share the constants' bytes. Thread safe.
class GraphSource {
 public:
  virtual ~GraphSource() = default;
  virtual FileDescription declarations() const = 0;
  // Throws an error if build() must fail for all sizes, as far as this can be known without sizes.
  virtual void check() const {}
  // Builds the graph for the dimensions of `options`. Other read options apply when the source is opened.
  virtual Graph build(Context& context, const LoadOptions& options, std::shared_ptr<Budget> budget) const = 0;
  // Returns the graph without its empty inputs and outputs. Sources that allow no dimensions of 0 return the graph of build().
  virtual FixedGraph buildFixed(Context& context, const LoadOptions& options, std::shared_ptr<Budget> budget) const {
    return {build(context, options, std::move(budget)), {}};
  }
  // Returns the graph with its open dimensions; null if the format gives only graphs of known sizes (ONNX).
  virtual std::shared_ptr<const OpenGraph> openGraph(const Context& /*context*/, std::shared_ptr<Budget> /*budget*/) const {
    return nullptr;
  }
  // Returns whether build() accepts a size for one dimension of one input (onnx::keyOfPlace()), so that inputs may give different
  // sizes to dimensions of the same name.
  virtual bool takesPlaces() const { return false; }
  // Returns whether an input is a sequence of tensors, or an optional sequence.
  virtual bool takesSequence(std::string_view /*input*/) const { return false; }
  // Returns a program, which runs the model in several graphs and on the host; null if the format has graphs only. The
  // source must outlive the program.
  virtual std::unique_ptr<onnx::Program> program(Context /*context*/, onnx::ProgramOptions /*options*/) const { return nullptr; }
};

// Opens a graph file and its weights, without building a graph. `path` is empty for content without a file. Throws the errors of
// load(), without the file's name.
std::unique_ptr<GraphSource> openGraph(ExternalBytes file, const std::filesystem::path& path, const LoadOptions& options);

// Returns a file's declarations and referenced files without checking the weights.
FileDescription describeGraph(const ExternalBytes& file, const std::filesystem::path& path, const LoadOptions& options);

inline FileAccess accessOf(const LoadOptions& options) { return options.mapFiles ? FileAccess::map : FileAccess::read; }

// Returns an account for the limits of `options`: the context's account, or an account inside it with a lower limit. Throws
// TypeError for an empty context handle.
std::shared_ptr<MemoryAccount> memoryFor(const Context& context, const LoadOptions& options);

// Returns the budget of a load, which counts memory in `memory`, or in memoryFor(context, options) if `memory` is null. Throws
// TypeError for an empty context handle.
std::shared_ptr<Budget> loadBudget(const Context& context, const LoadOptions& options,
                                   std::shared_ptr<MemoryAccount> memory = nullptr);

// Calls `read` within the budget. Errors begin with the path, if there is one, except for calls that timed out or were cancelled.
auto reading(const std::filesystem::path& path, const Budget& budget, const auto& read) {
  const BudgetScope scope(budget);
  try {
    return read();
  } catch (const onnx::ValuesNeeded& error) {
    if (path.empty()) throw;
    throw onnx::ValuesNeeded(sanitized(path.string()) + ": " + error.what(), error.inputs());
  } catch (const Error& error) {
    const bool isEnd = error.kind() == ErrorKind::timeoutError || error.kind() == ErrorKind::abortError;
    if (path.empty() || isEnd) throw;
    throw Error(error.kind(), sanitized(path.string()) + ": " + error.what());
  }
}

}  // namespace webnn::formats
