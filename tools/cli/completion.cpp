#include <algorithm>

#include "base/text.h"
#include "cli/command_text.h"

namespace webnn::cli {

namespace {

// Returns whether values are paths, which the shell completes.
bool isPath(const OptionText& option) {
  for (const char* word : {"FILE", "DIR", "OUT", "PROGRAM"}) {
    if (option.value.find(word) != std::string::npos) return true;
  }
  return false;
}

std::string joined(const std::vector<std::string>& words, std::string_view between = " ") {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : std::string(between)) + word;
  return text;
}

std::string lastWord(const CommandText& command) { return command.name.substr(command.name.rfind(' ') + 1); }

// The words behind the program's name.
std::string wordsOf(const CommandText& command) {
  const std::size_t space = command.name.find(' ');
  return space == std::string::npos ? "" : command.name.substr(space + 1);
}

std::string namesOf(const CommandText& command) {
  std::vector<std::string> names;
  for (const CommandText& each : command.subcommands) names.push_back(lastWord(each));
  return joined(names);
}

template <typename Each>
void forEachCommand(const CommandText& command, const Each& each) {
  each(command);
  for (const CommandText& below : command.subcommands) forEachCommand(below, each);
}

// In single quotes, as all three shells take them; texts hold no such quote but as a plain apostrophe.
std::string quotedText(std::string text, std::string_view special = "") {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') {
      result += "\u2019";
    } else {
      if (special.find(c) != std::string_view::npos) result += '\\';
      result += c;
    }
  }
  return result + "'";
}

std::string bashText(const CommandText& program) {
  std::string options, choices, subcommands;
  forEachCommand(program, [&](const CommandText& command) {
    const std::string words = wordsOf(command);
    std::vector<std::string> names;
    for (const OptionText& option : command.options) {
      if (option.isPositional) {
        if (!option.choices.empty())
          subcommands += "    " + quotedText(words) + ") words=" + quotedText(joined(option.choices)) + " ;;\n";
        continue;
      }
      names.insert(names.end(), option.names.begin(), option.names.end());
      std::vector<std::string> keys;
      for (const std::string& name : option.names) keys.push_back(quotedText(words + " " + name));
      if (!option.choices.empty())
        choices += "    " + joined(keys, "|") + ") words=" + quotedText(joined(option.choices)) + " ;;\n";
    }
    options += "    " + quotedText(words) + ") words=" + quotedText(joined(names)) + " ;;\n";
    if (!command.subcommands.empty())
      subcommands += "    " + quotedText(words) + ") words=" + quotedText(namesOf(command)) + " ;;\n";
  });
  std::string parents;
  for (const CommandText& command : program.subcommands) {
    if (!command.subcommands.empty()) parents += (parents.empty() ? "" : "|") + lastWord(command);
  }
  return "# Completion of webnn for bash: eval \"$(webnn completion bash)\"\n"
         "_webnn() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= words= i\n"
         "  if [[ $current == = ]]; then\n"
         "    current=\n"
         "  elif [[ $previous == = ]]; then\n"
         "    previous=${COMP_WORDS[COMP_CWORD-2]}\n"
         "  fi\n"
         "  ((COMP_CWORD > 1)) && [[ ${COMP_WORDS[1]} != -* ]] && command=${COMP_WORDS[1]}\n"
         "  case $command in " +
         (parents.empty() ? "''" : parents) +
         ")\n"
         "    ((COMP_CWORD > 2)) && [[ ${COMP_WORDS[2]} != -* ]] && command+=\" ${COMP_WORDS[2]}\" ;;\n"
         "  esac\n"
         "  case \"$command $previous\" in\n" +
         choices +
         "  esac\n"
         "  if [[ -z $words && $current == -* ]]; then\n"
         "    case $command in\n" +
         options +
         "    esac\n"
         "  elif [[ -z $words && $previous != -* ]]; then\n"
         "    case $command in\n" +
         subcommands +
         "    esac\n"
         "  fi\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "}\n"
         "complete -o default -F _webnn webnn\n";
}

