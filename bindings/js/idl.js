'use strict';
// Converts JavaScript values to WebIDL types: https://webidl.spec.whatwg.org/#js-type-mapping
// A conversion is a function (value, what) => converted value. It throws a TypeError whose message begins with `what`.
const {isArrayBuffer, isBuffer} = require('./buffers.js');
const {typeError} = require('./messages.js');

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

function fail(what, problem) {
  throw typeError(`${what} ${problem}.`);
}

const boolean = (value) => Boolean(value);

const double = (value, what) => {
  const number = +value;
  if (!Number.isFinite(number)) fail(what, 'is not a finite number');
  return number;
};

// Returns the conversion to an integer type with [EnforceRange].
const enforceRange = (least, most) => (value, what) => {
  const integer = Math.trunc(double(value, what));
  if (integer < least || integer > most) fail(what, `(${integer}) is not between ${least} and ${most}`);
  return integer + 0;  // -0 becomes 0
};
const enforcedUnsignedLong = enforceRange(0, 2 ** 32 - 1);
const enforcedUnsignedLongLong = enforceRange(0, Number.MAX_SAFE_INTEGER);
const enforcedLong = enforceRange(-(2 ** 31), 2 ** 31 - 1);
const unsignedLong = (value) => value >>> 0;
const float = (value, what) => {
  const number = Math.fround(value);
  if (!Number.isFinite(number)) fail(what, 'is not a finite number of 32 bits');
  return number;
};

// Converts to MLNumber (bigint or unrestricted double). A bigint beyond 64 bits becomes a number,
// because the later conversion to a data type clamps both to the same value.
const mlNumber = (value) => {
  const numeric = typeof value === 'bigint' || typeof value === 'number' ? value : -(-value);  // JavaScript's ToNumeric
  if (typeof numeric === 'bigint' && (numeric < -(2n ** 63n) || numeric >= 2n ** 64n)) return Number(numeric);
  return numeric;
};

const usvString = (value) => `${value}`.toWellFormed();

const enumeration = (name, values) => {
  const known = new Set(values);
  return (value, what) => {
    const text = `${value}`;
    if (!known.has(text)) fail(what, `'${text}' is not a valid value of ${name}`);
    return text;
  };
};

// Returns the conversion to an interface. `slotsOf` returns undefined for values that do not implement the interface.
const interfaceType = (name, slotsOf) => (value, what) => slotsOf(value) ?? fail(what, `is not of type '${name}'`);

// Converts the items of an iterable. `method` is its @@iterator.
function itemsOf(value, method, item, what) {
  const iterator = Reflect.apply(method, value, []);
  if (!isObject(iterator)) fail(what, 'has an iterator that is not an object');
  const {next} = iterator;
  const items = [];
  for (;;) {
    const result = Reflect.apply(next, iterator, []);
    if (!isObject(result)) fail(what, 'has an iterator whose result is not an object');
    if (result.done) return items;
    items.push(item(result.value, what));
  }
}

function iteratorMethod(value, what) {
  const method = value[Symbol.iterator];
  if (method === undefined || method === null) return undefined;
  if (typeof method !== 'function') fail(what, 'has a Symbol.iterator that is not a function');
  return method;
}

const sequence = (item) => (value, what) => {
  const method = isObject(value) ? iteratorMethod(value, what) : undefined;
  if (!method) fail(what, 'is not a sequence');
  return itemsOf(value, method, item, what);
};

// Returns the conversion to (T or sequence<T>).
const itemOrSequence = (item) => (value, what) => {
  const method = isObject(value) ? iteratorMethod(value, what) : undefined;
  return method ? itemsOf(value, method, item, what) : item(value, what);
};

// Returns the conversion to record<USVString, T>, whose result is a Map.
const record = (type) => (value, what) => {
  if (!isObject(value)) fail(what, 'is not an object');
  const result = new Map();
  for (const key of Reflect.ownKeys(value)) {
    const descriptor = Reflect.getOwnPropertyDescriptor(value, key);
    if (!descriptor?.enumerable) continue;
    const name = usvString(key);
    result.set(name, type(value[key], `${what}: '${name}'`));
  }
  return result;
};

// Returns the conversion to a dictionary. Members are {name, type, required, fallback}. `inherited` are the members of its base
// dictionary.
const dictionary = (members, inherited = []) => {
  const byName = (a, b) => (a.name < b.name ? -1 : 1);
  const ordered = [...[...inherited].sort(byName), ...[...members].sort(byName)];
  return (value, what) => {
    if (value !== undefined && value !== null && !isObject(value)) fail(what, 'is not an object');
    const result = {};
    for (const {name, type, required, fallback} of ordered) {
      const member = value === undefined || value === null ? undefined : value[name];
      if (member !== undefined) {
        result[name] = type(member, `${what}: ${name}`);
      } else if (required) {
        fail(what, `has no member ${name}, which is required`);
      } else {
        result[name] = fallback;
      }
    }
    return result;
  };
};

// Converts to AllowSharedBufferSource: validates and returns the value itself.
const bufferSource = (value, what) => {
  if (Array.isArray(value)) fail(what, 'is an array; make a view of it, as by new Float32Array(array)');
  if (!isBuffer(value)) fail(what, 'is neither an ArrayBuffer, a SharedArrayBuffer nor a view of one');
  const buffer = ArrayBuffer.isView(value) ? value.buffer : value;
  if (isArrayBuffer(buffer) ? buffer.resizable : buffer.growable) fail(what, 'is resizable');
  return value;
};

module.exports = {
  boolean, bufferSource, dictionary, double, enforcedLong, enforcedUnsignedLong, enforcedUnsignedLongLong, enumeration, float, interfaceType, isObject,
  itemOrSequence, mlNumber, record, sequence, unsignedLong, usvString,
};
