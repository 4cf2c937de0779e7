// Compares onnxruntime-web's WebNN execution provider on this package with its WASM execution provider, in browsers.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {after, before, describe, test} from 'node:test';
import {fileURLToPath} from 'node:url';

import {browsers, launch} from './support/browsers.mjs';
import {runnerPage, runScript} from './support/run.mjs';
import {serve} from './support/server.mjs';

const models = fileURLToPath(new URL('../../../../shared/models', import.meta.url));
const ort = fileURLToPath(new URL('../../node/examples/onnxruntime-web/node_modules/onnxruntime-web/dist', import.meta.url));
const reason = !fs.existsSync(ort) ? 'onnxruntime-web is not installed (npm ci in bindings/node/examples/onnxruntime-web)'
  : !fs.existsSync(models) ? `${models} is not there` : false;

// {name: [model, input, number of graphs into which onnxruntime-web splits the model, tolerance of each output]}, as in the tests
// of the Node.js package
const cases = {
  mnist: ['mnist/opt-mnist.onnx', undefined, 1, {Plus214_Output_0: 1e-4}],
  squeezenet: ['squeezenet1.1/squeezenet1.1.onnx', 'squeezenet1.1/test_data_set/0/input_0.npy', 1, {logits: 1e-3}],
  ultraface: ['ultraface/version-RFB-320.onnx', undefined, 3, {scores: 1e-4, boxes: 1e-4}],
};

for (const {name: browserName, skip} of browsers) {
  describe(browserName, {skip: skip || reason}, () => {
    let browser, server;
    before(async () => {
      server = await serve({pages: runnerPage, folders: {'/models/': path.resolve(models), '/onnxruntime-web/': ort}});
      browser = await launch(browserName);
    });
    after(async () => {
      await browser?.close();
      server?.close();
    });
    for (const [name, [model, input, graphs, tolerances]] of Object.entries(cases)) {
      test(`onnxruntime-web computes ${name} by the package as by its own WebAssembly`, async () => {
        const parameters = {model: `/models/${model}`, ...(input ? {input: `/models/${input}`} : {})};
        const {value, console} = await runScript(browser, server.origin, '/test/pages/onnxruntime_web.js', parameters);
        assert.equal(value.graphs, graphs);
        assert.deepEqual(Object.keys(value.difference), Object.keys(tolerances));
        for (const [output, tolerance] of Object.entries(tolerances))
          assert.ok(value.difference[output] < tolerance, `${output}: ${value.difference[output]}`);
        assert.deepEqual(console.filter((line) => /^(error|uncaught)/.test(line)), []);
      });
    }
  });
}
