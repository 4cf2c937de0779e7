#include "cli/inputs.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iostream>

#include "base/files/file.h"
#include "base/pack.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/elements.h"
#include "formats/document/json_parse.h"
#include "formats/npy/npy.h"
#include "formats/suffix.h"
#include "measure/random_elements.h"

namespace webnn::cli {

namespace {

constexpr std::string_view kRandom = "random", kSeeded = "random:";

std::uint64_t parseSeed(std::string_view text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || end != text.data() + text.size())
    throw Misuse(formatText("--input: {} is not a seed.", webnn::quoted(text)));
  return seed;
}

bool isNpy(std::span<const std::byte> bytes) {
  static constexpr std::string_view kMagic = "\x93NUMPY";
  return std::string_view(reinterpret_cast<const char*>(bytes.data()), std::min(bytes.size(), kMagic.size())) == kMagic;
}

// Converts int8 to int4, and uint8 to uint4, because .npy files have no 4-bit types and store such values in 8 bits. Values out
// of range saturate.
formats::Array narrowed(formats::Array array, DataType type) {
  const bool widened = (type == DataType::int4 && array.descriptor.dataType == DataType::int8) ||
                       (type == DataType::uint4 && array.descriptor.dataType == DataType::uint8);
  if (!widened) return array;
  std::vector<Number> values(elementCount(array.descriptor));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = elementAt(array.descriptor.dataType, array.bytes, i);
  array.descriptor.dataType = type;
  return {array.descriptor, packElements(array.descriptor, values)};
}

// Flattened nested lists and their shape.
struct Numbers {
  std::vector<Number> values;
  Shape shape;
};

void addNumbers(const Json& json, std::size_t level, Numbers& numbers) {
  const auto failNesting = [] { fail(ErrorKind::dataError, "the JSON is no array of numbers: its lists differ in length."); };
  if (!json.isArray() && !json.isBytes()) {
    if (level != numbers.shape.size()) failNesting();
    if (json.isUnsigned()) return numbers.values.emplace_back(json.asUnsigned()), void();
    if (json.isNegative()) return numbers.values.emplace_back(json.asNegative()), void();
    if (json.isDouble()) return numbers.values.emplace_back(json.asDouble()), void();
    if (json.isBoolean()) return numbers.values.emplace_back(json.asBoolean() ? 1 : 0), void();
    fail(ErrorKind::dataError, "the JSON is no array of numbers.");
  }
  if (numbers.values.empty() && numbers.shape.size() == level) numbers.shape.push_back(static_cast<std::uint32_t>(json.size()));
  if (level >= numbers.shape.size() || numbers.shape[level] != json.size()) failNesting();
  if (json.isBytes()) {
    if (numbers.shape.size() != level + 1) failNesting();
    for (const std::byte byte : json.asBytes()) numbers.values.emplace_back(std::to_integer<unsigned>(byte));
    return;
  }
  for (const Json& item : json.items()) addNumbers(item, level + 1, numbers);
}

Numbers numbersOf(std::string_view text) {
  Numbers numbers;
  addNumbers(formats::parseJson(text), 0, numbers);
  return numbers;
}

bool holdsNumbers(std::string_view text, std::uint64_t count) {
  try {
    return numbersOf(text).values.size() == count;
  } catch (const Error&) {
    return false;
  }
}

bool isJson(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != text.npos && text[first] == '[';
}

std::string_view textOf(const ExternalBytes& file) {
  return {reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()};
}

// Returns whether the source is a value, such as "[1, 2]" or "1.5". An existing file with that name has precedence.
bool isInline(const std::string& source) {
  std::error_code ignored;
  if (std::filesystem::exists(source, ignored)) return false;
  double number = 0;
  const auto [end, error] = std::from_chars(source.data(), source.data() + source.size(), number);
  return isJson(source) || (error == std::errc() && end == source.data() + source.size());
}

// Throws Misuse for "1,2" unless a file has that name: lists need brackets.
void requireNoBareList(const std::string& source) {
  std::error_code ignored;
  const bool isList = source.find_first_not_of("0123456789+-.eE, ") == std::string::npos && source.find(',') != std::string::npos;
  if (isList && !std::filesystem::exists(source, ignored))
    throw Misuse(formatText("--input: there is no file {}; values stand in brackets: [{}].", webnn::quoted(source), source));
}

// Returns the numbers in `text` as packed bytes. Their shape may differ from the input's if the number of elements is right.
std::vector<std::byte> packNumbers(const NamedDescriptor& input, const std::string& source, std::string_view text) {
  const OperandDescriptor& descriptor = input.second;
  const Numbers numbers = readingFrom(source, [&] { return numbersOf(text); });
  if (numbers.shape == descriptor.shape || numbers.values.size() == elementCount(descriptor)) {
    for (const Number& value : numbers.values) {
      const Number element = cast(value, descriptor.dataType);
      const bool fits = isFloat(descriptor.dataType) ? std::isfinite(element.toDouble()) : element == value;
      if (!fits)
        fail(ErrorKind::dataError, "input {} is {}, which cannot hold {}.", webnn::quoted(input.first), toString(descriptor),
             value.toDouble());
    }
    return packElements(descriptor, numbers.values);
  }
  fail(ErrorKind::dataError, "input {} is {}, but {} has the shape {}.", webnn::quoted(input.first), toString(descriptor),
       webnn::quoted(source), toString(numbers.shape));
}

std::vector<std::byte> readFile(const NamedDescriptor& input, const std::string& source) {
  const std::string& name = input.first;
  const OperandDescriptor& descriptor = input.second;
  const ExternalBytes file = readBytes(source);
  // A file that has the length of the raw bytes may still be JSON. It counts as JSON if it parses as the right number of
  // elements.
  if (isJson(textOf(file)) &&
      (file.bytes.size() != byteLength(descriptor) || holdsNumbers(textOf(file), elementCount(descriptor))))
    return packNumbers(input, source, textOf(file));
  if (isNpy(file.bytes)) {
    formats::Array array = readingFrom(source, [&] { return narrowed(formats::readNpy(file.bytes), descriptor.dataType); });
    if (array.descriptor == descriptor) return std::move(array.bytes);
    const bool isOtherType = array.descriptor.shape == descriptor.shape;
    fail(ErrorKind::dataError, "input {} is {}, but {} holds {}{}.", webnn::quoted(name), toString(descriptor),
         webnn::quoted(source), toString(array.descriptor),
         isOtherType ? formatText("; save it as {}", webnn::name(descriptor.dataType)) : "");
  }
  if (file.bytes.size() != byteLength(descriptor)) {
    fail(ErrorKind::dataError, "input {} is {} of {} bytes, but {} has {} bytes.", webnn::quoted(name), toString(descriptor),
         byteLength(descriptor), webnn::quoted(source), file.bytes.size());
  }
  return {file.bytes.begin(), file.bytes.end()};
}

}  // namespace

