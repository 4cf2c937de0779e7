'use strict';
const {typeError} = require('./messages.js');
const {makeError} = require('./native.js');

// The specification's view class for each data type:
// https://www.w3.org/TR/webnn/#appendices-mloperanddatatype-arraybufferview-compatibility
// If the runtime has no Float16Array, a Uint16Array holds the bits. The 4-bit types are extensions.
const views = {
  float32: Float32Array, float16: globalThis.Float16Array ?? Uint16Array, int32: Int32Array, uint32: Uint32Array,
  int64: BigInt64Array, uint64: BigUint64Array, int8: Int8Array, uint8: Uint8Array, int4: Int8Array, uint4: Uint8Array,
};
const viewName = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;
const bits = {float32: 32, float16: 16, int32: 32, uint32: 32, int64: 64, uint64: 64, int8: 8, uint8: 8, int4: 4, uint4: 4};

const byteLength = ({dataType, shape}) => Math.ceil((shape.reduce((count, size) => count * size, 1) * bits[dataType]) / 8);

const shown = ({dataType, shape}) => `${dataType}[${shape.join(', ')}]`;

// Adds the article to a class name: 'an Int32Array', but 'a Uint32Array'.
const named = (name) => `${/^[AEIO]/.test(name) ? 'an' : 'a'} ${name}`;

// Implements "validating buffer with descriptor" of the specification. Also accepts the views named in `byteViews`.
function requireBuffer(source, descriptor, what, byteViews = ['Uint8Array']) {
  const expected = byteLength(descriptor);
  if (source.byteLength !== expected) {
    throw typeError(`${what}: the byte length (${source.byteLength}) is not that of ${shown(descriptor)} (${expected}).`);
  }
  if (!ArrayBuffer.isView(source)) return;
  const name = Reflect.apply(viewName, source, []) ?? 'DataView';
  if (!byteViews.includes(name) && name !== views[descriptor.dataType].name)
    throw typeError(`${what}: ${named(name)} does not hold ${descriptor.dataType}, but ${named(views[descriptor.dataType].name)} does.`);
}

// Returns a function that tests for instances of a buffer class, also of the same class in other realms (frames, workers). It
// calls a getter that only real buffers support, because names and prototypes can be faked.
function testOf(Class) {
  if (Class === undefined) return () => false;
  const {get} = Object.getOwnPropertyDescriptor(Class.prototype, 'byteLength');
  return (value) => {
    try {
      Reflect.apply(get, value, []);
      return true;
    } catch {
      return false;
    }
  };
}
const isArrayBuffer = testOf(ArrayBuffer), isSharedArrayBuffer = testOf(globalThis.SharedArrayBuffer);
const isAnyArrayBuffer = (value) => isArrayBuffer(value) || isSharedArrayBuffer(value);
const isBuffer = (value) => ArrayBuffer.isView(value) || isAnyArrayBuffer(value);

// Returns the bytes of a buffer or view as a Uint8Array. Shared memory is copied, because it may change concurrently.
function bytesOf(source) {
  const bytes = ArrayBuffer.isView(source) ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
                                           : new Uint8Array(source);
  return isArrayBuffer(bytes.buffer) ? bytes : bytes.slice();
}

// Returns a new ArrayBuffer. Throws UnknownError if the allocation fails.
function allocate(length) {
  try {
    return new ArrayBuffer(length);
  } catch {
    throw makeError('UnknownError', `there is no memory for ${length} bytes.`);
  }
}

module.exports = {allocate, bits, byteLength, bytesOf, isAnyArrayBuffer, isArrayBuffer, isBuffer, named, requireBuffer, shown, views};
