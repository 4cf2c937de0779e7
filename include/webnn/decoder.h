// Generating tokens with a decoder whose cache grows.
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
  std::optional<std::size_t> maxTokens;  // absent: until a stop token
  std::vector<std::int64_t> stop;        // tokens that end the text; not a part of it
  // 0 takes the most probable token. Otherwise tokens are drawn from the softmax of logits / temperature.
  double temperature = 0;
  std::size_t topK = 0;  // draws only among the topK most probable tokens; 0: among all
  double topP = 1;       // draws only among the fewest most probable tokens whose probabilities sum up to at least this
  // The same seed draws the same tokens; absent: a different seed for each call. Python's webnn.Decoder draws others from a seed.
  std::optional<std::uint64_t> seed;
  // Called with each token when it is known; false ends the text after it. Must not throw.
  std::function<bool(std::int64_t)> onToken;
};

// A decoder of tokens, exported to ONNX with its cache as inputs and outputs (`past_key_values.0.key` and `present.0.key`), as
// optimum and transformers.js export them. Feeds each step's cache to the next step, and makes the attention mask, the positions
// and `use_cache_branch`. The batch is 1. For one thread at a time; a copy continues the text on its own.
//
//   webnn::Decoder decoder("decoder.onnx");
//   std::vector<std::int64_t> text = decoder.generate({1, 2, 3}, {.maxTokens = 100, .stop = {2}});
class Decoder {
 public:
  // NotSupportedError, which says why, if the session's model is no such decoder.
  explicit Decoder(Session session);
  // Loads the model. Throws the errors of Session::load().
  explicit Decoder(const std::filesystem::path& path, const SessionOptions& options = {});
  Decoder(Context context, const std::filesystem::path& path, const SessionOptions& options = {});

  // Appends tokens and returns the logits of the token that follows the last one. TypeError if there are none, or one is
  // negative; otherwise the errors of Session::run(). After an error, nothing is appended.
  std::vector<float> feed(const std::vector<std::int64_t>& tokens, const CallOptions& call = {});

  // Appends tokens and returns those that follow. They are part of the text: a later call continues it. TypeError for options out
  // of range, or if nothing would end the text. `call` limits the whole text. After an error, the tokens known before it stay.
  std::vector<std::int64_t> generate(const std::vector<std::int64_t>& tokens, const GenerateOptions& options = {},
                                     const CallOptions& call = {});

  // Returns the number of tokens so far, including those of generate().
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
  std::string ids_, mask_, positions_, logits_;  // names; empty: the model has none
  std::map<std::string, std::string> caches_;    // the output that becomes an input at the next step, by the input's name
  std::map<std::string, Array> empty_, state_;   // the caches' elements before the first and before the next step
  std::size_t fed_ = 0;                          // tokens in the cache
  std::vector<std::int64_t> pending_;            // the last token of generate(), which no step has read yet
};

}  // namespace webnn
