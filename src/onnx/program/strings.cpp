// Operators on strings.
#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>

#include "base/unaligned.h"
#include "onnx/program/broadcast.h"
#include "onnx/program/elements.h"

namespace webnn::formats::onnx {

namespace {

const std::vector<std::string>& stringsOf(const HostNode& node, std::size_t index) {
  const Value& value = node.value(index);
  if (!value.strings) fail(ErrorKind::dataError, "its input {} is of {}, not of strings.", index, webnn::onnx::name(value.type));
  return *value.strings;
}

void runConstant(HostNode& node) {
  if (const auto tensor = node.tensor("value")) return node.set(0, *tensor);
  const Attribute* const one = node.find("value_string");
  const Attribute* const several = node.find("value_strings");
  if (one) return node.set(0, node.makeStrings({}, {std::string(one->s)}));
  if (!several) fail(ErrorKind::dataError, "it has no value.");
  node.set(0, node.makeStrings({std::ssize(several->strings)}, {several->strings.begin(), several->strings.end()}));
}

void runStringConcat(HostNode& node) {
  const Broadcast broadcast(node, {&node.dims(0), &node.dims(1)});
  const std::vector<std::string>&a = stringsOf(node, 0), &b = stringsOf(node, 1);
  std::vector<std::string> strings;
  node.takeRoom(broadcast.count(), sizeof(std::string));
  broadcast.each([&](const auto& at) {
    node.takeRoom(a[at[0]].size() + b[at[1]].size(), 1);
    strings.push_back(a[at[0]] + b[at[1]]);
  });
  node.set(0, node.makeStrings(broadcast.dims(), std::move(strings)));
}

constexpr std::string_view kSpaces = " \t\n\r\f\v";

// Splits like Python's str.split: at runs of white space without a delimiter.
std::vector<std::string> split(std::string_view text, std::string_view delimiter, std::size_t most) {
  std::vector<std::string> parts;
  if (!delimiter.empty()) {
    for (std::size_t end; parts.size() < most && (end = text.find(delimiter)) != text.npos;) {
      parts.emplace_back(text.substr(0, end));
      text.remove_prefix(end + delimiter.size());
    }
    parts.emplace_back(text);
    return parts;
  }
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(kSpaces), text.size()));
    if (text.empty()) return parts;
    if (parts.size() == most) break;
    const std::size_t end = std::min(text.find_first_of(kSpaces), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  parts.emplace_back(text.substr(0, text.find_last_not_of(kSpaces) + 1));
  return parts;
}

void runStringSplit(HostNode& node) {
  const Attribute* const most = node.find("maxsplit");
  const auto limit = most && most->i >= 0 ? static_cast<std::size_t>(most->i) : std::string::npos;
  std::vector<std::vector<std::string>> all;
  std::size_t longest = 0;
  std::vector<std::int64_t> counts;
  for (const std::string& text : stringsOf(node, 0)) {
    all.push_back(split(text, node.text("delimiter", ""), limit));
    node.takeRoom(all.back().size(), sizeof(std::string));
    longest = std::max(longest, all.back().size());
    counts.push_back(std::ssize(all.back()));
  }
  Dims dims = node.dims(0);
  node.set(1, node.makeIntegers(dims, counts));
  dims.push_back(static_cast<std::int64_t>(longest));
  std::vector<std::string> strings;
  // Each row is padded with empty strings to the longest one, so one long text among many short ones would take much memory.
  constexpr std::size_t kMostStrings = std::size_t{1} << 26;
  if (longest > 0 && all.size() > kMostStrings / longest)
    fail(ErrorKind::dataError, "it would have {} times {} strings.", all.size(), longest);
  node.takeRoom(all.size() * longest, sizeof(std::string));
  for (std::vector<std::string>& parts : all) {
    node.tick(longest);
    parts.resize(longest);
    std::ranges::move(parts, std::back_inserter(strings));
  }
  node.set(0, node.makeStrings(std::move(dims), std::move(strings)));
}

// Changes the case of ASCII letters; others would need the tables of Unicode.
std::string withCase(std::string text, std::string_view action) {
  for (char& c : text) {
    if (action == "LOWER" && c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (action == "UPPER" && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

void runStringNormalizer(HostNode& node) {
  const std::string_view action = node.text("case_change_action", "NONE");
  const bool isCaseSensitive = node.integer("is_case_sensitive", 0) != 0;
  const std::string_view compared = isCaseSensitive ? "NONE" : "LOWER";
  std::set<std::string> stopWords;
  if (const Attribute* const words = node.find("stopwords")) {
    for (const std::string_view word : words->strings) stopWords.insert(withCase(std::string(word), compared));
  }
  Dims dims = node.dims(0);
  if (dims.empty() || dims.size() > 2 || (dims.size() == 2 && dims[0] != 1))
    fail(ErrorKind::dataError, "its input has the shape [{}], not [C] or [1, C].", textOf(dims));
  std::vector<std::string> strings;
  for (const std::string& text : stringsOf(node, 0)) {
    node.takeRoom(sizeof(std::string) + text.size(), 1);
    if (!stopWords.contains(withCase(text, compared))) strings.push_back(withCase(text, action));
  }
  if (strings.empty()) strings.emplace_back();
  dims.back() = std::ssize(strings);
  node.set(0, node.makeStrings(std::move(dims), std::move(strings)));
}

// The keys, the values or the default value of a LabelEncoder: strings, integers or floats, from a list attribute or a tensor.
struct Labels {
  ElementType type{};
  std::vector<std::string> strings;
  std::vector<double> numbers;
  std::vector<std::int64_t> integers;

  std::size_t size() const { return std::max({strings.size(), numbers.size(), integers.size()}); }
};

Labels labelsIn(const Value& value) {
  Labels labels{.type = value.type};
  const std::size_t count = elementCount(value.dims);
  if (value.strings)
    labels.strings = *value.strings;
  else if (isIntegerType(value.type))
    labels.integers = toIntegers(value.type, value.bytes->bytes, count);
  else
    labels.numbers = toNumbers(value.type, value.bytes->bytes, count);
  return labels;
}

std::optional<Labels> labelsOf(const HostNode& node, std::string_view kind) {
  const std::string prefix(kind);
  if (const auto tensor = node.tensor(prefix + "_tensor")) return labelsIn(*tensor);
  if (const Attribute* const given = node.find(prefix + "_strings"))
    return Labels{ElementType::string, {given->strings.begin(), given->strings.end()}, {}, {}};
  if (const Attribute* const given = node.find(prefix + "_int64s")) return Labels{ElementType::int64, {}, {}, given->ints};
  if (const Attribute* const given = node.find(prefix + "_floats"))
    return Labels{ElementType::float32, {}, {given->floats.begin(), given->floats.end()}, {}};
  return std::nullopt;
}

Labels absentLabel(const HostNode& node, ElementType type) {
  if (const auto tensor = node.tensor("default_tensor")) return labelsIn(*tensor);
  if (type == ElementType::string) return {type, {std::string(node.text("default_string", "_Unused"))}, {}, {}};
  if (isIntegerType(type)) return {type, {}, {}, {node.integer("default_int64", -1)}};
  return {type, {}, {node.number("default_float", -0.0)}, {}};
}

template <typename Key>
std::vector<std::size_t> placesOf(const std::vector<Key>& keys, const std::vector<Key>& wanted) {
  std::map<Key, std::size_t> places;
  std::size_t nan = keys.size();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] != keys[i])
      nan = i;
    else
      places.try_emplace(keys[i], i);  // of equal keys, the first counts
  }
  std::vector<std::size_t> found;
  for (const Key& key : wanted) {
    if (key != key)
      found.push_back(nan);
    else if (const auto at = places.find(key); at != places.end())
      found.push_back(at->second);
    else
      found.push_back(keys.size());
  }
  return found;
}

// Version 1 has only the attribute classes_strings: it maps each string to its index in the list, or an index to its string.
void readFirstVersion(const HostNode& node, std::optional<Labels>& keys, std::optional<Labels>& values) {
  const Attribute* const classes = node.find("classes_strings");
  if (!classes) return;
  Labels names{ElementType::string, {classes->strings.begin(), classes->strings.end()}, {}, {}},
      places{ElementType::int64, {}, {}, {}};
  for (std::size_t i = 0; i < names.strings.size(); ++i) places.integers.push_back(static_cast<std::int64_t>(i));
  const bool isText = node.value(0).strings != nullptr;
  keys = isText ? names : places;
  values = isText ? places : names;
}

void runLabelEncoder(HostNode& node) {
  std::optional<Labels> keys = labelsOf(node, "keys"), values = labelsOf(node, "values");
  readFirstVersion(node, keys, values);
  if (!keys || !values || keys->size() != values->size())
    fail(ErrorKind::dataError, "its keys and values are no two lists of one length.");
  node.takeRoom(elementCount(node.dims(0)), 2 * sizeof(std::string) + sizeof(std::size_t));
  const Labels given = labelsIn(node.value(0));
  const std::vector<std::size_t> places = given.type == ElementType::string ? placesOf(keys->strings, given.strings)
                                          : isIntegerType(given.type)       ? placesOf(keys->integers, given.integers)
                                                                            : placesOf(keys->numbers, given.numbers);
  const Labels absent = absentLabel(node, values->type);
  const auto taken = [&](const auto& all, const auto& other) {
    std::decay_t<decltype(all)> result;
    for (const std::size_t place : places) result.push_back(place < all.size() ? all[place] : other.at(0));
    return result;
  };
  if (values->type == ElementType::string)
    return node.set(0, node.makeStrings(node.dims(0), taken(values->strings, absent.strings)));
  std::byte* to = nullptr;
  Value result = node.make(values->type, node.dims(0), to);
  if (isIntegerType(values->type))
    fromIntegers(values->type, taken(values->integers, absent.integers), to);
  else
    fromNumbers(values->type, taken(values->numbers, absent.numbers), to);
  node.set(0, std::move(result));
}

// A 1 at the place of each element among the categories, and zeros.
void runOneHotEncoder(HostNode& node) {
  const Attribute* const strings = node.find("cats_strings");
  const bool hasZeros = node.integer("zeros", 1) != 0;
  const Value& input = node.value(0);
  const std::size_t count = elementCount(input.dims);
  node.takeRoom(count, 2 * sizeof(std::string) + sizeof(std::size_t));
  Labels given = labelsIn(input);
  for (const double number : given.numbers) {  // as ONNX Runtime casts them
    constexpr double kEnd = 9223372036854775808.0;
    given.integers.push_back(number >= -kEnd && number < kEnd ? static_cast<std::int64_t>(number)
                                                              : std::numeric_limits<std::int64_t>::min());
  }
  if ((input.strings != nullptr) != (strings != nullptr))
    fail(ErrorKind::dataError, "its categories and its input are not both strings or numbers.");
  const std::vector<std::int64_t> integers = node.integers("cats_int64s");
  const std::size_t categories = strings ? strings->strings.size() : integers.size();
  // If categories are equal, the last one counts, as in ONNX Runtime.
  const auto lastPlaces = [&](const auto& keys, const auto& wanted) {
    std::vector<std::size_t> places = placesOf(std::decay_t<decltype(wanted)>(keys.rbegin(), keys.rend()), wanted);
    for (std::size_t& place : places) place = place < categories ? categories - 1 - place : categories;
    return places;
  };
  const std::vector<std::size_t> places =
      strings ? lastPlaces(strings->strings, given.strings) : lastPlaces(integers, given.integers);
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

// The n-grams of a TfIdfVectorizer, as lists of words. Integers are stored as text.
struct NGrams {
  std::map<std::vector<std::string>, std::vector<std::size_t>> places;  // indices into `outputs` and `weights`
  std::vector<std::int64_t> outputs;
  std::vector<float> weights;
  std::int64_t size = 0;  // length of the result
};

NGrams readNGrams(const HostNode& node) {
  NGrams grams;
  std::vector<std::string> pool;
  if (const Attribute* const strings = node.find("pool_strings")) pool.assign(strings->strings.begin(), strings->strings.end());
  for (const std::int64_t integer : node.integers("pool_int64s")) pool.push_back(std::to_string(integer));
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
  std::vector<std::string> words;
  node.takeRoom(elementCount(dims), sizeof(std::string));
  if (node.value(0).strings)
    words = stringsOf(node, 0);
  else
    for (const std::int64_t integer : node.integers(std::size_t{0})) words.push_back(std::to_string(integer));
  const auto columns = static_cast<std::size_t>(dims.back()), rows = dims.size() == 2 ? static_cast<std::size_t>(dims[0]) : 1;
  const auto width = static_cast<std::int64_t>(columns);
  const std::int64_t least = std::max<std::int64_t>(node.integer("min_gram_length", 1), 1),
                     most = std::min(node.integer("max_gram_length", 1), width),
                     skips = std::min(node.integer("max_skip_count", 0), width);
  const std::string_view mode = node.text("mode", "TF");
  node.takeRoom(elementCount({static_cast<std::int64_t>(rows), grams.size}), sizeof(double));
  std::vector<double> numbers(rows * static_cast<std::size_t>(grams.size));
  for (std::size_t row = 0; row < rows; ++row) {
    node.check();
    std::vector<double> counts(grams.outputs.size());
    for (std::int64_t length = least; length <= most; ++length) {
      // An n-gram of one word has no gaps, so skipping words does not change it.
      for (std::int64_t skip = 0; skip <= (length == 1 ? 0 : skips); ++skip) {
        const auto step = static_cast<std::size_t>(skip + 1), reach = static_cast<std::size_t>(length - 1) * step;
        for (std::size_t start = 0; start + reach < columns; ++start) {
          std::vector<std::string> gram;
          node.tick(64 * static_cast<std::size_t>(length));
          for (std::int64_t i = 0; i < length; ++i)
            gram.push_back(words[row * columns + start + static_cast<std::size_t>(i) * step]);
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
