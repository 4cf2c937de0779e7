#pragma once

#include <algorithm>
#include <cstdint>

namespace webnn::formats::onnx {

// Limits of one import, so that a small file cannot take much memory or time by repeating loops and functions. A loop beyond
// `iterations` and a node with a result beyond `rank` are unsupported. Beyond foldedBytes and foldWork, operations on constants
// stay in the graph. unsupportedNodes shortens error texts. Exceeding another limit throws an Error.
struct ImportLimits {
  std::uint64_t depth = 32;              // maximum nesting of subgraphs and function calls
  std::uint64_t rank = 64;               // maximum rank of a tensor
  std::uint64_t iterations = 1024;       // maximum number of iterations of a loop, which is unrolled
  std::uint64_t unsupportedNodes = 100;  // maximum number of nodes, inputs or dimensions that an error lists

  std::uint64_t modelBytes;   // bytes of the parsed model's structs
  std::uint64_t nodes;        // imported nodes and operations built for them
  std::uint64_t operands;     // operands of the graph
  std::uint64_t walkBytes;    // bytes of names, attributes, parameters and values that are inspected or kept
  std::uint64_t textBytes;    // bytes of labels and names in the graph
  std::uint64_t elements;     // elements of constants that the import generates, such as index lists
  std::uint64_t reads;        // elements of constants that are inspected, such as shapes
  std::uint64_t foldedBytes;  // bytes of folded constants, with overhead
  std::uint64_t foldWork;     // elements read and written to fold constants
};

// Returns limits that grow with the file size up to 64 MiB. Beyond 64 MiB they do not grow, because a sparse file can be large
// without content.
constexpr ImportLimits limitsFor(std::uint64_t fileSize) {
  constexpr std::uint64_t kMiB = 1 << 20;
  const std::uint64_t size = std::min(fileSize, 64 * kMiB);
  ImportLimits limits{};
  limits.modelBytes = 32 * kMiB + 4 * size;
  limits.nodes = (1 << 15) + size / 256;
  limits.operands = (1 << 17) + size / 32;
  limits.walkBytes = 48 * kMiB + 4 * size;
  limits.textBytes = 16 * kMiB + size;
  limits.elements = (1 << 22) + size / 2;
  limits.reads = (1 << 26) + 4 * size;
  limits.foldedBytes = 16 * kMiB + size;
  limits.foldWork = 64 * kMiB + 2 * size;
  return limits;
}

}  // namespace webnn::formats::onnx
