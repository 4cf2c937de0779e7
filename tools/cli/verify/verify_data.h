// ONNX models with recorded inputs and outputs, in the directory layout of ONNX's own tests.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "webnn/types.h"

namespace webnn::cli {

// A model and its data sets: test_data_set_0, test_data_set_1, ... or test_data_set/0, test_data_set/1, ...
struct ModelTest {
  std::string name;  // of its folder
  std::filesystem::path model;
  std::vector<std::filesystem::path> dataSets;
};

// Returns the models of the paths: each path is a file, a directory with model.onnx or one other .onnx file, or a directory of
// such directories. In the order of the paths, then by name. Throws Misuse if a path holds none.
std::vector<ModelTest> findModels(const std::vector<std::filesystem::path>& paths);

// A recorded tensor.
struct RecordedTensor {
  OperandDescriptor descriptor;  // booleans are uint8
  std::vector<std::byte> bytes;
};

// Reads input_0.pb, input_1.npy, ... (or output_0.pb, ... if `kind` is "output"). NotSupportedError for tensors that WebNN cannot
// hold.
std::vector<RecordedTensor> readRecorded(const std::filesystem::path& dataSet, const std::string& kind);

}  // namespace webnn::cli
