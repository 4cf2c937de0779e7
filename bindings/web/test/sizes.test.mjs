// Tests the sizes of files that a page fetches, compressed with Brotli; see docs/reference/web_performance.md.
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
for (const [module, {core, loading, more = []}] of Object.entries({
  'webnn.wasm': {core: 356_000, loading: 562_000},
  'webnn-relaxed.wasm': {core: 358_000, loading: 565_000},
  'webnn-threads.wasm': {core: 365_000, loading: 576_000, more: ['webnn-threads.js']},
  'webnn-threads-relaxed.wasm': {core: 365_000, loading: 576_000, more: ['webnn-threads.js']},
})) {
  test(`${module} has at most ${core / 1000} KB`, () => requireAtMost(core, [module]));
  test(`what load() fetches for most models, with ${module}, has at most ${loading / 1000} KB`,
       () => requireAtMost(loading, [module, ...scripts, ...more, ...reading]));
}
test('webnn-onnx.wasm has at most 177 KB', () => requireAtMost(177_000, ['webnn-onnx.wasm']));
test('webnn-reader.wasm has at most 311 KB', () => requireAtMost(311_000, ['webnn-reader.wasm']));
