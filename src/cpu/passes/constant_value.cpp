#include "cpu/passes/constant_value.h"

#include "cpu/step.h"
#include "reference/reference_backend.h"

namespace webnn::cpu {

namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 30;

template <typename T>
std::vector<double> numbersOf(std::span<const std::byte> bytes) {
  std::vector<double> numbers(bytes.size() / sizeof(T));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = static_cast<double>(loadUnaligned<T>(bytes.data() + i * sizeof(T)));
  }
  return numbers;
}

std::vector<double> nibblesOf(std::span<const std::byte> bytes, std::size_t count, bool isSigned) {
  std::vector<double> numbers(count);
  for (std::size_t i = 0; i < count; ++i) {
    const int nibble = std::to_integer<int>(bytes[i / 2]) >> (i % 2 * 4) & 0xF;
    numbers[i] = isSigned && nibble > 7 ? nibble - 16 : nibble;
  }
  return numbers;
}

}  // namespace

std::optional<std::vector<Operand>> foldNode(Module& module, const ModuleNode& node) {
  const auto* operation = std::get_if<Operation>(static_cast<const EngineVariant*>(&node.operation));
  if (!operation) return std::nullopt;
  bool isKnown = true;
  visitOperands(node.operation, [&](std::string_view, const Operand& operand) { isKnown = isKnown && isConstant(operand); });
  std::size_t bytes = 0;
  ops::Outputs descriptors;
  for (const Operand& output : node.outputs) {
    descriptors.push_back(output.descriptor());
    bytes += byteLength(output.descriptor());
  }
  if (!isKnown || bytes > kMostBytes) return std::nullopt;
  std::vector<std::vector<std::byte>> values = reference::evaluate(*operation, descriptors);
  std::vector<Operand> constants;
  for (std::size_t i = 0; i < values.size(); ++i) {
    constants.push_back(module.constant(descriptors[i], std::move(values[i]), node.outputs[i].record().name));
  }
  return constants;
}

std::optional<Operand> constantValue(Module& module, const Uses& uses, const Operand& operand) {
  if (isConstant(operand)) return operand;
  if (operand.record().index >= uses.producer.size()) return std::nullopt;
  const ModuleNode* producer = uses.producerOf(module, operand);
  if (!producer) return std::nullopt;
  ModuleNode node = *producer;
  bool isKnown = true;
  mapOperands(node.operation, [&](const Operand& from) {
    std::optional<Operand> value = isKnown ? constantValue(module, uses, from) : std::nullopt;
    isKnown = value.has_value();
    return isKnown ? *value : from;
  });
  if (!isKnown) return std::nullopt;
  const auto values = foldNode(module, node);
  if (!values) return std::nullopt;
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i].record().index == operand.record().index) return (*values)[i];
  }
  return std::nullopt;
}

std::vector<double> constantNumbers(const Operand& constant) {
  const std::span<const std::byte> bytes = constantBytes(constant);
  switch (constant.dataType()) {
    case DataType::float32: return numbersOf<float>(bytes);
    case DataType::int32: return numbersOf<std::int32_t>(bytes);
    case DataType::uint32: return numbersOf<std::uint32_t>(bytes);
    case DataType::int8: return numbersOf<std::int8_t>(bytes);
    case DataType::uint8: return numbersOf<std::uint8_t>(bytes);
    case DataType::int4:
    case DataType::uint4: return nibblesOf(bytes, elementCount(constant.descriptor()), constant.dataType() == DataType::int4);
    case DataType::float16: {
      std::vector<double> numbers;
      for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
        numbers.push_back(static_cast<double>(Half::fromBits(loadUnaligned<std::uint16_t>(bytes.data() + i))));
      }
      return numbers;
    }
    case DataType::int64:
    case DataType::uint64: break;
  }
  return {};
}

}  // namespace webnn::cpu
