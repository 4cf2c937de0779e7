// The command line: subcommands and options. Only command_line.cpp knows the parsing library.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace webnn::cli {

// A handle of an option or positional argument. Its setters return it.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  // Sets the value's name in --help.
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
  // `read` replaces the text by the form that the option's type parses, and returns an error or nothing.
  Option transform(std::function<std::string(std::string&)> read) const;
  Option excludes(const Option& other) const;
  // Sets the example in --help, after the name: "batch=1".
  Option example(const std::string& value) const;
  // Sets the heading in --help; "" hides the option.
  Option group(const std::string& heading) const;
  // Sets the environment variable that replaces it if it is not given.
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

  // Stores the value. T: a text, a path, a number, or a list or std::optional of those that command_line.cpp instantiates.
  template <typename T>
  Option option(const std::string& name, T& value, const std::string& text) const;
  Option flag(const std::string& name, bool& value, const std::string& text) const;
  Option flag(const std::string& name, std::function<void()> action, const std::string& text) const;
  // Declares an option that is `bare` without a value; a value is given as --name=VALUE.
  Option flag(const std::string& name, std::string& value, const std::string& bare, const std::string& text) const;
  // Returns an option declared before.
  Option find(const std::string& name) const;

  // Below the options in --help.
  void footer(const std::string& text) const;
  // Sets the action to run after the whole command line is parsed.
  void action(std::function<void()> action) const;

 private:
  CLI::App* app_;
};

// Replaces "4GB" or "512MiB" by the number of bytes. Returns an error or nothing.
std::string readByteCount(std::string& text);

struct ProgramText {
  std::string name, summary, version, footer;
};

// Declares the subcommands by `declare`, and `help` and `completion`; parses, and runs the action of the one that is named;
// --help and --version print. Misuse if the command line makes no sense.
void parse(const ProgramText& program, const std::function<void(const Command&)>& declare, int argc, const char* const* argv);

}  // namespace webnn::cli
