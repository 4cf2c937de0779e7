// What a page fetches of a server that compresses by Brotli: see docs/web_performance.md.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import test from 'node:test';
import {brotliCompressSync} from 'node:zlib';

const known = new Map();
function sizeOf(file) {
  if (!known.has(file)) known.set(file, brotliCompressSync(readFileSync(new URL(`../dist/${file}`, import.meta.url))).length);
  return known.get(file);
}
const requireAtMost = (most, files) => {
  const sizes = files.map(sizeOf), sum = sizes.reduce((total, size) => total + size);
  assert.ok(sum <= most, `${sum} bytes: ${files.map((file, i) => `${file} ${sizes[i]}`).join(', ')}`);
};

const scripts = ['webnn.js', 'worker.js'], reading = ['reader.js', 'webnn-onnx.wasm'];
for (const [module, more] of Object.entries({
  'webnn.wasm': [], 'webnn-relaxed.wasm': [], 'webnn-threads.wasm': ['webnn-threads.js'], 'webnn-threads-relaxed.wasm': ['webnn-threads.js'],
})) {
  test(`${module} has at most 420 KB`, () => requireAtMost(420_000, [module]));
  test(`what load() fetches for most models, with ${module}, has at most 660 KB`,
       () => requireAtMost(660_000, [module, ...scripts, ...more, ...reading]));
}
test('webnn-onnx.wasm has at most 210 KB', () => requireAtMost(210_000, ['webnn-onnx.wasm']));
test('webnn-reader.wasm has at most 345 KB', () => requireAtMost(345_000, ['webnn-reader.wasm']));
