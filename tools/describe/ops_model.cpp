#include "describe/ops_model.h"

#include <algorithm>
#include <cctype>

#include "base/type_name.h"
#include "ops/returns_list.h"
#include "webnn/enums.h"

namespace webnn::describe {

namespace {

// Overloads for all field types in ops/operation_base.h. They set a field's kind and default.
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
  field.enumType = std::is_same_v<E, DataType> ? "MLOperandDataType" : "ML" + std::string(typeName<E>());
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

  void argument(std::string_view name, const auto& value) { add(name, true, value).defaultValue = nullptr; }
  void option(std::string_view name, const auto& value) { add(name, false, value); }

 private:
  template <typename T>
  Field& add(std::string_view name, bool argument, const T& value) {
    Field& field = fields.emplace_back(Field{.name = name, .argument = argument});
    describeType(field, value);
    field.mayBeOpen = ops::isSizeField(name);
    return field;
  }
};

}  // namespace

Method methodOf(const Operation& operation) {
  Method method;
  method.row = &rowOf(operation);
  // Options structs are named like the specification's dictionaries, without "ML".
  method.optionsType = "ML";
  method.optionsType +=
      std::visit([](const auto& op) { return typeName<std::remove_cvref_t<decltype(op.options)>>(); }, operation);
  visitFields(operation, Describer{method.fields});
  method.returnsList = ops::returnsList(*method.row);
  return method;
}

std::vector<Method> describeAll() {
  std::vector<Method> methods;
  for (const Operation& operation : allOperations()) methods.push_back(methodOf(operation));
  return methods;
}

std::string lowerCase(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(text, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

std::string specificationUrl(const Method& method) {
  return "https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-" + lowerCase(method.row->name);
}

std::vector<std::string_view> dataTypeNames(ops::DataTypeSet types) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < kDataTypeCount; ++i) {
    const auto type = static_cast<DataType>(i);
    if (types.contains(type)) names.push_back(webnn::name(type));
  }
  return names;
}

}  // namespace webnn::describe
