// Computes operators on strings and labels on the host, and Constant with a value of a type that WebNN lacks.
#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "base/unaligned.h"
#include "onnx/program/elements.h"
#include "onnx/program/host/broadcast.h"

namespace webnn::formats::onnx {

namespace {

void runConstant(HostNode& node) {
  if (const auto tensor = node.tensor("value")) return node.set(0, *tensor);
  const Attribute* const one = node.find("value_string");
  const Attribute* const several = node.find("value_strings");
  if (one) return node.set(0, node.makeStrings({}, StringList(node, std::array{one->s})));
  if (!several) fail(ErrorKind::dataError, "it has no value.");
  node.set(0, node.makeStrings({std::ssize(several->strings)}, StringList(node, several->strings)));
}

void runStringConcat(HostNode& node) {
  const Broadcast broadcast(node, {&node.dims(0), &node.dims(1)});
  const std::vector<std::string>&a = node.strings(0), &b = node.strings(1);
  StringList strings(node, broadcast.count());
  broadcast.each([&](const auto& at) { strings.add(a[at[0]], b[at[1]]); });
  node.set(0, node.makeStrings(broadcast.dims(), std::move(strings)));
}

constexpr std::string_view kSpaces = " \t\n\r\f\v";

// Splits like Python's str.split, at most `most` times; if the delimiter is empty, at runs of white space. Calls `visit` with
// each part and returns the number of parts.
std::size_t split(std::string_view text, std::string_view delimiter, std::size_t most, auto visit) {
  std::size_t parts = 0;
  if (!delimiter.empty()) {
    for (std::size_t end; parts < most && (end = text.find(delimiter)) != text.npos; ++parts) {
      visit(text.substr(0, end));
      text.remove_prefix(end + delimiter.size());
    }
    visit(text);
    return parts + 1;
  }
  for (;; ++parts) {
    text.remove_prefix(std::min(text.find_first_not_of(kSpaces), text.size()));
    if (text.empty()) return parts;
    if (parts == most) break;
    const std::size_t end = std::min(text.find_first_of(kSpaces), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(end);
  }
  visit(text.substr(0, text.find_last_not_of(kSpaces) + 1));
  return parts + 1;
}

void runStringSplit(HostNode& node) {
  const Attribute* const most = node.find("maxsplit");
  const auto limit = most && most->i >= 0 ? static_cast<std::size_t>(most->i) : std::string::npos;
  const std::string_view delimiter = node.text("delimiter", "");
  const std::vector<std::string>& texts = node.strings(0);
  std::size_t longest = 0;
  std::vector<std::int64_t> counts;
  node.takeRoom(texts.size(), sizeof(std::int64_t));
  for (const std::string& text : texts) {
    const std::size_t count = split(text, delimiter, limit, [&](std::string_view part) { node.tick(1 + part.size() / 64); });
    longest = std::max(longest, count);
    counts.push_back(static_cast<std::int64_t>(count));
  }
  Dims dims = node.dims(0);
  node.set(1, node.makeIntegers(dims, counts));
  dims.push_back(static_cast<std::int64_t>(longest));
  // Each row is padded with empty strings to the longest one, so one long text among many short ones takes much memory.
  constexpr std::size_t kMostStrings = std::size_t{1} << 26;
  if (longest > 0 && texts.size() > kMostStrings / longest)
    fail(ErrorKind::dataError, "it would have {} times {} strings.", texts.size(), longest);
  StringList strings(node, texts.size() * longest);
  for (const std::string& text : texts) {
    const std::size_t count = split(text, delimiter, limit, [&](std::string_view part) { strings.add(part); });
    for (std::size_t i = count; i < longest; ++i) strings.add("");
  }
  node.set(0, node.makeStrings(std::move(dims), std::move(strings)));
}

// Changes the case of ASCII letters; others would need the tables of Unicode.
void changeCase(std::string& text, std::string_view action) {
  for (char& c : text) {
    if (action == "LOWER" && c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (action == "UPPER" && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
}

std::string withCase(std::string_view text, std::string_view action) {
  std::string result(text);
  changeCase(result, action);
  return result;
}

void runStringNormalizer(HostNode& node) {
  const std::string_view action = node.text("case_change_action", "NONE");
  const bool isCaseSensitive = node.integer("is_case_sensitive", 0) != 0;
  const std::string_view compared = isCaseSensitive ? "NONE" : "LOWER";
  std::set<std::string> stopWords;
  if (const Attribute* const words = node.find("stopwords")) {
    for (const std::string_view word : words->strings) stopWords.insert(withCase(word, compared));
  }
  Dims dims = node.dims(0);
  if (dims.empty() || dims.size() > 2 || (dims.size() == 2 && dims[0] != 1))
    fail(ErrorKind::dataError, "its input has the shape [{}], not [C] or [1, C].", textOf(dims));
  StringList strings(node);
  for (const std::string& text : node.strings(0)) {
    const MemoryCharge room = node.roomFor(text.size(), 1);
    if (!stopWords.contains(withCase(text, compared))) changeCase(strings.add(text), action);
  }
  if (strings.size() == 0) strings.add("");
  dims.back() = static_cast<std::int64_t>(strings.size());
  node.set(0, node.makeStrings(std::move(dims), std::move(strings)));
}

// The keys, the values or the default value of a LabelEncoder: strings, integers or floats, from a list attribute or a tensor.
struct Labels {
  ElementType type{};
  std::shared_ptr<const std::vector<std::string>> strings{};  // null: numbers or integers
  std::vector<double> numbers{};
  std::vector<std::int64_t> integers{};

  std::size_t size() const { return std::max({strings ? strings->size() : 0, numbers.size(), integers.size()}); }
};

Labels stringLabels(const HostNode& node, const auto& texts) {
  return {ElementType::string, StringList::shared(StringList(node, texts))};
}

Labels labelsIn(const Value& value) {
  Labels labels{.type = value.type};
  const std::size_t count = elementCount(value.dims);
  if (value.strings)
    labels.strings = value.strings;
  else if (isIntegerType(value.type))
    labels.integers = toIntegers(value.type, value.bytes->bytes, count);
  else
    labels.numbers = toNumbers(value.type, value.bytes->bytes, count);
  return labels;
}

std::optional<Labels> labelsOf(const HostNode& node, std::string_view kind) {
  const std::string prefix(kind);
  if (const auto tensor = node.tensor(prefix + "_tensor")) return labelsIn(*tensor);
  if (const Attribute* const given = node.find(prefix + "_strings")) return stringLabels(node, given->strings);
  if (const Attribute* const given = node.find(prefix + "_int64s")) return Labels{ElementType::int64, {}, {}, given->ints};
  if (const Attribute* const given = node.find(prefix + "_floats"))
    return Labels{ElementType::float32, {}, {given->floats.begin(), given->floats.end()}, {}};
  return std::nullopt;
}

Labels absentLabel(const HostNode& node, ElementType type) {
  if (const auto tensor = node.tensor("default_tensor")) {
    Labels label = labelsIn(*tensor);
    const bool fits = (type == ElementType::string) == (label.type == ElementType::string) &&
                      isIntegerType(type) == isIntegerType(label.type) && label.size() == 1;
    if (!fits) {
      fail(ErrorKind::dataError, "its default_tensor has {} elements of {}, not 1 of {}.", label.size(),
           webnn::onnx::name(label.type), webnn::onnx::name(type));
    }
    return label;
  }
  if (type == ElementType::string) return stringLabels(node, std::array{node.text("default_string", "_Unused")});
  if (isIntegerType(type)) return {type, {}, {}, {node.integer("default_int64", -1)}};
  return {type, {}, {node.number("default_float", -0.0)}, {}};
}

// Returns the index of each wanted key in `keys`, or keys.size() if it is not there. `Key` is the type to compare: for strings,
// it may be a view.
template <typename Key>
std::vector<std::size_t> placesOf(const auto& keys, const auto& wanted) {
  std::map<Key, std::size_t> places;
  std::size_t nan = keys.size();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] != keys[i])
      nan = i;
    else
      places.try_emplace(keys[i], i);  // of equal keys, the first counts
  }
  std::vector<std::size_t> found;
  for (const auto& key : wanted) {
    if (key != key)
      found.push_back(nan);
    else if (const auto at = places.find(Key(key)); at != places.end())
      found.push_back(at->second);
    else
      found.push_back(keys.size());
  }
  return found;
}

// Sets keys and values from classes_strings, which version 1 has in place of keys_* and values_*. Maps a string to its index in
// the list, or, if the input holds integers, an index to its string.
void readFirstVersion(const HostNode& node, std::optional<Labels>& keys, std::optional<Labels>& values) {
  const Attribute* const classes = node.find("classes_strings");
  if (!classes) return;
  const Labels names = stringLabels(node, classes->strings);
  Labels places{ElementType::int64};
  for (std::size_t i = 0; i < names.size(); ++i) places.integers.push_back(static_cast<std::int64_t>(i));
  const bool isText = node.value(0).strings != nullptr;
  keys = isText ? names : places;
  values = isText ? places : names;
}

void runLabelEncoder(HostNode& node) {
  std::optional<Labels> keys = labelsOf(node, "keys"), values = labelsOf(node, "values");
  readFirstVersion(node, keys, values);
  if (!keys || !values || keys->size() != values->size())
    fail(ErrorKind::dataError, "its keys and values are no two lists of one length.");
  node.takeRoom(elementCount(node.dims(0)), 2 * sizeof(double) + sizeof(std::size_t));
  const Labels given = labelsIn(node.value(0)), absent = absentLabel(node, values->type);
  const bool fits =
      given.strings ? keys->strings != nullptr : !keys->strings && isIntegerType(given.type) == isIntegerType(keys->type);
  if (!fits) {
    fail(ErrorKind::dataError, "its input is of {}, and its keys of {}.", webnn::onnx::name(given.type),
         webnn::onnx::name(keys->type));
  }
  const std::vector<std::size_t> places = given.strings               ? placesOf<std::string_view>(*keys->strings, *given.strings)
                                          : isIntegerType(given.type) ? placesOf<std::int64_t>(keys->integers, given.integers)
                                                                      : placesOf<double>(keys->numbers, given.numbers);
  const auto taken = [&](const auto& all, const auto& other) {
    std::decay_t<decltype(all)> result;
    for (const std::size_t place : places) result.push_back(place < all.size() ? all[place] : other.at(0));
    return result;
  };
  if (values->strings) {
    StringList strings(node, places.size());
    for (const std::size_t place : places)
      strings.add(place < values->size() ? (*values->strings)[place] : absent.strings->at(0));
    return node.set(0, node.makeStrings(node.dims(0), std::move(strings)));
  }
  std::byte* to = nullptr;
  Value result = node.make(values->type, node.dims(0), to);
  if (isIntegerType(values->type))
    fromIntegers(values->type, taken(values->integers, absent.integers), to);
  else
    fromNumbers(values->type, taken(values->numbers, absent.numbers), to);
  node.set(0, std::move(result));
}

// Returns a row for each element: 1 in the column of its category, otherwise 0.
void runOneHotEncoder(HostNode& node) {
  const Attribute* const strings = node.find("cats_strings");
  const bool hasZeros = node.integer("zeros", 1) != 0;
  const Value& input = node.value(0);
  const std::size_t count = elementCount(input.dims);
  node.takeRoom(count, 2 * sizeof(double) + sizeof(std::size_t));
  Labels given = labelsIn(input);
  for (const double number : given.numbers) {  // casts numbers to integers like ONNX Runtime
    constexpr double kEnd = 9223372036854775808.0;
    given.integers.push_back(number >= -kEnd && number < kEnd ? static_cast<std::int64_t>(number)
                                                              : std::numeric_limits<std::int64_t>::min());
  }
  if ((input.strings != nullptr) != (strings != nullptr))
    fail(ErrorKind::dataError, "its categories and its input are not both strings or numbers.");
  const std::vector<std::int64_t> integers = node.integers("cats_int64s");
  const std::size_t categories = strings ? strings->strings.size() : integers.size();
  // If categories are equal, the last one counts, as in ONNX Runtime.
  const auto lastPlaces = [&]<typename Key>(const std::vector<Key>& keys, const auto& wanted) {
    std::vector<std::size_t> places = placesOf<Key>(std::vector<Key>(keys.rbegin(), keys.rend()), wanted);
    for (std::size_t& place : places) place = place < categories ? categories - 1 - place : categories;
    return places;
  };
  const std::vector<std::size_t> places =
      strings ? lastPlaces(strings->strings, *given.strings) : lastPlaces(integers, given.integers);
  Dims dims = input.dims;
  dims.push_back(static_cast<std::int64_t>(categories));
  std::byte* to = nullptr;
  Value result = node.make(ElementType::float32, dims, to);
  for (std::size_t i = 0; i < places.size(); ++i) {
    node.tick();
    if (places[i] < categories)
      storeUnaligned(to + (i * categories + places[i]) * sizeof(float), 1.0F);
    else if (!hasZeros)
      fail(ErrorKind::dataError, "its element {} is none of its {} categories.", i, categories);
  }
  node.set(0, std::move(result));
}

// The n-grams of a TfIdfVectorizer, as lists of words. Integers are compared as text.
struct NGrams {
  std::deque<std::string> integers;
  std::map<std::vector<std::string_view>, std::vector<std::size_t>> places;  // indices into `outputs` and `weights`
  std::vector<std::int64_t> outputs;
  std::vector<float> weights;
  std::int64_t size = 0;  // length of the result
};

NGrams readNGrams(const HostNode& node) {
  NGrams grams;
  std::vector<std::string_view> pool;
  if (const Attribute* const strings = node.find("pool_strings")) pool = strings->strings;
  for (const std::int64_t integer : node.integers("pool_int64s"))
    pool.push_back(grams.integers.emplace_back(std::to_string(integer)));
  const std::vector<std::int64_t> starts = node.integers("ngram_counts");
  grams.outputs = node.integers("ngram_indexes");
  grams.weights = node.floats("weights");
  std::size_t next = 0;
  for (std::size_t n = 0; n < starts.size(); ++n) {
    const auto start = starts[n], end = n + 1 < starts.size() ? starts[n + 1] : std::ssize(pool);
    if (start < 0 || end < start || end > std::ssize(pool) || (end - start) % static_cast<std::int64_t>(n + 1) != 0)
      fail(ErrorKind::dataError, "its ngram_counts do not fit its pool.");
    for (auto at = pool.begin() + start; at != pool.begin() + end; at += static_cast<std::ptrdiff_t>(n + 1))
      grams.places[{at, at + static_cast<std::ptrdiff_t>(n + 1)}].push_back(next++);
  }
  if (next != grams.outputs.size() || (!grams.weights.empty() && grams.weights.size() != next))
    fail(ErrorKind::dataError, "it has {} n-grams, {} indexes and {} weights.", next, grams.outputs.size(), grams.weights.size());
  for (const std::int64_t output : grams.outputs) {
    if (output < 0 || output > 1 << 24) fail(ErrorKind::dataError, "its index {} is out of range.", output);
    grams.size = std::max(grams.size, output + 1);
  }
  return grams;
}

void runTfIdfVectorizer(HostNode& node) {
  const NGrams& grams = node.prepared<NGrams>([&] { return readNGrams(node); });
  const Dims& dims = node.dims(0);
  if (dims.empty() || dims.size() > 2) fail(ErrorKind::dataError, "its input has the rank {}, not 1 or 2.", dims.size());
  std::shared_ptr<const std::vector<std::string>> words = node.value(0).strings;
  if (!words) {
    StringList integers(node, elementCount(dims));
    for (const std::int64_t integer : node.integers(std::size_t{0})) integers.add(std::to_string(integer));
    words = StringList::shared(std::move(integers));
  }
  const auto columns = static_cast<std::size_t>(dims.back()), rows = dims.size() == 2 ? static_cast<std::size_t>(dims[0]) : 1;
  const auto width = static_cast<std::int64_t>(columns);
  const std::int64_t least = std::max<std::int64_t>(node.integer("min_gram_length", 1), 1),
                     most = std::min(node.integer("max_gram_length", 1), width),
                     skips = std::min(node.integer("max_skip_count", 0), width);
  const std::string_view mode = node.text("mode", "TF");
  node.takeRoom(elementCount({static_cast<std::int64_t>(rows), grams.size}), sizeof(double));
  std::vector<double> numbers(rows * static_cast<std::size_t>(grams.size));
  std::vector<std::string_view> gram;
  for (std::size_t row = 0; row < rows && !numbers.empty(); ++row) {
    node.check();
    std::vector<double> counts(grams.outputs.size());
    for (std::int64_t length = least; length <= most; ++length) {
      // An n-gram of one word has no gaps, so skipping words does not change it.
      for (std::int64_t skip = 0; skip <= (length == 1 ? 0 : skips); ++skip) {
        const auto step = static_cast<std::size_t>(skip + 1), reach = static_cast<std::size_t>(length - 1) * step;
        for (std::size_t start = 0; start + reach < columns; ++start) {
          gram.clear();
          node.tick(64 * static_cast<std::size_t>(length));
          for (std::int64_t i = 0; i < length; ++i)
            gram.push_back((*words)[row * columns + start + static_cast<std::size_t>(i) * step]);
          if (const auto found = grams.places.find(gram); found != grams.places.end()) {
            for (const std::size_t place : found->second) ++counts[place];
          }
        }
      }
    }
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const double weight = grams.weights.empty() ? 1 : static_cast<double>(grams.weights[i]);
      const double value = mode == "TF" ? counts[i] : mode == "IDF" ? (counts[i] > 0 ? weight : 0) : counts[i] * weight;
      numbers[row * static_cast<std::size_t>(grams.size) + static_cast<std::size_t>(grams.outputs[i])] += value;
    }
  }
  Dims result = dims;
  result.back() = grams.size;
  node.set(0, node.makeNumbers(ElementType::float32, std::move(result), numbers));
}

}  // namespace

std::span<const HostOperator> stringSteps() {
  static constexpr HostOperator kSteps[]{{"", "Constant", runConstant},
                                         {"ai.onnx.ml", "LabelEncoder", runLabelEncoder},
                                         {"ai.onnx.ml", "OneHotEncoder", runOneHotEncoder},
                                         {"", "StringConcat", runStringConcat},
                                         {"", "StringNormalizer", runStringNormalizer},
                                         {"", "StringSplit", runStringSplit},
                                         {"", "TfIdfVectorizer", runTfIdfVectorizer}};
  return kSteps;
}

}  // namespace webnn::formats::onnx
