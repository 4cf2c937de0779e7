// com.microsoft.DynamicQuantizeLSTM: an LSTM with 8-bit weights. Before each product, the inputs or hidden states are quantized
// with one scale for all rows.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "base/divide_up.h"
#include "onnx/program/host_node.h"

namespace webnn::formats::onnx {

namespace {

constexpr std::size_t kBlock = 64;  // compilers vectorize loops of constant length

// Weights of one direction, [rows, columns], with a scale for each column.
struct ByteWeights {
  std::size_t rows = 0, columns = 0;
  std::size_t stride = 0;             // rows, rounded up to whole blocks
  std::vector<std::int16_t> numbers;  // column by column, minus the zero point of the column, with zeros up to the stride
  std::vector<float> scales;
};

// Indices of the inputs that have the weights, scales and zero points.
constexpr std::array<std::size_t, 6> kSources{1, 2, 8, 9, 10, 11};

// The weights of a node's directions. They are kept for later runs, which usually read the same initializers.
struct LstmWeights {
  MemoryCharge room;
  std::vector<ExternalBytes> sources;           // the bytes of kSources
  std::vector<ByteWeights> weights, recurrent;  // indexed by direction

  // Returns whether the node's inputs are the bytes from which these weights were read, with the same shapes. Returns false for
  // bytes without an owner, because they may have changed.
  bool areOf(const HostNode& node) const {
    const auto haveShape = [](const std::vector<ByteWeights>& all, const Dims& dims) {
      return std::ranges::all_of(all, [&](const ByteWeights& own) {
        return own.rows == static_cast<std::size_t>(dims[1]) && own.columns == static_cast<std::size_t>(dims[2]);
      });
    };
    if (!haveShape(weights, node.dims(1)) || !haveShape(recurrent, node.dims(2))) return false;
    return std::ranges::equal(kSources, sources, [&](std::size_t input, const ExternalBytes& before) {
      const std::optional<ExternalBytes>& now = node.value(input).bytes;
      return now && now->keepAlive && now->keepAlive == before.keepAlive && now->bytes.data() == before.bytes.data() &&
             now->bytes.size() == before.bytes.size();
    });
  }
};

ByteWeights readWeights(const HostNode& node, std::size_t weights, std::size_t scale, std::size_t zeroPoint,
                        std::size_t directions, std::size_t direction) {
  const Value& value = node.value(weights);
  const Dims& dims = value.dims;
  if (dims.size() != 3 || static_cast<std::size_t>(dims[0]) != directions)
    fail(ErrorKind::dataError, "its weights [{}] are not those of {} directions.", textOf(dims), directions);
  const bool isSigned = value.type == ElementType::int8;
  if (!isSigned && value.type != ElementType::uint8)
    fail(ErrorKind::dataError, "its weights are of {}, not of int8 or uint8.", webnn::onnx::name(value.type));
  ByteWeights result{static_cast<std::size_t>(dims[1]), static_cast<std::size_t>(dims[2]), 0, {}, {}};
  result.stride = roundUp(result.rows, kBlock);
  result.numbers.resize(result.stride * result.columns);
  const std::span<const std::byte> all = value.bytes ? value.bytes->bytes : std::span<const std::byte>();
  const std::byte* const bytes = all.data() + direction * result.rows * result.columns;
  const std::vector<std::int64_t> zeros = node.integers(zeroPoint);
  const std::vector<double> scales = node.numbers(scale);
  const bool isByColumn = scales.size() == directions * result.columns;
  if ((!isByColumn && scales.size() != directions && scales.size() != 1) || zeros.size() != scales.size())
    fail(ErrorKind::dataError, "{} scales and {} zero points do not fit weights [{}].", scales.size(), zeros.size(),
         textOf(dims));
  for (std::size_t column = 0; column < result.columns; ++column) {
    const std::size_t place = isByColumn ? direction * result.columns + column : scales.size() == 1 ? 0 : direction;
    result.scales.push_back(static_cast<float>(scales[place]));
    const auto zero = static_cast<std::int16_t>(zeros[place]);
    if (zeros[place] < (isSigned ? -128 : 0) || zeros[place] > (isSigned ? 127 : 255))
      fail(ErrorKind::dataError, "the zero point {} is out of range for {}.", zeros[place], webnn::onnx::name(value.type));
    node.tick(result.rows);
    for (std::size_t row = 0; row < result.rows; ++row) {
      const std::byte byte = bytes[row * result.columns + column];
      const std::int16_t number = isSigned ? static_cast<std::int8_t>(byte) : std::to_integer<std::uint8_t>(byte);
      result.numbers[column * result.stride + row] = static_cast<std::int16_t>(number - zero);
    }
  }
  return result;
}

LstmWeights readAllWeights(const HostNode& node, std::size_t directions) {
  LstmWeights result;
  const auto paddedCount = [](Dims dims) {
    if (dims.size() == 3) dims[1] = roundUp(dims[1], std::int64_t{kBlock});
    return elementCount(dims);
  };
  result.room = node.roomFor(paddedCount(node.dims(1)) + paddedCount(node.dims(2)), sizeof(std::int16_t));
  for (std::size_t d = 0; d < directions; ++d) {
    result.weights.push_back(readWeights(node, 1, 8, 9, directions, d));
    result.recurrent.push_back(readWeights(node, 2, 10, 11, directions, d));
  }
  for (const std::size_t input : kSources) result.sources.push_back(node.value(input).bytes.value_or(ExternalBytes{}));
  return result;
}

std::int64_t productOf(std::span<const std::int16_t> numbers, const std::int16_t* factors) {
  std::int64_t product = 0;
  for (std::size_t begin = 0; begin < numbers.size(); begin += kBlock) {
    std::int32_t part = 0;
    for (std::size_t k = 0; k < kBlock; ++k) part += std::int32_t{numbers[begin + k]} * factors[begin + k];
    product += part;
  }
  return product;
}

// Quantizes the rows to uint8 with one scale, multiplies them by the weights and adds the dequantized products to `sums`.
void multiplyRows(const HostNode& node, const float* rows, std::size_t count, const ByteWeights& weights, float* sums) {
  const std::size_t all = count * weights.rows;
  if (all == 0) return;
  // Rows with infinities or NaN have no scale.
  if (!std::all_of(rows, rows + all, [](float number) { return std::isfinite(number); })) {
    std::fill_n(sums, count * weights.columns, std::numeric_limits<float>::quiet_NaN());
    return;
  }
  const float least = std::min(0.0F, *std::min_element(rows, rows + all)),
              most = std::max(0.0F, *std::max_element(rows, rows + all));
  const float scale = most == least ? 1.0F : (most - least) / 255.0F;
  if (scale == 0) return;  // the numbers are subnormal, so the products are negligible
  const float zero = std::nearbyint(std::clamp(-least / scale, 0.0F, 255.0F));
  const MemoryCharge room = node.roomFor(count * weights.stride, sizeof(std::int16_t));
  std::vector<std::int16_t> numbers(count * weights.stride);
  for (std::size_t row = 0; row < count; ++row) {
    for (std::size_t k = 0; k < weights.rows; ++k) {
      const float rounded = std::nearbyint(rows[row * weights.rows + k] / scale) + zero;
      numbers[row * weights.stride + k] = static_cast<std::int16_t>(std::clamp(rounded, 0.0F, 255.0F) - zero);
    }
  }
  for (std::size_t column = 0; column < weights.columns; ++column) {
    node.tick(count * weights.stride);
    const std::int16_t* const factors = &weights.numbers[column * weights.stride];
    for (std::size_t row = 0; row < count; ++row) {
      const std::int64_t product = productOf(std::span(numbers).subspan(row * weights.stride, weights.stride), factors);
      sums[row * weights.columns + column] += static_cast<float>(product) * (scale * weights.scales[column]);
    }
  }
}

float sigmoidOf(float x) { return 1 / (1 + std::exp(-x)); }

void requirePlain(const HostNode& node) {
  const auto* activations = node.find("activations");
  bool isPlain = !node.find("clip") && node.integer("input_forget", 0) == 0 && node.integer("layout", 0) == 0;
  if (activations) {
    for (std::size_t i = 0; i < activations->strings.size(); ++i)
      isPlain = isPlain && activations->strings[i] == (i % 3 == 0 ? "Sigmoid" : "Tanh");
  }
  if (!isPlain) fail(ErrorKind::notSupportedError, "only the default activations without clipping are supported.");
}

void runDynamicQuantizeLSTM(HostNode& node) {
  requirePlain(node);
  const Dims &dims = node.dims(0), &weightDims = node.dims(1);
  if (dims.size() != 3 || weightDims.size() != 3) fail(ErrorKind::dataError, "the input [{}] is not of rank 3.", textOf(dims));
  const std::string_view direction = node.text("direction", "forward");
  if (weightDims[0] != (direction == "bidirectional" ? 2 : 1))
    fail(ErrorKind::dataError, "its weights [{}] do not have the directions of {}.", textOf(weightDims),
         webnn::quoted(direction));
  const std::int64_t hiddenSize = weightDims[2] / 4;
  // Without this check, an attribute or weights without elements could make the vectors below arbitrarily large.
  if (weightDims[1] != dims[2] || weightDims[2] % 4 != 0 || node.integer("hidden_size", hiddenSize) != hiddenSize ||
      node.dims(2) != Dims{weightDims[0], hiddenSize, weightDims[2]})
    fail(ErrorKind::dataError, "weights [{}] do not fit the input [{}].", textOf(weightDims), textOf(dims));
  const auto steps = static_cast<std::size_t>(dims[0]), batch = static_cast<std::size_t>(dims[1]),
             directions = static_cast<std::size_t>(weightDims[0]), hidden = static_cast<std::size_t>(hiddenSize);
  const auto all = [](auto... sizes) { return elementCount({static_cast<std::int64_t>(sizes)...}); };
  node.takeRoom(all(steps, directions, batch, hidden), sizeof(double));
  node.takeRoom(all(steps + 1, batch, 4 * hidden), sizeof(float));    // projections and gates
  node.takeRoom(all(batch, 2 * directions * hidden), sizeof(float));  // states
  node.takeRoom(batch, sizeof(std::int64_t));                         // lengths
  const auto floatsOf = [&](std::size_t i, std::size_t count) {
    std::vector<float> floats(count);
    if (!node.has(i)) return floats;
    const std::vector<double> numbers = node.numbers(i);
    if (numbers.size() != count) fail(ErrorKind::dataError, "its input {} has {} elements, not {}.", i, numbers.size(), count);
    std::ranges::transform(numbers, floats.begin(), [](double number) { return static_cast<float>(number); });
    return floats;
  };
  const std::vector<float> input = floatsOf(0, steps * batch * static_cast<std::size_t>(dims[2])),
                           bias = floatsOf(3, directions * 8 * hidden), peephole = floatsOf(7, directions * 3 * hidden);
  std::vector<float> h = floatsOf(5, directions * batch * hidden), c = floatsOf(6, directions * batch * hidden);
  std::vector<std::int64_t> lengths(batch, dims[0]);
  if (node.has(4)) lengths = node.integers(4);
  if (lengths.size() != batch ||
      std::ranges::any_of(lengths, [&](std::int64_t length) { return length < 0 || length > dims[0]; }))
    fail(ErrorKind::dataError, "its lengths of sequences do not fit [{}].", textOf(dims));
  std::vector<double> y(steps * directions * batch * hidden);
  const LstmWeights& kept = node.prepared<LstmWeights>([&] { return readAllWeights(node, directions); });
  std::optional<LstmWeights> own;  // the weights of this run, if they differ from those of the first run
  if (!kept.areOf(node)) own = readAllWeights(node, directions);
  for (std::size_t d = 0; d < directions; ++d) {
    const bool isReverse = direction == "reverse" || d == 1;
    const ByteWeights &weights = (own ? *own : kept).weights[d], &recurrent = (own ? *own : kept).recurrent[d];
    std::vector<float> projected(steps * batch * 4 * hidden);
    if (!projected.empty()) multiplyRows(node, input.data(), steps * batch, weights, projected.data());
    float *const ownH = h.data() + d * batch * hidden, *const ownC = c.data() + d * batch * hidden;
    const float *const b = bias.data() + d * 8 * hidden, *const p = peephole.data() + d * 3 * hidden;
    for (std::size_t step = 0; step < steps; ++step) {
      node.tick(1 + batch * hidden);
      std::vector<float> gates(batch * 4 * hidden);
      multiplyRows(node, ownH, batch, recurrent, gates.data());
      for (std::size_t n = 0; n < batch; ++n) {
        const auto length = static_cast<std::size_t>(lengths[n]);
        if (step >= length) continue;
        const std::size_t at = isReverse ? length - 1 - step : step;
        for (std::size_t i = 0; i < hidden; ++i) {
          const auto gate = [&](std::size_t g) {
            return gates[(n * 4 + g) * hidden + i] + projected[((at * batch + n) * 4 + g) * hidden + i] + b[g * hidden + i] +
                   b[(4 + g) * hidden + i];
          };
          float &state = ownC[n * hidden + i], &output = ownH[n * hidden + i];
          const float in = sigmoidOf(gate(0) + p[i] * state), forget = sigmoidOf(gate(2) + p[2 * hidden + i] * state);
          state = forget * state + in * std::tanh(gate(3));
          output = sigmoidOf(gate(1) + p[hidden + i] * state) * std::tanh(state);
          y[((at * directions + d) * batch + n) * hidden + i] = static_cast<double>(output);
        }
      }
    }
  }
  const auto sizeOf = [](std::size_t size) { return static_cast<std::int64_t>(size); };
  const Dims states{sizeOf(directions), sizeOf(batch), sizeOf(hidden)};
  node.set(0, node.makeNumbers(ElementType::float32, {sizeOf(steps), sizeOf(directions), sizeOf(batch), sizeOf(hidden)}, y));
  node.set(1, node.makeNumbers(ElementType::float32, states, std::vector<double>(h.begin(), h.end())));
  node.set(2, node.makeNumbers(ElementType::float32, states, std::vector<double>(c.begin(), c.end())));
}

}  // namespace

std::span<const HostOperator> quantizedLstmSteps() {
  static constexpr HostOperator kSteps[]{{"com.microsoft", "DynamicQuantizeLSTM", runDynamicQuantizeLSTM}};
  return kSteps;
}

}  // namespace webnn::formats::onnx
