// Decoder: generates tokens with a language model that has a key-value cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "webnn/session.h"

namespace webnn {

struct GenerateOptions {
  std::optional<std::size_t> maxTokens;  // absent: no limit
  std::vector<std::int64_t> stop;        // tokens that end the text; they are not part of it
  // 0: takes the most probable token. Otherwise, tokens are drawn from the softmax of logits / temperature.
  double temperature = 0;
  std::size_t topK = 0;  // draws only among the topK most probable tokens; 0: among all
  double topP = 1;       // draws only among the smallest set of most probable tokens whose probabilities sum up to at least topP
  // The same seed draws the same tokens; absent: a different seed for each call. With the same seed, Python's webnn.Decoder draws
  // other tokens.
  std::optional<std::uint64_t> seed;
  // Called with each token as soon as it is known. If it returns false, the text ends after this token. Must not throw.
  std::function<bool(std::int64_t)> onToken;
};

// Runs a language model that was exported to ONNX with its key-value cache as inputs and outputs (`past_key_values.0.key` and
// `present.0.key`), the format of optimum and transformers.js. Feeds the cache of each step to the next step, and makes the
// inputs for the attention mask, the positions, `use_cache_branch` and `num_logits_to_keep`. The batch size is 1. Only one thread
// at a time may use a decoder. A copy of a decoder continues the text independently.
//
//   webnn::Decoder decoder("decoder.onnx");
//   std::vector<std::int64_t> text = decoder.generate({1, 2, 3}, {.maxTokens = 100, .stop = {2}});
class Decoder {
 public:
  // Throws NotSupportedError, with the reason, if the session's model is not such a language model.
  explicit Decoder(Session session);
  // Loads the model. Throws the errors of Session::load().
  explicit Decoder(const std::filesystem::path& path, const SessionOptions& options = {});
  Decoder(Context context, const std::filesystem::path& path, const SessionOptions& options = {});

  // Appends tokens and returns the logits of the token that follows the last one. Throws TypeError if a token is negative, or if
  // `tokens` is empty and the model has already read all earlier tokens; DataError if the logits have no row; otherwise the
  // errors of Session::run(). After an error, nothing is appended.
  std::vector<float> feed(const std::vector<std::int64_t>& tokens, const CallOptions& call = {});

  // Appends tokens and returns the tokens that follow. The returned tokens are part of the text, which a later call continues.
  // Throws TypeError for options out of range, or if no option would end the text; otherwise the errors of feed(). `call` limits
  // the generation of the whole text. After an error, the tokens that were known before it remain. If maxTokens is 0, appends
  // nothing.
  std::vector<std::int64_t> generate(const std::vector<std::int64_t>& tokens, const GenerateOptions& options = {},
                                     const CallOptions& call = {});

  // Returns the number of tokens so far, including the tokens that generate() returned.
  std::size_t length() const { return fed_ + pending_.size(); }
  // Forgets all tokens.
  void reset();
  const Session& session() const { return session_; }

 private:
  std::string inputList() const;
  const DeclaredInput* oneOf(std::initializer_list<std::string_view> names) const;
  Array emptyCache(const DeclaredInput& input, const std::string& batch) const;
  Array valueOf(const DeclaredInput& input, const std::vector<std::int64_t>& ids, std::size_t total) const;

  Session session_;
  std::string ids_, mask_, positions_, logits_;  // names of the inputs and of the output; empty if the model has none
  // Maps each cache input to the output that provides its value for the next step.
  std::map<std::string, std::string> caches_;
  // empty_: the caches before the first step; state_: the caches before the next step.
  std::map<std::string, Array> empty_, state_;
  std::size_t fed_ = 0;                // tokens in the cache
  std::vector<std::int64_t> pending_;  // the last token of generate(), which no step has read yet
};

}  // namespace webnn
