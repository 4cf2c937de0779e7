// Names for the variables of programs.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_set>

namespace webnn::formats {

// Gives each value an identifier that is valid in JavaScript, Python and C++ and that no other has: of ASCII letters, digits and
// single underscores between them. No keyword, no macro of a C++ library, and none of what the programs around it use.
class Identifiers {
 public:
  Identifiers();
  // As close to `wanted` as that; to `otherwise`, which is one, if nothing of it is left.
  std::string add(std::string_view wanted, std::string_view otherwise);

 private:
  std::unordered_set<std::string> taken_;
  std::map<std::string, std::size_t> numbers_;  // how often a name was wanted
};

}  // namespace webnn::formats
