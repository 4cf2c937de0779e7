// Shared by the readers of weights files: tensors by key.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/document/budget.h"
#include "formats/document/weights.h"

namespace webnn::formats {

// A tensor of a weights file; its bytes lie in the file.
struct StoredTensor {
  // "float32", ...; "bfloat16"; names of unknown types in quotes; empty if the file does not say.
  std::string type;
  std::optional<std::vector<std::uint64_t>> shape;  // absent if the file does not say
  std::span<const std::byte> bytes;
};

// A type of weights files that DataType does not list.
inline constexpr std::string_view kBfloat16 = "bfloat16";

class WeightsTable : public WeightsReader {
 public:
  // `keepAlive` owns the bytes of the tensors.
  WeightsTable(std::map<std::string, StoredTensor> tensors, std::shared_ptr<const void> keepAlive);
  WeightsTable(const WeightsTable&) = delete;
  WeightsTable& operator=(const WeightsTable&) = delete;
  ExternalBytes find(std::string_view key, const OperandDescriptor& descriptor) const override;

 private:
  using Entry = std::pair<const std::string, StoredTensor>;
  const Entry& resolve(std::string_view key) const;
  [[noreturn]] void failMissing(std::string_view key) const;

  std::map<std::string, StoredTensor> tensors_;
  std::multimap<std::string, const Entry*> plainKeys_;  // entries of tensors_; "::" and "." are replaced in the keys
  std::shared_ptr<const void> keepAlive_;
};

// Returns the length in bytes of a tensor with elements of `bits` bits, rounded up; nullopt if the length in bits overflows
// 64 bits.
std::optional<std::uint64_t> storedLength(std::span<const std::uint64_t> shape, std::uint64_t bits);

void chargeTensor(ReadBudget& budget, std::string_view key, const StoredTensor& tensor);

// Checks a writer's input. Throws TypeError for a duplicate key or bytes that do not match the descriptor.
void checkNamedWeights(std::span<const NamedWeights> tensors);

}  // namespace webnn::formats
