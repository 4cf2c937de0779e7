// Decides when a model is cut into sections (sections.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "base/function_ref.h"
#include "webnn/error.h"

namespace webnn::formats::onnx {

// Compares the sizes of open dimensions from run to run. The model is cut when two runs in succession, not counting runs with
// unchanged sizes, have changed the same dimensions, such as the length of a decoder's cache. Thread safe.
class CutChoice {
 public:
  using Sizes = std::map<std::string, std::uint32_t>;  // sizes of the open dimensions, keyed by name

  // Returns whether a run with these sizes should use the sections. If `mayCut`, may call cut(before). `cut` cuts the model for
  // the sizes of the last run (`before`) and of this run, and returns whether the sections are worth using. If `cut` throws an
  // Error, this run uses the whole model; after a timeout, later runs do not try this cut again.
  bool prefersSections(const Sizes& sizes, bool mayCut, FunctionRef<bool(const Sizes& before)> cut) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return false;  // another run holds the mutex and may be cutting the model
    std::set<std::string> changed;
    for (const auto& [name, size] : sizes) {
      if (const auto last = last_.find(name); last != last_.end() && last->second != size) changed.insert(name);
    }
    const Sizes before = std::exchange(last_, sizes);
    if (!cutAt_.empty()) return std::ranges::includes(cutAt_, changed);
    if (changed.empty()) return false;
    const bool isRepeated = changed == std::exchange(changed_, changed);
    if (!isRepeated || !mayCut || uncut_.contains(changed)) return false;
    try {
      const bool isCut = cut(before);
      uncut_.insert(changed);
      if (isCut) cutAt_ = std::move(changed);
    } catch (const Error& error) {
      // The run without the cut either fails with the same error, or has enough time and memory. After a timeout, do not try the
      // cut again: each try would take as long.
      if (error.kind() == ErrorKind::timeoutError) uncut_.insert(std::move(changed));
      return false;
    }
    return !cutAt_.empty();
  }

  // Makes later runs use the whole model, because the sections cannot run. Runs that change other dimensions may cut the model
  // again.
  void refuse() {
    const std::lock_guard lock(mutex_);
    cutAt_.clear();
  }

 private:
  std::mutex mutex_;
  Sizes last_;
  std::set<std::string> changed_;          // the dimensions that changed when the sizes last changed
  std::set<std::string> cutAt_;            // dimensions whose changes the sections serve; empty if the model is not cut
  std::set<std::set<std::string>> uncut_;  // sets of dimensions for which no further cut is tried
};

}  // namespace webnn::formats::onnx
