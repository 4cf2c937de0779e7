// Printed by `webnn ops --format=dts` from the operation table.
// https://www.w3.org/TR/webnn/

type MLPowerPreference = "default" | "high-performance" | "low-power";
// "int4" and "uint4" are extensions: they are not in the specification.
type MLOperandDataType = "float32" | "float16" | "int32" | "uint32" | "int64" | "uint64" | "int8" | "uint8" | "int4" | "uint4";
type MLInputOperandLayout = "nchw" | "nhwc";
type MLRoundingType = "floor" | "ceil";
type MLConv2dFilterOperandLayout = "oihw" | "hwio" | "ohwi" | "ihwo";
type MLConvTranspose2dFilterOperandLayout = "iohw" | "hwoi" | "ohwi";
type MLRecurrentNetworkDirection = "forward" | "backward" | "both";
type MLGruWeightLayout = "zrn" | "rzn";
type MLRecurrentNetworkActivation = "relu" | "sigmoid" | "tanh";
type MLLstmWeightLayout = "iofg" | "ifgo";
type MLPaddingMode = "constant" | "edge" | "reflection";
type MLInterpolationMode = "nearest-neighbor" | "linear";
type MLNumber = bigint | number;
type MLNamedTensors = Record<string, MLTensor>;
type MLNamedOperands = Record<string, MLOperand>;
type MLBuffer = ArrayBufferLike | ArrayBufferView;

interface MLContextOptions {
  powerPreference?: MLPowerPreference;
  accelerated?: boolean;
  /** Extension: the name of the backend. There is no fallback. */
  backend?: string;
  /** Extension: the maximum number of threads of a graph. 0: the backend decides. */
  threads?: number;
  /** Extension: limits of memory, work and time. */
  limits?: MLLimits;
  /** Extension: runs graphs in another process. "private" starts one; "unix:PATH" is the socket of a running service. */
  service?: string;
  /** Extension: the token that identifies the client to a running service, 32 hexadecimal digits. */
  serviceToken?: string;
}

/** Extension: limits of a context. Exceeding maxTime is a TimeoutError; exceeding maxMemory, maxOperations or maxElements is an
    OperationError. */
interface MLLimits {
  /** The total size of tensors, constants and compiled graphs, in bytes. */
  maxMemory?: number;
  /** The number of operations of a graph. */
  maxOperations?: number;
  /** The number of elements of all operands of a graph. */
  maxElements?: number;
  /** The number of elementary steps that one load or build spends on constants. Beyond it, each run computes them instead; if a
      shape depends on them, the load fails. */
  maxCompileWork?: number;
  /** The time of one load, build or run, in milliseconds. */
  maxTime?: number;
}

/** Merged with the declaration of the DOM or Node.js types, if a program uses them. */
interface AbortSignal {}

/** Extension: options to end a call early. */
interface MLCallOptions {
  /** When the signal is aborted, the call is rejected with the signal's reason, usually within 50 milliseconds. */
  signal?: AbortSignal;
}

interface NavigatorML {
  readonly ml: ML;
}
interface Navigator extends NavigatorML {}
interface WorkerNavigator extends NavigatorML {}

interface ML {
  createContext(options?: MLContextOptions): Promise<MLContext>;
}
declare var ML: {
  prototype: ML;
  new(): ML;
};

interface MLContextLostInfo {
  message?: string;
}

interface MLContext {
  dispatch(graph: MLGraph, inputs: MLNamedTensors, outputs: MLNamedTensors, options?: MLCallOptions): void;
  createTensor(descriptor: MLTensorDescriptor): Promise<MLTensor>;
  createConstantTensor(descriptor: MLOperandDescriptor, inputData: MLBuffer): Promise<MLTensor>;
  readTensor(tensor: MLTensor): Promise<ArrayBuffer>;
  readTensor(tensor: MLTensor, outputData: MLBuffer): Promise<void>;
  writeTensor(tensor: MLTensor, inputData: MLBuffer): void;
  opSupportLimits(): MLOpSupportLimits;
  destroy(): void;
  readonly accelerated: boolean;
  readonly lost: Promise<MLContextLostInfo>;
  /** Extension: where graphs run, as in MLContextOptions; empty: in this process. */
  readonly service: string;
}
declare var MLContext: {
  prototype: MLContext;
  new(): MLContext;
};

interface MLGraph {
  destroy(): void;
}
declare var MLGraph: {
  prototype: MLGraph;
  new(): MLGraph;
};

interface MLOperandDescriptor {
  dataType: MLOperandDataType;
  shape: Iterable<number>;
}

