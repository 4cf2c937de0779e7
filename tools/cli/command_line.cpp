#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

#include "base/text.h"
#include "cli/command.h"
#include "cli/command_text.h"
#include "cli/similar_names.h"
#include "cli/terminal.h"

namespace webnn::cli {

namespace {

// Parses a finite number, because CLI11's range checks accept NaN.
bool readFinite(const std::string& text, double& number) {
  return CLI::detail::lexical_cast(text, number) && std::isfinite(number);
}

// An option or subcommand of other tools, and its equivalent in this tool.
struct OtherWord {
  std::string_view other, here;
};
constexpr OtherWord kOtherSubcommands[] = {
    {"benchmark", "bench"}, {"benchmark_app", "bench"}, {"compare", "diff"}, {"eval", "run"},      {"export", "convert"},
    {"infer", "run"},       {"perf", "bench"},          {"predict", "run"},  {"print", "inspect"}, {"profile", "bench --per-op"},
    {"show", "inspect"},    {"summary", "inspect"},     {"test", "verify"},  {"validate", "check"}};
constexpr OtherWord kOtherOptions[] = {{"--batch", "--dim NAME=SIZE"},
                                       {"--check-nan", "--all"},
                                       {"--device", "--backend"},
                                       {"--dump", "--all"},
                                       {"--float16", "--weights-type float16"},
                                       {"--fp16", "--weights-type float16"},
                                       {"--half", "--weights-type float16"},
                                       {"--input-shape", "--dim NAME=SIZE"},
                                       {"--intermediate", "--all"},
                                       {"--iterations", "--repeat"},
                                       {"--iterations", "--runs"},
                                       {"--num-threads", "--threads"},
                                       {"--out", "--output"},
                                       {"--provider", "--backend"},
                                       {"--shape", "--dim NAME=SIZE"},
                                       {"--validate", "--all"},
                                       {"-b", "--dim NAME=SIZE"},
                                       {"-d", "--backend"},
                                       {"-i", "--input"},
                                       {"-n", "--repeat"},
                                       {"-n", "--runs"},
                                       {"-o", "--output"},
                                       {"-t", "--threads"}};

// Returns the end of a message about an unknown word: its equivalent in this tool, or similar names.
std::string suggestion(std::string_view word, std::span<const OtherWord> others, const std::vector<std::string>& names) {
  for (const auto& [other, here] : others) {
    const bool isKnown = std::ranges::find(names, here.substr(0, here.find(' '))) != names.end();
    if (other == word && isKnown) return formatText("; here it is {}.", here);
  }
  return didYouMean(word, {names.begin(), names.end()});
}

// Throws Misuse for an unknown subcommand. CLI11 would only report that a subcommand is required.
void requireKnownSubcommand(const Command& program, std::string_view name) {
  const std::vector<std::string> names = program.subcommandNames();
  if (name.starts_with('-') || std::ranges::find(names, name) != names.end()) return;
  const bool isRun = std::ranges::find(names, "run") != names.end() && std::filesystem::path(name).has_extension();
  throw Misuse(formatText(
      "there is no subcommand {}{}", webnn::quoted(name),
      isRun ? formatText("; a model is run by: webnn run {}.", sanitized(name)) : suggestion(name, kOtherSubcommands, names)));
}

// Returns the argument MODEL, or null if the command has none.
const CLI::Option* modelOf(const CLI::App& command) {
  const std::vector<const CLI::Option*> options = command.get_options();
  const auto found = std::ranges::find(options, "MODEL", [](const CLI::Option* option) { return option->get_name(); });
  return found == options.end() ? nullptr : *found;
}

// Throws Misuse for -m and --model, with which other tools name the model; here it is an argument.
void requireNoModelOption(const CLI::App& command, const std::string& name) {
  const CLI::Option* model = modelOf(command);
  if (!model || (name != "-m" && name != "--model")) return;
  throw Misuse(formatText("{} has no option {}; the model stands alone: webnn {} {}.", command.get_name(), webnn::quoted(name),
                          command.get_name(), model->count() == 0 ? "MODEL" : sanitized(model->results()[0])));
}

// Returns where CLI11's list of validators begins in the type's text: at the first ':' outside brackets.
std::size_t validatorsOf(std::string_view type) {
  std::size_t depth = 0, at = 0;
  for (; at < type.size() && (depth > 0 || type[at] != ':'); ++at) {
    if (type[at] == '[') ++depth;
    if (type[at] == ']') --depth;
  }
  return at;
}

// Converts a CLI11 option. Its type text contains the choices, if any, as a validator named "{a,b}".
OptionText describe(const CLI::Option& option) {
  OptionText text{.text = option.get_description(), .group = option.get_group(), .variable = option.get_envname()};
  const std::string type = option.get_type_name();
  const std::size_t brace = type.find(":{");
  text.isPositional = option.get_positional();
  text.isRequired = option.get_required();
  text.isRepeatable = option.get_expected_max() > 1;
  text.hasBareForm = option.get_items_expected_min() == 0 && !option.get_fnames().empty();
  if (text.isPositional) {
    text.names = {option.get_name(true)};
  } else {
    for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
  }
  if (option.get_items_expected_max() > 0 || text.hasBareForm) text.value = type.substr(0, validatorsOf(type));
  if (text.hasBareForm) text.value = "ADDRESS";
  if (brace != std::string::npos)
    text.choices = CLI::detail::split(type.substr(brace + 2, type.find('}', brace) - brace - 2), ',');
  return text;
}

CommandText describe(const CLI::App& app, const std::string& name) {
  CommandText text{.name = name, .summary = app.get_description(), .footer = app.get_footer()};
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty()) text.options.push_back(describe(*option));
  }
  for (const CLI::App* command : app.get_subcommands(nullptr))
    text.subcommands.push_back(describe(*command, name + " " + command->get_name()));
  return text;
}

