#include "formats/document/weights_table.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <set>
#include <utility>

#include "base/checked.h"
#include "base/progress.h"
#include "base/text.h"

namespace webnn::formats {

namespace {

// Returns the key as tools write it if "::" and "." are not allowed in keys.
std::string plain(std::string_view key) {
  std::string result;
  for (std::size_t i = 0; i < key.size(); ++i) {
    if (key.substr(i, 2) == "::") {
      result += "__";
      ++i;
    } else {
      result += key[i] == '.' ? '_' : key[i];
    }
  }
  return result;
}

std::string describe(const StoredTensor& tensor) {
  std::string text = tensor.type.empty() ? "an unknown type" : tensor.type;
  if (!tensor.shape) return text + formatText(" in {} bytes", tensor.bytes.size());
  text += "[";
  for (std::size_t i = 0; i < tensor.shape->size() && text.size() < 200; ++i) {
    text += (i ? ", " : "") + std::to_string((*tensor.shape)[i]);
  }
  return text + "]";
}

bool hasShape(const StoredTensor& tensor, std::span<const std::uint32_t> shape) {
  return !tensor.shape || std::equal(tensor.shape->begin(), tensor.shape->end(), shape.begin(), shape.end());
}

// Returns whether the tensor holds 4-bit elements as a list of packed uint8, because safetensors has no 4-bit types.
bool isPackedNibbles(const StoredTensor& tensor, const OperandDescriptor& descriptor) {
  return bitsPerElement(descriptor.dataType) == 4 && tensor.type == name(DataType::uint8) && tensor.shape &&
         tensor.shape->size() == 1;
}

// Widens bfloat16 to float32: a bfloat16 is the upper half of a float32.
ExternalBytes widen(std::span<const std::byte> bfloats) {
  const std::shared_ptr<std::byte[]> floats(new std::byte[2 * bfloats.size()]);
  inParts(bfloats.size() / 2, [&](std::size_t begin, std::size_t end) {
    std::memset(floats.get() + 4 * begin, 0, 4 * (end - begin));
    for (std::size_t i = begin; i < end; ++i) std::memcpy(floats.get() + 4 * i + 2, bfloats.data() + 2 * i, 2);
  });
  return {{floats.get(), 2 * bfloats.size()}, floats};
}

}  // namespace

WeightsTable::WeightsTable(std::map<std::string, StoredTensor> tensors, std::shared_ptr<const void> keepAlive)
    : tensors_(std::move(tensors)), keepAlive_(std::move(keepAlive)) {
  for (const Entry& entry : tensors_) plainKeys_.emplace(plain(entry.first), &entry);
}

ExternalBytes WeightsTable::find(std::string_view key, const OperandDescriptor& descriptor) const {
  const auto& [storedKey, tensor] = resolve(key);
  const std::size_t length = byteLength(descriptor);
  const bool widens = tensor.type == kBfloat16 && descriptor.dataType == DataType::float32;
  const bool sameType = tensor.type.empty() || tensor.type == name(descriptor.dataType) || widens;
  if (!(sameType && hasShape(tensor, descriptor.shape)) && !isPackedNibbles(tensor, descriptor)) {
    fail(ErrorKind::dataError, "the weights tensor {} is {}, not {}.", webnn::quoted(storedKey), describe(tensor),
         toString(descriptor));
  }
  if (tensor.bytes.size() != (widens ? length / 2 : length)) {
    fail(ErrorKind::dataError, "the weights tensor {} has {} bytes, which is not the length of {}.", webnn::quoted(storedKey),
         tensor.bytes.size(), toString(descriptor));
  }
  return widens ? widen(tensor.bytes) : ExternalBytes{tensor.bytes, keepAlive_};
}

const WeightsTable::Entry& WeightsTable::resolve(std::string_view key) const {
  if (const auto exact = tensors_.find(std::string(key)); exact != tensors_.end()) return *exact;
  const auto [first, last] = plainKeys_.equal_range(plain(key));
  if (first == last) failMissing(key);
  if (std::next(first) == last) return *first->second;
  std::string candidates;
  for (auto entry = first; entry != last && candidates.size() < 200; ++entry) {
    candidates += (entry == first ? "" : ", ") + webnn::quoted(entry->second->first);
  }
  fail(ErrorKind::notFoundError, "the weights have no tensor {}, and more than one that is almost called so: {}.",
       webnn::quoted(key), candidates);
}

void WeightsTable::failMissing(std::string_view key) const {
  if (tensors_.empty()) fail(ErrorKind::notFoundError, "the weights have no tensor {}: they are empty.", webnn::quoted(key));
  // Lists keys that are near `key` in alphabetical order, because they share the longest prefix with it.
  auto entry = tensors_.lower_bound(std::string(key));
  for (int i = 0; i < 2 && entry != tensors_.begin(); ++i) --entry;
  std::string neighbours;
  for (int i = 0; i < 4 && entry != tensors_.end(); ++i, ++entry) neighbours += (i ? ", " : "") + webnn::quoted(entry->first);
  fail(ErrorKind::notFoundError, "the weights have no tensor {}; among the {} that they have are {}.", webnn::quoted(key),
       tensors_.size(), neighbours);
}

std::optional<std::uint64_t> storedLength(std::span<const std::uint64_t> shape, std::uint64_t bits) {
  std::optional<std::uint64_t> length = bits;
  for (const std::uint64_t dimension : shape) {
    if (length) length = checkedMul(*length, dimension);
  }
  if (length) length = checkedAdd(*length, 7);
  if (length) *length /= 8;
  return length;
}

void chargeTensor(ReadBudget& budget, std::string_view key, const StoredTensor& tensor) {
  constexpr std::size_t kNode = 32;  // bytes of a map's node, without its value
  budget.charge(2 * (kNode + sizeof(std::string) + key.size()) + sizeof(StoredTensor) + sizeof(void*) + tensor.type.size() +
                (tensor.shape ? tensor.shape->size() * sizeof(std::uint64_t) : 0));
}

void checkNamedWeights(std::span<const NamedWeights> tensors) {
  std::set<std::string_view> keys;
  for (const NamedWeights& tensor : tensors) {
    if (!keys.insert(tensor.key).second) fail(ErrorKind::typeError, "the key {} is there twice.", webnn::quoted(tensor.key));
    if (tensor.bytes.size() != byteLength(tensor.descriptor)) {
      fail(ErrorKind::typeError, "the weights tensor {} has {} bytes, which is not the length of {}.", webnn::quoted(tensor.key),
           tensor.bytes.size(), toString(tensor.descriptor));
    }
  }
}

}  // namespace webnn::formats
