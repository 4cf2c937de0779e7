use webnn_sys as sys;

use crate::error::quoted;
use crate::{DataType, Element, Error, Result, ffi};

/// Elements that a graph reads, with their data type.
///
/// ```
/// let view = webnn::View::from(&[1f32, 2.]);
/// assert_eq!(view.data_type(), webnn::DataType::Float32);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    data_type: DataType,
    bytes: &'a [u8],
}

impl<'a> View<'a> {
    /// Returns a view of packed little-endian elements.
    pub fn from_bytes(data_type: DataType, bytes: &'a [u8]) -> View<'a> {
        View { data_type, bytes }
    }

    /// Returns the data type of the elements.
    pub fn data_type(&self) -> DataType {
        self.data_type
    }

    pub(crate) fn raw(&self) -> sys::WebnnConstBytes {
        sys::WebnnConstBytes { data: self.bytes.as_ptr().cast(), size: self.bytes.len() }
    }
}

impl<'a, T: Element> From<&'a [T]> for View<'a> {
    fn from(data: &'a [T]) -> Self {
        View { data_type: T::DATA_TYPE, bytes: ffi::bytes(data) }
    }
}
impl<'a, T: Element, const N: usize> From<&'a [T; N]> for View<'a> {
    fn from(data: &'a [T; N]) -> Self {
        View::from(&data[..])
    }
}
impl<'a, T: Element> From<&'a Vec<T>> for View<'a> {
    fn from(data: &'a Vec<T>) -> Self {
        View::from(&data[..])
    }
}

/// Elements that a graph writes, with their data type.
///
/// ```
/// let mut data = [0i32; 3];
/// let view = webnn::ViewMut::from(&mut data);
/// assert_eq!(view.data_type(), webnn::DataType::Int32);
/// ```
#[derive(Debug)]
pub struct ViewMut<'a> {
    data_type: DataType,
    bytes: &'a mut [u8],
}

impl<'a> ViewMut<'a> {
    /// Returns a view of packed little-endian elements.
    pub fn from_bytes(data_type: DataType, bytes: &'a mut [u8]) -> ViewMut<'a> {
        ViewMut { data_type, bytes }
    }

    /// Returns the data type of the elements.
    pub fn data_type(&self) -> DataType {
        self.data_type
    }

    pub(crate) fn raw(&mut self) -> sys::WebnnBytes {
        sys::WebnnBytes { data: self.bytes.as_mut_ptr().cast(), size: self.bytes.len() }
    }
}

impl<'a, T: Element> From<&'a mut [T]> for ViewMut<'a> {
    fn from(data: &'a mut [T]) -> Self {
        ViewMut { data_type: T::DATA_TYPE, bytes: ffi::bytes_mut(data) }
    }
}
impl<'a, T: Element, const N: usize> From<&'a mut [T; N]> for ViewMut<'a> {
    fn from(data: &'a mut [T; N]) -> Self {
        ViewMut::from(&mut data[..])
    }
}
impl<'a, T: Element> From<&'a mut Vec<T>> for ViewMut<'a> {
    fn from(data: &'a mut Vec<T>) -> Self {
        ViewMut::from(&mut data[..])
    }
}

/// Elements with their shape, for a [`Session`](crate::Session). Dimensions may be 0.
///
/// ```
/// let array = webnn::Array::new(&[2, 2], &[1f32, 2., 3., 4.]);
/// assert_eq!(array.shape, [2, 2]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Array<'a> {
    /// The size of each dimension.
    pub shape: &'a [u32],
    /// The packed elements in row-major order.
    pub elements: View<'a>,
}

impl<'a> Array<'a> {
    /// Returns an array of these elements.
    pub fn new(shape: &'a [u32], elements: impl Into<View<'a>>) -> Array<'a> {
        Array { shape, elements: elements.into() }
    }
}

pub(crate) fn require_type(what: &str, name: &str, own: DataType, expected: DataType) -> Result<()> {
    if own == expected {
        return Ok(());
    }
    Err(Error::Type(format!(
        "compute: the elements of {what} {} are {}, but its data type is {}.",
        quoted(name),
        own.name(),
        expected.name()
    )))
}

#[cfg(feature = "ndarray")]
mod with_ndarray {
    use ndarray::{ArrayBase, ArrayD, Data, Dimension, IxDyn};

    use crate::{Context, Element, Error, Result, Tensor};

    impl Context {
        /// Creates a tensor with the shape and elements of an array.
        ///
        /// ```
        /// # fn main() -> webnn::Result<()> {
        /// let context = webnn::Context::new()?;
        /// let tensor = context.create_tensor_from_array(&ndarray::arr2(&[[1f32, 2.], [3., 4.]]))?;
        /// assert_eq!(tensor.shape(), [2, 2]);
        /// assert_eq!(context.read_array(&tensor)?[[1, 0]], 3.);
        /// # Ok(())
        /// # }
        /// ```
        pub fn create_tensor_from_array<T, S, D>(&self, array: &ArrayBase<S, D>) -> Result<Tensor<T>>
        where
            T: Element,
            S: Data<Elem = T>,
            D: Dimension,
        {
            require_whole::<T>("createTensor")?;
            let tensor = self.create_tensor(&shape_of(array.shape())?)?;
            self.write_array(&tensor, array)?;
            Ok(tensor)
        }

        /// Queues a write of an array with the tensor's shape. Copies the array first if its elements are not contiguous in
        /// row-major order.
        pub fn write_array<T, S, D>(&self, tensor: &Tensor<T>, array: &ArrayBase<S, D>) -> Result<()>
        where
            T: Element,
            S: Data<Elem = T>,
            D: Dimension,
        {
            require_whole::<T>("writeTensor")?;
            if shape_of(array.shape())? != tensor.shape() {
                let (own, expected) = (array.shape(), tensor.shape());
                return Err(Error::Type(format!("writeTensor: the array's shape {own:?} is not the tensor's, {expected:?}.")));
            }
            match array.as_slice() {
                Some(elements) => self.write(tensor, elements),
                None => self.write(tensor, &array.iter().copied().collect::<Vec<_>>()),
            }
        }

        /// Reads a tensor as an array.
        pub fn read_array<T: Element>(&self, tensor: &Tensor<T>) -> Result<ArrayD<T>> {
            require_whole::<T>("readTensor")?;
            let shape: Vec<usize> = tensor.shape().iter().map(|&size| size as usize).collect();
            let elements = self.read(tensor)?;
            ArrayD::from_shape_vec(IxDyn(&shape), elements).map_err(|error| Error::Type(format!("readTensor: {error}")))
        }
    }

    /// Fails for 4-bit types: a `T` holds two elements, but an array has one `T` per element.
    fn require_whole<T: Element>(method: &str) -> Result<()> {
        let data_type = T::DATA_TYPE;
        if data_type.bits() >= 8 {
            return Ok(());
        }
        let name = data_type.name();
        Err(Error::Type(format!(
            "{method}: no array holds {name}, which has two elements in a byte; use read() and write() with slices."
        )))
    }

    fn shape_of(shape: &[usize]) -> Result<Vec<u32>> {
        let size = |&size| u32::try_from(size).map_err(|_| Error::Type(format!("the dimension {size} exceeds 2^32 - 1.")));
        shape.iter().map(size).collect()
    }
}
