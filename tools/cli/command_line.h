// Declares the command line's subcommands and options. Only command_line.cpp uses the parsing library.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace webnn::cli {

// An option or positional argument, as a handle. Setters return the handle.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  // Sets the placeholder of the value in --help, such as "FILE".
  Option type(const std::string& name) const;
  Option required(bool isRequired = true) const;
  // Lets the option occur several times, with one value each time.
  Option repeatable() const;
  // Lets the option take several values, separated by commas.
  Option commas() const;
  Option oneOf(const std::vector<std::string>& names) const;
  Option range(long long least, long long most) const;
  // Requires a finite number above 0.
  Option positive() const;
  // Requires a finite number of at least 0.
  Option notNegative() const;
  // Sets a function that checks the text and may rewrite it before it is parsed. It returns an error text, or "" for none.
  Option transform(std::function<std::string(std::string&)> read) const;
  Option excludes(const Option& other) const;
  // Sets the example value in --help, such as "batch=1".
  Option example(const std::string& value) const;
  // Sets the option's heading in --help. "" hides the option.
  Option group(const std::string& heading) const;
  // Sets the environment variable that provides the value if the option is not given.
  Option variable(const std::string& name) const;
  bool isGiven() const;

 private:
  CLI::Option* option_;
};

// A handle of the program or of a subcommand.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  Command subcommand(const std::string& name, const std::string& text) const;
  std::vector<std::string> subcommandNames() const;

  // Declares an option whose value is stored in `value`. command_line.cpp instantiates the possible types T.
  template <typename T>
  Option option(const std::string& name, T& value, const std::string& text) const;
  Option flag(const std::string& name, bool& value, const std::string& text) const;
  Option flag(const std::string& name, std::function<void()> action, const std::string& text) const;
  // Declares an option with an optional value: --name stores `bare`, --name=VALUE stores VALUE.
  Option flag(const std::string& name, std::string& value, const std::string& bare, const std::string& text) const;
  // Returns an option that was declared before.
  Option find(const std::string& name) const;

  // Sets the text after the options in --help.
  void footer(const std::string& text) const;
  // Sets the function to run once the whole command line is parsed.
  void action(std::function<void()> action) const;

 private:
  CLI::App* app_;
};

// Replaces "4GB" or "512MiB" by the number of bytes. Returns an error text, or "" for none.
std::string readByteCount(std::string& text);

struct ProgramText {
  std::string name, summary, version, footer;
};

// Calls `declare` to declare subcommands, adds `help` and `completion`, parses the arguments and runs the chosen action. --help
// and --version print and return. Throws Misuse for an invalid command line.
void parse(const ProgramText& program, const std::function<void(const Command&)>& declare, int argc, const char* const* argv);

}  // namespace webnn::cli