// Returns the command that `words` name, such as {"service", "status"}. Throws Misuse if there is none.
CommandText find(const CommandText& program, const std::vector<std::string>& words) {
  const CommandText* found = &program;
  for (const std::string& word : words) {
    const auto next = std::ranges::find(found->subcommands, found->name + " " + word, &CommandText::name);
    if (next == found->subcommands.end()) {
      std::vector<std::string> names;
      for (const CommandText& each : found->subcommands) names.push_back(each.name.substr(found->name.size() + 1));
      throw Misuse(
          formatText("there is no subcommand {}{}", webnn::quoted(word), didYouMean(word, {names.begin(), names.end()})));
    }
    found = &*next;
  }
  return *found;
}

// Throws Misuse with similar names for an unknown option. CLI11 would first report missing options, and suggest nothing.
void requireKnownOptions(const CLI::App& program) {
  const CLI::App* command = &program;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  for (const std::string& argument : program.remaining(true)) {
    const std::string name = argument.substr(0, argument.find('='));
    if (name.size() < 2 || name[0] != '-') continue;
    std::vector<std::string> names;
    for (const CLI::Option* option : command->get_options()) {
      if (option->get_group().empty()) continue;
      for (const std::string& each : option->get_lnames()) names.push_back("--" + each);
    }
    requireNoModelOption(*command, name);
    throw Misuse(
        formatText("{} has no option {}{}", command->get_name(), webnn::quoted(name), suggestion(name, kOtherOptions, names)));
  }
  const std::vector<std::string> rest = program.remaining(true);
  if (rest.empty()) return;
  if (!command->get_subcommands(nullptr).empty()) requireKnownSubcommand(Command(const_cast<CLI::App&>(*command)), rest[0]);
  const bool isModel = !modelOf(*command) && std::filesystem::path(rest[0]).has_extension();
  throw Misuse(formatText("{} takes no further argument {}{}.", command->get_name(), webnn::quoted(rest[0]),
                          isModel ? formatText("; of a model tells: webnn inspect {}", sanitized(rest[0])) : ""));
}

void addHelp(CLI::App& app, const ProgramText& program) {
  auto words = std::make_shared<std::vector<std::string>>();
  auto isManual = std::make_shared<bool>(false);
  const Command help = Command(app).subcommand("help", "Print the help of a subcommand, as text or as a man page");
  help.option("COMMAND", *words, "The subcommand; none: the program");
  help.flag("--man", *isManual, "A page in the language of man(7)");
  help.footer("Examples:\n  webnn help run\n  webnn help --man run | man -l -");
  help.action([=, &app, version = program.version] {
    const CommandText command = find(describe(app, app.get_name()), *words);
    print(*isManual ? manText(command, version) : helpText(command, terminalColumns()));
  });
}

void addCompletion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  const Command completion = Command(app).subcommand("completion", "Print a shell script that completes command lines of webnn");
  completion.option("SHELL", *shell, "The shell").required().oneOf({"bash"});
  completion.footer("Examples:\n  eval \"$(webnn completion bash)\"  # in ~/.bashrc");
  completion.action([=, &app] {
    CommandText program = describe(app, app.get_name());
    std::vector<std::string> names = Command(app).subcommandNames();
    for (CommandText& command : program.subcommands) {
      for (OptionText& option : command.options) {
        if (option.names[0] == "COMMAND") option.choices = names;
      }
    }
    print(bashCompletion(program));
  });
}

}  // namespace

Option Option::type(const std::string& name) const {
  option_->type_name(name);
  return *this;
}

Option Option::required(bool isRequired) const {
  option_->required(isRequired);
  return *this;
}

Option Option::repeatable() const {
  option_->allow_extra_args(false);
  return *this;
}

