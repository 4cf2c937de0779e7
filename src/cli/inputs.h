// Where the values of inputs come from, and where those of outputs go.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "webnn/graph.h"

namespace webnn::cli {

// An input with where its values come from: the text after "NAME=".
struct NamedSource {
  std::size_t index = 0;  // of the graph's input
  std::string source;
};

// Finds the input that "NAME=SOURCE" names. With one input, "NAME=" may be left out. Misuse if there is no such input.
NamedSource resolveInput(const std::vector<NamedDescriptor>& inputs, std::string_view option, const std::string& text);

// The packed bytes of a source: "zeros", "ones", "random:SEED", a .npy file or a file of raw bytes. DataError if the file
// does not fit the descriptor.
std::vector<std::byte> readInput(const NamedDescriptor& input, const std::string& source);

// For messages: `"image" (float32[1, 1, 28, 28]), "mask" (uint8[1])`.
std::string listText(const std::vector<NamedDescriptor>& operands);

// A .npy file's name for an operand of any name, other than those that are used already, to which it is added.
std::string fileNameOf(std::string operand, std::set<std::string>& used);

// Writes packed bytes: .npy if the name ends so, else raw.
void writeOutput(const std::filesystem::path& path, const OperandDescriptor& descriptor, std::span<const std::byte> bytes);

}  // namespace webnn::cli
