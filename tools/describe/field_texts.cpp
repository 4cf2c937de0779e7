#include "describe/field_texts.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string>

namespace webnn::describe {

namespace {

struct FieldText {
  std::string_view methods;  // separated by spaces; empty: all other methods
  std::string_view field, text;
};

// The first entry that fits the method and the field is used.
constexpr FieldText kTexts[] = {
    {"elu", "alpha", "factor of exp(x) - 1 for negative x"},
    {"gemm", "alpha", "factor of the product of a and b"},
    {"leakyRelu", "alpha", "slope for negative x"},
    {"", "alpha", "slope"},
    {"gemm", "beta", "factor of c"},
    {"", "beta", "offset"},
    {"", "aTranspose", "whether to transpose a first"},
    {"", "bTranspose", "whether to transpose b first"},
    {"gru gruCell", "activations",
     "two activations: one for the update and reset gates, one for the new gate; sigmoid and tanh by default"},
    {"", "activations",
     "three activations: one for the input, output and forget gates, one for the cell gate, one for the new cell state; sigmoid, "
     "tanh and tanh by default"},
    {"layerNormalization", "axes", "dimensions to normalize along; all but the first by default"},
    {"resample2d", "axes", "the two dimensions to resize; 2 and 3 by default"},
    {"reverse", "axes", "dimensions to reverse; all by default"},
    {"", "axes", "dimensions to reduce; all by default"},
    {"argMax argMin", "axis", "dimension to search along"},
    {"batchNormalization", "axis", "dimension of the channels"},
    {"concat", "axis", "dimension to join along"},
    {"cumulativeSum", "axis", "dimension to sum along"},
    {"softmax", "axis", "dimension to normalize along"},
    {"split", "axis", "dimension to split"},
    {"", "axis", "dimension of input that the indices refer to"},
    {"", "beginningPadding", "number of elements to add before each dimension"},
    {"", "endingPadding", "number of elements to add after each dimension"},
    {"batchNormalization instanceNormalization", "bias", "value to add to each channel after scaling; 0 by default"},
    {"layerNormalization", "bias", "values to add after scaling, one for each position along axes; 0 by default"},
    {"conv2d convTranspose2d", "bias", "value to add to each output channel; 0 by default"},
    {"", "bias", "bias of the gates' products with the input; 0 by default"},
    {"", "recurrentBias", "bias of the gates' products with the hidden state; 0 by default"},
    {"", "c", "matrix to add, broadcast to the shape of the product; none by default"},
    {"", "dataType", "data type of the output"},
    {"", "diagonal", "diagonal that bounds the triangle: 0 is the main diagonal, positive ones are above it"},
    {"", "dilations", "distances between the elements of a window along height and width; 1 by default"},
    {"", "direction", "order in which the time steps are read"},
    {"", "epsilon", "value to add to the variance before taking the square root"},
    {"", "exclusive", "whether each sum leaves out the element at its own position"},
    {"", "filterLayout", "order of the filter's dimensions"},
    {"", "groups", "number of groups that the channels are divided into"},
    {"", "hiddenSize", "number of elements of the hidden state"},
    {"", "initialCellState", "cell state before the first step; 0 by default"},
    {"", "initialHiddenState", "hidden state before the first step; 0 by default"},
    {"", "inputLayout", "order of the dimensions of input and output"},
    {"", "keepDimensions", "whether reduced dimensions remain, with size 1"},
    {"gru gruCell lstm lstmCell", "layout", "order of the gates in the weights and biases"},
    {"", "layout", "order of the dimensions of input and output"},
    {"", "maxValue", "upper bound; none by default"},
    {"", "minValue", "lower bound; none by default"},
    {"pad", "mode", "kind of the added elements: value, copies of the edge or a reflection of the input"},
    {"", "mode", "kind of interpolation"},
    {"", "newShape", "shape of the output"},
    {"", "outputDataType", "data type of the output, int32 or int64"},
    {"", "outputPadding", "numbers of rows and columns to add at the end of the output; 0 by default"},
    {"", "outputShapeRounding", "rounding of computed output sizes that are not integers"},
    {"convTranspose2d", "outputSizes", "height and width of the output, instead of an output padding; computed by default"},
    {"", "outputSizes", "height and width of the output, instead of a rounding; computed by default"},
    {"convTranspose2d", "padding",
     "rows to remove at the top and bottom of the output, columns to remove left and right; 0 by default"},
    {"", "padding", "rows to add above and below the input, columns to add left and right; 0 by default"},
    {"", "peepholeWeight", "weights of the cell state in the input, output and forget gates; 0 by default"},
    {"", "permutation", "for each dimension of the output, the dimension of input; reversed order by default"},
    {"", "repetitions", "number of copies along each dimension"},
    {"", "resetAfter", "whether the reset gate applies after the product with the recurrent weights, not before"},
    {"", "returnSequence", "whether to return the hidden states of all steps too"},
    {"", "reversed", "whether to sum from the end"},
    {"layerNormalization", "scale", "factors, one for each position along axes; 1 by default"},
    {"", "scale", "factor for each channel; 1 by default"},
    {"", "scales", "factors for the sizes of the two dimensions; 1 by default"},
    {"slice", "sizes", "size of the window in each dimension"},
    {"", "sizes", "sizes of the two dimensions in the output; computed from scales by default"},
    {"", "splits", "number of equal parts, or the size of each part"},
    {"", "starts", "first index of the window in each dimension"},
    {"", "steps", "number of time steps"},
    {"slice", "strides", "distance between selected elements in each dimension; 1 by default"},
    {"", "strides", "distances between windows along height and width; 1 by default"},
    {"", "upper", "whether to keep the upper triangle rather than the lower"},
    {"", "value", "value of the added elements in mode constant"},
    {"", "windowDimensions", "height and width of a window; those of the input by default"},
};

bool names(std::string_view methods, std::string_view method) {
  if (methods.empty()) return true;
  std::istringstream words{std::string(methods)};
  for (std::string word; words >> word;) {
    if (word == method) return true;
  }
  return false;
}

}  // namespace

std::string_view fieldText(const Method& method, const Field& field) {
  const bool isOperand = field.kind == FieldKind::operand || field.kind == FieldKind::operands;
  if (isOperand && field.argument) return {};
  const auto* const found = std::ranges::find_if(
      kTexts, [&](const FieldText& text) { return text.field == field.name && names(text.methods, method.name()); });
  return found == std::end(kTexts) ? std::string_view{} : found->text;
}

std::string fieldSentence(const Method& method, const Field& field) {
  std::string sentence(fieldText(method, field));
  sentence[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence[0])));
  return sentence + ".";
}

}  // namespace webnn::describe