std::vector<KnownInput> knownInputs(const std::vector<NamedDescriptor>& inputs) {
  std::vector<KnownInput> known;
  for (const auto& [name, descriptor] : inputs) known.push_back({name, toString(descriptor)});
  return known;
}

std::vector<KnownInput> knownInputs(const std::vector<DeclaredInput>& inputs) {
  std::vector<KnownInput> known;
  for (const DeclaredInput& input : inputs) {
    std::string shape;
    for (const DeclaredDimension& dimension : input.shape)
      shape +=
          (shape.empty() ? "" : ", ") + (dimension.name.empty() ? std::to_string(dimension.size) : sanitized(dimension.name));
    const bool isForeign = input.elementType != webnn::onnx::ElementType::undefined;
    known.push_back(
        {input.name,
         formatText("{}[{}]", isForeign ? webnn::onnx::name(input.elementType) : webnn::name(input.dataType), shape)});
  }
  return known;
}

NamedSource resolveInput(const std::vector<KnownInput>& inputs, std::string_view option, const std::string& text) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string prefix = inputs[i].name + "=";
    if (text.starts_with(prefix)) return {i, text.substr(prefix.size())};
  }
  const std::size_t equals = text.find('=');
  std::error_code ignored;
  if (inputs.size() == 1 && (equals == std::string::npos || std::filesystem::exists(text, ignored))) return {0, text};
  if (equals == std::string::npos) throw Misuse(formatText("{}: {} is not NAME=VALUE.", option, webnn::quoted(text)));
  throw Misuse(
      formatText("{}: there is no input {}; the graph has {}.", option, webnn::quoted(text.substr(0, equals)), listText(inputs)));
}