/** Extension of Node.js: an open dimension with bounds. Its size is chosen at each run. A string is one without bounds. */
interface MLOpenDimension {
  name: string;
  minSize?: number;
  maxSize?: number;
}

/** Extension of Node.js: a string is the name of an open dimension, or an expression over names such as "past + 1". */
interface MLInputDescriptor {
  dataType: MLOperandDataType;
  shape: Iterable<number | string | MLOpenDimension>;
}

interface MLOperand {
  readonly dataType: MLOperandDataType;
  /** Numbers. Extension of Node.js: an open dimension is a string, its name or expression. */
  readonly shape: readonly any[];
}
declare var MLOperand: {
  prototype: MLOperand;
  new(): MLOperand;
};

interface MLTensorDescriptor extends MLOperandDescriptor {
  readable?: boolean;
  writable?: boolean;
}

interface MLTensor {
  readonly dataType: MLOperandDataType;
  readonly shape: readonly number[];
  readonly readable: boolean;
  readonly writable: boolean;
  readonly constant: boolean;
  destroy(): void;
}
declare var MLTensor: {
  prototype: MLTensor;
  new(): MLTensor;
};

interface MLRankRange {
  min?: number;
  max?: number;
}

interface MLTensorLimits {
  dataTypes?: MLOperandDataType[];
  rankRange?: MLRankRange;
}

interface MLOperatorOptions {
  label?: string;
}

interface MLArgMinMaxOptions extends MLOperatorOptions {
  /** Whether reduced dimensions remain, with size 1. */
  keepDimensions?: boolean;
  /** Data type of the output, int32 or int64. */
  outputDataType?: MLOperandDataType;
}

interface MLPool2dOptions extends MLOperatorOptions {
  /** Height and width of a window; those of the input by default. */
  windowDimensions?: Iterable<number | string>;
  /** Rows to add above and below the input, columns to add left and right; 0 by default. */
  padding?: Iterable<number>;
  /** Distances between windows along height and width; 1 by default. */
  strides?: Iterable<number>;
  /** Distances between the elements of a window along height and width; 1 by default. */
  dilations?: Iterable<number>;
  /** Order of the dimensions of input and output. */
  layout?: MLInputOperandLayout;
  /** Rounding of computed output sizes that are not integers. */
  outputShapeRounding?: MLRoundingType;
  /** Height and width of the output, instead of a rounding; computed by default. */
  outputSizes?: Iterable<number | string>;
}

interface MLBatchNormalizationOptions extends MLOperatorOptions {
  /** Factor for each channel; 1 by default. */
  scale?: MLOperand;
  /** Value to add to each channel after scaling; 0 by default. */
  bias?: MLOperand;
  /** Dimension of the channels. */
  axis?: number;
  /** Value to add to the variance before taking the square root. */
  epsilon?: number;
}

interface MLClampOptions extends MLOperatorOptions {
  /** Lower bound; none by default. */
  minValue?: MLNumber;
  /** Upper bound; none by default. */
  maxValue?: MLNumber;
}

interface MLConv2dOptions extends MLOperatorOptions {
  /** Rows to add above and below the input, columns to add left and right; 0 by default. */
  padding?: Iterable<number>;
  /** Distances between windows along height and width; 1 by default. */
  strides?: Iterable<number>;
  /** Distances between the elements of a window along height and width; 1 by default. */
  dilations?: Iterable<number>;
  /** Number of groups that the channels are divided into. */
  groups?: number;
  /** Order of the dimensions of input and output. */
  inputLayout?: MLInputOperandLayout;
  /** Order of the filter's dimensions. */
  filterLayout?: MLConv2dFilterOperandLayout;
  /** Value to add to each output channel; 0 by default. */
  bias?: MLOperand;
}

interface MLConvTranspose2dOptions extends MLOperatorOptions {
  /** Rows to remove at the top and bottom of the output, columns to remove left and right; 0 by default. */
  padding?: Iterable<number>;
  /** Distances between windows along height and width; 1 by default. */
  strides?: Iterable<number>;
  /** Distances between the elements of a window along height and width; 1 by default. */
  dilations?: Iterable<number>;
  /** Numbers of rows and columns to add at the end of the output; 0 by default. */
  outputPadding?: Iterable<number>;
  /** Height and width of the output, instead of an output padding; computed by default. */
  outputSizes?: Iterable<number | string>;
  /** Number of groups that the channels are divided into. */
  groups?: number;
  /** Order of the dimensions of input and output. */
  inputLayout?: MLInputOperandLayout;
  /** Order of the filter's dimensions. */
  filterLayout?: MLConvTranspose2dFilterOperandLayout;
  /** Value to add to each output channel; 0 by default. */
  bias?: MLOperand;
}

