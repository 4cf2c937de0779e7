// Converts fields of operations to and from JSON, once for each field type of ops/operation_base.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/document/document.h"
#include "ops/operation.h"

namespace webnn::formats {

// Converts a number. Finite doubles read back bit-equal; infinities and NaN become texts.
Json toJson(const Number& number);
// Reads a number, a decimal number as text, "Infinity", "-Infinity" or "NaN"; otherwise nullopt.
std::optional<Number> numberOf(const Json& json);

// Returns the label and the fields that are not positional operands. Absent options are omitted. Option operands are written by
// name; `names` are indexed by operand.
Json fieldsToJson(const Operation& operation, const std::vector<std::string>& names);

// Removes options that equal their defaults, except resetAfter and outputDataType, whose defaults differ in other tools.
Json withoutDefaults(std::string_view op, const Json& options);

// Returns the names of the options of `op` that are operands.
std::vector<std::string_view> operandOptions(std::string_view op);

// Reads a field that is not an operand. Throws a DataError with the text "<name> (<value>) is not <what>."
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
