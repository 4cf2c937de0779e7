//! Calls of the C API: the only module with unsafe code. Other modules pass references to it, and C structs whose pointers they
//! took from references. The functions below borrow all their arguments for one call, so such pointers stay valid.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::mem::{ManuallyDrop, size_of, size_of_val};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr::{null, null_mut};
use std::sync::Arc;

use webnn_sys as sys;
use webnn_sys::{Handle, Object};

use crate::raw::Argument;
use crate::slot::Slot;
use crate::{Element, Error, Result};

/// Returns the object that `create` stores.
#[inline]
pub(crate) fn made<T: Object>(create: impl FnOnce(&mut *mut T) -> Result<()>) -> Result<Handle<T>> {
    let mut object = null_mut();
    create(&mut object)?;
    take(object).ok_or_else(|| Error::Unknown("the library returned no object".into()))
}

#[inline]
fn take<T: Object>(object: *mut T) -> Option<Handle<T>> {
    // SAFETY: functions of the library give their caller a reference; this module takes each once.
    unsafe { Handle::from_raw(object) }
}

/// The pointer of an operand. The builder that the operand borrows holds the reference.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub(crate) struct OperandPointer(pub(crate) sys::WebnnOperand);

// SAFETY: webnn.h promises that all objects are thread safe.
unsafe impl Send for OperandPointer {}
// SAFETY: as above.
unsafe impl Sync for OperandPointer {}

macro_rules! calls {
    ($($call:ident($($name:ident: $given:ident -> $type:ident),*);)*) => {$(
        /// Calls a function that borrows its arguments, and converts its error.
        #[inline]
        #[allow(clippy::too_many_arguments)]
        pub(crate) fn $call<$($type, $given: Argument<$type>),*>(
            function: unsafe extern "C" fn($($type,)* *mut sys::WebnnError) -> sys::WebnnStatus, $($name: $given),*
        ) -> Result<()> {
            let mut error = null_mut();
            // SAFETY: the arguments are valid for the call, as the module's comment says.
            let status = unsafe { function($($name.raw(),)* &mut error) };
            if status == sys::WebnnStatus::Success {
                return Ok(());
            }
            let owner = take(error);
            Err(error_of(status, owner.as_ref().map_or(null_mut(), |owner| owner.pointer())))
        }
    )*};
}
calls! {
    call1(a: A -> Ca);
    call2(a: A -> Ca, b: B -> Cb);
    call3(a: A -> Ca, b: B -> Cb, c: C -> Cc);
    call4(a: A -> Ca, b: B -> Cb, c: C -> Cc, d: D -> Cd);
    call5(a: A -> Ca, b: B -> Cb, c: C -> Cc, d: D -> Cd, e: E -> Ce);
    call6(a: A -> Ca, b: B -> Cb, c: C -> Cc, d: D -> Cd, e: E -> Ce, f: F -> Cf);
    call7(a: A -> Ca, b: B -> Cb, c: C -> Cc, d: D -> Cd, e: E -> Ce, f: F -> Cf, g: G -> Cg);
    call8(a: A -> Ca, b: B -> Cb, c: C -> Cc, d: D -> Cd, e: E -> Ce, f: F -> Cf, g: G -> Cg, h: H -> Ch);
    call9(a: A -> Ca, b: B -> Cb, c: C -> Cc, d: D -> Cd, e: E -> Ce, f: F -> Cf, g: G -> Cg, h: H -> Ch, i: I -> Ci);
}

/// Calls a function that takes one object and cannot fail.
pub(crate) fn get<T: Object, R>(function: unsafe extern "C" fn(*mut T) -> R, object: &Handle<T>) -> R {
    // SAFETY: the handle keeps the object alive.
    unsafe { function(object.pointer()) }
}

pub(crate) fn version() -> u32 {
    // SAFETY: the function has no preconditions.
    unsafe { sys::webnnGetVersion() }
}

/// Converts an error. The caller keeps its reference.
fn error_of(status: sys::WebnnStatus, error: sys::WebnnError) -> Error {
    // SAFETY: webnnErrorGetMessage accepts every error and NULL; its text lives as long as the error.
    Error::from_status(status, text(unsafe { sys::webnnErrorGetMessage(error) }))
}

fn items<'a, T>(data: *const T, count: usize) -> &'a [T] {
    if data.is_null() || count == usize::MAX {
        return &[];
    }
    // SAFETY: the library returns lists with their number of items. Callers of this function copy them, or bind their lifetime.
    unsafe { std::slice::from_raw_parts(data, count) }
}

pub(crate) fn text(view: sys::WebnnStringView) -> String {
    String::from_utf8_lossy(items(view.data.cast(), view.length)).into_owned()
}

pub(crate) fn list<T: Copy>(data: *const T, count: usize) -> Vec<T> {
    items(data, count).to_vec()
}

