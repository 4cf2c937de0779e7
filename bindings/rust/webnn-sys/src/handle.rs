//! Owned references to objects.
use core::ptr::NonNull;

use crate::*;

mod private {
    pub trait Sealed {}
}

/// The type behind a handle of the C API.
pub trait Object: Sized + private::Sealed {
    /// Adds a reference.
    const ADD_REF: unsafe extern "C" fn(*mut Self);
    /// Releases a reference.
    const RELEASE: unsafe extern "C" fn(*mut Self);
}

macro_rules! objects {
    ($($object:ident $add_ref:ident $release:ident;)*) => {$(
        impl private::Sealed for $object {}
        impl Object for $object {
            const ADD_REF: unsafe extern "C" fn(*mut Self) = $add_ref;
            const RELEASE: unsafe extern "C" fn(*mut Self) = $release;
        }
    )*};
}
objects! {
    WebnnInstanceImpl webnnInstanceAddRef webnnInstanceRelease;
    WebnnContextImpl webnnContextAddRef webnnContextRelease;
    WebnnGraphBuilderImpl webnnGraphBuilderAddRef webnnGraphBuilderRelease;
    WebnnOperandImpl webnnOperandAddRef webnnOperandRelease;
    WebnnGraphImpl webnnGraphAddRef webnnGraphRelease;
    WebnnTensorImpl webnnTensorAddRef webnnTensorRelease;
    WebnnErrorImpl webnnErrorAddRef webnnErrorRelease;
    WebnnCancellationImpl webnnCancellationAddRef webnnCancellationRelease;
    WebnnSessionImpl webnnSessionAddRef webnnSessionRelease;
    WebnnResultsImpl webnnResultsAddRef webnnResultsRelease;
}

/// A reference to an object of the library, which is released when the handle is dropped.
///
/// ```
/// use webnn_sys::*;
/// let mut cancellation = core::ptr::null_mut();
/// // SAFETY: the function stores an object that the caller owns.
/// let handle = unsafe {
///     webnnCreateCancellation(&mut cancellation, core::ptr::null_mut());
///     Handle::from_raw(cancellation)
/// };
/// assert!(handle.is_some());
/// ```
pub struct Handle<T: Object>(NonNull<T>);

// SAFETY: webnn.h promises that all objects are thread safe.
unsafe impl<T: Object> Send for Handle<T> {}
// SAFETY: as above.
unsafe impl<T: Object> Sync for Handle<T> {}

impl<T: Object> Handle<T> {
    /// Takes a reference that the caller owns. Returns nothing for NULL.
    ///
    /// # Safety
    /// `object` is NULL, or a handle whose reference nothing else releases.
    #[inline]
    pub unsafe fn from_raw(object: *mut T) -> Option<Self> {
        NonNull::new(object).map(Handle)
    }

    /// Returns the object, which the handle keeps alive.
    #[inline]
    pub fn pointer(&self) -> *mut T {
        self.0.as_ptr()
    }
}

impl<T: Object> Clone for Handle<T> {
    fn clone(&self) -> Self {
        // SAFETY: the object lives at least as long as this handle, which holds a reference.
        unsafe { T::ADD_REF(self.0.as_ptr()) };
        Handle(self.0)
    }
}

impl<T: Object> Drop for Handle<T> {
    fn drop(&mut self) {
        // SAFETY: this handle holds one reference, which nothing else releases.
        unsafe { T::RELEASE(self.0.as_ptr()) };
    }
}
