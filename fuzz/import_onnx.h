// Imports bytes that may or may not be an ONNX model.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/read/import.h"
#include "onnx/read/model.h"
#include "webnn/context.h"
#include "webnn/error.h"

namespace webnn::fuzz {

// Returns options that give small sizes to the dynamic dimensions of the model's inputs.
inline LoadOptions smallDimensions(const formats::onnx::Graph& graph) {
  LoadOptions options;
  std::uint32_t size = 0;
  for (const auto& input : graph.inputs) {
    if (!input.shape) continue;
    for (std::size_t axis = 0; axis < input.shape->size(); ++axis) {
      const formats::onnx::Dimension& dimension = (*input.shape)[axis];
      if (dimension.value) continue;
      const std::string unnamed = std::string(input.name) + "." + std::to_string(axis);
      options.dimensions[dimension.parameter.empty() ? unnamed : std::string(dimension.parameter)] = 1 + size++ % 3;
    }
  }
  return options;
}

// Returns bytes of small values for an input; empty if the input is large.
inline std::vector<std::byte> smallValues(const formats::onnx::ValueInfo& input, const LoadOptions& options) {
  std::uint64_t bits = webnn::onnx::bitsPerElement(input.type);
  for (std::size_t axis = 0; input.shape && axis < input.shape->size(); ++axis) {
    const formats::onnx::Dimension& dimension = (*input.shape)[axis];
    const std::string unnamed = std::string(input.name) + "." + std::to_string(axis);
    const auto sized = options.dimensions.find(dimension.parameter.empty() ? unnamed : std::string(dimension.parameter));
    bits *= static_cast<std::uint64_t>(dimension.value ? std::clamp<std::int64_t>(*dimension.value, 0, 1 << 16) : sized->second);
    if (bits > 1 << 20) return {};
  }
  std::vector<std::byte> bytes(bits / 8);
  for (std::size_t i = 0; i < bytes.size(); i += 8) bytes[i] = std::byte{2};
  return bytes;
}

// Imports the bytes as a model; an Error is a valid outcome.
inline void importBytes(Context& context, ExternalBytes file, const std::filesystem::path& folder) {
  try {
    formats::onnx::looksLikeModel(file.bytes);
    const formats::onnx::Model model = formats::onnx::readModel(file, folder);
    LoadOptions options = smallDimensions(model.graph);
    try {
      formats::onnx::importModel(context, file, folder, options);
    } catch (const formats::onnx::ValuesNeeded& needed) {
      for (const auto& input : model.graph.inputs) {
        const std::string name(input.name);
        if (std::ranges::find(needed.inputs(), name) != needed.inputs().end()) options.values[name] = smallValues(input, options);
      }
      formats::onnx::importModel(context, file, folder, options);
    }
  } catch (const Error&) {
  }
}

}  // namespace webnn::fuzz
