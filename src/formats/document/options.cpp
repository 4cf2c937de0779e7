#include "formats/document/options.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "ops/checks.h"

namespace webnn::formats {

namespace {

struct Alias {
  std::string_view op;    // empty: any operation
  std::string_view key;   // key in camelCase
  std::string_view name;  // name in the specification; empty: the option is dropped
};
constexpr Alias kAliases[] = {
    {"cast", "to", "dataType"}, {"tile", "repeats", "repetitions"},
    {"expand", "axes", ""},     {"", "roundingType", "outputShapeRounding"},
    {"", "hasScale", ""},       {"", "hasBias", ""},
    {"", "pads", "padding"},
};

std::string camelCase(std::string_view key) {
  std::string result;
  for (std::size_t i = 0; i < key.size(); ++i) {
    if (key[i] == '_' && i > 0 && i + 1 < key.size()) {
      result += static_cast<char>(std::toupper(static_cast<unsigned char>(key[++i])));
    } else {
      result += key[i];
    }
  }
  return result;
}

// Returns the specification's name of an option, or an empty name if the option is dropped.
std::string nameOfKey(std::string_view op, std::string_view key, const Json& value) {
  std::string name = camelCase(key);
  if (value.isNull() || (name == "batchDimensions" && value == 0)) return {};
  for (const Alias& alias : kAliases) {
    if (alias.key == name && (alias.op.empty() || alias.op == op)) return std::string(alias.name);
  }
  return name;
}

Json normalizedValue(std::string_view key, std::string_view name, const Json& value,
                     const std::map<std::string, std::uint32_t>& dimensions) {
  const auto sizeOf = [&](const Dimension& dimension) {
    const std::uint32_t size = dimensions.at(dimension.name);
    if (!ops::isSizeField(name) && (size & kOpenBit) != 0)
      fail(ErrorKind::dataError, "the option {} cannot have a dynamic dimension.", webnn::quoted(name));
    return Json(size);
  };
  if (const auto dynamic = dynamicDimensionOf(value); dynamic && ops::isSizeField(name)) return sizeOf(*dynamic);
  if (!value.isArray()) return value;
  const Json::Array& items = value.items();
  if (key == "pads" && items.size() == 4) return Json::array({items[0], items[2], items[1], items[3]});
  Json list = Json::array();
  for (const Json& item : items) {
    const auto dynamic = dynamicDimensionOf(item);
    list.push(dynamic ? sizeOf(*dynamic) : item);
  }
  return list;
}

}  // namespace

std::optional<Dimension> dynamicDimensionOf(const Json& item) {
  if (!item.isObject()) return std::nullopt;
  const Json *const name = item.find("name"), *const size = item.find("maxSize"), *const least = item.find("minSize");
  if (item.size() != (least ? 3u : 2u)) return std::nullopt;
  if (!name || !size || !name->isText() || !size->isUnsigned() || (least && !least->isUnsigned())) return std::nullopt;
  if (name->asText().empty() || size->asUnsigned() > 0xFFFFFFFF) return std::nullopt;
  const std::uint64_t min = least ? least->asUnsigned() : 1;
  if (min > size->asUnsigned()) return std::nullopt;
  return Dimension{static_cast<std::uint32_t>(size->asUnsigned()), name->asText(), static_cast<std::uint32_t>(min)};
}

std::optional<std::string_view> expressionOf(const Dimension& dimension) {
  std::string_view text = dimension.name;
  if (!text.starts_with('=')) return std::nullopt;
  text.remove_prefix(std::min(text.find_first_not_of(' ', 1), text.size()));
  return text;
}

Json dimensionToJson(const Dimension& dimension) {
  if (dimension.name.empty()) return Json(dimension.size);
  Json json{{"name", dimension.name}, {"maxSize", dimension.size}};
  if (dimension.min != 1) json["minSize"] = dimension.min;
  return json;
}

Json withNamesOnly(const Json& option) {
  if (const auto dimension = dynamicDimensionOf(option)) return std::string(expressionOf(*dimension).value_or(dimension->name));
  if (!option.isArray()) return option;
  Json list = Json::array();
  for (const Json& item : option.items()) list.push(withNamesOnly(item));
  return list;
}

void forEachDynamic(const Json& options, FunctionRef<void(const Dimension&)> visit) {
  for (const auto& [key, option] : options.members()) {
    if (const auto dimension = dynamicDimensionOf(option)) visit(*dimension);
    if (!option.isArray()) continue;
    for (const Json& item : option.items()) {
      if (const auto dimension = dynamicDimensionOf(item)) visit(*dimension);
    }
  }
}

Json normalizedOptions(std::string_view op, const Json& options, const std::map<std::string, std::uint32_t>& dimensions) {
  constexpr std::size_t kMaxOptions = 64;  // more than any operation has; bounds the quadratic search
  if (options.size() > kMaxOptions)
    fail(ErrorKind::dataError, "the number of options ({}) is above {}.", options.size(), kMaxOptions);
  Json result = Json::object();
  for (const auto& [key, value] : options.members()) {
    const std::string name = nameOfKey(op, key, value);
    if (name.empty()) continue;
    if (result.contains(name)) fail(ErrorKind::dataError, "the option {} is given twice.", webnn::quoted(name));
    result[name] = normalizedValue(key, name, value, dimensions);
  }
  return result;
}

}  // namespace webnn::formats
