//! Packs and unpacks elements of the conformance vectors, and computes their distances as web-platform-tests does.
use serde_json::Value;
use webnn::{DataType, Number, f16};

/// Returns a number of a conformance vector. Large integers, and numbers that JSON lacks, are texts.
pub fn number_of(value: &Value) -> Number {
    match value {
        Value::String(text) => match text.as_str() {
            "NaN" => Number::Double(f64::NAN),
            "Infinity" => Number::Double(f64::INFINITY),
            "-Infinity" => Number::Double(f64::NEG_INFINITY),
            "-0" => Number::Double(-0.0),
            digits => match digits.parse::<i64>() {
                Ok(integer) => Number::Int64(integer),
                Err(_) => Number::Uint64(digits.parse().unwrap()),
            },
        },
        _ if value.is_i64() => Number::Int64(value.as_i64().unwrap()),
        _ if value.is_u64() => Number::Uint64(value.as_u64().unwrap()),
        _ => Number::Double(value.as_f64().unwrap()),
    }
}

pub fn real(number: Number) -> f64 {
    match number {
        Number::Double(value) => value,
        Number::Int64(value) => value as f64,
        Number::Uint64(value) => value as f64,
    }
}

fn integer(number: Number) -> i128 {
    match number {
        Number::Double(value) => value as i128,
        Number::Int64(value) => value.into(),
        Number::Uint64(value) => value.into(),
    }
}

/// Returns the float16 that a number in a conformance vector means: "NaN" stands for infinity.
fn half(number: Number) -> f16 {
    let value = real(number);
    if value.is_nan() { f16::INFINITY } else { f16::from_f64(value) }
}

/// Packs the elements; integers wrap around.
pub fn pack(data_type: DataType, values: &[Number]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (index, &value) in values.iter().enumerate() {
        match data_type {
            DataType::Float32 => bytes.extend((real(value) as f32).to_le_bytes()),
            DataType::Float16 => bytes.extend(half(value).to_le_bytes()),
            DataType::Int32 | DataType::Uint32 => bytes.extend((integer(value) as u32).to_le_bytes()),
            DataType::Int64 | DataType::Uint64 => bytes.extend((integer(value) as u64).to_le_bytes()),
            DataType::Int8 | DataType::Uint8 => bytes.push(integer(value) as u8),
            DataType::Int4 | DataType::Uint4 if index % 2 == 0 => bytes.push(integer(value) as u8 & 15),
            DataType::Int4 | DataType::Uint4 => *bytes.last_mut().unwrap() |= (integer(value) as u8) << 4,
        }
    }
    bytes
}

/// Decodes element `index` of packed little-endian elements.
pub fn element(data_type: DataType, bytes: &[u8], index: usize) -> Number {
    fn at<const N: usize>(bytes: &[u8], index: usize) -> [u8; N] {
        bytes[index * N..(index + 1) * N].try_into().unwrap()
    }
    match data_type {
        DataType::Float32 => Number::Double(f32::from_le_bytes(at(bytes, index)).into()),
        DataType::Float16 => Number::Double(f16::from_le_bytes(at(bytes, index)).into()),
        DataType::Int32 => Number::Int64(i32::from_le_bytes(at(bytes, index)).into()),
        DataType::Uint32 => Number::Uint64(u32::from_le_bytes(at(bytes, index)).into()),
        DataType::Int64 => Number::Int64(i64::from_le_bytes(at(bytes, index))),
        DataType::Uint64 => Number::Uint64(u64::from_le_bytes(at(bytes, index))),
        DataType::Int8 => Number::Int64((bytes[index] as i8).into()),
        DataType::Uint8 => Number::Uint64(bytes[index].into()),
        DataType::Int4 => Number::Int64(((((bytes[index / 2] >> (index % 2 * 4)) << 4) as i8) >> 4).into()),
        DataType::Uint4 => Number::Uint64((bytes[index / 2] >> (index % 2 * 4) & 15).into()),
    }
}

/// Returns the signed distance in ULPs between 0 and a number rounded to float32. -0 and 0 have distance 0.
fn ulps_from_zero(value: f64) -> i64 {
    let value = value as f32;
    if value.is_nan() {
        return f32::NAN.to_bits().into();
    }
    let bits = i64::from(value.abs().to_bits());
    if value < 0.0 { -bits } else { bits }
}

#[derive(Clone, Copy, Debug)]
pub enum Tolerance {
    Ulp(u128),
    Absolute(f64),
}

impl Tolerance {
    pub fn of(json: &Value) -> Tolerance {
        match json["metric"].as_str().unwrap() {
            "ULP" => Tolerance::Ulp(json["value"].as_u64().unwrap().into()),
            "ATOL" => Tolerance::Absolute(json["value"].as_f64().unwrap()),
            metric => panic!("there is no metric {metric}"),
        }
    }

    pub fn allows(self, data_type: DataType, actual: Number, expected: Number) -> bool {
        match self {
            Tolerance::Absolute(limit) => {
                let (actual, expected) = (real(actual), real(expected));
                actual == expected || (actual - expected).abs() <= limit
            }
            Tolerance::Ulp(limit) => {
                let distance = match data_type {
                    DataType::Float32 => ulps_from_zero(real(actual)).abs_diff(ulps_from_zero(real(expected))).into(),
                    DataType::Float16 => {
                        let (actual, expected) = (half(actual).to_bits(), half(expected).to_bits());
                        let is_zero = |bits: u16| bits & 0x7FFF == 0;
                        if is_zero(actual) && is_zero(expected) { 0 } else { actual.abs_diff(expected).into() }
                    }
                    _ => integer(actual).abs_diff(integer(expected)),
                };
                distance <= limit
            }
        }
    }
}
