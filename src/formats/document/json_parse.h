// Untrusted JSON.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/document/budget.h"
#include "formats/document/document.h"

namespace webnn::formats {

// Parses JSON text. Throws DataError with line and column for malformed text, duplicate keys, or nesting deeper than kMaxNesting;
// the message begins with `what`, the part of the file. Time is proportional to the text, and memory within the budget. The list
// of a key "bytes" may become Json::bytes().
Json parseJson(std::string_view text, std::string_view what, ReadBudget& budget);
// Parses with a budget of its own.
Json parseJson(std::string_view text, std::string_view what = {});

// Parses an object without the members of its object `part`, or without its own if `part` is empty: each of these is passed to
// `visit` and freed, with its budget.
using VisitMember = std::function<void(const std::string& key, const Json& value)>;
Json parseJsonMembers(std::string_view text, std::string_view what, std::string_view part, ReadBudget& budget,
                      const VisitMember& visit);

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
  // Visits list items one at a time, because a hostile list is long and each item has a path.
  void forEachItem(auto&& visit) const {
    for (std::size_t i = 0, size = listSize(); i < size; ++i) visit(item(i));
  }
  // An item of a list, which must have that many.
  JsonAt item(std::size_t index) const;
  // The number of items of a list.
  std::size_t listSize() const;
  // Visits the key and the value of each member of an object, in order.
  void forEachMember(auto&& visit) const {
    for (const Json::Member& member : object().members()) visit(member.first, memberAt(member));
  }
  // Itself, which must be an object.
  const Json& object() const;

  const std::string& text() const;
  std::uint32_t integer() const;
  std::uint64_t integer64() const;
  std::vector<std::uint64_t> integers64() const;
  DataType dataType() const;
  std::vector<std::string> texts(ReadBudget& budget) const;

  // Throws DataError: "<path>: <message>".
  [[noreturn]] void fail(const std::string& message) const;

 private:
  std::uint64_t integerUpTo(std::uint64_t limit) const;
  JsonAt memberAt(const Json::Member& member) const;

  const Json* json_;
  std::string path_;
};

// A shape with fixed dimensions or {"name", "maxSize"}.
std::vector<Dimension> readShape(const JsonAt& json);
// Fixed dimensions only.
OperandDescriptor readDescriptor(const JsonAt& dataType, const JsonAt& shape);

// A short text of a value, for messages.
std::string excerpt(const Json& json);

}  // namespace webnn::formats
