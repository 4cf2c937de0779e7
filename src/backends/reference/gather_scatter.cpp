#include "backends/reference/gather_scatter.h"

#include <algorithm>

#include "backends/reference/move_elements.h"

namespace webnn::reference {

namespace {

// A negative index counts from the end; what is out of range then is clamped into it.
std::size_t resolve(std::int64_t index, std::uint32_t size) {
  if (index < 0) index += size;
  return static_cast<std::size_t>(std::clamp<std::int64_t>(index, 0, std::int64_t{size} - 1));
}

// int32, uint32 or int64 elements.
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

// Maps coordinates of the gathered (or scattered) tensor to elements of the indexed one: a start that the indices choose, and a
// place relative to it.
struct Lookup {
  std::vector<std::size_t> starts;        // one for each index, or each row of indices
  std::vector<std::size_t> startStrides;  // from the coordinates to a start
  std::vector<std::size_t> placeStrides;  // from the coordinates to the place

  std::size_t operator()(const Coordinates& at) const { return starts[at.offset(startStrides)] + at.offset(placeStrides); }
};

std::vector<std::size_t> startsAlong(const NdArray& indices, const Shape& shape, std::uint32_t axis) {
  const std::size_t stride = stridesOf(shape)[axis];
  std::vector<std::size_t> starts;
  starts.reserve(indices.size());
  for (std::int64_t index : toIndices(indices)) starts.push_back(resolve(index, shape[axis]) * stride);
  return starts;
}

// gatherElements and scatterElements: the gathered tensor has the shape of the indices.
Lookup lookupElements(const NdArray& indices, const Shape& shape, std::uint32_t axis) {
  Lookup lookup{startsAlong(indices, shape, axis), stridesOf(indices.shape()), stridesOf(shape)};
  lookup.placeStrides[axis] = 0;
  return lookup;
}

// gather: the indices' dimensions stand in place of the axis.
Lookup lookupSlices(const NdArray& indices, const Shape& shape, std::uint32_t axis) {
  Lookup lookup{startsAlong(indices, shape, axis), stridesOf(indices.shape()), stridesOf(shape)};
  lookup.startStrides.insert(lookup.startStrides.begin(), axis, 0);
  lookup.startStrides.resize(shape.size() - 1 + indices.rank(), 0);
  const auto place = lookup.placeStrides.erase(lookup.placeStrides.begin() + axis);
  lookup.placeStrides.insert(place, indices.rank(), 0);
  return lookup;
}

// gatherND and scatterND: the last dimension of the indices holds coordinates of the first dimensions of `shape`.
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
