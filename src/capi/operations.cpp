// Printed by `webnn ops --format=c-source` from the operation table: each function hands its arguments over in the
// table's order, and `append` reads them into the operation's fields.
// clang-format off
#include "capi/fields.h"

using webnn::capi::append;

WebnnStatus webnnGraphBuilderAbs(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "abs", options, {input}, result, error);
}

WebnnStatus webnnGraphBuilderAdd(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "add", options, {a, b}, result, error);
}

WebnnStatus webnnGraphBuilderArgMax(WebnnGraphBuilder builder, WebnnOperand input, uint32_t axis,
    const WebnnArgMinMaxOptions* options, WebnnOperand* result, WebnnError* error) {
  const WebnnArgMinMaxOptions o = options ? *options : WEBNN_ARG_MIN_MAX_OPTIONS_INIT;
  return append(builder, "argMax", o, {input, axis, o.keepDimensions, o.outputDataType}, result, error);
}

WebnnStatus webnnGraphBuilderArgMin(WebnnGraphBuilder builder, WebnnOperand input, uint32_t axis,
    const WebnnArgMinMaxOptions* options, WebnnOperand* result, WebnnError* error) {
  const WebnnArgMinMaxOptions o = options ? *options : WEBNN_ARG_MIN_MAX_OPTIONS_INIT;
  return append(builder, "argMin", o, {input, axis, o.keepDimensions, o.outputDataType}, result, error);
}

WebnnStatus webnnGraphBuilderAveragePool2d(WebnnGraphBuilder builder, WebnnOperand input, const WebnnPool2dOptions* options,
    WebnnOperand* result, WebnnError* error) {
  const WebnnPool2dOptions o = options ? *options : WEBNN_POOL2D_OPTIONS_INIT;
  return append(builder, "averagePool2d", o, {input, o.windowDimensions, o.padding, o.strides, o.dilations, o.layout,
      o.outputShapeRounding, o.outputSizes}, result, error);
}

WebnnStatus webnnGraphBuilderBatchNormalization(WebnnGraphBuilder builder, WebnnOperand input, WebnnOperand mean,
    WebnnOperand variance, const WebnnBatchNormalizationOptions* options, WebnnOperand* result, WebnnError* error) {
  const WebnnBatchNormalizationOptions o = options ? *options : WEBNN_BATCH_NORMALIZATION_OPTIONS_INIT;
  return append(builder, "batchNormalization", o, {input, mean, variance, o.scale, o.bias, o.axis, o.epsilon}, result, error);
}

WebnnStatus webnnGraphBuilderCast(WebnnGraphBuilder builder, WebnnOperand input, WebnnOperandDataType dataType,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error) {
  return append(builder, "cast", options, {input, dataType}, result, error);
}

WebnnStatus webnnGraphBuilderCeil(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "ceil", options, {input}, result, error);
}

WebnnStatus webnnGraphBuilderClamp(WebnnGraphBuilder builder, WebnnOperand input, const WebnnClampOptions* options,
    WebnnOperand* result, WebnnError* error) {
  const WebnnClampOptions o = options ? *options : WEBNN_CLAMP_OPTIONS_INIT;
  return append(builder, "clamp", o, {input, o.minValue, o.maxValue}, result, error);
}

WebnnStatus webnnGraphBuilderConcat(WebnnGraphBuilder builder, WebnnOperandList inputs, uint32_t axis,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error) {
  return append(builder, "concat", options, {inputs, axis}, result, error);
}

WebnnStatus webnnGraphBuilderConv2d(WebnnGraphBuilder builder, WebnnOperand input, WebnnOperand filter,
    const WebnnConv2dOptions* options, WebnnOperand* result, WebnnError* error) {
  const WebnnConv2dOptions o = options ? *options : WEBNN_CONV2D_OPTIONS_INIT;
  return append(builder, "conv2d", o, {input, filter, o.padding, o.strides, o.dilations, o.groups, o.inputLayout, o.filterLayout,
      o.bias}, result, error);
}

