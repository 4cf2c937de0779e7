// safetensors: 8 bytes of length, a JSON header of that length, then the tensors without gaps.
// https://huggingface.co/docs/safetensors
#include <algorithm>
#include <array>
#include <numeric>
#include <ostream>
#include <utility>
#include <vector>

#include "base/files/file.h"
#include "base/text.h"
#include "formats/document/json_parse.h"
#include "formats/document/weights.h"
#include "formats/document/weights_table.h"

namespace webnn::formats {

namespace {

constexpr std::uint64_t kLengthBytes = 8;
constexpr std::uint64_t kMaxHeader = 100'000'000;
constexpr std::size_t kAlignment = 8;
constexpr std::string_view kMetadata = "__metadata__";

struct Dtype {
  std::string_view dtype;
  std::string_view type;  // empty if WebNN lacks the type
  std::uint64_t bits;
};
constexpr std::array<Dtype, 16> kDtypes{{{"F32", "float32", 32},
                                         {"F16", "float16", 16},
                                         {"BF16", kBfloat16, 16},
                                         {"I32", "int32", 32},
                                         {"U32", "uint32", 32},
                                         {"I64", "int64", 64},
                                         {"U64", "uint64", 64},
                                         {"I8", "int8", 8},
                                         {"U8", "uint8", 8},
                                         {"F64", "", 64},
                                         {"I16", "", 16},
                                         {"U16", "", 16},
                                         {"BOOL", "", 8},
                                         {"F8_E4M3", "", 8},
                                         {"F8_E5M2", "", 8},
                                         {"C64", "", 64}}};

const Dtype* findDtype(std::string_view dtype) {
  const auto found = std::find_if(kDtypes.begin(), kDtypes.end(), [&](const Dtype& row) { return row.dtype == dtype; });
  return found == kDtypes.end() ? nullptr : &*found;
}

// Returns the header's text. Throws DataError if `file` does not hold all of it.
std::string_view headerOf(std::span<const std::byte> file) {
  if (file.size() < kLengthBytes) fail(ErrorKind::dataError, "the safetensors file has only {} bytes.", file.size());
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < kLengthBytes; ++i) length |= std::to_integer<std::uint64_t>(file[i]) << (8 * i);
  if (length > kMaxHeader) {
    fail(ErrorKind::dataError, "the length of the safetensors header ({}) is above {}.", length, kMaxHeader);
  }
  if (length > file.size() - kLengthBytes) {
    fail(ErrorKind::dataError, "the safetensors header of {} bytes ends behind the file of {} bytes.", length, file.size());
  }
  const std::string_view header(reinterpret_cast<const char*>(file.data()) + kLengthBytes, static_cast<std::size_t>(length));
  if (!header.starts_with('{')) fail(ErrorKind::dataError, "the safetensors header does not begin with an opening brace.");
  return header;
}

struct Extent {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::string_view key;
};

// Reads one tensor of the header. `data` is the file after the header.
std::pair<StoredTensor, Extent> readEntry(const JsonAt& entry, std::span<const std::byte> data) {
  const std::string dtype = entry.member("dtype").text();
  StoredTensor tensor{.shape = entry.member("shape").integers64()};
  const JsonAt place = entry.member("data_offsets");
  const std::vector<std::uint64_t> offsets = place.integers64();
  if (offsets.size() != 2) place.fail(formatText("there are {} data offsets, not 2.", offsets.size()));
  const Extent extent{offsets[0], offsets[1], {}};
  if (extent.begin > extent.end || extent.end > data.size()) {
    place.fail(
        formatText("the data offsets ({} to {}) are not inside the {} bytes of data.", extent.begin, extent.end, data.size()));
  }
  const Dtype* row = findDtype(dtype);
  tensor.type = row && !row->type.empty() ? std::string(row->type) : webnn::quoted(dtype);
  tensor.bytes = data.subspan(static_cast<std::size_t>(extent.begin), static_cast<std::size_t>(extent.end - extent.begin));
  // The length cannot be checked if the type is unknown.
  if (row && storedLength(*tensor.shape, row->bits) != tensor.bytes.size()) {
    entry.fail(
        formatText("the {} bytes between the data offsets are not the length of its dtype and shape.", tensor.bytes.size()));
  }
  return {std::move(tensor), extent};
}

// Throws unless the extents follow each other without a gap and fill `length` bytes.
void requireContiguous(std::vector<Extent> extents, std::uint64_t length) {
  const auto position = [](const Extent& extent) { return std::pair(extent.begin, extent.end); };
  std::sort(extents.begin(), extents.end(), [&](const Extent& a, const Extent& b) { return position(a) < position(b); });
  std::uint64_t end = 0;
  for (const Extent& extent : extents) {
    if (extent.begin != end) {
      fail(ErrorKind::dataError, "the safetensors tensor {} begins at {} of the data, but the one before it ends at {}.",
           webnn::quoted(extent.key), extent.begin, end);
    }
    end = extent.end;
  }
  if (end != length) fail(ErrorKind::dataError, "the safetensors tensors end at {}, but the data has {} bytes.", end, length);
}

// Returns the descriptor of the stored bytes: 4-bit types are stored as a list of the uint8 that hold them.
OperandDescriptor storedDescriptor(const OperandDescriptor& descriptor) {
  if (bitsPerElement(descriptor.dataType) != 4) return descriptor;
  return {DataType::uint8, {static_cast<std::uint32_t>(byteLength(descriptor))}};  // at most 2^30
}

// Returns the tensors' indices, larger element sizes first, so that all tensors are aligned although gaps are forbidden.
std::vector<std::size_t> orderOf(std::span<const NamedWeights> tensors) {
  std::vector<std::size_t> order(tensors.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return bitsPerElement(tensors[a].descriptor.dataType) > bitsPerElement(tensors[b].descriptor.dataType);
  });
  return order;
}

