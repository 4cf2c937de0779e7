use std::fmt;

use half::f16;

use crate::DataType;

mod private {
    pub trait Sealed {}
}

/// A type of the elements in tensors: `f32`, [`struct@f16`], `i8`, `u8`, `i32`, `u32`, `i64`, `u64`, [`Int4x2`] and [`Uint4x2`].
///
/// ```
/// use webnn::{DataType, Element, Int4x2, f16};
/// assert_eq!(f16::DATA_TYPE, DataType::Float16);
/// assert_eq!(Int4x2::DATA_TYPE, DataType::Int4);
/// ```
pub trait Element: private::Sealed + Copy + Default + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// The data type of a tensor with these elements.
    const DATA_TYPE: DataType;
}

macro_rules! elements {
    ($($element:ty: $data_type:ident;)*) => {$(
        impl private::Sealed for $element {}
        impl Element for $element {
            const DATA_TYPE: DataType = DataType::$data_type;
        }
    )*};
}
elements! {
    f32: Float32;
    f16: Float16;
    i32: Int32;
    u32: Uint32;
    i64: Int64;
    u64: Uint64;
    i8: Int8;
    u8: Uint8;
    Int4x2: Int4;
    Uint4x2: Uint4;
}

impl DataType {
    /// Returns the size of an element in bits.
    ///
    /// ```
    /// assert_eq!(webnn::DataType::Float16.bits(), 16);
    /// ```
    pub const fn bits(self) -> usize {
        match self {
            DataType::Int4 | DataType::Uint4 => 4,
            DataType::Int8 | DataType::Uint8 => 8,
            DataType::Float16 => 16,
            DataType::Float32 | DataType::Int32 | DataType::Uint32 => 32,
            DataType::Int64 | DataType::Uint64 => 64,
        }
    }
}

/// Two signed 4-bit numbers in a byte, the first in the low bits. A tensor of n elements has n / 2 such bytes, rounded up.
///
/// ```
/// use webnn::Int4x2;
/// let pair = Int4x2::new(-8, 7);
/// assert_eq!((pair.first(), pair.second()), (-8, 7));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Int4x2(pub u8);

impl Int4x2 {
    /// Packs two numbers from -8 to 7. Only their low 4 bits are used.
    pub const fn new(first: i8, second: i8) -> Self {
        Int4x2((first as u8 & 15) | ((second as u8) << 4))
    }

    /// Returns the first number.
    pub const fn first(self) -> i8 {
        ((self.0 << 4) as i8) >> 4
    }

    /// Returns the second number.
    pub const fn second(self) -> i8 {
        (self.0 as i8) >> 4
    }
}

/// Two unsigned 4-bit numbers in a byte, the first in the low bits. A tensor of n elements has n / 2 such bytes, rounded up.
///
/// ```
/// use webnn::Uint4x2;
/// let pair = Uint4x2::new(0, 15);
/// assert_eq!((pair.first(), pair.second()), (0, 15));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Uint4x2(pub u8);

impl Uint4x2 {
    /// Packs two numbers from 0 to 15. Only their low 4 bits are used.
    pub const fn new(first: u8, second: u8) -> Self {
        Uint4x2((first & 15) | (second << 4))
    }

    /// Returns the first number.
    pub const fn first(self) -> u8 {
        self.0 & 15
    }

    /// Returns the second number.
    pub const fn second(self) -> u8 {
        self.0 >> 4
    }
}
