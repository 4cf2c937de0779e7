// Reads ONNX models with recorded inputs and outputs, in the directory layout of ONNX's own tests.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "webnn/session.h"

namespace webnn::cli {

// A model and its data sets: test_data_set_0, test_data_set_1, ... or test_data_set/0, test_data_set/1, ...
struct ModelTest {
  std::string name;  // name of the test's directory
  std::filesystem::path model;
  std::vector<std::filesystem::path> dataSets;
};

// Returns the models in the order of the paths; models of the same path are sorted by name. Each path is a file, a directory with
// one model, or a directory of such directories. Throws Misuse if a path has no model.
std::vector<ModelTest> findModels(const std::vector<std::filesystem::path>& paths);

using RecordedTensor = Array;  // booleans have the type uint8

enum class RecordedForm { tensor, sequence, optional };

// Reads input_0.pb, input_1.npy, ... in order (or output_0.pb, ... if `kind` is "output"). `forms` are the forms of the files, if
// not all are tensors. Throws NotSupportedError for tensors that no array can hold.
std::vector<RecordedTensor> readRecorded(const std::filesystem::path& dataSet, const std::string& kind,
                                         const std::vector<RecordedForm>& forms = {});

}  // namespace webnn::cli
