// Printed by `webnn ops --format=rust-calls` from the operation table.
use webnn::*;

use super::arguments::Arguments;

/// Calls the method with the specification's name `name`.
pub fn call<'b>(builder: &'b GraphBuilder, name: &str, given: &Arguments<'_, 'b>) -> Result<Vec<Operand<'b>>> {
    match name {
        "abs" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.abs_with(input, o)?])
        }
        "add" => {
            let label = given.label();
            let a = given.argument(0).operand().unwrap();
            let b = given.argument(1).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.add_with(a, b, o)?])
        }
        "argMax" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let axis = given.argument(1).unsigned().unwrap();
            let keep_dimensions = given.option("keepDimensions").boolean();
            let output_data_type = given.option("outputDataType").name(DataType::from_name);
            let mut o = ArgMinMaxOptions::default().label(&label);
            if let Some(keep_dimensions) = keep_dimensions { o = o.keep_dimensions(keep_dimensions); }
            if let Some(output_data_type) = output_data_type { o = o.output_data_type(output_data_type); }
            Ok(vec![builder.arg_max_with(input, axis, o)?])
        }
        "argMin" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let axis = given.argument(1).unsigned().unwrap();
            let keep_dimensions = given.option("keepDimensions").boolean();
            let output_data_type = given.option("outputDataType").name(DataType::from_name);
            let mut o = ArgMinMaxOptions::default().label(&label);
            if let Some(keep_dimensions) = keep_dimensions { o = o.keep_dimensions(keep_dimensions); }
            if let Some(output_data_type) = output_data_type { o = o.output_data_type(output_data_type); }
            Ok(vec![builder.arg_min_with(input, axis, o)?])
        }
        "averagePool2d" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let window_dimensions = given.option("windowDimensions").sizes();
            let padding = given.option("padding").sizes();
            let strides = given.option("strides").sizes();
            let dilations = given.option("dilations").sizes();
            let layout = given.option("layout").name(InputOperandLayout::from_name);
            let output_shape_rounding = given.option("outputShapeRounding").name(RoundingType::from_name);
            let output_sizes = given.option("outputSizes").sizes();
            let mut o = Pool2dOptions::default().label(&label);
            if let Some(window_dimensions) = &window_dimensions { o = o.window_dimensions(window_dimensions); }
            if let Some(padding) = &padding { o = o.padding(padding); }
            if let Some(strides) = &strides { o = o.strides(strides); }
            if let Some(dilations) = &dilations { o = o.dilations(dilations); }
            if let Some(layout) = layout { o = o.layout(layout); }
            if let Some(output_shape_rounding) = output_shape_rounding { o = o.output_shape_rounding(output_shape_rounding); }
            if let Some(output_sizes) = &output_sizes { o = o.output_sizes(output_sizes); }
            Ok(vec![builder.average_pool2d_with(input, o)?])
        }
        "batchNormalization" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let mean = given.argument(1).operand().unwrap();
            let variance = given.argument(2).operand().unwrap();
            let scale = given.option("scale").operand();
            let bias = given.option("bias").operand();
            let axis = given.option("axis").unsigned();
            let epsilon = given.option("epsilon").real();
            let mut o = BatchNormalizationOptions::default().label(&label);
            if let Some(scale) = scale { o = o.scale(scale); }
            if let Some(bias) = bias { o = o.bias(bias); }
            if let Some(axis) = axis { o = o.axis(axis); }
            if let Some(epsilon) = epsilon { o = o.epsilon(epsilon); }
            Ok(vec![builder.batch_normalization_with(input, mean, variance, o)?])
        }
        "cast" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let data_type = given.argument(1).name(DataType::from_name).unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.cast_with(input, data_type, o)?])
        }
        "ceil" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.ceil_with(input, o)?])
        }
        "clamp" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let min_value = given.option("minValue").number();
            let max_value = given.option("maxValue").number();
            let mut o = ClampOptions::default().label(&label);
            if let Some(min_value) = min_value { o = o.min_value(min_value); }
            if let Some(max_value) = max_value { o = o.max_value(max_value); }
            Ok(vec![builder.clamp_with(input, o)?])
        }
        "concat" => {
            let label = given.label();
            let inputs = given.argument(0).operands().unwrap();
            let axis = given.argument(1).unsigned().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.concat_with(&inputs, axis, o)?])
        }
        "conv2d" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let filter = given.argument(1).operand().unwrap();
            let padding = given.option("padding").sizes();
            let strides = given.option("strides").sizes();
            let dilations = given.option("dilations").sizes();
            let groups = given.option("groups").unsigned();
            let input_layout = given.option("inputLayout").name(InputOperandLayout::from_name);
            let filter_layout = given.option("filterLayout").name(Conv2dFilterOperandLayout::from_name);
            let bias = given.option("bias").operand();
            let mut o = Conv2dOptions::default().label(&label);
            if let Some(padding) = &padding { o = o.padding(padding); }
            if let Some(strides) = &strides { o = o.strides(strides); }
            if let Some(dilations) = &dilations { o = o.dilations(dilations); }
            if let Some(groups) = groups { o = o.groups(groups); }
            if let Some(input_layout) = input_layout { o = o.input_layout(input_layout); }
            if let Some(filter_layout) = filter_layout { o = o.filter_layout(filter_layout); }
            if let Some(bias) = bias { o = o.bias(bias); }
            Ok(vec![builder.conv2d_with(input, filter, o)?])
        }
        "convTranspose2d" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let filter = given.argument(1).operand().unwrap();
            let padding = given.option("padding").sizes();
            let strides = given.option("strides").sizes();
            let dilations = given.option("dilations").sizes();
            let output_padding = given.option("outputPadding").sizes();
            let output_sizes = given.option("outputSizes").sizes();
            let groups = given.option("groups").unsigned();
            let input_layout = given.option("inputLayout").name(InputOperandLayout::from_name);
            let filter_layout = given.option("filterLayout").name(ConvTranspose2dFilterOperandLayout::from_name);
            let bias = given.option("bias").operand();
            let mut o = ConvTranspose2dOptions::default().label(&label);
            if let Some(padding) = &padding { o = o.padding(padding); }
            if let Some(strides) = &strides { o = o.strides(strides); }
            if let Some(dilations) = &dilations { o = o.dilations(dilations); }
            if let Some(output_padding) = &output_padding { o = o.output_padding(output_padding); }
            if let Some(output_sizes) = &output_sizes { o = o.output_sizes(output_sizes); }
            if let Some(groups) = groups { o = o.groups(groups); }
            if let Some(input_layout) = input_layout { o = o.input_layout(input_layout); }
            if let Some(filter_layout) = filter_layout { o = o.filter_layout(filter_layout); }
            if let Some(bias) = bias { o = o.bias(bias); }
            Ok(vec![builder.conv_transpose2d_with(input, filter, o)?])
        }
        "cos" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.cos_with(input, o)?])
        }
        "cumulativeSum" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let axis = given.argument(1).unsigned().unwrap();
            let exclusive = given.option("exclusive").boolean();
            let reversed = given.option("reversed").boolean();
            let mut o = CumulativeSumOptions::default().label(&label);
            if let Some(exclusive) = exclusive { o = o.exclusive(exclusive); }
            if let Some(reversed) = reversed { o = o.reversed(reversed); }
            Ok(vec![builder.cumulative_sum_with(input, axis, o)?])
        }
        "dequantizeLinear" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let scale = given.argument(1).operand().unwrap();
            let zero_point = given.argument(2).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.dequantize_linear_with(input, scale, zero_point, o)?])
        }
        "div" => {
            let label = given.label();
            let a = given.argument(0).operand().unwrap();
            let b = given.argument(1).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.div_with(a, b, o)?])
        }
        "elu" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let alpha = given.option("alpha").real();
            let mut o = EluOptions::default().label(&label);
            if let Some(alpha) = alpha { o = o.alpha(alpha); }
            Ok(vec![builder.elu_with(input, o)?])
        }
        "equal" => {
            let label = given.label();
            let a = given.argument(0).operand().unwrap();
            let b = given.argument(1).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.equal_with(a, b, o)?])
        }
        "erf" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.erf_with(input, o)?])
        }
        "exp" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.exp_with(input, o)?])
        }
        "expand" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let new_shape = given.argument(1).sizes().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.expand_with(input, &new_shape, o)?])
        }
        "floor" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.floor_with(input, o)?])
        }
        "gather" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let indices = given.argument(1).operand().unwrap();
            let axis = given.option("axis").unsigned();
            let mut o = GatherOptions::default().label(&label);
            if let Some(axis) = axis { o = o.axis(axis); }
            Ok(vec![builder.gather_with(input, indices, o)?])
        }
        "gatherElements" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let indices = given.argument(1).operand().unwrap();
            let axis = given.option("axis").unsigned();
            let mut o = GatherOptions::default().label(&label);
            if let Some(axis) = axis { o = o.axis(axis); }
            Ok(vec![builder.gather_elements_with(input, indices, o)?])
        }
        "gatherND" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let indices = given.argument(1).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.gather_nd_with(input, indices, o)?])
        }
        "gelu" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.gelu_with(input, o)?])
        }
        "gemm" => {
            let label = given.label();
            let a = given.argument(0).operand().unwrap();
            let b = given.argument(1).operand().unwrap();
            let c = given.option("c").operand();
            let alpha = given.option("alpha").real();
            let beta = given.option("beta").real();
            let a_transpose = given.option("aTranspose").boolean();
            let b_transpose = given.option("bTranspose").boolean();
            let mut o = GemmOptions::default().label(&label);
            if let Some(c) = c { o = o.c(c); }
            if let Some(alpha) = alpha { o = o.alpha(alpha); }
            if let Some(beta) = beta { o = o.beta(beta); }
            if let Some(a_transpose) = a_transpose { o = o.a_transpose(a_transpose); }
            if let Some(b_transpose) = b_transpose { o = o.b_transpose(b_transpose); }
            Ok(vec![builder.gemm_with(a, b, o)?])
        }
        "greater" => {
            let label = given.label();
            let a = given.argument(0).operand().unwrap();
            let b = given.argument(1).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.greater_with(a, b, o)?])
        }
        "greaterOrEqual" => {
            let label = given.label();
            let a = given.argument(0).operand().unwrap();
            let b = given.argument(1).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.greater_or_equal_with(a, b, o)?])
        }
        "gru" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let weight = given.argument(1).operand().unwrap();
            let recurrent_weight = given.argument(2).operand().unwrap();
            let steps = given.argument(3).unsigned().unwrap();
            let hidden_size = given.argument(4).unsigned().unwrap();
            let bias = given.option("bias").operand();
            let recurrent_bias = given.option("recurrentBias").operand();
            let initial_hidden_state = given.option("initialHiddenState").operand();
            let reset_after = given.option("resetAfter").boolean();
            let return_sequence = given.option("returnSequence").boolean();
            let direction = given.option("direction").name(RecurrentNetworkDirection::from_name);
            let layout = given.option("layout").name(GruWeightLayout::from_name);
            let activations = given.option("activations").names(RecurrentNetworkActivation::from_name);
            let mut o = GruOptions::default().label(&label);
            if let Some(bias) = bias { o = o.bias(bias); }
            if let Some(recurrent_bias) = recurrent_bias { o = o.recurrent_bias(recurrent_bias); }
            if let Some(initial_hidden_state) = initial_hidden_state { o = o.initial_hidden_state(initial_hidden_state); }
            if let Some(reset_after) = reset_after { o = o.reset_after(reset_after); }
            if let Some(return_sequence) = return_sequence { o = o.return_sequence(return_sequence); }
            if let Some(direction) = direction { o = o.direction(direction); }
            if let Some(layout) = layout { o = o.layout(layout); }
            if let Some(activations) = &activations { o = o.activations(activations); }
            builder.gru_with(input, weight, recurrent_weight, steps, hidden_size, o)
        }
        "gruCell" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let weight = given.argument(1).operand().unwrap();
            let recurrent_weight = given.argument(2).operand().unwrap();
            let hidden_state = given.argument(3).operand().unwrap();
            let hidden_size = given.argument(4).unsigned().unwrap();
            let bias = given.option("bias").operand();
            let recurrent_bias = given.option("recurrentBias").operand();
            let reset_after = given.option("resetAfter").boolean();
            let layout = given.option("layout").name(GruWeightLayout::from_name);
            let activations = given.option("activations").names(RecurrentNetworkActivation::from_name);
            let mut o = GruCellOptions::default().label(&label);
            if let Some(bias) = bias { o = o.bias(bias); }
            if let Some(recurrent_bias) = recurrent_bias { o = o.recurrent_bias(recurrent_bias); }
            if let Some(reset_after) = reset_after { o = o.reset_after(reset_after); }
            if let Some(layout) = layout { o = o.layout(layout); }
            if let Some(activations) = &activations { o = o.activations(activations); }
            Ok(vec![builder.gru_cell_with(input, weight, recurrent_weight, hidden_state, hidden_size, o)?])
        }
        "hardSigmoid" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let alpha = given.option("alpha").real();
            let beta = given.option("beta").real();
            let mut o = HardSigmoidOptions::default().label(&label);
            if let Some(alpha) = alpha { o = o.alpha(alpha); }
            if let Some(beta) = beta { o = o.beta(beta); }
            Ok(vec![builder.hard_sigmoid_with(input, o)?])
        }
        "hardSwish" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.hard_swish_with(input, o)?])
        }
        "identity" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.identity_with(input, o)?])
        }
        "instanceNormalization" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let scale = given.option("scale").operand();
            let bias = given.option("bias").operand();
            let epsilon = given.option("epsilon").real();
            let layout = given.option("layout").name(InputOperandLayout::from_name);
            let mut o = InstanceNormalizationOptions::default().label(&label);
            if let Some(scale) = scale { o = o.scale(scale); }
            if let Some(bias) = bias { o = o.bias(bias); }
            if let Some(epsilon) = epsilon { o = o.epsilon(epsilon); }
            if let Some(layout) = layout { o = o.layout(layout); }
            Ok(vec![builder.instance_normalization_with(input, o)?])
        }
        "isInfinite" => {
            let label = given.label();
            let a = given.argument(0).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.is_infinite_with(a, o)?])
        }
        "isNaN" => {
            let label = given.label();
            let a = given.argument(0).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.is_nan_with(a, o)?])
        }
        "l2Pool2d" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let window_dimensions = given.option("windowDimensions").sizes();
            let padding = given.option("padding").sizes();
            let strides = given.option("strides").sizes();
            let dilations = given.option("dilations").sizes();
            let layout = given.option("layout").name(InputOperandLayout::from_name);
            let output_shape_rounding = given.option("outputShapeRounding").name(RoundingType::from_name);
            let output_sizes = given.option("outputSizes").sizes();
            let mut o = Pool2dOptions::default().label(&label);
            if let Some(window_dimensions) = &window_dimensions { o = o.window_dimensions(window_dimensions); }
            if let Some(padding) = &padding { o = o.padding(padding); }
            if let Some(strides) = &strides { o = o.strides(strides); }
            if let Some(dilations) = &dilations { o = o.dilations(dilations); }
            if let Some(layout) = layout { o = o.layout(layout); }
            if let Some(output_shape_rounding) = output_shape_rounding { o = o.output_shape_rounding(output_shape_rounding); }
            if let Some(output_sizes) = &output_sizes { o = o.output_sizes(output_sizes); }
            Ok(vec![builder.l2_pool2d_with(input, o)?])
        }
        "layerNormalization" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let scale = given.option("scale").operand();
            let bias = given.option("bias").operand();
            let axes = given.option("axes").sizes();
            let epsilon = given.option("epsilon").real();
            let mut o = LayerNormalizationOptions::default().label(&label);
            if let Some(scale) = scale { o = o.scale(scale); }
            if let Some(bias) = bias { o = o.bias(bias); }
            if let Some(axes) = &axes { o = o.axes(axes); }
            if let Some(epsilon) = epsilon { o = o.epsilon(epsilon); }
            Ok(vec![builder.layer_normalization_with(input, o)?])
        }
        "leakyRelu" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let alpha = given.option("alpha").real();
            let mut o = LeakyReluOptions::default().label(&label);
            if let Some(alpha) = alpha { o = o.alpha(alpha); }
            Ok(vec![builder.leaky_relu_with(input, o)?])
        }
        "lesser" => {
            let label = given.label();
            let a = given.argument(0).operand().unwrap();
            let b = given.argument(1).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.lesser_with(a, b, o)?])
        }
        "lesserOrEqual" => {
            let label = given.label();
            let a = given.argument(0).operand().unwrap();
            let b = given.argument(1).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.lesser_or_equal_with(a, b, o)?])
        }
        "linear" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let alpha = given.option("alpha").real();
            let beta = given.option("beta").real();
            let mut o = LinearOptions::default().label(&label);
            if let Some(alpha) = alpha { o = o.alpha(alpha); }
            if let Some(beta) = beta { o = o.beta(beta); }
            Ok(vec![builder.linear_with(input, o)?])
        }
        "log" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.log_with(input, o)?])
        }
        "logicalAnd" => {
            let label = given.label();
            let a = given.argument(0).operand().unwrap();
            let b = given.argument(1).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.logical_and_with(a, b, o)?])
        }
        "logicalNot" => {
            let label = given.label();
            let a = given.argument(0).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.logical_not_with(a, o)?])
        }
        "logicalOr" => {
            let label = given.label();
            let a = given.argument(0).operand().unwrap();
            let b = given.argument(1).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.logical_or_with(a, b, o)?])
        }
        "logicalXor" => {
            let label = given.label();
            let a = given.argument(0).operand().unwrap();
            let b = given.argument(1).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.logical_xor_with(a, b, o)?])
        }
        "lstm" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let weight = given.argument(1).operand().unwrap();
            let recurrent_weight = given.argument(2).operand().unwrap();
            let steps = given.argument(3).unsigned().unwrap();
            let hidden_size = given.argument(4).unsigned().unwrap();
            let bias = given.option("bias").operand();
            let recurrent_bias = given.option("recurrentBias").operand();
            let peephole_weight = given.option("peepholeWeight").operand();
            let initial_hidden_state = given.option("initialHiddenState").operand();
            let initial_cell_state = given.option("initialCellState").operand();
            let return_sequence = given.option("returnSequence").boolean();
            let direction = given.option("direction").name(RecurrentNetworkDirection::from_name);
            let layout = given.option("layout").name(LstmWeightLayout::from_name);
            let activations = given.option("activations").names(RecurrentNetworkActivation::from_name);
            let mut o = LstmOptions::default().label(&label);
            if let Some(bias) = bias { o = o.bias(bias); }
            if let Some(recurrent_bias) = recurrent_bias { o = o.recurrent_bias(recurrent_bias); }
            if let Some(peephole_weight) = peephole_weight { o = o.peephole_weight(peephole_weight); }
            if let Some(initial_hidden_state) = initial_hidden_state { o = o.initial_hidden_state(initial_hidden_state); }
            if let Some(initial_cell_state) = initial_cell_state { o = o.initial_cell_state(initial_cell_state); }
            if let Some(return_sequence) = return_sequence { o = o.return_sequence(return_sequence); }
            if let Some(direction) = direction { o = o.direction(direction); }
            if let Some(layout) = layout { o = o.layout(layout); }
            if let Some(activations) = &activations { o = o.activations(activations); }
            builder.lstm_with(input, weight, recurrent_weight, steps, hidden_size, o)
        }
        "lstmCell" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let weight = given.argument(1).operand().unwrap();
            let recurrent_weight = given.argument(2).operand().unwrap();
            let hidden_state = given.argument(3).operand().unwrap();
            let cell_state = given.argument(4).operand().unwrap();
            let hidden_size = given.argument(5).unsigned().unwrap();
            let bias = given.option("bias").operand();
            let recurrent_bias = given.option("recurrentBias").operand();
            let peephole_weight = given.option("peepholeWeight").operand();
            let layout = given.option("layout").name(LstmWeightLayout::from_name);
            let activations = given.option("activations").names(RecurrentNetworkActivation::from_name);
            let mut o = LstmCellOptions::default().label(&label);
            if let Some(bias) = bias { o = o.bias(bias); }
            if let Some(recurrent_bias) = recurrent_bias { o = o.recurrent_bias(recurrent_bias); }
            if let Some(peephole_weight) = peephole_weight { o = o.peephole_weight(peephole_weight); }
            if let Some(layout) = layout { o = o.layout(layout); }
            if let Some(activations) = &activations { o = o.activations(activations); }
            builder.lstm_cell_with(input, weight, recurrent_weight, hidden_state, cell_state, hidden_size, o)
        }
        "matmul" => {
            let label = given.label();
            let a = given.argument(0).operand().unwrap();
            let b = given.argument(1).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.matmul_with(a, b, o)?])
        }
        "max" => {
            let label = given.label();
            let a = given.argument(0).operand().unwrap();
            let b = given.argument(1).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.max_with(a, b, o)?])
        }
        "maxPool2d" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let window_dimensions = given.option("windowDimensions").sizes();
            let padding = given.option("padding").sizes();
            let strides = given.option("strides").sizes();
            let dilations = given.option("dilations").sizes();
            let layout = given.option("layout").name(InputOperandLayout::from_name);
            let output_shape_rounding = given.option("outputShapeRounding").name(RoundingType::from_name);
            let output_sizes = given.option("outputSizes").sizes();
            let mut o = Pool2dOptions::default().label(&label);
            if let Some(window_dimensions) = &window_dimensions { o = o.window_dimensions(window_dimensions); }
            if let Some(padding) = &padding { o = o.padding(padding); }
            if let Some(strides) = &strides { o = o.strides(strides); }
            if let Some(dilations) = &dilations { o = o.dilations(dilations); }
            if let Some(layout) = layout { o = o.layout(layout); }
            if let Some(output_shape_rounding) = output_shape_rounding { o = o.output_shape_rounding(output_shape_rounding); }
            if let Some(output_sizes) = &output_sizes { o = o.output_sizes(output_sizes); }
            Ok(vec![builder.max_pool2d_with(input, o)?])
        }
        "min" => {
            let label = given.label();
            let a = given.argument(0).operand().unwrap();
            let b = given.argument(1).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.min_with(a, b, o)?])
        }
        "mul" => {
            let label = given.label();
            let a = given.argument(0).operand().unwrap();
            let b = given.argument(1).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.mul_with(a, b, o)?])
        }
        "neg" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.neg_with(input, o)?])
        }
        "notEqual" => {
            let label = given.label();
            let a = given.argument(0).operand().unwrap();
            let b = given.argument(1).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.not_equal_with(a, b, o)?])
        }
        "pad" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let beginning_padding = given.argument(1).sizes().unwrap();
            let ending_padding = given.argument(2).sizes().unwrap();
            let mode = given.option("mode").name(PaddingMode::from_name);
            let value = given.option("value").number();
            let mut o = PadOptions::default().label(&label);
            if let Some(mode) = mode { o = o.mode(mode); }
            if let Some(value) = value { o = o.value(value); }
            Ok(vec![builder.pad_with(input, &beginning_padding, &ending_padding, o)?])
        }
        "pow" => {
            let label = given.label();
            let a = given.argument(0).operand().unwrap();
            let b = given.argument(1).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.pow_with(a, b, o)?])
        }
        "prelu" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let slope = given.argument(1).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.prelu_with(input, slope, o)?])
        }
        "quantizeLinear" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let scale = given.argument(1).operand().unwrap();
            let zero_point = given.argument(2).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.quantize_linear_with(input, scale, zero_point, o)?])
        }
        "reciprocal" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.reciprocal_with(input, o)?])
        }
        "reduceL1" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let axes = given.option("axes").sizes();
            let keep_dimensions = given.option("keepDimensions").boolean();
            let mut o = ReduceOptions::default().label(&label);
            if let Some(axes) = &axes { o = o.axes(axes); }
            if let Some(keep_dimensions) = keep_dimensions { o = o.keep_dimensions(keep_dimensions); }
            Ok(vec![builder.reduce_l1_with(input, o)?])
        }
        "reduceL2" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let axes = given.option("axes").sizes();
            let keep_dimensions = given.option("keepDimensions").boolean();
            let mut o = ReduceOptions::default().label(&label);
            if let Some(axes) = &axes { o = o.axes(axes); }
            if let Some(keep_dimensions) = keep_dimensions { o = o.keep_dimensions(keep_dimensions); }
            Ok(vec![builder.reduce_l2_with(input, o)?])
        }
        "reduceLogSum" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let axes = given.option("axes").sizes();
            let keep_dimensions = given.option("keepDimensions").boolean();
            let mut o = ReduceOptions::default().label(&label);
            if let Some(axes) = &axes { o = o.axes(axes); }
            if let Some(keep_dimensions) = keep_dimensions { o = o.keep_dimensions(keep_dimensions); }
            Ok(vec![builder.reduce_log_sum_with(input, o)?])
        }
        "reduceLogSumExp" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let axes = given.option("axes").sizes();
            let keep_dimensions = given.option("keepDimensions").boolean();
            let mut o = ReduceOptions::default().label(&label);
            if let Some(axes) = &axes { o = o.axes(axes); }
            if let Some(keep_dimensions) = keep_dimensions { o = o.keep_dimensions(keep_dimensions); }
            Ok(vec![builder.reduce_log_sum_exp_with(input, o)?])
        }
        "reduceMax" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let axes = given.option("axes").sizes();
            let keep_dimensions = given.option("keepDimensions").boolean();
            let mut o = ReduceOptions::default().label(&label);
            if let Some(axes) = &axes { o = o.axes(axes); }
            if let Some(keep_dimensions) = keep_dimensions { o = o.keep_dimensions(keep_dimensions); }
            Ok(vec![builder.reduce_max_with(input, o)?])
        }
        "reduceMean" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let axes = given.option("axes").sizes();
            let keep_dimensions = given.option("keepDimensions").boolean();
            let mut o = ReduceOptions::default().label(&label);
            if let Some(axes) = &axes { o = o.axes(axes); }
            if let Some(keep_dimensions) = keep_dimensions { o = o.keep_dimensions(keep_dimensions); }
            Ok(vec![builder.reduce_mean_with(input, o)?])
        }
        "reduceMin" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let axes = given.option("axes").sizes();
            let keep_dimensions = given.option("keepDimensions").boolean();
            let mut o = ReduceOptions::default().label(&label);
            if let Some(axes) = &axes { o = o.axes(axes); }
            if let Some(keep_dimensions) = keep_dimensions { o = o.keep_dimensions(keep_dimensions); }
            Ok(vec![builder.reduce_min_with(input, o)?])
        }
        "reduceProduct" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let axes = given.option("axes").sizes();
            let keep_dimensions = given.option("keepDimensions").boolean();
            let mut o = ReduceOptions::default().label(&label);
            if let Some(axes) = &axes { o = o.axes(axes); }
            if let Some(keep_dimensions) = keep_dimensions { o = o.keep_dimensions(keep_dimensions); }
            Ok(vec![builder.reduce_product_with(input, o)?])
        }
        "reduceSum" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let axes = given.option("axes").sizes();
            let keep_dimensions = given.option("keepDimensions").boolean();
            let mut o = ReduceOptions::default().label(&label);
            if let Some(axes) = &axes { o = o.axes(axes); }
            if let Some(keep_dimensions) = keep_dimensions { o = o.keep_dimensions(keep_dimensions); }
            Ok(vec![builder.reduce_sum_with(input, o)?])
        }
        "reduceSumSquare" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let axes = given.option("axes").sizes();
            let keep_dimensions = given.option("keepDimensions").boolean();
            let mut o = ReduceOptions::default().label(&label);
            if let Some(axes) = &axes { o = o.axes(axes); }
            if let Some(keep_dimensions) = keep_dimensions { o = o.keep_dimensions(keep_dimensions); }
            Ok(vec![builder.reduce_sum_square_with(input, o)?])
        }
        "relu" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.relu_with(input, o)?])
        }
        "resample2d" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let mode = given.option("mode").name(InterpolationMode::from_name);
            let scales = given.option("scales").reals();
            let sizes = given.option("sizes").sizes();
            let axes = given.option("axes").sizes();
            let mut o = Resample2dOptions::default().label(&label);
            if let Some(mode) = mode { o = o.mode(mode); }
            if let Some(scales) = &scales { o = o.scales(scales); }
            if let Some(sizes) = &sizes { o = o.sizes(sizes); }
            if let Some(axes) = &axes { o = o.axes(axes); }
            Ok(vec![builder.resample2d_with(input, o)?])
        }
        "reshape" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let new_shape = given.argument(1).sizes().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.reshape_with(input, &new_shape, o)?])
        }
        "reverse" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let axes = given.option("axes").sizes();
            let mut o = ReverseOptions::default().label(&label);
            if let Some(axes) = &axes { o = o.axes(axes); }
            Ok(vec![builder.reverse_with(input, o)?])
        }
        "roundEven" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.round_even_with(input, o)?])
        }
        "scatterElements" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let indices = given.argument(1).operand().unwrap();
            let updates = given.argument(2).operand().unwrap();
            let axis = given.option("axis").unsigned();
            let mut o = ScatterOptions::default().label(&label);
            if let Some(axis) = axis { o = o.axis(axis); }
            Ok(vec![builder.scatter_elements_with(input, indices, updates, o)?])
        }
        "scatterND" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let indices = given.argument(1).operand().unwrap();
            let updates = given.argument(2).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.scatter_nd_with(input, indices, updates, o)?])
        }
        "sigmoid" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.sigmoid_with(input, o)?])
        }
        "sign" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.sign_with(input, o)?])
        }
        "sin" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.sin_with(input, o)?])
        }
        "slice" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let starts = given.argument(1).sizes().unwrap();
            let sizes = given.argument(2).sizes().unwrap();
            let strides = given.option("strides").sizes();
            let mut o = SliceOptions::default().label(&label);
            if let Some(strides) = &strides { o = o.strides(strides); }
            Ok(vec![builder.slice_with(input, &starts, &sizes, o)?])
        }
        "softmax" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let axis = given.argument(1).unsigned().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.softmax_with(input, axis, o)?])
        }
        "softplus" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.softplus_with(input, o)?])
        }
        "softsign" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.softsign_with(input, o)?])
        }
        "split" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let splits = given.argument(1).splits().unwrap();
            let axis = given.option("axis").unsigned();
            let mut o = SplitOptions::default().label(&label);
            if let Some(axis) = axis { o = o.axis(axis); }
            builder.split_with(input, splits.get(), o)
        }
        "sqrt" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.sqrt_with(input, o)?])
        }
        "sub" => {
            let label = given.label();
            let a = given.argument(0).operand().unwrap();
            let b = given.argument(1).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.sub_with(a, b, o)?])
        }
        "tan" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.tan_with(input, o)?])
        }
        "tanh" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.tanh_with(input, o)?])
        }
        "tile" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let repetitions = given.argument(1).sizes().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.tile_with(input, &repetitions, o)?])
        }
        "transpose" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let permutation = given.option("permutation").sizes();
            let mut o = TransposeOptions::default().label(&label);
            if let Some(permutation) = &permutation { o = o.permutation(permutation); }
            Ok(vec![builder.transpose_with(input, o)?])
        }
        "triangular" => {
            let label = given.label();
            let input = given.argument(0).operand().unwrap();
            let upper = given.option("upper").boolean();
            let diagonal = given.option("diagonal").integer();
            let mut o = TriangularOptions::default().label(&label);
            if let Some(upper) = upper { o = o.upper(upper); }
            if let Some(diagonal) = diagonal { o = o.diagonal(diagonal); }
            Ok(vec![builder.triangular_with(input, o)?])
        }
        "where" => {
            let label = given.label();
            let condition = given.argument(0).operand().unwrap();
            let true_value = given.argument(1).operand().unwrap();
            let false_value = given.argument(2).operand().unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.where_with(condition, true_value, false_value, o)?])
        }
        _ => panic!("there is no operation {name}"),
    }
}
