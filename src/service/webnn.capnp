# The message format of WebNN graphs, which clients send to the service and .webnnb files contain.
# docs/reference/formats.md describes the files. Generated from the operation table by `webnn ops --format=capnp` (`make tables`).
# Members are never removed or renumbered, and defaults never change: a test compares this file with
# tests/service/frozen_ordinals.txt, which lists every member.
@0xe0dbad11bac914d5;

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("webnn::service::schema");

# The revision of the schema that added an operation, a field or an enumerant. Without this annotation: the first revision.
annotation since @0xb6ecab8b88986986 (field, enumerant) :UInt32;

const revision :UInt32 = 2;  # of this schema

# Operands are identified by number: first the inputs, then the constants, then the results of the nodes, each in order of the
# lists below. `none` stands for an absent operand.
const none :UInt32 = 0xffffffff;

struct Graph {
  # The lowest revision of this schema that contains every field that the graph sets to another value than its default. A reader
  # of a lower revision must refuse the graph, because Cap'n Proto silently ignores unknown fields.
  revision @0 :UInt32;
  name @1 :Text;
  inputs @2 :List(Input);
  constants @3 :List(Constant);
  nodes @4 :List(Node);  # in execution order: operands of a node are inputs, constants or results of earlier nodes
  outputs @5 :List(Output);
  # The open sizes of a graph with open dimensions: its named dimensions and expressions over them. In shapes of inputs and in
  # sizes of operations, the number 2^31 + i stands for item i.
  openSizes @6 :List(OpenSize) $since(2);
}

# The size of a dimension that is known when the graph runs.
struct OpenSize {
  union {
    name @0 :Text $since(2);        # a named dimension, which is between `min` and `max`
    expression @1 :Text $since(2);  # such as "batch * 12", over named dimensions; docs/guides/open_dimensions.md has the grammar
  }
  min @2 :UInt32 $since(2);
  max @3 :UInt32 = 2147483647 $since(2);
}

struct Input {
  name @0 :Text;
  dataType @1 :OperandDataType;
  shape @2 :List(UInt32);
  # Absent, or one text for each dimension: the name of a dynamic dimension, whose maximum size is in `shape`; empty for others.
  dimensionNames @3 :List(Text);
}

struct Constant {
  name @0 :Text;  # may be absent
  dataType @1 :OperandDataType;
  shape @2 :List(UInt32);
  # The elements: packed, row-major, little-endian. A byte has two 4-bit elements, the first in the low half; an unused half is 0.
  union {
    bytes @3 :Data;
    # The elements are outside of the message. In a file, memory 0 begins at the first multiple of 64 bytes after the message.
    location :group {
      memory @4 :UInt32;
      offset @5 :UInt64;  # in bytes
      length @6 :UInt64;  # in bytes: exactly the size that type and shape need
    }
    weights @7 :Text;  # the elements are in the weights file beside the graph, under this name
  }
}

struct Output {
  name @0 :Text;
  operand @1 :UInt32 = .none;
}

# A number of any type without loss. Operations use its value only, not which of the three types represents it.
struct Number {
  union {
    real @0 :Float64;
    integer @1 :Int64;
    natural @2 :UInt64;
  }
}

struct Splits {
  union {
    count @0 :UInt32;  # number of equal parts
    sizes @1 :List(UInt32);
  }
}

