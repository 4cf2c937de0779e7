#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace webnn {

// A table of values, indexed by enumerator. Each row names its enumerator; a table does not compile if its rows are not in the
// order of the enumeration.
template <typename Enum, typename T, std::size_t kCount>
struct EnumTable {
  constexpr explicit EnumTable(const std::pair<Enum, T> (&rows)[kCount]) {
    for (std::size_t i = 0; i < kCount; ++i) {
      if (static_cast<std::size_t>(rows[i].first) != i) throw "the rows are not in the enumeration's order";
      values[i] = rows[i].second;
    }
  }

  constexpr const T& operator[](Enum value) const { return values[static_cast<std::size_t>(value)]; }

  // Returns the first enumerator whose value satisfies `accepts`; nullopt if there is none.
  template <typename Accepts>
  constexpr std::optional<Enum> find(Accepts accepts) const {
    for (std::size_t i = 0; i < kCount; ++i) {
      if (accepts(values[i])) return static_cast<Enum>(i);
    }
    return std::nullopt;
  }

  std::array<T, kCount> values{};
};

template <typename Enum, std::size_t kCount>
struct EnumNames : EnumTable<Enum, std::string_view, kCount> {
  using EnumTable<Enum, std::string_view, kCount>::EnumTable;
  constexpr std::optional<Enum> fromName(std::string_view name) const {
    return this->find([&](std::string_view own) { return own == name; });
  }
};
template <typename Enum, std::size_t kCount>
EnumNames(const std::pair<Enum, std::string_view> (&)[kCount]) -> EnumNames<Enum, kCount>;

}  // namespace webnn