WebnnStatus webnnGraphBuilderConvTranspose2d(WebnnGraphBuilder builder, WebnnOperand input, WebnnOperand filter,
    const WebnnConvTranspose2dOptions* options, WebnnOperand* result, WebnnError* error) {
  const WebnnConvTranspose2dOptions o = options ? *options : WEBNN_CONV_TRANSPOSE2D_OPTIONS_INIT;
  return append(builder, "convTranspose2d", o, {input, filter, o.padding, o.strides, o.dilations, o.outputPadding, o.outputSizes,
      o.groups, o.inputLayout, o.filterLayout, o.bias}, result, error);
}

WebnnStatus webnnGraphBuilderCos(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "cos", options, {input}, result, error);
}

WebnnStatus webnnGraphBuilderCumulativeSum(WebnnGraphBuilder builder, WebnnOperand input, uint32_t axis,
    const WebnnCumulativeSumOptions* options, WebnnOperand* result, WebnnError* error) {
  const WebnnCumulativeSumOptions o = options ? *options : WEBNN_CUMULATIVE_SUM_OPTIONS_INIT;
  return append(builder, "cumulativeSum", o, {input, axis, o.exclusive, o.reversed}, result, error);
}

WebnnStatus webnnGraphBuilderDequantizeLinear(WebnnGraphBuilder builder, WebnnOperand input, WebnnOperand scale,
    WebnnOperand zeroPoint, const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error) {
  return append(builder, "dequantizeLinear", options, {input, scale, zeroPoint}, result, error);
}

WebnnStatus webnnGraphBuilderDiv(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "div", options, {a, b}, result, error);
}

WebnnStatus webnnGraphBuilderElu(WebnnGraphBuilder builder, WebnnOperand input, const WebnnEluOptions* options,
    WebnnOperand* result, WebnnError* error) {
  const WebnnEluOptions o = options ? *options : WEBNN_ELU_OPTIONS_INIT;
  return append(builder, "elu", o, {input, o.alpha}, result, error);
}

WebnnStatus webnnGraphBuilderEqual(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "equal", options, {a, b}, result, error);
}

WebnnStatus webnnGraphBuilderErf(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "erf", options, {input}, result, error);
}

WebnnStatus webnnGraphBuilderExp(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "exp", options, {input}, result, error);
}

WebnnStatus webnnGraphBuilderExpand(WebnnGraphBuilder builder, WebnnOperand input, WebnnUint32List newShape,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error) {
  return append(builder, "expand", options, {input, newShape}, result, error);
}

WebnnStatus webnnGraphBuilderFloor(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "floor", options, {input}, result, error);
}

WebnnStatus webnnGraphBuilderGather(WebnnGraphBuilder builder, WebnnOperand input, WebnnOperand indices,
    const WebnnGatherOptions* options, WebnnOperand* result, WebnnError* error) {
  const WebnnGatherOptions o = options ? *options : WEBNN_GATHER_OPTIONS_INIT;
  return append(builder, "gather", o, {input, indices, o.axis}, result, error);
}

WebnnStatus webnnGraphBuilderGatherElements(WebnnGraphBuilder builder, WebnnOperand input, WebnnOperand indices,
    const WebnnGatherOptions* options, WebnnOperand* result, WebnnError* error) {
  const WebnnGatherOptions o = options ? *options : WEBNN_GATHER_OPTIONS_INIT;
  return append(builder, "gatherElements", o, {input, indices, o.axis}, result, error);
}

WebnnStatus webnnGraphBuilderGatherND(WebnnGraphBuilder builder, WebnnOperand input, WebnnOperand indices,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error) {
  return append(builder, "gatherND", options, {input, indices}, result, error);
}

WebnnStatus webnnGraphBuilderGelu(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "gelu", options, {input}, result, error);
}

WebnnStatus webnnGraphBuilderGemm(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b, const WebnnGemmOptions* options,
    WebnnOperand* result, WebnnError* error) {
  const WebnnGemmOptions o = options ? *options : WEBNN_GEMM_OPTIONS_INIT;
  return append(builder, "gemm", o, {a, b, o.c, o.alpha, o.beta, o.aTranspose, o.bTranspose}, result, error);
}

