#include "formats/document/json_fields.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "formats/document/json_parse.h"
#include "formats/document/values.h"
#include "webnn/enums.h"

namespace webnn::formats {

namespace {

[[noreturn]] void failField(std::string_view name, const Json& json, std::string_view what) {
  fail(ErrorKind::dataError, "{} ({}) is not {}.", name, excerpt(json), what);
}

std::string listOf(std::span<const std::string_view> names) {
  std::string list;
  for (std::string_view name : names) list += (list.empty() ? "" : ", ") + std::string(name);
  return list;
}

template <typename Enum>
void readEnum(std::string_view name, const Json& json, Enum& field) {
  const auto value = json.isText() ? fromName<Enum>(json.asText()) : std::nullopt;
  if (!value) failField(name, json, "one of " + listOf(enumNames<Enum>()));
  field = *value;
}

std::optional<std::int64_t> integerOf(const Number& number) {
  if (const double* value = std::get_if<double>(&number.value())) {
    if (std::fabs(*value) > 0x1p53 || *value != std::trunc(*value)) return std::nullopt;  // NaN fails too: it differs from itself
    return static_cast<std::int64_t>(*value);
  }
  if (const std::uint64_t* value = std::get_if<std::uint64_t>(&number.value())) {
    if (*value > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
    return static_cast<std::int64_t>(*value);
  }
  return std::get<std::int64_t>(number.value());
}

// Reads an integer, which other tools may write as 1.0 or "1".
template <typename Integer>
void readInteger(std::string_view name, const Json& json, Integer& field, std::string_view what) {
  const auto number = numberOf(json);
  const auto value = number ? integerOf(*number) : std::nullopt;
  if (!value || *value < std::numeric_limits<Integer>::min() || *value > std::numeric_limits<Integer>::max())
    failField(name, json, what);
  field = static_cast<Integer>(*value);
}

template <typename T>
void readSequence(std::string_view name, const Json& json, std::vector<T>& field) {
  if (!json.isArray()) failField(name, json, "a list");
  field.clear();
  for (const Json& item : json.items()) readField(name, item, field.emplace_back());
}

template <typename T>
void readOptional(std::string_view name, const Json& json, OptionalSequence<T>& field) {
  readSequence(name, json, field.emplace());
}

using formats::toJson;

Json toJson(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "NaN" : value < 0 ? "-Infinity" : "Infinity";
}
Json toJson(bool value) { return value; }
Json toJson(std::uint32_t value) { return value; }
Json toJson(std::int32_t value) { return value; }
Json toJson(float value) { return toJson(static_cast<double>(value)); }
template <typename Enum>
requires std::is_enum_v<Enum> Json toJson(Enum value) { return webnn::name(value); }
template <typename T>
Json toJson(const std::vector<T>& values) {
  Json list = Json::array();
  for (const T& value : values) list.push(toJson(value));
  return list;
}
Json toJson(const Splits& splits) {
  return std::visit([](const auto& value) { return toJson(value); }, splits);
}

struct FieldWriter {
  const std::vector<std::string>& names;
  Json options = Json::object();

  void put(std::string_view, const Operand&) {}  // positional operands are written elsewhere
  void put(std::string_view, const std::vector<Operand>&) {}
  void put(std::string_view name, const std::optional<Operand>& operand) {
    if (operand) options[name] = names[operand->record().index];
  }
  void put(std::string_view name, const std::optional<Number>& value) {
    if (value) options[name] = toJson(*value);
  }
  template <typename T>
  void put(std::string_view name, const OptionalSequence<T>& values) {
    if (values) options[name] = toJson(*values);
  }
  void put(std::string_view name, const auto& value) { options[name] = toJson(value); }
  void argument(std::string_view name, const auto& value) { put(name, value); }
  void option(std::string_view name, const auto& value) { put(name, value); }
};

struct OptionVisitor {
  std::vector<std::string_view> arguments, operands;

  template <typename T>
  void argument(std::string_view name, const T&) {
    arguments.push_back(name);
  }
  template <typename T>
  void option(std::string_view name, const T&) {
    if constexpr (std::is_same_v<T, std::optional<Operand>>) operands.push_back(name);
  }
};

OptionVisitor visitOptions(std::string_view op) {
  OptionVisitor visitor;
  if (const auto operation = makeOperation(op)) visitFields(*operation, visitor);
  return visitor;
}

}  // namespace

Json toJson(const Number& number) {
  if (const double* value = std::get_if<double>(&number.value())) return toJson(*value);
  if (const auto* value = std::get_if<std::int64_t>(&number.value()); value && *value < 0) return *value;
  return std::visit([](auto value) { return Json(static_cast<std::uint64_t>(value)); }, number.value());
}

std::optional<Number> numberOf(const Json& json) {
  if (json.isUnsigned()) return Number(json.asUnsigned());
  if (json.isNegative()) return Number(json.asNegative());
  if (json.isDouble()) return Number(json.asDouble());
  if (!json.isText()) return std::nullopt;
  const std::string& text = json.asText();
  if (text == "Infinity") return Number(std::numeric_limits<double>::infinity());
  if (text == "-Infinity") return Number(-std::numeric_limits<double>::infinity());
  if (text == "NaN") return Number(std::numeric_limits<double>::quiet_NaN());
  return parseNumber(text);
}

Json fieldsToJson(const Operation& operation, const std::vector<std::string>& names) {
  FieldWriter writer{names};
  visitFields(operation, writer);
  if (!label(operation).empty()) writer.options["label"] = label(operation);
  return std::move(writer.options);
}

Json withoutDefaults(std::string_view op, const Json& options) {
  constexpr std::string_view kDisputed[] = {"resetAfter", "outputDataType"};
  const auto operation = makeOperation(op);
  const Json defaults = operation ? fieldsToJson(*operation, {}) : Json::object();
  const auto arguments = visitOptions(op).arguments;
  Json result = Json::object();
  for (const auto& [key, value] : options.members()) {
    const auto isKey = [&key = key](std::string_view other) { return other == key; };
    const Json* const found = defaults.find(key);
    // Compares texts, because -0.0 and 0.0 compare equal as numbers.
    const bool isDefault = found && found->dump() == value.dump();
    if (!isDefault || std::ranges::any_of(arguments, isKey) || std::ranges::any_of(kDisputed, isKey)) result[key] = value;
  }
  return result;
}

std::vector<std::string_view> operandOptions(std::string_view op) { return visitOptions(op).operands; }

void readField(std::string_view name, const Json& json, bool& field) {
  if (!json.isBoolean()) failField(name, json, "true or false");
  field = json.asBoolean();
}
void readField(std::string_view name, const Json& json, std::uint32_t& field) {
  readInteger(name, json, field, "an integer between 0 and 4294967295");
}
void readField(std::string_view name, const Json& json, std::int32_t& field) {
  readInteger(name, json, field, "an integer between -2147483648 and 2147483647");
}
void readField(std::string_view name, const Json& json, Number& field) {
  const auto number = numberOf(json);
  if (!number) failField(name, json, "a number");
  field = *number;
}
void readField(std::string_view name, const Json& json, double& field) {
  Number number;
  readField(name, json, number);
  field = number.toDouble();
}
void readField(std::string_view name, const Json& json, float& field) {
  Number number;
  readField(name, json, number);
  field = static_cast<float>(cast(number, DataType::float32).toDouble());
}
void readField(std::string_view name, const Json& json, DataType& field) {
  if (json.isText()) {
    if (const auto type = dataTypeFromShortName(json.asText())) {
      field = *type;
      return;
    }
  }
  readEnum(name, json, field);
}
void readField(std::string_view name, const Json& json, InputOperandLayout& field) { readEnum(name, json, field); }
void readField(std::string_view name, const Json& json, Conv2dFilterOperandLayout& field) { readEnum(name, json, field); }
void readField(std::string_view name, const Json& json, ConvTranspose2dFilterOperandLayout& field) {
  readEnum(name, json, field);
}
void readField(std::string_view name, const Json& json, GruWeightLayout& field) { readEnum(name, json, field); }
void readField(std::string_view name, const Json& json, LstmWeightLayout& field) { readEnum(name, json, field); }
void readField(std::string_view name, const Json& json, RecurrentNetworkActivation& field) { readEnum(name, json, field); }
void readField(std::string_view name, const Json& json, RecurrentNetworkDirection& field) { readEnum(name, json, field); }
void readField(std::string_view name, const Json& json, PaddingMode& field) { readEnum(name, json, field); }
void readField(std::string_view name, const Json& json, RoundingType& field) { readEnum(name, json, field); }
void readField(std::string_view name, const Json& json, InterpolationMode& field) { readEnum(name, json, field); }
void readField(std::string_view name, const Json& json, std::vector<std::uint32_t>& field) { readSequence(name, json, field); }
void readField(std::string_view name, const Json& json, OptionalSizes& field) { readOptional(name, json, field); }
void readField(std::string_view name, const Json& json, OptionalSequence<float>& field) { readOptional(name, json, field); }
void readField(std::string_view name, const Json& json, OptionalSequence<RecurrentNetworkActivation>& field) {
  readOptional(name, json, field);
}
void readField(std::string_view name, const Json& json, std::optional<Number>& field) { readField(name, json, field.emplace()); }
void readField(std::string_view name, const Json& json, Splits& field) {
  if (json.isArray()) return readSequence(name, json, field.emplace<std::vector<std::uint32_t>>());
  readField(name, json, field.emplace<std::uint32_t>());
}

}  // namespace webnn::formats
