// Sources of inputs and destinations of outputs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "webnn/formats.h"
#include "webnn/graph.h"

namespace webnn::cli {

// An input with its source, the text after "NAME=".
struct NamedSource {
  std::size_t index = 0;  // of the graph's input
  std::string source;
};

// An input by its name, with its type and shape for messages: "float32[batch, 3]".
struct KnownInput {
  std::string name, type;
};
std::vector<KnownInput> knownInputs(const std::vector<NamedDescriptor>& inputs);
std::vector<KnownInput> knownInputs(const std::vector<DeclaredInput>& inputs);

// Finds the input that "NAME=SOURCE" names; "NAME=" is optional if there is one input. Throws Misuse if there is no such input.
NamedSource resolveInput(const std::vector<KnownInput>& inputs, std::string_view option, const std::string& text);

// Returns a source's packed bytes: "zeros", "ones", "random" or "random:SEED", JSON numbers, or a file with JSON, .npy or raw
// bytes; "-" is standard input. DataError if they do not fit the descriptor.
std::vector<std::byte> readInput(const NamedDescriptor& input, const std::string& source);
// Returns a source's shape, if it has one.
std::optional<Shape> shapeOf(const std::string& source);
// "random:1" for "random"; others as they are. Misuse if it is nothing that is made up.
std::string generatedSource(std::string_view option, const std::string& source, std::uint64_t seed);

// For messages: `"image" (float32[1, 1, 28, 28]), "mask" (uint8[1])`.
std::string listText(const std::vector<KnownInput>& operands);
inline std::string listText(const std::vector<NamedDescriptor>& operands) { return listText(knownInputs(operands)); }

// Returns a .npy file name for an operand, different from the used ones, to which it is added.
std::string fileNameOf(std::string operand, std::set<std::string>& used);

// Writes packed bytes: .npy if the name ends so or is "-", standard output, else raw.
void writeOutput(const std::filesystem::path& path, const OperandDescriptor& descriptor, std::span<const std::byte> bytes);

}  // namespace webnn::cli
