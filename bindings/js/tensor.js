'use strict';
// The Tensor class of onnxruntime's JavaScript packages: data with a type and dims, in this process's memory.
const {views: webnnViews} = require('./buffers.js');
const {countOf, viewOfNumbers} = require('./elements.js');
const {typeError} = require('./messages.js');
const {Uncloneable} = require('./interfaces.js');

const views = {...webnnViews, bool: Uint8Array, uint16: Uint16Array, int16: Int16Array, float64: Float64Array};
const nameOf = (value) => value?.constructor?.name ?? `${value}`;
const isSize = (value) => Number.isSafeInteger(value) && value >= 0;
const isStrings = (data) => Array.isArray(data) && data.every((item) => typeof item === 'string');

function typeOfData(data) {
  if (data instanceof Uint8ClampedArray) return 'uint8';
  const known = ['float32', 'uint8', 'int8', 'uint16', 'int16', 'int32', 'int64', 'float64', 'uint32', 'uint64'];
  const found = known.find((type) => data instanceof views[type]);
  if (found) return found;
  if (globalThis.Float16Array && data instanceof globalThis.Float16Array) return 'float16';
  if (!Array.isArray(data)) throw typeError(`Tensor: ${nameOf(data)} is no data: neither a typed array nor an array.`);
  const first = typeof data[0];
  const type = {string: 'string', boolean: 'bool', number: 'float32', bigint: 'int64', undefined: 'float32'}[first];
  if (!type) throw typeError(`Tensor: an array of ${first}s is no data.`);
  return type;
}

function viewOf(type, data) {
  const View = views[type];
  if (type === 'string') {
    if (!isStrings(data)) throw typeError('Tensor: the data of a tensor of strings is no array of strings.');
    return data;
  }
  if (data instanceof View) return data;
  if (data instanceof Uint8ClampedArray && View === Uint8Array) return new Uint8Array(data.buffer, data.byteOffset, data.length);
  if (type === 'float16' && data instanceof Uint16Array) return new View(data.buffer, data.byteOffset, data.length);
  if (!Array.isArray(data)) {
    const cure = ArrayBuffer.isView(data) ? `: ${View.name}.from(data${/^Big/.test(View.name) ? ', BigInt' : ''}) has its elements` : '';
    throw typeError(`Tensor: the data of a tensor of ${type} is ${nameOf(data)}, not ${View.name}${cure}.`);
  }
  const wrong = data.find((item) => !['number', 'bigint', 'boolean'].includes(typeof item));
  if (wrong !== undefined) throw typeError(`Tensor: '${wrong}' is no ${type}.`);
  if (type === 'bool') return View.from(data, (item) => (item ? 1 : 0));
  if (type === 'int4' || type === 'uint4') return View.from(data, Number);  // the data is already packed, two elements per byte
  return viewOfNumbers(data, type, 'Tensor', View, 8 * View.BYTES_PER_ELEMENT);
}

function checkedDims(dims, data, type) {
  if (dims === undefined) dims = [data.length];
  if (!Array.isArray(dims)) throw typeError('Tensor: dims are no array of numbers.');
  const wrong = dims.find((size) => !isSize(size));
  if (wrong !== undefined) throw typeError(`Tensor: ${wrong} in dims [${dims.join(', ')}] is no size.`);
  const length = type === 'int4' || type === 'uint4' ? Math.ceil(countOf(dims) / 2) : countOf(dims);
  if (length !== data.length) throw typeError(`Tensor: dims [${dims.join(', ')}] are ${countOf(dims)} elements, but the data has ${data.length}.`);
  return Object.freeze([...dims]);
}

// Constructor overloads: (type, data, dims) and (data, dims).
class Tensor extends Uncloneable {
  #data;
  constructor(first, second, third) {
    super();
    const [type, given, dims] = typeof first === 'string' ? [first, second, third] : [typeOfData(first), first, second];
    if (type !== 'string' && !Object.hasOwn(views, type))
      throw typeError(`Tensor: '${type}' is no type; the types are ${[...Object.keys(views), 'string'].join(', ')}.`);
    this.#data = viewOf(type, given);
    this.type = type;
    this.dims = checkedDims(dims, this.#data, type);
    Object.defineProperty(this, 'size', {value: countOf(this.dims)});
  }

  get data() {
    if (this.#data === undefined) throw new Error('Tensor: the data was disposed of.');
    return this.#data;
  }
  get location() { return this.#data === undefined ? 'none' : 'cpu'; }

  async getData(releaseData = false) {
    const {data} = this;
    if (releaseData) this.dispose();
    return data;
  }
  dispose() { this.#data = undefined; }

  reshape(dims) { return new Tensor(this.type, this.data, dims); }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options, show) {
    if (!(#data in this)) return show(Object.prototype, options);
    const {type, dims, location} = this;
    return `Tensor ${depth < 0 ? '{...}' : show({type, dims: [...dims], ...(location === 'none' ? {location} : {data: this.data})}, options)}`;
  }
}

if (Symbol.dispose)
  Object.defineProperty(Tensor.prototype, Symbol.dispose, {value() { this.dispose(); }, writable: true, configurable: true});

module.exports = {Tensor, isSize};
