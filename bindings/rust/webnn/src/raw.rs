//! Conversions of values to types of the C API. Pointers in a result are valid as long as the converted value.
use webnn_sys as sys;
use webnn_sys::{Handle, Object};

use crate::{Number, Operand};

/// A value that can be passed as the C type `C` in one call.
pub(crate) trait Argument<C> {
    fn raw(self) -> C;
}

macro_rules! plain_arguments {
    ($($type:ty)*) => {$(
        impl Argument<$type> for $type {
            #[inline]
            fn raw(self) -> $type {
                self
            }
        }
    )*};
}
plain_arguments! {
    u32 u64 usize i32 f64
    sys::WebnnNumber
    sys::WebnnSplits
    sys::WebnnOperandDataType
    sys::WebnnConstBytes
    sys::WebnnBytes
}

impl<T: Object> Argument<*mut T> for &Handle<T> {
    #[inline]
    fn raw(self) -> *mut T {
        self.pointer()
    }
}
impl Argument<sys::WebnnOperand> for Operand<'_> {
    #[inline]
    fn raw(self) -> sys::WebnnOperand {
        self.pointer()
    }
}
impl Argument<sys::WebnnStringView> for &str {
    #[inline]
    fn raw(self) -> sys::WebnnStringView {
        sys::WebnnStringView { data: self.as_ptr().cast(), length: self.len() }
    }
}
impl Argument<sys::WebnnUint32List> for &[u32] {
    #[inline]
    fn raw(self) -> sys::WebnnUint32List {
        sys::WebnnUint32List { count: self.len(), items: self.as_ptr() }
    }
}
impl Argument<sys::WebnnOperandList> for &[Operand<'_>] {
    #[inline]
    fn raw(self) -> sys::WebnnOperandList {
        sys::WebnnOperandList { count: self.len(), items: self.as_ptr().cast() }
    }
}
impl<T> Argument<*const T> for &T {
    #[inline]
    fn raw(self) -> *const T {
        self
    }
}
impl<T> Argument<*const T> for Option<&T> {
    #[inline]
    fn raw(self) -> *const T {
        self.map_or(std::ptr::null(), std::ptr::from_ref)
    }
}
impl<T> Argument<*const T> for &[T] {
    #[inline]
    fn raw(self) -> *const T {
        self.as_ptr()
    }
}
impl<T> Argument<*mut T> for &mut T {
    #[inline]
    fn raw(self) -> *mut T {
        self
    }
}

/// Passes `items` to `call` as a slice. Allocates no memory for at most 8 items.
#[inline]
pub(crate) fn with_list<T: Copy, R>(mut items: impl ExactSizeIterator<Item = T>, call: impl FnOnce(&[T]) -> R) -> R {
    const FEW: usize = 8;
    let count = items.len();
    if count > FEW {
        return call(&items.collect::<Vec<_>>());
    }
    let Some(first) = items.next() else { return call(&[]) };
    let mut few = [first; FEW];
    for (place, item) in few[1..].iter_mut().zip(items) {
        *place = item;
    }
    call(&few[..count])
}

pub(crate) fn text(text: &str) -> sys::WebnnStringView {
    text.raw()
}

#[inline]
pub(crate) fn operand(operand: Option<Operand<'_>>) -> sys::WebnnOperand {
    operand.map_or(std::ptr::null_mut(), Operand::pointer)
}

#[inline]
pub(crate) fn number(number: Option<Number>) -> sys::WebnnNumber {
    number.map_or_else(sys::WebnnNumber::default, Number::raw)
}

#[inline]
pub(crate) fn sizes(sizes: Option<&[u32]>) -> sys::WebnnUint32List {
    sizes.map_or_else(sys::WebnnUint32List::default, Argument::raw)
}

#[inline]
pub(crate) fn reals(reals: Option<&[f32]>) -> sys::WebnnFloatList {
    match reals {
        Some(reals) => sys::WebnnFloatList { count: reals.len(), items: reals.as_ptr() },
        None => sys::WebnnFloatList::default(),
    }
}
