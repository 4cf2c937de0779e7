'use strict';
// The addon, its errors and the promises that it settles.
const {isMainThread} = require('node:worker_threads');
const native = require('./binding.js').load();

const makeError = (kind, message) => (kind === 'TypeError' ? new TypeError(message) : new DOMException(message, kind));

const waiting = new Map();  // by number: {resolve, reject}
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

// A promise of what the addon settles under the number that it gets: start(id).
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

// Rejects a promise at once; what the addon says later is not heard.
function rejectNow(id, error) {
  waiting.get(id)?.reject(error);
  waiting.delete(id);
}

const cancellations = new WeakMap();  // by signal, so that each has one listener

// What the addon is told of a signal, or undefined. Throws its reason if it is aborted.
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

// Node does not run the addon's own clean-up in process.exit().
if (isMainThread) process.once('exit', native.close);

module.exports = {cancellationOf, makeError, native, rejectNow, settled, withResolvers};
