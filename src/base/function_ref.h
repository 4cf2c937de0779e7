// A reference to a callable, for parameters that a function calls only before it returns. A function with a FunctionRef parameter
// is compiled once; a template would be compiled again for each callable.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace webnn {

template <typename Signature>
class FunctionRef;

template <typename Result, typename... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  template <typename Function>
  requires(!std::is_same_v<std::remove_cvref_t<Function>, FunctionRef>) FunctionRef(Function&& function)  // implicit on purpose
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(function)))),
        call_([](void* object, Arguments... arguments) -> Result {
          return (*static_cast<std::remove_reference_t<Function>*>(object))(std::forward<Arguments>(arguments)...);
        }) {}

  Result operator()(Arguments... arguments) const { return call_(object_, std::forward<Arguments>(arguments)...); }

 private:
  void* object_;
  Result (*call_)(void*, Arguments...);
};

}  // namespace webnn
