// The operation table as data for printers: parameters and results of each method of MLGraphBuilder.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/document/json_value.h"
#include "ops/operation.h"

namespace webnn::describe {

enum class FieldKind {
  operand,   // MLOperand
  operands,  // sequence<MLOperand>
  boolean,
  unsignedInteger,  // unsigned long
  integer,          // long
  real,             // double
  number,           // MLNumber
  sizes,            // sequence<unsigned long>
  reals,            // sequence<float>
  splits,           // unsigned long or sequence<unsigned long>
  enumeration,
  enumerations,  // sequence of an enumeration
};

// An argument of a method, or a member of its options.
struct Field {
  std::string_view name;
  bool argument = false;  // else an option, which may be absent
  FieldKind kind{};
  std::string enumType{};                         // "MLPaddingMode", of the last two kinds
  std::span<const std::string_view> enumNames{};  // its texts
  formats::Json defaultValue{};                   // null: absent
};

// A method of MLGraphBuilder.
struct Method {
  const ops::OperationRow* row = nullptr;
  std::string optionsType;  // "MLConv2dOptions"
  std::vector<Field> fields;
  bool returnsList = false;

  std::string_view name() const { return row->name; }
};

// The method of an operation.
Method methodOf(const Operation& operation);

// Every method, by name.
std::vector<Method> describeAll();

// The address of the method in the specification.
std::string specificationUrl(const Method& method);

std::string lowerCase(std::string_view text);

// The names in the set, in the order of DataType.
std::vector<std::string_view> dataTypeNames(ops::DataTypeSet types);

}  // namespace webnn::describe