# An operation. Its fields are the arguments of the MLGraphBuilder method, then its options. Arguments are required: operands must
# not be `none`, and lists must not be null pointers. A list or Number option is absent if its pointer is null; an empty list
# is not absent.
struct Node {
  label @0 :Text;
  outputCount @1 :UInt32 = 1;
  outputNames @2 :List(Text);  # absent, or a name for each result; names may be empty
  operation :union {
    unset @3 :Void;  # invalid: a node must have an operation
    abs @4 :Abs;
    add @5 :Add;
    argMax @6 :ArgMax;
    argMin @7 :ArgMin;
    averagePool2d @8 :AveragePool2d;
    batchNormalization @9 :BatchNormalization;
    cast @10 :Cast;
    ceil @11 :Ceil;
    clamp @12 :Clamp;
    concat @13 :Concat;
    conv2d @14 :Conv2d;
    convTranspose2d @15 :ConvTranspose2d;
    cos @16 :Cos;
    cumulativeSum @17 :CumulativeSum;
    dequantizeLinear @18 :DequantizeLinear;
    div @19 :Div;
    elu @20 :Elu;
    equal @21 :Equal;
    erf @22 :Erf;
    exp @23 :Exp;
    expand @24 :Expand;
    floor @25 :Floor;
    gather @26 :Gather;
    gatherElements @27 :GatherElements;
    gatherND @28 :GatherND;
    gelu @29 :Gelu;
    gemm @30 :Gemm;
    greater @31 :Greater;
    greaterOrEqual @32 :GreaterOrEqual;
    gru @33 :Gru;
    gruCell @34 :GruCell;
    hardSigmoid @35 :HardSigmoid;
    hardSwish @36 :HardSwish;
    identity @37 :Identity;
    instanceNormalization @38 :InstanceNormalization;
    isInfinite @39 :IsInfinite;
    isNaN @40 :IsNaN;
    l2Pool2d @41 :L2Pool2d;
    layerNormalization @42 :LayerNormalization;
    leakyRelu @43 :LeakyRelu;
    lesser @44 :Lesser;
    lesserOrEqual @45 :LesserOrEqual;
    linear @46 :Linear;
    log @47 :Log;
    logicalAnd @48 :LogicalAnd;
    logicalNot @49 :LogicalNot;
    logicalOr @50 :LogicalOr;
    logicalXor @51 :LogicalXor;
    lstm @52 :Lstm;
    lstmCell @53 :LstmCell;
    matmul @54 :Matmul;
    max @55 :Max;
    maxPool2d @56 :MaxPool2d;
    min @57 :Min;
    mul @58 :Mul;
    neg @59 :Neg;
    notEqual @60 :NotEqual;
    pad @61 :Pad;
    pow @62 :Pow;
    prelu @63 :Prelu;
    quantizeLinear @64 :QuantizeLinear;
    reciprocal @65 :Reciprocal;
    reduceL1 @66 :ReduceL1;
    reduceL2 @67 :ReduceL2;
    reduceLogSum @68 :ReduceLogSum;
    reduceLogSumExp @69 :ReduceLogSumExp;
    reduceMax @70 :ReduceMax;
    reduceMean @71 :ReduceMean;
    reduceMin @72 :ReduceMin;
    reduceProduct @73 :ReduceProduct;
    reduceSum @74 :ReduceSum;
    reduceSumSquare @75 :ReduceSumSquare;
    relu @76 :Relu;
    resample2d @77 :Resample2d;
    reshape @78 :Reshape;
    reverse @79 :Reverse;
    roundEven @80 :RoundEven;
    scatterElements @81 :ScatterElements;
    scatterND @82 :ScatterND;
    sigmoid @83 :Sigmoid;
    sign @84 :Sign;
    sin @85 :Sin;
    slice @86 :Slice;
    softmax @87 :Softmax;
    softplus @88 :Softplus;
    softsign @89 :Softsign;
    split @90 :Split;
    sqrt @91 :Sqrt;
    sub @92 :Sub;
    tan @93 :Tan;
    tanh @94 :Tanh;
    tile @95 :Tile;
    transpose @96 :Transpose;
    triangular @97 :Triangular;
    where @98 :Where;
  }
}

# Computes the absolute value. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-abs
struct Abs {
  input @0 :UInt32 = .none;
}

# a + b. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-add
struct Add {
  a @0 :UInt32 = .none;
  b @1 :UInt32 = .none;
}

# Returns the index of the greatest value along an axis. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-argmax
struct ArgMax {
  input @0 :UInt32 = .none;
  axis @1 :UInt32;
  # Options:
  keepDimensions @2 :Bool;
  outputDataType @3 :OperandDataType = int32;
}

# Returns the index of the smallest value along an axis. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-argmin
struct ArgMin {
  input @0 :UInt32 = .none;
  axis @1 :UInt32;
  # Options:
  keepDimensions @2 :Bool;
  outputDataType @3 :OperandDataType = int32;
}

