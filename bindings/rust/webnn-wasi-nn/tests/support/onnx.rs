//! Writes small ONNX models by hand, independently of libwebnn's exporter.
#![allow(dead_code)] // each test uses a part

/// Encodes a field that holds bytes. Field numbers up to 15 and sizes up to 16383 fit.
fn field(number: u8, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![number << 3 | 2];
    match content.len() {
        size @ 0..128 => bytes.push(size as u8),
        size => bytes.extend([size as u8 | 128, (size >> 7) as u8]),
    }
    bytes.extend(content);
    bytes
}

/// Encodes a field that holds a number below 128.
fn number(number: u8, value: u8) -> Vec<u8> {
    vec![number << 3, value]
}

/// Type codes of ONNX.
pub const FLOAT: u8 = 1;
pub const DOUBLE: u8 = 11;

/// The size of a dimension, or its name if it is open.
pub enum Size {
    Fixed(u8),
    Open(&'static str),
}

fn value(name: &str, tensor_type: u8, shape: &[Size]) -> Vec<u8> {
    let dimension = |size: &Size| match size {
        Size::Fixed(size) => number(1, *size),
        Size::Open(name) => field(2, name.as_bytes()),
    };
    let shape: Vec<u8> = shape.iter().flat_map(|size| field(1, &dimension(size))).collect();
    let tensor = [number(1, tensor_type), field(2, &shape)].concat();
    [field(1, name.as_bytes()), field(2, &field(1, &tensor))].concat()
}

/// Returns a model that computes `z = operator(a, b)`.
pub fn binary(operator: &str, tensor_type: u8, shape: &[Size]) -> Vec<u8> {
    let names = [field(1, b"a"), field(1, b"b"), field(2, b"z")].concat();
    let node = [names, field(4, operator.as_bytes())].concat();
    let inputs = ["a", "b"].map(|name| field(11, &value(name, tensor_type, shape))).concat();
    let graph = [field(1, &node), field(2, b"g"), inputs, field(12, &value("z", tensor_type, shape))].concat();
    [number(1, 8), field(7, &graph), field(8, &number(2, 13))].concat()
}

/// Returns a model that adds two float32 numbers in the file `location` to its input `a`.
pub fn with_external_data(location: &str) -> Vec<u8> {
    let names = [field(1, b"a"), field(1, b"w"), field(2, b"z")].concat();
    let node = [names, field(4, b"Add")].concat();
    let external = [field(1, b"location"), field(2, location.as_bytes())].concat();
    let tensor = [number(1, 2), number(2, FLOAT), field(8, b"w"), field(13, &external), number(14, 1)].concat();
    let (input, output) = (value("a", FLOAT, &[Size::Fixed(2)]), value("z", FLOAT, &[Size::Fixed(2)]));
    let graph = [field(1, &node), field(2, b"g"), field(5, &tensor), field(11, &input), field(12, &output)].concat();
    [number(1, 8), field(7, &graph), field(8, &number(2, 13))].concat()
}
