// Work stealing for items that are cheaper to process in order.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>

namespace webnn::cpu {

// Divides the items [0, count) into ranges, one for each of `parts` owners (workers). An owner takes the items of its range in
// order. If its range is empty, it steals the second half of the longest other range, unless only one item is left there. Uses
// `bytes()` of shared memory, aligned to 64.
class SharedRanges {
 public:
  static constexpr std::size_t bytes(std::size_t parts) { return parts * sizeof(Range); }

  // Not thread safe; `count` must be below 2^32.
  SharedRanges(std::byte* memory, std::size_t parts, std::size_t count)
      : ranges_(reinterpret_cast<Range*>(memory)), parts_(parts) {
    for (std::size_t i = 0; i < parts; ++i) {
      new (ranges_ + i) Range{pack(share(count, i, parts), share(count, i + 1, parts))};
    }
  }

  // Takes the next item for owner `part`. Returns false if its range is empty and no other range has two items.
  bool next(std::size_t part, std::size_t& item) {
    do {
      std::uint64_t range = ranges_[part].value.load(std::memory_order_relaxed);
      while (length(range) > 0) {
        if (!ranges_[part].value.compare_exchange_weak(range, range + kOne, std::memory_order_relaxed)) continue;
        item = static_cast<std::size_t>(range >> 32);
        return true;
      }
    } while (takeHalf(part));
    return false;
  }

 private:
  static std::uint32_t share(std::uint64_t count, std::size_t i, std::size_t parts) {
    return static_cast<std::uint32_t>(count * i / parts);
  }
  // The upper half of `value` is the next item, the lower half the end of the range.
  struct alignas(64) Range {
    std::atomic<std::uint64_t> value;
  };
  static constexpr std::uint64_t kOne = std::uint64_t{1} << 32;
  static constexpr std::uint64_t pack(std::uint32_t begin, std::uint32_t end) { return std::uint64_t{begin} << 32 | end; }
  static constexpr std::uint32_t end(std::uint64_t range) { return static_cast<std::uint32_t>(range); }
  static constexpr std::uint32_t length(std::uint64_t range) {
    const auto begin = static_cast<std::uint32_t>(range >> 32);
    return begin < end(range) ? end(range) - begin : 0;
  }

  // Steals the second half of the longest other range for `part`, whose range is empty. No other thread changes an empty range.
  bool takeHalf(std::size_t part) {
    for (;;) {
      std::size_t longest = part;
      std::uint64_t range = 0;
      for (std::size_t i = 0; i < parts_; ++i) {
        const std::uint64_t other = ranges_[i].value.load(std::memory_order_relaxed);
        if (length(other) > length(range)) longest = i, range = other;
      }
      // Leave a single item to its owner, whose cache holds the data for it.
      if (length(range) < 2) return false;
      const std::uint32_t middle = end(range) - length(range) / 2;
      const std::uint64_t rest = pack(static_cast<std::uint32_t>(range >> 32), middle);
      if (!ranges_[longest].value.compare_exchange_strong(range, rest, std::memory_order_relaxed)) continue;
      ranges_[part].value.store(pack(middle, end(range)), std::memory_order_relaxed);
      return true;
    }
  }

  Range* ranges_;
  std::size_t parts_;
};

}  // namespace webnn::cpu
