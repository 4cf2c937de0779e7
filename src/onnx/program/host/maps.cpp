// Maps of ai.onnx.ml, such as the rows of a table that a user passes as dicts. https://onnx.ai/onnx/operators/
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "onnx/program/elements.h"
#include "onnx/program/host_node.h"

namespace webnn::formats::onnx {

namespace {

const Value& mapOf(const HostNode& node) {
  const Value& map = node.value(0);
  if (!map.keys) fail(ErrorKind::dataError, "its input 0 is not a map.");
  return map;
}

std::vector<std::int64_t> integersOf(const Value& value, std::size_t count) {
  return toIntegers(value.type, value.bytes->bytes, count);
}

std::size_t lengthOf(const Value& map) { return elementCount(map.dims); }

// Returns, for each word of the vocabulary, its position in the map, or the map's length if the map lacks the word.
template <typename Key>
std::vector<std::size_t> placesOf(const HostNode& node, const std::vector<Key>& keys, const auto& vocabulary) {
  node.takeRoom(keys.size(), sizeof(std::pair<Key, std::size_t>) + 4 * sizeof(void*));
  node.takeRoom(vocabulary.size(), sizeof(std::size_t));
  std::map<Key, std::size_t> places;
  for (std::size_t i = 0; i < keys.size(); ++i) places.insert_or_assign(keys[i], i);
  std::vector<std::size_t> found;
  found.reserve(vocabulary.size());
  for (const auto& word : vocabulary) {
    node.tick();
    const auto place = places.find(Key(word));
    found.push_back(place == places.end() ? keys.size() : place->second);
  }
  return found;
}

void runDictVectorizer(HostNode& node) {
  const Value& map = mapOf(node);
  const std::size_t length = lengthOf(map);
  const Attribute* const words = node.find("string_vocabulary");
  const bool isText = map.keys->strings != nullptr;
  if (isText != (words != nullptr)) {
    fail(ErrorKind::dataError, "the keys of its map are {}, and its vocabulary is of {}.", isText ? "strings" : "integers",
         words ? "strings" : "integers");
  }
  const std::vector<std::size_t> places =
      isText ? placesOf<std::string_view>(node, {map.keys->strings->begin(), map.keys->strings->end()}, words->strings)
             : placesOf<std::int64_t>(node, integersOf(*map.keys, length), node.integers("int64_vocabulary"));
  const Dims dims{1, std::ssize(places)};
  if (map.strings) {
    StringList taken(node, places.size());
    for (const std::size_t place : places) taken.add(place < length ? std::string_view((*map.strings)[place]) : "");
    return node.set(0, node.makeStrings(dims, std::move(taken)));
  }
  std::byte* to = nullptr;
  Value result = node.make(map.type, dims, to);
  const std::size_t size = elementBytes(map.type);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] < length)
      std::copy_n(map.bytes->bytes.begin() + static_cast<std::ptrdiff_t>(places[i] * size), size, to + i * size);
  }
  node.set(0, std::move(result));
}

template <typename T>
T numberIn(std::string_view text) {
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    fail(ErrorKind::dataError, "the value {} of its map is no number.", webnn::quoted(text));
  return number;
}

// Returns, for each element of the result, the index of its entry in the map. A dense result has all entries in the order of
// their keys. In a sparse result, an entry is at the position that its key gives; entries whose keys are `max_map` or more are
// left out, and positions without an entry get the map's length.
std::vector<std::size_t> castOrder(const HostNode& node, const Value& map, std::size_t length) {
  const std::vector<std::int64_t> keys = integersOf(*map.keys, length);
  node.takeRoom(length, 2 * sizeof(std::size_t));
  std::vector<std::size_t> order(length);
  for (std::size_t i = 0; i < length; ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](std::size_t i) { return keys[i]; });
  const std::string_view form = node.text("map_form", "DENSE");
  if (form == "DENSE") return order;
  if (form != "SPARSE") fail(ErrorKind::dataError, "its map_form is {}.", webnn::quoted(form));
  if (length > 0 && keys[order[0]] < 0) fail(ErrorKind::dataError, "the key {} of its map is negative.", keys[order[0]]);
  const std::int64_t most = node.integer("max_map", 1);
  if (most < 1) fail(ErrorKind::dataError, "its max_map is {}, less than 1.", most);
  node.takeRoom(static_cast<std::size_t>(most), sizeof(std::size_t));
  std::vector<std::size_t> sparse(static_cast<std::size_t>(most), length);
  for (const std::size_t i : order) {
    if (keys[i] < most) sparse[static_cast<std::size_t>(keys[i])] = i;
  }
  return sparse;
}

template <typename T>
std::vector<T> numbersIn(const Value& map) {
  std::vector<T> numbers;
  for (const std::string& text : *map.strings) numbers.push_back(numberIn<T>(text));
  return numbers;
}

// Returns the numbers at these positions, and 0 for a position beyond the last number.
template <typename T>
std::vector<T> taken(const std::vector<std::size_t>& order, const std::vector<T>& numbers) {
  std::vector<T> result;
  result.reserve(order.size());
  for (const std::size_t place : order) result.push_back(place < numbers.size() ? numbers[place] : T{0});
  return result;
}

void runCastMap(HostNode& node) {
  const Value& map = mapOf(node);
  if (map.keys->strings) fail(ErrorKind::dataError, "the keys of its map are strings, not integers.");
  const std::size_t length = lengthOf(map);
  const std::vector<std::size_t> order = castOrder(node, map, length);
  const Dims dims{1, std::ssize(order)};
  const std::string_view kind = node.text("cast_to", "TO_FLOAT");
  if (kind != "TO_FLOAT" && kind != "TO_INT64" && kind != "TO_STRING")
    fail(ErrorKind::dataError, "its cast_to is {}.", webnn::quoted(kind));
  node.takeRoom(length + order.size(), sizeof(double));
  if (kind == "TO_STRING") {
    const std::vector<double> numbers = map.strings ? std::vector<double>() : toNumbers(map.type, map.bytes->bytes, length);
    StringList texts(node, order.size());
    for (const std::size_t place : order) {
      const bool isThere = place < length;
      texts.add(!isThere ? std::string("0.f") : map.strings ? (*map.strings)[place] : std::to_string(numbers[place]));
    }
    return node.set(0, node.makeStrings(dims, std::move(texts)));
  }
  if (map.strings && kind == "TO_INT64") return node.set(0, node.makeIntegers(dims, taken(order, numbersIn<std::int64_t>(map))));
  const std::vector<double> numbers = map.strings ? numbersIn<double>(map) : toNumbers(map.type, map.bytes->bytes, length);
  node.set(0, node.makeNumbers(kind == "TO_FLOAT" ? ElementType::float32 : ElementType::int64, dims, taken(order, numbers)));
}

}  // namespace

std::span<const HostOperator> mapSteps() {
  static constexpr HostOperator kSteps[]{{"ai.onnx.ml", "CastMap", runCastMap},
                                         {"ai.onnx.ml", "DictVectorizer", runDictVectorizer}};
  return kSteps;
}

}  // namespace webnn::formats::onnx
