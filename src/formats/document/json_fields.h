// Fields of operations as JSON, written once for every type of field that ops/operation_base.h lists.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/document/document.h"
#include "ops/operation.h"

namespace webnn::formats {

// A number: integers as such, doubles so that they read back bit-equal, infinities and NaN as texts.
Json toJson(const Number& number);
// A number, "Infinity", "-Infinity", "NaN" or a decimal number as text. nullopt for anything else.
std::optional<Number> numberOf(const Json& json);

// The fields of an operation that are not operands, and the label. Absent options are left out; operands of options are
// written as their names, which `names` holds by index.
Json fieldsToJson(const Operation& operation, const std::vector<std::string>& names);

// Removes options of `op` that have their default value, except two whose defaults differ in other tools.
Json withoutDefaults(std::string_view op, const Json& options);

// The names of the options of `op` that are operands.
std::vector<std::string_view> operandOptions(std::string_view op);

// Reads a field that is no operand. DataError: "<name> (<value>) is not <what>."
void readField(std::string_view name, const Json& json, bool& field);
void readField(std::string_view name, const Json& json, std::uint32_t& field);
void readField(std::string_view name, const Json& json, std::int32_t& field);
void readField(std::string_view name, const Json& json, double& field);
void readField(std::string_view name, const Json& json, float& field);
void readField(std::string_view name, const Json& json, Number& field);
void readField(std::string_view name, const Json& json, DataType& field);
void readField(std::string_view name, const Json& json, InputOperandLayout& field);
void readField(std::string_view name, const Json& json, Conv2dFilterOperandLayout& field);
void readField(std::string_view name, const Json& json, ConvTranspose2dFilterOperandLayout& field);
void readField(std::string_view name, const Json& json, GruWeightLayout& field);
void readField(std::string_view name, const Json& json, LstmWeightLayout& field);
void readField(std::string_view name, const Json& json, RecurrentNetworkActivation& field);
void readField(std::string_view name, const Json& json, RecurrentNetworkDirection& field);
void readField(std::string_view name, const Json& json, PaddingMode& field);
void readField(std::string_view name, const Json& json, RoundingType& field);
void readField(std::string_view name, const Json& json, InterpolationMode& field);
void readField(std::string_view name, const Json& json, std::vector<std::uint32_t>& field);
void readField(std::string_view name, const Json& json, OptionalSizes& field);
void readField(std::string_view name, const Json& json, OptionalSequence<float>& field);
void readField(std::string_view name, const Json& json, OptionalSequence<RecurrentNetworkActivation>& field);
void readField(std::string_view name, const Json& json, std::optional<Number>& field);
void readField(std::string_view name, const Json& json, Splits& field);

}  // namespace webnn::formats
