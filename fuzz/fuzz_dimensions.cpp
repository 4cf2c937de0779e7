// Any graph file, as a session whose runs give its open dimensions several sizes.
#include <limits>

#include "context/reading_context.h"
#include "webnn/session.h"

namespace {

using namespace webnn;
using Shapes = std::map<std::string, Shape>;

void require(bool holds) {
  if (!holds) __builtin_trap();
}

// Open dimensions have the sizes `first`, `first` + 1, ... in the order in which they are met.
Shapes shapesOf(const std::vector<DeclaredInput>& inputs, std::uint32_t first) {
  std::map<std::string, std::uint32_t> sizes;
  Shapes shapes;
  for (const DeclaredInput& input : inputs) {
    Shape& shape = shapes[input.name];
    for (const auto& [size, name] : input.shape) {
      const auto next = static_cast<std::uint32_t>(first + sizes.size() % 3);
      shape.push_back(name.empty() ? size : sizes.try_emplace(name, next).first->second);
    }
  }
  return shapes;
}

// A session's graph has the requested shapes, or there is an error.
void compile(const Session& session, const Shapes& shapes) {
  try {
    for (const NamedDescriptor& input : session.graph(shapes).inputs()) require(shapes.at(input.first) == input.second.shape);
  } catch (const Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Context context = makeReadingContext();
  try {
    const Session session = Session::load(context, ExternalBytes{std::as_bytes(std::span(data, size)), nullptr}, {.graphs = 2});
    for (const std::uint32_t first : {1U, 2U, 1U, 700U, std::numeric_limits<std::uint32_t>::max() - 3})
      compile(session, shapesOf(session.inputs(), first));
  } catch (const Error&) {
  }
  return 0;
}
