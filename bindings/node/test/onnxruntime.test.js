'use strict';
// Compares webnn-onnxruntime-node with onnxruntime-node: the API, the types, and the output of programs.
const assert = require('node:assert/strict');
const {spawnSync} = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const {makeModels, makeTree, root, runIn, skip} = require('./onnxruntime/trees.js');

const programs = path.join(__dirname, 'onnxruntime/programs'), tsc = path.join(root, 'node_modules/typescript/bin/tsc');
const trees = skip ? [] : [makeTree(false), makeTree(true)], models = skip ? undefined : makeModels('--programs');
test.after(() => {
  for (const tree of trees) tree.remove();
  if (models) fs.rmSync(models, {recursive: true});
});

// Parts of onnxruntime-node that this package lacks, with reasons.
const leftOut = {
  'backend cuda': 'use the backend onnxruntime of webnn, which can run on NVIDIA cards',
  'backend tensorrt': 'as cuda',
  'backend webgpu': 'webnn has no such backend for Node.js',
};

test('the API is that of onnxruntime-node', {skip}, () => {
  const [expected, actual] = trees.map((tree) => {
    const {stdout, stderr} = runIn(tree, 'describe.mjs');
    assert.equal(stderr, '');
    return JSON.parse(stdout);
  });
  assert.ok(expected.members.length > 60, 'the description is too short');
  const missing = expected.members.filter((member) => !actual.members.includes(member) && !Object.hasOwn(leftOut, member));
  assert.deepEqual(missing, []);
  assert.deepEqual(actual.members.filter((member) => !expected.members.includes(member)), []);
  for (const name of Object.keys(leftOut)) assert.ok(expected.members.includes(name) && !actual.members.includes(name), name);
});

test('programs compile against the types', {skip: skip || (!fs.existsSync(tsc) && 'typescript is not installed')}, () => {
  for (const tree of trees) {
    fs.copyFileSync(path.join(__dirname, 'onnxruntime/types.mts'), path.join(tree.folder, 'types.mts'));
    const {stdout, status} = spawnSync(process.execPath, [tsc, '--noEmit', '--strict', '--lib', 'es2024,dom', '--target', 'es2024', '--module',
                                                          'nodenext', '--types', '', 'types.mts'], {cwd: tree.folder, encoding: 'utf8'});
    assert.equal(stdout, '');
    assert.equal(status, 0);
  }
});

for (const name of fs.readdirSync(programs)) {
  test(`${name} prints what it prints with onnxruntime-node`, {skip: skip || (!models && "Python's package onnx is not installed")}, () => {
    const [expected, actual] = trees.map((tree) => runIn(tree, path.join('programs', name), path.join(models, 'programs')));
    assert.equal(expected.status, 0, expected.stderr);
    assert.ok(expected.stdout.length > 20);
    assert.equal(actual.stdout, expected.stdout, actual.stderr);
    assert.equal(actual.status, 0);
  });
}

test('errors and options without a counterpart in onnxruntime-node', {skip: skip || !models}, () => {
  const {stdout, stderr} = runIn(trees[1], 'differences.mjs', path.join(models, 'programs'));
  assert.equal(stdout, fs.readFileSync(path.join(__dirname, 'onnxruntime/differences.txt'), 'utf8'));
  assert.match(stderr, /^enableProfiling has no effect in webnn-onnxruntime-node: `webnn bench MODEL --trace FILE` measures each operation\.$/m);
  assert.match(stderr, /removing requested execution provider "cuda"/);
});
