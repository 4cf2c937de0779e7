use std::marker::PhantomData;
use std::mem::size_of;
use std::ops::Deref;

use webnn_sys as sys;
use webnn_sys::Handle;

use crate::raw::sizes;
use crate::{Context, DataType, Element, Error, Result, ffi};

/// A tensor: memory in a context, which graphs read and write. The type of its elements is known at run time. Clones are handles of
/// the same tensor.
///
/// ```
/// use webnn::*;
/// # fn main() -> Result<()> {
/// let context = Context::new()?;
/// let tensor = context.create_any_tensor(DataType::Int8, &[2, 3], true, true)?;
/// assert_eq!((tensor.data_type(), tensor.shape(), tensor.byte_length()), (DataType::Int8, &[2, 3][..], 6));
/// assert!(tensor.clone().typed::<f32>().is_err());
/// let tensor: Tensor<i8> = tensor.typed()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct AnyTensor {
    handle: Handle<sys::WebnnTensorImpl>,
    data_type: DataType,
}

impl AnyTensor {
    pub(crate) fn create(
        context: &Context,
        data_type: DataType,
        shape: &[u32],
        readable: bool,
        writable: bool,
    ) -> Result<AnyTensor> {
        let descriptor = sys::WebnnTensorDescriptor {
            dataType: data_type.raw(),
            shape: sizes(Some(shape)),
            readable: u32::from(readable),
            writable: u32::from(writable),
            ..Default::default()
        };
        let handle = ffi::made(|tensor| ffi::call3(sys::webnnContextCreateTensor, context.handle(), &descriptor, tensor))?;
        Ok(AnyTensor { handle, data_type })
    }

    pub(crate) fn create_constant(context: &Context, data_type: DataType, shape: &[u32], bytes: &[u8]) -> Result<AnyTensor> {
        let descriptor = sys::WebnnOperandDescriptor { dataType: data_type.raw(), shape: sizes(Some(shape)), ..Default::default() };
        let bytes = sys::WebnnConstBytes { data: bytes.as_ptr().cast(), size: bytes.len() };
        let handle =
            ffi::made(|tensor| ffi::call4(sys::webnnContextCreateConstantTensor, context.handle(), &descriptor, bytes, tensor))?;
        Ok(AnyTensor { handle, data_type })
    }

    #[inline]
    pub(crate) fn handle(&self) -> &Handle<sys::WebnnTensorImpl> {
        &self.handle
    }

    /// Returns the tensor with the type of its elements. Fails with [`Error::Type`] if it has another data type.
    pub fn typed<T: Element>(self) -> Result<Tensor<T>> {
        if T::DATA_TYPE != self.data_type {
            let (own, other) = (self.data_type.name(), T::DATA_TYPE.name());
            return Err(Error::Type(format!("the tensor's data type is {own}, not {other}.")));
        }
        Ok(Tensor { tensor: self, elements: PhantomData })
    }

    /// Returns the data type of the elements.
    pub fn data_type(&self) -> DataType {
        self.data_type
    }

    /// Returns the size of each dimension.
    pub fn shape(&self) -> &[u32] {
        let mut descriptor = sys::WebnnTensorDescriptor::default();
        let done = ffi::call2(sys::webnnTensorGetDescriptor, &self.handle, &mut descriptor);
        debug_assert!(done.is_ok());
        ffi::lent(&self.handle, descriptor.shape.items, descriptor.shape.count)
    }

    /// Returns the size in bytes.
    pub fn byte_length(&self) -> usize {
        ffi::get(sys::webnnTensorGetByteLength, &self.handle)
    }

    /// Returns whether the tensor was made by [`Context::create_constant_tensor`].
    pub fn is_constant(&self) -> bool {
        ffi::get(sys::webnnTensorIsConstant, &self.handle) != 0
    }

    /// Destroys the tensor. Pending reads fail; the memory is freed after all work that was queued earlier.
    pub fn destroy(&self) {
        ffi::get(sys::webnnTensorDestroy, &self.handle);
    }
}

/// A tensor with elements of type `T`, which can be used wherever an [`AnyTensor`] is expected.
///
/// ```
/// use webnn::*;
/// # fn main() -> Result<()> {
/// let context = Context::new()?;
/// let tensor = context.create_tensor::<Uint4x2>(&[3])?;
/// assert_eq!(tensor.len(), 2); // bytes, each with two elements
/// context.write(&tensor, &[Uint4x2::new(1, 2), Uint4x2::new(3, 0)])?;
/// assert_eq!(context.read(&tensor)?[0].second(), 2);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Tensor<T: Element> {
    tensor: AnyTensor,
    elements: PhantomData<fn() -> T>,
}

impl<T: Element> Tensor<T> {
    /// Returns the number of values of type `T`: of elements, or of bytes with two elements for 4-bit types.
    #[allow(clippy::len_without_is_empty)] // no tensor is empty
    pub fn len(&self) -> usize {
        self.byte_length() / size_of::<T>()
    }
}

impl<T: Element> Deref for Tensor<T> {
    type Target = AnyTensor;
    fn deref(&self) -> &AnyTensor {
        &self.tensor
    }
}
