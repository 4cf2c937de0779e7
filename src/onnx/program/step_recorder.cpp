#include "onnx/program/step_recorder.h"

#include <utility>

namespace webnn::formats::onnx {

namespace {

thread_local StepRecorder* recorder = nullptr;

}  // namespace

StepRecorder::StepRecorder() : outer_(std::exchange(recorder, this)) {}
StepRecorder::~StepRecorder() { recorder = outer_; }
StepRecorder* StepRecorder::current() { return recorder; }

double StepRecorder::now() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

}  // namespace webnn::formats::onnx
