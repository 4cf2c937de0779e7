// JSON from untrusted files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

namespace webnn::formats {

// Throws DataError, which begins with `what`, unless `text` is one JSON value whose objects and arrays are nested at
// most `maxDepth` deep and whose objects name no member twice. Needs no stack however deep the nesting.
void checkJson(std::string_view text, std::string_view what, std::size_t maxDepth);

// The value of a text that passes checkJson. Objects are sorted by key.
nlohmann::json parseJson(std::string_view text, std::string_view what, std::size_t maxDepth = 16);

// The member `name` of `object`, or null if it has none. DataError, which begins with `what`, if `object` is none.
const nlohmann::json* findMember(const nlohmann::json& object, const char* name, std::string_view what);
// The same, but DataError if it has none.
const nlohmann::json& member(const nlohmann::json& object, const char* name, std::string_view what);

// Values of one type, or DataError, which begins with `what`. A number with a point or an exponent is no integer.
std::string_view toText(const nlohmann::json& value, std::string_view what);
std::uint64_t toUnsigned(const nlohmann::json& value, std::string_view what);
std::vector<std::uint64_t> toUnsigneds(const nlohmann::json& value, std::string_view what);

// `text` as a JSON string, in quotes. TypeError if it is not UTF-8.
std::string jsonString(std::string_view text);

}  // namespace webnn::formats
