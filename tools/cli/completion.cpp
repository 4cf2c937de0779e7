#include "cli/command_text.h"

namespace webnn::cli {

namespace {

std::string joined(const std::vector<std::string>& words, std::string_view between = " ") {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : std::string(between)) + word;
  return text;
}

std::string lastWord(const CommandText& command) { return command.name.substr(command.name.rfind(' ') + 1); }

// Returns the command's words after the program's name: "service status".
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

// Quotes for the shell. Names and choices contain no single quote.
std::string quotedText(const std::string& text) { return "'" + text + "'"; }

}  // namespace

std::string bashCompletion(const CommandText& program) {
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

}  // namespace webnn::cli
