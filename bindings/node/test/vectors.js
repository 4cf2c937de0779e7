'use strict';
// Runs one case of the operations' test vectors (JSON; see the README beside them) and compares the results.
const {webnn} = require('./support.js');

const {MLGraphBuilder} = webnn;
const views = {
  float32: Float32Array, float16: Uint16Array, int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array,
  uint64: BigUint64Array, int8: Int8Array, uint8: Uint8Array,
};
const special = {'NaN': NaN, 'Infinity': Infinity, '-Infinity': -Infinity, '-0': -0};

const numberOf = (value) => (typeof value === 'string' ? special[value] ?? BigInt(value) : value);

function float32Bits(value) {
  return new Uint32Array(new Float32Array([value]).buffer)[0];
}

// Returns the bits of the nearest float16 number. Ties round to even.
function halfBits(value) {
  const bits = float32Bits(value), sign = (bits >>> 16) & 0x8000;
  const size = Math.abs(value);
  if (Number.isNaN(size)) return 0x7e00;
  if (size >= 65520) return sign | 0x7c00;
  if (size === 0) return sign;
  const exponent = Math.max(Math.floor(Math.log2(size)), -14);
  const unit = 2 ** (exponent - 10), scaled = size / unit;
  const below = Math.floor(scaled), rest = scaled - below;
  const rounded = below + (rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? 1 : 0);
  return sign | (((exponent + 14) << 10) + rounded);  // a carry increments the exponent
}

function halfValue(bits) {
  const exponent = (bits >> 10) & 31, fraction = bits & 1023;
  const size = exponent === 31 ? (fraction ? NaN : Infinity) : exponent ? (1024 + fraction) * 2 ** (exponent - 25) : fraction * 2 ** -24;
  return bits & 0x8000 ? -size : size;
}

const countOf = (shape) => shape.reduce((count, size) => count * size, 1);

// Returns the values of an operand, one for each element. A single number stands for all elements.
const valuesOf = ({data, shape}) => (Array.isArray(data) ? data.map(numberOf) : new Array(countOf(shape)).fill(numberOf(data)));

function arrayOf(dataType, values) {
  if (dataType === 'float16') return Uint16Array.from(values, (value) => halfBits(Number(value))).buffer;
  if (dataType === 'int4' || dataType === 'uint4') {
    const bytes = new Uint8Array(Math.ceil(values.length / 2));
    values.forEach((value, i) => (bytes[i >> 1] |= (Number(value) & 15) << (4 * (i & 1))));
    return bytes;
  }
  if (dataType === 'int64' || dataType === 'uint64') return views[dataType].from(values, BigInt);
  return views[dataType].from(values, Number);
}

// Returns the elements of a buffer as numbers or bigints.
function elementsOf(dataType, buffer, count) {
  if (dataType === 'float16') return Array.from(new Uint16Array(buffer), halfValue);
  if (dataType === 'int4' || dataType === 'uint4') {
    const nibble = (i) => (new Uint8Array(buffer)[i >> 1] >> (4 * (i & 1))) & 15;
    return Array.from({length: count}, (_, i) => (dataType === 'int4' && nibble(i) > 7 ? nibble(i) - 16 : nibble(i)));
  }
  return Array.from(new views[dataType](buffer));
}

// Maps floats to integers in the same order, so that adjacent floats differ by 1.
const ordered = {
  float32: (value) => (float32Bits(value) & 0x80000000 ? -(float32Bits(value) & 0x7fffffff) : float32Bits(value)),
  float16: (value) => (halfBits(value) & 0x8000 ? -(halfBits(value) & 0x7fff) : halfBits(value)),
};

function isClose(dataType, actual, expected, {metric, value}) {
  if (typeof actual === 'bigint') return (actual > BigInt(expected) ? actual - BigInt(expected) : BigInt(expected) - actual) <= BigInt(value);
  if (Object.is(actual, expected) || actual === expected) return true;
  if (Number.isNaN(actual) || Number.isNaN(expected)) return Number.isNaN(actual) && Number.isNaN(expected);
  if (metric === 'ATOL' || !ordered[dataType]) return Math.abs(actual - Number(expected)) <= value;
  return Math.abs(ordered[dataType](actual) - ordered[dataType](expected)) <= value;
}

const isNested = (value) => value !== null && typeof value === 'object';

// Replaces the names of operands in a value by the operands.
function resolve(value, operands) {
  if (typeof value === 'string') return operands.get(value) ?? special[value] ?? value;
  if (Array.isArray(value)) return value.map((item) => resolve(item, operands));
  if (!isNested(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item, operands)]));
}

function appendOperator(builder, {name, arguments: given, outputs}, operands, called) {
  const parameters = given.flatMap((group) => Object.entries(group)).filter(([, value]) => value !== null)
    .map(([, value]) => resolve(value, operands));
  called?.add(name);
  const results = [builder[name](...parameters)].flat();
  [outputs].flat().forEach((output, i) => operands.set(output, results[i]));
}

// Runs a case. Returns a description of the first problem, or undefined.
async function runCase(context, {graph: {inputs, operators, expectedOutputs}, tolerance}, called) {
  const builder = new MLGraphBuilder(context), operands = new Map(), bound = {}, outputs = {};
  for (const [name, input] of Object.entries(inputs)) {
    const {dataType, shape, constant} = input, array = arrayOf(dataType, valuesOf(input));
    operands.set(name, constant ? builder.constant({dataType, shape}, array) : builder.input(name, {dataType, shape}));
    if (constant) continue;
    bound[name] = await context.createTensor({dataType, shape, writable: true});
    context.writeTensor(bound[name], array);
  }
  for (const operator of operators) appendOperator(builder, operator, operands, called);
  const named = Object.fromEntries(Object.keys(expectedOutputs).map((name) => [name, operands.get(name)]));
  const graph = await builder.build(named);
  for (const [name, {dataType, shape}] of Object.entries(named))
    outputs[name] = await context.createTensor({dataType, shape, readable: true});
  // The graph lacks inputs that its outputs do not depend on.
  const used = Object.fromEntries(Object.entries(bound).filter(([name]) => JSON.stringify(operators).includes(`"${name}"`)));
  context.dispatch(graph, used, outputs);
  let problem;
  for (const [name, expected] of Object.entries(expectedOutputs)) {
    const {dataType} = named[name], wanted = valuesOf(expected);
    const actual = elementsOf(dataType, await context.readTensor(outputs[name]), wanted.length);
    if (dataType !== expected.dataType || String(named[name].shape) !== String(expected.shape)) problem ??= `${name} is ${dataType}[${named[name].shape}]`;
    const at = actual.findIndex((value, i) => !isClose(dataType, value, dataType === 'float16' ? halfValue(halfBits(wanted[i])) : wanted[i], tolerance));
    if (at >= 0) problem ??= `${name}[${at}] is ${actual[at]}, not ${wanted[at]}`;
  }
  for (const tensor of [...Object.values(bound), ...Object.values(outputs)]) tensor.destroy();
  graph.destroy();
  return problem;
}

module.exports = {runCase};
