// Result and attempt(), for callers that prefer error values to exceptions.
#pragma once

#include <exception>
#include <new>
#include <type_traits>
#include <utility>
#include <variant>

#include "webnn/error.h"

namespace webnn {

// The result of a call, or the error that the call threw.
template <typename T>
class Result {
 public:
  Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

  bool hasValue() const { return content_.index() == 0; }
  explicit operator bool() const { return hasValue(); }
  // Throws the error if there is no value.
  T& value() {
    if (!hasValue()) throw error();
    return std::get<0>(content_);
  }
  T& operator*() { return value(); }
  T* operator->() { return &value(); }
  // Throws std::bad_variant_access if there is a value.
  const Error& error() const { return std::get<1>(content_); }

 private:
  std::variant<T, Error> content_;
};

// Calls `call` and catches its exceptions: attempt([&] { return webnn::load(context, path); }). If `call` returns void, the value
// is a std::monostate.
template <typename Call>
auto attempt(Call&& call) {
  using Returned = std::invoke_result_t<Call>;
  using Value = std::conditional_t<std::is_void_v<Returned>, std::monostate, std::decay_t<Returned>>;
  try {
    if constexpr (std::is_void_v<Returned>) {
      std::forward<Call>(call)();
      return Result<Value>(Value{});
    } else {
      return Result<Value>(std::forward<Call>(call)());
    }
  } catch (const Error& error) {
    return Result<Value>(error);
  } catch (const std::bad_alloc&) {
    return Result<Value>(Error(ErrorKind::unknownError, "there is not enough memory."));
  } catch (const std::exception& error) {
    return Result<Value>(Error(ErrorKind::operationError, error.what()));
  }
}

}  // namespace webnn
