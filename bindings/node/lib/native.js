'use strict';
// The native part, its errors and the promises that it settles.
const {native} = require('./platform.js');

const makeError = (kind, message) => (kind === 'TypeError' ? new TypeError(message) : new DOMException(message, kind));

const waiting = new Map();  // by id: {resolve, reject}
let last = 0;

native.connect(makeError, (id, error, value) => {
  const promise = waiting.get(id);
  waiting.delete(id);
  if (error === undefined) {
    promise?.resolve(value);
  } else {
    promise?.reject(error);
  }
});

// A promise that the addon settles by the id that start(id) is given.
function settled(start) {
  last = (last + 1) >>> 0;
  const id = last;
  const {promise, resolve, reject} = withResolvers();
  start(id);
  waiting.set(id, {resolve, reject});
  return {id, promise};
}

function withResolvers() {
  const result = {};
  result.promise = new Promise((resolve, reject) => Object.assign(result, {resolve, reject}));
  return result;
}

// Rejects a promise at once and ignores what the addon reports later.
function rejectNow(id, error) {
  waiting.get(id)?.reject(error);
  waiting.delete(id);
}

const cancellations = new WeakMap();  // by signal: each signal gets only one listener

// The addon's cancellation for a signal, or undefined. Throws the signal's reason if it is already aborted.
function cancellationOf(signal) {
  if (signal === undefined) return undefined;
  signal.throwIfAborted();
  if (!cancellations.has(signal)) {
    const cancellation = native.createCancellation();
    cancellations.set(signal, cancellation);
    signal.addEventListener('abort', () => native.cancel(cancellation), {once: true});
  }
  return cancellations.get(signal);
}

module.exports = {cancellationOf, makeError, native, rejectNow, settled, withResolvers};
