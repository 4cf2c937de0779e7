//! The graph builder. Its operands are indices, which do not borrow it.
use std::marker::PhantomData;
use std::path::Path;

use super::context::{MLContext, MLGraph, MLNamedOperands, MLOperand, MLOperandDataType, MLOperandDescriptor};
use super::graph::{GraphInfo, Source};
use super::operator_options::*;
use super::recorder::Recorder;
use crate::{Context, ContextOptions, DataType, Error, GraphBuilder, Operand, Result, Splits};

/// Builds one graph. Each operation has a method with options, whose name ends in `_with_options`. Most also have one without.
///
/// ```
/// use webnn::rustnn::mlcontext::*;
/// # fn main() -> webnn::Result<()> {
/// let mut context = MLContext::create(&MLContextOptions::new(MLPowerPreference::Default, false))?;
/// let mut builder = MLGraphBuilder::new(&mut context)?;
/// let x = builder.input("x", &MLOperandDescriptor::new(MLOperandDataType::Float32, vec![2]))?;
/// let y = builder.neg(x)?;
/// let graph: MLGraph = builder.build(&MLNamedOperands::from([("y", y)]))?;
/// assert_eq!(graph.graph().outputs()[0].name, "y");
/// # Ok(())
/// # }
/// ```
pub struct MLGraphBuilder<'context, 'builder> {
    context: Context,
    recorder: Option<Recorder>,
    borrowed: PhantomData<(&'context (), &'builder ())>,
}

impl std::fmt::Debug for MLGraphBuilder<'_, '_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "MLGraphBuilder({} operands)", self.recorder.as_ref().map_or(0, |recorder| recorder.operands.len()))
    }
}

