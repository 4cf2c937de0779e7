// Untrusted JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/document.h"

namespace webnn::formats {

// Parses JSON text. DataError with line and column for malformed text, a key that an object has twice, or nesting
// deeper than kMaxNesting; it begins with `what`, the part of a file that the text is. Takes time and memory in
// proportion to the text.
Json parseJson(std::string_view text, std::string_view what = {});

// A value with its path in the file ("nodes[3].op"). Each reader of a type throws DataError that names the path.
class JsonAt {
 public:
  JsonAt(const Json& json, std::string path) : json_(&json), path_(std::move(path)) {}

  const Json& json() const { return *json_; }
  const std::string& path() const { return path_; }

  // A member that must be there.
  JsonAt member(std::string_view key) const;
  // A member that may be absent or null.
  std::optional<JsonAt> find(std::string_view key) const;
  // The items of a list.
  std::vector<JsonAt> items() const;
  // The members of an object, in order.
  std::vector<std::pair<std::string, JsonAt>> members() const;

  const std::string& text() const;
  std::uint32_t integer() const;
  std::uint64_t integer64() const;
  std::vector<std::uint64_t> integers64() const;
  DataType dataType() const;
  std::vector<std::string> texts() const;

  // Throws DataError: "<path>: <message>".
  [[noreturn]] void fail(const std::string& message) const;

 private:
  std::uint64_t integerUpTo(std::uint64_t limit) const;

  const Json* json_;
  std::string path_;
};

// A shape with fixed dimensions or {"name", "maxSize"}.
std::vector<Dimension> readShape(const JsonAt& json);
// Fixed dimensions only.
OperandDescriptor readDescriptor(const JsonAt& dataType, const JsonAt& shape);

// A short text of a value, for messages.
std::string excerpt(const Json& json);

// `text` as JSON, in quotes. TypeError if it is not UTF-8.
std::string jsonString(std::string_view text);

}  // namespace webnn::formats
