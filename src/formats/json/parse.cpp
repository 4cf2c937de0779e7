#include "formats/json/parse.h"

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "base/text.h"
#include "formats/values.h"

namespace webnn::formats {

namespace {

// Builds the value in the order of the text. nlohmann's own handler would search each object for each new key.
class Handler : public nlohmann::json_sax<Json> {
 public:
  explicit Handler(Json& root) : root_(root) {}

  const std::string& error() const { return error_; }
  std::size_t errorPosition() const { return errorPosition_; }

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t&) override { return put(value); }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& value) override {
    if (!levels_.back().keys.insert(value).second) return fail("the key " + webnn::quoted(value) + " is given twice");
    key_ = std::move(value);
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& exception) override {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while ..."
    std::string_view message = exception.what();
    message.remove_prefix(std::min(message.find("] "), message.size() - 2) + 2);
    if (message.starts_with("parse error at")) message.remove_prefix(std::min(message.find(": "), message.size() - 2) + 2);
    errorPosition_ = position;
    return fail(sanitized(message));
  }

 private:
  struct Level {
    Json* value;
    std::unordered_set<std::string> keys;
  };

  bool fail(std::string message) {
    error_ = std::move(message);
    return false;
  }

  // The parent does not grow while a child of it is open, so pointers to open values stay valid.
  Json* place(Json value) {
    if (levels_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Json& parent = *levels_.back().value;
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    auto& members = static_cast<Json::object_t::Container&>(parent.get_ref<Json::object_t&>());
    members.emplace_back(std::move(key_), std::move(value));
    return &members.back().second;
  }
  bool put(Json value) {
    place(std::move(value));
    return true;
  }
  bool open(Json value) {
    if (levels_.size() >= kMaxNesting) return fail(webnn::format("values are nested deeper than {}", kMaxNesting));
    levels_.push_back({place(std::move(value)), {}});
    return true;
  }
  bool close() {
    levels_.pop_back();
    return true;
  }

  Json& root_;
  std::vector<Level> levels_;
  std::string key_;
  std::string error_;
  std::size_t errorPosition_ = 0;
};

// Counts what the parser has read, for the place of errors that the handler finds.
struct CountedBytes {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at = nullptr;
  std::size_t* count = nullptr;

