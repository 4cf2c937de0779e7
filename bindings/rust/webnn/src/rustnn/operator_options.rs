//! Options of operations. An empty list or text, and `None`, mean that the option is absent.
use super::operator_enums::*;
use super::recorder::Recorder;
use crate::{Error, Number, Result};

/// The index of an operand in its builder, see [`MLOperand::rustnn_index`](super::mlcontext::MLOperand::rustnn_index).
pub type OperandIndex = u32;

macro_rules! field_type {
    (list) => { Vec<u32> };
    (some_list) => { Option<Vec<u32>> };
    (reals) => { Vec<f32> };
    (operand) => { Option<OperandIndex> };
    (number) => { Option<serde_json::Value> };
    (name($type:ident)) => { String };
    (activations) => { Option<Vec<MLRecurrentNetworkActivation>> };
    (some($type:ty)) => { Option<$type> };
    (value($type:ty, $default:expr)) => { $type };
}

macro_rules! field_default {
    (list) => {
        Vec::new()
    };
    (reals) => {
        Vec::new()
    };
    (name($type:ident)) => {
        String::new()
    };
    (value($type:ty, $default:expr)) => {
        $default
    };
    ($absent:ident $(($type:ty))?) => {
        None
    };
}

macro_rules! set_field {
    ($own:ident, $field:ident, $given:expr, $recorder:expr, list) => {
        $own.$field = Some(&$given[..]).filter(|list| !list.is_empty());
    };
    ($own:ident, $field:ident, $given:expr, $recorder:expr, reals) => {
        set_field!($own, $field, $given, $recorder, list)
    };
    ($own:ident, $field:ident, $given:expr, $recorder:expr, some_list) => {
        $own.$field = $given.as_deref();
    };
    ($own:ident, $field:ident, $given:expr, $recorder:expr, activations) => {
        $own.$field = $given.as_deref();
    };
    ($own:ident, $field:ident, $given:expr, $recorder:expr, operand) => {
        $own.$field = $given.map(|index| $recorder.operand(index.into())).transpose()?;
    };
    ($own:ident, $field:ident, $given:expr, $recorder:expr, number) => {
        if let Some(value) = &$given {
            $own.$field = number(value)?.into();
        }
    };
    ($own:ident, $field:ident, $given:expr, $recorder:expr, name($type:ident)) => {
        if !$given.is_empty() {
            $own.$field = crate::$type::from_name(&$given).ok_or_else(|| {
                let accepted: Vec<_> = crate::$type::ALL.iter().map(|value| value.name()).collect();
                Error::Type(format!("{} is \"{}\"; accepted are {}.", stringify!($field), $given, accepted.join(", ")))
            })?;
        }
    };
    ($own:ident, $field:ident, $given:expr, $recorder:expr, some($type:ty)) => {
        if let Some(value) = $given {
            $own.$field = value;
        }
    };
    ($own:ident, $field:ident, $given:expr, $recorder:expr, value($type:ty, $default:expr)) => {
        $own.$field = $given;
    };
}

fn number(value: &serde_json::Value) -> Result<Number> {
    let integer = value.as_i64().map(Number::Int64).or_else(|| value.as_u64().map(Number::Uint64));
    integer
        .or_else(|| value.as_f64().map(Number::Double))
        .ok_or_else(|| Error::Type(format!("{value} is not a number; accepted are integers and real numbers.")))
}

macro_rules! options {
    ($($name:ident => $own:ident { $($field:ident: $kind:ident $(($($argument:tt)*))?),* })*) => {$(
        #[doc = concat!("Options with the fields of [`webnn::", stringify!($own), "`](crate::", stringify!($own), ").")]
        ///
        /// ```
        #[doc = concat!("use webnn::rustnn::operator_options::", stringify!($name), ";")]
        #[doc = concat!("let options = ", stringify!($name), " { label: \"stem\".into(), ..Default::default() };")]
        #[doc = concat!("assert_eq!(options.clone(), options);")]
        /// ```
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            /// The label, which error messages name.
            pub label: String,
            $(
                #[doc = concat!("`", stringify!($field), "` of the specification.")]
                pub $field: field_type!($kind $(($($argument)*))?),
            )*
        }

        impl Default for $name {
            fn default() -> Self {
                $name { label: String::new(), $($field: field_default!($kind $(($($argument)*))?)),* }
            }
        }

        impl $name {
            #[allow(unused_variables)]
            pub(super) fn own<'a>(&'a self, recorder: &'a Recorder) -> Result<crate::$own<'a>> {
                #[allow(unused_mut)]
                let mut own = crate::$own::default().label(&self.label);
                $(set_field!(own, $field, self.$field, recorder, $kind $(($($argument)*))?);)*
                Ok(own)
            }
        }
    )*};
}

