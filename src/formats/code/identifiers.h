#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_set>

namespace webnn::formats {

// Gives each value a unique identifier that is valid in JavaScript, Python and C++: ASCII letters, digits and single
// underscores. Avoids keywords, macros and names that the programs use. A name in capitals gets a final underscore, because it
// may be a macro.
class Identifiers {
 public:
  Identifiers();
  // Returns a unique identifier close to `wanted`, or close to the identifier `otherwise` if `wanted` has no usable character.
  std::string add(std::string_view wanted, std::string_view otherwise);

 private:
  std::unordered_set<std::string> taken_;
  std::map<std::string, std::size_t> numbers_;  // how many numbers were tried for each name
};

}  // namespace webnn::formats
