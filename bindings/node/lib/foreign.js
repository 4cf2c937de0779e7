'use strict';
// Converts tensors of float64, int16, uint16 and strings: element types that ONNX has and WebNN lacks. Only sessions use them.
const {countOf} = require('./js/elements.js');
const {makeError} = require('./js/native.js');
const {typeError} = require('./js/messages.js');
const {Tensor} = require('./js/tensor.js');

const views = {float64: Float64Array, int16: Int16Array, uint16: Uint16Array};
const isForeign = (type) => type === 'string' || Object.hasOwn(views, type);

// Returns the elements of a result of fed() (session.js) in the addon's form: an array of strings, or a Uint8Array of the bytes.
function packed({data, dims}, type, what) {
  const elements = new Tensor(type, data, [data?.length]).data;
  if (elements.length !== countOf(dims))
    throw typeError(`${what}: the ${elements.length} elements are not those of ${type}[${dims.join(', ')}].`);
  return type === 'string' ? elements : new Uint8Array(elements.buffer, elements.byteOffset, elements.byteLength);
}

// Returns the data of a Tensor. `elements` is an array of strings or an ArrayBuffer.
function unpacked(elements, type, what) {
  if (type === 'string') return elements;
  if (!Object.hasOwn(views, type)) throw makeError('NotSupportedError', `${what}: no typed array holds elements of ${type}.`);
  return new views[type](elements);
}

module.exports = {isForeign, packed, unpacked};
