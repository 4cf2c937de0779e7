// Tests load() in browsers.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {after, before, describe, test} from 'node:test';
import {fileURLToPath} from 'node:url';

import {readPng} from '../../node/examples/digits/png.mjs';
import {browsers, launch} from './support/browsers.mjs';
import {runnerPage, runScript} from './support/run.mjs';
import {serve, strictPolicy} from './support/server.mjs';

const digits = fileURLToPath(new URL('../../../examples/digits', import.meta.url));
const models = path.resolve(fileURLToPath(new URL('../../../../shared/models', import.meta.url)));
const hasModels = fs.existsSync(models);

function near(found, expected, tolerance) {
  assert.equal(found.length, expected.length);
  for (const [i, value] of expected.entries()) assert.ok(Math.abs(found[i] - value) <= tolerance, `[${i}]: ${found[i]}, not ${value}`);
}

function readNpy(file) {
  const bytes = fs.readFileSync(file);
  return [...new Float32Array(bytes.buffer.slice(bytes.byteOffset + 10 + bytes.readUInt16LE(8), bytes.byteOffset + bytes.length))];
}

const three = (n) => ({dataType: 'float32', shape: [n, 3]});
const sums = [11, 22, 33, 41, 52, 63];
const errors = {
  open: /^TypeError: the dimension "n" has no size.* Give the sizes as in \{dimensions: \{n: 1\}\}\.$/,
  other: /^TypeError: the dimension "m" is not in the model/,
  absent: /^NotFoundError: .*"w\.bin"/,
  weights: /^TypeError: the weights of an ONNX model are files/,
  short: /^DataError: .*"w\.bin"/,
  address: /^NotFoundError: .*none\.onnx: 404/,
  source: /^TypeError: load: source is no address/,
  context: /^TypeError: load: context/,
  aborted: /^AbortError/,
};

for (const {name, skip} of browsers) {
  describe(name, {skip}, () => {
    let browser, server;
    before(async () => {
      const pixels = Float32Array.from(readPng(fs.readFileSync(path.join(digits, 'samples/7.png'))).pixels, (grey) => grey / 255);
      const pages = (url) => (url.pathname === '/digits/pixels' ? {type: 'application/octet-stream', body: Buffer.from(pixels.buffer)}
                                                                : runnerPage(url));
      server = await serve({pages, policy: strictPolicy, folders: {'/digits/': digits, '/models/': models}});
      browser = await launch(name);
    });
    after(async () => {
      await browser?.close();
      server?.close();
    });
    for (const worker of [true, false]) {
      test(`files are read ${worker ? 'in a worker' : 'on the page'}, whose policy is strict`, async () => {
        const parameters = {worker, ...(hasModels ? {models: true} : {})};
        const {value} = await runScript(browser, server.origin, '/test/pages/load.js', parameters);
        const {readers, small} = value;
        assert.deepEqual(readers.add, {values: [1, 2, 3], readers: ['webnn-onnx.wasm']});
        near(readers.pow, [2, 3, 3 + Math.SQRT2], 1e-6);
        near(readers.sinh.values, [-1, 0, 1].map(Math.sinh), 1e-6);
        assert.deepEqual(readers.sinh.readers, ['webnn-onnx.wasm', 'webnn-reader.wasm']);
        assert.match(readers.unknown, /^NotSupportedError: .*WebNN has no strings/s);
        assert.match(readers.undecided, /^TypeError: the dimension "n" has no size/);
        assert.equal(readers.ended, 'NotSupportedError: enough');
        assert.deepEqual(small.described, {inputs: {x: three(2)}, outputs: {y: three(2)}});
        for (const way of ['bytes', 'blob', 'response', 'external']) assert.deepEqual(small[way], sums, way);
        for (const [what, expected] of Object.entries(errors)) assert.match(small.errors[what], expected);
        assert.deepEqual(small.cut, ['DataError']);
        assert.deepEqual(value.named, {values: Array.from({length: 9}, (_, i) => 100 + i), described: Array(9).fill(true)});
        if (worker) assert.equal(value.endedBetweenParts, 'Error: enough');
        near(value.digits, JSON.parse(fs.readFileSync(path.join(digits, 'expected.json')))['samples/7.png'], 1e-5);
        if (hasModels) near(value.squeezenet, readNpy(path.join(models, 'squeezenet1.1/test_data_set/0/output_0.npy')), 1e-3);
        assert.equal(value.ended, 'Error: enough');
        assert.match(value.destroyed, /^InvalidStateError/);
      });

      test(`a server that lacks the reader's module is an error that says so, ${worker ? 'in a worker' : 'on the page'}`, async () => {
        const lacking = await serve({pages: runnerPage, isMissing: (file) => file === '/dist/webnn-onnx.wasm'});
        try {
          const {value} = await runScript(browser, lacking.origin, '/test/pages/load.js', {worker, isMissing: true});
          assert.match(value, /^NetworkError: load: .*webnn-onnx\.wasm cannot be loaded: 404/);
        } finally {
          lacking.close();
        }
      });
    }
  });
}