std::vector<std::byte> readInput(const NamedDescriptor& input, const std::string& source) {
  const OperandDescriptor& descriptor = input.second;
  if (std::ranges::count(descriptor.shape, 0U) > 0) return {};  // only inputs of sessions may have no elements
  if (source == "zeros") return std::vector<std::byte>(byteLength(descriptor));
  if (source == "ones") return packElements(descriptor, std::vector<Number>{1});
  if (source == kRandom) return measure::randomElements(descriptor, 1);
  if (source.starts_with(kSeeded)) {
    return measure::randomElements(descriptor, parseSeed(std::string_view(source).substr(kSeeded.size())));
  }
  if (isInline(source)) return packNumbers(input, source, source);
  requireNoBareList(source);
  return readFile(input, source);
}

std::optional<Shape> shapeOf(const std::string& source) {
  if (source == "zeros" || source == "ones" || source == kRandom || source.starts_with(kSeeded)) return std::nullopt;
  if (isInline(source)) return readingFrom(source, [&] { return numbersOf(source).shape; });
  requireNoBareList(source);
  const ExternalBytes file = readBytes(source);
  if (isNpy(file.bytes)) return readingFrom(source, [&] { return formats::npyShape(file.bytes); });
  if (isJson(textOf(file))) return readingFrom(source, [&] { return numbersOf(textOf(file)).shape; });
  return std::nullopt;
}

std::string generatedSource(std::string_view option, const std::string& source, std::uint64_t seed) {
  if (source == kRandom) return formatText("{}{}", kSeeded, seed);
  if (source.starts_with(kSeeded)) return formatText("{}{}", kSeeded, parseSeed(source.substr(kSeeded.size())) + seed - 1);
  if (source == "zeros" || source == "ones") return source;
  throw Misuse(formatText("{}: {} is not random, random:SEED, zeros or ones.", option, webnn::quoted(source)));
}

std::string listText(const std::vector<KnownInput>& operands) {
  constexpr std::size_t kMost = 10;  // a hostile graph may have thousands of operands
  std::string text;
  for (const auto& [name, type] : std::span(operands).first(std::min(operands.size(), kMost))) {
    text += formatText("{}{} ({})", text.empty() ? "" : ", ", webnn::quoted(name), type);
  }
  if (operands.size() > kMost) text += formatText(" and {} more", operands.size() - kMost);
  return text;
}

std::string fileNameOf(std::string operand, std::set<std::string>& used) {
  std::ranges::replace_if(
      operand, [](char c) { return c == '/' || c == '\\' || c == '\0'; }, '_');
  while (!used.insert(operand).second) operand.insert(0, "_");
  return operand + ".npy";
}

void writeOutput(const std::filesystem::path& path, const OperandDescriptor& descriptor, std::span<const std::byte> bytes) {
  if (path == "-") return formats::writeNpy(std::cout, descriptor, bytes);
  replaceFile(path, [&](std::ostream& stream) {
    if (formats::lowerSuffix(path) == ".npy") {
      formats::writeNpy(stream, descriptor, bytes);
    } else {
      stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
  });
}

}  // namespace webnn::cli
