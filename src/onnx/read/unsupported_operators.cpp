#include "onnx/read/unsupported_operators.h"

namespace webnn::formats::onnx {

namespace {

struct UnsupportedOperator {
  std::string_view domain, opType, reason;
};

constexpr std::string_view kValueDependent = "its result's shape depends on values, and WebNN's shapes are static";
constexpr std::string_view kStrings = "WebNN has no strings";
constexpr std::string_view kRandom = "WebNN has no random numbers";

constexpr UnsupportedOperator kUnsupportedOperators[]{
    {"", "Bernoulli", kRandom},
    {"", "ImageDecoder", "WebNN has no operation that decodes pictures"},
    {"", "Multinomial", kRandom},
    {"", "NonMaxSuppression", kValueDependent},
    {"", "RandomNormal", kRandom},
    {"", "RandomNormalLike", kRandom},
    {"", "RandomUniform", kRandom},
    {"", "RandomUniformLike", kRandom},
    {"", "RegexFullMatch", kStrings},
    {"", "StringConcat", kStrings},
    {"", "StringNormalizer", kStrings},
    {"", "StringSplit", kStrings},
    {"", "TfIdfVectorizer", "WebNN has no operation that counts n-grams"},
    {"ai.onnx.ml", "LabelEncoder", "WebNN has no operation that looks up keys"},
    {"ai.onnx.ml", "TreeEnsemble", "WebNN has no decision trees"},
    {"com.microsoft", "DynamicQuantizeLSTM",
     "its weights are quantized while the network runs, and WebNN's lstm takes floats only"},
};

}  // namespace

std::string_view whyUnsupported(std::string_view domain, std::string_view opType) {
  for (const UnsupportedOperator& row : kUnsupportedOperators) {
    if (row.domain == domain && row.opType == opType) return row.reason;
  }
  return "WebNN has no operation that does this";
}

}  // namespace webnn::formats::onnx
