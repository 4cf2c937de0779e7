#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "base/text.h"
#include "cli/command.h"
#include "cli/similar_names.h"

namespace webnn::cli {

namespace {

// CLI11's own checks of ranges take NaN.
bool readFinite(const std::string& text, double& number) {
  return CLI::detail::lexical_cast(text, number) && std::isfinite(number);
}

// CLI11 would only say that a subcommand is required.
void requireKnownSubcommand(const Command& program, std::string_view name) {
  const std::vector<std::string> names = program.subcommandNames();
  if (name.starts_with('-') || std::ranges::find(names, name) != names.end()) return;
  throw Misuse(formatText("there is no subcommand {}{}", webnn::quoted(name), didYouMean(name, {names.begin(), names.end()})));
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
template Option Command::option(const std::string&, std::uint64_t&, const std::string&) const;
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
  app.set_version_flag("--version", program.version);
  app.require_subcommand(1);
  app.footer(program.footer);
  const Command command(app);
  declare(command);
  if (argc > 1) requireKnownSubcommand(command, argv[1]);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    app.exit(help);
  } catch (const CLI::ParseError& error) {
    throw Misuse(error.what());
  }
}

}  // namespace webnn::cli
