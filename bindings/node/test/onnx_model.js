'use strict';
// Encodes small ONNX models as protobuf messages. https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
const varint = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]);
const message = (number, bytes) => [...varint((number << 3) | 2), ...varint(bytes.length), ...bytes];
const text = (number, value) => message(number, [...Buffer.from(value)]);
const integer = (number, value) => [...varint(number << 3), ...varint(value)];

// Encodes [name, type, shape] as a ValueInfoProto. Dimensions are sizes or names; [type] is a sequence of tensors.
function valueInfo([name, type, shape]) {
  if (type === undefined) return text(1, name);
  if (Array.isArray(type)) return [...text(1, name), ...message(2, message(4, message(1, message(1, integer(1, type[0])))))];
  const dimensions = shape.flatMap((size) => message(1, typeof size === 'string' ? text(2, size) : integer(1, size)));
  return [...text(1, name), ...message(2, message(1, [...integer(1, type), ...message(2, dimensions)]))];
}
// Encodes an int64 field as a varint. A negative number is its two's complement of 64 bits.
function long(number, value) {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes = [...varint(number << 3)];
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return [...bytes, Number(rest)];
}
// An attribute is an integer, or a graph for operators such as If.
const attribute = ([name, value]) =>
  [...text(1, name), ...(typeof value === 'number' ? [...long(3, value), ...integer(20, 2)] : [...message(6, graphOf(value)), ...integer(20, 5)])];
const node = ([operator, inputs, outputs, attributes = {}]) =>
  [...inputs.flatMap((name) => text(1, name)), ...outputs.flatMap((name) => text(2, name)), ...text(4, operator),
   ...Object.entries(attributes).flatMap((each) => message(5, attribute(each)))];
const tensor = ([name, type, shape, data]) =>
  [...shape.flatMap((size) => integer(1, size)), ...integer(2, type), ...text(8, name), ...message(9, [...new Uint8Array(data.buffer)])];

function graphOf({nodes, inputs = [], outputs, initializers = []}) {
  return [...nodes.flatMap((each) => message(1, node(each))), ...text(2, 'graph'), ...initializers.flatMap((each) => message(5, tensor(each))),
          ...inputs.flatMap((each) => message(11, valueInfo(each))), ...outputs.flatMap((each) => message(12, valueInfo(each)))];
}

// `nodes` are [operator, inputs, outputs, {attribute: value}]; `inputs` and `outputs` are [name, type, shape]; an output without a
// type declares nothing. `initializers` are [name, type, shape, typed array].
const encodeModel = (graph) => Buffer.from([...integer(1, 8), ...message(7, graphOf(graph)), ...message(8, integer(2, 17))]);

module.exports = {encodeModel};