interface MLCumulativeSumOptions extends MLOperatorOptions {
  /** Whether each sum leaves out the element at its own position. */
  exclusive?: boolean;
  /** Whether to sum from the end. */
  reversed?: boolean;
}

interface MLEluOptions extends MLOperatorOptions {
  /** Factor of exp(x) - 1 for negative x. */
  alpha?: number;
}

interface MLGatherOptions extends MLOperatorOptions {
  /** Dimension of input that the indices refer to. */
  axis?: number;
}

interface MLGemmOptions extends MLOperatorOptions {
  /** Matrix to add, broadcast to the shape of the product; none by default. */
  c?: MLOperand;
  /** Factor of the product of a and b. */
  alpha?: number;
  /** Factor of c. */
  beta?: number;
  /** Whether to transpose a first. */
  aTranspose?: boolean;
  /** Whether to transpose b first. */
  bTranspose?: boolean;
}

interface MLGruOptions extends MLOperatorOptions {
  /** Bias of the gates' products with the input; 0 by default. */
  bias?: MLOperand;
  /** Bias of the gates' products with the hidden state; 0 by default. */
  recurrentBias?: MLOperand;
  /** Hidden state before the first step; 0 by default. */
  initialHiddenState?: MLOperand;
  /** Whether the reset gate applies after the product with the recurrent weights, not before. */
  resetAfter?: boolean;
  /** Whether to return the hidden states of all steps too. */
  returnSequence?: boolean;
  /** Order in which the time steps are read. */
  direction?: MLRecurrentNetworkDirection;
  /** Order of the gates in the weights and biases. */
  layout?: MLGruWeightLayout;
  /** Two activations: one for the update and reset gates, one for the new gate; sigmoid and tanh by default. */
  activations?: Iterable<MLRecurrentNetworkActivation>;
}

interface MLGruCellOptions extends MLOperatorOptions {
  /** Bias of the gates' products with the input; 0 by default. */
  bias?: MLOperand;
  /** Bias of the gates' products with the hidden state; 0 by default. */
  recurrentBias?: MLOperand;
  /** Whether the reset gate applies after the product with the recurrent weights, not before. */
  resetAfter?: boolean;
  /** Order of the gates in the weights and biases. */
  layout?: MLGruWeightLayout;
  /** Two activations: one for the update and reset gates, one for the new gate; sigmoid and tanh by default. */
  activations?: Iterable<MLRecurrentNetworkActivation>;
}

interface MLHardSigmoidOptions extends MLOperatorOptions {
  /** Slope. */
  alpha?: number;
  /** Offset. */
  beta?: number;
}

interface MLInstanceNormalizationOptions extends MLOperatorOptions {
  /** Factor for each channel; 1 by default. */
  scale?: MLOperand;
  /** Value to add to each channel after scaling; 0 by default. */
  bias?: MLOperand;
  /** Value to add to the variance before taking the square root. */
  epsilon?: number;
  /** Order of the dimensions of input and output. */
  layout?: MLInputOperandLayout;
}

interface MLLayerNormalizationOptions extends MLOperatorOptions {
  /** Factors, one for each position along axes; 1 by default. */
  scale?: MLOperand;
  /** Values to add after scaling, one for each position along axes; 0 by default. */
  bias?: MLOperand;
  /** Dimensions to normalize along; all but the first by default. */
  axes?: Iterable<number>;
  /** Value to add to the variance before taking the square root. */
  epsilon?: number;
}

interface MLLeakyReluOptions extends MLOperatorOptions {
  /** Slope for negative x. */
  alpha?: number;
}

interface MLLinearOptions extends MLOperatorOptions {
  /** Slope. */
  alpha?: number;
  /** Offset. */
  beta?: number;
}

interface MLLstmOptions extends MLOperatorOptions {
  /** Bias of the gates' products with the input; 0 by default. */
  bias?: MLOperand;
  /** Bias of the gates' products with the hidden state; 0 by default. */
  recurrentBias?: MLOperand;
  /** Weights of the cell state in the input, output and forget gates; 0 by default. */
  peepholeWeight?: MLOperand;
  /** Hidden state before the first step; 0 by default. */
  initialHiddenState?: MLOperand;
  /** Cell state before the first step; 0 by default. */
  initialCellState?: MLOperand;
  /** Whether to return the hidden states of all steps too. */
  returnSequence?: boolean;
  /** Order in which the time steps are read. */
  direction?: MLRecurrentNetworkDirection;
  /** Order of the gates in the weights and biases. */
  layout?: MLLstmWeightLayout;
  /** Three activations: one for the input, output and forget gates, one for the cell gate, one for the new cell state; sigmoid, tanh and tanh by default. */
  activations?: Iterable<MLRecurrentNetworkActivation>;
}

