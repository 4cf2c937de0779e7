#include "formats/document/json_value.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "formats/document/values.h"

namespace webnn::formats {

namespace {

// Returns the number as double, to compare numbers of different kinds.
double doubleOf(const Json& json) {
  if (json.isUnsigned()) return static_cast<double>(json.asUnsigned());
  return json.isNegative() ? static_cast<double>(json.asNegative()) : json.asDouble();
}
bool isNumber(const Json& json) { return json.isUnsigned() || json.isNegative() || json.isDouble(); }

// Returns a pointer to a member, which is const if `json` is const. Null if `json` is no object or lacks the member.
template <typename Value>
Value* findMember(Value& json, std::string_view key) {
  if (!json.isObject()) return nullptr;
  const auto found = std::ranges::find(json.members(), key, &Json::Member::first);
  return found == json.members().end() ? nullptr : &found->second;
}

}  // namespace

Json::Json(std::string value) : value_(Box<std::string>(std::move(value))) {}

Json::Json(std::initializer_list<std::pair<std::string_view, Json>> members) : Json(object()) {
  for (const auto& [key, value] : members) this->members().emplace_back(key, value);
}

Json Json::array() { return array({}); }
Json Json::array(std::initializer_list<Json> items) {
  Json json;
  json.value_ = Box<Array>(Array(items));
  return json;
}
Json Json::object() {
  Json json;
  json.value_ = Box<Object>(Object());
  return json;
}
Json Json::bytes() {
  Json json;
  json.value_ = Box<Bytes>(Bytes());
  return json;
}

std::size_t Json::size() const {
  if (isArray()) return items().size();
  if (isBytes()) return asBytes().size();
  return isObject() ? members().size() : 0;
}

const Json* Json::find(std::string_view key) const { return findMember(*this, key); }
Json* Json::find(std::string_view key) { return findMember(*this, key); }

Json& Json::operator[](std::string_view key) {
  if (Json* const found = find(key)) return *found;
  return members().emplace_back(key, Json()).second;
}

void Json::erase(std::string_view key) {
  std::erase_if(members(), [&](const Member& member) { return member.first == key; });
}

void Json::unpackBytes() {
  Json list = array();
  for (const std::byte byte : asBytes()) list.push(std::to_integer<std::uint8_t>(byte));
  *this = std::move(list);
}

bool operator==(const Json& a, const Json& b) {
  if (a.value_.index() != b.value_.index()) return isNumber(a) && isNumber(b) && doubleOf(a) == doubleOf(b);
  if (a.isText()) return a.asText() == b.asText();
  if (a.isArray()) return a.items() == b.items();
  if (a.isBytes()) return a.asBytes() == b.asBytes();
  if (a.isObject()) return a.members() == b.members();
  if (a.isBoolean()) return a.asBoolean() == b.asBoolean();
  if (a.isUnsigned()) return a.asUnsigned() == b.asUnsigned();
  if (a.isNegative()) return a.asNegative() == b.asNegative();
  return a.isNull() || a.asDouble() == b.asDouble();
}

std::string Json::dump(const JsonStyle& style) const {
  std::string text;
  dumpTo(text, style, 0);
  return text;
}

void Json::dumpTo(std::string& text, const JsonStyle& style, std::size_t level) const {
  const auto startLine = [&](std::size_t lineLevel) {
    if (style.indent > 0) text.append(1, '\n').append(lineLevel * style.indent, ' ');
  };
  const auto list = [&](char open, const auto& all, char close, auto&& write) {
    text += open;
    bool isFirst = true;
    for (const auto& item : all) {
      if (!std::exchange(isFirst, false)) text += ',';
      startLine(level + 1);
      write(item);
    }
    if (!all.empty()) startLine(level);
    text += close;
  };
  if (isNull()) {
    text += "null";
  } else if (isBoolean()) {
    text += asBoolean() ? "true" : "false";
  } else if (isUnsigned()) {
    text += std::to_string(asUnsigned());
  } else if (isNegative()) {
    text += std::to_string(asNegative());
  } else if (isDouble()) {
    text += nlohmann::json(asDouble()).dump();
  } else if (isText()) {
    text += jsonString(asText(), style);
  } else if (isArray()) {
    list('[', items(), ']', [&](const Json& item) { item.dumpTo(text, style, level + 1); });
  } else if (isBytes()) {
    list('[', asBytes(), ']', [&](std::byte byte) { text += std::to_string(std::to_integer<int>(byte)); });
  } else {
    list('{', members(), '}', [&](const Member& member) {
      text += jsonString(member.first, style) + (style.indent > 0 ? ": " : ":");
      member.second.dumpTo(text, style, level + 1);
    });
  }
}

std::string jsonString(std::string_view text, const JsonStyle& style) {
  using OnError = nlohmann::json::error_handler_t;
  if (!style.replaces && validUtf8Length(text) != text.size())
    fail(ErrorKind::typeError, "the text {} is not UTF-8.", webnn::quoted(text));
  return nlohmann::json(text).dump(-1, ' ', style.ascii, style.replaces ? OnError::replace : OnError::strict);
}

}  // namespace webnn::formats
