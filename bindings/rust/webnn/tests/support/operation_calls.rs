// Printed by `webnn ops --format=rust-calls` from the operation table.
use webnn::*;

use super::arguments::Arguments;

/// Calls the method with the specification's name `name`.
pub fn call<'b>(builder: &'b GraphBuilder, name: &str, a: &Arguments<'b>) -> Result<Vec<Operand<'b>>> {
    match name {
        "abs" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.abs_with(input, o)?])
        }
        "add" => {
            let label = a.label();
            let a = a.operand("a").unwrap();
            let b = a.operand("b").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.add_with(a, b, o)?])
        }
        "argMax" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let axis = a.unsigned("axis").unwrap();
            let keep_dimensions = a.boolean("keepDimensions");
            let output_data_type = a.name("outputDataType", DataType::from_name);
            let mut o = ArgMinMaxOptions::default().label(&label);
            if let Some(keep_dimensions) = keep_dimensions { o = o.keep_dimensions(keep_dimensions); }
            if let Some(output_data_type) = output_data_type { o = o.output_data_type(output_data_type); }
            Ok(vec![builder.arg_max_with(input, axis, o)?])
        }
        "argMin" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let axis = a.unsigned("axis").unwrap();
            let keep_dimensions = a.boolean("keepDimensions");
            let output_data_type = a.name("outputDataType", DataType::from_name);
            let mut o = ArgMinMaxOptions::default().label(&label);
            if let Some(keep_dimensions) = keep_dimensions { o = o.keep_dimensions(keep_dimensions); }
            if let Some(output_data_type) = output_data_type { o = o.output_data_type(output_data_type); }
            Ok(vec![builder.arg_min_with(input, axis, o)?])
        }
        "averagePool2d" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let window_dimensions = a.sizes("windowDimensions");
            let padding = a.sizes("padding");
            let strides = a.sizes("strides");
            let dilations = a.sizes("dilations");
            let layout = a.name("layout", InputOperandLayout::from_name);
            let output_shape_rounding = a.name("outputShapeRounding", RoundingType::from_name);
            let output_sizes = a.sizes("outputSizes");
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
            let label = a.label();
            let input = a.operand("input").unwrap();
            let mean = a.operand("mean").unwrap();
            let variance = a.operand("variance").unwrap();
            let scale = a.operand("scale");
            let bias = a.operand("bias");
            let axis = a.unsigned("axis");
            let epsilon = a.real("epsilon");
            let mut o = BatchNormalizationOptions::default().label(&label);
            if let Some(scale) = scale { o = o.scale(scale); }
            if let Some(bias) = bias { o = o.bias(bias); }
            if let Some(axis) = axis { o = o.axis(axis); }
            if let Some(epsilon) = epsilon { o = o.epsilon(epsilon); }
            Ok(vec![builder.batch_normalization_with(input, mean, variance, o)?])
        }
        "cast" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let data_type = a.name("dataType", DataType::from_name).unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.cast_with(input, data_type, o)?])
        }
        "ceil" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.ceil_with(input, o)?])
        }
        "clamp" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let min_value = a.number("minValue");
            let max_value = a.number("maxValue");
            let mut o = ClampOptions::default().label(&label);
            if let Some(min_value) = min_value { o = o.min_value(min_value); }
            if let Some(max_value) = max_value { o = o.max_value(max_value); }
            Ok(vec![builder.clamp_with(input, o)?])
        }
        "concat" => {
            let label = a.label();
            let inputs = a.operands("inputs").unwrap();
            let axis = a.unsigned("axis").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.concat_with(&inputs, axis, o)?])
        }
        "conv2d" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let filter = a.operand("filter").unwrap();
            let padding = a.sizes("padding");
            let strides = a.sizes("strides");
            let dilations = a.sizes("dilations");
            let groups = a.unsigned("groups");
            let input_layout = a.name("inputLayout", InputOperandLayout::from_name);
            let filter_layout = a.name("filterLayout", Conv2dFilterOperandLayout::from_name);
            let bias = a.operand("bias");
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
            let label = a.label();
            let input = a.operand("input").unwrap();
            let filter = a.operand("filter").unwrap();
            let padding = a.sizes("padding");
            let strides = a.sizes("strides");
            let dilations = a.sizes("dilations");
            let output_padding = a.sizes("outputPadding");
            let output_sizes = a.sizes("outputSizes");
            let groups = a.unsigned("groups");
            let input_layout = a.name("inputLayout", InputOperandLayout::from_name);
            let filter_layout = a.name("filterLayout", ConvTranspose2dFilterOperandLayout::from_name);
            let bias = a.operand("bias");
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
            let label = a.label();
            let input = a.operand("input").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.cos_with(input, o)?])
        }
        "cumulativeSum" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let axis = a.unsigned("axis").unwrap();
            let exclusive = a.boolean("exclusive");
            let reversed = a.boolean("reversed");
            let mut o = CumulativeSumOptions::default().label(&label);
            if let Some(exclusive) = exclusive { o = o.exclusive(exclusive); }
            if let Some(reversed) = reversed { o = o.reversed(reversed); }
            Ok(vec![builder.cumulative_sum_with(input, axis, o)?])
        }
        "dequantizeLinear" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let scale = a.operand("scale").unwrap();
            let zero_point = a.operand("zeroPoint").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.dequantize_linear_with(input, scale, zero_point, o)?])
        }
        "div" => {
            let label = a.label();
            let a = a.operand("a").unwrap();
            let b = a.operand("b").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.div_with(a, b, o)?])
        }
        "elu" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let alpha = a.real("alpha");
            let mut o = EluOptions::default().label(&label);
            if let Some(alpha) = alpha { o = o.alpha(alpha); }
            Ok(vec![builder.elu_with(input, o)?])
        }
        "equal" => {
            let label = a.label();
            let a = a.operand("a").unwrap();
            let b = a.operand("b").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.equal_with(a, b, o)?])
        }
        "erf" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.erf_with(input, o)?])
        }
        "exp" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.exp_with(input, o)?])
        }
        "expand" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let new_shape = a.sizes("newShape").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.expand_with(input, &new_shape, o)?])
        }
        "floor" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.floor_with(input, o)?])
        }
        "gather" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let indices = a.operand("indices").unwrap();
            let axis = a.unsigned("axis");
            let mut o = GatherOptions::default().label(&label);
            if let Some(axis) = axis { o = o.axis(axis); }
            Ok(vec![builder.gather_with(input, indices, o)?])
        }
        "gatherElements" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let indices = a.operand("indices").unwrap();
            let axis = a.unsigned("axis");
            let mut o = GatherOptions::default().label(&label);
            if let Some(axis) = axis { o = o.axis(axis); }
            Ok(vec![builder.gather_elements_with(input, indices, o)?])
        }
        "gatherND" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let indices = a.operand("indices").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.gather_nd_with(input, indices, o)?])
        }
        "gelu" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.gelu_with(input, o)?])
        }
        "gemm" => {
            let label = a.label();
            let a = a.operand("a").unwrap();
            let b = a.operand("b").unwrap();
            let c = a.operand("c");
            let alpha = a.real("alpha");
            let beta = a.real("beta");
            let a_transpose = a.boolean("aTranspose");
            let b_transpose = a.boolean("bTranspose");
            let mut o = GemmOptions::default().label(&label);
            if let Some(c) = c { o = o.c(c); }
            if let Some(alpha) = alpha { o = o.alpha(alpha); }
            if let Some(beta) = beta { o = o.beta(beta); }
            if let Some(a_transpose) = a_transpose { o = o.a_transpose(a_transpose); }
            if let Some(b_transpose) = b_transpose { o = o.b_transpose(b_transpose); }
            Ok(vec![builder.gemm_with(a, b, o)?])
        }
        "greater" => {
            let label = a.label();
            let a = a.operand("a").unwrap();
            let b = a.operand("b").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.greater_with(a, b, o)?])
        }
        "greaterOrEqual" => {
            let label = a.label();
            let a = a.operand("a").unwrap();
            let b = a.operand("b").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.greater_or_equal_with(a, b, o)?])
        }
        "gru" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let weight = a.operand("weight").unwrap();
            let recurrent_weight = a.operand("recurrentWeight").unwrap();
            let steps = a.unsigned("steps").unwrap();
            let hidden_size = a.unsigned("hiddenSize").unwrap();
            let bias = a.operand("bias");
            let recurrent_bias = a.operand("recurrentBias");
            let initial_hidden_state = a.operand("initialHiddenState");
            let reset_after = a.boolean("resetAfter");
            let return_sequence = a.boolean("returnSequence");
            let direction = a.name("direction", RecurrentNetworkDirection::from_name);
            let layout = a.name("layout", GruWeightLayout::from_name);
            let activations = a.names("activations", RecurrentNetworkActivation::from_name);
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
            let label = a.label();
            let input = a.operand("input").unwrap();
            let weight = a.operand("weight").unwrap();
            let recurrent_weight = a.operand("recurrentWeight").unwrap();
            let hidden_state = a.operand("hiddenState").unwrap();
            let hidden_size = a.unsigned("hiddenSize").unwrap();
            let bias = a.operand("bias");
            let recurrent_bias = a.operand("recurrentBias");
            let reset_after = a.boolean("resetAfter");
            let layout = a.name("layout", GruWeightLayout::from_name);
            let activations = a.names("activations", RecurrentNetworkActivation::from_name);
            let mut o = GruCellOptions::default().label(&label);
            if let Some(bias) = bias { o = o.bias(bias); }
            if let Some(recurrent_bias) = recurrent_bias { o = o.recurrent_bias(recurrent_bias); }
            if let Some(reset_after) = reset_after { o = o.reset_after(reset_after); }
            if let Some(layout) = layout { o = o.layout(layout); }
            if let Some(activations) = &activations { o = o.activations(activations); }
            Ok(vec![builder.gru_cell_with(input, weight, recurrent_weight, hidden_state, hidden_size, o)?])
        }
        "hardSigmoid" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let alpha = a.real("alpha");
            let beta = a.real("beta");
            let mut o = HardSigmoidOptions::default().label(&label);
            if let Some(alpha) = alpha { o = o.alpha(alpha); }
            if let Some(beta) = beta { o = o.beta(beta); }
            Ok(vec![builder.hard_sigmoid_with(input, o)?])
        }
        "hardSwish" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.hard_swish_with(input, o)?])
        }
        "identity" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.identity_with(input, o)?])
        }
        "instanceNormalization" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let scale = a.operand("scale");
            let bias = a.operand("bias");
            let epsilon = a.real("epsilon");
            let layout = a.name("layout", InputOperandLayout::from_name);
            let mut o = InstanceNormalizationOptions::default().label(&label);
            if let Some(scale) = scale { o = o.scale(scale); }
            if let Some(bias) = bias { o = o.bias(bias); }
            if let Some(epsilon) = epsilon { o = o.epsilon(epsilon); }
            if let Some(layout) = layout { o = o.layout(layout); }
            Ok(vec![builder.instance_normalization_with(input, o)?])
        }
        "isInfinite" => {
            let label = a.label();
            let a = a.operand("a").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.is_infinite_with(a, o)?])
        }
        "isNaN" => {
            let label = a.label();
            let a = a.operand("a").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.is_nan_with(a, o)?])
        }
        "l2Pool2d" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let window_dimensions = a.sizes("windowDimensions");
            let padding = a.sizes("padding");
            let strides = a.sizes("strides");
            let dilations = a.sizes("dilations");
            let layout = a.name("layout", InputOperandLayout::from_name);
            let output_shape_rounding = a.name("outputShapeRounding", RoundingType::from_name);
            let output_sizes = a.sizes("outputSizes");
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
            let label = a.label();
            let input = a.operand("input").unwrap();
            let scale = a.operand("scale");
            let bias = a.operand("bias");
            let axes = a.sizes("axes");
            let epsilon = a.real("epsilon");
            let mut o = LayerNormalizationOptions::default().label(&label);
            if let Some(scale) = scale { o = o.scale(scale); }
            if let Some(bias) = bias { o = o.bias(bias); }
            if let Some(axes) = &axes { o = o.axes(axes); }
            if let Some(epsilon) = epsilon { o = o.epsilon(epsilon); }
            Ok(vec![builder.layer_normalization_with(input, o)?])
        }
        "leakyRelu" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let alpha = a.real("alpha");
            let mut o = LeakyReluOptions::default().label(&label);
            if let Some(alpha) = alpha { o = o.alpha(alpha); }
            Ok(vec![builder.leaky_relu_with(input, o)?])
        }
        "lesser" => {
            let label = a.label();
            let a = a.operand("a").unwrap();
            let b = a.operand("b").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.lesser_with(a, b, o)?])
        }
        "lesserOrEqual" => {
            let label = a.label();
            let a = a.operand("a").unwrap();
            let b = a.operand("b").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.lesser_or_equal_with(a, b, o)?])
        }
        "linear" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let alpha = a.real("alpha");
            let beta = a.real("beta");
            let mut o = LinearOptions::default().label(&label);
            if let Some(alpha) = alpha { o = o.alpha(alpha); }
            if let Some(beta) = beta { o = o.beta(beta); }
            Ok(vec![builder.linear_with(input, o)?])
        }
        "log" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.log_with(input, o)?])
        }
        "logicalAnd" => {
            let label = a.label();
            let a = a.operand("a").unwrap();
            let b = a.operand("b").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.logical_and_with(a, b, o)?])
        }
        "logicalNot" => {
            let label = a.label();
            let a = a.operand("a").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.logical_not_with(a, o)?])
        }
        "logicalOr" => {
            let label = a.label();
            let a = a.operand("a").unwrap();
            let b = a.operand("b").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.logical_or_with(a, b, o)?])
        }
        "logicalXor" => {
            let label = a.label();
            let a = a.operand("a").unwrap();
            let b = a.operand("b").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.logical_xor_with(a, b, o)?])
        }
        "lstm" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let weight = a.operand("weight").unwrap();
            let recurrent_weight = a.operand("recurrentWeight").unwrap();
            let steps = a.unsigned("steps").unwrap();
            let hidden_size = a.unsigned("hiddenSize").unwrap();
            let bias = a.operand("bias");
            let recurrent_bias = a.operand("recurrentBias");
            let peephole_weight = a.operand("peepholeWeight");
            let initial_hidden_state = a.operand("initialHiddenState");
            let initial_cell_state = a.operand("initialCellState");
            let return_sequence = a.boolean("returnSequence");
            let direction = a.name("direction", RecurrentNetworkDirection::from_name);
            let layout = a.name("layout", LstmWeightLayout::from_name);
            let activations = a.names("activations", RecurrentNetworkActivation::from_name);
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
            let label = a.label();
            let input = a.operand("input").unwrap();
            let weight = a.operand("weight").unwrap();
            let recurrent_weight = a.operand("recurrentWeight").unwrap();
            let hidden_state = a.operand("hiddenState").unwrap();
            let cell_state = a.operand("cellState").unwrap();
            let hidden_size = a.unsigned("hiddenSize").unwrap();
            let bias = a.operand("bias");
            let recurrent_bias = a.operand("recurrentBias");
            let peephole_weight = a.operand("peepholeWeight");
            let layout = a.name("layout", LstmWeightLayout::from_name);
            let activations = a.names("activations", RecurrentNetworkActivation::from_name);
            let mut o = LstmCellOptions::default().label(&label);
            if let Some(bias) = bias { o = o.bias(bias); }
            if let Some(recurrent_bias) = recurrent_bias { o = o.recurrent_bias(recurrent_bias); }
            if let Some(peephole_weight) = peephole_weight { o = o.peephole_weight(peephole_weight); }
            if let Some(layout) = layout { o = o.layout(layout); }
            if let Some(activations) = &activations { o = o.activations(activations); }
            builder.lstm_cell_with(input, weight, recurrent_weight, hidden_state, cell_state, hidden_size, o)
        }
        "matmul" => {
            let label = a.label();
            let a = a.operand("a").unwrap();
            let b = a.operand("b").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.matmul_with(a, b, o)?])
        }
        "max" => {
            let label = a.label();
            let a = a.operand("a").unwrap();
            let b = a.operand("b").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.max_with(a, b, o)?])
        }
        "maxPool2d" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let window_dimensions = a.sizes("windowDimensions");
            let padding = a.sizes("padding");
            let strides = a.sizes("strides");
            let dilations = a.sizes("dilations");
            let layout = a.name("layout", InputOperandLayout::from_name);
            let output_shape_rounding = a.name("outputShapeRounding", RoundingType::from_name);
            let output_sizes = a.sizes("outputSizes");
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
            let label = a.label();
            let a = a.operand("a").unwrap();
            let b = a.operand("b").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.min_with(a, b, o)?])
        }
        "mul" => {
            let label = a.label();
            let a = a.operand("a").unwrap();
            let b = a.operand("b").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.mul_with(a, b, o)?])
        }
        "neg" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.neg_with(input, o)?])
        }
        "notEqual" => {
            let label = a.label();
            let a = a.operand("a").unwrap();
            let b = a.operand("b").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.not_equal_with(a, b, o)?])
        }
        "pad" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let beginning_padding = a.sizes("beginningPadding").unwrap();
            let ending_padding = a.sizes("endingPadding").unwrap();
            let mode = a.name("mode", PaddingMode::from_name);
            let value = a.number("value");
            let mut o = PadOptions::default().label(&label);
            if let Some(mode) = mode { o = o.mode(mode); }
            if let Some(value) = value { o = o.value(value); }
            Ok(vec![builder.pad_with(input, &beginning_padding, &ending_padding, o)?])
        }
        "pow" => {
            let label = a.label();
            let a = a.operand("a").unwrap();
            let b = a.operand("b").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.pow_with(a, b, o)?])
        }
        "prelu" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let slope = a.operand("slope").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.prelu_with(input, slope, o)?])
        }
        "quantizeLinear" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let scale = a.operand("scale").unwrap();
            let zero_point = a.operand("zeroPoint").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.quantize_linear_with(input, scale, zero_point, o)?])
        }
        "reciprocal" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.reciprocal_with(input, o)?])
        }
        "reduceL1" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let axes = a.sizes("axes");
            let keep_dimensions = a.boolean("keepDimensions");
            let mut o = ReduceOptions::default().label(&label);
            if let Some(axes) = &axes { o = o.axes(axes); }
            if let Some(keep_dimensions) = keep_dimensions { o = o.keep_dimensions(keep_dimensions); }
            Ok(vec![builder.reduce_l1_with(input, o)?])
        }
        "reduceL2" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let axes = a.sizes("axes");
            let keep_dimensions = a.boolean("keepDimensions");
            let mut o = ReduceOptions::default().label(&label);
            if let Some(axes) = &axes { o = o.axes(axes); }
            if let Some(keep_dimensions) = keep_dimensions { o = o.keep_dimensions(keep_dimensions); }
            Ok(vec![builder.reduce_l2_with(input, o)?])
        }
        "reduceLogSum" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let axes = a.sizes("axes");
            let keep_dimensions = a.boolean("keepDimensions");
            let mut o = ReduceOptions::default().label(&label);
            if let Some(axes) = &axes { o = o.axes(axes); }
            if let Some(keep_dimensions) = keep_dimensions { o = o.keep_dimensions(keep_dimensions); }
            Ok(vec![builder.reduce_log_sum_with(input, o)?])
        }
        "reduceLogSumExp" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let axes = a.sizes("axes");
            let keep_dimensions = a.boolean("keepDimensions");
            let mut o = ReduceOptions::default().label(&label);
            if let Some(axes) = &axes { o = o.axes(axes); }
            if let Some(keep_dimensions) = keep_dimensions { o = o.keep_dimensions(keep_dimensions); }
            Ok(vec![builder.reduce_log_sum_exp_with(input, o)?])
        }
        "reduceMax" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let axes = a.sizes("axes");
            let keep_dimensions = a.boolean("keepDimensions");
            let mut o = ReduceOptions::default().label(&label);
            if let Some(axes) = &axes { o = o.axes(axes); }
            if let Some(keep_dimensions) = keep_dimensions { o = o.keep_dimensions(keep_dimensions); }
            Ok(vec![builder.reduce_max_with(input, o)?])
        }
        "reduceMean" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let axes = a.sizes("axes");
            let keep_dimensions = a.boolean("keepDimensions");
            let mut o = ReduceOptions::default().label(&label);
            if let Some(axes) = &axes { o = o.axes(axes); }
            if let Some(keep_dimensions) = keep_dimensions { o = o.keep_dimensions(keep_dimensions); }
            Ok(vec![builder.reduce_mean_with(input, o)?])
        }
        "reduceMin" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let axes = a.sizes("axes");
            let keep_dimensions = a.boolean("keepDimensions");
            let mut o = ReduceOptions::default().label(&label);
            if let Some(axes) = &axes { o = o.axes(axes); }
            if let Some(keep_dimensions) = keep_dimensions { o = o.keep_dimensions(keep_dimensions); }
            Ok(vec![builder.reduce_min_with(input, o)?])
        }
        "reduceProduct" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let axes = a.sizes("axes");
            let keep_dimensions = a.boolean("keepDimensions");
            let mut o = ReduceOptions::default().label(&label);
            if let Some(axes) = &axes { o = o.axes(axes); }
            if let Some(keep_dimensions) = keep_dimensions { o = o.keep_dimensions(keep_dimensions); }
            Ok(vec![builder.reduce_product_with(input, o)?])
        }
        "reduceSum" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let axes = a.sizes("axes");
            let keep_dimensions = a.boolean("keepDimensions");
            let mut o = ReduceOptions::default().label(&label);
            if let Some(axes) = &axes { o = o.axes(axes); }
            if let Some(keep_dimensions) = keep_dimensions { o = o.keep_dimensions(keep_dimensions); }
            Ok(vec![builder.reduce_sum_with(input, o)?])
        }
        "reduceSumSquare" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let axes = a.sizes("axes");
            let keep_dimensions = a.boolean("keepDimensions");
            let mut o = ReduceOptions::default().label(&label);
            if let Some(axes) = &axes { o = o.axes(axes); }
            if let Some(keep_dimensions) = keep_dimensions { o = o.keep_dimensions(keep_dimensions); }
            Ok(vec![builder.reduce_sum_square_with(input, o)?])
        }
        "relu" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.relu_with(input, o)?])
        }
        "resample2d" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let mode = a.name("mode", InterpolationMode::from_name);
            let scales = a.reals("scales");
            let sizes = a.sizes("sizes");
            let axes = a.sizes("axes");
            let mut o = Resample2dOptions::default().label(&label);
            if let Some(mode) = mode { o = o.mode(mode); }
            if let Some(scales) = &scales { o = o.scales(scales); }
            if let Some(sizes) = &sizes { o = o.sizes(sizes); }
            if let Some(axes) = &axes { o = o.axes(axes); }
            Ok(vec![builder.resample2d_with(input, o)?])
        }
        "reshape" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let new_shape = a.sizes("newShape").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.reshape_with(input, &new_shape, o)?])
        }
        "reverse" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let axes = a.sizes("axes");
            let mut o = ReverseOptions::default().label(&label);
            if let Some(axes) = &axes { o = o.axes(axes); }
            Ok(vec![builder.reverse_with(input, o)?])
        }
        "roundEven" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.round_even_with(input, o)?])
        }
        "scatterElements" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let indices = a.operand("indices").unwrap();
            let updates = a.operand("updates").unwrap();
            let axis = a.unsigned("axis");
            let mut o = ScatterOptions::default().label(&label);
            if let Some(axis) = axis { o = o.axis(axis); }
            Ok(vec![builder.scatter_elements_with(input, indices, updates, o)?])
        }
        "scatterND" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let indices = a.operand("indices").unwrap();
            let updates = a.operand("updates").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.scatter_nd_with(input, indices, updates, o)?])
        }
        "sigmoid" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.sigmoid_with(input, o)?])
        }
        "sign" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.sign_with(input, o)?])
        }
        "sin" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.sin_with(input, o)?])
        }
        "slice" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let starts = a.sizes("starts").unwrap();
            let sizes = a.sizes("sizes").unwrap();
            let strides = a.sizes("strides");
            let mut o = SliceOptions::default().label(&label);
            if let Some(strides) = &strides { o = o.strides(strides); }
            Ok(vec![builder.slice_with(input, &starts, &sizes, o)?])
        }
        "softmax" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let axis = a.unsigned("axis").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.softmax_with(input, axis, o)?])
        }
        "softplus" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.softplus_with(input, o)?])
        }
        "softsign" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.softsign_with(input, o)?])
        }
        "split" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let splits = a.splits("splits").unwrap();
            let axis = a.unsigned("axis");
            let mut o = SplitOptions::default().label(&label);
            if let Some(axis) = axis { o = o.axis(axis); }
            builder.split_with(input, splits.get(), o)
        }
        "sqrt" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.sqrt_with(input, o)?])
        }
        "sub" => {
            let label = a.label();
            let a = a.operand("a").unwrap();
            let b = a.operand("b").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.sub_with(a, b, o)?])
        }
        "tan" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.tan_with(input, o)?])
        }
        "tanh" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.tanh_with(input, o)?])
        }
        "tile" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let repetitions = a.sizes("repetitions").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.tile_with(input, &repetitions, o)?])
        }
        "transpose" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let permutation = a.sizes("permutation");
            let mut o = TransposeOptions::default().label(&label);
            if let Some(permutation) = &permutation { o = o.permutation(permutation); }
            Ok(vec![builder.transpose_with(input, o)?])
        }
        "triangular" => {
            let label = a.label();
            let input = a.operand("input").unwrap();
            let upper = a.boolean("upper");
            let diagonal = a.integer("diagonal");
            let mut o = TriangularOptions::default().label(&label);
            if let Some(upper) = upper { o = o.upper(upper); }
            if let Some(diagonal) = diagonal { o = o.diagonal(diagonal); }
            Ok(vec![builder.triangular_with(input, o)?])
        }
        "where" => {
            let label = a.label();
            let condition = a.operand("condition").unwrap();
            let true_value = a.operand("trueValue").unwrap();
            let false_value = a.operand("falseValue").unwrap();
            let o = OperatorOptions::default().label(&label);
            Ok(vec![builder.where__with(condition, true_value, false_value, o)?])
        }
        _ => panic!("there is no operation {name}"),
    }
}
