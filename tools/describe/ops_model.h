// Describes the methods of MLGraphBuilder that are operations, with their fields and results, for code generators. Derived from
// the operation table.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/document/json_value.h"
#include "ops/operation.h"

namespace webnn::describe {

// The kinds of fields. Comments give the WebIDL types.
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

// An argument of a method or a member of its options dictionary.
struct Field {
  std::string_view name;
  bool argument = false;  // false: an option, which may be absent
  FieldKind kind{};
  bool mayBeOpen = false;                         // takes the expressions of GraphBuilder::openSize()
  std::string enumType{};                         // such as "MLPaddingMode"; only for enumeration and enumerations
  std::span<const std::string_view> enumNames{};  // the enumeration's values
  formats::Json defaultValue{};                   // null: no default
};

struct Method {
  const ops::OperationRow* row = nullptr;
  std::string optionsType;  // such as "MLConv2dOptions"
  std::vector<Field> fields;
  bool returnsList = false;

  std::string_view name() const { return row->name; }
};

// Returns the method that builds this operation.
Method methodOf(const Operation& operation);

// Returns all methods, sorted by name.
std::vector<Method> describeAll();

// Returns the URL of the method in the specification.
std::string specificationUrl(const Method& method);

std::string lowerCase(std::string_view text);

// Returns the names of the data types in the set, in the order of DataType.
std::vector<std::string_view> dataTypeNames(ops::DataTypeSet types);

}  // namespace webnn::describe
