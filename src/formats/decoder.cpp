#include "webnn/decoder.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <string_view>

#include "base/as_errors.h"
#include "base/pack.h"
#include "base/text.h"

namespace webnn {

namespace {

// Returns the output that becomes the input `name` at the next step, such as "present.0.key" for "past_key_values.0.key"; empty
// if there is none.
std::string presentOf(const std::string& name, const std::vector<DeclaredOutput>& outputs) {
  for (const std::string_view past : {"past_key_values", "past"}) {
    const std::size_t at = name.find(past);
    if (at == std::string::npos) continue;
    std::string present = name;
    present.replace(at, past.size(), "present");
    if (std::ranges::find(outputs, present, &DeclaredOutput::name) != outputs.end()) return present;
  }
  return {};
}

std::string shapeText(const std::vector<DeclaredDimension>& shape) {
  std::string text;
  for (const DeclaredDimension& dimension : shape) {
    text +=
        (text.empty() ? "" : ", ") + (dimension.name.empty() ? std::to_string(dimension.size) : webnn::quoted(dimension.name));
  }
  return "[" + text + "]";
}

std::vector<float> lastRow(const Array& logits) {
  if (logits.descriptor.shape.empty() || logits.bytes.empty())
    fail(ErrorKind::dataError, "feed: the logits are {}, which has no row.", toString(logits.descriptor));
  const std::size_t width = logits.descriptor.shape.back();
  if (logits.descriptor.dataType == DataType::float16) {
    std::vector<float> row;
    for (const Half element : logits.as<Half>().last(width)) row.push_back(static_cast<float>(static_cast<double>(element)));
    return row;
  }
  const std::span<const float> row = logits.as<float>().last(width);
  return {row.begin(), row.end()};
}

// Chooses the next token from the logits of all tokens.
class Chooser {
 public:
  explicit Chooser(const GenerateOptions& options)
      : options_(options), random_(options.seed ? *options.seed : std::random_device()()) {}