WebnnStatus webnnGraphBuilderGreater(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error) {
  return append(builder, "greater", options, {a, b}, result, error);
}

WebnnStatus webnnGraphBuilderGreaterOrEqual(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error) {
  return append(builder, "greaterOrEqual", options, {a, b}, result, error);
}

WebnnStatus webnnGraphBuilderGru(WebnnGraphBuilder builder, WebnnOperand input, WebnnOperand weight, WebnnOperand recurrentWeight,
    uint32_t steps, uint32_t hiddenSize, const WebnnGruOptions* options, WebnnOperandList* results, WebnnError* error) {
  const WebnnGruOptions o = options ? *options : WEBNN_GRU_OPTIONS_INIT;
  return append(builder, "gru", o, {input, weight, recurrentWeight, steps, hiddenSize, o.bias, o.recurrentBias,
      o.initialHiddenState, o.resetAfter, o.returnSequence, o.direction, o.layout, o.activations}, results, error);
}

WebnnStatus webnnGraphBuilderGruCell(WebnnGraphBuilder builder, WebnnOperand input, WebnnOperand weight,
    WebnnOperand recurrentWeight, WebnnOperand hiddenState, uint32_t hiddenSize, const WebnnGruCellOptions* options,
    WebnnOperand* result, WebnnError* error) {
  const WebnnGruCellOptions o = options ? *options : WEBNN_GRU_CELL_OPTIONS_INIT;
  return append(builder, "gruCell", o, {input, weight, recurrentWeight, hiddenState, hiddenSize, o.bias, o.recurrentBias,
      o.resetAfter, o.layout, o.activations}, result, error);
}

WebnnStatus webnnGraphBuilderHardSigmoid(WebnnGraphBuilder builder, WebnnOperand input, const WebnnHardSigmoidOptions* options,
    WebnnOperand* result, WebnnError* error) {
  const WebnnHardSigmoidOptions o = options ? *options : WEBNN_HARD_SIGMOID_OPTIONS_INIT;
  return append(builder, "hardSigmoid", o, {input, o.alpha, o.beta}, result, error);
}

WebnnStatus webnnGraphBuilderHardSwish(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "hardSwish", options, {input}, result, error);
}

WebnnStatus webnnGraphBuilderIdentity(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "identity", options, {input}, result, error);
}

WebnnStatus webnnGraphBuilderInstanceNormalization(WebnnGraphBuilder builder, WebnnOperand input,
    const WebnnInstanceNormalizationOptions* options, WebnnOperand* result, WebnnError* error) {
  const WebnnInstanceNormalizationOptions o = options ? *options : WEBNN_INSTANCE_NORMALIZATION_OPTIONS_INIT;
  return append(builder, "instanceNormalization", o, {input, o.scale, o.bias, o.epsilon, o.layout}, result, error);
}

WebnnStatus webnnGraphBuilderIsInfinite(WebnnGraphBuilder builder, WebnnOperand a, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "isInfinite", options, {a}, result, error);
}

WebnnStatus webnnGraphBuilderIsNaN(WebnnGraphBuilder builder, WebnnOperand a, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "isNaN", options, {a}, result, error);
}

WebnnStatus webnnGraphBuilderL2Pool2d(WebnnGraphBuilder builder, WebnnOperand input, const WebnnPool2dOptions* options,
    WebnnOperand* result, WebnnError* error) {
  const WebnnPool2dOptions o = options ? *options : WEBNN_POOL2D_OPTIONS_INIT;
  return append(builder, "l2Pool2d", o, {input, o.windowDimensions, o.padding, o.strides, o.dilations, o.layout,
      o.outputShapeRounding, o.outputSizes}, result, error);
}

