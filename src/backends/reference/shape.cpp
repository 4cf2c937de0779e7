#include "backends/reference/shape.h"

#include <algorithm>
#include <variant>

#include "backends/reference/move_elements.h"

namespace webnn::reference {

namespace {

// Sets every element to `number`, which must be representable in the tensor's type.
void fill(NdArray& tensor, const Number& number) {
  visitType(tensor.dataType(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (kIsReal<T>) {
      std::ranges::fill(tensor.as<T>(), fromDouble<T>(number.toDouble()));
    } else {
      std::visit([&](auto value) { std::ranges::fill(tensor.as<T>(), static_cast<T>(value)); }, number.value());
    }
  });
}

// Returns the input coordinate from which a padded coordinate is copied. `position` is relative to the input's first element.
std::size_t paddedSource(PaddingMode mode, std::int64_t position, std::int64_t size) {
  const std::int64_t last = size - 1;
  if (mode == PaddingMode::reflection) {
    if (position < 0) position = -position;
    if (position > last) position = 2 * last - position;
  }
  return static_cast<std::size_t>(std::clamp<std::int64_t>(position, 0, last));
}

}  // namespace

void run(const ops::Concat& op, Environment& frame) {
  NdArray& output = frame.output();
  StridedView target{0, stridesOf(output.shape())};
  for (const Operand& input : op.inputs) {
    pushElements(frame[input], output, target);
    target.start += input.shape()[op.axis] * target.strides[op.axis];
  }
}

void run(const ops::Expand& op, Environment& frame) {
  NdArray& output = frame.output();
  pullElements(frame[op.input], output, StridedView{0, broadcastStrides(op.input.shape(), output.shape())});
}

void run(const ops::Pad& op, Environment& frame) {
  const NdArray& input = frame[op.input];
  NdArray& output = frame.output();
  if (op.options.mode == PaddingMode::constant) {
    fill(output, op.options.value);
    StridedView target{0, stridesOf(output.shape())};
    for (std::size_t d = 0; d < input.rank(); ++d) target.start += op.beginningPadding[d] * target.strides[d];
    pushElements(input, output, target);
    return;
  }
  const std::vector<std::size_t> strides = stridesOf(input.shape());
  pullElements(input, output, [&](const Coordinates& at) {
    std::size_t offset = 0;
    for (std::size_t d = 0; d < strides.size(); ++d) {
      const std::int64_t position = static_cast<std::int64_t>(at[d]) - op.beginningPadding[d];
      offset += paddedSource(op.options.mode, position, input.shape()[d]) * strides[d];
    }
    return offset;
  });
}

void run(const ops::Reshape& op, Environment& frame) {
  NdArray& output = frame.output();
  pullElements(frame[op.input], output, StridedView{0, stridesOf(output.shape())});
}

void run(const ops::Reverse& op, Environment& frame) {
  const NdArray& input = frame[op.input];
  StridedView source{0, stridesOf(input.shape())};
  for (std::uint32_t axis : *op.options.axes) {
    source.start += (input.shape()[axis] - 1) * source.strides[axis];
    source.strides[axis] = 0 - source.strides[axis];  // unsigned negation wraps, but every sum is a valid index
  }
  pullElements(input, frame.output(), source);
}

void run(const ops::Slice& op, Environment& frame) {
  const NdArray& input = frame[op.input];
  StridedView source{0, stridesOf(input.shape())};
  for (std::size_t d = 0; d < input.rank(); ++d) {
    source.start += op.starts[d] * source.strides[d];
    source.strides[d] *= (*op.options.strides)[d];
  }
  pullElements(input, frame.output(), source);
}

void run(const ops::Split& op, Environment& frame) {
  const NdArray& input = frame[op.input];
  StridedView source{0, stridesOf(input.shape())};
  for (std::size_t i = 0; i < frame.outputCount(); ++i) {
    NdArray& output = frame.output(i);
    pullElements(input, output, source);
    source.start += output.shape()[op.options.axis] * source.strides[op.options.axis];
  }
}

void run(const ops::Tile& op, Environment& frame) {
  const NdArray& input = frame[op.input];
  const std::vector<std::size_t> strides = stridesOf(input.shape());
  pullElements(input, frame.output(), [&](const Coordinates& at) {
    std::size_t offset = 0;
    for (std::size_t d = 0; d < strides.size(); ++d) offset += at[d] % input.shape()[d] * strides[d];
    return offset;
  });
}

void run(const ops::Transpose& op, Environment& frame) {
  const NdArray& input = frame[op.input];
  const std::vector<std::size_t> strides = stridesOf(input.shape());
  StridedView source;
  for (std::uint32_t axis : *op.options.permutation) source.strides.push_back(strides[axis]);
  pullElements(input, frame.output(), source);
}

void run(const ops::Triangular& op, Environment& frame) {
  const NdArray& input = frame[op.input];
  NdArray& output = frame.output();  // initially zeros
  const std::int64_t height = input.shape()[input.rank() - 2], width = input.shape()[input.rank() - 1];
  visitType(input.dataType(), [&](auto zero) {
    using T = decltype(zero);
    const auto in = input.as<T>();
    const auto out = output.as<T>();
    Progress progress;
    for (std::size_t i = 0; i < in.size(); ++i, progress.count()) {
      const std::int64_t column = static_cast<std::int64_t>(i) % width, row = static_cast<std::int64_t>(i) / width % height;
      // Selects elements instead of multiplying by 0 or 1, because 0 * NaN would put NaN into the zeroed triangle.
      if (op.options.upper ? column - row >= op.options.diagonal : column - row <= op.options.diagonal) out[i] = in[i];
    }
  });
}

}  // namespace webnn::reference
