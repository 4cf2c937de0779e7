// What random graphs had in them, and what the operation table would allow that no graph had.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph_definition.h"

namespace webnn::random {

// Features by kind and name, with how many graphs had them:
//   pair    "conv2d > add.b": who made which operand of whom; "input", "constant" make too
//   type    "add.b float16"
//   rank    "add.b 3"
//   option  "conv2d.strides": set to something other than its default
//   output  "reshape": a result that is an output
//   same    "add": an operation that takes a value twice
//   passes  "fuseEpilogues + recognise": passes of the compiler that changed the graph, added by who knows them
class Coverage {
 public:
  void add(const GraphDefinition& graph);
  void add(std::string_view kind, const std::string& name, std::uint64_t times = 1) { counts_[std::string(kind)][name] += times; }

  const std::map<std::string, std::map<std::string, std::uint64_t>>& counts() const { return counts_; }

  // Names of a kind that there may be beside those of the table.
  void expect(std::string_view kind, std::vector<std::string> names) { expected_[std::string(kind)] = std::move(names); }

  // The names of a kind that the table allows and no graph had, less those that are explained.
  std::vector<std::string> missing(std::string_view kind) const;
  // How many and which, as text.
  std::string text() const;

 private:
  std::map<std::string, std::map<std::string, std::uint64_t>> counts_;
  std::map<std::string, std::vector<std::string>> expected_;
};

// All names of a kind that the table allows.
std::vector<std::string> possible(std::string_view kind);

}  // namespace webnn::random
