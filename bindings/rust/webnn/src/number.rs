use webnn_sys as sys;

/// A number that represents every value of every data type exactly. <https://www.w3.org/TR/webnn/#api-mlnumber-typedef>
///
/// ```
/// use webnn::Number;
/// assert_eq!(Number::from(1.5f32), Number::Double(1.5));
/// assert_eq!(Number::from(u64::MAX), Number::Uint64(u64::MAX));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A floating-point number.
    Double(f64),
    /// A signed integer.
    Int64(i64),
    /// An unsigned integer.
    Uint64(u64),
}

impl Number {
    #[inline]
    pub(crate) fn raw(self) -> sys::WebnnNumber {
        let (r#type, value) = match self {
            Number::Double(float64) => (sys::WebnnNumberType::Double, sys::WebnnNumberValue { float64 }),
            Number::Int64(int64) => (sys::WebnnNumberType::Int64, sys::WebnnNumberValue { int64 }),
            Number::Uint64(uint64) => (sys::WebnnNumberType::Uint64, sys::WebnnNumberValue { uint64 }),
        };
        sys::WebnnNumber { r#type, value }
    }
}

macro_rules! numbers {
    ($($type:ty: $variant:ident;)*) => {$(
        impl From<$type> for Number {
            #[inline]
            fn from(value: $type) -> Self {
                Number::$variant(value.into())
            }
        }
    )*};
}
numbers! {
    f64: Double;
    f32: Double;
    i64: Int64;
    i32: Int64;
    i16: Int64;
    i8: Int64;
    u64: Uint64;
    u32: Uint64;
    u16: Uint64;
    u8: Uint64;
}

/// The parts of [`GraphBuilder::split`](crate::GraphBuilder::split): a number of equal parts, or the size of each part.
///
/// ```
/// use webnn::Splits;
/// assert_eq!(Splits::from(3), Splits::Count(3));
/// assert_eq!(Splits::from(&[1, 2]), Splits::Sizes(&[1, 2]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Splits<'a> {
    /// This many parts of equal sizes.
    Count(u32),
    /// Parts of these sizes.
    Sizes(&'a [u32]),
}

impl Splits<'_> {
    #[inline]
    pub(crate) fn raw(self) -> sys::WebnnSplits {
        match self {
            Splits::Count(count) => sys::WebnnSplits { count, ..Default::default() },
            Splits::Sizes(sizes) => sys::WebnnSplits { count: 0, sizes: crate::raw::sizes(Some(sizes)) },
        }
    }
}

impl From<u32> for Splits<'_> {
    fn from(count: u32) -> Self {
        Splits::Count(count)
    }
}
impl<'a> From<&'a [u32]> for Splits<'a> {
    fn from(sizes: &'a [u32]) -> Self {
        Splits::Sizes(sizes)
    }
}
impl<'a, const N: usize> From<&'a [u32; N]> for Splits<'a> {
    fn from(sizes: &'a [u32; N]) -> Self {
        Splits::Sizes(sizes)
    }
}
impl<'a> From<&'a Vec<u32>> for Splits<'a> {
    fn from(sizes: &'a Vec<u32>) -> Self {
        Splits::Sizes(sizes)
    }
}