Option Option::commas() const {
  option_->delimiter(',')->allow_extra_args(false);
  return *this;
}

Option Option::oneOf(const std::vector<std::string>& names) const {
  option_->check(CLI::IsMember(names));
  return *this;
}

Option Option::range(long long least, long long most) const {
  option_->check(CLI::Range(least, most));
  return *this;
}

Option Option::positive() const {
  option_->check([](const std::string& text) {
    double number = 0;
    return readFinite(text, number) && number > 0 ? "" : formatText("{} is not a number above 0", webnn::quoted(text));
  });
  return *this;
}

Option Option::notNegative() const {
  option_->check([](const std::string& text) {
    double number = 0;
    return readFinite(text, number) && number >= 0 ? "" : formatText("{} is not a number of 0 or more", webnn::quoted(text));
  });
  return *this;
}

Option Option::transform(std::function<std::string(std::string&)> read) const {
  option_->transform(CLI::Validator(std::move(read), option_->get_type_name()));
  return *this;
}

Option Option::excludes(const Option& other) const {
  option_->excludes(other.option_);
  return *this;
}

Option Option::example(const std::string& value) const {
  option_->description(formatText("{} (e.g. {} {})", option_->get_description(), option_->get_name(), value));
  return *this;
}

Option Option::group(const std::string& heading) const {
  option_->group(heading);
  return *this;
}

Option Option::variable(const std::string& name) const {
  option_->envname(name);
  return *this;
}

bool Option::isGiven() const { return option_->count() > 0; }

Command Command::subcommand(const std::string& name, const std::string& text) const {
  return Command(*app_->add_subcommand(name, text));
}

std::vector<std::string> Command::subcommandNames() const {
  std::vector<std::string> names;
  for (const CLI::App* command : std::as_const(*app_).get_subcommands(nullptr)) names.push_back(command->get_name());
  return names;
}

template <typename T>
Option Command::option(const std::string& name, T& value, const std::string& text) const {
  return Option(*app_->add_option(name, value, text));
}

template Option Command::option(const std::string&, std::string&, const std::string&) const;
template Option Command::option(const std::string&, std::filesystem::path&, const std::string&) const;
template Option Command::option(const std::string&, double&, const std::string&) const;
template Option Command::option(const std::string&, std::uint32_t&, const std::string&) const;
// Instantiates both types, because std::uint64_t is one on Linux and the other on macOS.
template Option Command::option(const std::string&, unsigned long&, const std::string&) const;
template Option Command::option(const std::string&, unsigned long long&, const std::string&) const;
template Option Command::option(const std::string&, std::vector<std::string>&, const std::string&) const;
template Option Command::option(const std::string&, std::vector<std::filesystem::path>&, const std::string&) const;
template Option Command::option(const std::string&, std::vector<std::uint32_t>&, const std::string&) const;
template Option Command::option(const std::string&, std::vector<double>&, const std::string&) const;

Option Command::flag(const std::string& name, bool& value, const std::string& text) const {
  return Option(*app_->add_flag(name, value, text));
}

Option Command::flag(const std::string& name, std::string& value, const std::string& bare, const std::string& text) const {
  return Option(*app_->add_flag(name + "{" + bare + "}", value, text));
}

Option Command::flag(const std::string& name, std::function<void()> action, const std::string& text) const {
  return Option(*app_->add_flag_callback(name, std::move(action), text));
}

Option Command::find(const std::string& name) const { return Option(*app_->get_option(name)); }

void Command::footer(const std::string& text) const { app_->footer(text); }

void Command::action(std::function<void()> action) const { app_->callback(std::move(action)); }

std::string readByteCount(std::string& text) { return CLI::AsSizeValue(false)(text); }

void parse(const ProgramText& program, const std::function<void(const Command&)>& declare, int argc, const char* const* argv) {
  CLI::App app(program.summary, program.name);
  app.allow_windows_style_options(false);  // file names may begin with "/"
  app.formatter_fn([&](const CLI::App* command, const std::string&, CLI::AppFormatMode) {
    std::string name;
    for (const CLI::App* each = command; each; each = each->get_parent())
      name = each->get_name() + (name.empty() ? "" : " ") + name;
    return helpText(describe(*command, name), terminalColumns());
  });
  app.set_help_flag("-h,--help", "Print this help");
  app.set_version_flag("--version", program.version, "Print the version");
  app.require_subcommand(1);
  app.footer(program.footer);
  const Command command(app);
  declare(command);
  addHelp(app, program);
  addCompletion(app);
  if (argc > 1) requireKnownSubcommand(command, argv[1]);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    app.exit(help);
  } catch (const CLI::ParseError& error) {
    requireKnownOptions(app);
    throw Misuse(error.what());
  }
}

}  // namespace webnn::cli
