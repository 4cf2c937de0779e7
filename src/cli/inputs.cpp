#include "cli/inputs.h"

#include <algorithm>
#include <charconv>

#include "base/file.h"
#include "base/pack.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/elements.h"
#include "formats/npy/npy.h"
#include "measure/random_elements.h"

namespace webnn::cli {

namespace {

constexpr std::string_view kRandom = "random:";

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

// .npy has no 4-bit types: files hold them widened, and cast() saturates nothing that fits.
formats::Array narrowed(formats::Array array, DataType type) {
  const bool widened = (type == DataType::int4 && array.descriptor.dataType == DataType::int8) ||
                       (type == DataType::uint4 && array.descriptor.dataType == DataType::uint8);
  if (!widened) return array;
  std::vector<Number> values(elementCount(array.descriptor));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = elementAt(array.descriptor.dataType, array.bytes, i);
  array.descriptor.dataType = type;
  return {array.descriptor, packElements(array.descriptor, values)};
}

std::vector<std::byte> readFile(const NamedDescriptor& input, const std::string& source) {
  const std::string& name = input.first;
  const OperandDescriptor& descriptor = input.second;
  const ExternalBytes file = mapFile(source);
  if (isNpy(file.bytes)) {
    formats::Array array = readingFrom(source, [&] { return narrowed(formats::readNpy(file.bytes), descriptor.dataType); });
    if (array.descriptor == descriptor) return std::move(array.bytes);
    fail(ErrorKind::dataError, "input {} is {}, but {} holds {}.", webnn::quoted(name), toString(descriptor),
         webnn::quoted(source), toString(array.descriptor));
  }
  if (file.bytes.size() != byteLength(descriptor)) {
    fail(ErrorKind::dataError, "input {} is {} of {} bytes, but {} has {} bytes.", webnn::quoted(name), toString(descriptor),
         byteLength(descriptor), webnn::quoted(source), file.bytes.size());
  }
  return {file.bytes.begin(), file.bytes.end()};
}

}  // namespace

NamedSource resolveInput(const std::vector<NamedDescriptor>& inputs, std::string_view option, const std::string& text) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string prefix = inputs[i].first + "=";
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
  if (source == "zeros") return std::vector<std::byte>(byteLength(descriptor));
  if (source == "ones") return packElements(descriptor, std::vector<Number>{1});
  if (source.starts_with(kRandom)) {
    return measure::randomElements(descriptor, parseSeed(std::string_view(source).substr(kRandom.size())));
  }
  return readFile(input, source);
}

std::string listText(const std::vector<NamedDescriptor>& operands) {
  constexpr std::size_t kMost = 10;  // a hostile graph has very many
  std::string text;
  for (const auto& [name, descriptor] : std::span(operands).first(std::min(operands.size(), kMost))) {
    text += formatText("{}{} ({})", text.empty() ? "" : ", ", webnn::quoted(name), toString(descriptor));
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
  replaceFile(path, [&](std::ostream& stream) {
    if (path.extension() == ".npy") {
      formats::writeNpy(stream, descriptor, bytes);
    } else {
      stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
  });
}

}  // namespace webnn::cli
