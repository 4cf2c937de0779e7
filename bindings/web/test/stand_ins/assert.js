'use strict';
// The part of node:assert/strict that the tests use, for browsers.
class AssertionError extends Error {
  name = 'AssertionError';
}

function fail(message) {
  throw message instanceof Error ? message : new AssertionError(message);
}

const shown = (value) => {
  try {
    return JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? `${item}n` : item)) ?? String(value);
  } catch {
    return String(value);
  }
};

const isObject = (value) => typeof value === 'object' && value !== null;
const bytesOf = (buffer) => Array.from(new Uint8Array(buffer));

function isDeepEqual(a, b) {
  if (Object.is(a, b)) return true;
  if (!isObject(a) || !isObject(b) || Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  if (a instanceof ArrayBuffer) return isDeepEqual(bytesOf(a), bytesOf(b));
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isDeepEqual(a[key], b[key]));
}

// Throws unless the error matches. `expected` is a constructor, predicate, pattern of the message, error, or object of
// properties.
function requireMatch(error, expected) {
  if (expected === undefined) return;
  if (typeof expected === 'function') {
    if (expected.prototype !== undefined && error instanceof expected) return;
    if (expected.prototype instanceof Error || expected === Error || expected(error) !== true) throw error;
    return;
  }
  if (expected instanceof RegExp) return module.exports.match(String(error), expected);
  for (const key of expected instanceof Error ? ['name', 'message'] : Object.keys(expected)) {
    const wanted = expected[key];
    const isMatch = wanted instanceof RegExp && typeof error[key] === 'string' ? wanted.test(error[key]) : isDeepEqual(error[key], wanted);
    if (!isMatch) fail(`${key} of ${error} is ${shown(error[key])}, not ${wanted instanceof RegExp ? wanted : shown(wanted)}`);
  }
}

function ok(value, message = `${shown(value)} is not truthy`) {
  if (!value) fail(message);
}

module.exports = Object.assign((value, message) => ok(value, message), {
  AssertionError, fail, ok,
  equal: (a, b, message) => ok(Object.is(a, b), message ?? `${shown(a)} is not ${shown(b)}`),
  notEqual: (a, b, message) => ok(!Object.is(a, b), message ?? `both are ${shown(a)}`),
  deepEqual: (a, b, message = '') => ok(isDeepEqual(a, b), `${shown(a)} is not ${shown(b)} ${message}`),
  match: (text, pattern, message) => ok(pattern.test(text), message ?? `${shown(text)} does not match ${pattern}`),
  throws(call, expected) {
    try {
      call();
    } catch (error) {
      return requireMatch(error, expected);
    }
    return fail('nothing was thrown');
  },
  async rejects(promise, expected) {
    try {
      await (typeof promise === 'function' ? promise() : promise);
    } catch (error) {
      return requireMatch(error, expected);
    }
    return fail('nothing was rejected');
  },
});