interface MLLstmCellOptions extends MLOperatorOptions {
  /** Bias of the gates' products with the input; 0 by default. */
  bias?: MLOperand;
  /** Bias of the gates' products with the hidden state; 0 by default. */
  recurrentBias?: MLOperand;
  /** Weights of the cell state in the input, output and forget gates; 0 by default. */
  peepholeWeight?: MLOperand;
  /** Order of the gates in the weights and biases. */
  layout?: MLLstmWeightLayout;
  /** Three activations: one for the input, output and forget gates, one for the cell gate, one for the new cell state; sigmoid, tanh and tanh by default. */
  activations?: Iterable<MLRecurrentNetworkActivation>;
}

interface MLPadOptions extends MLOperatorOptions {
  /** Kind of the added elements: value, copies of the edge or a reflection of the input. */
  mode?: MLPaddingMode;
  /** Value of the added elements in mode constant. */
  value?: MLNumber;
}

interface MLReduceOptions extends MLOperatorOptions {
  /** Dimensions to reduce; all by default. */
  axes?: Iterable<number>;
  /** Whether reduced dimensions remain, with size 1. */
  keepDimensions?: boolean;
}

interface MLResample2dOptions extends MLOperatorOptions {
  /** Kind of interpolation. */
  mode?: MLInterpolationMode;
  /** Factors for the sizes of the two dimensions; 1 by default. */
  scales?: Iterable<number>;
  /** Sizes of the two dimensions in the output; computed from scales by default. */
  sizes?: Iterable<number | string>;
  /** The two dimensions to resize; 2 and 3 by default. */
  axes?: Iterable<number>;
}

interface MLReverseOptions extends MLOperatorOptions {
  /** Dimensions to reverse; all by default. */
  axes?: Iterable<number>;
}

interface MLScatterOptions extends MLOperatorOptions {
  /** Dimension of input that the indices refer to. */
  axis?: number;
}

interface MLSliceOptions extends MLOperatorOptions {
  /** Distance between selected elements in each dimension; 1 by default. */
  strides?: Iterable<number>;
}

interface MLSplitOptions extends MLOperatorOptions {
  /** Dimension to split. */
  axis?: number;
}

interface MLTransposeOptions extends MLOperatorOptions {
  /** For each dimension of the output, the dimension of input; reversed order by default. */
  permutation?: Iterable<number>;
}

interface MLTriangularOptions extends MLOperatorOptions {
  /** Whether to keep the upper triangle rather than the lower. */
  upper?: boolean;
  /** Diagonal that bounds the triangle: 0 is the main diagonal, positive ones are above it. */
  diagonal?: number;
}

