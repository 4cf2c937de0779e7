// Reads inputs from their sources and writes outputs.
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

struct NamedSource {
  std::size_t index = 0;  // index of the input among the graph's inputs
  std::string source;
};

// An input's name, and its type and shape for messages: "float32[batch, 3]".
struct KnownInput {
  std::string name, type;
};
std::vector<KnownInput> knownInputs(const std::vector<NamedDescriptor>& inputs);
std::vector<KnownInput> knownInputs(const std::vector<DeclaredInput>& inputs);

// Parses "NAME=SOURCE". "NAME=" may be omitted if the graph has one input. Throws Misuse if there is no such input.
NamedSource resolveInput(const std::vector<KnownInput>& inputs, std::string_view option, const std::string& text);

// Returns the packed bytes of a source: "zeros", "ones", "random", "random:SEED", JSON numbers, or a file of JSON, .npy or raw
// bytes. "-" means standard input. Throws DataError if the source does not fit the descriptor.
std::vector<std::byte> readInput(const NamedDescriptor& input, const std::string& source);
// Returns the source's shape. Generated values and raw bytes have none.
std::optional<Shape> shapeOf(const std::string& source);
// Returns a generated source with the seed: "random" becomes "random:seed", "random:N" becomes "random:(N + seed - 1)"; "zeros"
// and "ones" remain. Throws Misuse for other sources.
std::string generatedSource(std::string_view option, const std::string& source, std::uint64_t seed);

// Returns a list for messages: `"image" (float32[1, 1, 28, 28]), "mask" (uint8[1])`.
std::string listText(const std::vector<KnownInput>& operands);
inline std::string listText(const std::vector<NamedDescriptor>& operands) { return listText(knownInputs(operands)); }

// Returns a .npy file name made from the operand's name. It differs from all names in `used`, to which it is added.
std::string fileNameOf(std::string operand, std::set<std::string>& used);

// Writes .npy if the path ends with .npy or is "-" (standard output), else raw bytes.
void writeOutput(const std::filesystem::path& path, const OperandDescriptor& descriptor, std::span<const std::byte> bytes);

}  // namespace webnn::cli