macro_rules! operations {
    ($($(#[$note:meta])* $name:ident, $with:ident($($argument:ident: $kind:ident),*) $options:ident => $own:ident;)*) => {$(
        #[doc = concat!("Adds [`", stringify!($name), "`](crate::GraphBuilder::", stringify!($name), ").")]
        pub fn $name(&mut self, $($argument: argument_type!($kind)),*) -> Result<MLOperand> {
            self.$with($($argument,)* $options::default())
        }

        #[doc = concat!("Adds [`", stringify!($name), "`](crate::GraphBuilder::", stringify!($own), ") with options.")]
        pub fn $with(&mut self, $($argument: argument_type!($kind),)* options: $options) -> Result<MLOperand> {
            self.record(|recorder| recorder.builder.$own($(argument_value!(recorder, $argument, $kind),)* options.own(recorder)?))
        }
    )*};
}
macro_rules! argument_type {
    (operand) => { MLOperand };
    (operands) => { &[MLOperand] };
    (size) => { u32 };
    (sizes) => { impl AsRef<[u32]> };
    (data_type) => { DataType };
}
macro_rules! argument_value {
    ($recorder:ident, $argument:ident, operand) => {
        $recorder.operand($argument)?
    };
    ($recorder:ident, $argument:ident, operands) => {
        &$recorder.operands($argument)?
    };
    ($recorder:ident, $argument:ident, sizes) => {
        $argument.as_ref()
    };
    ($recorder:ident, $argument:ident, $plain:ident) => {
        $argument
    };
}
macro_rules! units {
    ($($name:ident, $with:ident => $own:ident;)*) => {
        operations! { $($name, $with(input: operand) MLOperatorOptions => $own;)* }
    };
}
macro_rules! pairs {
    ($($name:ident, $with:ident => $own:ident;)*) => {
        operations! { $($name, $with(a: operand, b: operand) MLOperatorOptions => $own;)* }
    };
}
macro_rules! reductions {
    ($($name:ident, $with:ident => $own:ident;)*) => {
        operations! { $($name, $with(input: operand) MLReduceOptions => $own;)* }
    };
}

impl<'context> MLGraphBuilder<'context, '_> {
    /// Creates a builder for graphs of `context`.
    pub fn new(context: &mut MLContext<'context>) -> Result<Self> {
        Self::of(context.context.clone())
    }

    /// Creates a builder without a context, for graphs that are saved or converted.
    pub fn new_uncompiled() -> Self {
        let context = Context::with(ContextOptions::default().backend("reference"));
        context.and_then(Self::of).expect("the library contains the reference backend")
    }

    fn of(context: Context) -> Result<Self> {
        let recorder = Recorder { builder: GraphBuilder::new(&context)?, operands: Vec::new() };
        Ok(MLGraphBuilder { context, recorder: Some(recorder), borrowed: PhantomData })
    }

    fn recorder(&self) -> Result<&Recorder> {
        self.recorder.as_ref().ok_or_else(|| Error::InvalidState("the builder has built its graph already.".into()))
    }

    fn record_all(&mut self, add: impl for<'a> FnOnce(&'a Recorder) -> Result<Vec<Operand<'a>>>) -> Result<Vec<MLOperand>> {
        let pointers: Vec<_> = add(self.recorder()?)?.into_iter().map(Operand::owned).collect();
        let recorder = self.recorder.as_mut().expect("recorder() has checked it");
        let first = recorder.operands.len();
        recorder.operands.extend(pointers);
        Ok((first..recorder.operands.len()).map(|id| MLOperand { id: id as u32 }).collect())
    }

    fn record(&mut self, add: impl for<'a> FnOnce(&'a Recorder) -> Result<Operand<'a>>) -> Result<MLOperand> {
        self.record_all(|recorder| Ok(vec![add(recorder)?])).map(|operands| operands[0])
    }

    /// Adds a named input.
    pub fn input(&mut self, name: &str, descriptor: &MLOperandDescriptor) -> Result<MLOperand> {
        let shape = descriptor.sizes()?;
        self.record(|recorder| recorder.builder.input(name, descriptor.data_type(), &shape))
    }

    /// Adds a constant of packed bytes.
    pub fn constant(&mut self, descriptor: &MLOperandDescriptor, bytes: &[u8]) -> Result<MLOperand> {
        let shape = descriptor.sizes()?;
        self.record(|recorder| recorder.builder.constant_bytes(descriptor.data_type(), &shape, bytes))
    }

    /// Adds a constant with the bytes of `data`. `descriptor` determines the data type.
    pub fn constant_from_slice<T: bytemuck::NoUninit>(
        &mut self,
        descriptor: &MLOperandDescriptor,
        data: &[T],
    ) -> Result<MLOperand> {
        self.constant(descriptor, bytemuck::cast_slice(data))
    }

    /// Adds a constant of packed bytes.
    pub fn constant_from_bytes(&mut self, descriptor: &MLOperandDescriptor, data: Vec<u8>) -> Result<MLOperand> {
        self.constant(descriptor, &data)
    }

    /// Adds a constant with the bytes of `values`. `descriptor` determines the data type.
    pub fn constant_from_vec<T: bytemuck::NoUninit>(
        &mut self,
        descriptor: &MLOperandDescriptor,
        values: Vec<T>,
    ) -> Result<MLOperand> {
        self.constant_from_slice(descriptor, &values)
    }

    /// Adds a scalar constant with the bytes of `value`.
    pub fn constant_from_value<T: bytemuck::Pod>(&mut self, data_type: MLOperandDataType, value: T) -> Result<MLOperand> {
        self.constant_from_slice(&MLOperandDescriptor::new(data_type, vec![]), &[value])
    }

    /// Returns the shape of an operand.
    pub fn rustnn_operand_shape(&self, operand: MLOperand) -> Result<Vec<u64>> {
        Ok(self.recorder()?.operand(operand)?.shape().into_iter().map(u64::from).collect())
    }

    /// Returns the data type of an operand.
    pub fn rustnn_operand_data_type(&self, operand: MLOperand) -> Result<DataType> {
        Ok(self.recorder()?.operand(operand)?.data_type())
    }

    /// Compiles the graph. A builder builds only once.
    pub fn build(&mut self, outputs: &MLNamedOperands<'_>) -> Result<MLGraph<'context>> {
        let recorder = self.recorder()?;
        let graph = recorder.builder.build(&recorder.outputs(outputs)?)?;
        self.recorder = None;
        Ok(MLGraph::of(graph))
    }

    /// Compiles a graph that was read from a file or finished by another builder.
    pub fn build_graph_info(&mut self, graph: GraphInfo) -> Result<MLGraph<'context>> {
        self.recorder()?;
        let built = graph.compile(&self.context)?;
        self.recorder = None;
        Ok(MLGraph::of(built))
    }

    /// Ends the builder. Returns the graph for files, converters and other contexts.
    pub fn finish_graph_info(&mut self, outputs: &MLNamedOperands<'_>) -> Result<GraphInfo> {
        let recorder = self.recorder()?;
        let graph = recorder.builder.build(&recorder.outputs(outputs)?)?;
        self.recorder = None;
        Ok(GraphInfo::with_source(graph.inputs(), graph.outputs(), Source::Graph(graph.clone())))
    }

    /// Ends the builder, and writes the graph to a file, with its weights inside or beside it. The extension decides the format.
    pub fn rustnn_save_webnn(&mut self, outputs: &MLNamedOperands<'_>, path: impl AsRef<Path>) -> Result<GraphInfo> {
        let graph = self.finish_graph_info(outputs)?;
        graph.save(path.as_ref())?;
        Ok(graph)
    }

    units! {
        abs, abs_with_options => abs_with;
        ceil, ceil_with_options => ceil_with;
        cos, cos_with_options => cos_with;
        erf, erf_with_options => erf_with;
        exp, exp_with_options => exp_with;
        floor, floor_with_options => floor_with;
        gelu, gelu_with_options => gelu_with;
        hard_swish, hard_swish_with_options => hard_swish_with;
        identity, identity_with_options => identity_with;
        is_infinite, is_infinite_with_options => is_infinite_with;
        is_nan, is_nan_with_options => is_nan_with;
        log, log_with_options => log_with;
        logical_not, logical_not_with_options => logical_not_with;
        neg, neg_with_options => neg_with;
        reciprocal, reciprocal_with_options => reciprocal_with;
        relu, relu_with_options => relu_with;
        round_even, round_even_with_options => round_even_with;
        sigmoid, sigmoid_with_options => sigmoid_with;
        sign, sign_with_options => sign_with;
        sin, sin_with_options => sin_with;
        softplus, softplus_with_options => softplus_with;
        softsign, softsign_with_options => softsign_with;
        sqrt, sqrt_with_options => sqrt_with;
        tan, tan_with_options => tan_with;
        tanh, tanh_with_options => tanh_with;
    }
    pairs! {
        add, add_with_options => add_with;
        div, div_with_options => div_with;
        equal, equal_with_options => equal_with;
        gather_nd, gather_nd_with_options => gather_nd_with;
        greater, greater_with_options => greater_with;
        greater_or_equal, greater_or_equal_with_options => greater_or_equal_with;
        lesser, lesser_with_options => lesser_with;
        lesser_or_equal, lesser_or_equal_with_options => lesser_or_equal_with;
        logical_and, logical_and_with_options => logical_and_with;
        logical_or, logical_or_with_options => logical_or_with;
        logical_xor, logical_xor_with_options => logical_xor_with;
        matmul, matmul_with_options => matmul_with;
        max, max_with_options => max_with;
        min, min_with_options => min_with;
        mul, mul_with_options => mul_with;
        not_equal, not_equal_with_options => not_equal_with;
        pow, pow_with_options => pow_with;
        prelu, prelu_with_options => prelu_with;
        sub, sub_with_options => sub_with;
    }
    reductions! {
        reduce_l1, reduce_l1_with_options => reduce_l1_with;
        reduce_l2, reduce_l2_with_options => reduce_l2_with;
        reduce_log_sum, reduce_log_sum_with_options => reduce_log_sum_with;
        reduce_log_sum_exp, reduce_log_sum_exp_with_options => reduce_log_sum_exp_with;
        reduce_max, reduce_max_with_options => reduce_max_with;
        reduce_mean, reduce_mean_with_options => reduce_mean_with;
        reduce_min, reduce_min_with_options => reduce_min_with;
        reduce_product, reduce_product_with_options => reduce_product_with;
        reduce_sum, reduce_sum_with_options => reduce_sum_with;
        reduce_sum_square, reduce_sum_square_with_options => reduce_sum_square_with;
    }
    operations! {
        arg_max, arg_max_with_options(input: operand, axis: size) MLArgMinMaxOptions => arg_max_with;
        arg_min, arg_min_with_options(input: operand, axis: size) MLArgMinMaxOptions => arg_min_with;
        average_pool2d, average_pool2d_with_options(input: operand) MLPool2dOptions => average_pool2d_with;
        l2_pool2d, l2_pool2d_with_options(input: operand) MLPool2dOptions => l2_pool2d_with;
        max_pool2d, max_pool2d_with_options(input: operand) MLPool2dOptions => max_pool2d_with;
        batch_normalization, batch_normalization_with_options(input: operand, mean: operand, variance: operand)
            MLBatchNormalizationOptions => batch_normalization_with;
        cast, cast_with_options(input: operand, data_type: data_type) MLOperatorOptions => cast_with;
        clamp, clamp_with_options(input: operand) MLClampOptions => clamp_with;
        concat, concat_with_options(inputs: operands, axis: size) MLOperatorOptions => concat_with;
        conv2d, conv2d_with_options(input: operand, filter: operand) MLConv2dOptions => conv2d_with;
        conv_transpose2d, conv_transpose2d_with_options(input: operand, filter: operand)
            MLConvTranspose2dOptions => conv_transpose2d_with;
        cumulative_sum, cumulative_sum_with_options(input: operand, axis: size) MLCumulativeSumOptions => cumulative_sum_with;
        dequantize_linear, dequantize_linear_with_options(input: operand, scale: operand, zero_point: operand)
            MLOperatorOptions => dequantize_linear_with;
        quantize_linear, quantize_linear_with_options(input: operand, scale: operand, zero_point: operand)
            MLOperatorOptions => quantize_linear_with;
        elu, elu_with_options(input: operand) MLEluOptions => elu_with;
        expand, expand_with_options(input: operand, new_shape: sizes) MLOperatorOptions => expand_with;
        gather, gather_with_options(input: operand, indices: operand) MLGatherOptions => gather_with;
        gather_elements, gather_elements_with_options(input: operand, indices: operand) MLGatherOptions => gather_elements_with;
        gemm, gemm_with_options(a: operand, b: operand) MLGemmOptions => gemm_with;
        gru_cell, gru_cell_with_options(input: operand, weight: operand, recurrent_weight: operand, hidden_state: operand,
            hidden_size: size) MLGruCellOptions => gru_cell_with;
        hard_sigmoid, hard_sigmoid_with_options(input: operand) MLHardSigmoidOptions => hard_sigmoid_with;
        instance_normalization, instance_normalization_with_options(input: operand)
            MLInstanceNormalizationOptions => instance_normalization_with;
        layer_normalization, layer_normalization_with_options(input: operand)
            MLLayerNormalizationOptions => layer_normalization_with;
        leaky_relu, leaky_relu_with_options(input: operand) MLLeakyReluOptions => leaky_relu_with;
        linear, linear_with_options(input: operand) MLLinearOptions => linear_with;
        pad, pad_with_options(input: operand, beginning_padding: sizes, ending_padding: sizes) MLPadOptions => pad_with;
        resample2d, resample2d_with_options(input: operand) MLResample2dOptions => resample2d_with;
        reshape, reshape_with_options(input: operand, new_shape: sizes) MLOperatorOptions => reshape_with;
        reverse, reverse_with_options(input: operand) MLReverseOptions => reverse_with;
        scatter_elements, scatter_elements_with_options(input: operand, indices: operand, updates: operand)
            MLScatterOptions => scatter_elements_with;
        scatter_nd, scatter_nd_with_options(input: operand, indices: operand, updates: operand)
            MLOperatorOptions => scatter_nd_with;
        slice, slice_with_options(input: operand, starts: sizes, sizes: sizes) MLSliceOptions => slice_with;
        softmax, softmax_with_options(input: operand, axis: size) MLOperatorOptions => softmax_with;
        tile, tile_with_options(input: operand, repetitions: sizes) MLOperatorOptions => tile_with;
        transpose, transpose_with_options(input: operand) MLTransposeOptions => transpose_with;
        triangular, triangular_with_options(input: operand) MLTriangularOptions => triangular_with;
        where_, where_with_options(condition: operand, true_value: operand, false_value: operand)
            MLOperatorOptions => where_with;
    }

    /// The older name of [`MLGraphBuilder::conv2d_with_options`].
    pub fn conv2_with_options(&mut self, input: MLOperand, filter: MLOperand, options: MLConv2dOptions) -> Result<MLOperand> {
        self.conv2d_with_options(input, filter, options)
    }

    /// Adds [`split`](crate::GraphBuilder::split) into parts of the given sizes.
    pub fn split_with_options(
        &mut self,
        input: MLOperand,
        sizes: impl AsRef<[u32]>,
        options: MLSplitOptions,
    ) -> Result<Vec<MLOperand>> {
        self.record_all(|recorder| {
            recorder.builder.split_with(recorder.operand(input)?, Splits::Sizes(sizes.as_ref()), options.own(recorder)?)
        })
    }

    /// Adds [`split`](crate::GraphBuilder::split) into `count` equal parts.
    pub fn split_equal_with_options(&mut self, input: MLOperand, count: u32, options: MLSplitOptions) -> Result<Vec<MLOperand>> {
        self.record_all(|recorder| {
            recorder.builder.split_with(recorder.operand(input)?, Splits::Count(count), options.own(recorder)?)
        })
    }

    /// Adds [`split`](crate::GraphBuilder::split) into parts of the given sizes.
    pub fn split(&mut self, input: MLOperand, sizes: impl AsRef<[u32]>) -> Result<Vec<MLOperand>> {
        self.split_with_options(input, sizes, MLSplitOptions::default())
    }

    /// Adds [`gru`](crate::GraphBuilder::gru). `operands`: input, weight and recurrent weight.
    pub fn gru_with_options(
        &mut self,
        operands: [MLOperand; 3],
        steps: u32,
        hidden_size: u32,
        options: MLGruOptions,
    ) -> Result<Vec<MLOperand>> {
        self.record_all(|recorder| {
            let [input, weight, recurrent_weight] = operands.map(|operand| recorder.operand(operand));
            recorder.builder.gru_with(input?, weight?, recurrent_weight?, steps, hidden_size, options.own(recorder)?)
        })
    }

    /// Adds [`lstm`](crate::GraphBuilder::lstm). `operands`: input, weight and recurrent weight.
    pub fn lstm_with_options(
        &mut self,
        operands: [MLOperand; 3],
        steps: u32,
        hidden_size: u32,
        options: MLLstmOptions,
    ) -> Result<Vec<MLOperand>> {
        self.record_all(|recorder| {
            let [input, weight, recurrent_weight] = operands.map(|operand| recorder.operand(operand));
            recorder.builder.lstm_with(input?, weight?, recurrent_weight?, steps, hidden_size, options.own(recorder)?)
        })
    }

    /// Adds [`lstm_cell`](crate::GraphBuilder::lstm_cell). `operands`: input, weight, recurrent weight, hidden and cell state.
    pub fn lstm_cell_with_options(
        &mut self,
        operands: [MLOperand; 5],
        hidden_size: u32,
        options: MLLstmCellOptions,
    ) -> Result<Vec<MLOperand>> {
        self.record_all(|recorder| {
            let [input, weight, recurrent_weight, hidden_state, cell_state] = operands.map(|operand| recorder.operand(operand));
            let options = options.own(recorder)?;
            recorder.builder.lstm_cell_with(input?, weight?, recurrent_weight?, hidden_state?, cell_state?, hidden_size, options)
        })
    }
}
