'use strict';
const assert = require('node:assert/strict');
const {spawnSync} = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const {test} = require('node:test');
const {pathToFileURL} = require('node:url');

const repository = path.join(__dirname, '../../..');
const examples = path.join(__dirname, '../examples');
const digits = path.join(repository, 'examples/digits');
const models = path.join(repository, '../shared/models');

test('the classifier written for a browser gives the probabilities computed in double precision', async () => {
  require('..').install();
  const {createClassifier} = await import(pathToFileURL(path.join(examples, 'digits/classifier.mjs')));
  const {readPng} = await import(pathToFileURL(path.join(examples, 'digits/png.mjs')));
  const weights = new Uint8Array(fs.readFileSync(path.join(digits, 'digits.safetensors')));
  const classify = await createClassifier(weights.buffer);
  const expected = Object.entries(JSON.parse(fs.readFileSync(path.join(digits, 'expected.json'), 'utf8')));
  assert.equal(expected.length, 10);
  for (const [name, probabilities] of expected) {
    const {width, height, pixels} = readPng(fs.readFileSync(path.join(digits, name)));
    assert.deepEqual([width, height], [28, 28]);
    const found = await classify(pixels);
    for (const [i, value] of probabilities.entries())
      assert.ok(Math.abs(found[i] - value) < 1e-5, `${name}[${i}]: ${found[i]}, not ${value}`);
  }
});

test('the program around it names the digits', () => {
  const pictures = [3, 8].map((digit) => path.join(digits, `samples/${digit}.png`));
  const program = path.join(examples, 'digits/main.mjs');
  const {status, stdout, stderr} = spawnSync(process.execPath, [program, ...pictures], {encoding: 'utf8'});
  assert.equal(status, 0, stderr);
  assert.match(stdout, /3\.png: 3 \(\d+\.\d\d %\)\n.*8\.png: 8 \(/);
});

// {name: [model, input, number of graphs into which onnxruntime-web splits the model, tolerance of each output]}
const onnx = {
  mnist: ['mnist/opt-mnist.onnx', undefined, 1, {Plus214_Output_0: 1e-4}],
  squeezenet: ['squeezenet1.1/squeezenet1.1.onnx', 'squeezenet1.1/test_data_set/0/input_0.npy', 1, {logits: 1e-3}],
  ultraface: ['ultraface/version-RFB-320.onnx', undefined, 3, {scores: 1e-4, boxes: 1e-4}],
};
const web = path.join(examples, 'onnxruntime-web');
const isInstalled = fs.existsSync(path.join(web, 'node_modules/onnxruntime-web'));
const reason = !isInstalled ? 'onnxruntime-web is not installed (npm ci in examples/onnxruntime-web)'
  : !fs.existsSync(models) ? `${models} is not there` : false;

for (const [name, [model, input, cuts, tolerances]] of Object.entries(onnx)) {
  test(`onnxruntime-web computes ${name} by this package as by its own WebAssembly`, {skip: reason}, () => {
    const files = [model, input].filter(Boolean).map((file) => path.join(models, file));
    const args = ['--liftoff-only', 'compare.mjs', ...files];
    const {status, stdout, stderr} = spawnSync(process.execPath, args, {encoding: 'utf8', cwd: web});
    assert.equal(status, 0, stderr);
    const {graphs, difference} = JSON.parse(stdout);
    assert.equal(graphs, cuts);
    assert.deepEqual(Object.keys(difference), Object.keys(tolerances));
    for (const [output, tolerance] of Object.entries(tolerances))
      assert.ok(difference[output] < tolerance, `${output}: ${difference[output]}`);
  });
}
