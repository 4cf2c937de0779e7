'use strict';
// Checks and converts the tensors of a run, with onnxruntime-node's errors.
const {Tensor} = require('onnxruntime-common');

// ONNX Runtime's names of element types, in its messages.
const elements = {float32: 'float', float64: 'double'};
const typeText = (type) => `tensor(${elements[type] ?? type})`;
const cure = 'Please fix either the inputs/outputs or the model.';

// Throws unless the value is a tensor in the memory of the process. Programs may pass objects with the members of a Tensor.
function requireTensor(value) {
  if (typeof value !== 'object' || value === null) throw new TypeError('Tensor must be an object.');
  if (!Array.isArray(value.dims)) throw new TypeError('Tensor.dims must be an array.');
  if (typeof value.location !== 'string') throw new TypeError('Tensor.location must be a string.');
  if (value.location !== 'cpu' && value.location !== 'cpu-pinned') throw new RangeError('Tensor.location is not supported.');
}

// Throws unless the type and dims match the model's declaration. `kind` is 'input' or 'output'.
function requireDeclared({type, dims}, declared, kind) {
  const {name, shape} = declared;
  if (!declared.isTensor) throw new Error(`${kind} with name: '${name}' expected to be a sequence but received a tensor`);
  if (declared.type !== undefined && type !== declared.type)
    throw new Error(`Unexpected ${kind} data type. Actual: (${typeText(type)}) , expected: (${typeText(declared.type)})`);
  if (shape === undefined || shape.length === 0 || shape.includes('...')) return;
  if (dims.length !== shape.length)
    throw new Error(`Invalid rank for ${kind}: ${name} Got: ${dims.length} Expected: ${shape.length} ${cure}`);
  const wrong = shape.flatMap((size, i) => (typeof size === 'number' && size !== dims[i] ? [` index: ${i} Got: ${dims[i]} Expected: ${size}\n`] : []));
  if (wrong.length)
    throw new Error(`Got invalid dimensions for ${kind}: ${name} for the following indices\n${wrong.join('')} ${cure}`);
}

function fed(value, declared) {
  requireTensor(value);
  requireDeclared(value, declared, 'input');
  const isScalar = declared.shape.length === 0 && value.dims.length > 0 && value.dims.every((size) => size === 1);
  return {type: value.type, dims: isScalar ? [] : value.dims, data: value.data};
}

// Copies a result into the memory of the caller's tensor. As in onnxruntime-node, strings are not copied.
function fill(target, {type, dims, data}, name) {
  if (`${target.dims}` !== `${dims}`) {
    throw new Error(`The output OrtValue provided for output '${name}' has shape {${target.dims}} but the computed output shape for this run is {${dims}}.`);
  }
  if (type !== 'string') target.data.set(data);
}

// Returns onnxruntime-common's tensor of a result of webnn. Its class takes int4 in a Uint8Array.
const resultOf = ({type, dims, data}) => new Tensor(type, type === 'int4' ? new Uint8Array(data.buffer) : data, [...dims]);

module.exports = {fed, fill, requireDeclared, requireTensor, resultOf};
