'use strict';
// The native part, its errors and the promises that it settles.
const {platform} = require('./platform.js');

const {native} = platform;

const makeError = (kind, message) => (kind === 'TypeError' ? new TypeError(message) : new DOMException(message, kind));

const waiting = new Map();  // by id: {resolve, reject, forget: the signal, report: how far the work is}
let last = 0;

native.connect(makeError, (id, error, value) => {
  const promise = take(id);
  if (error === undefined) {
    promise?.resolve(value);
  } else {
    promise?.reject(error);
  }
}, (id, phase, done, total) => {
  try {
    waiting.get(id)?.report?.({phase, done, total});
  } catch (error) {
    rejectNow(id, error);
  }
});

// A promise that the addon settles by the id that start(id) is given. If the signal comes before, it is rejected with its reason at
// once: the addon may hear of it only when it comes to the work. `report` is called with {phase, done, total}.
function settled(start, signal, report) {
  last = (last + 1) >>> 0;
  const id = last;
  const {promise, resolve, reject} = withResolvers();
  start(id);
  waiting.set(id, {resolve, reject, report, forget: signal && whenAborted(signal, () => rejectNow(id, signal.reason))});
  return {id, promise};
}

function take(id) {
  const promise = waiting.get(id);
  waiting.delete(id);
  promise?.forget?.();
  return promise;
}

function withResolvers() {
  const result = {};
  result.promise = new Promise((resolve, reject) => Object.assign(result, {resolve, reject}));
  return result;
}

// Rejects a promise at once and ignores what the addon reports later.
function rejectNow(id, error) {
  take(id)?.reject(error);
}

const signals = new WeakMap();  // {cancellation: the addon's, calls} by signal: each signal gets only one listener

function heard(signal) {
  signal.throwIfAborted();
  if (!signals.has(signal)) {
    const cancellation = native.createCancellation(), calls = new Set();
    signals.set(signal, {cancellation, calls});
    signal.addEventListener('abort', () => {
      native.cancel(cancellation);
      for (const call of [...calls]) call();
    }, {once: true});
  }
  return signals.get(signal);
}

// Calls once the signal is aborted, unless the function that this returns is called before.
function whenAborted(signal, call) {
  const {calls} = heard(signal);
  calls.add(call);
  return () => calls.delete(call);
}

// The addon's cancellation for a signal, or undefined. Throws the signal's reason if it is already aborted.
const cancellationOf = (signal) => signal && heard(signal).cancellation;

module.exports = {cancellationOf, makeError, native, rejectNow, settled, whenAborted, withResolvers};
