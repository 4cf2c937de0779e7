#include "formats/document/json_parse.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>

#include "base/progress.h"
#include "base/text.h"
#include "formats/document/values.h"

namespace webnn::formats {

namespace {

// FNV-1a with 64 bits. WebAssembly's std::hash has 32 bits, too few to exclude collisions among many keys.
std::uint64_t hashOf(std::string_view key) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const char c : key) hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x100000001B3;
  return hash;
}

// Receives nlohmann's parser events and builds the value.
class Handler : public nlohmann::json_sax<nlohmann::json> {
 public:
  Handler(Json& root, ReadBudget& budget, std::string_view part, const VisitMember* visit)
      : root_(root), budget_(budget), part_(part), visit_(visit) {}

  const std::string& error() const { return error_; }
  std::size_t errorPosition() const { return errorPosition_; }

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override {
    if (levels_.empty() || !levels_.back().value->isBytes() || value > 255) return put(value);
    budget_.charge(2);
    levels_.back().value->asBytes().push_back(static_cast<std::byte>(value));
    return true;
  }
  bool number_float(number_float_t value, const string_t& text) override {
    // Integers just below the minimum int64 would be rounded to it and accepted.
    if (value == -0x1p63 && text.find_first_of(".eE") == text.npos && text != "-9223372036854775808")
      value = std::nextafter(value, -std::numeric_limits<double>::infinity());
    return put(value);
  }
  bool string(string_t& value) override {
    budget_.charge(sizeof(std::string) + value.capacity());
    return put(std::move(value));
  }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(key_ == "bytes" ? Json::bytes() : Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& value) override {
    // Keys are compared by a 64-bit hash, which saves a copy of each; accidental collisions are negligible.
    if (!levels_.back().keys.insert(hashOf(value)).second) return fail("the key " + webnn::quoted(value) + " is given twice");
    budget_.charge(value.capacity() + kHashBytes);
    if (levels_.back().isVisited) beforeMember_ = budget_;
    key_ = std::move(value);
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& exception) override {
    // Removes nlohmann's prefix: "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while ..."
    std::string_view message = exception.what();
    message.remove_prefix(std::min(message.find("] "), message.size() - 2) + 2);
    if (message.starts_with("parse error at")) message.remove_prefix(std::min(message.find(": "), message.size() - 2) + 2);
    errorPosition_ = position;
    return fail(sanitized(message));
  }

 private:
  static constexpr std::size_t kHashBytes = 48;  // approximate bytes of a set item
  struct Level {
    Json* value;
    bool isVisited = false;  // members are visited one by one and freed
    std::unordered_set<std::uint64_t> keys{};
  };

  bool fail(std::string message) {
    error_ = std::move(message);
    return false;
  }

  // Pointers to lists and objects that have not ended yet stay valid, because a parent does not grow before its child ends.
  Json* place(Json value) {
    if (levels_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Json& parent = *levels_.back().value;
    if (parent.isObject()) {
      budget_.chargeItem<Json::Member>();
      return &parent.members().emplace_back(std::move(key_), std::move(value)).second;
    }
    if (parent.isBytes()) unpack(parent);
    budget_.chargeItem<Json>();
    return &parent.items().emplace_back(std::move(value));
  }
  // Converts a list that held only bytes so far to a list of values.
  void unpack(Json& list) {
    budget_.charge(2 * sizeof(Json) * list.size());
    list.unpackBytes();
  }
  bool put(Json value) {
    place(std::move(value));
    visitMember();
    return true;
  }
  // Called after each value: passes a finished member to the visitor.
  void visitMember() {
    if (levels_.empty() || !levels_.back().isVisited) return;
    Json::Object& members = levels_.back().value->members();
    (*visit_)(members.back().first, members.back().second);
    members.pop_back();
    budget_ = *beforeMember_;
  }
  bool open(Json value) {
    if (levels_.size() >= kMaxNesting) return fail(formatText("values are nested deeper than {}", kMaxNesting));
    budget_.charge(sizeof(Json::Array));
    const bool isVisited = visit_ && value.isObject() && (part_.empty() ? levels_.empty() : levels_.size() == 1 && key_ == part_);
    levels_.push_back({place(std::move(value)), isVisited});
    return true;
  }
  bool close() {
    levels_.pop_back();
    visitMember();
    return true;
  }

  Json& root_;
  ReadBudget& budget_;
  const std::string_view part_;
  const VisitMember* const visit_;
  std::optional<ReadBudget> beforeMember_;
  std::vector<Level> levels_;
  std::string key_;
  std::string error_;
  std::size_t errorPosition_ = 0;
};

// An iterator over bytes that counts how many were parsed, for error positions and budget checks.
struct CountedBytes {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;
  static constexpr std::size_t kBytesPerLook = 1 << 16;

  const char* at = nullptr;
  std::size_t* count = nullptr;