WebnnStatus webnnGraphBuilderLayerNormalization(WebnnGraphBuilder builder, WebnnOperand input,
    const WebnnLayerNormalizationOptions* options, WebnnOperand* result, WebnnError* error) {
  const WebnnLayerNormalizationOptions o = options ? *options : WEBNN_LAYER_NORMALIZATION_OPTIONS_INIT;
  return append(builder, "layerNormalization", o, {input, o.scale, o.bias, o.axes, o.epsilon}, result, error);
}

WebnnStatus webnnGraphBuilderLeakyRelu(WebnnGraphBuilder builder, WebnnOperand input, const WebnnLeakyReluOptions* options,
    WebnnOperand* result, WebnnError* error) {
  const WebnnLeakyReluOptions o = options ? *options : WEBNN_LEAKY_RELU_OPTIONS_INIT;
  return append(builder, "leakyRelu", o, {input, o.alpha}, result, error);
}

WebnnStatus webnnGraphBuilderLesser(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error) {
  return append(builder, "lesser", options, {a, b}, result, error);
}

WebnnStatus webnnGraphBuilderLesserOrEqual(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error) {
  return append(builder, "lesserOrEqual", options, {a, b}, result, error);
}

WebnnStatus webnnGraphBuilderLinear(WebnnGraphBuilder builder, WebnnOperand input, const WebnnLinearOptions* options,
    WebnnOperand* result, WebnnError* error) {
  const WebnnLinearOptions o = options ? *options : WEBNN_LINEAR_OPTIONS_INIT;
  return append(builder, "linear", o, {input, o.alpha, o.beta}, result, error);
}

WebnnStatus webnnGraphBuilderLog(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "log", options, {input}, result, error);
}

WebnnStatus webnnGraphBuilderLogicalAnd(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error) {
  return append(builder, "logicalAnd", options, {a, b}, result, error);
}

WebnnStatus webnnGraphBuilderLogicalNot(WebnnGraphBuilder builder, WebnnOperand a, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "logicalNot", options, {a}, result, error);
}

WebnnStatus webnnGraphBuilderLogicalOr(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error) {
  return append(builder, "logicalOr", options, {a, b}, result, error);
}

WebnnStatus webnnGraphBuilderLogicalXor(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error) {
  return append(builder, "logicalXor", options, {a, b}, result, error);
}

WebnnStatus webnnGraphBuilderLstm(WebnnGraphBuilder builder, WebnnOperand input, WebnnOperand weight,
    WebnnOperand recurrentWeight, uint32_t steps, uint32_t hiddenSize, const WebnnLstmOptions* options, WebnnOperandList* results,
    WebnnError* error) {
  const WebnnLstmOptions o = options ? *options : WEBNN_LSTM_OPTIONS_INIT;
  return append(builder, "lstm", o, {input, weight, recurrentWeight, steps, hiddenSize, o.bias, o.recurrentBias, o.peepholeWeight,
      o.initialHiddenState, o.initialCellState, o.returnSequence, o.direction, o.layout, o.activations}, results, error);
}

WebnnStatus webnnGraphBuilderLstmCell(WebnnGraphBuilder builder, WebnnOperand input, WebnnOperand weight,
    WebnnOperand recurrentWeight, WebnnOperand hiddenState, WebnnOperand cellState, uint32_t hiddenSize,
    const WebnnLstmCellOptions* options, WebnnOperandList* results, WebnnError* error) {
  const WebnnLstmCellOptions o = options ? *options : WEBNN_LSTM_CELL_OPTIONS_INIT;
  return append(builder, "lstmCell", o, {input, weight, recurrentWeight, hiddenState, cellState, hiddenSize, o.bias,
      o.recurrentBias, o.peepholeWeight, o.layout, o.activations}, results, error);
}

WebnnStatus webnnGraphBuilderMatmul(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error) {
  return append(builder, "matmul", options, {a, b}, result, error);
}

WebnnStatus webnnGraphBuilderMax(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "max", options, {a, b}, result, error);
}

