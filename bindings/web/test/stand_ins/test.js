'use strict';
// Replaces node:test in browsers: collects tests, which ../pages/node_tests.js runs.
const tests = globalThis.nodeTests ??= [];
const test = (name, ...rest) => tests.push({name, run: rest.pop(), skip: rest[0]?.skip ?? false});
module.exports = Object.assign(test, {test});