// A specification of zsh's _arguments.
std::string zshArgument(const OptionText& option) {
  const std::string text = quotedText(option.text, "[]:");
  const std::string action = !option.choices.empty() ? "(" + joined(option.choices) + ")" : isPath(option) ? "_files" : " ";
  const std::string value = option.value.empty() ? "value" : option.value;
  std::string escapedValue;
  for (const char c : value) escapedValue += c == ':' || c == '[' || c == ']' ? std::string("\\") + c : std::string(1, c);
  if (option.isPositional)
    return quotedText((option.isRepeatable ? "*:" : ":") + option.names[0] + ":") +
           quotedText(isPath(option) ? "_files" : action);
  std::string specifications;
  for (const std::string& name : option.names) {
    std::string specification = option.isRepeatable ? "*" : "";
    specification += name + (option.hasBareForm ? "=-" : option.value.empty() ? "" : name.starts_with("--") ? "=" : "+");
    const std::string values = option.value.empty() ? "" : (option.hasBareForm ? "::" : ":") + escapedValue + ":" + action;
    specifications += (specifications.empty() ? "" : " \\\n      ") + quotedText(specification) + "'['" + text + "']'" +
                      (values.empty() ? "" : quotedText(values));
  }
  return specifications;
}

std::string zshCommands(const CommandText& command) {
  std::string text;
  for (const CommandText& each : command.subcommands) text += " " + quotedText(lastWord(each) + ":" + each.summary);
  return text;
}

// The function that completes behind the command's name.
std::string zshFunction(const CommandText& command) {
  std::string name = "_" + command.name;
  std::ranges::replace(name, ' ', '_');
  if (command.subcommands.empty()) {
    std::string text = name + "_arguments() {\n  _arguments -s -S";
    for (const OptionText& option : command.options) text += " \\\n      " + zshArgument(option);
    return text + "\n}\n";
  }
  std::string text;
  for (const CommandText& each : command.subcommands) text += zshFunction(each);
  text += name + "_arguments() {\n  local line state\n  local -a commands=(" + zshCommands(command) + ")\n  _arguments -C";
  for (const OptionText& option : command.options) text += " \\\n      " + zshArgument(option);
  text +=
      " \\\n      '1: :->command' '*:: :->arguments'\n"
      "  case $state in\n"
      "    command) _describe command commands ;;\n"
      "    arguments) (( $+functions[" +
      name + "_${line[1]}_arguments] )) && " + name +
      "_${line[1]}_arguments ;;\n"
      "  esac\n}\n";
  return text;
}

std::string zshText(const CommandText& program) {
  return "#compdef webnn\n# Completion of webnn for zsh: eval \"$(webnn completion zsh)\"\n" + zshFunction(program) +
         "_webnn() { _webnn_arguments \"$@\" }\n"
         "if [[ $funcstack[1] == _webnn ]]; then\n  _webnn \"$@\"\nelse\n  compdef _webnn webnn\nfi\n";
}

std::string fishText(const CommandText& program) {
  std::string text = "# Completion of webnn for fish: webnn completion fish | source\n";
  forEachCommand(program, [&](const CommandText& command) {
    std::string condition = "__fish_use_subcommand";
    for (const CommandText& each : program.subcommands) {
      if (each.name == command.name || command.name.starts_with(each.name + " "))
        condition = "__fish_seen_subcommand_from " + lastWord(each);
    }
    if (std::ranges::count(command.name, ' ') > 1) condition += "; and __fish_seen_subcommand_from " + lastWord(command);
    const std::string start = "complete -c webnn -n '" + condition + "'";
    for (const CommandText& each : command.subcommands) {
      const std::string first =
          command.name == program.name
              ? start
              : "complete -c webnn -n '" + condition + "; and not __fish_seen_subcommand_from " + namesOf(command) + "'";
      text += first + " -f -a " + lastWord(each) + " -d " + quotedText(each.summary) + "\n";
    }
    for (const OptionText& option : command.options) {
      if (option.isPositional) {
        if (!option.choices.empty()) text += start + " -f -a " + quotedText(joined(option.choices)) + "\n";
        continue;
      }
      std::string line = start;
      for (const std::string& name : option.names)
        line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!option.choices.empty()) {
        line += " -x -a " + quotedText(joined(option.choices));
      } else if (!option.value.empty() && !option.hasBareForm) {
        line += isPath(option) ? " -r -F" : " -x";
      }
      text += line + " -d " + quotedText(option.text) + "\n";
    }
  });
  return text;
}

}  // namespace

const std::vector<std::string>& completionShells() {
  static const std::vector<std::string> shells{"bash", "zsh", "fish"};
  return shells;
}

std::string completionText(const CommandText& program, std::string_view shell) {
  if (shell == "bash") return bashText(program);
  return shell == "zsh" ? zshText(program) : fishText(program);
}

}  // namespace webnn::cli
