#include "onnx/read/external_files.h"
#include "onnx/read/import.h"
#include "onnx/read/model.h"
#include "reader.h"

namespace webnn::web {

namespace {

ExternalBytes externalFile(const ReaderModule& module, const std::string& location) {
  const auto found = module.external.find(location);
  if (found == module.external.end())
    fail(ErrorKind::notFoundError, "the model needs the file {} of external data: give it in options.weights.",
         webnn::quoted(location));
  return found->second;
}

}  // namespace

Graph readModel(ReaderModule& module, const std::shared_ptr<Budget>& budget, const formats::onnx::Repertoire& repertoire) {
  if (module.weights) fail(ErrorKind::typeError, "the weights of an ONNX model are files by their locations in the model.");
  formats::onnx::Model model = formats::onnx::readModel(module.graph);
  model.external = std::make_shared<formats::onnx::ExternalFiles>(
      [&module](const std::filesystem::path& location) { return externalFile(module, location.native()); });
  return formats::onnx::importModel(module.context, model, module.options, budget, repertoire);
}

}  // namespace webnn::web
