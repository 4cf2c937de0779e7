#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "cli/command_text.h"

namespace webnn::cli {

namespace {

// Escapes text for roff: no macros, no escapes, and '-' as a minus sign that can be copied.
std::string roff(std::string_view text) {
  std::string result = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if (c == '\n') {
      result += "\n";
    } else {
      result += c;
    }
  }
  return result;
}

std::string dashed(std::string name) {
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string optionText(const OptionText& option) {
  std::string names;
  for (const std::string& name : option.names) names += (names.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
  const std::string value = roff(valueText(option));
  if (option.hasBareForm) {
    names += "[=\\fI" + value + "\\fR]";
  } else if (!option.isPositional && !value.empty()) {
    names += " \\fI" + value + "\\fR";
  }
  std::string text = ".TP\n" + names + "\n" + roff(option.text);
  if (!option.variable.empty()) text += "; " + roff(option.variable) + " stands for it";
  return text + (option.isRepeatable && !option.isPositional ? "; repeatable.\n" : ".\n");
}

std::string section(std::string_view name) { return ".SH " + std::string(name) + "\n"; }

}  // namespace

std::string manText(const CommandText& command, std::string_view version) {
  std::string title = dashed(command.name);
  std::ranges::transform(title, title.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  std::string text = ".TH " + title + " 1 \"\" \"" + std::string(version) + "\"\n" + section("NAME") + dashed(command.name) +
                     " \\- " + roff(command.summary) + "\n" + section("SYNOPSIS") + ".B " + command.name + "\n[OPTIONS]";
  for (const OptionText& option : command.options) {
    if (option.isPositional) text += (option.isRequired ? " " : " [") + option.names[0] + (option.isRequired ? "" : "]");
  }
  text += command.subcommands.empty() ? "\n" : " SUBCOMMAND\n";
  text += section("DESCRIPTION") + roff(command.summary) + (command.summary.ends_with('.') ? "\n" : ".\n");
  if (const std::string notes = notesOf(command); !notes.empty())
    text += ".PP\n" + roff(notes.substr(0, notes.find_last_not_of('\n') + 1)) + "\n";
  if (!command.options.empty()) text += section("OPTIONS");
  for (const bool positional : {true, false}) {
    for (const OptionText& option : command.options) {
      if (option.isPositional == positional) text += optionText(option);
    }
  }
  if (!command.subcommands.empty()) text += section("SUBCOMMANDS");
  for (const CommandText& each : command.subcommands)
    text += ".TP\n\\fB" + roff(each.name) + "\\fR\n" + roff(each.summary) + "; see " + dashed(each.name) + "(1).\n";
  const std::vector<std::string> examples = examplesOf(command);
  if (!examples.empty()) text += section("EXAMPLES") + ".nf\n";
  for (const std::string& example : examples) text += roff(example) + "\n";
  if (!examples.empty()) text += ".fi\n";
  return text;
}

}  // namespace webnn::cli
