#include "cli/verify/verify_data.h"

#include <algorithm>

#include "base/checked.h"
#include "base/files/file.h"
#include "base/text.h"
#include "cli/command.h"
#include "formats/npy/npy.h"
#include "onnx/read/message.h"
#include "onnx/read/model.h"
#include "onnx/schema.h"

namespace webnn::cli {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> entriesOf(const fs::path& folder) {
  std::vector<fs::path> entries;
  for (const auto& entry : fs::directory_iterator(folder)) entries.push_back(entry.path());
  std::ranges::sort(entries);
  return entries;
}

std::vector<fs::path> dataSetsBeside(const fs::path& model) {
  std::vector<fs::path> sets;
  const fs::path folder = model.has_parent_path() ? model.parent_path() : ".";
  for (const fs::path& entry : entriesOf(folder)) {
    if (!fs::is_directory(entry)) continue;
    if (entry.filename().string().starts_with("test_data_set_")) sets.push_back(entry);
    if (entry.filename() != "test_data_set") continue;
    for (const fs::path& numbered : entriesOf(entry)) {
      if (fs::is_directory(numbered)) sets.push_back(numbered);
    }
  }
  return sets;
}

// Returns the path of the model in a directory: model.onnx, or else the only .onnx file; empty if there is none. Throws Misuse if
// there are several and none is model.onnx.
fs::path modelIn(const fs::path& folder) {
  if (fs::is_regular_file(folder / "model.onnx")) return folder / "model.onnx";
  fs::path model;
  for (const fs::path& entry : entriesOf(folder)) {
    if (entry.extension() != ".onnx" || !fs::is_regular_file(entry)) continue;
    if (!model.empty()) throw Misuse(formatText("{} holds several models and no model.onnx.", webnn::quoted(folder.string())));
    model = entry;
  }
  return model;
}

ModelTest modelTest(const fs::path& model) {
  const fs::path folder = fs::absolute(model).lexically_normal().parent_path();
  return {folder.filename().string(), model, dataSetsBeside(model)};
}

RecordedTensor readProto(const ExternalBytes& file, std::string_view content) {
  const formats::onnx::TensorProto tensor = formats::onnx::readTensor(content);
  const auto type = webnn::onnx::dataTypeOf(tensor.type);
  RecordedTensor recorded{{type.value_or(DataType::uint8), {}}, {}};
  if (!type) recorded.elementType = tensor.type;
  for (const std::int64_t dim : tensor.dims) {
    if (static_cast<std::uint64_t>(dim) > kMaxDimension)
      fail(ErrorKind::notSupportedError, "the dimension {} is above WebNN's.", dim);
    recorded.descriptor.shape.push_back(static_cast<std::uint32_t>(dim));
  }
  if (tensor.type == webnn::onnx::ElementType::string) {
    recorded.strings = formats::onnx::stringsOf(tensor);
    return recorded;
  }
  const ExternalBytes bytes = formats::onnx::bytesOf(tensor, file, nullptr);
  recorded.bytes.assign(bytes.bytes.begin(), bytes.bytes.end());
  return recorded;
}

std::string_view textOf(const ExternalBytes& file) {
  return {reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()};
}

// Reads a SequenceProto of tensors.
RecordedTensor readSequence(const ExternalBytes& file, std::string_view content) {
  constexpr std::uint32_t kTensorValues = 3;
  RecordedTensor sequence;
  sequence.isSequence = true;
  formats::onnx::Message message(content, "the ONNX sequence");
  while (message.next()) {
    if (message.field() == kTensorValues) sequence.elements.push_back(readProto(file, message.bytes()));
  }
  return sequence;
}

RecordedTensor readOptional(const ExternalBytes& file, std::string_view content) {
  constexpr std::uint32_t kTensorValue = 3, kSequenceValue = 5;
  RecordedTensor optional;
  optional.isNone = true;
  formats::onnx::Message message(content, "the ONNX optional");
  while (message.next()) {
    if (message.field() == kTensorValue) optional = readProto(file, message.bytes());
    if (message.field() == kSequenceValue) optional = readSequence(file, message.bytes());
  }
  return optional;
}

RecordedTensor readArray(const ExternalBytes& file) {
  formats::Array array = formats::readNpy(file.bytes);
  return {std::move(array.descriptor), std::move(array.bytes)};
}

}  // namespace

std::vector<ModelTest> findModels(const std::vector<fs::path>& paths) {
  std::vector<ModelTest> models;
  for (const fs::path& path : paths) {
    if (!fs::exists(path)) throw Misuse(formatText("{} is not there.", webnn::quoted(path.string())));
    const std::size_t before = models.size();
    if (!fs::is_directory(path)) {
      models.push_back(modelTest(path));
    } else if (const fs::path model = modelIn(path); !model.empty()) {
      models.push_back(modelTest(model));
    } else {
      for (const fs::path& entry : entriesOf(path)) {
        const fs::path inside = fs::is_directory(entry) ? modelIn(entry) : fs::path();
        if (!inside.empty()) models.push_back(modelTest(inside));
      }
    }
    if (models.size() == before) throw Misuse(formatText("{} holds no model.", webnn::quoted(path.string())));
  }
  return models;
}

std::vector<RecordedTensor> readRecorded(const fs::path& dataSet, const std::string& kind,
                                         const std::vector<RecordedForm>& forms) {
  std::vector<RecordedTensor> tensors;
  while (true) {
    const fs::path stem = dataSet / formatText("{}_{}", kind, tensors.size());
    const fs::path proto = stem.string() + ".pb", array = stem.string() + ".npy";
    if (fs::exists(proto)) {
      const RecordedForm form = tensors.size() < forms.size() ? forms[tensors.size()] : RecordedForm::tensor;
      tensors.push_back(readingFrom(proto, [&] {
        const ExternalBytes file = mapFile(proto);
        return form == RecordedForm::sequence   ? readSequence(file, textOf(file))
               : form == RecordedForm::optional ? readOptional(file, textOf(file))
                                                : readProto(file, textOf(file));
      }));
    } else if (fs::exists(array)) {
      tensors.push_back(readingFrom(array, [&] { return readArray(mapFile(array)); }));
    } else {
      return tensors;
    }
  }
}

}  // namespace webnn::cli