# Computes the mean of each window. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-averagepool2d
struct AveragePool2d {
  input @0 :UInt32 = .none;
  # Options:
  windowDimensions @1 :List(UInt32);
  padding @2 :List(UInt32);
  strides @3 :List(UInt32);
  dilations @4 :List(UInt32);
  layout @5 :InputOperandLayout;
  outputShapeRounding @6 :RoundingType;
  outputSizes @7 :List(UInt32);
}

# Normalizes each channel with a given mean and variance. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-batchnormalization
struct BatchNormalization {
  input @0 :UInt32 = .none;
  mean @1 :UInt32 = .none;
  variance @2 :UInt32 = .none;
  # Options:
  scale @3 :UInt32 = .none;
  bias @4 :UInt32 = .none;
  axis @5 :UInt32 = 1;
  epsilon @6 :Float64 = 1e-05;
}

# Converts to another data type. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-cast
struct Cast {
  input @0 :UInt32 = .none;
  dataType @1 :OperandDataType;
}

# Rounds up to an integer. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-ceil
struct Ceil {
  input @0 :UInt32 = .none;
}

# Limits values to the range from minValue to maxValue. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-clamp
struct Clamp {
  input @0 :UInt32 = .none;
  # Options:
  minValue @1 :Number;
  maxValue @2 :Number;
}

# Joins tensors along an axis. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-concat
struct Concat {
  inputs @0 :List(UInt32);
  axis @1 :UInt32;
}

# Computes a 2-D convolution. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-conv2d
struct Conv2d {
  input @0 :UInt32 = .none;
  filter @1 :UInt32 = .none;
  # Options:
  padding @2 :List(UInt32);
  strides @3 :List(UInt32);
  dilations @4 :List(UInt32);
  groups @5 :UInt32 = 1;
  inputLayout @6 :InputOperandLayout;
  filterLayout @7 :Conv2dFilterOperandLayout;
  bias @8 :UInt32 = .none;
}

# Computes a 2-D transposed convolution. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-convtranspose2d
struct ConvTranspose2d {
  input @0 :UInt32 = .none;
  filter @1 :UInt32 = .none;
  # Options:
  padding @2 :List(UInt32);
  strides @3 :List(UInt32);
  dilations @4 :List(UInt32);
  outputPadding @5 :List(UInt32);
  outputSizes @6 :List(UInt32);
  groups @7 :UInt32 = 1;
  inputLayout @8 :InputOperandLayout;
  filterLayout @9 :ConvTranspose2dFilterOperandLayout;
  bias @10 :UInt32 = .none;
}

# Computes cos(x), x in radians. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-cos
struct Cos {
  input @0 :UInt32 = .none;
}

# Computes the running sum along an axis. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-cumulativesum
struct CumulativeSum {
  input @0 :UInt32 = .none;
  axis @1 :UInt32;
  # Options:
  exclusive @2 :Bool;
  reversed @3 :Bool;
}

# (input - zeroPoint) * scale. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-dequantizelinear
struct DequantizeLinear {
  input @0 :UInt32 = .none;
  scale @1 :UInt32 = .none;
  zeroPoint @2 :UInt32 = .none;
}

# a / b; integers truncate toward zero. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-div
struct Div {
  a @0 :UInt32 = .none;
  b @1 :UInt32 = .none;
}

# max(0, x) + alpha * (exp(min(0, x)) - 1). https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-elu
struct Elu {
  input @0 :UInt32 = .none;
  # Options:
  alpha @1 :Float64 = 1.0;
}

# 1 where a = b, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-equal
struct Equal {
  a @0 :UInt32 = .none;
  b @1 :UInt32 = .none;
}

# Computes the error function. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-erf
struct Erf {
  input @0 :UInt32 = .none;
}

# Computes e to the power of x. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-exp
struct Exp {
  input @0 :UInt32 = .none;
}

# Broadcasts to a shape. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-expand
struct Expand {
  input @0 :UInt32 = .none;
  newShape @1 :List(UInt32);
}

# Rounds down to an integer. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-floor
struct Floor {
  input @0 :UInt32 = .none;
}

