// Parses untrusted JSON.
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
// the message begins with `what`, which names the part of the file. Time is proportional to the text, and memory within the
// budget. A list with the key "bytes" may be stored as Json::bytes().
Json parseJson(std::string_view text, std::string_view what, ReadBudget& budget);
// Parses with a new budget of its own.
Json parseJson(std::string_view text, std::string_view what = {});

// Parses an object. The members of its object `part` (of the object itself if `part` is empty) are passed to `visit` one by one
// and freed instead of stored, to save memory.
using VisitMember = std::function<void(const std::string& key, const Json& value)>;
Json parseJsonMembers(std::string_view text, std::string_view what, std::string_view part, ReadBudget& budget,
                      const VisitMember& visit);

// A value with its path in the file ("nodes[3].op"). Each typed reader throws DataError with the path.
class JsonAt {
 public:
  JsonAt(const Json& json, std::string path) : json_(&json), path_(std::move(path)) {}

  const Json& json() const { return *json_; }
  const std::string& path() const { return path_; }

  // Returns a member. Throws DataError if it is absent or null.
  JsonAt member(std::string_view key) const;
  // Returns a member; nullopt if it is absent or null.
  std::optional<JsonAt> find(std::string_view key) const;
  // Calls `visit` for each list item. Makes the path of one item at a time, because a list in an untrusted file may be very long.
  void forEachItem(auto&& visit) const {
    for (std::size_t i = 0, size = listSize(); i < size; ++i) visit(item(i));
  }
  // Returns a list item. `index` must be less than listSize().
  JsonAt item(std::size_t index) const;
  std::size_t listSize() const;
  // Visits the key and the value of each member of an object, in order.
  void forEachMember(auto&& visit) const {
    for (const Json::Member& member : object().members()) visit(member.first, memberAt(member));
  }
  // Returns the value itself. Throws DataError if it is not an object.
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

// Reads a shape, whose dimensions are fixed sizes or {"name", "maxSize"} with an optional "minSize".
std::vector<Dimension> readShape(const JsonAt& json);
// Reads a descriptor. Throws DataError for open dimensions.
OperandDescriptor readDescriptor(const JsonAt& dataType, const JsonAt& shape);

// Returns the value as text, shortened for error messages.
std::string excerpt(const Json& json);

}  // namespace webnn::formats
