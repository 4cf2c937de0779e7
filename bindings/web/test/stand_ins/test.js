'use strict';
// A replacement of node:test that collects tests for ../pages/node_tests.js.
const tests = globalThis.nodeTests ??= [];
const test = (name, ...rest) => tests.push({name, run: rest.pop(), skip: rest[0]?.skip ?? false});
module.exports = Object.assign(test, {test});