// Computes the tensors' offsets in the data, and its length.
SafetensorsLayout dataLayout(std::span<const NamedWeights> tensors, std::span<const std::size_t> order) {
  SafetensorsLayout layout{.offsets = std::vector<std::uint64_t>(tensors.size())};
  // The sum of array lengths in memory cannot overflow.
  for (const std::size_t i : order) layout.size = (layout.offsets[i] = layout.size) + tensors[i].bytes.size();
  return layout;
}

// Returns the JSON header, padded with spaces so that the data begins at a multiple of kAlignment.
std::string headerFor(std::span<const NamedWeights> tensors, const SafetensorsLayout& layout) {
  const std::vector<std::uint64_t>& begins = layout.offsets;
  std::string header = "{";
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].key == kMetadata) fail(ErrorKind::typeError, "safetensors reserves the key {}.", webnn::quoted(kMetadata));
    const OperandDescriptor descriptor = storedDescriptor(tensors[i].descriptor);
    const auto row =
        std::find_if(kDtypes.begin(), kDtypes.end(), [&](const Dtype& d) { return d.type == name(descriptor.dataType); });
    header +=
        formatText("{}{}:{{\"dtype\":\"{}\",\"shape\":{},\"data_offsets\":[{},{}]}}", i ? "," : "", jsonString(tensors[i].key),
                   row->dtype, Json(descriptor.shape).dump(), begins[i], begins[i] + tensors[i].bytes.size());
  }
  header += "}";
  header.append((kAlignment - (kLengthBytes + header.size()) % kAlignment) % kAlignment, ' ');
  if (header.size() > kMaxHeader) {
    fail(ErrorKind::notSupportedError, "the safetensors header would be above {} bytes.", kMaxHeader);
  }
  return header;
}

}  // namespace

std::string safetensorsKey(const std::string& name, std::span<const std::string> names) {
  if (name != kMetadata) return name;
  std::string key = name + "_";
  while (std::ranges::find(names, key) != names.end()) key += "_";
  return key;
}

std::unique_ptr<WeightsReader> readSafetensors(ExternalBytes file) {
  const std::string_view header = headerOf(file.bytes);
  const std::span<const std::byte> data = file.bytes.subspan(kLengthBytes + header.size());
  constexpr std::string_view kWhat = "the safetensors header";
  std::map<std::string, StoredTensor> tensors;
  std::vector<Extent> extents;
  ReadBudget budget(header.size()), tableBudget(header.size());
  parseJsonMembers(header, kWhat, {}, budget, [&](const std::string& key, const Json& entry) {
    if (key == kMetadata) return;
    auto [tensor, extent] = readEntry(JsonAt(entry, formatText("{}.{}", kWhat, sanitized(key))), data);
    chargeTensor(tableBudget, key, tensor);
    tableBudget.chargeItem<Extent>();
    const auto inserted = tensors.emplace(key, std::move(tensor)).first;
    extent.key = inserted->first;
    extents.push_back(extent);
  });
  requireContiguous(std::move(extents), data.size());
  return std::make_unique<WeightsTable>(std::move(tensors), std::move(file.keepAlive));
}

SafetensorsLayout safetensorsLayout(std::span<const NamedWeights> tensors) {
  SafetensorsLayout layout = dataLayout(tensors, orderOf(tensors));
  const std::uint64_t data = kLengthBytes + headerFor(tensors, layout).size();
  for (std::uint64_t& offset : layout.offsets) offset += data;
  layout.size += data;
  return layout;
}

void writeSafetensors(Replacement& files, const std::filesystem::path& path, std::span<const NamedWeights> tensors) {
  checkNamedWeights(tensors);
  const std::vector<std::size_t> order = orderOf(tensors);
  const std::string header = headerFor(tensors, dataLayout(tensors, order));
  files.add(path, [&](std::ostream& out) {
    for (std::size_t i = 0; i < kLengthBytes; ++i) out.put(static_cast<char>(header.size() >> (8 * i)));
    out << header;
    for (const std::size_t i : order) {
      const std::span<const std::byte> bytes = tensors[i].bytes;
      out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
  });
}

}  // namespace webnn::formats
