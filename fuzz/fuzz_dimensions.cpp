// Fuzzes sessions: loads any graph file as a session, and builds its graph for several sizes of its open (named) dimensions.
#include <limits>

#include "context/reading_context.h"
#include "webnn/session.h"

namespace {

using namespace webnn;
using Shapes = std::map<std::string, Shape>;

void require(bool holds) {
  if (!holds) __builtin_trap();
}

// Gives each named dimension one of the sizes `first`, `first` + 1 and `first` + 2, in turn.
Shapes shapesOf(const std::vector<DeclaredInput>& inputs, std::uint32_t first) {
  std::map<std::string, std::uint32_t> sizes;
  Shapes shapes;
  for (const DeclaredInput& input : inputs) {
    Shape& shape = shapes[input.name];
    for (const DeclaredDimension& dimension : input.shape) {
      const auto next = static_cast<std::uint32_t>(first + sizes.size() % 3);
      shape.push_back(dimension.name.empty() ? dimension.size : sizes.try_emplace(dimension.name, next).first->second);
    }
  }
  return shapes;
}

// Builds the session's graph for these shapes. Either the graph has these shapes, or building throws an Error.
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
