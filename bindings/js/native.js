'use strict';
const {platform} = require('./platform.js');

const {native} = platform;

const makeError = (kind, message) => (kind === 'TypeError' ? new TypeError(message) : new DOMException(message, kind));

const waiting = new Map();  // keyed by call id: {resolve, reject, forget(): unregisters the call from its signal, report(progress)}
let last = 0;

const settle = (id, error, value) => (error === undefined ? take(id)?.resolve(value) : rejectNow(id, error));
native.connect(makeError, settle, (id, phase, done, total) => {
  try {
    waiting.get(id)?.report?.({phase, done, total});
  } catch (error) {
    rejectNow(id, error);
  }
});

// Calls start(id, cancellation) and returns {id, promise}; the native part settles the promise by its id. If the signal is
// aborted first, the promise is rejected immediately with the reason of the signal: the native part may notice the cancellation
// only when it begins the work. Throws the reason of a signal that is already aborted. `report` is called with {phase, done,
// total}.
function settled(start, signal, report) {
  last = (last + 1) >>> 0;
  const id = last;
  const {promise, resolve, reject} = withResolvers();
  start(id, cancellationOf(signal));
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

// Rejects a promise immediately. A later result of the native part is ignored.
function rejectNow(id, error) {
  take(id)?.reject(error);
}

const signals = new WeakMap();  // the key is an AbortSignal; one listener serves all calls that use it

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

// Calls `call` when the signal is aborted. Returns a function that unregisters `call`.
function whenAborted(signal, call) {
  const {calls} = heard(signal);
  calls.add(call);
  return () => calls.delete(call);
}

// Returns the native cancellation of a signal; undefined if there is no signal.
const cancellationOf = (signal) => signal && heard(signal).cancellation;

module.exports = {cancellationOf, makeError, native, rejectNow, settled, whenAborted, withResolvers};
