'use strict';
// Converts typed arrays, buffers and arrays of numbers to the bytes of a tensor.
const {bits, bytesOf, isBuffer, named, requireBuffer, shown, views} = require('./buffers.js');
const {typeError} = require('./messages.js');

const countOf = (shape) => shape.reduce((count, size) => count * size, 1);
const isPlain = (value) => ['number', 'bigint', 'boolean'].includes(typeof value);
const isInteger = (dataType) => !dataType.startsWith('float');

// Returns the bits of the nearest float16 number. Ties round to even.
function halfBits(number) {
  const sign = number < 0 || Object.is(number, -0) ? 0x8000 : 0, size = Math.abs(number);
  if (Number.isNaN(number)) return 0x7e00;
  if (size >= 65520) return sign | 0x7c00;
  if (size === 0) return sign;
  const exponent = Math.max(Math.floor(Math.log2(size)), -14);
  const units = size / 2 ** (exponent - 10), below = Math.floor(units), rest = units - below;
  const rounded = rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below;
  return sign | (((exponent + 14) << 10) + rounded);  // a subnormal number has the exponent -14; a carry increments the exponent
}

// Flattens nested arrays of numbers. The lengths must match the descriptor's shape, but a flat array of all elements is accepted.
function flatten(value, descriptor, what) {
  const {shape} = descriptor, items = [];
  const wrong = (problem) => typeError(`${what}: ${problem}, for ${shown(descriptor)}.`);
  const add = (part, axis) => {
    if (isPlain(part)) {
      if (axis !== shape.length) throw wrong(`a number where ${shape.length - axis} dimensions are left`);
      items.push(part);
      return;
    }
    if (!Array.isArray(part) && !ArrayBuffer.isView(part)) throw wrong(`${typeof part} '${part}' is no number`);
    if (axis === shape.length) throw wrong('an array in the place of a number');
    if (part.length !== shape[axis]) throw wrong(`an array of ${part.length} for the dimension ${axis}, of size ${shape[axis]}`);
    for (const item of part) add(item, axis + 1);
  };
  if (!Array.isArray(value) || value.some((item) => !isPlain(item))) {
    add(value, 0);
    return items;
  }
  if (value.length !== countOf(shape)) throw wrong(`an array of ${value.length} numbers`);
  return value;
}

const least = (type, width) => (type.startsWith('uint') ? 0n : -(1n << BigInt(width - 1)));
const most = (type, width) => (1n << BigInt(type.startsWith('uint') ? width : width - 1)) - 1n;

function integerOf(value, type, width, what) {
  if (typeof value === 'number' && !Number.isInteger(value)) throw typeError(`${what}: ${value} is no ${type}.`);
  const integer = BigInt(value);
  if (integer < least(type, width) || integer > most(type, width)) throw typeError(`${what}: ${value} is no ${type}.`);
  return integer;
}

// Returns the numbers as a new typed array of the data type. Integer types: throws TypeError for a fraction or a number outside the
// range. Float types: rounds, also to infinity.
function viewOfNumbers(items, dataType, what, View = views[dataType], width = bits[dataType]) {
  if (dataType === 'float16' && View === Uint16Array) return Uint16Array.from(items, (item) => halfBits(Number(item)));
  if (!isInteger(dataType)) return View.from(items, Number);
  if (width === 64) return View.from(items, (item) => integerOf(item, dataType, width, what));
  if (width > 4) return View.from(items, (item) => Number(integerOf(item, dataType, width, what)));
  const packed = new View(Math.ceil(items.length / 2));
  items.forEach((item, i) => (packed[i >> 1] |= (Number(integerOf(item, dataType, width, what)) & 15) << (4 * (i & 1))));
  return packed;
}

// Converts a value to the bytes of a tensor with this descriptor. Throws TypeError; its message begins with `what`.
function bytesFor(value, descriptor, what) {
  if (isPlain(value) || Array.isArray(value)) {
    if (isPlain(value) && countOf(descriptor.shape) === 1) value = [value];
    return bytesOf(viewOfNumbers(flatten(value, descriptor, what), descriptor.dataType, what));
  }
  if (!isBuffer(value)) {
    throw typeError(`${what}: ${value === null || typeof value !== 'object' ? value : named(value.constructor?.name ?? 'object')} is no data for ` +
                    `${shown(descriptor)}, but ${named(views[descriptor.dataType].name)} or an array of numbers is.`);
  }
  requireBuffer(value, descriptor, what);
  return bytesOf(value);
}

function viewOf(buffer, {dataType}) { return new views[dataType](buffer); }

module.exports = {bytesFor, countOf, viewOf, viewOfNumbers};
