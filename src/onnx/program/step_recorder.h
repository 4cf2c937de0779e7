// Times of the steps of programs, for profiles.
#pragma once

#include <chrono>
#include <vector>

#include "graph/backend.h"

namespace webnn::formats::onnx {

// Records, while it exists, the steps of programs that run on its thread, in order: the steps of their graphs, and the nodes that
// the host computes. Lists the steps of branches and loops instead of the If or Loop node. Measuring slows down runs.
class StepRecorder {
 public:
  StepRecorder();
  ~StepRecorder();
  StepRecorder(const StepRecorder&) = delete;
  StepRecorder& operator=(const StepRecorder&) = delete;

  // Returns the recorder of this thread; null if it has none.
  static StepRecorder* current();

  // Returns the seconds since the recorder was made.
  double now() const;
  void add(StepTime step) { steps_.push_back(std::move(step)); }
  const std::vector<StepTime>& steps() const { return steps_; }

 private:
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::vector<StepTime> steps_;
  StepRecorder* const outer_;
};

}  // namespace webnn::formats::onnx