# Selects slices along an axis by their indices. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gather
struct Gather {
  input @0 :UInt32 = .none;
  indices @1 :UInt32 = .none;
  # Options:
  axis @2 :UInt32;
}

# Selects one element along an axis for each index. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gatherelements
struct GatherElements {
  input @0 :UInt32 = .none;
  indices @1 :UInt32 = .none;
  # Options:
  axis @2 :UInt32;
}

# Selects the slices at the given coordinates. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gathernd
struct GatherND {
  input @0 :UInt32 = .none;
  indices @1 :UInt32 = .none;
}

# 0.5 * x * (1 + erf(x / sqrt(2))). https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gelu
struct Gelu {
  input @0 :UInt32 = .none;
}

# alpha * a * b + beta * c. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gemm
struct Gemm {
  a @0 :UInt32 = .none;
  b @1 :UInt32 = .none;
  # Options:
  c @2 :UInt32 = .none;
  alpha @3 :Float64 = 1.0;
  beta @4 :Float64 = 1.0;
  aTranspose @5 :Bool;
  bTranspose @6 :Bool;
}

# 1 where a > b, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-greater
struct Greater {
  a @0 :UInt32 = .none;
  b @1 :UInt32 = .none;
}

# 1 where a >= b, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-greaterorequal
struct GreaterOrEqual {
  a @0 :UInt32 = .none;
  b @1 :UInt32 = .none;
}

# Runs a gated recurrent unit over a sequence. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-gru
struct Gru {
  input @0 :UInt32 = .none;
  weight @1 :UInt32 = .none;
  recurrentWeight @2 :UInt32 = .none;
  steps @3 :UInt32;
  hiddenSize @4 :UInt32;
  # Options:
  bias @5 :UInt32 = .none;
  recurrentBias @6 :UInt32 = .none;
  initialHiddenState @7 :UInt32 = .none;
  resetAfter @8 :Bool = true;
  returnSequence @9 :Bool;
  direction @10 :RecurrentNetworkDirection;
  layout @11 :GruWeightLayout;
  activations @12 :List(RecurrentNetworkActivation);
}

# Runs one step of a gated recurrent unit. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-grucell
struct GruCell {
  input @0 :UInt32 = .none;
  weight @1 :UInt32 = .none;
  recurrentWeight @2 :UInt32 = .none;
  hiddenState @3 :UInt32 = .none;
  hiddenSize @4 :UInt32;
  # Options:
  bias @5 :UInt32 = .none;
  recurrentBias @6 :UInt32 = .none;
  resetAfter @7 :Bool = true;
  layout @8 :GruWeightLayout;
  activations @9 :List(RecurrentNetworkActivation);
}

# max(0, min(1, alpha * x + beta)). https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-hardsigmoid
struct HardSigmoid {
  input @0 :UInt32 = .none;
  # Options:
  alpha @1 :Float64 = 0.2;
  beta @2 :Float64 = 0.5;
}

# x * max(0, min(6, x + 3)) / 6. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-hardswish
struct HardSwish {
  input @0 :UInt32 = .none;
}

# Returns the input unchanged. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-identity
struct Identity {
  input @0 :UInt32 = .none;
}

# Normalizes each channel of each image. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-instancenormalization
struct InstanceNormalization {
  input @0 :UInt32 = .none;
  # Options:
  scale @1 :UInt32 = .none;
  bias @2 :UInt32 = .none;
  epsilon @3 :Float64 = 1e-05;
  layout @4 :InputOperandLayout;
}

# 1 where a is infinite, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-isinfinite
struct IsInfinite {
  a @0 :UInt32 = .none;
}

# 1 where a is NaN, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-isnan
struct IsNaN {
  a @0 :UInt32 = .none;
}

# Computes the L2 norm of each window. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-l2pool2d
struct L2Pool2d {
  input @0 :UInt32 = .none;
  # Options:
  windowDimensions @1 :List(UInt32);
  padding @2 :List(UInt32);
  strides @3 :List(UInt32);
  dilations @4 :List(UInt32);
  layout @5 :InputOperandLayout;
  outputShapeRounding @6 :RoundingType;
  outputSizes @7 :List(UInt32);
}

