// Computes Compress, NonZero, TopK and Unique on the host. Their result shapes depend on values.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <string>

#include "base/unaligned.h"
#include "onnx/program/elements.h"
#include "onnx/program/host_node.h"

namespace webnn::formats::onnx {

namespace {

// Calls visit(position) for each element that is not 0, in order, and returns the number of these elements. An element is 0 if
// its bits in `mask` are 0; for floats, `mask` leaves out the sign bit, so that -0 is 0.
template <typename Word>
std::size_t eachNonZero(const HostNode& node, const std::byte* bytes, std::size_t count, Word mask, auto visit) {
  constexpr std::size_t kAtOnce = 512;
  std::array<std::size_t, kAtOnce> places;
  std::size_t found = 0;
  for (std::size_t begin = 0; begin < count; begin += kAtOnce) {
    const std::size_t end = std::min(count, begin + kAtOnce);
    node.tick(end - begin);
    std::size_t some = 0;  // the loop has no branches, because the processor could not predict them
    for (std::size_t i = begin; i < end; ++i) {
      places[some] = i;
      some += (loadUnaligned<Word>(bytes + i * sizeof(Word)) & mask) != 0 ? 1 : 0;
    }
    for (std::size_t i = 0; i < some; ++i) visit(places[i]);
    found += some;
  }
  return found;
}

std::size_t eachNonZero(const HostNode& node, const Value& value, auto visit) {
  const std::size_t count = elementCount(value.dims);
  const std::byte* const bytes = value.bytes ? value.bytes->bytes.data() : nullptr;
  const auto each = [&]<typename Word>(Word mask) { return eachNonZero<Word>(node, bytes, count, mask, visit); };
  switch (value.type) {
    case ElementType::boolean:
    case ElementType::int8:
    case ElementType::uint8: return each(std::uint8_t{0xFF});
    case ElementType::int16:
    case ElementType::uint16: return each(std::uint16_t{0xFFFF});
    case ElementType::float16: return each(std::uint16_t{0x7FFF});
    case ElementType::int32:
    case ElementType::uint32: return each(std::uint32_t{0xFFFF'FFFF});
    case ElementType::float32: return each(std::uint32_t{0x7FFF'FFFF});
    case ElementType::int64:
    case ElementType::uint64: return each(~std::uint64_t{0});
    case ElementType::float64: return each(~std::uint64_t{0} >> 1);
    default: break;
  }
  const MemoryCharge room = node.roomFor(count, sizeof(double));
  const std::vector<double> numbers =
      toNumbers(value.type, value.bytes ? value.bytes->bytes : std::span<const std::byte>(), count);
  std::size_t found = 0;
  for (std::size_t i = 0; i < count; ++i) {
    node.tick();
    if (numbers[i] == 0) continue;
    visit(i);
    ++found;
  }
  return found;
}

// Returns the positions of elements that are not 0, as [rank, count].
void runNonZero(HostNode& node) {
  const Value& value = node.value(0);
  const Dims& dims = value.dims;
  const std::size_t rank = std::max<std::size_t>(dims.size(), 1);
  const std::size_t count = eachNonZero(node, value, [](std::size_t) {});
  std::byte* bytes = nullptr;
  Value result = node.make(ElementType::int64, {static_cast<std::int64_t>(rank), static_cast<std::int64_t>(count)}, bytes);
  const auto last = static_cast<std::size_t>(dims.empty() ? 1 : dims.back());
  std::vector<std::size_t> index(rank);  // index of the current element
  std::size_t found = 0, row = 0;        // row: position of the first element of the current row
  (void)eachNonZero(node, value, [&](std::size_t place) {
    if (place - row >= last) {
      std::size_t rest = place / last;
      row = rest * last;
      for (std::size_t d = rank - 1; d-- > 0;) {
        const auto size = static_cast<std::size_t>(dims[d]);
        index[d] = rest % size;
        rest /= size;
      }
    }
    index[rank - 1] = place - row;
    for (std::size_t d = 0; d < rank; ++d)
      storeUnaligned(bytes + (d * count + found) * sizeof(std::int64_t), static_cast<std::int64_t>(index[d]));
    ++found;
  });
  node.set(0, std::move(result));
}

// A tensor as rows along an axis: row r of outer index o begins at byte (o * size + r) * bytes.
struct RowsOf : Extents {
  RowsOf(const HostNode& node, const Value& value, std::int64_t axis) : RowsOf(value, axisOf(node, axis, value.dims.size())) {}
  RowsOf(const Value& value, std::size_t axis)
      : Extents(value.dims, axis), place(axis), strings(value.strings), dims(value.dims) {
    bytes = strings ? 0 : inner * elementBytes(value.type);
    data = value.bytes ? value.bytes->bytes.data() : nullptr;
  }
  const std::byte* row(std::size_t o, std::size_t r) const { return data + (o * size + r) * bytes; }
  Value take(const HostNode& node, ElementType type, std::span<const std::size_t> indices) const {
    Dims taken = dims;
    taken[place] = static_cast<std::int64_t>(indices.size());
    if (strings) return takeStrings(node, std::move(taken), indices);
    std::byte* to = nullptr;
    Value result = node.make(type, std::move(taken), to);
    for (std::size_t o = 0; o < outer && bytes > 0; ++o) {
      for (std::size_t i = 0; i < indices.size(); ++i, to += bytes) {
        node.tick(1 + bytes / 64);
        std::memcpy(to, row(o, indices[i]), bytes);
      }
    }
    return result;
  }

  Value takeStrings(const HostNode& node, Dims taken, std::span<const std::size_t> indices) const {
    StringList result(node, elementCount(taken));
    for (std::size_t o = 0; o < outer; ++o) {
      for (const std::size_t index : indices) {
        for (std::size_t i = 0; i < inner; ++i) result.add((*strings)[(o * size + index) * inner + i]);
      }
    }
    return node.makeStrings(std::move(taken), std::move(result));
  }

  // A row is `inner` elements, which take `bytes` bytes. For strings, `bytes` is 0.
  std::size_t bytes = 0, place = 0;
  std::shared_ptr<const std::vector<std::string>> strings;  // the elements, if they are strings
  Dims dims;
  const std::byte* data = nullptr;
};

Value flattened(const Value& value) {
  Value flat = value;
  flat.dims = {static_cast<std::int64_t>(elementCount(value.dims))};
  return flat;
}

void runCompress(HostNode& node) {
  const std::vector<std::int64_t> condition = node.integers(1);
  const bool isFlat = !node.find("axis");
  const Value input = isFlat ? flattened(node.value(0)) : node.value(0);
  const RowsOf rows(node, input, isFlat ? 0 : node.integer("axis", 0));
  std::vector<std::size_t> taken;
  node.takeRoom(condition.size(), sizeof(std::size_t));
  for (std::size_t i = 0; i < std::min(rows.size, condition.size()); ++i) {
    if (condition[i] != 0) taken.push_back(i);
  }
  node.set(0, rows.take(node, input.type, taken));
}

void runUnique(HostNode& node) {
  const bool isFlat = !node.find("axis");
  const Value input = isFlat ? flattened(node.value(0)) : node.value(0);
  const RowsOf rows(node, input, isFlat ? 0 : node.integer("axis", 0));
  const bool isSorted = node.integer("sorted", 1) != 0;
  // Rows are compared by value, as double. 64-bit integers are compared as integers, because double is not exact beyond 2^53.
  const std::vector<double> numbers = input.strings ? std::vector<double>() : node.numbers(0);
  const bool isInteger = input.type == ElementType::int64 || input.type == ElementType::uint64;
  const std::vector<std::int64_t> integers = isInteger ? node.integers(0) : std::vector<std::int64_t>();
  const auto less = [&](std::size_t x, std::size_t y) {
    if (input.strings) return (*input.strings)[x] < (*input.strings)[y];
    if (input.type == ElementType::uint64)
      return static_cast<std::uint64_t>(integers[x]) < static_cast<std::uint64_t>(integers[y]);
    if (isInteger) return integers[x] < integers[y];
    return std::isnan(numbers[y]) ? !std::isnan(numbers[x])
                                  : numbers[x] < numbers[y];  // NaN is the greatest, and equal to itself
  };
  const std::size_t inner = rows.inner;
  const auto compare = [&](std::size_t a, std::size_t b) {
    node.tick();
    for (std::size_t o = 0; o < rows.outer; ++o) {
      for (std::size_t i = 0; i < inner; ++i) {
        const std::size_t x = (o * rows.size + a) * inner + i, y = (o * rows.size + b) * inner + i;
        if (less(x, y)) return true;
        if (less(y, x)) return false;
        node.tick();  // comparing long, equal rows takes much time
      }
    }
    return false;
  };
  std::map<std::size_t, std::size_t, decltype(compare)> known(compare);  // group of each row; numbered by first appearance
  constexpr std::size_t kBytesOfRow = 192;  // approximate memory of a row's entries in `known` and the lists below
  node.takeRoom(rows.size, kBytesOfRow);
  std::vector<std::size_t> firsts, groupOf(rows.size);
  std::vector<std::int64_t> counts;
  for (std::size_t r = 0; r < rows.size; ++r) {
    const auto [found, isNew] = known.try_emplace(r, firsts.size());
    if (isNew) {
      firsts.push_back(r);
      counts.push_back(0);
    }
    groupOf[r] = found->second;
    ++counts[found->second];
  }
  std::vector<std::size_t> order(firsts.size()), place(firsts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (isSorted) std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return compare(firsts[a], firsts[b]); });
  std::vector<std::size_t> taken;
  std::vector<std::int64_t> indices, sortedCounts, inverse;
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    taken.push_back(firsts[order[i]]);
    indices.push_back(static_cast<std::int64_t>(firsts[order[i]]));
    sortedCounts.push_back(counts[order[i]]);
  }
  for (const std::size_t group : groupOf) inverse.push_back(static_cast<std::int64_t>(place[group]));
  const auto length = static_cast<std::int64_t>(order.size());
  node.set(0, rows.take(node, input.type, taken));
  node.set(1, node.makeIntegers({length}, indices));
  node.set(2, node.makeIntegers({static_cast<std::int64_t>(inverse.size())}, inverse));
  node.set(3, node.makeIntegers({length}, sortedCounts));
}

// Calls f(keyAt), where keyAt(place) returns an unsigned key of the element at `place`. Keys are ordered like the elements; -0
// equals 0, and NaN is the greatest. The element type has at most 32 bits.
void withKeys(const HostNode& node, const Value& value, auto f) {
  const std::byte* const bytes = value.bytes ? value.bytes->bytes.data() : nullptr;
  const auto keyOf = [](float number) {
    if (std::isnan(number)) return std::numeric_limits<std::uint32_t>::max();
    const auto bits = std::bit_cast<std::uint32_t>(number + 0.0F);  // -0 becomes 0
    return (bits >> 31) != 0 ? ~bits : bits | 0x8000'0000U;
  };
  if (value.type == ElementType::float32)
    return f([=](std::size_t place) { return keyOf(loadUnaligned<float>(bytes + place * sizeof(float))); });
  if (isIntegerType(value.type)) {
    const std::vector<std::int64_t> integers = node.integers(0);
    const std::int64_t least = value.type == ElementType::uint32 ? 0 : -(std::int64_t{1} << 31);
    return f([&](std::size_t place) { return static_cast<std::uint32_t>(integers[place] - least); });
  }
  const std::vector<double> numbers = node.numbers(0);
  f([&](std::size_t place) { return keyOf(static_cast<float>(numbers[place])); });
}

// Selects the first `taken` elements of each line, in TopK's order. A line has the `count` elements that differ only in their
// index along the axis.
class TopOrder {
 public:
  TopOrder(HostNode& node, const Value& value, std::size_t count, std::size_t taken, bool isLargest)
      : node_(node), value_(value), count_(count), taken_(taken), isLargest_(isLargest) {}

  // Calls visitLines(indicesOf), where indicesOf(placeOf, visit) calls visit(rank, index) for each chosen element of one line:
  // `rank` is its position in TopK's order, `index` its index in the line. placeOf(i) returns the position of the line's element
  // i in the tensor.
  void run(auto visitLines) const {
    const unsigned bits = webnn::onnx::bitsPerElement(value_.type);
    if (bits <= 32 && count_ < std::size_t{0xFFFF'FFFF}) return runOnKeys(visitLines);
    if (value_.type == ElementType::uint64)
      return runOn<std::uint64_t>(visitLines, [](std::uint64_t a, std::uint64_t b) { return a < b; });
    if (value_.type == ElementType::int64)
      return runOn<std::int64_t>(visitLines, [](std::int64_t a, std::int64_t b) { return a < b; });
    const std::vector<double> numbers = node_.numbers(0);
    order(
        visitLines, [&](std::size_t place) { return numbers[place]; },
        [](double a, double b) { return std::isnan(b) ? !std::isnan(a) : a < b; });
  }

 private:
  // Orders numbers that combine an element's key and index: among equal elements, the one with the smaller index is first.
  void runOnKeys(auto visitLines) const {
    node_.takeRoom(count_, sizeof(std::uint64_t));
    std::vector<std::uint64_t> keys(count_);
    withKeys(node_, value_, [&](auto keyAt) {
      visitLines([&](auto placeOf, auto visit) {
        node_.tick(8 * count_);
        for (std::size_t i = 0; i < count_; ++i) {
          const std::uint32_t key = keyAt(placeOf(i));
          keys[i] = std::uint64_t{isLargest_ ? ~key : key} << 32 | i;
        }
        const auto middle = keys.begin() + static_cast<std::ptrdiff_t>(taken_);
        if (middle != keys.end()) std::nth_element(keys.begin(), middle, keys.end());
        std::sort(keys.begin(), middle);
        for (std::size_t i = 0; i < taken_; ++i) visit(i, static_cast<std::size_t>(keys[i] & 0xFFFF'FFFFU));
      });
    });
  }

  template <typename T>
  void runOn(auto visitLines, auto less) const {
    const std::byte* const bytes = value_.bytes ? value_.bytes->bytes.data() : nullptr;
    order(
        visitLines, [&](std::size_t place) { return loadUnaligned<T>(bytes + place * sizeof(T)); }, less);
  }

  void order(auto visitLines, auto elementAt, auto less) const {
    node_.takeRoom(count_, sizeof(std::size_t));
    std::vector<std::size_t> order(count_);
    visitLines([&](auto placeOf, auto visit) {
      std::iota(order.begin(), order.end(), std::size_t{0});
      const auto middle = order.begin() + static_cast<std::ptrdiff_t>(taken_);
      std::partial_sort(order.begin(), middle, order.end(), [&](std::size_t a, std::size_t b) {
        node_.tick();
        const auto x = elementAt(placeOf(a)), y = elementAt(placeOf(b));
        const bool isFirst = isLargest_ ? less(y, x) : less(x, y), isSecond = isLargest_ ? less(x, y) : less(y, x);
        return isFirst || (!isSecond && a < b);
      });
      for (std::size_t i = 0; i < taken_; ++i) visit(i, order[i]);
    });
  }

  HostNode& node_;
  const Value& value_;
  const std::size_t count_, taken_;
  const bool isLargest_;
};

// Returns the k greatest or least elements along an axis; of equal elements, the first. NaN ranks above all numbers.
void runTopK(HostNode& node) {
  const Value& input = node.value(0);
  const std::int64_t k = node.version < 10 ? node.integer("k", 0) : node.integer(std::size_t{1});
  const std::size_t axis = axisOf(node, node.integer("axis", -1), input.dims.size());
  if (k < 0 || k > input.dims[axis])
    fail(ErrorKind::dataError, "k ({}) is not between 0 and the size of its dimension ({}).", k, input.dims[axis]);
  const Extents extents(input.dims, axis);
  const std::size_t inner = extents.inner, count = extents.size, taken = static_cast<std::size_t>(k),
                    size = elementBytes(input.type);
  Dims dims = input.dims;
  dims[axis] = k;
  std::byte *values = nullptr, *indices = nullptr;
  Value result = node.make(input.type, dims, values), positions = node.make(ElementType::int64, dims, indices);
  const TopOrder order(node, input, count, taken, node.integer("largest", 1) != 0);
  order.run([&](auto indicesOf) {
    for (std::size_t o = 0; o < extents.outer && taken > 0; ++o) {
      node.check();
      for (std::size_t i = 0; i < inner; ++i) {
        const auto place = [&](std::size_t at) { return (o * count + at) * inner + i; };
        indicesOf(place, [&](std::size_t rank, std::size_t at) {
          const std::size_t to = (o * taken + rank) * inner + i;
          std::memcpy(values + to * size, input.bytes->bytes.data() + place(at) * size, size);
          storeUnaligned(indices + to * sizeof(std::int64_t), static_cast<std::int64_t>(at));
        });
      }
    }
  });
  node.set(0, std::move(result));
  node.set(1, std::move(positions));
}

}  // namespace

std::span<const HostOperator> selectionSteps() {
  static constexpr HostOperator kSteps[]{
      {"", "Compress", runCompress}, {"", "NonZero", runNonZero}, {"", "TopK", runTopK}, {"", "Unique", runUnique}};
  return kSteps;
}

}  // namespace webnn::formats::onnx