options! {
    MLOperatorOptions => OperatorOptions {}
    MLArgMinMaxOptions => ArgMinMaxOptions {
        keep_dimensions: value(bool, false), output_data_type: value(MLOperandDataType, MLOperandDataType::Int32)
    }
    MLBatchNormalizationOptions => BatchNormalizationOptions {
        scale: operand, bias: operand, axis: value(u32, 1), epsilon: value(f64, 1e-5)
    }
    MLClampOptions => ClampOptions { min_value: number, max_value: number }
    MLConv2dOptions => Conv2dOptions {
        padding: list, strides: list, dilations: list, groups: value(u32, 1),
        input_layout: value(MLInputOperandLayout, MLInputOperandLayout::Nchw),
        filter_layout: value(MLConv2dFilterOperandLayout, MLConv2dFilterOperandLayout::Oihw), bias: operand
    }
    MLConvTranspose2dOptions => ConvTranspose2dOptions {
        padding: list, strides: list, dilations: list, output_padding: list, output_sizes: some_list, groups: value(u32, 1),
        input_layout: value(MLInputOperandLayout, MLInputOperandLayout::Nchw),
        filter_layout: value(MLConvTranspose2dFilterOperandLayout, MLConvTranspose2dFilterOperandLayout::Iohw), bias: operand
    }
    MLCumulativeSumOptions => CumulativeSumOptions { exclusive: value(bool, false), reversed: value(bool, false) }
    MLEluOptions => EluOptions { alpha: value(f64, 1.0) }
    MLGatherOptions => GatherOptions { axis: value(u32, 0) }
    MLGemmOptions => GemmOptions {
        c: operand, alpha: value(f64, 1.0), beta: value(f64, 1.0), a_transpose: value(bool, false), b_transpose: value(bool, false)
    }
    MLGruOptions => GruOptions {
        bias: operand, recurrent_bias: operand, initial_hidden_state: operand, reset_after: value(bool, true),
        return_sequence: value(bool, false), direction: name(RecurrentNetworkDirection), layout: name(GruWeightLayout),
        activations: activations
    }
    MLGruCellOptions => GruCellOptions {
        bias: operand, recurrent_bias: operand, reset_after: value(bool, true), layout: name(GruWeightLayout),
        activations: activations
    }
    MLHardSigmoidOptions => HardSigmoidOptions { alpha: value(f64, 0.2), beta: value(f64, 0.5) }
    MLInstanceNormalizationOptions => InstanceNormalizationOptions {
        scale: operand, bias: operand, epsilon: value(f64, 1e-5), layout: name(InputOperandLayout)
    }
    MLLayerNormalizationOptions => LayerNormalizationOptions {
        scale: operand, bias: operand, axes: some_list, epsilon: value(f64, 1e-5)
    }
    MLLeakyReluOptions => LeakyReluOptions { alpha: value(f64, 0.01) }
    MLLinearOptions => LinearOptions { alpha: value(f64, 1.0), beta: value(f64, 0.0) }
    MLLstmOptions => LstmOptions {
        bias: operand, recurrent_bias: operand, peephole_weight: operand, initial_hidden_state: operand,
        initial_cell_state: operand, return_sequence: value(bool, false), direction: name(RecurrentNetworkDirection),
        layout: name(LstmWeightLayout), activations: activations
    }
    MLLstmCellOptions => LstmCellOptions {
        bias: operand, recurrent_bias: operand, peephole_weight: operand, layout: name(LstmWeightLayout), activations: activations
    }
    MLPadOptions => PadOptions { mode: name(PaddingMode), value: number }
    MLPool2dOptions => Pool2dOptions {
        window_dimensions: some_list, padding: list, strides: list, dilations: list, layout: name(InputOperandLayout),
        output_shape_rounding: name(RoundingType), output_sizes: some_list
    }
    MLReduceOptions => ReduceOptions { axes: some_list, keep_dimensions: value(bool, false) }
    MLResample2dOptions => Resample2dOptions { mode: name(InterpolationMode), scales: reals, sizes: some_list, axes: list }
    MLReverseOptions => ReverseOptions { axes: some_list }
    MLScatterOptions => ScatterOptions { axis: value(u32, 0) }
    MLSliceOptions => SliceOptions { strides: list }
    MLSplitOptions => SplitOptions { axis: value(u32, 0) }
    MLTransposeOptions => TransposeOptions { permutation: list }
    MLTriangularOptions => TriangularOptions { upper: some(bool), diagonal: value(i32, 0) }
}