# Normalizes along axes to mean 0 and variance 1, then applies scale and bias. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-layernormalization
struct LayerNormalization {
  input @0 :UInt32 = .none;
  # Options:
  scale @1 :UInt32 = .none;
  bias @2 :UInt32 = .none;
  axes @3 :List(UInt32);
  epsilon @4 :Float64 = 1e-05;
}

# max(0, x) + alpha * min(0, x). https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-leakyrelu
struct LeakyRelu {
  input @0 :UInt32 = .none;
  # Options:
  alpha @1 :Float64 = 0.01;
}

# 1 where a < b, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-lesser
struct Lesser {
  a @0 :UInt32 = .none;
  b @1 :UInt32 = .none;
}

# 1 where a <= b, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-lesserorequal
struct LesserOrEqual {
  a @0 :UInt32 = .none;
  b @1 :UInt32 = .none;
}

# alpha * x + beta. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-linear
struct Linear {
  input @0 :UInt32 = .none;
  # Options:
  alpha @1 :Float64 = 1.0;
  beta @2 :Float64;
}

# Computes the natural logarithm. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-log
struct Log {
  input @0 :UInt32 = .none;
}

# 1 where neither a nor b is 0, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-logicaland
struct LogicalAnd {
  a @0 :UInt32 = .none;
  b @1 :UInt32 = .none;
}

# 1 where a is 0, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-logicalnot
struct LogicalNot {
  a @0 :UInt32 = .none;
}

# 1 where a or b is not 0, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-logicalor
struct LogicalOr {
  a @0 :UInt32 = .none;
  b @1 :UInt32 = .none;
}

# 1 where exactly one of a and b is not 0, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-logicalxor
struct LogicalXor {
  a @0 :UInt32 = .none;
  b @1 :UInt32 = .none;
}

# Runs a long short-term memory over a sequence. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-lstm
struct Lstm {
  input @0 :UInt32 = .none;
  weight @1 :UInt32 = .none;
  recurrentWeight @2 :UInt32 = .none;
  steps @3 :UInt32;
  hiddenSize @4 :UInt32;
  # Options:
  bias @5 :UInt32 = .none;
  recurrentBias @6 :UInt32 = .none;
  peepholeWeight @7 :UInt32 = .none;
  initialHiddenState @8 :UInt32 = .none;
  initialCellState @9 :UInt32 = .none;
  returnSequence @10 :Bool;
  direction @11 :RecurrentNetworkDirection;
  layout @12 :LstmWeightLayout;
  activations @13 :List(RecurrentNetworkActivation);
}

# Runs one step of a long short-term memory. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-lstmcell
struct LstmCell {
  input @0 :UInt32 = .none;
  weight @1 :UInt32 = .none;
  recurrentWeight @2 :UInt32 = .none;
  hiddenState @3 :UInt32 = .none;
  cellState @4 :UInt32 = .none;
  hiddenSize @5 :UInt32;
  # Options:
  bias @6 :UInt32 = .none;
  recurrentBias @7 :UInt32 = .none;
  peepholeWeight @8 :UInt32 = .none;
  layout @9 :LstmWeightLayout;
  activations @10 :List(RecurrentNetworkActivation);
}

# Multiplies matrices; leading dimensions are broadcast. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-matmul
struct Matmul {
  a @0 :UInt32 = .none;
  b @1 :UInt32 = .none;
}

# Computes the greater of a and b. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-max
struct Max {
  a @0 :UInt32 = .none;
  b @1 :UInt32 = .none;
}

# Computes the greatest value of each window. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-maxpool2d
struct MaxPool2d {
  input @0 :UInt32 = .none;
  # Options:
  windowDimensions @1 :List(UInt32);
  padding @2 :List(UInt32);
  strides @3 :List(UInt32);
  dilations @4 :List(UInt32);
  layout @5 :InputOperandLayout;
  outputShapeRounding @6 :RoundingType;
  outputSizes @7 :List(UInt32);
}

# Computes the smaller of a and b. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-min
struct Min {
  a @0 :UInt32 = .none;
  b @1 :UInt32 = .none;
}

# a * b. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-mul
struct Mul {
  a @0 :UInt32 = .none;
  b @1 :UInt32 = .none;
}