WebnnStatus webnnGraphBuilderMaxPool2d(WebnnGraphBuilder builder, WebnnOperand input, const WebnnPool2dOptions* options,
    WebnnOperand* result, WebnnError* error) {
  const WebnnPool2dOptions o = options ? *options : WEBNN_POOL2D_OPTIONS_INIT;
  return append(builder, "maxPool2d", o, {input, o.windowDimensions, o.padding, o.strides, o.dilations, o.layout,
      o.outputShapeRounding, o.outputSizes}, result, error);
}

WebnnStatus webnnGraphBuilderMin(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "min", options, {a, b}, result, error);
}

WebnnStatus webnnGraphBuilderMul(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "mul", options, {a, b}, result, error);
}

WebnnStatus webnnGraphBuilderNeg(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "neg", options, {input}, result, error);
}

WebnnStatus webnnGraphBuilderNotEqual(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error) {
  return append(builder, "notEqual", options, {a, b}, result, error);
}

WebnnStatus webnnGraphBuilderPad(WebnnGraphBuilder builder, WebnnOperand input, WebnnUint32List beginningPadding,
    WebnnUint32List endingPadding, const WebnnPadOptions* options, WebnnOperand* result, WebnnError* error) {
  const WebnnPadOptions o = options ? *options : WEBNN_PAD_OPTIONS_INIT;
  return append(builder, "pad", o, {input, beginningPadding, endingPadding, o.mode, o.value}, result, error);
}

WebnnStatus webnnGraphBuilderPow(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "pow", options, {a, b}, result, error);
}

WebnnStatus webnnGraphBuilderPrelu(WebnnGraphBuilder builder, WebnnOperand input, WebnnOperand slope,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error) {
  return append(builder, "prelu", options, {input, slope}, result, error);
}

WebnnStatus webnnGraphBuilderQuantizeLinear(WebnnGraphBuilder builder, WebnnOperand input, WebnnOperand scale,
    WebnnOperand zeroPoint, const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error) {
  return append(builder, "quantizeLinear", options, {input, scale, zeroPoint}, result, error);
}

WebnnStatus webnnGraphBuilderReciprocal(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "reciprocal", options, {input}, result, error);
}

WebnnStatus webnnGraphBuilderReduceL1(WebnnGraphBuilder builder, WebnnOperand input, const WebnnReduceOptions* options,
    WebnnOperand* result, WebnnError* error) {
  const WebnnReduceOptions o = options ? *options : WEBNN_REDUCE_OPTIONS_INIT;
  return append(builder, "reduceL1", o, {input, o.axes, o.keepDimensions}, result, error);
}

WebnnStatus webnnGraphBuilderReduceL2(WebnnGraphBuilder builder, WebnnOperand input, const WebnnReduceOptions* options,
    WebnnOperand* result, WebnnError* error) {
  const WebnnReduceOptions o = options ? *options : WEBNN_REDUCE_OPTIONS_INIT;
  return append(builder, "reduceL2", o, {input, o.axes, o.keepDimensions}, result, error);
}

WebnnStatus webnnGraphBuilderReduceLogSum(WebnnGraphBuilder builder, WebnnOperand input, const WebnnReduceOptions* options,
    WebnnOperand* result, WebnnError* error) {
  const WebnnReduceOptions o = options ? *options : WEBNN_REDUCE_OPTIONS_INIT;
  return append(builder, "reduceLogSum", o, {input, o.axes, o.keepDimensions}, result, error);
}

WebnnStatus webnnGraphBuilderReduceLogSumExp(WebnnGraphBuilder builder, WebnnOperand input, const WebnnReduceOptions* options,
    WebnnOperand* result, WebnnError* error) {
  const WebnnReduceOptions o = options ? *options : WEBNN_REDUCE_OPTIONS_INIT;
  return append(builder, "reduceLogSumExp", o, {input, o.axes, o.keepDimensions}, result, error);
}

WebnnStatus webnnGraphBuilderReduceMax(WebnnGraphBuilder builder, WebnnOperand input, const WebnnReduceOptions* options,
    WebnnOperand* result, WebnnError* error) {
  const WebnnReduceOptions o = options ? *options : WEBNN_REDUCE_OPTIONS_INIT;
  return append(builder, "reduceMax", o, {input, o.axes, o.keepDimensions}, result, error);
}

