#include "formats/strict_json.h"

#include <set>
#include <string>
#include <vector>

#include "base/text.h"

namespace webnn::formats {

using nlohmann::json;

namespace {

// What nlohmann says, without "[json.exception.parse_error.101] ".
std::string reasonOf(const json::exception& error) {
  const std::string_view message = error.what();
  const std::size_t end = message.find("] ");
  return sanitized(end == std::string_view::npos ? message : message.substr(end + 2));
}

// Receives events of nlohmann's parser, which keeps its own stack, and builds nothing but the sets of keys.
class Checker : public nlohmann::json_sax<json> {
 public:
  Checker(std::string_view what, std::size_t maxDepth) : what_(what), maxDepth_(maxDepth) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return enter(); }
  bool start_array(std::size_t) override { return enter(); }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }
  bool key(string_t& name) override {
    if (!keys_.back().insert(name).second) {
      fail(ErrorKind::dataError, "{}: the key {} is there twice.", what_, webnn::quoted(name));
    }
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const json::exception& error) override {
    fail(ErrorKind::dataError, "{} is not JSON: {}.", what_, reasonOf(error));
  }

 private:
  bool enter() {
    if (keys_.size() == maxDepth_) fail(ErrorKind::dataError, "{} is nested more than {} deep.", what_, maxDepth_);
    keys_.emplace_back();
    return true;
  }
  bool leave() {
    keys_.pop_back();
    return true;
  }

  std::string_view what_;
  std::size_t maxDepth_;
  std::vector<std::set<std::string>> keys_;  // of the objects and arrays that are open
};

}  // namespace

void checkJson(std::string_view text, std::string_view what, std::size_t maxDepth) {
  // nlohmann takes a zero byte for the end of the text.
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    fail(ErrorKind::dataError, "{} is not JSON: there is a zero byte at {}.", what, zero);
  }
  Checker checker(what, maxDepth);
  json::sax_parse(text.begin(), text.end(), &checker);
}

json parseJson(std::string_view text, std::string_view what, std::size_t maxDepth) {
  checkJson(text, what, maxDepth);
  return json::parse(text.begin(), text.end());
}

const json* findMember(const json& object, const char* name, std::string_view what) {
  if (!object.is_object()) fail(ErrorKind::dataError, "{} is no object.", what);
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

const json& member(const json& object, const char* name, std::string_view what) {
  const json* found = findMember(object, name, what);
  if (!found) fail(ErrorKind::dataError, "{} has no {}.", what, webnn::quoted(name));
  return *found;
}

std::string_view toText(const json& value, std::string_view what) {
  if (!value.is_string()) fail(ErrorKind::dataError, "{} is no string.", what);
  return value.get_ref<const std::string&>();
}

std::uint64_t toUnsigned(const json& value, std::string_view what) {
  if (!value.is_number_unsigned()) fail(ErrorKind::dataError, "{} is no integer from 0 to 2^64 - 1.", what);
  return value.get<std::uint64_t>();
}

std::vector<std::uint64_t> toUnsigneds(const json& value, std::string_view what) {
  if (!value.is_array()) fail(ErrorKind::dataError, "{} is no array.", what);
  std::vector<std::uint64_t> result;
  for (const json& item : value) result.push_back(toUnsigned(item, what));
  return result;
}

std::string jsonString(std::string_view text) {
  try {
    return json(text).dump();
  } catch (const json::exception&) {
    fail(ErrorKind::typeError, "the key {} is not UTF-8.", webnn::quoted(text));
  }
}

}  // namespace webnn::formats