# -x. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-neg
struct Neg {
  input @0 :UInt32 = .none;
}

# 1 where a and b differ, else 0. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-notequal
struct NotEqual {
  a @0 :UInt32 = .none;
  b @1 :UInt32 = .none;
}

# Adds elements before and after each dimension. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-pad
struct Pad {
  input @0 :UInt32 = .none;
  beginningPadding @1 :List(UInt32);
  endingPadding @2 :List(UInt32);
  # Options:
  mode @3 :PaddingMode;
  value @4 :Number;
}

# a to the power of b. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-pow
struct Pow {
  a @0 :UInt32 = .none;
  b @1 :UInt32 = .none;
}

# max(0, x) + slope * min(0, x). https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-prelu
struct Prelu {
  input @0 :UInt32 = .none;
  slope @1 :UInt32 = .none;
}

# roundEven(input / scale) + zeroPoint, clamped to the range of the type. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-quantizelinear
struct QuantizeLinear {
  input @0 :UInt32 = .none;
  scale @1 :UInt32 = .none;
  zeroPoint @2 :UInt32 = .none;
}

# 1 / x. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reciprocal
struct Reciprocal {
  input @0 :UInt32 = .none;
}

# Sums the absolute values along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducel1
struct ReduceL1 {
  input @0 :UInt32 = .none;
  # Options:
  axes @1 :List(UInt32);
  keepDimensions @2 :Bool;
}

# Computes the square root of the sum of squares along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducel2
struct ReduceL2 {
  input @0 :UInt32 = .none;
  # Options:
  axes @1 :List(UInt32);
  keepDimensions @2 :Bool;
}

# Computes the logarithm of the sum along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducelogsum
struct ReduceLogSum {
  input @0 :UInt32 = .none;
  # Options:
  axes @1 :List(UInt32);
  keepDimensions @2 :Bool;
}

# Computes the logarithm of the sum of exponentials along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducelogsumexp
struct ReduceLogSumExp {
  input @0 :UInt32 = .none;
  # Options:
  axes @1 :List(UInt32);
  keepDimensions @2 :Bool;
}

# Computes the greatest value along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducemax
struct ReduceMax {
  input @0 :UInt32 = .none;
  # Options:
  axes @1 :List(UInt32);
  keepDimensions @2 :Bool;
}

# Computes the mean along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducemean
struct ReduceMean {
  input @0 :UInt32 = .none;
  # Options:
  axes @1 :List(UInt32);
  keepDimensions @2 :Bool;
}

# Computes the smallest value along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducemin
struct ReduceMin {
  input @0 :UInt32 = .none;
  # Options:
  axes @1 :List(UInt32);
  keepDimensions @2 :Bool;
}

# Computes the product of all elements along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reduceproduct
struct ReduceProduct {
  input @0 :UInt32 = .none;
  # Options:
  axes @1 :List(UInt32);
  keepDimensions @2 :Bool;
}

# Sums the elements along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducesum
struct ReduceSum {
  input @0 :UInt32 = .none;
  # Options:
  axes @1 :List(UInt32);
  keepDimensions @2 :Bool;
}

# Sums the squares along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reducesumsquare
struct ReduceSumSquare {
  input @0 :UInt32 = .none;
  # Options:
  axes @1 :List(UInt32);
  keepDimensions @2 :Bool;
}

# max(0, x). https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-relu
struct Relu {
  input @0 :UInt32 = .none;
}

# Resizes two dimensions by interpolation. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-resample2d
struct Resample2d {
  input @0 :UInt32 = .none;
  # Options:
  mode @1 :InterpolationMode;
  scales @2 :List(Float32);
  sizes @3 :List(UInt32);
  axes @4 :List(UInt32);
}

# Changes the shape; the elements keep their order. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reshape
struct Reshape {
  input @0 :UInt32 = .none;
  newShape @1 :List(UInt32);
}

# Reverses the order along axes. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-reverse
struct Reverse {
  input @0 :UInt32 = .none;
  # Options:
  axes @1 :List(UInt32);
}