WebnnStatus webnnGraphBuilderReduceMean(WebnnGraphBuilder builder, WebnnOperand input, const WebnnReduceOptions* options,
    WebnnOperand* result, WebnnError* error) {
  const WebnnReduceOptions o = options ? *options : WEBNN_REDUCE_OPTIONS_INIT;
  return append(builder, "reduceMean", o, {input, o.axes, o.keepDimensions}, result, error);
}

WebnnStatus webnnGraphBuilderReduceMin(WebnnGraphBuilder builder, WebnnOperand input, const WebnnReduceOptions* options,
    WebnnOperand* result, WebnnError* error) {
  const WebnnReduceOptions o = options ? *options : WEBNN_REDUCE_OPTIONS_INIT;
  return append(builder, "reduceMin", o, {input, o.axes, o.keepDimensions}, result, error);
}

WebnnStatus webnnGraphBuilderReduceProduct(WebnnGraphBuilder builder, WebnnOperand input, const WebnnReduceOptions* options,
    WebnnOperand* result, WebnnError* error) {
  const WebnnReduceOptions o = options ? *options : WEBNN_REDUCE_OPTIONS_INIT;
  return append(builder, "reduceProduct", o, {input, o.axes, o.keepDimensions}, result, error);
}

WebnnStatus webnnGraphBuilderReduceSum(WebnnGraphBuilder builder, WebnnOperand input, const WebnnReduceOptions* options,
    WebnnOperand* result, WebnnError* error) {
  const WebnnReduceOptions o = options ? *options : WEBNN_REDUCE_OPTIONS_INIT;
  return append(builder, "reduceSum", o, {input, o.axes, o.keepDimensions}, result, error);
}

WebnnStatus webnnGraphBuilderReduceSumSquare(WebnnGraphBuilder builder, WebnnOperand input, const WebnnReduceOptions* options,
    WebnnOperand* result, WebnnError* error) {
  const WebnnReduceOptions o = options ? *options : WEBNN_REDUCE_OPTIONS_INIT;
  return append(builder, "reduceSumSquare", o, {input, o.axes, o.keepDimensions}, result, error);
}

WebnnStatus webnnGraphBuilderRelu(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "relu", options, {input}, result, error);
}

WebnnStatus webnnGraphBuilderResample2d(WebnnGraphBuilder builder, WebnnOperand input, const WebnnResample2dOptions* options,
    WebnnOperand* result, WebnnError* error) {
  const WebnnResample2dOptions o = options ? *options : WEBNN_RESAMPLE2D_OPTIONS_INIT;
  return append(builder, "resample2d", o, {input, o.mode, o.scales, o.sizes, o.axes}, result, error);
}

WebnnStatus webnnGraphBuilderReshape(WebnnGraphBuilder builder, WebnnOperand input, WebnnUint32List newShape,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error) {
  return append(builder, "reshape", options, {input, newShape}, result, error);
}

WebnnStatus webnnGraphBuilderReverse(WebnnGraphBuilder builder, WebnnOperand input, const WebnnReverseOptions* options,
    WebnnOperand* result, WebnnError* error) {
  const WebnnReverseOptions o = options ? *options : WEBNN_REVERSE_OPTIONS_INIT;
  return append(builder, "reverse", o, {input, o.axes}, result, error);
}

WebnnStatus webnnGraphBuilderRoundEven(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "roundEven", options, {input}, result, error);
}

WebnnStatus webnnGraphBuilderScatterElements(WebnnGraphBuilder builder, WebnnOperand input, WebnnOperand indices,
    WebnnOperand updates, const WebnnScatterOptions* options, WebnnOperand* result, WebnnError* error) {
  const WebnnScatterOptions o = options ? *options : WEBNN_SCATTER_OPTIONS_INIT;
  return append(builder, "scatterElements", o, {input, indices, updates, o.axis}, result, error);
}

