// ONNX models with recorded inputs and outputs, in the folders that ONNX's own tests use.
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

// The models that the paths hold: each a file, a folder with model.onnx or one other .onnx file, or a folder of such folders.
// In the order of the paths, then by name. Misuse if a path holds none.
std::vector<ModelTest> findModels(const std::vector<std::filesystem::path>& paths);

// A recorded tensor.
struct RecordedTensor {
  OperandDescriptor descriptor;  // booleans are uint8
  std::vector<std::byte> bytes;
};

// What input_0.pb, input_1.npy, ... hold (or output_0.pb, ... if `kind` is "output"). NotSupportedError for tensors that
// WebNN cannot hold.
std::vector<RecordedTensor> readRecorded(const std::filesystem::path& dataSet, const std::string& kind);

}  // namespace webnn::cli
