#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace webnn::formats {

struct JsonStyle {
  std::size_t indent = 0;  // spaces per level, with one item or member per line; 0: one line without spaces
  bool ascii = false;      // escape all non-ASCII characters
  bool replaces = false;   // replace invalid UTF-8 by U+FFFD instead of throwing TypeError
};

// A JSON value in 16 bytes: null, boolean, number, text, list or object. Objects keep member order. The destructor does not
// allocate; nlohmann's does, and can therefore terminate the process.
class Json {
 public:
  using Array = std::vector<Json>;
  using Member = std::pair<std::string, Json>;
  using Object = std::vector<Member>;
  using Bytes = std::vector<std::byte>;

  Json() = default;  // null
  Json(std::nullptr_t) {}
  Json(bool value) : value_(value) {}
  Json(double value) : value_(value) {}
  template <typename T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) Json(T value) {
    if (value < T{}) {
      value_ = static_cast<std::int64_t>(value);
    } else {
      value_ = static_cast<std::uint64_t>(value);
    }
  }
  Json(std::string value);
  Json(std::string_view value) : Json(std::string(value)) {}
  Json(const char* value) : Json(std::string(value)) {}
  template <typename T>
  Json(const std::vector<T>& items) : Json(array()) {
    for (const T& item : items) push(item);
  }
  Json(std::initializer_list<std::pair<std::string_view, Json>> members);
  static Json array();
  static Json array(std::initializer_list<Json> items);
  static Json object();
  // Creates a list of integers from 0 to 255 that are stored in one byte each.
  static Json bytes();

  bool isNull() const { return std::holds_alternative<std::monostate>(value_); }
  bool isBoolean() const { return std::holds_alternative<bool>(value_); }
  bool isUnsigned() const { return std::holds_alternative<std::uint64_t>(value_); }  // an integer of 0 or more
  bool isNegative() const { return std::holds_alternative<std::int64_t>(value_); }   // an integer below 0
  bool isDouble() const { return std::holds_alternative<double>(value_); }
  bool isText() const { return std::holds_alternative<Box<std::string>>(value_); }
  bool isArray() const { return std::holds_alternative<Box<Array>>(value_); }
  bool isBytes() const { return std::holds_alternative<Box<Bytes>>(value_); }
  bool isObject() const { return std::holds_alternative<Box<Object>>(value_); }

  // Each returns the value, which must be of the requested kind.
  bool asBoolean() const { return std::get<bool>(value_); }
  std::uint64_t asUnsigned() const { return std::get<std::uint64_t>(value_); }
  std::int64_t asNegative() const { return std::get<std::int64_t>(value_); }
  double asDouble() const { return std::get<double>(value_); }
  const std::string& asText() const { return *std::get<Box<std::string>>(value_); }
  const Array& items() const { return *std::get<Box<Array>>(value_); }
  Array& items() { return *std::get<Box<Array>>(value_); }
  const Bytes& asBytes() const { return *std::get<Box<Bytes>>(value_); }
  Bytes& asBytes() { return *std::get<Box<Bytes>>(value_); }
  const Object& members() const { return *std::get<Box<Object>>(value_); }
  Object& members() { return *std::get<Box<Object>>(value_); }

  // Returns the number of items, bytes or members; 0 for other kinds.
  std::size_t size() const;
  bool empty() const { return size() == 0; }

  // Returns an object's member; null if it is absent or this is not an object.
  const Json* find(std::string_view key) const;
  Json* find(std::string_view key);
  bool contains(std::string_view key) const { return find(key) != nullptr; }
  // Returns an object's member, appended if absent.
  Json& operator[](std::string_view key);
  void erase(std::string_view key);
  void push(Json item) { items().push_back(std::move(item)); }
  // Converts a list of bytes to a list of values.
  void unpackBytes();

  // Compares numbers by value.
  friend bool operator==(const Json& a, const Json& b);

  // Returns the JSON text. Infinities and NaN become null.
  std::string dump(const JsonStyle& style = {}) const;

 private:
  // Owns a value on the heap; copying the owner copies the value.
  template <typename T>
  class Box {
   public:
    explicit Box(T value) : value_(std::make_unique<T>(std::move(value))) {}
    Box(const Box& other) : value_(other.value_ ? std::make_unique<T>(*other.value_) : nullptr) {}
    Box& operator=(const Box& other) {
      value_ = Box(other).value_;
      return *this;
    }
    Box(Box&&) noexcept = default;
    Box& operator=(Box&&) noexcept = default;
    ~Box() = default;
    T& operator*() const { return *value_; }

   private:
    std::unique_ptr<T> value_;
  };

  void dumpTo(std::string& text, const JsonStyle& style, std::size_t level) const;

  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, Box<std::string>, Box<Array>, Box<Bytes>, Box<Object>>
      value_;
};

// Returns `text` as a JSON string with quotes.
std::string jsonString(std::string_view text, const JsonStyle& style = {});

}  // namespace webnn::formats