/// Returns a list of the library, which keeps the list valid as long as its owner lives.
pub(crate) fn lent<T: Object, I>(_owner: &Handle<T>, data: *const I, count: usize) -> &[I] {
    items(data, count)
}

/// Takes the operands of a list that the library returned, and frees the list.
pub(crate) fn take_operands(operands: sys::WebnnOperandList) -> Vec<Handle<sys::WebnnOperandImpl>> {
    let borrowed = items(operands.items, operands.count).iter().filter_map(|&operand| take(operand).map(ManuallyDrop::new));
    let taken = borrowed.map(|operand| (*operand).clone()).collect();
    // SAFETY: the list comes from the library, and is freed once; the clones above hold references of their own.
    unsafe { sys::webnnOperandListFreeMembers(operands) };
    taken
}

pub(crate) fn bytes<T: Element>(data: &[T]) -> &[u8] {
    // SAFETY: Element is sealed; all its types are plain numbers without padding.
    unsafe { std::slice::from_raw_parts(data.as_ptr().cast(), size_of_val(data)) }
}

pub(crate) fn bytes_mut<T: Element>(data: &mut [T]) -> &mut [u8] {
    // SAFETY: as in bytes(); every bit pattern is a valid element.
    unsafe { std::slice::from_raw_parts_mut(data.as_mut_ptr().cast(), size_of_val(data)) }
}

/// Returns the bytes as elements, or None if they are misaligned or not a whole number of elements.
pub(crate) fn elements<T: Element>(data: &[u8]) -> Option<&[T]> {
    // SAFETY: every bit pattern is a valid element.
    let (before, elements, after) = unsafe { data.align_to::<T>() };
    (before.is_empty() && after.is_empty()).then_some(elements)
}

/// Returns `count` elements that `fill` writes. If `fill` succeeds, it must have written all bytes.
pub(crate) fn filled<T: Element>(count: usize, fill: impl FnOnce(sys::WebnnBytes) -> Result<()>) -> Result<Vec<T>> {
    let mut data = Vec::<T>::with_capacity(count);
    fill(sys::WebnnBytes { data: data.as_mut_ptr().cast(), size: count * size_of::<T>() })?;
    // SAFETY: the capacity is at least `count`, and `fill` has written these elements.
    unsafe { data.set_len(count) };
    Ok(data)
}

/// Runs the user's code in a callback, and catches its panics.
fn contained(run: impl FnOnce()) {
    let Err(payload) = catch_unwind(AssertUnwindSafe(run)) else { return };
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(second); // its destructor may panic, too
    }
}

/// Passes the bytes of `owner` to `call` without copying them. `owner` is dropped when the library no longer needs them.
pub(crate) fn with_external<O, R>(owner: O, call: impl FnOnce(&sys::WebnnExternalBytes) -> Result<R>) -> Result<R>
where
    O: AsRef<[u8]> + Send + Sync + 'static,
{
    unsafe extern "C" fn release<O>(_: *const c_void, owner: *mut c_void, _: *mut c_void) {
        // SAFETY: `owner` comes from Box::into_raw below, and the library calls this function once.
        contained(|| drop(unsafe { Box::from_raw(owner.cast::<O>()) }));
    }
    let owner = Box::into_raw(Box::new(owner));
    // SAFETY: the box lives until it is released below or in release(); only shared references to it exist until then.
    let data = catch_unwind(AssertUnwindSafe(|| unsafe { (*owner).as_ref() })).unwrap_or_else(|payload| {
        // SAFETY: the library does not know the box yet.
        unsafe { release::<O>(null(), owner.cast(), null_mut()) };
        resume_unwind(payload)
    });
    let external = sys::WebnnExternalBytes {
        data: data.as_ptr().cast(),
        size: data.len(),
        release: Some(release::<O>),
        userdata1: owner.cast(),
        ..Default::default()
    };
    call(&external).inspect_err(|_| {
        // SAFETY: the library does not release the bytes of a call that failed.
        unsafe { release::<O>(null(), owner.cast(), null_mut()) };
    })
}

/// Completes the slot that a callback's userdata holds. A waker that panics does not unwind into the library.
fn complete<T>(slot: *mut c_void, value: Result<T>) {
    // SAFETY: `slot` comes from Arc::into_raw, and the library calls each callback once.
    let slot = unsafe { Arc::from_raw(slot.cast::<Slot<T>>().cast_const()) };
    contained(|| slot.complete(value));
}

fn userdata<T>(slot: &Arc<Slot<T>>) -> *mut c_void {
    Arc::into_raw(slot.clone()).cast_mut().cast()
}

/// Converts the arguments of a callback to a result. The library keeps the error.
fn outcome<T>(status: sys::WebnnStatus, error: sys::WebnnError, value: Option<T>) -> Result<T> {
    if status != sys::WebnnStatus::Success {
        return Err(error_of(status, error));
    }
    value.ok_or_else(|| Error::Unknown("the library returned no object".into()))
}

