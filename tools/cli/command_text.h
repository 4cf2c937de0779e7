// The command line's description for help, manual pages and the completion for bash, taken from the definition that parses, so
// that they cannot differ.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace webnn::cli {

struct OptionText {
  std::vector<std::string> names;    // "-o", "--out"; of a positional argument its one name
  std::string value;                 // what its value is called; empty for a flag
  std::vector<std::string> choices;  // if only some values are allowed
  std::string text;
  std::string group;     // the heading; empty: "Options"
  std::string variable;  // the environment variable that stands for it
  bool isPositional = false, isRequired = false, isRepeatable = false;
  bool hasBareForm = false;  // the value may be left out, else it follows a '='
};

struct CommandText {
  std::string name;  // with its parent commands: "webnn service status"
  std::string summary, footer;
  std::vector<OptionText> options;
  std::vector<CommandText> subcommands;
};

// Returns the form of the value: "FILE", "nchw|nhwc".
std::string valueText(const OptionText& option);
// The footer's examples, a command each, without comments.
std::vector<std::string> examplesOf(const CommandText& command);
// The footer without the examples.
std::string notesOf(const CommandText& command);

// Returns the text of --help for a number of columns.
std::string helpText(const CommandText& command, std::size_t columns);
// A page for man(1).
std::string manText(const CommandText& command, std::string_view version);

// Returns bash's completion script for the program.
std::string bashCompletion(const CommandText& program);

}  // namespace webnn::cli