  std::int64_t operator()(const std::vector<float>& logits) {
    if (!(options_.temperature > 0)) return std::ranges::max_element(logits) - logits.begin();
    std::vector<std::size_t> order(logits.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto scoreOf = [&](std::size_t token) { return std::isnan(logits[token]) ? -HUGE_VAL : double{logits[token]}; };
    std::ranges::stable_sort(order, std::greater(), scoreOf);
    if (options_.topK > 0 && options_.topK < order.size()) order.resize(options_.topK);
    std::vector<double> sums;  // running sums of the tokens' weights, exp((logit - largest logit) / temperature)
    for (const std::size_t token : order) {
      const double weight = std::exp((scoreOf(token) - scoreOf(order[0])) / options_.temperature);
      sums.push_back((sums.empty() ? 0 : sums.back()) + weight);
    }
    // keep the fewest tokens, the most likely first, whose probabilities sum to at least topP
    const auto enough = std::ranges::lower_bound(sums, options_.topP * sums.back());
    if (enough != sums.end()) sums.erase(enough + 1, sums.end());
    const double drawn = static_cast<double>(random_() >> 11) * 0x1p-53 * sums.back();
    const auto chosen = std::min(std::ranges::upper_bound(sums, drawn), sums.end() - 1);
    return static_cast<std::int64_t>(order[static_cast<std::size_t>(chosen - sums.begin())]);
  }

 private:
  const GenerateOptions& options_;
  std::mt19937_64 random_;  // portable: the standard fixes its output
};

void requireOptions(const GenerateOptions& options) {
  if (!(options.temperature >= 0) || !(options.topP > 0 && options.topP <= 1)) {
    fail(ErrorKind::typeError, "generate: temperature ({}) must be at least 0, and topP ({}) between 0 and 1.",
         options.temperature, options.topP);
  }
  if (!options.maxTokens && options.stop.empty() && !options.onToken)
    fail(ErrorKind::typeError, "generate: the text would never end; give maxTokens, stop or onToken.");
}

// Returns `call` with its timeout reduced by the time since `start`.
CallOptions restOf(const CallOptions& call, std::chrono::steady_clock::time_point start) {
  CallOptions rest = call;
  if (call.timeout == std::chrono::nanoseconds::max()) return rest;
  const std::chrono::nanoseconds spent = std::chrono::steady_clock::now() - start;
  rest.timeout = std::max(call.timeout - spent, std::chrono::nanoseconds(0));
  return rest;
}

}  // namespace

Decoder::Decoder(const std::filesystem::path& path, const SessionOptions& options) : Decoder(Session::load(path, options)) {}
Decoder::Decoder(Context context, const std::filesystem::path& path, const SessionOptions& options)
    : Decoder(Session::load(std::move(context), path, options)) {}

Decoder::Decoder(Session session) try : session_(std::move(session)) {
  const DeclaredInput* const ids = oneOf({"input_ids", "ids", "tokens"});
  if (!ids) fail(ErrorKind::notSupportedError, "Decoder: the model has no input input_ids, ids, tokens; it has {}.", inputList());
  ids_ = ids->name;
  const std::string batch = ids->shape.empty() ? std::string() : ids->shape[0].name;
  if (const DeclaredInput* mask = oneOf({"attention_mask"})) mask_ = mask->name;
  if (const DeclaredInput* positions = oneOf({"position_ids"})) positions_ = positions->name;
  for (const DeclaredInput& input : session_.inputs()) {
    if (const std::string present = presentOf(input.name, session_.outputs()); !present.empty()) {
      caches_[input.name] = present;
      empty_[input.name] = emptyCache(input, batch);
    } else if (input.name != ids_ && input.name != mask_ && input.name != positions_ && input.name != "use_cache_branch" &&
               input.name != "num_logits_to_keep") {
      fail(ErrorKind::notSupportedError, "Decoder: the input {} is none of a decoder: {}.", webnn::quoted(input.name),
           inputList());
    }
  }
  for (const DeclaredOutput& output : session_.outputs()) {
    const bool isCache = std::ranges::any_of(caches_, [&](const auto& cache) { return cache.second == output.name; });
    if (!isCache && (logits_.empty() || output.name == "logits")) logits_ = output.name;
  }
  if (logits_.empty()) fail(ErrorKind::notSupportedError, "Decoder: all outputs of the model are caches.");
  reset();
} catch (...) {
  throwAsError("Decoder");
}

std::string Decoder::inputList() const {
  std::string list;
  for (const DeclaredInput& input : session_.inputs()) list += (list.empty() ? "" : ", ") + webnn::quoted(input.name);
  return list.empty() ? "none" : list;
}

const DeclaredInput* Decoder::oneOf(std::initializer_list<std::string_view> names) const {
  for (const std::string_view name : names) {
    const auto found = std::ranges::find(session_.inputs(), name, &DeclaredInput::name);
    if (found != session_.inputs().end()) return &*found;
  }
  return nullptr;
}

// Returns an empty key/value cache. `batch` is the name of the batch dimension.
Array Decoder::emptyCache(const DeclaredInput& input, const std::string& batch) const {
  Shape shape;
  std::size_t lengths = 0;
  for (const DeclaredDimension& dimension : input.shape) {
    const bool isLength = !dimension.name.empty() && dimension.name != batch;
    shape.push_back(isLength ? 0 : dimension.name.empty() ? dimension.size : 1);
    if (isLength) ++lengths;
  }
  if (lengths != 1) {
    fail(ErrorKind::notSupportedError, "Decoder: the cache {} {} does not have one open dimension, its length.",
         webnn::quoted(input.name), shapeText(input.shape));
  }
  return {{input.dataType, std::move(shape)}, {}};
}

void Decoder::reset() {
  state_ = empty_;
  fed_ = 0;
  pending_.clear();
}

// Returns the elements of an input other than a cache, for the step that reads `ids`. `total`: the number of tokens after the
// step.
Array Decoder::valueOf(const DeclaredInput& input, const std::vector<std::int64_t>& ids, std::size_t total) const {
  std::vector<Number> values;
  Shape shape(input.shape.size(), 1);
  if (input.name == ids_) {
    values.assign(ids.begin(), ids.end());
  } else if (input.name == mask_) {
    values.assign(total, std::int64_t{1});
  } else if (input.name == positions_) {
    for (std::size_t i = fed_; i < total; ++i) values.emplace_back(static_cast<std::int64_t>(i));
  } else {
    values.emplace_back(static_cast<std::int64_t>(input.name == "num_logits_to_keep" || fed_ > 0));
  }
  const bool isRow = input.name == ids_ || input.name == mask_ || input.name == positions_;
  if (isRow) shape = {1, static_cast<std::uint32_t>(values.size())};
  const OperandDescriptor descriptor{input.dataType, std::move(shape)};
  return {descriptor, packElements(descriptor, values)};
}

std::vector<float> Decoder::feed(const std::vector<std::int64_t>& tokens, const CallOptions& call) try {
  std::vector<std::int64_t> ids = pending_;
  for (const std::int64_t token : tokens) {
    if (token < 0) fail(ErrorKind::typeError, "feed: the token {} is negative.", token);
    ids.push_back(token);
  }
  if (ids.empty()) fail(ErrorKind::typeError, "feed: there are no tokens.");
  const std::size_t total = fed_ + ids.size();
  std::map<std::string, Array> made;
  for (const DeclaredInput& input : session_.inputs())
    if (!caches_.contains(input.name)) made[input.name] = valueOf(input, ids, total);
  std::map<std::string, ArrayView> inputs(made.begin(), made.end());
  inputs.insert(state_.begin(), state_.end());
  std::map<std::string, Array> outputs = session_.run(inputs, call);
  std::vector<float> logits = lastRow(outputs.at(logits_));
  for (auto& [name, array] : state_) array = std::move(outputs.at(caches_.at(name)));
  fed_ = total;
  pending_.clear();
  return logits;
} catch (...) {
  throwAsError("feed");
}

std::vector<std::int64_t> Decoder::generate(const std::vector<std::int64_t>& tokens, const GenerateOptions& options,
                                            const CallOptions& call) try {
  requireOptions(options);
  const std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  Chooser choose(options);
  std::vector<std::int64_t> text;
  bool isFirst = true;
  while (!options.maxTokens || text.size() < *options.maxTokens) {
    const std::int64_t token = choose(feed(isFirst ? tokens : std::vector<std::int64_t>(), restOf(call, start)));
    isFirst = false;
    if (std::ranges::count(options.stop, token) > 0) break;
    text.push_back(token);
    pending_ = {token};
    if (options.onToken && !options.onToken(token)) break;
  }
  return text;
} catch (...) {
  throwAsError("generate");
}

}  // namespace webnn
