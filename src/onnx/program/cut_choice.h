// Decides when a model is worth cutting into sections (sections.h): if the same sizes have changed in two runs in a row, such as
// the length of a decoder's cache.
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

// Thread safe.
class CutChoice {
 public:
  using Sizes = std::map<std::string, std::uint32_t>;  // of the open dimensions, by name

  // Returns whether a run with these sizes should use the sections. `mayCut`: whether the model may be cut now. cut(before) cuts
  // it for the sizes of the last run and of this one, and returns whether that pays; its errors mean that it does not.
  bool prefersSections(const Sizes& sizes, bool mayCut, FunctionRef<bool(const Sizes& before)> cut) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return false;  // another run is cutting the model
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
      // The run fails too, or has enough time or memory without the cut.
      if (error.kind() == ErrorKind::timeoutError) uncut_.insert(std::move(changed));  // would take this time from each run
      return false;
    }
    return !cutAt_.empty();
  }

  // Ends the use of the sections, because they cannot run.
  void refuse() {
    const std::lock_guard lock(mutex_);
    cutAt_.clear();
  }

 private:
  std::mutex mutex_;
  Sizes last_;                             // of the last run
  std::set<std::string> changed_;          // the dimensions in which that run differed from the one before
  std::set<std::string> cutAt_;            // the dimensions around which the model is cut; empty: it is not cut
  std::set<std::set<std::string>> uncut_;  // dimensions for which a cut has been tried
};

}  // namespace webnn::formats::onnx
