// Limits of reading and importing a model, except those of single operators.
#pragma once

#include <algorithm>
#include <cstdint>

namespace webnn::formats::onnx {

// A small file cannot take much memory or time, however often its loops and functions repeat its content. Exceeding a limit is an
// Error; beyond the two folding limits, operations on constants stay in the graph.
struct ImportLimits {
  std::uint64_t depth = 32;              // of graphs and calls of functions in each other
  std::uint64_t rank = 64;               // of a tensor
  std::uint64_t iterations = 1024;       // of a loop
  std::uint64_t unsupportedNodes = 100;  // listed in an error, as are inputs and dimensions

  std::uint64_t modelBytes;   // of the structs that the file is read into
  std::uint64_t nodes;        // that are imported, and operations that they become
  std::uint64_t operands;     // of the graph
  std::uint64_t walkBytes;    // names, attributes, parameters and values that are looked at or kept at every node
  std::uint64_t textBytes;    // of the labels and names of the graph
  std::uint64_t elements;     // of constants that the file does not hold
  std::uint64_t reads;        // elements of constants that shapes and the like depend on
  std::uint64_t foldedBytes;  // of computed constants with their overhead
  std::uint64_t foldWork;     // elements read and written to compute them
};

// Limits grow with the file, up to those of files without weights, because the size of a sparse file means nothing.
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
