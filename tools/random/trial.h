// Running a graph on backends in every way that must give the same: again, with other buffers, with other numbers of
// threads, several runs at once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "random/agreement.h"
#include "webnn/context.h"

namespace webnn::random {

// Backends under test. They may differ from the reference by rounding; those of one group must be equal to the bit.
struct Contender {
  std::string name;  // for messages
  std::size_t group = 0;
  ContextOptions options;
  bool mayRefuse = false;  // graphs that it cannot run
};

// Contexts of contenders.
class Trial {
 public:
  explicit Trial(std::vector<Contender> contenders);

  // What is wrong with their results; nothing if all is well.
  // A backend that says in an Error that it cannot build or run a graph is right, unless it must run all of them.
  std::optional<std::string> run(const Graph& graph, const std::vector<Bytes>& inputs, std::uint64_t seed);
  // Whether one of them did, in the last run.
  bool wasRefused() const { return wasRefused_; }

 private:
  std::vector<Contender> contenders_;
  std::vector<Context> contexts_;
  bool wasRefused_ = false;
};

}  // namespace webnn::random
