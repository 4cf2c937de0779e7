// The option dictionaries of the operations, in the specification's order, spelling and defaults. Every `label` names
// the operation in error messages and in printed graphs.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "webnn/operand.h"
#include "webnn/types.h"

namespace webnn {

// Enumerations. name() and fromName() in webnn/enums.h convert them to and from the specification's text.

enum class InputOperandLayout { nchw, nhwc };
enum class Conv2dFilterOperandLayout { oihw, hwio, ohwi, ihwo };
enum class ConvTranspose2dFilterOperandLayout { iohw, hwoi, ohwi };
enum class GruWeightLayout { zrn, rzn };     // the order of the gates: z is update, r reset, n new
enum class LstmWeightLayout { iofg, ifgo };  // the order of the gates: i is input, o output, f forget, g cell
enum class RecurrentNetworkActivation { relu, sigmoid, tanh };
enum class RecurrentNetworkDirection { forward, backward, both };
enum class PaddingMode { constant, edge, reflection };
enum class RoundingType { floor, ceil };
enum class InterpolationMode { nearestNeighbor, linear };

struct OperatorOptions {
  std::string label;
};

// https://www.w3.org/TR/webnn/#dictdef-mlargminmaxoptions
struct ArgMinMaxOptions {
  bool keepDimensions = false;
  DataType outputDataType = DataType::int32;
  std::string label;
};

// https://www.w3.org/TR/webnn/#dictdef-mlbatchnormalizationoptions
struct BatchNormalizationOptions {
  std::optional<Operand> scale;
  std::optional<Operand> bias;
  std::uint32_t axis = 1;
  double epsilon = 1e-5;
  std::string label;
};

// https://www.w3.org/TR/webnn/#dictdef-mlclampoptions
struct ClampOptions {
  std::optional<Number> minValue;
  std::optional<Number> maxValue;
  std::string label;
};

// https://www.w3.org/TR/webnn/#dictdef-mlconv2doptions
struct Conv2dOptions {
  OptionalSizes padding;    // [beginningHeight, endingHeight, beginningWidth, endingWidth], absent: zeros
  OptionalSizes strides;    // [height, width], absent: ones
  OptionalSizes dilations;  // [height, width], absent: ones
  std::uint32_t groups = 1;
  InputOperandLayout inputLayout = InputOperandLayout::nchw;
  Conv2dFilterOperandLayout filterLayout = Conv2dFilterOperandLayout::oihw;
  std::optional<Operand> bias;  // [outputChannels]
  std::string label;
};

// https://www.w3.org/TR/webnn/#dictdef-mlconvtranspose2doptions
struct ConvTranspose2dOptions {
  OptionalSizes padding;
  OptionalSizes strides;
  OptionalSizes dilations;
  OptionalSizes outputPadding;  // [height, width], absent: zeros
  OptionalSizes outputSizes;    // [height, width], absent: computed; if present, outputPadding is ignored
  std::uint32_t groups = 1;
  InputOperandLayout inputLayout = InputOperandLayout::nchw;
  ConvTranspose2dFilterOperandLayout filterLayout = ConvTranspose2dFilterOperandLayout::iohw;
  std::optional<Operand> bias;
  std::string label;
};

// https://www.w3.org/TR/webnn/#dictdef-mlcumulativesumoptions
struct CumulativeSumOptions {
  bool exclusive = false;
  bool reversed = false;
  std::string label;
};

// https://www.w3.org/TR/webnn/#dictdef-mleluoptions
struct EluOptions {
  double alpha = 1;
  std::string label;
};

// https://www.w3.org/TR/webnn/#dictdef-mlgatheroptions
struct GatherOptions {
  std::uint32_t axis = 0;
  std::string label;
};

// https://www.w3.org/TR/webnn/#dictdef-mlgemmoptions
struct GemmOptions {
  std::optional<Operand> c;  // unidirectionally broadcastable to [M, N]
  double alpha = 1.0;
  double beta = 1.0;
  bool aTranspose = false;
  bool bTranspose = false;
  std::string label;
};

// https://www.w3.org/TR/webnn/#dictdef-mlgruoptions
struct GruOptions {
  std::optional<Operand> bias;                // [numDirections, 3 * hiddenSize]
  std::optional<Operand> recurrentBias;       // [numDirections, 3 * hiddenSize]
  std::optional<Operand> initialHiddenState;  // [numDirections, batchSize, hiddenSize]
  bool resetAfter = true;
  bool returnSequence = false;
  RecurrentNetworkDirection direction = RecurrentNetworkDirection::forward;
  GruWeightLayout layout = GruWeightLayout::zrn;
  OptionalSequence<RecurrentNetworkActivation> activations;  // absent: sigmoid (update and reset gates), tanh (new gate)
  std::string label;
};

// https://www.w3.org/TR/webnn/#dictdef-mlgrucelloptions
struct GruCellOptions {
  std::optional<Operand> bias;           // [3 * hiddenSize]
  std::optional<Operand> recurrentBias;  // [3 * hiddenSize]
  bool resetAfter = true;
  GruWeightLayout layout = GruWeightLayout::zrn;
  OptionalSequence<RecurrentNetworkActivation> activations;  // absent: sigmoid (update and reset gates), tanh (new gate)
  std::string label;
};

// https://www.w3.org/TR/webnn/#dictdef-mlhardsigmoidoptions
struct HardSigmoidOptions {
  double alpha = 0.2;
  double beta = 0.5;
  std::string label;
};

// https://www.w3.org/TR/webnn/#dictdef-mlinstancenormalizationoptions
struct InstanceNormalizationOptions {
  std::optional<Operand> scale;
  std::optional<Operand> bias;
  double epsilon = 1e-5;
  InputOperandLayout layout = InputOperandLayout::nchw;
  std::string label;
};

// https://www.w3.org/TR/webnn/#dictdef-mllayernormalizationoptions
struct LayerNormalizationOptions {
  std::optional<Operand> scale;
  std::optional<Operand> bias;
  OptionalSizes axes;  // absent: all dimensions but the first
  double epsilon = 1e-5;
  std::string label;
};

// https://www.w3.org/TR/webnn/#dictdef-mlleakyreluoptions
struct LeakyReluOptions {
  double alpha = 0.01;
  std::string label;
};

// https://www.w3.org/TR/webnn/#dictdef-mllinearoptions
struct LinearOptions {
  double alpha = 1;
  double beta = 0;
  std::string label;
};

// https://www.w3.org/TR/webnn/#dictdef-mllstmoptions
struct LstmOptions {
  std::optional<Operand> bias;                // [numDirections, 4 * hiddenSize]
  std::optional<Operand> recurrentBias;       // [numDirections, 4 * hiddenSize]
  std::optional<Operand> peepholeWeight;      // [numDirections, 3 * hiddenSize]: input, output and forget gates
  std::optional<Operand> initialHiddenState;  // [numDirections, batchSize, hiddenSize]
  std::optional<Operand> initialCellState;    // [numDirections, batchSize, hiddenSize]
  bool returnSequence = false;
  RecurrentNetworkDirection direction = RecurrentNetworkDirection::forward;
  LstmWeightLayout layout = LstmWeightLayout::iofg;
  // absent: sigmoid (input, output and forget gates), tanh (cell gate), tanh (new cell state)
  OptionalSequence<RecurrentNetworkActivation> activations;
  std::string label;
};

// https://www.w3.org/TR/webnn/#dictdef-mllstmcelloptions
struct LstmCellOptions {
  std::optional<Operand> bias;            // [4 * hiddenSize]
  std::optional<Operand> recurrentBias;   // [4 * hiddenSize]
  std::optional<Operand> peepholeWeight;  // [3 * hiddenSize]: input, output and forget gates
  LstmWeightLayout layout = LstmWeightLayout::iofg;
  // absent: sigmoid (input, output and forget gates), tanh (cell gate), tanh (new cell state)
  OptionalSequence<RecurrentNetworkActivation> activations;
  std::string label;
};

// https://www.w3.org/TR/webnn/#dictdef-mlpadoptions
struct PadOptions {
  PaddingMode mode = PaddingMode::constant;
  Number value = 0;
  std::string label;
};

// https://www.w3.org/TR/webnn/#dictdef-mlpool2doptions
struct Pool2dOptions {
  OptionalSizes windowDimensions;  // [height, width], absent: the whole plane
  OptionalSizes padding;           // [beginningHeight, endingHeight, beginningWidth, endingWidth], absent: zeros
  OptionalSizes strides;           // [height, width], absent: ones
  OptionalSizes dilations;         // [height, width], absent: ones
  InputOperandLayout layout = InputOperandLayout::nchw;
  RoundingType outputShapeRounding = RoundingType::floor;
  OptionalSizes outputSizes;  // [height, width]; if present, outputShapeRounding is ignored
  std::string label;
};

// https://www.w3.org/TR/webnn/#dictdef-mlreduceoptions
struct ReduceOptions {
  OptionalSizes axes;  // absent: all; empty: none
  bool keepDimensions = false;
  std::string label;
};

// https://www.w3.org/TR/webnn/#dictdef-mlresample2doptions
struct Resample2dOptions {
  InterpolationMode mode = InterpolationMode::nearestNeighbor;
  OptionalSequence<float> scales;  // one per axis, absent: ones
  OptionalSizes sizes;             // one per axis; if present, scales is validated but not used
  OptionalSizes axes;              // absent: [2, 3]
  std::string label;
};

// https://www.w3.org/TR/webnn/#dictdef-mlreverseoptions
struct ReverseOptions {
  OptionalSizes axes;  // absent: all; empty: none
  std::string label;
};

// https://www.w3.org/TR/webnn/#dictdef-mlscatteroptions
struct ScatterOptions {
  std::uint32_t axis = 0;
  std::string label;
};

// https://www.w3.org/TR/webnn/#dictdef-mlsliceoptions
struct SliceOptions {
  OptionalSizes strides;  // absent: ones
  std::string label;
};

// https://www.w3.org/TR/webnn/#dictdef-mlsplitoptions
struct SplitOptions {
  std::uint32_t axis = 0;
  std::string label;
};

// The argument of split(): the number of equal parts, or the size of each part.
using Splits = std::variant<std::uint32_t, std::vector<std::uint32_t>>;

// https://www.w3.org/TR/webnn/#dictdef-mltransposeoptions
struct TransposeOptions {
  OptionalSizes permutation;  // absent: reverses the order of the dimensions
  std::string label;
};

// https://www.w3.org/TR/webnn/#dictdef-mltriangularoptions
struct TriangularOptions {
  bool upper = true;
  std::int32_t diagonal = 0;
  std::string label;
};

}  // namespace webnn
