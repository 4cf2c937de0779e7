// Texts of the command line: help, manual pages and bash completion. They are derived from the definition that the parser uses,
// so that they always agree with it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace webnn::cli {

struct OptionText {
  std::vector<std::string> names;    // "-o", "--out"; a positional argument has one name
  std::string value;                 // placeholder of the value; empty for a flag
  std::vector<std::string> choices;  // allowed values; empty if not restricted
  std::string text;
  std::string group;     // heading in the help, such as "Options"
  std::string variable;  // environment variable that sets the option
  bool isPositional = false, isRequired = false, isRepeatable = false;
  bool hasBareForm = false;  // the value is optional and follows a '='
};

struct CommandText {
  std::string name;  // name with parent commands: "webnn service status"
  std::string summary, footer;
  std::vector<OptionText> options;
  std::vector<CommandText> subcommands;
};

// Returns the value's placeholder, "FILE", or its choices, "nchw|nhwc".
std::string valueText(const OptionText& option);
// Returns the example commands of the footer, without their comments.
std::vector<std::string> examplesOf(const CommandText& command);
// Returns the part of the footer before its examples.
std::string notesOf(const CommandText& command);

// Returns the text of --help, wrapped to `columns`, at most 110.
std::string helpText(const CommandText& command, std::size_t columns);
// Returns the manual page in roff, for man(1).
std::string manText(const CommandText& command, std::string_view version);

std::string bashCompletion(const CommandText& program);

}  // namespace webnn::cli
