// Sessions of models that a test writes.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "onnx/imported.h"
#include "webnn/session.h"

namespace webnn::test::onnx {

using Ints = std::vector<std::int64_t>;
using Floats = std::vector<float>;

inline Session sessionOf(const Model& model, SessionOptions options = {}) {
  const auto content = std::make_shared<const std::string>(modelBytes(model));
  return Session::load(test::makeContext("reference"), ExternalBytes{std::as_bytes(std::span(*content)), content}, options);
}

inline Session sessionOf(const Graph& graph, SessionOptions options = {}, std::int64_t version = 17) {
  return sessionOf(Model{graph, {{"", version}, {"com.microsoft", 1}, {"ai.onnx.ml", 3}}}, std::move(options));
}

template <typename T>
std::vector<T> elementsOf(const Array& array) {
  const std::span<const T> elements = array.as<T>();
  return {elements.begin(), elements.end()};
}

inline ErrorKind kindOf(const auto& call, std::string* message = nullptr) {
  try {
    call();
  } catch (const Error& error) {
    if (message) *message = error.what();
    return error.kind();
  }
  ADD_FAILURE() << "there is no error";
  return {};
}

}  // namespace webnn::test::onnx