interface MLGraphBuilder {
  input(name: string, descriptor: MLOperandDescriptor | MLInputDescriptor): MLOperand;
  constant(descriptor: MLOperandDescriptor, buffer: MLBuffer): MLOperand;
  constant(dataType: MLOperandDataType, value: MLNumber): MLOperand;
  constant(tensor: MLTensor): MLOperand;
  build(outputs: MLNamedOperands, options?: MLCallOptions): Promise<MLGraph>;
  /** Computes the absolute value. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-abs */
  abs(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** a + b. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-add */
  add(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** Returns the index of the greatest value along an axis. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-argmax */
  argMax(input: MLOperand, axis: number, options?: MLArgMinMaxOptions): MLOperand;
  /** Returns the index of the smallest value along an axis. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-argmin */
  argMin(input: MLOperand, axis: number, options?: MLArgMinMaxOptions): MLOperand;
  /** Computes the mean of each window. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-averagepool2d */
  averagePool2d(input: MLOperand, options?: MLPool2dOptions): MLOperand;
  /** Normalizes each channel with a given mean and variance. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-batchnormalization */
  batchNormalization(input: MLOperand, mean: MLOperand, variance: MLOperand, options?: MLBatchNormalizationOptions): MLOperand;
  /** Converts to another data type. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-cast */
  cast(input: MLOperand, dataType: MLOperandDataType, options?: MLOperatorOptions): MLOperand;
  /** Rounds up to an integer. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-ceil */
  ceil(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** Limits values to the range from minValue to maxValue. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-clamp */
  clamp(input: MLOperand, options?: MLClampOptions): MLOperand;
  /** Joins tensors along an axis. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-concat */
  concat(inputs: Iterable<MLOperand>, axis: number, options?: MLOperatorOptions): MLOperand;
  /** Computes a 2-D convolution. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-conv2d */
  conv2d(input: MLOperand, filter: MLOperand, options?: MLConv2dOptions): MLOperand;
  /** Computes a 2-D transposed convolution. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-convtranspose2d */
  convTranspose2d(input: MLOperand, filter: MLOperand, options?: MLConvTranspose2dOptions): MLOperand;
  /** Computes cos(x), x in radians. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-cos */
  cos(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** Computes the running sum along an axis. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-cumulativesum */
  cumulativeSum(input: MLOperand, axis: number, options?: MLCumulativeSumOptions): MLOperand;
  /** (input - zeroPoint) * scale. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-dequantizelinear */
  dequantizeLinear(input: MLOperand, scale: MLOperand, zeroPoint: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** a / b; integers truncate toward zero. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-div */
  div(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** max(0, x) + alpha * (exp(min(0, x)) - 1). https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-elu */
  elu(input: MLOperand, options?: MLEluOptions): MLOperand;
  /** 1 where a = b, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-equal */
  equal(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** Computes the error function. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-erf */
  erf(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** Computes e to the power of x. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-exp */
  exp(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** Broadcasts to a shape. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-expand */
  expand(input: MLOperand, newShape: Iterable<number | string>, options?: MLOperatorOptions): MLOperand;
  /** Rounds down to an integer. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-floor */
  floor(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** Selects slices along an axis by their indices. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gather */
  gather(input: MLOperand, indices: MLOperand, options?: MLGatherOptions): MLOperand;
  /** Selects one element along an axis for each index. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gatherelements */
  gatherElements(input: MLOperand, indices: MLOperand, options?: MLGatherOptions): MLOperand;
  /** Selects the slices at the given coordinates. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gathernd */
  gatherND(input: MLOperand, indices: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** 0.5 * x * (1 + erf(x / sqrt(2))). https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gelu */
  gelu(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** alpha * a * b + beta * c. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gemm */
  gemm(a: MLOperand, b: MLOperand, options?: MLGemmOptions): MLOperand;
  /** 1 where a > b, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-greater */
  greater(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** 1 where a >= b, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-greaterorequal */
  greaterOrEqual(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** Runs a gated recurrent unit over a sequence. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gru */
  gru(input: MLOperand, weight: MLOperand, recurrentWeight: MLOperand, steps: number | string, hiddenSize: number, options?: MLGruOptions): MLOperand[];
  /** Runs one step of a gated recurrent unit. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-grucell */
  gruCell(input: MLOperand, weight: MLOperand, recurrentWeight: MLOperand, hiddenState: MLOperand, hiddenSize: number, options?: MLGruCellOptions): MLOperand;
  /** max(0, min(1, alpha * x + beta)). https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-hardsigmoid */
  hardSigmoid(input: MLOperand, options?: MLHardSigmoidOptions): MLOperand;
  /** x * max(0, min(6, x + 3)) / 6. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-hardswish */
  hardSwish(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** Returns the input unchanged. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-identity */
  identity(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** Normalizes each channel of each image. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-instancenormalization */
  instanceNormalization(input: MLOperand, options?: MLInstanceNormalizationOptions): MLOperand;
  /** 1 where a is infinite, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-isinfinite */
  isInfinite(a: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** 1 where a is NaN, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-isnan */
  isNaN(a: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** Computes the L2 norm of each window. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-l2pool2d */
  l2Pool2d(input: MLOperand, options?: MLPool2dOptions): MLOperand;
  /** Normalizes along axes to mean 0 and variance 1, then applies scale and bias. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-layernormalization */
  layerNormalization(input: MLOperand, options?: MLLayerNormalizationOptions): MLOperand;
  /** max(0, x) + alpha * min(0, x). https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-leakyrelu */
  leakyRelu(input: MLOperand, options?: MLLeakyReluOptions): MLOperand;
  /** 1 where a < b, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-lesser */
  lesser(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** 1 where a <= b, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-lesserorequal */
  lesserOrEqual(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** alpha * x + beta. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-linear */
  linear(input: MLOperand, options?: MLLinearOptions): MLOperand;
  /** Computes the natural logarithm. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-log */
  log(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** 1 where neither a nor b is 0, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-logicaland */
  logicalAnd(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** 1 where a is 0, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-logicalnot */
  logicalNot(a: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** 1 where a or b is not 0, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-logicalor */
  logicalOr(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** 1 where exactly one of a and b is not 0, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-logicalxor */
  logicalXor(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** Runs a long short-term memory over a sequence. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-lstm */
  lstm(input: MLOperand, weight: MLOperand, recurrentWeight: MLOperand, steps: number | string, hiddenSize: number, options?: MLLstmOptions): MLOperand[];
  /** Runs one step of a long short-term memory. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-lstmcell */
  lstmCell(input: MLOperand, weight: MLOperand, recurrentWeight: MLOperand, hiddenState: MLOperand, cellState: MLOperand, hiddenSize: number, options?: MLLstmCellOptions): MLOperand[];
  /** Multiplies matrices; leading dimensions are broadcast. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-matmul */
  matmul(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** Computes the greater of a and b. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-max */
  max(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** Computes the greatest value of each window. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-maxpool2d */
  maxPool2d(input: MLOperand, options?: MLPool2dOptions): MLOperand;
  /** Computes the smaller of a and b. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-min */
  min(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** a * b. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-mul */
  mul(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** -x. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-neg */
  neg(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** 1 where a and b differ, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-notequal */
  notEqual(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** Adds elements before and after each dimension. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-pad */
  pad(input: MLOperand, beginningPadding: Iterable<number | string>, endingPadding: Iterable<number | string>, options?: MLPadOptions): MLOperand;
  /** a to the power of b. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-pow */
  pow(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** max(0, x) + slope * min(0, x). https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-prelu */
  prelu(input: MLOperand, slope: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** roundEven(input / scale) + zeroPoint, clamped to the range of the type. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-quantizelinear */
  quantizeLinear(input: MLOperand, scale: MLOperand, zeroPoint: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** 1 / x. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reciprocal */
  reciprocal(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** Sums the absolute values along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducel1 */
  reduceL1(input: MLOperand, options?: MLReduceOptions): MLOperand;
  /** Computes the square root of the sum of squares along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducel2 */
  reduceL2(input: MLOperand, options?: MLReduceOptions): MLOperand;
  /** Computes the logarithm of the sum along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducelogsum */
  reduceLogSum(input: MLOperand, options?: MLReduceOptions): MLOperand;
  /** Computes the logarithm of the sum of exponentials along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducelogsumexp */
  reduceLogSumExp(input: MLOperand, options?: MLReduceOptions): MLOperand;
  /** Computes the greatest value along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducemax */
  reduceMax(input: MLOperand, options?: MLReduceOptions): MLOperand;
  /** Computes the mean along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducemean */
  reduceMean(input: MLOperand, options?: MLReduceOptions): MLOperand;
  /** Computes the smallest value along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducemin */
  reduceMin(input: MLOperand, options?: MLReduceOptions): MLOperand;
  /** Computes the product of all elements along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reduceproduct */
  reduceProduct(input: MLOperand, options?: MLReduceOptions): MLOperand;
  /** Sums the elements along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducesum */
  reduceSum(input: MLOperand, options?: MLReduceOptions): MLOperand;
  /** Sums the squares along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducesumsquare */
  reduceSumSquare(input: MLOperand, options?: MLReduceOptions): MLOperand;
  /** max(0, x). https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-relu */
  relu(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** Resizes two dimensions by interpolation. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-resample2d */
  resample2d(input: MLOperand, options?: MLResample2dOptions): MLOperand;
  /** Changes the shape; the elements keep their order. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reshape */
  reshape(input: MLOperand, newShape: Iterable<number | string>, options?: MLOperatorOptions): MLOperand;
  /** Reverses the order along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reverse */
  reverse(input: MLOperand, options?: MLReverseOptions): MLOperand;
  /** Rounds to the nearest integer, halves to even. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-roundeven */
  roundEven(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** Replaces one element along an axis for each index. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-scatterelements */
  scatterElements(input: MLOperand, indices: MLOperand, updates: MLOperand, options?: MLScatterOptions): MLOperand;
  /** Replaces the slices at the given coordinates. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-scatternd */
  scatterND(input: MLOperand, indices: MLOperand, updates: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** 1 / (1 + exp(-x)). https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sigmoid */
  sigmoid(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** -1, 0 or 1 if x is negative, zero or positive. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sign */
  sign(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** Computes sin(x), x in radians. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sin */
  sin(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** Extracts a window, optionally with strides. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-slice */
  slice(input: MLOperand, starts: Iterable<number | string>, sizes: Iterable<number | string>, options?: MLSliceOptions): MLOperand;
  /** exp(x) / sum(exp(x)) along an axis. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-softmax */
  softmax(input: MLOperand, axis: number, options?: MLOperatorOptions): MLOperand;
  /** log(1 + exp(x)). https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-softplus */
  softplus(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** x / (1 + |x|). https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-softsign */
  softsign(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** Splits a tensor into parts along an axis. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-split */
  split(input: MLOperand, splits: number | Iterable<number | string>, options?: MLSplitOptions): MLOperand[];
  /** Computes the square root. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sqrt */
  sqrt(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** a - b. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sub */
  sub(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** Computes tan(x), x in radians. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-tan */
  tan(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** Computes the hyperbolic tangent. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-tanh */
  tanh(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  /** Repeats the tensor along each dimension. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-tile */
  tile(input: MLOperand, repetitions: Iterable<number | string>, options?: MLOperatorOptions): MLOperand;
  /** Reorders the dimensions. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-transpose */
  transpose(input: MLOperand, options?: MLTransposeOptions): MLOperand;
  /** Keeps the upper or lower triangle of each matrix. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-triangular */
  triangular(input: MLOperand, options?: MLTriangularOptions): MLOperand;
  /** trueValue where condition is not 0, else falseValue. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-where */
  where(condition: MLOperand, trueValue: MLOperand, falseValue: MLOperand, options?: MLOperatorOptions): MLOperand;
}
declare var MLGraphBuilder: {
  prototype: MLGraphBuilder;
  new(context: MLContext): MLGraphBuilder;
};

interface MLOpSupportLimits {
  preferredInputLayout?: MLInputOperandLayout;
  maxTensorByteLength?: number;
  input?: MLTensorLimits;
  constant?: MLTensorLimits;
  output?: MLTensorLimits;
  abs?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  add?: { a?: MLTensorLimits; b?: MLTensorLimits; output?: MLTensorLimits; };
  argMax?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  argMin?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  averagePool2d?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  batchNormalization?: { input?: MLTensorLimits; mean?: MLTensorLimits; variance?: MLTensorLimits; scale?: MLTensorLimits; bias?: MLTensorLimits; output?: MLTensorLimits; };
  cast?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  ceil?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  clamp?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  concat?: { inputs?: MLTensorLimits; output?: MLTensorLimits; };
  conv2d?: { input?: MLTensorLimits; filter?: MLTensorLimits; bias?: MLTensorLimits; output?: MLTensorLimits; };
  convTranspose2d?: { input?: MLTensorLimits; filter?: MLTensorLimits; bias?: MLTensorLimits; output?: MLTensorLimits; };
  cos?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  cumulativeSum?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  dequantizeLinear?: { input?: MLTensorLimits; scale?: MLTensorLimits; zeroPoint?: MLTensorLimits; output?: MLTensorLimits; };
  div?: { a?: MLTensorLimits; b?: MLTensorLimits; output?: MLTensorLimits; };
  elu?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  equal?: { a?: MLTensorLimits; b?: MLTensorLimits; output?: MLTensorLimits; };
  erf?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  exp?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  expand?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  floor?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  gather?: { input?: MLTensorLimits; indices?: MLTensorLimits; output?: MLTensorLimits; };
  gatherElements?: { input?: MLTensorLimits; indices?: MLTensorLimits; output?: MLTensorLimits; };
  gatherND?: { input?: MLTensorLimits; indices?: MLTensorLimits; output?: MLTensorLimits; };
  gelu?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  gemm?: { a?: MLTensorLimits; b?: MLTensorLimits; c?: MLTensorLimits; output?: MLTensorLimits; };
  greater?: { a?: MLTensorLimits; b?: MLTensorLimits; output?: MLTensorLimits; };
  greaterOrEqual?: { a?: MLTensorLimits; b?: MLTensorLimits; output?: MLTensorLimits; };
  gru?: { input?: MLTensorLimits; weight?: MLTensorLimits; recurrentWeight?: MLTensorLimits; bias?: MLTensorLimits; recurrentBias?: MLTensorLimits; initialHiddenState?: MLTensorLimits; output0?: MLTensorLimits; output1?: MLTensorLimits; };
  gruCell?: { input?: MLTensorLimits; weight?: MLTensorLimits; recurrentWeight?: MLTensorLimits; hiddenState?: MLTensorLimits; bias?: MLTensorLimits; recurrentBias?: MLTensorLimits; output?: MLTensorLimits; };
  hardSigmoid?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  hardSwish?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  identity?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  instanceNormalization?: { input?: MLTensorLimits; scale?: MLTensorLimits; bias?: MLTensorLimits; output?: MLTensorLimits; };
  isInfinite?: { a?: MLTensorLimits; output?: MLTensorLimits; };
  isNaN?: { a?: MLTensorLimits; output?: MLTensorLimits; };
  l2Pool2d?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  layerNormalization?: { input?: MLTensorLimits; scale?: MLTensorLimits; bias?: MLTensorLimits; output?: MLTensorLimits; };
  leakyRelu?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  lesser?: { a?: MLTensorLimits; b?: MLTensorLimits; output?: MLTensorLimits; };
  lesserOrEqual?: { a?: MLTensorLimits; b?: MLTensorLimits; output?: MLTensorLimits; };
  linear?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  log?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  logicalAnd?: { a?: MLTensorLimits; b?: MLTensorLimits; output?: MLTensorLimits; };
  logicalNot?: { a?: MLTensorLimits; output?: MLTensorLimits; };
  logicalOr?: { a?: MLTensorLimits; b?: MLTensorLimits; output?: MLTensorLimits; };
  logicalXor?: { a?: MLTensorLimits; b?: MLTensorLimits; output?: MLTensorLimits; };
  lstm?: { input?: MLTensorLimits; weight?: MLTensorLimits; recurrentWeight?: MLTensorLimits; bias?: MLTensorLimits; recurrentBias?: MLTensorLimits; peepholeWeight?: MLTensorLimits; initialHiddenState?: MLTensorLimits; initialCellState?: MLTensorLimits; output0?: MLTensorLimits; output1?: MLTensorLimits; output2?: MLTensorLimits; };
  lstmCell?: { input?: MLTensorLimits; weight?: MLTensorLimits; recurrentWeight?: MLTensorLimits; hiddenState?: MLTensorLimits; cellState?: MLTensorLimits; bias?: MLTensorLimits; recurrentBias?: MLTensorLimits; peepholeWeight?: MLTensorLimits; output0?: MLTensorLimits; output1?: MLTensorLimits; };
  matmul?: { a?: MLTensorLimits; b?: MLTensorLimits; output?: MLTensorLimits; };
  max?: { a?: MLTensorLimits; b?: MLTensorLimits; output?: MLTensorLimits; };
  maxPool2d?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  min?: { a?: MLTensorLimits; b?: MLTensorLimits; output?: MLTensorLimits; };
  mul?: { a?: MLTensorLimits; b?: MLTensorLimits; output?: MLTensorLimits; };
  neg?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  notEqual?: { a?: MLTensorLimits; b?: MLTensorLimits; output?: MLTensorLimits; };
  pad?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  pow?: { a?: MLTensorLimits; b?: MLTensorLimits; output?: MLTensorLimits; };
  prelu?: { input?: MLTensorLimits; slope?: MLTensorLimits; output?: MLTensorLimits; };
  quantizeLinear?: { input?: MLTensorLimits; scale?: MLTensorLimits; zeroPoint?: MLTensorLimits; output?: MLTensorLimits; };
  reciprocal?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  reduceL1?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  reduceL2?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  reduceLogSum?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  reduceLogSumExp?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  reduceMax?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  reduceMean?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  reduceMin?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  reduceProduct?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  reduceSum?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  reduceSumSquare?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  relu?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  resample2d?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  reshape?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  reverse?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  roundEven?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  scatterElements?: { input?: MLTensorLimits; indices?: MLTensorLimits; updates?: MLTensorLimits; output?: MLTensorLimits; };
  scatterND?: { input?: MLTensorLimits; indices?: MLTensorLimits; updates?: MLTensorLimits; output?: MLTensorLimits; };
  sigmoid?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  sign?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  sin?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  slice?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  softmax?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  softplus?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  softsign?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  split?: { input?: MLTensorLimits; outputs?: MLTensorLimits; };
  sqrt?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  sub?: { a?: MLTensorLimits; b?: MLTensorLimits; output?: MLTensorLimits; };
  tan?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  tanh?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  tile?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  transpose?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  triangular?: { input?: MLTensorLimits; output?: MLTensorLimits; };
  where?: { condition?: MLTensorLimits; trueValue?: MLTensorLimits; falseValue?: MLTensorLimits; output?: MLTensorLimits; };
}