  reference operator*() const { return *at; }
  CountedBytes& operator++() {
    ++at;
    if (++*count % kBytesPerLook == 0) BudgetScope::current().check();
    return *this;
  }
  CountedBytes operator++(int) {
    CountedBytes old = *this;
    ++*this;
    return old;
  }
  bool operator==(const CountedBytes& other) const { return at == other.at; }
  bool operator!=(const CountedBytes& other) const { return at != other.at; }
};

// Throws a DataError that gives line and column of the last byte read. `position`: the number of bytes read.
[[noreturn]] void failAt(std::string_view what, std::string_view text, std::size_t position, const std::string& message) {
  const std::string_view before = text.substr(0, std::min(position, text.size()));
  const std::size_t lines = static_cast<std::size_t>(std::ranges::count(before.substr(0, before.size() - !before.empty()), '\n'));
  // without an earlier line end, npos + 1 is 0
  const std::size_t lineStart = before.substr(0, before.size() - !before.empty()).rfind('\n') + 1;
  fail(ErrorKind::dataError, "{}{}line {}, column {}: {}.", what, what.empty() ? "" : ": ", lines + 1,
       std::max<std::size_t>(before.size() - lineStart, 1), message);
}

Json parse(std::string_view text, std::string_view what, std::string_view part, ReadBudget& budget, const VisitMember* visit) {
  // nlohmann treats a zero byte as the end of the text, so reject it here.
  if (const std::size_t zero = zeroByte(text); zero < text.size()) failAt(what, text, zero + 1, "there is a zero byte");
  // Versions of nlohmann differ in their error text for empty input, so report it here.
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) failAt(what, text, text.size(), "unexpected end of input");
  Json root;
  Handler handler(root, budget, part, visit);
  std::size_t count = 0;
  if (nlohmann::json::sax_parse(CountedBytes{text.data(), &count}, CountedBytes{text.data() + text.size(), &count}, &handler))
    return root;
  failAt(what, text, handler.errorPosition() ? handler.errorPosition() : count, handler.error());
}

}  // namespace

Json parseJson(std::string_view text, std::string_view what) {
  ReadBudget budget(text.size());
  return parseJson(text, what, budget);
}

Json parseJson(std::string_view text, std::string_view what, ReadBudget& budget) {
  return parse(text, what, {}, budget, nullptr);
}

Json parseJsonMembers(std::string_view text, std::string_view what, std::string_view part, ReadBudget& budget,
                      const VisitMember& visit) {
  return parse(text, what, part, budget, &visit);
}

void JsonAt::fail(const std::string& message) const {
  throw Error(ErrorKind::dataError, (path_.empty() ? "the JSON value" : path_) + ": " + message);
}

std::optional<JsonAt> JsonAt::find(std::string_view key) const {
  const Json* const found = object().find(key);
  if (!found || found->isNull()) return std::nullopt;
  return JsonAt(*found, path_.empty() ? std::string(key) : formatText("{}.{}", path_, key));
}

JsonAt JsonAt::member(std::string_view key) const {
  auto found = find(key);
  if (!found) fail(formatText("the key \"{}\" is missing.", key));
  return *found;
}

const Json& JsonAt::object() const {
  if (!json_->isObject()) fail(excerpt(*json_) + " is not an object.");
  return *json_;
}

std::size_t JsonAt::listSize() const {
  if (!json_->isArray()) fail(excerpt(*json_) + " is not a list.");
  return json_->size();
}

JsonAt JsonAt::item(std::size_t index) const { return {json_->items()[index], formatText("{}[{}]", path_, index)}; }

JsonAt JsonAt::memberAt(const Json::Member& member) const {
  return {member.second, path_.empty() ? sanitized(member.first) : formatText("{}.{}", path_, sanitized(member.first))};
}

const std::string& JsonAt::text() const {
  if (!json_->isText()) fail(excerpt(*json_) + " is not a text.");
  return json_->asText();
}

std::uint64_t JsonAt::integerUpTo(std::uint64_t limit) const {
  if (!json_->isUnsigned() || json_->asUnsigned() > limit) {
    fail(formatText("{} is not an integer between 0 and {}.", excerpt(*json_), limit));
  }
  return json_->asUnsigned();
}

std::uint32_t JsonAt::integer() const {
  return static_cast<std::uint32_t>(integerUpTo(std::numeric_limits<std::uint32_t>::max()));
}

std::uint64_t JsonAt::integer64() const { return integerUpTo(std::numeric_limits<std::uint64_t>::max()); }

std::vector<std::uint64_t> JsonAt::integers64() const {
  std::vector<std::uint64_t> result;
  result.reserve(listSize());
  // A hostile list may be long, so only the invalid item gets a path.
  for (const Json& value : json_->items()) {
    if (!value.isUnsigned()) item(result.size()).integer64();
    result.push_back(value.asUnsigned());
  }
  return result;
}

DataType JsonAt::dataType() const {
  const auto type = dataTypeFromName(text());
  if (!type) fail(excerpt(*json_) + " is not a data type.");
  return *type;
}

std::vector<std::string> JsonAt::texts(ReadBudget& budget) const {
  std::vector<std::string> result;
  forEachItem([&](const JsonAt& item) {
    budget.chargeItem<std::string>(item.text().size());
    result.push_back(item.text());
  });
  return result;
}

std::vector<Dimension> readShape(const JsonAt& json) {
  if (json.listSize() > kMaxRank) json.fail(formatText("the rank ({}) is above {}.", json.listSize(), kMaxRank));
  std::vector<Dimension> shape;
  json.forEachItem([&](const JsonAt& item) {
    if (item.json().isObject()) {
      shape.push_back({item.member("maxSize").integer(), item.member("name").text()});
      if (item.json().find("minSize")) shape.back().min = item.member("minSize").integer();
      if (shape.back().name.empty()) item.fail("the name of a dynamic dimension is empty.");
    } else {
      shape.push_back({item.integer(), {}});
    }
  });
  return shape;
}

OperandDescriptor readDescriptor(const JsonAt& dataType, const JsonAt& shape) {
  OperandDescriptor descriptor{dataType.dataType(), {}};
  for (const Dimension& dimension : readShape(shape)) {
    if (!dimension.name.empty()) shape.fail("the shape of a constant has a dynamic dimension.");
    descriptor.shape.push_back(dimension.size);
  }
  return descriptor;
}

std::string excerpt(const Json& json) {
  if (json.isText()) return webnn::quoted(json.asText());
  if (json.isArray() || json.isBytes()) return json.empty() ? "[]" : formatText("a list of {}", json.size());
  if (json.isObject()) return "an object";
  return json.dump();
}

}  // namespace webnn::formats
