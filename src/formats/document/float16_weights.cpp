#include "formats/document/float16_weights.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <unordered_set>

namespace webnn::formats {

namespace {

constexpr std::size_t kFewest = 64;  // constants with fewer elements stay float32: they save little and may be divisors
constexpr float kSmallest = 0x1p-14f;
constexpr std::uint16_t kInfinity = 0x7C00, kMagnitude = 0x7FFF;

// Returns the elements as float16; no bytes if a finite element overflows, or if the largest finite magnitude is between 0 and
// kSmallest.
ExternalBytes rounded(std::span<const std::byte> bytes) {
  const std::size_t count = bytes.size() / sizeof(float);
  auto halves = std::make_shared<std::vector<std::uint16_t>>(count);
  float largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    float value;
    std::memcpy(&value, bytes.data() + i * sizeof(float), sizeof(float));
    const std::uint16_t half = Half(value).bits();
    if (std::isfinite(value) && (half & kMagnitude) == kInfinity) return {};
    (*halves)[i] = half;
    if (std::isfinite(value)) largest = std::max(largest, std::fabs(value));
  }
  if (largest > 0 && largest < kSmallest) return {};
  return {std::as_bytes(std::span(*halves)), halves};
}

std::unordered_set<std::string> namesOf(const GraphDocument& document) {
  std::unordered_set<std::string> names;
  for (const InputDeclaration& input : document.inputs) names.insert(input.name);
  for (const ConstantDeclaration& constant : document.constants) names.insert(constant.name);
  for (const NodeDeclaration& node : document.nodes) names.insert(node.outputs.begin(), node.outputs.end());
  for (const OutputDeclaration& output : document.outputs) names.insert(output.name);
  return names;
}

}  // namespace

Float16Weights storeWeightsAsFloat16(GraphDocument& document) {
  Float16Weights result;
  std::unordered_set<std::string> names = namesOf(document);
  std::vector<NodeDeclaration> casts;
  for (ConstantDeclaration& constant : document.constants) {
    if (constant.descriptor.dataType != DataType::float32 || elementCount(constant.descriptor) < kFewest) continue;
    const std::span<const std::byte> bytes = std::get<ExternalBytes>(constant.source).bytes;
    ExternalBytes halves = rounded(bytes);
    if (halves.bytes.empty()) {
      result.kept.push_back(constant.name);
      continue;
    }
    ++result.rounded;
    result.savedBytes += bytes.size() - halves.bytes.size();
    NodeDeclaration cast{.op = "cast"};
    cast.id = constant.name;
    cast.outputs = {std::move(constant.name)};
    cast.options["dataType"] = name(DataType::float32);
    const std::string wanted = cast.id + ".float16";
    constant.name = wanted;
    for (int i = 2; !names.insert(constant.name).second; ++i) constant.name = wanted + std::to_string(i);
    cast.inputs = {constant.name};
    constant.descriptor.dataType = DataType::float16;
    constant.source = std::move(halves);
    casts.push_back(std::move(cast));
  }
  document.nodes.insert(document.nodes.begin(), std::make_move_iterator(casts.begin()), std::make_move_iterator(casts.end()));
  return result;
}

}  // namespace webnn::formats
