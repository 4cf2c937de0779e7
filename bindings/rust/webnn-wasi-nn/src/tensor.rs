//! Conversions between the tensors of WASI-NN and the arrays of `webnn`.
use wasmtime::{bail, ensure};
use wasmtime_wasi_nn::Tensor;
use wasmtime_wasi_nn::backend::BackendError;
use wasmtime_wasi_nn::wit::TensorType;
use webnn::{DataType, Output};

/// The types that WASI-NN and `webnn` share.
const TYPES: [(TensorType, DataType); 5] = [
    (TensorType::Fp16, DataType::Float16),
    (TensorType::Fp32, DataType::Float32),
    (TensorType::U8, DataType::Uint8),
    (TensorType::I32, DataType::Int32),
    (TensorType::I64, DataType::Int64),
];

/// Returns the name of a tensor type in WASI-NN's specification.
fn name_of(tensor_type: TensorType) -> &'static str {
    match tensor_type {
        TensorType::Fp16 => "FP16",
        TensorType::Fp32 => "FP32",
        TensorType::Fp64 => "FP64",
        TensorType::Bf16 => "BF16",
        TensorType::U8 => "U8",
        TensorType::I32 => "I32",
        TensorType::I64 => "I64",
    }
}

/// Returns the data type for a tensor type, or an error if WebNN has none.
pub(crate) fn data_type_of(tensor_type: TensorType, input: &str) -> Result<DataType, BackendError> {
    TYPES.iter().find(|(own, _)| *own == tensor_type).map(|(_, data_type)| *data_type).ok_or_else(|| {
        let accepted = TYPES.map(|(accepted, _)| name_of(accepted)).join(", ");
        BackendError::UnsupportedTensorType(format!("{} of the input {input:?}; accepted: {accepted}.", name_of(tensor_type)))
    })
}

/// Returns the sizes of `tensor` for an input that declares `declared`, after checking them and the number of bytes. A declared size
/// of 0 is an open dimension. WASI-NN writes a scalar as `[1]`.
pub(crate) fn shape_for(tensor: &Tensor, data_type: DataType, declared: Option<&[u32]>, input: &str) -> wasmtime::Result<Vec<u32>> {
    let shape = &tensor.dimensions;
    let count = shape.iter().try_fold(1usize, |count, &size| count.checked_mul(size as usize));
    let size = count.and_then(|count| count.checked_mul(data_type.bits() / 8));
    let Some(size) = size else { bail!("the input {input:?} has the shape {shape:?}, whose size in bytes overflows.") };
    ensure!(
        tensor.data.len() == size,
        "the input {input:?} of {} {shape:?} has {} bytes; it needs {size}.",
        data_type.name(),
        tensor.data.len()
    );
    let Some(declared) = declared else { return Ok(shape.clone()) };
    if declared.is_empty() && *shape == [1] {
        return Ok(Vec::new());
    }
    let fits = |(size, declared): (&u32, &u32)| *declared == 0 || size == declared;
    ensure!(
        shape.len() == declared.len() && shape.iter().zip(declared).all(fits),
        "the input {input:?} has the shape {shape:?}; the model declares {declared:?}, where 0 accepts any size."
    );
    Ok(shape.clone())
}

/// Copies an output.
pub(crate) fn tensor_of(output: &Output<'_>) -> Result<Tensor, BackendError> {
    let Some((tensor_type, _)) = TYPES.iter().find(|(_, data_type)| *data_type == output.data_type) else {
        let message = format!("{} of the output {:?}; WASI-NN has no such type.", output.data_type.name(), output.name);
        return Err(BackendError::UnsupportedTensorType(message));
    };
    let dimensions = if output.shape.is_empty() { vec![1] } else { output.shape.clone() };
    Ok(Tensor::new(dimensions, *tensor_type, output.bytes.to_vec()))
}
