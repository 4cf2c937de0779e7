#include <algorithm>
#include <sstream>

#include "base/text.h"
#include "cli/command_text.h"
#include "cli/terminal.h"

namespace webnn::cli {

namespace {

constexpr std::string_view kExamples = "Examples:\n";

std::string sentence(const std::string& text) { return text.ends_with('.') ? text : text + "."; }

// Returns an option's names and value: "-o,--out FILE".
std::string signatureOf(const OptionText& option) {
  std::string text;
  for (const std::string& name : option.names) text += (text.empty() ? "" : ",") + name;
  if (option.isPositional) return text;
  if (option.names.front().starts_with("--")) text = "   " + text;
  if (option.hasBareForm) return text + "[=" + valueText(option) + "]";
  return option.value.empty() ? text : text + " " + valueText(option);
}

std::string descriptionOf(const OptionText& option) {
  std::string text = option.text;
  if (!option.variable.empty()) text += "; " + option.variable + " stands for it";
  if (option.isRepeatable && !option.isPositional) text += "; repeatable";
  return text;
}

std::string entry(const std::string& signature, const std::string& description, std::size_t left, std::size_t columns) {
  std::string text = "  " + signature;
  text += signature.size() + 2 > left - 2 ? "\n" + std::string(left, ' ') : std::string(left - signature.size() - 2, ' ');
  return text + wrapped(description, columns, left) + "\n";
}

std::string usageOf(const CommandText& command) {
  std::string text = command.name;
  if (std::ranges::any_of(command.options, [](const OptionText& option) { return !option.isPositional; })) text += " [OPTIONS]";
  for (const OptionText& option : command.options) {
    if (!option.isPositional) continue;
    const std::string name = option.names.front() + (option.isRepeatable ? "..." : "");
    text += option.isRequired ? " " + name : " [" + name + "]";
  }
  return command.subcommands.empty() ? text : text + " SUBCOMMAND";
}

}  // namespace

std::string valueText(const OptionText& option) {
  if (option.choices.empty()) return option.value;
  std::string text;
  for (const std::string& choice : option.choices) text += (text.empty() ? "" : "|") + choice;
  return text;
}

std::string notesOf(const CommandText& command) { return command.footer.substr(0, command.footer.find(kExamples)); }

std::vector<std::string> examplesOf(const CommandText& command) {
  std::vector<std::string> examples;
  const std::size_t at = command.footer.find(kExamples);
  if (at == std::string::npos) return examples;
  std::istringstream lines(command.footer.substr(at + kExamples.size()));
  for (std::string line; std::getline(lines, line) && line.starts_with("  ");) {
    const std::string example = line.substr(2, line.find("  #", 2) - 2);
    examples.push_back(example.substr(0, example.find_last_not_of(' ') + 1));
  }
  return examples;
}

std::string helpText(const CommandText& command, std::size_t columns) {
  constexpr std::size_t kMost = 110, kLeft = 28;
  columns = std::min(columns, kMost);
  std::string text = wrapped(sentence(command.summary), columns, 0) + "\n\n";
  text += emphasized(Emphasis::strong, "Usage:") + " " + usageOf(command) + "\n";
  std::vector<std::string> groups;
  for (const OptionText& option : command.options) {
    const std::string group = option.isPositional ? "Arguments" : option.group;
    if (std::ranges::find(groups, group) == groups.end()) groups.push_back(group);
  }
  std::stable_partition(groups.begin(), groups.end(), [](const std::string& group) { return group == "Arguments"; });
  for (const std::string& group : groups) {
    text += "\n" + emphasized(Emphasis::strong, group + ":") + "\n";
    for (const OptionText& option : command.options) {
      if ((option.isPositional ? "Arguments" : option.group) == group)
        text += entry(signatureOf(option), descriptionOf(option), kLeft, columns);
    }
  }
  if (!command.subcommands.empty()) text += "\n" + emphasized(Emphasis::strong, "Subcommands:") + "\n";
  for (const CommandText& each : command.subcommands)
    text += entry(each.name.substr(each.name.rfind(' ') + 1), each.summary, 16, columns);
  if (const std::string notes = notesOf(command); !notes.empty()) text += "\n" + wrapped(notes, columns, 0) + "\n";
  const std::string examples = command.footer.substr(std::min(command.footer.find(kExamples), command.footer.size()));
  return examples.empty()
             ? text
             : text + "\n" + emphasized(Emphasis::strong, "Examples:") + "\n" + examples.substr(kExamples.size()) + "\n";
}

}  // namespace webnn::cli