WebnnStatus webnnGraphBuilderScatterND(WebnnGraphBuilder builder, WebnnOperand input, WebnnOperand indices, WebnnOperand updates,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error) {
  return append(builder, "scatterND", options, {input, indices, updates}, result, error);
}

WebnnStatus webnnGraphBuilderSigmoid(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "sigmoid", options, {input}, result, error);
}

WebnnStatus webnnGraphBuilderSign(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "sign", options, {input}, result, error);
}

WebnnStatus webnnGraphBuilderSin(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "sin", options, {input}, result, error);
}

WebnnStatus webnnGraphBuilderSlice(WebnnGraphBuilder builder, WebnnOperand input, WebnnUint32List starts, WebnnUint32List sizes,
    const WebnnSliceOptions* options, WebnnOperand* result, WebnnError* error) {
  const WebnnSliceOptions o = options ? *options : WEBNN_SLICE_OPTIONS_INIT;
  return append(builder, "slice", o, {input, starts, sizes, o.strides}, result, error);
}

WebnnStatus webnnGraphBuilderSoftmax(WebnnGraphBuilder builder, WebnnOperand input, uint32_t axis,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error) {
  return append(builder, "softmax", options, {input, axis}, result, error);
}

WebnnStatus webnnGraphBuilderSoftplus(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "softplus", options, {input}, result, error);
}

WebnnStatus webnnGraphBuilderSoftsign(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "softsign", options, {input}, result, error);
}

WebnnStatus webnnGraphBuilderSplit(WebnnGraphBuilder builder, WebnnOperand input, WebnnSplits splits,
    const WebnnSplitOptions* options, WebnnOperandList* results, WebnnError* error) {
  const WebnnSplitOptions o = options ? *options : WEBNN_SPLIT_OPTIONS_INIT;
  return append(builder, "split", o, {input, splits, o.axis}, results, error);
}

WebnnStatus webnnGraphBuilderSqrt(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "sqrt", options, {input}, result, error);
}

WebnnStatus webnnGraphBuilderSub(WebnnGraphBuilder builder, WebnnOperand a, WebnnOperand b, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "sub", options, {a, b}, result, error);
}

WebnnStatus webnnGraphBuilderTan(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "tan", options, {input}, result, error);
}

WebnnStatus webnnGraphBuilderTanh(WebnnGraphBuilder builder, WebnnOperand input, const WebnnOperatorOptions* options,
    WebnnOperand* result, WebnnError* error) {
  return append(builder, "tanh", options, {input}, result, error);
}

WebnnStatus webnnGraphBuilderTile(WebnnGraphBuilder builder, WebnnOperand input, WebnnUint32List repetitions,
    const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error) {
  return append(builder, "tile", options, {input, repetitions}, result, error);
}

WebnnStatus webnnGraphBuilderTranspose(WebnnGraphBuilder builder, WebnnOperand input, const WebnnTransposeOptions* options,
    WebnnOperand* result, WebnnError* error) {
  const WebnnTransposeOptions o = options ? *options : WEBNN_TRANSPOSE_OPTIONS_INIT;
  return append(builder, "transpose", o, {input, o.permutation}, result, error);
}

WebnnStatus webnnGraphBuilderTriangular(WebnnGraphBuilder builder, WebnnOperand input, const WebnnTriangularOptions* options,
    WebnnOperand* result, WebnnError* error) {
  const WebnnTriangularOptions o = options ? *options : WEBNN_TRIANGULAR_OPTIONS_INIT;
  return append(builder, "triangular", o, {input, o.upper, o.diagonal}, result, error);
}

WebnnStatus webnnGraphBuilderWhere(WebnnGraphBuilder builder, WebnnOperand condition, WebnnOperand trueValue,
    WebnnOperand falseValue, const WebnnOperatorOptions* options, WebnnOperand* result, WebnnError* error) {
  return append(builder, "where", options, {condition, trueValue, falseValue}, result, error);
}