# Rounds to the nearest integer, halves to even. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-roundeven
struct RoundEven {
  input @0 :UInt32 = .none;
}

# Replaces one element along an axis for each index. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-scatterelements
struct ScatterElements {
  input @0 :UInt32 = .none;
  indices @1 :UInt32 = .none;
  updates @2 :UInt32 = .none;
  # Options:
  axis @3 :UInt32;
}

# Replaces the slices at the given coordinates. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-scatternd
struct ScatterND {
  input @0 :UInt32 = .none;
  indices @1 :UInt32 = .none;
  updates @2 :UInt32 = .none;
}

# 1 / (1 + exp(-x)). https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sigmoid
struct Sigmoid {
  input @0 :UInt32 = .none;
}

# -1, 0 or 1 if x is negative, zero or positive. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sign
struct Sign {
  input @0 :UInt32 = .none;
}

# Computes sin(x), x in radians. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sin
struct Sin {
  input @0 :UInt32 = .none;
}

# Extracts a window, optionally with strides. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-slice
struct Slice {
  input @0 :UInt32 = .none;
  starts @1 :List(UInt32);
  sizes @2 :List(UInt32);
  # Options:
  strides @3 :List(UInt32);
}

# exp(x) / sum(exp(x)) along an axis. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-softmax
struct Softmax {
  input @0 :UInt32 = .none;
  axis @1 :UInt32;
}

# log(1 + exp(x)). https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-softplus
struct Softplus {
  input @0 :UInt32 = .none;
}

# x / (1 + |x|). https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-softsign
struct Softsign {
  input @0 :UInt32 = .none;
}

# Splits a tensor into parts along an axis. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-split
struct Split {
  input @0 :UInt32 = .none;
  splits @1 :Splits;
  # Options:
  axis @2 :UInt32;
}

# Computes the square root. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sqrt
struct Sqrt {
  input @0 :UInt32 = .none;
}

# a - b. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-sub
struct Sub {
  a @0 :UInt32 = .none;
  b @1 :UInt32 = .none;
}

# Computes tan(x), x in radians. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-tan
struct Tan {
  input @0 :UInt32 = .none;
}

# Computes the hyperbolic tangent. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-tanh
struct Tanh {
  input @0 :UInt32 = .none;
}

# Repeats the tensor along each dimension. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-tile
struct Tile {
  input @0 :UInt32 = .none;
  repetitions @1 :List(UInt32);
}

# Reorders the dimensions. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-transpose
struct Transpose {
  input @0 :UInt32 = .none;
  # Options:
  permutation @1 :List(UInt32);
}

# Keeps the upper or lower triangle of each matrix. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-triangular
struct Triangular {
  input @0 :UInt32 = .none;
  # Options:
  upper @1 :Bool = true;
  diagonal @2 :Int32;
}

# trueValue where condition is not 0, else falseValue. https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-where
struct Where {
  condition @0 :UInt32 = .none;
  trueValue @1 :UInt32 = .none;
  falseValue @2 :UInt32 = .none;
}

enum OperandDataType {
  float32 @0;
  float16 @1;
  int32 @2;
  uint32 @3;
  int64 @4;
  uint64 @5;
  int8 @6;
  uint8 @7;
  int4 @8;
  uint4 @9;
}

enum InputOperandLayout {
  nchw @0;
  nhwc @1;
}

enum RoundingType {
  floor @0;
  ceil @1;
}

enum Conv2dFilterOperandLayout {
  oihw @0;
  hwio @1;
  ohwi @2;
  ihwo @3;
}

enum ConvTranspose2dFilterOperandLayout {
  iohw @0;
  hwoi @1;
  ohwi @2;
}

enum RecurrentNetworkDirection {
  forward @0;
  backward @1;
  both @2;
}

enum GruWeightLayout {
  zrn @0;
  rzn @1;
}

enum RecurrentNetworkActivation {
  relu @0;
  sigmoid @1;
  tanh @2;
}

enum LstmWeightLayout {
  iofg @0;
  ifgo @1;
}

enum PaddingMode {
  constant @0;
  edge @1;
  reflection @2;
}

enum InterpolationMode {
  nearestNeighbor @0;
  linear @1;
}
