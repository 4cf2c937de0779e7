// Runs models that no single graph can hold, for subcommands that normally run a graph.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/diff/diff_bisect.h"
#include "webnn/session.h"

namespace webnn::cli {

// arrayFor() converts float32 or int32 elements, as the tool reads and prints them, to an input's type that WebNN lacks, such as
// float64. shownAs() converts such an array back.
Array arrayFor(const DeclaredInput& input, const OperandDescriptor& descriptor, std::span<const std::byte> bytes);
Array shownAs(Array array);
// Returns whether the array can be shown only as text, because it holds strings or is a sequence.
bool hasTextOnly(const Array& array);
// Returns the elements as texts: a map in a sequence becomes "{key: value, ...}", and a tensor in a sequence its type and shape.
std::vector<std::string> textsOf(const Array& array);

// Returns the inputs with the sizes of --dim. An open dimension without a size becomes 1. Throws Misuse for an input of strings.
std::vector<NamedDescriptor> fixedInputs(const std::vector<DeclaredInput>& declared, const ModelOptions& options);

// Loads the graph. Returns nothing if no single graph can hold the model, or if --dim gives a size of 0, which no graph has.
// Otherwise throws the errors of loadModel().
std::optional<Graph> tryLoadModel(Context& context, const ModelOptions& options);

class ModelSession {
 public:
  // `seed` is for operators that draw random numbers. Throws the errors of Session::load(), and Misuse for a dimension without a
  // size and for an input of strings.
  ModelSession(Context& context, ModelOptions options, std::optional<std::uint64_t> seed = {});

  // Returns the elements of each input. `sourceOf` returns an input's source, in the form that readInput() takes; a --value for
  // the input has precedence.
  std::vector<NamedBytes> inputs(const std::function<std::string(const std::string& input)>& sourceOf) const;
  // Returns the names, types and shapes of the inputs.
  const std::vector<NamedDescriptor>& descriptors() const { return descriptors_; }
  // Returns the outputs in the model's order, without strings and sequences.
  std::vector<NamedBytes> run(const std::vector<NamedBytes>& inputs) const;

 private:
  Session session_;
  std::vector<NamedDescriptor> descriptors_;
  std::map<std::string, std::string> files_;  // files of --value, keyed by input name
};

// Throws Misuse if `option`, which works for graphs only, is used with a model that runs as a session.
void refuseForSession(bool isUsed, std::string_view option, const ModelOptions& options);

}  // namespace webnn::cli
