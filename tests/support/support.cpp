#include "support/support.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace webnn::test {

namespace {

std::uint64_t bitsOf(const Number& number, DataType type) {
  const Number exact = cast(number, type);
  if (type == DataType::float32) return std::bit_cast<std::uint32_t>(static_cast<float>(exact.toDouble()));
  if (type == DataType::float16) return Half(exact.toDouble()).bits();
  return std::visit([](auto value) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(value)); }, exact.value());
}

Number fromBits(std::uint64_t bits, DataType type) {
  switch (type) {
    case DataType::float32: return Number(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))));
    case DataType::float16: return Number(static_cast<double>(Half::fromBits(static_cast<std::uint16_t>(bits))));
    case DataType::int32: return Number(static_cast<std::int32_t>(bits));
    case DataType::int64: return Number(static_cast<std::int64_t>(bits));
    case DataType::int8: return Number(static_cast<std::int8_t>(bits));
    case DataType::int4: return Number(static_cast<int>(bits >= 8 ? static_cast<int>(bits) - 16 : static_cast<int>(bits)));
    default: return Number(bits);
  }
}

}  // namespace

Context makeContext(std::string backend) {
  const char* const variable = std::getenv("WEBNN_TEST_EXECUTION");
  const std::string_view execution = variable ? variable : "callerThread";
  if (execution != "callerThread" && execution != "worker" && execution != "service")
    throw std::invalid_argument("WEBNN_TEST_EXECUTION");
  return Context::create({.backend = std::move(backend),
                          .execution = execution == "worker"    ? Execution::worker
                                       : execution == "service" ? Execution::service
                                                                : Execution::callerThread});
}

Operand Fixture::input(DataType type, Shape shape) {
  return builder.input("input" + std::to_string(inputs++), {type, std::move(shape)});
}

Operand Fixture::constant(DataType type, Shape shape, const std::vector<Number>& values) {
  OperandDescriptor descriptor{type, std::move(shape)};
  const std::vector<std::byte> bytes = pack(descriptor, values);
  return builder.constant(std::move(descriptor), bytes);
}

std::vector<std::byte> pack(const OperandDescriptor& descriptor, const std::vector<Number>& values) {
  const std::size_t bits = bitsPerElement(descriptor.dataType), count = elementCount(descriptor);
  if (values.size() != 1 && values.size() != count) throw std::invalid_argument("pack: wrong number of values");
  std::vector<std::byte> bytes(byteLength(descriptor));
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t element = bitsOf(values[values.size() == 1 ? 0 : i], descriptor.dataType);
    if (bits == 4) {
      bytes[i / 2] |= static_cast<std::byte>((element & 0xF) << (i % 2 * 4));
    } else {
      std::memcpy(bytes.data() + i * bits / 8, &element, bits / 8);
    }
  }
  return bytes;
}

std::vector<Number> unpack(const OperandDescriptor& descriptor, std::span<const std::byte> bytes) {
  const std::size_t bits = bitsPerElement(descriptor.dataType), count = elementCount(descriptor);
  std::vector<Number> values;
  values.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t element = 0;
    if (bits == 4) {
      element = (static_cast<std::uint64_t>(bytes[i / 2]) >> (i % 2 * 4)) & 0xF;
    } else {
      std::memcpy(&element, bytes.data() + i * bits / 8, bits / 8);
    }
    values.push_back(fromBits(element, descriptor.dataType));
  }
  return values;
}

std::vector<std::vector<Number>> evaluate(Fixture& fixture, const std::vector<Operand>& outputs) {
  std::vector<NamedOperand> named;
  for (std::size_t i = 0; i < outputs.size(); ++i) named.emplace_back("output" + std::to_string(i), outputs[i]);
  const Graph graph = fixture.builder.build(named);
  std::vector<NamedTensor> tensors;
  for (const auto& [name, descriptor] : graph.outputs()) {
    tensors.emplace_back(
        name, fixture.context.createTensor({.dataType = descriptor.dataType, .shape = descriptor.shape, .readable = true}));
  }
  fixture.context.dispatch(graph, {}, tensors);
  std::vector<std::vector<Number>> values;
  for (const auto& [name, tensor] : tensors)
    values.push_back(unpack(tensor.descriptor(), fixture.context.readTensor(tensor).get()));
  return values;
}

std::vector<double> evaluate(Fixture& fixture, const Operand& output) {
  const std::vector<std::vector<Number>> values = evaluate(fixture, std::vector<Operand>{output});
  std::vector<double> result;
  for (const Number& value : values[0]) result.push_back(value.toDouble());
  return result;
}

void expectError(ErrorKind kind, const std::vector<std::string>& parts, const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(name(error.kind()), name(kind)) << error.what();
    for (const std::string& part : parts) {
      EXPECT_NE(std::string_view(error.what()).find(part), std::string_view::npos)
          << "\"" << part << "\" is not in: " << error.what();
    }
    return;
  }
  ADD_FAILURE() << "nothing was thrown; expected " << name(kind);
}

void expectNear(const std::vector<double>& actual, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (std::isnan(expected[i]) || std::isinf(expected[i])) {
      EXPECT_TRUE(std::isnan(expected[i]) ? std::isnan(actual[i]) : actual[i] == expected[i]) << "at " << i << ": " << actual[i];
    } else {
      EXPECT_NEAR(actual[i], expected[i], tolerance * std::max(1.0, std::fabs(expected[i]))) << "at " << i;
    }
  }
}

}  // namespace webnn::test

// ThreadSanitizer cannot see the reference count of exceptions, which is inside libstdc++. It reports a race where there is none,
// if one thread reads an error from a future and another thread releases the last reference.
extern "C" const char* __tsan_default_suppressions() { return "race:std::__exception_ptr::exception_ptr::_M_release\n"; }
