'use strict';
// Encodes small ONNX models as protobuf messages. https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
const varint = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]);
const message = (number, bytes) => [...varint((number << 3) | 2), ...varint(bytes.length), ...bytes];
const text = (number, value) => message(number, [...Buffer.from(value)]);
const integer = (number, value) => [...varint(number << 3), ...varint(value)];

// Encodes [name, type, shape] as a ValueInfoProto. Dimensions are sizes or names.
function valueInfo([name, type, shape]) {
  const dimensions = shape.flatMap((size) => message(1, typeof size === 'string' ? text(2, size) : integer(1, size)));
  return [...text(1, name), ...message(2, message(1, [...integer(1, type), ...message(2, dimensions)]))];
}
const node = ([operator, inputs, outputs]) =>
  [...inputs.flatMap((name) => text(1, name)), ...outputs.flatMap((name) => text(2, name)), ...text(4, operator)];

// `nodes` are [operator, inputs, outputs]; `inputs` and `outputs` are [name, type, shape].
function encodeModel({nodes, inputs, outputs}) {
  const graph = [...nodes.flatMap((each) => message(1, node(each))), ...text(2, 'graph'), ...inputs.flatMap((each) => message(11, valueInfo(each))),
                 ...outputs.flatMap((each) => message(12, valueInfo(each)))];
  return Buffer.from([...integer(1, 8), ...message(7, graph), ...message(8, integer(2, 17))]);
}

module.exports = {encodeModel};
