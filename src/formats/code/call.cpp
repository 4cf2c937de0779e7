#include "formats/code/call.h"

#include <type_traits>

#include "base/type_name.h"
#include "formats/document/needed_options.h"
#include "ops/returns_list.h"
#include "ops/sizes/open_sizes.h"
#include "webnn/enums.h"

namespace webnn::formats {

namespace {

Value valueOf(const Splits& splits);

template <typename T>
Value valueOf(const T& field) {
  if constexpr (std::is_base_of_v<Splits, T>) {
    return valueOf(static_cast<const Splits&>(field));
  } else if constexpr (std::is_same_v<T, DataType>) {
    return Enumerator{"DataType", webnn::name(field)};
  } else if constexpr (std::is_enum_v<T>) {
    return Enumerator{typeName<T>(), webnn::name(field)};
  } else if constexpr (std::is_same_v<T, std::uint32_t>) {
    if (isOpen(field)) return OpenSizeText{OpenScope::current()->text(field)};
    return Number(field);
  } else if constexpr (std::is_same_v<T, std::int32_t> || std::is_same_v<T, double>) {
    return Number(field);
  } else {
    return field;
  }
}
template <typename T>
Value valueOf(const std::vector<T>& fields) {
  ValueList list;
  for (const T& field : fields) list.items.push_back(valueOf(field));
  return list;
}
Value valueOf(const Splits& splits) {
  if (const auto* count = std::get_if<std::uint32_t>(&splits)) {
    if (isOpen(*count)) return valueOf(*count);
    return Parts{*count};
  }
  Value list = valueOf(std::get<std::vector<std::uint32_t>>(splits));
  std::get<ValueList>(list).type = "std::uint32_t";
  return list;
}
template <typename T>
Value valueOf(const std::optional<T>& field) {
  return valueOf(*field);  // not called for absent options, which neededOptions() leaves out
}
template <typename T>
Value valueOf(const OptionalSequence<T>& field) {
  Value list = valueOf(*field);
  if (field->empty()) std::get<ValueList>(list).type = std::is_same_v<T, std::uint32_t> ? "std::uint32_t" : "float";
  return list;
}

struct CallMaker {
  Call& call;
  const std::vector<bool>& isNeeded;
  std::size_t next = 0;
  void argument(std::string_view, const auto& field) { call.arguments.push_back(valueOf(field)); }
  void option(std::string_view name, const auto& field) {
    if (isNeeded[next++]) call.options.emplace_back(name, valueOf(field));
  }
};

}  // namespace

Call callOf(const Operation& operation, const std::vector<std::string>& names) {
  Call call{.method = name(operation), .returnsList = ops::returnsList(rowOf(operation))};
  const std::vector<bool> isNeeded = neededOptions(operation, names);
  visitFields(operation, CallMaker{call, isNeeded});
  if (!label(operation).empty()) call.options.emplace_back("label", Value(label(operation)));
  return call;
}

}  // namespace webnn::formats
