'use strict';
// Compares random calls of webnn-onnxruntime-node and onnxruntime-node on random models. For longer runs, set
// WEBNN_RANDOM_MODELS=COUNT and WEBNN_RANDOM_SEED=SEED.
const assert = require('node:assert/strict');
const {spawnSync} = require('node:child_process');
const fs = require('node:fs');
const {tmpdir} = require('node:os');
const path = require('node:path');
const test = require('node:test');
const {makeTree, python, runIn, skip} = require('./onnxruntime/trees.js');

const count = Number(process.env.WEBNN_RANDOM_MODELS ?? 150), seed = Number(process.env.WEBNN_RANDOM_SEED ?? 1);
// ONNX Runtime's messages for a caller's output of a wrong type or shape. Ours differ, so only the classes are compared.
const ofOutputs = /^Non-zero status code|^Got invalid dimensions for output|^Invalid rank for output|^Unexpected output data type/;

// Returns the path of the first difference between two values, or undefined.
function differenceOf(expected, actual, where) {
  if (typeof expected === 'number' && typeof actual === 'number')
    return Math.abs(expected - actual) <= 1e-5 * (1 + Math.abs(expected)) ? undefined : where;
  if (typeof expected !== 'object' || expected === null || typeof actual !== 'object' || actual === null) return expected === actual ? undefined : where;
  if (expected.error && expected.error === actual.error && ofOutputs.test(expected.message)) return undefined;
  if (Object.keys(expected).join() !== Object.keys(actual).join()) return where;
  for (const key of Object.keys(expected)) {
    const difference = differenceOf(expected[key], actual[key], `${where}.${key}`);
    if (difference) return difference;
  }
  return undefined;
}

// Returns the record without the sizes of outputs, because ONNX Runtime infers sizes that the file leaves open.
function withoutInference([name, call, result]) {
  if (call === 'create' && result.metadata) result.metadata[1] = result.metadata[1].map(({shape, ...rest}) => ({...rest, rank: shape?.length}));
  return [name, call, result];
}

const hasModels = !skip && fs.existsSync(python) && spawnSync(python, ['-c', 'import onnx']).status === 0;

test('random calls have the results of onnxruntime-node', {skip: skip || (!hasModels && "Python's package onnx is not installed")}, (t) => {
  const folder = fs.mkdtempSync(path.join(tmpdir(), 'webnn-random-')), trees = [makeTree(false), makeTree(true)];
  t.after(() => {
    fs.rmSync(folder, {recursive: true});
    for (const tree of trees) tree.remove();
  });
  const script = path.join(__dirname, 'onnxruntime/random_models.py');
  const {status, stderr} = spawnSync(python, [script, folder, String(seed), String(count)], {encoding: 'utf8'});
  assert.equal(status, 0, stderr);
  const [expected, actual] = trees.map((tree) => {
    const run = runIn(tree, 'random_calls.mjs', folder, String(seed), '12');
    assert.equal(run.status, 0, run.stderr.slice(-2000));
    return new Map(run.stdout.trim().split('\n').map((line) => JSON.parse(line)).map((record) => [`${record[0]} ${record[1]}`, withoutInference(record)]));
  });
  const differences = [], skipped = new Set();
  let compared = 0;
  for (const [key, [name, call, result]] of expected) {
    if (call === 'create' && result.error) skipped.add(name);  // ONNX Runtime refuses the model
    if (skipped.has(name)) continue;
    const difference = actual.has(key) ? differenceOf(result, actual.get(key)[2], key) : `${key} is missing`;
    ++compared;
    if (!difference) continue;
    // Skip later calls of this model, because they may feed this result.
    skipped.add(name);
    differences.push(`${difference}\n  expected ${JSON.stringify(result)}\n  actual ${JSON.stringify(actual.get(key)?.[2])}`);
  }
  t.diagnostic(`${compared} calls compared`);
  assert.equal(differences.length, 0, `WEBNN_RANDOM_SEED=${seed} WEBNN_RANDOM_MODELS=${count}\n${differences.slice(0, 5).join('\n')}`);
  assert.ok(compared > 8 * count, `only ${compared} calls were compared`);
});
