#include "formats/code/identifiers.h"

#include <algorithm>

namespace webnn::formats {

namespace {

constexpr std::size_t kLongest = 60;

// Words reserved in any of the three languages, so that a graph's names are equal in all of them.
constexpr std::string_view kReserved[] = {
    // Keywords of C++
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char", "char16_t",
    "char32_t", "char8_t", "class", "co_await", "co_return", "co_yield", "compl", "concept", "const", "const_cast", "consteval",
    "constexpr", "constinit", "continue", "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum",
    "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int", "long", "mutable",
    "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq", "private", "protected", "public",
    "register", "reinterpret_cast", "requires", "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast",
    "struct", "switch", "template", "this", "thread_local", "throw", "true", "try", "typedef", "typeid", "typename", "union",
    "unsigned", "using", "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq",
    // Lower-case macros of C libraries, Windows headers and compilers
    "alloca", "assert", "errno", "far", "interface", "linux", "major", "makedev", "minor", "near", "offsetof", "setjmp", "small",
    "stderr", "stdin", "stdout", "unix",
    // Reserved words of JavaScript
    "arguments", "async", "await", "debugger", "eval", "finally", "function", "implements", "import", "in", "instanceof", "let",
    "null", "package", "super", "typeof", "undefined", "var", "with", "yield",
    // Reserved words of Python
    "as", "def", "del", "elif", "except", "from", "global", "is", "lambda", "match", "nonlocal", "pass", "raise", "type", "None",
    "True", "False",
    // Names that the programs use
    "BigInt64Array", "BigUint64Array", "Builder", "Float32Array", "Infinity", "Int32Array", "Int8Array", "NaN", "Path",
    "Uint32Array", "Uint8Array", "assign", "build", "builder", "context", "globalThis", "np", "results", "std", "tensor",
    "tensors", "tensorsOf", "tensors_of", "v", "webnn", "weights"};

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool isWordCharacter(char c) { return isLetter(c) || (c >= '0' && c <= '9'); }

// Replaces unusable characters, for example "/conv1/Conv_output_0" by "conv1_Conv_output_0".
std::string wordsOf(std::string_view text) {
  std::string words;
  for (const char c : text) {
    if (words.size() == kLongest) break;
    if (isWordCharacter(c)) {
      words += c;
    } else if (!words.empty() && words.back() != '_') {
      words += '_';
    }
  }
  if (!words.empty() && words.back() == '_') words.pop_back();
  return words;
}

// Returns whether a name is all upper case, as macros are.
bool isLoud(std::string_view name) {
  return name.size() > 1 && std::ranges::none_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
}

}  // namespace

Identifiers::Identifiers() {
  for (const std::string_view word : kReserved) taken_.emplace(word);
}

std::string Identifiers::add(std::string_view wanted, std::string_view otherwise) {
  std::string name = wordsOf(wanted);
  if (name.empty()) name = otherwise;
  if (!isLetter(name.front())) name.insert(0, "n");
  if (isLoud(name)) name += '_';
  std::string unique = name;
  for (std::size_t& number = numbers_[name]; !taken_.insert(unique).second;) {
    unique = name + (name.back() == '_' ? "" : "_") + std::to_string(++number + 1);
  }
  return unique;
}

}  // namespace webnn::formats
