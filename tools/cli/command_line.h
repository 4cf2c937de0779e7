// The command line: subcommands and their options. The one place that knows the library that parses it is command_line.cpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace webnn::cli {

// An option or a positional argument, as a handle. Those that change it return it.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  // What --help calls the value.
  Option type(const std::string& name) const;
  Option required(bool isRequired = true) const;
  // Each occurrence takes one value.
  Option repeatable() const;
  // Values are separated by commas.
  Option commas() const;
  Option oneOf(const std::vector<std::string>& names) const;
  Option range(long long least, long long most) const;
  // A finite number above 0.
  Option positive() const;
  // A finite number of 0 or more.
  Option notNegative() const;
  // `read` puts the text as the option's type reads it in its place, and returns what is wrong with it, or nothing.
  Option transform(std::function<std::string(std::string&)> read) const;
  Option excludes(const Option& other) const;
  // What --help shows as its use, behind its name: "batch=1".
  Option example(const std::string& value) const;
  // The heading in --help; none for "", which hides the option.
  Option group(const std::string& heading) const;
  // The environment variable that stands for it where it is not given.
  Option variable(const std::string& name) const;
  bool isGiven() const;

 private:
  CLI::Option* option_;
};

// The program or a subcommand, as a handle.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  Command subcommand(const std::string& name, const std::string& text) const;
  std::vector<std::string> subcommandNames() const;

  // Where the value goes. T: a text, a path, a number, or a list or std::optional of such: those that command_line.cpp names.
  template <typename T>
  Option option(const std::string& name, T& value, const std::string& text) const;
  Option flag(const std::string& name, bool& value, const std::string& text) const;
  Option flag(const std::string& name, std::function<void()> action, const std::string& text) const;
  // One that is `bare` without a value, which is given as --name=VALUE.
  Option flag(const std::string& name, std::string& value, const std::string& bare, const std::string& text) const;
  // One that was declared before.
  Option find(const std::string& name) const;

  // Below the options in --help.
  void footer(const std::string& text) const;
  // What is done once the whole command line is parsed.
  void action(std::function<void()> action) const;

 private:
  CLI::App* app_;
};

// "4GB" and "512MiB" as the number of bytes, in place. What is wrong with it, or nothing.
std::string readByteCount(std::string& text);

struct ProgramText {
  std::string name, summary, version, footer;
};

// Declares the subcommands by `declare`, and `help` and `completion`; parses, and runs the action of the one that is named;
// --help and --version print. Misuse if the command line makes no sense.
void parse(const ProgramText& program, const std::function<void(const Command&)>& declare, int argc, const char* const* argv);

}  // namespace webnn::cli
