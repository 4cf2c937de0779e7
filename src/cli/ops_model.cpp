#include "cli/ops_model.h"

#include <algorithm>
#include <cctype>
#include <numeric>

#include "webnn/enums.h"

namespace webnn::cli {

namespace {

using Json = nlohmann::ordered_json;

// "Conv2dOptions" of webnn::Conv2dOptions. The specification's dictionaries have the names of our structs, after "ML".
template <typename T>
std::string typeName() {
  const std::string_view signature =
      __PRETTY_FUNCTION__;  // "... [with T = webnn::Conv2dOptions; ...]" or "... [T = webnn::Conv2dOptions]"
  const std::string_view marker = "T = webnn::";
  const std::size_t begin = signature.find(marker) + marker.size();
  return std::string(signature.substr(begin, signature.find_first_of(";]", begin) - begin));
}

// One overload for each type of field that ops/operation_base.h lists. Nothing here knows an operation.
void describeType(Field& field, const Operand&) { field.kind = FieldKind::operand; }
void describeType(Field& field, const std::optional<Operand>&) { field.kind = FieldKind::operand; }
void describeType(Field& field, const std::vector<Operand>&) { field.kind = FieldKind::operands; }
void describeType(Field& field, bool value) {
  field.kind = FieldKind::boolean;
  field.defaultValue = value;
}
void describeType(Field& field, std::uint32_t value) {
  field.kind = FieldKind::unsignedInteger;
  field.defaultValue = value;
}
void describeType(Field& field, std::int32_t value) {
  field.kind = FieldKind::integer;
  field.defaultValue = value;
}
void describeType(Field& field, double value) {
  field.kind = FieldKind::real;
  field.defaultValue = value;
}
void describeType(Field& field, const Number& value) {
  field.kind = FieldKind::number;
  std::visit([&](auto number) { field.defaultValue = number; }, value.value());
}
void describeType(Field& field, const std::optional<Number>&) { field.kind = FieldKind::number; }
void describeType(Field& field, const std::vector<std::uint32_t>&) { field.kind = FieldKind::sizes; }
void describeType(Field& field, const OptionalSizes&) { field.kind = FieldKind::sizes; }
void describeType(Field& field, const OptionalSequence<float>&) { field.kind = FieldKind::reals; }
void describeType(Field& field, const Splits&) { field.kind = FieldKind::splits; }
template <typename E>
requires std::is_enum_v<E>
void describeType(Field& field, E value) {
  field.kind = FieldKind::enumeration;
  field.enumType = std::is_same_v<E, DataType> ? "MLOperandDataType" : "ML" + typeName<E>();
  field.enumNames = enumNames<E>();
  field.defaultValue = webnn::name(value);
}
template <typename E>
requires std::is_enum_v<E>
void describeType(Field& field, const OptionalSequence<E>&) {
  describeType(field, E{});
  field.kind = FieldKind::enumerations;
  field.defaultValue = nullptr;
}

struct Describer {
  std::vector<Field>& fields;

  template <typename T>
  void argument(std::string_view name, const T& value) {
    add(name, true, value).defaultValue = nullptr;
  }
  template <typename T>
  void option(std::string_view name, const T& value) {
    add(name, false, value);
  }

 private:
  template <typename T>
  Field& add(std::string_view name, bool argument, const T& value) {
    Field& field = fields.emplace_back(Field{.name = name, .argument = argument});
    describeType(field, value);
    return field;
  }
};

bool returnsList(const Method& method) {
  const auto rules = method.row->rules();
  const auto isOutput = [](const ops::OperandRule& rule) { return rule.output; };
  if (std::ranges::count_if(rules, isOutput) != 1 || method.row->find("outputs")) return true;
  return std::ranges::any_of(method.fields, [](const Field& field) { return field.kind == FieldKind::splits; });
}

std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const bool same = std::tolower(static_cast<unsigned char>(a[i])) == std::tolower(static_cast<unsigned char>(b[j]));
      const std::size_t changed = diagonal + (same ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

Method describe(const Operation& operation) {
  Method method;
  method.row = &rowOf(operation);
  method.optionsType =
      std::visit([](const auto& op) { return "ML" + typeName<std::remove_cvref_t<decltype(op.options)>>(); }, operation);
  visitFields(operation, Describer{method.fields});
  method.returnsList = returnsList(method);
  return method;
}

std::vector<Method> describeAll() {
  std::vector<Method> methods;
  for (const Operation& operation : allOperations()) methods.push_back(describe(operation));
  return methods;
}

std::string specificationUrl(const Method& method) { return "https://www.w3.org/TR/webnn/#" + std::string(method.row->anchor); }

std::vector<std::string_view> dataTypeNames(ops::DataTypeSet types) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < kDataTypeCount; ++i) {
    const auto type = static_cast<DataType>(i);
    if (types.contains(type)) names.push_back(webnn::name(type));
  }
  return names;
}

std::vector<std::string> similarNames(std::string_view text, std::span<const std::string_view> known) {
  std::vector<std::pair<std::size_t, std::string>> close;
  for (std::string_view candidate : known) {
    const std::size_t distance = editDistance(text, candidate);
    if (distance <= std::max<std::size_t>(1, std::min(text.size(), candidate.size()) / 3))
      close.emplace_back(distance, candidate);
  }
  std::ranges::sort(close);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, close.size()); ++i) names.push_back(close[i].second);
  return names;
}

}  // namespace webnn::cli
