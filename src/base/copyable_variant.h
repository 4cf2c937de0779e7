// A std::variant that can be copied safely when memory is short.
#pragma once

#include <utility>
#include <variant>

namespace webnn {

// If copying a std::variant of vectors or strings throws, the destructor of libstdc++ 12 reads an alternative that was never
// constructed. CopyableVariant copies the alternative first, then moves the copy.
template <typename... Types>
struct CopyableVariant : std::variant<Types...> {
  using Base = std::variant<Types...>;
  using Base::Base;
  CopyableVariant(Base&& value) noexcept : Base(std::move(value)) {}
  CopyableVariant(const Base& value) : Base(copyOf(value)) {}
  CopyableVariant(const CopyableVariant& other) : Base(copyOf(other)) {}
  CopyableVariant(CopyableVariant&&) noexcept = default;
  CopyableVariant& operator=(CopyableVariant other) noexcept {
    Base::operator=(std::move(other));
    return *this;
  }

 private:
  static Base copyOf(const Base& value) {
    return std::visit([]<typename T>(T copy) { return Base(std::in_place_type<T>, std::move(copy)); }, value);
  }
};

}  // namespace webnn
