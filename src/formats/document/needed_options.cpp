#include "formats/document/needed_options.h"

#include "formats/document/json_fields.h"

namespace webnn::formats {

namespace {

// Collects pointers to an operation's options, in order.
struct OptionCollector {
  std::vector<const void*>& options;
  template <typename T>
  void argument(std::string_view, const T&) {}
  void option(std::string_view, const auto& field) { options.push_back(&field); }
};

// Copies one option from another operation of the same type.
struct OptionSetter {
  const std::vector<const void*>& values;
  std::size_t target;
  std::size_t next = 0;
  template <typename T>
  void argument(std::string_view, T&) {}
  template <typename T>
  void option(std::string_view, T& field) {
    if (next == target) field = *static_cast<const T*>(values[next]);
    ++next;
  }
};

using Names = std::vector<std::string>;

bool resolvesTo(Operation operation, const std::string& expected, const Names& names) {
  try {
    validate(operation);
    return fieldsToJson(operation, names).dump() == expected;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::vector<bool> neededOptions(const Operation& operation, const std::vector<std::string>& names) {
  const Operation defaults = *makeOperation(name(operation));
  std::vector<const void*> values;
  visitFields(defaults, OptionCollector{values});
  std::vector<bool> isNeeded(values.size());
  if (values.empty()) return isNeeded;
  const std::string expected = fieldsToJson(operation, names).dump();
  Operation shortest = operation;
  for (std::size_t i = 0; i < values.size(); ++i) {
    Operation candidate = shortest;
    visitFields(candidate, OptionSetter{values, i});
    isNeeded[i] = !resolvesTo(candidate, expected, names);
    if (!isNeeded[i]) shortest = std::move(candidate);
  }
  return isNeeded;
}

}  // namespace webnn::formats