unsafe extern "C" fn object_done<T: Object>(
    status: sys::WebnnStatus,
    object: *mut T,
    error: sys::WebnnError,
    slot: *mut c_void,
    _: *mut c_void,
) {
    complete(slot, outcome(status, error, take(object)));
}

pub(crate) fn create_context(
    instance: &Handle<sys::WebnnInstanceImpl>,
    options: &sys::WebnnContextOptions,
) -> Arc<Slot<Handle<sys::WebnnContextImpl>>> {
    let slot = Arc::default();
    let info =
        sys::WebnnCreateContextCallbackInfo { callback: Some(object_done), userdata1: userdata(&slot), ..Default::default() };
    // SAFETY: the library copies the options before it returns, and calls the callback once.
    unsafe { sys::webnnInstanceCreateContext(instance.pointer(), options, info) };
    slot
}

pub(crate) fn build(
    builder: &Handle<sys::WebnnGraphBuilderImpl>,
    outputs: &[sys::WebnnNamedOperand],
    options: &sys::WebnnCallOptions,
) -> Arc<Slot<Handle<sys::WebnnGraphImpl>>> {
    let slot = Arc::default();
    let info = sys::WebnnBuildCallbackInfo { callback: Some(object_done), userdata1: userdata(&slot), ..Default::default() };
    // SAFETY: as in create_context().
    unsafe { sys::webnnGraphBuilderBuildWithOptions(builder.pointer(), outputs.len(), outputs.as_ptr(), options, info) };
    slot
}

unsafe extern "C" fn read_done<T: Element>(
    status: sys::WebnnStatus,
    error: sys::WebnnError,
    slot: *mut c_void,
    buffer: *mut c_void,
) {
    // SAFETY: `buffer` comes from Box::into_raw in read(). On success, the library has written all bytes of the capacity it got.
    let read = unsafe {
        let (mut data, count) = *Box::from_raw(buffer.cast::<(Vec<T>, usize)>());
        data.set_len(if status == sys::WebnnStatus::Success { count } else { 0 });
        data
    };
    complete(slot, outcome(status, error, Some(read)));
}

/// Begins to read a tensor. The buffer belongs to the callback, so that the future may be dropped at any time.
pub(crate) fn read<T: Element>(
    context: &Handle<sys::WebnnContextImpl>,
    tensor: &Handle<sys::WebnnTensorImpl>,
    count: usize,
) -> Arc<Slot<Vec<T>>> {
    let slot = Arc::default();
    let mut buffer = Box::new((Vec::<T>::with_capacity(count), count));
    let bytes = sys::WebnnBytes { data: buffer.0.as_mut_ptr().cast(), size: count * size_of::<T>() };
    let info = sys::WebnnReadTensorCallbackInfo {
        callback: Some(read_done::<T>),
        userdata1: userdata(&slot),
        userdata2: Box::into_raw(buffer).cast(),
        ..Default::default()
    };
    // SAFETY: the buffer lives until the callback, which the library calls once.
    unsafe { sys::webnnContextReadTensor(context.pointer(), tensor.pointer(), bytes, info) };
    slot
}

unsafe extern "C" fn lost_done(
    reason: sys::WebnnContextLostReason,
    message: sys::WebnnStringView,
    slot: *mut c_void,
    _: *mut c_void,
) {
    complete(slot, Ok((reason, text(message))));
}

pub(crate) fn lost(context: &Handle<sys::WebnnContextImpl>) -> Arc<Slot<(sys::WebnnContextLostReason, String)>> {
    let slot = Arc::default();
    let info = sys::WebnnContextLostCallbackInfo { callback: Some(lost_done), userdata1: userdata(&slot), ..Default::default() };
    // SAFETY: the library calls the callback exactly once, so that it takes back the reference that userdata() gives away.
    unsafe { sys::webnnContextLost(context.pointer(), info) };
    slot
}

/// Calls the `ProgressFunction` that `function` points to.
pub(crate) unsafe extern "C" fn progress(phase: sys::WebnnStringView, done: u64, total: u64, function: *mut c_void) {
    // SAFETY: `function` points to a reference that the call's options hold, and the library calls progress() only during the call.
    let function = unsafe { *function.cast::<crate::ProgressFunction<'_>>() };
    contained(|| function(&text(phase), done, total));
}

/// Passes the error of a failed dispatch or write to the error function with this number.
pub(crate) unsafe extern "C" fn uncaptured(error: sys::WebnnError, number: *mut c_void, _: *mut c_void) {
    // SAFETY: the library passes a valid error, which it keeps until this callback returns.
    let status = unsafe { sys::webnnErrorGetStatus(error) };
    contained(|| crate::report::report(number.addr(), error_of(status, error)));
}
