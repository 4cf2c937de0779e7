//! Tests of functions that do not call the library, so that Miri can check their unsafe code:
//! `cargo +nightly miri test --lib`.
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use half::f16;

use crate::raw::with_list;
use crate::{Error, Int4x2, Result, Uint4x2, ffi};

#[test]
fn elements_survive_as_bytes() {
    let numbers = [1f32, -2.5, f32::NAN];
    assert_eq!(ffi::elements::<f32>(ffi::bytes(&numbers)).unwrap()[..2], numbers[..2]);
    assert_eq!(ffi::bytes(&[0x0102u16 as i32]), [2, 1, 0, 0]);
    assert_eq!(ffi::bytes(&[f16::ONE]), [0, 0x3C]);
    assert!(ffi::bytes::<u64>(&[]).is_empty());
    let mut pairs = [Int4x2::default(); 2];
    ffi::bytes_mut(&mut pairs).copy_from_slice(&[0xF1, 0x8F]);
    assert_eq!((pairs[0].first(), pairs[0].second(), pairs[1].first(), pairs[1].second()), (1, -1, -1, -8));
}

#[test]
fn misaligned_or_cut_bytes_are_no_elements() {
    let numbers = [1u64, 2];
    let bytes = ffi::bytes(&numbers);
    assert!(ffi::elements::<u64>(&bytes[1..9]).is_none());
    assert!(ffi::elements::<u64>(&bytes[..12]).is_none());
    assert_eq!(ffi::elements::<Uint4x2>(&bytes[..1]).unwrap(), [Uint4x2(1)]);
    assert!(ffi::elements::<u64>(&[]).unwrap().is_empty());
}

#[test]
fn failed_calls_return_no_elements() {
    assert_eq!(ffi::filled::<i32>(3, |_| Err(Error::Abort("stopped".into()))), Err(Error::Abort("stopped".into())));
    assert_eq!(ffi::filled::<i32>(0, |_| Ok(())), Ok(vec![]));
}

#[test]
fn lists_have_all_items() {
    for count in [0, 1, 7, 8, 9, 100] {
        let items: Vec<usize> = (0..count).collect();
        assert_eq!(with_list(items.iter().copied(), <[usize]>::to_vec), items);
    }
}

#[test]
fn absent_lists_and_texts_are_empty() {
    assert!(ffi::list::<u32>(std::ptr::null(), 5).is_empty());
    assert_eq!(ffi::text(crate::raw::text("añb")), "añb");
    assert_eq!(ffi::text(webnn_sys::WebnnStringView { data: std::ptr::null(), length: usize::MAX }), "");
}

/// Bytes whose destructor, or whose access, may panic.
struct Owner {
    panics: bool,
    _count: Arc<()>,
}

impl AsRef<[u8]> for Owner {
    fn as_ref(&self) -> &[u8] {
        assert!(!self.panics, "no bytes");
        &[1, 2, 3]
    }
}

#[test]
fn owners_of_bytes_are_dropped_if_the_call_fails() {
    let count = Arc::new(());
    let failed: Result<()> = ffi::with_external(Owner { panics: false, _count: count.clone() }, |bytes| {
        assert_eq!((bytes.size, Arc::strong_count(&count)), (3, 2));
        Err(Error::Type("refused".into()))
    });
    assert!(failed.is_err());
    let panicked = catch_unwind(AssertUnwindSafe(|| ffi::with_external(Owner { panics: true, _count: count.clone() }, |_| Ok(()))));
    assert!(panicked.is_err());
    assert_eq!(Arc::strong_count(&count), 1);
}
