#include "cli/model_session.h"

#include <algorithm>
#include <cstdlib>

#include "base/text.h"
#include "cli/inputs.h"
#include "onnx/program/elements.h"
#include "onnx/program/host_node.h"

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

using webnn::onnx::ElementType;

// Returns the WebNN type in which the tool reads and prints elements of a type that WebNN lacks.
DataType standIn(ElementType type) { return formats::onnx::isIntegerType(type) ? DataType::int32 : DataType::float32; }

std::size_t countOf(const Shape& shape) { return formats::onnx::elementCount({shape.begin(), shape.end()}); }

}  // namespace

Array arrayFor(const DeclaredInput& input, const OperandDescriptor& descriptor, std::span<const std::byte> bytes) {
  if (input.elementType == ElementType::undefined) return {descriptor, {bytes.begin(), bytes.end()}};
  const std::size_t count = countOf(descriptor.shape);
  Array array{descriptor, std::vector<std::byte>(formats::onnx::packedBytes(input.elementType, count)), input.elementType};
  const ElementType given = webnn::onnx::elementTypeOf(descriptor.dataType);
  formats::onnx::fromNumbers(input.elementType, formats::onnx::toNumbers(given, bytes, count), array.bytes.data());
  return array;
}

Array shownAs(Array array) {
  if (array.elementType == ElementType::undefined) return array;
  const DataType type = standIn(array.elementType);
  const std::size_t count = countOf(array.descriptor.shape);
  Array result{{type, array.descriptor.shape},
               std::vector<std::byte>(formats::onnx::packedBytes(webnn::onnx::elementTypeOf(type), count))};
  const std::vector<double> numbers = formats::onnx::toNumbers(array.elementType, array.bytes, count);
  formats::onnx::fromNumbers(webnn::onnx::elementTypeOf(type), numbers, result.bytes.data());
  return result;
}

bool hasTextOnly(const Array& array) { return array.elementType == ElementType::string || array.isSequence; }

std::vector<std::string> textsOf(const Array& array) {
  if (array.isSequence) {
    std::vector<std::string> texts;
    for (const Array& element : array.elements) {
      if (element.keys.empty()) {
        texts.push_back(toString(element.descriptor));
        continue;
      }
      const std::vector<std::string> keys = textsOf(element.keys[0]), values = textsOf(element);
      std::string map;
      for (std::size_t i = 0; i < keys.size(); ++i) map += formatText("{}{}: {}", map.empty() ? "" : ", ", keys[i], values[i]);
      texts.push_back("{" + map + "}");
    }
    return texts;
  }
  if (array.elementType == ElementType::string) return array.strings;
  const ElementType type =
      array.elementType == ElementType::undefined ? webnn::onnx::elementTypeOf(array.descriptor.dataType) : array.elementType;
  std::vector<std::string> texts;
  const std::size_t count = countOf(array.descriptor.shape);
  for (const double number : formats::onnx::toNumbers(type, array.bytes, count)) texts.push_back(formatText("{}", number));
  return texts;
}

std::vector<NamedDescriptor> fixedInputs(const std::vector<DeclaredInput>& declared, const ModelOptions& options) {
  const std::map<std::string, std::uint32_t> sizes = sizesOf(options);
  std::vector<NamedDescriptor> inputs;
  for (const DeclaredInput& input : declared) {
    Shape shape;
    for (const DeclaredDimension& dimension : input.shape) {
      const auto given = sizes.find(dimension.name);
      shape.push_back(dimension.name.empty() ? dimension.size : given == sizes.end() ? 1 : given->second);
    }
    if (input.elementType == ElementType::string) {
      throw Misuse(
          formatText("input {} is of strings, which are not given on the command line; Session in C++ and InferenceSession in "
                     "Python take them.",
                     webnn::quoted(input.name)));
    }
    const bool isForeign = input.elementType != ElementType::undefined;
    inputs.emplace_back(input.name, OperandDescriptor{isForeign ? standIn(input.elementType) : input.dataType, std::move(shape)});
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
  if (hasSizeZero(options)) opened.dimensions.clear();  // no graph can have a size of 0; each run's inputs give the sizes
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
  std::map<std::string, Array> converted;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    views.emplace(inputs[i].name,
                  converted[inputs[i].name] = arrayFor(session_.inputs()[i], inputs[i].descriptor, inputs[i].bytes));
  std::map<std::string, Array> arrays = session_.run(views);
  std::vector<NamedBytes> outputs;
  for (const DeclaredOutput& output : session_.outputs()) {
    if (hasTextOnly(arrays.at(output.name))) continue;
    Array array = shownAs(std::move(arrays.at(output.name)));
    outputs.push_back({output.name, array.descriptor, std::move(array.bytes)});
  }
  return outputs;
}

void refuseForSession(bool isUsed, std::string_view option, const ModelOptions& options) {
  if (!isUsed) return;
  throw Misuse(formatText("{}: it needs a single graph, and none can hold {}.", option, webnn::quoted(options.model.string())));
}

}  // namespace webnn::cli
