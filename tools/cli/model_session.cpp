#include "cli/model_session.h"

#include <algorithm>
#include <cstdlib>

#include "base/text.h"
#include "cli/inputs.h"

namespace webnn::cli {

namespace {

std::map<std::string, std::uint32_t> sizesOf(const ModelOptions& options) {
  std::map<std::string, std::uint32_t> sizes;
  for (const std::string& text : options.dimensions) {
    const auto [name, size] = nameAndValue("--dim", text);
    sizes[name] = static_cast<std::uint32_t>(std::strtoul(size.c_str(), nullptr, 10));  // validated when the model is loaded
  }
  return sizes;
}

bool hasSizeZero(const ModelOptions& options) {
  return std::ranges::any_of(options.dimensions, [](const std::string& text) { return text.ends_with("=0"); });
}

}  // namespace

std::vector<NamedDescriptor> fixedInputs(const std::vector<DeclaredInput>& declared, const ModelOptions& options) {
  const std::map<std::string, std::uint32_t> sizes = sizesOf(options);
  std::vector<NamedDescriptor> inputs;
  for (const DeclaredInput& input : declared) {
    Shape shape;
    for (const DeclaredDimension& dimension : input.shape) {
      const auto given = sizes.find(dimension.name);
      shape.push_back(dimension.name.empty() ? dimension.size : given == sizes.end() ? 1 : given->second);
    }
    inputs.emplace_back(input.name, OperandDescriptor{input.dataType, std::move(shape)});
  }
  return inputs;
}

std::optional<Graph> tryLoadModel(Context& context, const ModelOptions& options) {
  if (hasSizeZero(options)) return std::nullopt;
  try {
    return loadModel(context, options);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::notSupportedError) throw;
    return std::nullopt;
  }
}

ModelSession::ModelSession(Context& context, ModelOptions options, std::optional<std::uint64_t> seed) {
  for (const std::string& text : options.values) files_.insert(nameAndValue("--value", text));
  options.values.clear();  // a session needs no constants: the inputs of a run have the values
  ModelOptions opened = options;
  if (hasSizeZero(options)) opened.dimensions.clear();  // no graph can have them; the inputs of a run do
  session_ = openSession(context, opened, seed);
  descriptors_ = fixedInputs(session_.inputs(), options);
  std::vector<DeclaredInput> others;
  for (std::size_t i = 0; i < descriptors_.size(); ++i) {
    const DeclaredInput& input = session_.inputs()[i];
    const auto file = files_.find(input.name);
    if (file == files_.end()) {
      others.push_back(input);
    } else if (const std::optional<Shape> shape = shapeOf(file->second)) {
      descriptors_[i].second.shape = *shape;
    }
  }
  if (const std::string cure = missingDimensions(others, options); !cure.empty())
    throw Misuse(
        formatText("{}: dimensions have no sizes; give them, for instance {}.", sanitized(options.model.string()), cure));
}

std::vector<NamedBytes> ModelSession::inputs(const std::function<std::string(const std::string& input)>& sourceOf) const {
  std::vector<NamedBytes> inputs;
  for (std::size_t i = 0; i < descriptors_.size(); ++i) {
    const NamedDescriptor& input = descriptors_[i];
    const auto file = files_.find(input.first);
    const std::string source = file == files_.end() ? sourceOf(input.first) : file->second;
    std::vector<std::byte> bytes = readInput(input, source);
    if (session_.inputs()[i].isBoolean && source.starts_with("random"))
      for (std::byte& byte : bytes) byte &= std::byte{1};
    inputs.push_back({input.first, input.second, std::move(bytes)});
  }
  return inputs;
}

std::vector<NamedBytes> ModelSession::run(const std::vector<NamedBytes>& inputs) const {
  std::map<std::string, ArrayView> views;
  for (const NamedBytes& input : inputs) views.emplace(input.name, ArrayView(input.descriptor, input.bytes));
  std::map<std::string, Array> arrays = session_.run(views);
  std::vector<NamedBytes> outputs;
  for (const DeclaredOutput& output : session_.outputs()) {
    Array& array = arrays.at(output.name);
    outputs.push_back({output.name, array.descriptor, std::move(array.bytes)});
  }
  return outputs;
}

void refuseForSession(bool isUsed, std::string_view option, const ModelOptions& options) {
  if (!isUsed) return;
  throw Misuse(formatText("{}: it needs a single graph, and none can hold {}.", option, webnn::quoted(options.model.string())));
}

}  // namespace webnn::cli
