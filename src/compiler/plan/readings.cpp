#include "compiler/plan/readings.h"

#include <algorithm>

namespace webnn::compiler {

namespace {

// Returns whether the operand has the type and the element count of the result. Element-wise steps and row steps read element i
// of such an operand before they write element i of the result.
bool isElementWise(const Operand& operand, const ModuleNode& node) {
  const OperandDescriptor &of = operand.descriptor(), &result = node.outputs[0].descriptor();
  return of.dataType == result.dataType && elementCount(of) == elementCount(result);
}

// Sets the positions of a concatenation's inputs in its result: one after the other if all dimensions before the axis are 1, or
// side by side in every row if the axis is the last dimension. Otherwise, and for 4-bit types, the inputs must be copied.
void setParts(const ops::Concat& concat, const Shape& shape, std::vector<Reading>& readings) {
  const bool isOneRow = std::all_of(shape.begin(), shape.begin() + concat.axis, [](std::uint32_t size) { return size == 1; });
  const std::size_t bits = bitsPerElement(concat.inputs[0].dataType());
  if ((!isOneRow && concat.axis + 1 != shape.size()) || bits < 8) return;
  std::size_t offset = 0;
  for (Reading& reading : readings) {
    reading.time = ReadTime::part;
    reading.offset = offset;
    reading.rowStride = isOneRow ? 0 : shape.back();
    offset += isOneRow ? byteLength(reading.operand->descriptor()) : reading.operand->shape().back() * bits / 8;
  }
}

// Returns the offset in bytes of the elements from `starts` on, `sizes` in each dimension, in a tensor `whole`; nullopt unless
// they are contiguous and have at least 8 bits.
std::optional<std::size_t> offsetOfRange(const OperandDescriptor& whole, const Shape& starts, const Shape& sizes) {
  const std::size_t bits = bitsPerElement(whole.dataType);
  std::size_t offset = 0, stride = 1;
  bool isCut = false;  // whether a later dimension is cut
  for (std::size_t d = sizes.size(); d-- > 0;) {
    if (isCut && sizes[d] > 1) return std::nullopt;
    isCut = isCut || sizes[d] != whole.shape[d];
    offset += starts[d] * stride;
    stride *= whole.shape[d];
  }
  return bits < 8 ? std::nullopt : std::optional(offset * bits / 8);
}

}  // namespace

std::vector<Reading> readingsOf(const ModuleNode& node) {
  std::vector<Reading> readings;
  readings.reserve(4);
  visitOperands(node.operation, [&](std::string_view, const Operand& operand) { readings.push_back({&operand}); });
  if (as<FusedElementwise>(node.operation)) {
    for (Reading& reading : readings) {
      if (isElementWise(*reading.operand, node)) reading.time = ReadTime::element;
    }
  } else if (const auto* lookup = as<TableLookup>(node.operation)) {
    for (Reading& reading : readings) {
      if (reading.operand == &lookup->input) reading.time = ReadTime::element;
    }
  } else if (const auto* rows = as<RowNormalization>(node.operation)) {
    // The step reads a row twice: once for the sums, and then element by element. It reads scale and bias again for each row.
    for (Reading& reading : readings) {
      const bool isSummed = reading.operand == &rows->input || (rows->residual && reading.operand == &*rows->residual);
      if (isSummed) reading.time = ReadTime::element;
    }
  } else if (const auto* concat = as<ops::Concat>(node.operation)) {
    setParts(*concat, node.outputs[0].shape(), readings);
  } else if (const auto* pad = as<ops::Pad>(node.operation)) {
    const auto offset = offsetOfRange(node.outputs[0].descriptor(), pad->beginningPadding, pad->input.shape());
    const bool isCopy = pad->options.mode != PaddingMode::constant || pad->input.shape() == node.outputs[0].shape();
    if (offset && !isCopy) readings[0].time = ReadTime::part, readings[0].offset = *offset;
  }
  return readings;
}

const Operand* viewed(const ModuleNode& node) {
  if (const auto* reshape = as<ops::Reshape>(node.operation)) return &reshape->input;
  if (const auto* unary = as<ops::Unary>(node.operation); unary && unary->kind == ops::UnaryKind::identity) return &unary->input;
  return nullptr;
}

std::optional<Cut> cutOf(const ModuleNode& node) {
  const auto* slice = as<ops::Slice>(node.operation);
  if (!slice) return std::nullopt;
  for (std::size_t d = 0; slice->options.strides && d < slice->sizes.size(); ++d) {
    if (slice->sizes[d] > 1 && (*slice->options.strides)[d] != 1) return std::nullopt;
  }
  const auto offset = offsetOfRange(slice->input.descriptor(), slice->starts, node.outputs[0].shape());
  return offset ? std::optional(Cut{&slice->input, *offset}) : std::nullopt;
}

bool writesStrided(const ModuleNode& node) {
  if (const auto* resample = as<ops::Resample2d>(node.operation)) {
    // With channels last, a row consists of the channels of one position, and the step can leave gaps between positions.
    const Shape& shape = resample->input.shape();
    return std::ranges::max(*resample->options.axes) + 2 == shape.size() && shape.back() > 1;
  }
  if (const auto* resample = as<Resample>(node.operation)) {
    const Shape& shape = resample->input.shape();
    return !resample->from && resample->axes.back().axis + 2 == shape.size() && shape.back() > 1;
  }
  const bool isConvolution = as<Convolution>(node.operation) || as<ConvolutionBlock>(node.operation);
  return isConvolution && node.outputs[0].dataType() == DataType::float32;
}

}  // namespace webnn::compiler
