'use strict';
// Runs pipelines of transformers.js with onnxruntime-node and with webnn-onnxruntime-node, and compares texts and numbers.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const test = require('node:test');
const {makeModels, makeTree, runIn, skip} = require('./onnxruntime/trees.js');

const models = skip ? undefined : makeModels();
const reason = skip || (!models && "Python's package onnx is not installed (scripts/setup/setup_python.sh)");
test.after(() => models && fs.rmSync(models, {recursive: true}));

// Asserts that texts are equal and numbers differ by at most `most`.
function assertNear(actual, expected, most, what) {
  if (typeof expected === 'number') assert.ok(Math.abs(actual - expected) <= most, `${what}: ${actual}, not ${expected}`);
  else if (typeof expected !== 'object' || expected === null) assert.equal(actual, expected, what);
  else {
    assert.deepEqual(Object.keys(actual), Object.keys(expected), what);
    for (const key of Object.keys(expected)) assertNear(actual[key], expected[key], most, `${what}.${key}`);
  }
}

test('pipelines of transformers.js give the results of onnxruntime-node', {skip: reason, timeout: 180e3}, () => {
  const [expected, actual] = [false, true].map((isOurs) => {
    const tree = makeTree(isOurs), {status, stdout, stderr} = runIn(tree, 'pipelines.mjs', models);
    tree.remove();
    assert.equal(status, 0, stderr);
    return stdout.trim().split('\n').map((line) => JSON.parse(line));
  });
  assert.match(actual.at(0).version, /webnn/);
  assert.equal(expected.at(0).version, '1.30.0');
  assert.equal(expected.length, 16);
  for (const [i, {name, result, error}] of expected.slice(1).entries()) {
    assert.equal(error, undefined);
    assert.equal(actual[i + 1].error, undefined);
    assertNear(actual[i + 1].result, result, 1e-5, name);
  }
});