  reference operator*() const { return *at; }
  CountedBytes& operator++() {
    ++at;
    ++*count;
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

// `position` counts the bytes up to and with the last that was read.
[[noreturn]] void failAt(std::string_view what, std::string_view text, std::size_t position, const std::string& message) {
  const std::string_view before = text.substr(0, std::min(position, text.size()));
  const std::size_t lines = static_cast<std::size_t>(std::ranges::count(before.substr(0, before.size() - !before.empty()), '\n'));
  const std::size_t lineStart = before.substr(0, before.size() - !before.empty()).rfind('\n') + 1;  // npos + 1 is 0
  fail(ErrorKind::dataError, "{}{}line {}, column {}: {}.", what, what.empty() ? "" : ": ", lines + 1,
       std::max<std::size_t>(before.size() - lineStart, 1), message);
}

}  // namespace

Json parseJson(std::string_view text, std::string_view what) {
  // nlohmann takes a zero byte for the end of the text.
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    failAt(what, text, zero + 1, "there is a zero byte");
  }
  Json root;
  Handler handler(root);
  std::size_t count = 0;
  if (Json::sax_parse(CountedBytes{text.data(), &count}, CountedBytes{text.data() + text.size(), &count}, &handler)) return root;
  failAt(what, text, handler.errorPosition() ? handler.errorPosition() : count, handler.error());
}

void JsonAt::fail(const std::string& message) const {
  throw Error(ErrorKind::dataError, (path_.empty() ? "the JSON value" : path_) + ": " + message);
}

std::optional<JsonAt> JsonAt::find(std::string_view key) const {
  if (!json_->is_object()) fail(excerpt(*json_) + " is not an object.");
  const auto found = json_->find(key);
  if (found == json_->end() || found->is_null()) return std::nullopt;
  return JsonAt(*found, path_.empty() ? std::string(key) : webnn::format("{}.{}", path_, key));
}

JsonAt JsonAt::member(std::string_view key) const {
  auto found = find(key);
  if (!found) fail(webnn::format("the key \"{}\" is missing.", key));
  return *found;
}

std::vector<JsonAt> JsonAt::items() const {
  if (!json_->is_array()) fail(excerpt(*json_) + " is not a list.");
  std::vector<JsonAt> result;
  for (const Json& item : *json_) result.emplace_back(item, webnn::format("{}[{}]", path_, result.size()));
  return result;
}

std::vector<std::pair<std::string, JsonAt>> JsonAt::members() const {
  if (!json_->is_object()) fail(excerpt(*json_) + " is not an object.");
  std::vector<std::pair<std::string, JsonAt>> result;
  for (const auto& [key, value] : json_->get_ref<const Json::object_t&>()) {
    result.emplace_back(key, JsonAt(value, webnn::format("{}.{}", path_, sanitized(key))));
  }
  return result;
}

const std::string& JsonAt::text() const {
  if (!json_->is_string()) fail(excerpt(*json_) + " is not a text.");
  return json_->get_ref<const std::string&>();
}

std::uint64_t JsonAt::integerUpTo(std::uint64_t limit) const {
  if (!json_->is_number_unsigned() || json_->get<std::uint64_t>() > limit) {
    fail(webnn::format("{} is not an integer between 0 and {}.", excerpt(*json_), limit));
  }
  return json_->get<std::uint64_t>();
}

std::uint32_t JsonAt::integer() const {
  return static_cast<std::uint32_t>(integerUpTo(std::numeric_limits<std::uint32_t>::max()));
}

std::uint64_t JsonAt::integer64() const { return integerUpTo(std::numeric_limits<std::uint64_t>::max()); }

std::vector<std::uint64_t> JsonAt::integers64() const {
  if (!json_->is_array()) fail(excerpt(*json_) + " is not a list.");
  std::vector<std::uint64_t> result;
  // A hostile list is long, so only an item that is wrong gets a path, unlike with items().
  for (const Json& item : *json_) {
    if (!item.is_number_unsigned()) JsonAt(item, webnn::format("{}[{}]", path_, result.size())).integer64();
    result.push_back(item.get<std::uint64_t>());
  }
  return result;
}

DataType JsonAt::dataType() const {
  const auto type = dataTypeFromName(text());
  if (!type) fail(excerpt(*json_) + " is not a data type.");
  return *type;
}

std::vector<std::string> JsonAt::texts() const {
  std::vector<std::string> result;
  for (const JsonAt& item : items()) result.push_back(item.text());
  return result;
}

std::vector<Dimension> readShape(const JsonAt& json) {
  if (json.json().is_array() && json.json().size() > kMaxRank) {
    json.fail(webnn::format("the rank ({}) is above {}.", json.json().size(), kMaxRank));
  }
  std::vector<Dimension> shape;
  for (const JsonAt& item : json.items()) {
    if (item.json().is_object()) {
      shape.push_back({item.member("maxSize").integer(), item.member("name").text()});
      if (shape.back().name.empty()) item.fail("the name of a dynamic dimension is empty.");
    } else {
      shape.push_back({item.integer(), {}});
    }
  }
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
  if (json.is_string()) return webnn::quoted(json.get_ref<const std::string&>());
  if (json.is_array()) return json.empty() ? "[]" : webnn::format("a list of {}", json.size());
  if (json.is_object()) return "an object";
  return json.dump();
}

std::string jsonString(std::string_view text) {
  try {
    return Json(text).dump();
  } catch (const Json::exception&) {
    webnn::fail(ErrorKind::typeError, "the key {} is not UTF-8.", webnn::quoted(text));
  }
}

}  // namespace webnn::formats
