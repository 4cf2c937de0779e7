#include "backends/reference/gather_scatter.h"

#include <algorithm>

#include "backends/reference/move_elements.h"

namespace webnn::reference {

namespace {

// Converts an index to a position. Negative indices count from the end; indices that are still out of range are clamped.
std::size_t resolve(std::int64_t index, std::uint32_t size) {
  if (index < 0) index += size;
  return static_cast<std::size_t>(std::clamp<std::int64_t>(index, 0, std::int64_t{size} - 1));
}

// Converts int32, uint32 or int64 elements to int64.
std::vector<std::int64_t> toIndices(const NdArray& tensor) {
  return visitType(tensor.dataType(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<std::int64_t> indices(tensor.size());
    if constexpr (!kIsReal<T>) {
      std::ranges::transform(tensor.as<T>(), indices.begin(), [](T index) { return static_cast<std::int64_t>(index); });
    }
    return indices;
  });
}

// Maps coordinates in the gathered result (or scattered updates) to a position in the indexed tensor. The position is a start,
// which the indices determine, plus an offset from it.
struct Lookup {
  std::vector<std::size_t> starts;        // one start per index; for gatherND and scatterND, one per row of indices
  std::vector<std::size_t> startStrides;  // for each coordinate, its stride in `starts`
  std::vector<std::size_t> placeStrides;  // for each coordinate, the stride of the offset in the indexed tensor

  std::size_t operator()(const Coordinates& at) const { return starts[at.offset(startStrides)] + at.offset(placeStrides); }
};

std::vector<std::size_t> startsAlong(const NdArray& indices, const Shape& shape, std::uint32_t axis) {
  const std::size_t stride = stridesOf(shape)[axis];
  std::vector<std::size_t> starts;
  starts.reserve(indices.size());
  for (std::int64_t index : toIndices(indices)) starts.push_back(resolve(index, shape[axis]) * stride);
  return starts;
}

// Makes the Lookup of gatherElements and scatterElements. The gathered result (or the updates) has the shape of the indices.
Lookup lookupElements(const NdArray& indices, const Shape& shape, std::uint32_t axis) {
  Lookup lookup{startsAlong(indices, shape, axis), stridesOf(indices.shape()), stridesOf(shape)};
  lookup.placeStrides[axis] = 0;
  return lookup;
}

// Makes the Lookup of gather. In the result's shape, the dimensions of the indices replace `axis`.
Lookup lookupSlices(const NdArray& indices, const Shape& shape, std::uint32_t axis) {
  Lookup lookup{startsAlong(indices, shape, axis), stridesOf(indices.shape()), stridesOf(shape)};
  lookup.startStrides.insert(lookup.startStrides.begin(), axis, 0);
  lookup.startStrides.resize(shape.size() - 1 + indices.rank(), 0);
  const auto place = lookup.placeStrides.erase(lookup.placeStrides.begin() + axis);
  lookup.placeStrides.insert(place, indices.rank(), 0);
  return lookup;
}

// Makes the Lookup of gatherND and scatterND. The last dimension of the indices holds coordinates in the first dimensions of
// `shape`.
Lookup lookupCoordinates(const NdArray& indices, const Shape& shape) {
  const std::size_t coordinateSize = indices.shape().back();
  const std::vector<std::size_t> strides = stridesOf(shape);
  const std::vector<std::int64_t> values = toIndices(indices);
  Lookup lookup;
  for (std::size_t i = 0; i < values.size(); i += coordinateSize) {
    std::size_t start = 0;
    for (std::size_t d = 0; d < coordinateSize; ++d) start += resolve(values[i + d], shape[d]) * strides[d];
    lookup.starts.push_back(start);
  }
  lookup.startStrides = stridesOf(Shape(indices.shape().begin(), indices.shape().end() - 1));
  lookup.placeStrides.assign(lookup.startStrides.size(), 0);
  lookup.placeStrides.insert(lookup.placeStrides.end(), strides.begin() + coordinateSize, strides.end());
  lookup.startStrides.resize(lookup.placeStrides.size(), 0);
  return lookup;
}

}  // namespace

void run(const ops::Gather& op, Environment& frame) {
  pullElements(frame[op.input], frame.output(), lookupSlices(frame[op.indices], op.input.shape(), op.options.axis));
}

void run(const ops::GatherElements& op, Environment& frame) {
  pullElements(frame[op.input], frame.output(), lookupElements(frame[op.indices], op.input.shape(), op.options.axis));
}

void run(const ops::GatherND& op, Environment& frame) {
  pullElements(frame[op.input], frame.output(), lookupCoordinates(frame[op.indices], op.input.shape()));
}

void run(const ops::ScatterElements& op, Environment& frame) {
  frame.output() = frame[op.input];
  pushElements(frame[op.updates], frame.output(), lookupElements(frame[op.indices], op.input.shape(), op.options.axis));
}

void run(const ops::ScatterND& op, Environment& frame) {
  frame.output() = frame[op.input];
  pushElements(frame[op.updates], frame.output(), lookupCoordinates(frame[op.indices], op.input.shape()));
}

}  // namespace webnn::reference
